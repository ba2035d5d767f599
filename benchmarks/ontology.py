"""Matching ontologies, beside stored outputs of the OAEI's systems.

    python benchmarks/ontology.py conference   # 15 pairs; both ontologies of a test are left out
    python benchmarks/ontology.py benchmark    # 101 against 301-304, and against 201-266
    python benchmarks/ontology.py dilution [--seeds 3]  # chapter 3 of Shahri (2015), made again
    python benchmarks/ontology.py few [--seeds 3]       # F1 by the number of known matches

A pair counts if it is "=" between two classes; properties are left out. Intervals are those of
`tamis ontology evaluate`. Supervised rows have seen references of other pairs of the same track;
the systems beside them, which learn nothing, have not.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from _harness import markdown, versions
from _ontology_dilution import dilution
from _ontology_sets import (
    HEAD,
    PEERS,
    REAL,
    bibliography,
    bibliography_reference,
    cells,
    conference,
    conference_references,
    folder,
    known_of,
    others,
    paired,
    peer,
    pooled,
    taught,
)
from tamis.ontology import OntologyMatcher
from tamis.ontology.evaluation_counts import Counts
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.names import normalised_name

LEARNERS = ("aode", "logistic", "c45")
SOURCE = ("name", "path", "instances")  # the three similarities of Shahri (2015)
FEW = (0, 5, 10, 20, 40)


def equal_names(source, target):
    """Classes whose normalised labels are equal."""
    at = {
        normalised_name(label): iri for iri, label in zip(target.iris, target.labels, strict=True)
    }
    labels = [normalised_name(label) for label in source.labels]
    return {(a, at[x]) for a, x in zip(source.iris, labels, strict=True) if x in at}


def run_conference(seeds: int) -> None:
    """Of each pair both ontologies are left out; pairs among the other four teach."""
    o, truth = conference(), conference_references()
    stored = {name: {of: peer(name, of) for of in truth} for name in PEERS}
    rows = [cells(f"{name}, 2019", pooled(stored[name], truth)) for name in PEERS]
    plain = {of: equal_names(*(o[n] for n in of)) for of in truth}
    rows.append(cells("equal labels", pooled(plain, truth)))
    seeded = {
        of: set((m := OntologyMatcher()).fit(o[of[0]], o[of[1]]).match(o[of[0]], o[of[1]]).pairs)
        for of in truth
    }
    rows.append(cells("Tamis, no labels: seeds", pooled(seeded, truth)))
    print(markdown(HEAD, rows), flush=True)
    every: dict[str, dict] = {**stored, "equal labels": plain, "Tamis, no labels: seeds": seeded}
    tries = [(name, None) for name in LEARNERS] + [("aode", SOURCE)]
    for learner, similarities in tries:
        began, found, relaxed, thresholds = time.process_time(), {}, {}, []
        for of in truth:
            known = [known_of(o[a], o[b], truth[a, b]) for a, b in others(of)]
            m = taught(OntologyMatcher(similarities, learner), known)
            thresholds.append(m.model_.threshold)
            found[of] = set(m.match(o[of[0]], o[of[1]]).pairs)
            m.relaxation = 0.5
            relaxed[of] = set(m.match(o[of[0]], o[of[1]]).pairs)
        name = f"{learner}{', name, path and instances' if similarities else ''}"
        for title, pairs in (
            (f"Tamis, {name}", found),
            (f"Tamis, {name}, relaxation 0.5", relaxed),
        ):
            every[title] = pairs
            rows.append(cells(title, pooled(pairs, truth)))
        spent = time.process_time() - began
        told = f"{np.median(thresholds):.3f} ({min(thresholds):.3f}-{max(thresholds):.3f})"
        print(markdown(HEAD, rows[-2:]), f"\nthresholds {told}, CPU {spent:.0f} s", flush=True)
    print(markdown(HEAD, rows))
    ours = every.pop("Tamis, aode")
    less = [
        (name, f"{d.value:+.3f} ({d.low:+.3f} to {d.high:+.3f})")
        for name, pairs in every.items()
        for d in [paired(pairs, ours, truth)]
    ]
    print("\n" + markdown(("F1 less that of Tamis, aode", "paired, by pairs of ontologies"), less))


def run_benchmark(seeds: int) -> None:
    """101 against the real 301-304 and the changed copies 201-266."""
    base, rows = bibliography("101"), []
    truth = {("101", n): bibliography_reference(n) for n in REAL}
    plain, seeded, learned = {}, {}, {}
    for n in REAL:
        other = bibliography(n)
        plain["101", n] = equal_names(base, other)
        seeded["101", n] = set(OntologyMatcher().fit(base, other).match(base, other).pairs)
        known = [known_of(base, bibliography(k), truth["101", k]) for k in REAL if k != n]
        learned["101", n] = set(taught(OntologyMatcher(), known).match(base, other).pairs)
    for name, found in (
        ("equal labels", plain),
        ("Tamis, seeds", seeded),
        ("Tamis, the other three", learned),
    ):
        for of in truth:
            rows.append(cells(f"{of[1]}: {name}", pooled({of: found[of]}, {of: truth[of]})))
        rows.append(cells(f"301-304: {name}", pooled(found, truth)))
    print(markdown(HEAD, rows), flush=True)
    m = taught(OntologyMatcher(), [known_of(base, bibliography(n), truth["101", n]) for n in REAL])
    lines = []
    for path in sorted((folder() / "benchmark").glob("2*")):
        n, other = path.name, bibliography(path.name)
        reference = bibliography_reference(n)
        try:
            alone = set(OntologyMatcher().fit(base, other).match(base, other).pairs)
        except ValueError:  # names are scrambled: no seeds
            alone = set()
        by_real = set(m.match(base, other).pairs)
        f = [Counts.of(x, reference).f1().value for x in (equal_names(base, other), alone, by_real)]
        lines.append([n, len(reference), *(f"{x:.2f}" for x in f)])
        print(*lines[-1], flush=True)
    print(markdown(("test", "pairs", "equal labels", "seeds", "learned from 301-304"), lines))


def run_few(seeds: int) -> None:
    """F1 of further pairs by the number of known matches, with seeds and without."""
    lines = []
    for n in (*FEW, None):
        line: list[object] = ["all" if n is None else n]
        for mode in ("never", "always"):
            line += [_conference_few(n, mode, seeds), _made_up_few(n, mode, seeds)]
        lines.append(line)
        print(*line, flush=True)
    head = ("known matches", "conference", "made-up", "conference, seeds", "made-up, seeds")
    print(markdown(head, lines))


def _conference_few(n: int | None, mode: str, seeds: int) -> str:
    o, truth = conference(), conference_references()
    if not n and n is not None and mode == "never":
        return "-"
    scores = []
    for seed in range(seeds if n else 1):
        found = {}
        for of in truth:
            pool = [(q, pair) for q in others(of) for pair in sorted(truth[q])]
            some = np.random.default_rng(seed).permutation(len(pool))[:n]
            given = {q: [pool[k][1] for k in some if pool[k][0] == q] for q in others(of)}
            known = [known_of(o[q[0]], o[q[1]], given[q], False) for q in given if given[q]]
            if mode == "always":
                known.append(known_of(o[of[0]], o[of[1]], [], False))
            try:
                m = taught(OntologyMatcher(seeds=mode), known)
                found[of] = set(m.match(o[of[0]], o[of[1]]).pairs)
            except ValueError:  # too few labels of one kind
                found[of] = set()
        scores.append(pooled(found, truth).f1().value)
    return f"{np.mean(scores):.3f}"


def _made_up_few(n: int | None, mode: str, seeds: int) -> str:
    if not n and n is not None and mode == "never":
        return "-"
    scores = []
    for seed in range(seeds):
        made = make_vocabularies(300, 300, 200, random_state=seed)
        a, b = made.source, made.target
        order = np.random.default_rng(seed).permutation(200)
        pairs = made.pairs[order].tolist()
        test = {(a.iris[i], b.iris[j]) for i, j in pairs[100:]}  # the same for every n
        said = [(a.iris[i], b.iris[j]) for i, j in pairs[: 100 if n is None else n]]
        rest = {a.iris[i] for i, _ in pairs[:100]}
        try:
            m = OntologyMatcher(seeds=mode).fit(a, b, said or None)
            found = {p for p in m.match(a, b).pairs if p[0] not in rest}
        except ValueError:
            found = set()
        scores.append(Counts.of(found, test).f1().value)
    return f"{np.mean(scores):.3f}"


RUNS = {
    "conference": run_conference,
    "benchmark": run_benchmark,
    "dilution": dilution,
    "few": run_few,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=list(RUNS))
    parser.add_argument("--seeds", type=int, default=1)
    args = parser.parse_args()
    print(versions("numpy", "scikit-learn", "rapidfuzz", "pyoxigraph"))
    RUNS[args.what](args.seeds)

"""A review simulated: who answers knows the truth, and rules for what to ask are compared.

    python benchmarks/ontology_review.py made [--seeds 5] [--classes 400] [--noise 0.9]
    python benchmarks/ontology_review.py conference FOLDER

`made`: made-up vocabularies. `conference`: the folder of the OAEI conference ontologies and
alignments. F1 of the mapping before any answer and after each round, the mean over vocabularies or
pairs of ontologies, classes alone. No match is known at first. "not learned from": the answers of
`review` mend the mapping of the first model, which stays as it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from tamis.ontology import (
    Correspondence,
    Mapping,
    Ontology,
    OntologyMatcher,
    read_mapping,
    read_ontology,
)
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.review import probable_errors, questions

RULES = {
    "review": "the most probably wrong (`tamis ontology review`)",
    "review, not learned from": "the same answers, not learned from",
    "review, no seeds": "the same rule, without seeds from twenty matches on",
    "threshold": "nearest the threshold, in log odds",
    "mapped": "pairs of the mapping, in random order",
    "random": "candidates, in random order",
}


def asked(rule, matcher, source, target, most, rng):
    """Positions of the pairs that a rule asks about."""
    if rule.startswith("review"):
        found = questions(matcher, source, target, most)
        return [(source.position[q.source["iri"]], target.position[q.target["iri"]]) for q in found]
    one, _, p = matcher._judged(source, target)
    stands, error = probable_errors(matcher._pair_decision, one.pairs.rows, p, one.said)
    free = error > 0
    if rule == "threshold":
        q, t = np.clip(p, 1e-9, 1 - 1e-9), matcher.model_.threshold
        worth = 1e3 - np.abs(np.log(q / (1 - q)) - np.log(t / (1 - t)))
    else:
        worth = rng.random(len(p)) + (stands if rule == "mapped" else 0)
    taken: tuple[set, set] = set(), set()
    found = []
    for k in np.argsort(-np.where(free, worth, 0), kind="stable").tolist():
        i, j = one.pairs.rows[k].tolist()
        if free[k] and i not in taken[0] and j not in taken[1] and len(found) < most:
            taken[0].add(i)
            taken[1].add(j)
            found.append((i, j))
    return found


def f1(mapping: Mapping, truth: set[tuple[str, str]]) -> float:
    found = set(mapping.pairs)
    return 2 * len(found & truth) / max(len(found) + len(truth), 1)


def mended(first: Mapping, answers: dict[tuple[str, str], bool]) -> Mapping:
    """The first mapping with what was answered, and no more."""
    yes = [pair for pair, same in answers.items() if same]
    taken = [{pair[side] for pair in yes} for side in (0, 1)]
    kept = tuple(
        c
        for pair, c in first.pairs.items()
        if pair not in answers and not any(pair[side] in taken[side] for side in (0, 1))
    )
    return Mapping((*kept, *(Correspondence(*pair, status="accepted") for pair in yes)))


def simulated(
    rule: str,
    source: Ontology,
    target: Ontology,
    truth: set[tuple[str, str]],
    most: int,
    rounds: int,
    seed: int,
) -> list[float]:
    """F1 before the first round and after each."""
    rng = np.random.default_rng(seed)
    seeds = "auto" if rule == "review, no seeds" else "always"
    matcher = OntologyMatcher(seeds=seeds).fit(source, target)
    first = matcher.match(source, target)
    found, answers = [f1(first, truth)], {}
    for _ in range(rounds):
        pairs = [
            (source.iris[i], target.iris[j])
            for i, j in asked(rule, matcher, source, target, most, rng)
        ]
        answers |= {pair: pair in truth for pair in pairs}
        matcher.partial_fit(source, target, [(*pair, pair in truth) for pair in pairs])
        if rule == "review, not learned from":
            found.append(f1(mended(first, answers), truth))
        else:
            found.append(f1(matcher.match(source, target), truth))
    return found


def cases(options):
    """(source, target, truth) of each."""
    if options.what == "made":
        n = options.classes
        for seed in range(1, options.seeds + 1):
            made = make_vocabularies(n, n, int(0.6 * n), noise=options.noise, random_state=seed)
            yield made.source, made.target, set(made.reference.pairs)
        return
    ontologies = {p.stem: read_ontology(p) for p in (options.folder / "ontologies").glob("*.owl")}
    for file in sorted((options.folder / "alignments").glob("*.rdf")):
        source, target = (ontologies[name] for name in file.stem.split("-"))
        known = read_mapping(file, source, target, absent="keep")
        yield source, target, {(a, b) for a, b in known.pairs if a in source and b in target}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["made", "conference"])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--classes", type=int, default=400)
    parser.add_argument("--noise", type=float, default=0.9)
    parser.add_argument("--most", type=int, help="questions a round (default: 20, conference 10)")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--rules", nargs="+", default=list(RULES))
    options = parser.parse_args()
    most = options.most or (20 if options.what == "made" else 10)
    given = list(cases(options))
    rows, review = [], None
    for rule in options.rules:
        curves = np.array(
            [simulated(rule, *case, most, options.rounds, k) for k, case in enumerate(given)]
        )
        review = curves if review is None else review
        gain = review[:, -1] - curves[:, -1]
        error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else float("nan")
        last = "" if curves is review else f"{gain.mean():+.3f} ({error:.3f})"
        rows.append([RULES[rule], *(f"{value:.3f}" for value in curves.mean(axis=0)), last])
        print(rows[-1], flush=True)
    steps = [str(most * k) for k in range(options.rounds + 1)]
    print(markdown(["asked", *steps, "review gains (s.e.)"], rows))
    print(f"{len(given)} pairs of ontologies; {versions('numpy', 'scikit-learn')}")


if __name__ == "__main__":
    main()

"""Ontologies with references of the OAEI, shared data, and what the benchmarks do with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from _harness import shared_folder
from tamis.ontology import Ontology, OntologyMatcher, read_mapping, read_ontology
from tamis.ontology.evaluation_counts import Counts, Estimate
from tamis.ontology.matcher import Known

Names = tuple[str, str]  # of two ontologies
Pair = tuple[str, str]  # IRIs of two classes
PEERS = ("AML", "LogMap", "LogMapLt", "SANOM")
CONFERENCE = ("cmt", "confOf", "conference", "edas", "ekaw", "iasted")
REAL = ("301", "302", "303", "304")


@cache
def folder() -> Path:
    return shared_folder() / "ontology"


@cache
def conference() -> dict[str, Ontology]:
    """The six shared ontologies of the track."""
    return {n: read_ontology(folder() / f"conference/ontologies/{n}.owl") for n in CONFERENCE}


@cache
def conference_references() -> dict[Names, frozenset[Pair]]:
    """Equivalent classes of the 15 pairs."""
    found = {}
    for path in sorted((folder() / "conference/alignments").glob("*.rdf")):
        a, b = path.stem.split("-")
        found[a, b] = classes_of(path, conference()[a], conference()[b])
    return found


def peer(name: str, of: Names) -> frozenset[Pair]:
    """What a system of 2019 found."""
    place = folder() / "conference/oaei2019-system-alignments" / name
    path = place / f"{of[0]}-{of[1]}.rdf".lower()
    return classes_of(path, *(conference()[n] for n in of))


@cache
def bibliography(name: str) -> Ontology:
    """101, or one that stands against it."""
    return read_ontology(folder() / f"benchmark/{name}/onto.rdf")


@cache
def bibliography_reference(name: str) -> frozenset[Pair]:
    """Equivalent classes of 101 and another."""
    path = folder() / f"benchmark/{name}/refalign.rdf"
    return classes_of(path, bibliography("101"), bibliography(name))


def classes_of(path: Path, source: Ontology, target: Ontology) -> frozenset[Pair]:
    """Pairs of equivalent classes in an alignment file; properties are left out."""
    return frozenset(
        (c.source, c.target)
        for c in read_mapping(path).mapped
        if c.relation == "=" and c.source in source and c.target in target
    )


def taught(matcher: OntologyMatcher, known: Sequence[Known]) -> OntologyMatcher:
    """The matcher, fitted to labels of several pairs of ontologies."""
    rows = [
        (
            one.source,
            one.target,
            [(one.source.iris[i], one.target.iris[j], yes) for (i, j), yes in one.said.items()],
        )
        for one in known
    ]
    if all(one.complete for one in known):
        return matcher.fit(*rows[0], complete=True, also=rows[1:])
    matcher.fit(*rows[0])
    for row in rows[1:]:
        matcher.partial_fit(*row)
    return matcher


def known_of(
    source: Ontology, target: Ontology, reference: Iterable[Pair], complete: bool = True
) -> Known:
    """A reference as labels."""
    said = {(source.position[a], target.position[b]): True for a, b in sorted(reference)}
    return Known(source, target, said, complete)


def others(test: Names) -> list[Names]:
    """Pairs of the track that share no ontology with this one."""
    return [of for of in conference_references() if not set(of) & set(test)]


def pooled(found: Mapping[Names, Iterable[Pair]], truth: Mapping[Names, Iterable[Pair]]) -> Counts:
    """Counts over pairs of ontologies; classes of different pairs are different."""
    return sum((Counts.of(found[of], truth[of]) for of in truth), Counts())


def paired(
    one: Mapping[Names, Iterable[Pair]],
    other: Mapping[Names, Iterable[Pair]],
    truth: Mapping[Names, Iterable[Pair]],
    draws: int = 10_000,
) -> Estimate:
    """Pooled F1 of one less that of the other; interval by pairs of ontologies drawn again.

    Both are held against the same reference and share most errors: the interval of a difference is
    shorter than those of the two scores make it look.
    """
    counts = np.array(
        [
            [(len(set(m[of]) & set(truth[of])), len(m[of]) + len(truth[of])) for of in truth]
            for m in (one, other)
        ]
    )
    drawn = np.random.default_rng(0).integers(len(truth), size=(draws, len(truth)))
    sums = [counts.sum(axis=1)[:, None], counts[:, drawn].sum(axis=2)]
    value, again = (2 * (s[0, :, 0] / s[0, :, 1] - s[1, :, 0] / s[1, :, 1]) for s in sums)
    return Estimate(float(value[0]), *np.quantile(again, [0.025, 0.975]).tolist())


def told(estimate: Estimate) -> str:
    """A number with its interval."""
    return f"{estimate.value:.3f} ({estimate.low:.3f}-{estimate.high:.3f})"


def cells(name: str, counts: Counts) -> list[object]:
    """A row: name, precision, recall, F1, right, found, reference."""
    estimates = counts.precision(), counts.recall(), counts.f1()
    sizes = counts.true_positive, counts.n_found, counts.n_reference
    return [name, *map(told, estimates), *sizes]


HEAD = ("mapping", "precision", "recall", "F1", "right", "found", "reference")

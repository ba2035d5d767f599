"""The hierarchy that follows from an ontology, instead of the one that it states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..._core.errors import DataError, PlanError, counted_noun, listed_names, value_text
from ..._core.progress import Progress
from ..ontology import Ontology
from .axioms import CLASS_PREFIX, Axioms
from .facts import Facts
from .hermit import NOTHING_IRI, hermit_command, inferred_hierarchy
from .hierarchy import without_circles

REASONERS = {"hermit": "HermiT"}


def check_reasoner(reasoner: str | None) -> None:
    """Before a file is read: that there is such a reasoner, and that it can run.

    Raises
    ------
    PlanError
        Another name.
    MissingExtraError
        A library or Java is not there.
    """
    if reasoner is not None and reasoner not in REASONERS:
        raise PlanError(f"reasoner={value_text(reasoner)}: give {listed_names(REASONERS)} or None")
    if reasoner == "hermit":
        hermit_command()


def require_reasoned(ontology: Ontology, reasoner: str | None, name: str) -> Ontology:
    """What an index holds, if the reasoner was run when it was prepared.

    Raises
    ------
    DataError
        It holds the asserted hierarchy, and not the axioms that another would follow from.
    """
    if reasoner not in (None, ontology.reasoner):
        raise DataError(
            f"{name!r} is an index of the hierarchy as it was stated: prepare it again with "
            f"`tamis ontology index --reasoner {reasoner}`"
        )
    return ontology


def reasoned_ontology(
    ontology: Ontology, facts: Facts, reasoner: str, quiet: bool = True
) -> Ontology:
    """The ontology with the superclasses that follow from its axioms, beside those it states.

    Parameters
    ----------
    ontology : Ontology
    facts : Facts
        Read with `axioms`.
    reasoner : {"hermit"}
    quiet : bool

    Raises
    ------
    DataError
        It is inconsistent, or no answer comes: `inferred_hierarchy`.
    """
    axioms = Axioms(facts, ontology)
    with Progress(1, f"reasoning about {ontology.name}", quiet) as progress:
        try:
            below, same = inferred_hierarchy(axioms.lines(), ontology.name)
        except DataError as error:
            raise DataError(axioms.named(error.args[0])) from None
        progress.advance()
    groups = [_own_positions(iris) for iris in same if NOTHING_IRI not in iris]
    impossible = [at for iris in same if NOTHING_IRI in iris for at in _own_positions(iris)]
    above = [set(ups) for ups in ontology.parents]
    for at, ups in _nearest_superclasses(below, same).items():
        above[at] |= ups
    pairs = [(one, other) for one, *others in filter(None, groups) for other in others]
    parents, _ = without_circles(above, pairs)
    inferred = tuple(
        tuple(sorted({*now} - {*before}))
        for now, before in zip(parents, ontology.parents, strict=True)
    )
    return replace(
        ontology,
        parents=parents,
        inferred=inferred,
        reasoner=reasoner,
        remarks=(
            *ontology.remarks,
            *_reasoning_remarks(ontology, inferred, groups, impossible, reasoner),
        ),
    )


def _own_positions(iris: Iterable[str]) -> list[int]:
    """Those of the file's own classes."""
    return [int(iri.removeprefix(CLASS_PREFIX)) for iri in iris if iri.startswith(CLASS_PREFIX)]


def _nearest_superclasses(
    below: Iterable[tuple[str, str]], same: Iterable[Sequence[str]]
) -> dict[int, set[int]]:
    """Positions of the nearest superclasses of each class, past those that are not the file's."""
    group = {iri: iris for iris in same for iri in iris}
    up: dict[str, list[Sequence[str]]] = defaultdict(list)
    for child, parent in below:  # of a group one stands for all
        up[group.get(child, [child])[0]].append(group.get(parent, [parent]))
    found: dict[int, set[int]] = {}
    for child, direct in list(up.items()):
        nearest: set[int] = set()
        waiting, seen = list(direct), set()
        while waiting:
            iris = waiting.pop()
            if iris[0] not in seen:
                seen.add(iris[0])
                nearest.update(own := _own_positions(iris))
                waiting += [] if own else up.get(iris[0], [])
        found.update((at, nearest) for at in _own_positions(group.get(child, [child])))
    return found


def _reasoning_remarks(
    ontology: Ontology,
    inferred: Iterable[Sequence[int]],
    groups: Iterable[Sequence[int]],
    impossible: Sequence[int],
    reasoner: str,
) -> Iterator[str]:
    """What was inferred, and which classes nothing can be of."""
    more = sum(map(len, inferred))
    inferences = f"{counted_noun(more, 'superclass', 'superclasses')} that the file does not state"
    if n := sum(len(group) > 1 for group in groups):
        inferences += f", {counted_noun(n, 'group')} of equivalent classes"
    yield f"hierarchy inferred by {REASONERS[reasoner]}: {inferences}"
    if impossible:
        names = [ontology.labels[at] for at in sorted(impossible)]
        yield (
            f"{counted_noun(len(names), 'unsatisfiable class', 'unsatisfiable classes')} "
            f"({listed_names(names, 3)}): their axioms contradict each other, so that nothing can "
            "be one; their superclasses are those stated"
        )

"""What is known of pairs of classes, as rows to learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .candidates import candidate_pairs
from .ontology import Ontology
from .pairs import Pairs, Side

N_FOLDS = 5
Similarity = Callable[[Pairs], np.ndarray]


@dataclass(frozen=True, eq=False)
class Known:
    """What a person said of pairs of two ontologies.

    Attributes
    ----------
    source, target : Ontology
    said : mapping of (int, int) to bool
        Positions of two classes, and whether they mean the same.
    complete : bool
        Whether every pair that is not said to match is known not to.
    beside : mapping of (int, int) to str
        "<" or ">" of a pair that does not mean the same for it is narrower or broader; "?" of one
        that is unknown, whether `complete` or not.
    """

    source: Ontology
    target: Ontology
    said: Dict[tuple[int, int], bool]
    complete: bool = False
    beside: Dict[tuple[int, int], str] = field(default_factory=dict)

    @cached_property
    def key(self) -> tuple[str, str, str, str]:
        """Which two ontologies they are: IRIs, and a digest of what each says."""
        return self.source.iri, self.target.iri, self.source.digest, self.target.digest

    def with_more(self, other: Known) -> Known:
        """Both; of a pair that both speak of, what the other says."""
        said = {**self.said, **other.said}
        kept = {pair: what for pair, what in self.beside.items() if pair not in other.said}
        complete, beside = self.complete or other.complete, {**kept, **other.beside}
        return Known(self.source, self.target, said, complete, beside)


class Examples:
    """Candidates of two ontologies, with what is known of them.

    A pair that shares a class with a known match is known not to match, since a class is mapped
    once; with `complete` every other candidate is, but those that are said to be unknown.

    Parameters
    ----------
    known : Known
    one_to_one : bool, default=True
        Whether a class is mapped once.
    pairs : Pairs, optional
        Candidates, if they are at hand.

    Attributes
    ----------
    known : Known
    pairs : Pairs
        Candidates, and the pairs that are spoken of.
    label : ndarray of int8, shape (n,)
        1 match, 0 none, -1 unknown.
    """

    def __init__(self, known: Known, one_to_one: bool = True, pairs: Pairs | None = None) -> None:
        self.known = known
        self.pairs = pairs if pairs is not None else candidates_of(known)
        spoken = np.array(sorted(known.said), dtype=np.int32).reshape(-1, 2)
        if np.any(self.pairs.find(spoken) < 0):
            rows = np.unique(np.concatenate([self.pairs.rows, spoken]), axis=0)
            self.pairs = Pairs(self.pairs.source, self.pairs.target, rows)
        self.one_to_one = one_to_one

    @cached_property
    def label(self) -> np.ndarray:
        rows = self.pairs.rows
        found = np.full(len(rows), 0 if self.known.complete else -1, dtype=np.int8)
        unknown = [pair for pair, what in self.known.beside.items() if what == "?"]
        at = self.pairs.find(np.array(unknown, dtype=np.int32).reshape(-1, 2))
        found[at[at >= 0]] = -1
        matches = rows[self.said == 1]
        if self.one_to_one:
            for side in (0, 1):
                found[np.isin(rows[:, side], matches[:, side])] = 0
        return np.where(self.said >= 0, self.said, found)

    @cached_property
    def said(self) -> np.ndarray:
        """What a person said of each pair: 1 yes, 0 no, -1 nothing; (n,) int8."""
        found = np.full(len(self.pairs), -1, dtype=np.int8)
        if self.known.said:
            spoken = np.array(list(self.known.said), dtype=np.int32)
            found[self.pairs.find(spoken)] = list(self.known.said.values())
        return found


def candidates_of(known: Known) -> Pairs:
    """Candidates of two ontologies."""
    rows = candidate_pairs(known.source, known.target).rows
    return Pairs(Side(known.source), Side(known.target), rows)


def folds_of(examples: Sequence[Examples]) -> list[np.ndarray]:
    """The fold of each labelled pair, an array for each pair of ontologies.

    With three pairs of ontologies or more each is a fold of its own; else pairs of a source class
    stay together, for they are judged against each other.
    """
    kept = [one.pairs.rows[one.label >= 0] for one in examples]
    if len(examples) >= 3:
        return [np.full(len(rows), k) for k, rows in enumerate(kept)]
    found = []
    for one, rows in zip(examples, kept, strict=True):
        has = set(rows[one.label[one.label >= 0] == 1, 0].tolist())
        # Matches are dealt out in turn, so that each fold has its share.
        iris = one.known.source.iris
        order = sorted(np.unique(rows[:, 0]).tolist(), key=lambda i: (i not in has, iris[i]))
        fold = np.empty(len(iris), dtype=int)
        fold[order] = np.arange(len(order)) % N_FOLDS
        found.append(fold[rows[:, 0]])
    return found

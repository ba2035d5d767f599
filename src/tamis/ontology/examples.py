"""What is known of pairs of classes, as rows to learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .candidates import candidate_pairs
from .ontology import Ontology
from .pairs import Pairs, Side

FOLDS = 5
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
    """

    source: Ontology
    target: Ontology
    said: Dict[tuple[int, int], bool]
    complete: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Which two ontologies they are."""
        return self.source.iri, self.target.iri

    def with_more(self, other: Known) -> Known:
        """Both; of a pair that both speak of, what the other says."""
        said = {**self.said, **other.said}
        return Known(self.source, self.target, said, self.complete or other.complete)


class Examples:
    """Candidates of two ontologies, with what is known of them.

    A pair that shares a class with a known match is known not to match, since a class is mapped
    once; with `complete` every other candidate is.

    Attributes
    ----------
    known : Known
    pairs : Pairs
        Candidates, and the pairs that are spoken of.
    label : ndarray of int8, shape (n,)
        1 match, 0 none, -1 unknown.
    """

    def __init__(self, known: Known, one_to_one: bool = True) -> None:
        self.known = known
        rows = candidate_pairs(known.source, known.target).rows
        if known.said:
            spoken = np.array(sorted(known.said), dtype=np.int32)
            rows = np.unique(np.concatenate([rows, spoken]), axis=0)
        self.pairs = Pairs(Side(known.source), Side(known.target), rows)
        self.one_to_one = one_to_one
        self.plain: dict[str, np.ndarray] = {}  # similarities that learn nothing, by name

    @cached_property
    def label(self) -> np.ndarray:
        rows = self.pairs.rows
        found = np.full(len(rows), 0 if self.known.complete else -1, dtype=np.int8)
        matches = np.array([pair for pair, yes in self.known.said.items() if yes], dtype=np.int32)
        if self.one_to_one and len(matches):
            for side in (0, 1):
                found[np.isin(rows[:, side], matches[:, side])] = 0
        at = {pair: k for k, pair in enumerate(map(tuple, rows.tolist()))}
        for pair, yes in self.known.said.items():
            found[at[pair]] = yes
        return found

    def similarities(self, functions: Dict[str, Similarity], names: Sequence[str]) -> np.ndarray:
        """One column a name, (n, p) float32; what was computed before is kept."""
        for name in names:
            if name not in self.plain:
                self.plain[name] = functions[name](self.pairs)
        return np.column_stack([self.plain[name] for name in names])


def folds_of(examples: Sequence[Examples]) -> list[np.ndarray]:
    """The fold of each labelled pair, an array for each pair of ontologies.

    With several pairs of ontologies each is a fold of its own; of one, pairs of a source class stay
    together, for they are judged against each other.
    """
    kept = [one.pairs.rows[one.label >= 0] for one in examples]
    if len(examples) >= 3:
        return [np.full(len(rows), k) for k, rows in enumerate(kept)]
    found = []
    for one, rows in zip(examples, kept, strict=True):
        matched = one.label[one.label >= 0] == 1
        # Matches are dealt out in turn, so that each fold has its share.
        order = list(dict.fromkeys([*rows[matched, 0].tolist(), *rows[:, 0].tolist()]))
        fold = {source: k % FOLDS for k, source in enumerate(order)}
        found.append(np.array([fold[i] for i in rows[:, 0].tolist()], dtype=int))
    return found

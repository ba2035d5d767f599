"""Pairs of classes that may mean the same, and what similarities ask of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from scipy import sparse

from .names import name_stems, normalise_all
from .ontology import Ontology

T = TypeVar("T")
MOST_NAMES = 8  # of a class that are compared: the label, the local name, then synonyms
MOST_WORDS = 40  # of a name that are compared: what is longer is a text
BLOCK_NUMBERS = 4_000_000  # numbers at a time, about


@dataclass(frozen=True, eq=False)
class Side:
    """One ontology as words.

    Attributes
    ----------
    ontology : Ontology
    names : tuple of tuples of str
        Normalised names of each class, the label first, at most eight of forty words each.
    """

    ontology: Ontology

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        o = self.ontology
        given = [o.names_of(k)[:MOST_NAMES] for k in range(len(o))]
        normalised = normalise_all([name for names in given for name in names])
        flat = (" ".join(name.split(" ", MOST_WORDS)[:MOST_WORDS]) for name in normalised)
        found = [[next(flat) for _ in names] for names in given]
        return tuple(tuple(dict.fromkeys(filter(None, names))) for names in found)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The first normalised name of each class; empty where nothing is left of any."""
        return tuple(names[0] if names else "" for names in self.names)

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """Stems of each class's label."""
        return tuple(name_stems(label) if label else () for label in self.labels)

    @cached_property
    def all_words(self) -> tuple[tuple[str, ...], ...]:
        """Stems of all names of each class, each once."""
        return tuple(
            tuple(dict.fromkeys(word for name in names for word in name_stems(name)))
            for names in self.names
        )

    @cached_property
    def up(self) -> sparse.csr_array:
        """Row i has ones at the parents of class i."""
        return incidence_matrix(self.ontology.parents, len(self.ontology))

    @cached_property
    def down(self) -> sparse.csr_array:
        """Row i has ones at the children of class i."""
        return sparse.csr_array(self.up.T)


@dataclass(frozen=True, eq=False)
class Terms:
    """The words of two ontologies together.

    Attributes
    ----------
    source, target : Side
    """

    source: Side
    target: Side

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """Every stem of both ontologies, and its column; in order of the alphabet."""
        words = {w for side in (self.source, self.target) for ws in side.all_words for w in ws}
        return {word: k for k, word in enumerate(sorted(words))}

    @cached_property
    def rarity(self) -> np.ndarray:
        """Weight of each stem over the names of all classes, by `column_rarity`."""
        return column_rarity(*(self.bags(side.all_words) for side in (self.source, self.target)))

    @cached_property
    def labels(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Bags of the labels of both."""
        return self.bags(self.source.words), self.bags(self.target.words)

    def bags(self, words: Sequence[Sequence[str]]) -> sparse.csr_array:
        """Row i has ones at the stems of entry i."""
        columns = [[self.vocabulary[w] for w in ws if w in self.vocabulary] for ws in words]
        return incidence_matrix(columns, len(self.vocabulary))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Candidates: row k is the pair of classes `rows[k]`.

    Attributes
    ----------
    source, target : Side
    rows : ndarray of shape (n, 2)
        Positions of the classes of both ontologies, in lexical order, each pair once.
    known_terms : Terms, optional
        Of both sides, if they are at hand.
    """

    source: Side
    target: Side
    rows: np.ndarray
    known_terms: Terms | None = None

    @property
    def sides(self) -> tuple[Side, Side]:
        """Source and target."""
        return self.source, self.target

    @cached_property
    def terms(self) -> Terms:
        """Words of both."""
        return self.known_terms or Terms(self.source, self.target)

    def __len__(self) -> int:
        return len(self.rows)

    def subset(self, at: np.ndarray) -> Pairs:
        """Some of the pairs, by rising positions."""
        return Pairs(self.source, self.target, self.rows[at], self.terms)

    @cached_property
    def keys(self) -> np.ndarray:
        """A number for each pair, rising."""
        return self._keys(self.rows)

    def find(self, rows: np.ndarray) -> np.ndarray:
        """Where pairs of classes stand among these; -1 for one that is not there."""
        keys = self._keys(rows)
        at = np.searchsorted(self.keys, keys)
        there = at < len(self)
        there[there] = self.keys[at[there]] == keys[there]
        return np.where(there, at, -1)

    def _keys(self, rows: np.ndarray) -> np.ndarray:
        return rows[:, 0].astype(np.int64) * max(len(self.target.ontology), 1) + rows[:, 1]

    def once(self, of: Callable[[Pairs], T]) -> T:
        """What a function gives of these pairs, computed once; not to be changed."""
        if of not in self._values:
            self._values[of] = of(self)
        return self._values[of]

    @cached_property
    def _values(self) -> dict[Callable, Any]:
        return {}

    @cached_property
    def combinations(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every name of the one class beside every name of the other, as `combine_sides` gives
        them.
        """
        counts = [np.array([len(n) for n in s.names]) for s in self.sides]
        return combine_sides(self.rows, *counts)

    def best(self, values: np.ndarray) -> np.ndarray:
        """The best of each pair's combinations of names; missing without one."""
        return best_of(len(self), self.combinations[0], values)


def best_of(n: int, pair: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The best value of each of n pairs; missing without one."""
    found = np.full(n, -np.inf, dtype=np.float32)
    np.maximum.at(found, pair, values.astype(np.float32, copy=False))
    return np.where(np.isneginf(found), np.float32(np.nan), found)


def work_blocks(work: np.ndarray) -> Iterator[slice]:
    """Rows in order, a few at a time: so many that their work is no more than `BLOCK_NUMBERS`, or
    one.

    Examples
    --------
    >>> list(work_blocks(np.array([3_000_000, 1_000_000, 1, 9_000_000])))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    done = np.concatenate([[0], np.cumsum(work, dtype=np.int64)])
    start = 0
    while start < len(work):
        end = int(np.searchsorted(done, done[start] + BLOCK_NUMBERS, side="right")) - 1
        yield slice(start, start := max(end, start + 1))


def combine_sides(
    rows: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Everything that one class has beside everything that the other has.

    Parameters
    ----------
    rows : ndarray of shape (n, 2)
    first, second : ndarray of int
        How many things each class of the source and of the target has.

    Returns
    -------
    pair, a, b : ndarrays of shape (N,)
        The pair, and the two things; these count on through the classes of an ontology.

    Examples
    --------
    >>> combine_sides(np.array([[0, 0], [1, 0]]), np.array([1, 2]), np.array([1]))
    (array([0, 1, 1]), array([0, 1, 2]), array([0, 0, 0]))
    """
    first, second = (np.asarray(c, dtype=np.int64) for c in (first, second))
    starts = [np.concatenate([[0], np.cumsum(c)]) for c in (first, second)]
    i, j = rows.T
    width = second[j]
    total = first[i] * width
    pair = np.repeat(np.arange(len(rows)), total)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(total) - total, total)
    return (
        pair,
        starts[0][i[pair]] + within // width[pair],
        starts[1][j[pair]] + within % width[pair],
    )


def incidence_matrix(columns: Sequence[Sequence[int]], width: int) -> sparse.csr_array:
    """Ones at the columns of each row, each once."""
    lengths = [len(c) for c in columns]
    indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    indices = np.fromiter((k for row in columns for k in row), np.int64, int(indptr[-1]))
    found = sparse.csr_array(
        (np.ones(len(indices), dtype=np.float32), indices, indptr), shape=(len(columns), width)
    )
    found.sum_duplicates()
    found.data[:] = 1
    return found


def column_rarity(a: sparse.csr_array, b: sparse.csr_array) -> np.ndarray:
    """Weight of each column: its inverse document frequency over the rows of both, 0 to 1.

    About 1 for a word of one class, near 0 for one that stands everywhere.
    """
    n = sum(np.count_nonzero(np.diff(bag.indptr)) for bag in (a, b))
    counts = np.asarray(a.sum(axis=0) + b.sum(axis=0)).ravel()
    return np.log((n + 2) / (counts + 1)) / np.log(n + 2)


def bags_of(
    first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Rows of ones at the words of each entry; the columns are the words of both lists."""
    words = sorted({word for entries in (first, second) for entry in entries for word in entry})
    at = {word: k for k, word in enumerate(words)}
    a, b = (
        incidence_matrix([[at[word] for word in entry] for entry in entries], len(at))
        for entries in (first, second)
    )
    return a, b


def ratio_or_nan(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a / b, NaN where b is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b > 0, a / b, np.nan).astype(np.float32)


def row_products(a: sparse.csr_array, b: sparse.csr_array, rows: np.ndarray) -> np.ndarray:
    """Inner products of row i of `a` and row j of `b` for each pair (i, j), in blocks."""
    found = np.empty(len(rows), dtype=np.float32)
    size = [np.diff(bag.indptr)[rows[:, side]] for side, bag in enumerate((a, b))]
    for block in work_blocks(size[0] + size[1]):
        i, j = rows[block].T
        found[block] = a[i].multiply(b[j]).sum(axis=1)
    return found

"""One walk over a table: what each column holds, and products that copies and components need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.streams import generator
from ..data.dataset import Dataset
from ..data.walks import block_width
from ..kernels.unit_columns import unit_columns
from .near_copies import N_DIMENSIONS

MOST_ROWS = 3000  # samples of the products: more are thinned evenly


@dataclass(frozen=True)
class ColumnFacts:
    """What the p columns hold; of categories, their codes.

    Attributes
    ----------
    low, high, mean, sd : ndarray of shape (p,)
        NaN of a column without values; `sd` is NaN of one value.
    missing : ndarray of shape (p,) of int64
    missing_by_class : ndarray of shape (p, C) of int64
    integer, two : ndarray of shape (p,) of bool
        Whole numbers only; exactly two values.
    numeric : ndarray of shape (p,) of bool
        No categories.
    """

    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    missing: np.ndarray
    missing_by_class: np.ndarray
    integer: np.ndarray
    two: np.ndarray
    numeric: np.ndarray

    @property
    def empty(self) -> np.ndarray:
        """Without any value."""
        return np.isnan(self.low)

    @property
    def constant(self) -> np.ndarray:
        """Of one value."""
        return np.asarray(self.low == self.high)

    @property
    def varying(self) -> np.ndarray:
        """Of several values."""
        return np.asarray(self.low < self.high)


@dataclass(frozen=True)
class Walked:
    """What one walk gives.

    Attributes
    ----------
    facts : ColumnFacts
    sample_missing : ndarray of shape (n,) of int64
    sketch : ndarray of shape (p, DIMENSIONS)
        Random projections of the standardised columns (`near_copies`); 0 of categories.
    rows : ndarray of shape (m,)
        Samples of the products.
    products : ndarray of shape (m, m)
        Of these samples, over standardised numeric features.
    used : int
        Features that they are of.
    """

    facts: ColumnFacts
    sample_missing: np.ndarray
    sketch: np.ndarray
    rows: np.ndarray
    products: np.ndarray
    used: int


def walk_columns(data: Dataset) -> Walked:
    """Look at every block of columns once."""
    n, p = data.shape
    rows = np.arange(n)
    if n > MOST_ROWS:
        rows = np.unique(np.linspace(0, n - 1, MOST_ROWS).astype(np.int64))
    numeric, ranked = np.ones(p, bool), np.zeros(p, bool)
    numeric[[*data.levels]] = False
    ranked[data.ranked] = True
    classes = _class_members(data)
    low, high, mean, sd = np.full((4, p), np.nan)
    integer, two = np.zeros((2, p), bool)
    gone_of = np.zeros((p, len(classes)), np.int64)
    facts = ColumnFacts(low, high, mean, sd, np.zeros(p, np.int64), gone_of, integer, two, numeric)
    signs = generator(0, "look", "sketch").normal(size=(N_DIMENSIONS, n)) / np.sqrt(N_DIMENSIONS)
    sketch, products = np.zeros((p, N_DIMENSIONS)), np.zeros((len(rows), len(rows)))
    sample_missing, used = np.zeros(n, np.int64), 0
    for start, block in data.walk(width=block_width(n)):
        at = slice(start, start + block.shape[1])
        gone = np.isnan(block)
        _fill_facts(facts, at, block, gone)
        if gone.any():
            sample_missing += gone.sum(axis=1)
            facts.missing_by_class[at] = np.rint(classes @ gone.astype(float)).T
        at_hand = numeric[at]
        own = unit_columns(block if at_hand.all() else block[:, at_hand])
        sketch[np.flatnonzero(at_hand) + start] = (signs @ own).T
        if len(rows) < n:
            own = unit_columns(block[np.ix_(rows, at_hand)])
        chosen = ranked[at][at_hand]
        if not chosen.all():
            own = own[:, chosen]
        used += int(own.any(axis=0).sum())
        products += own @ own.T
        del block, own  # before the next is made
    return Walked(facts, sample_missing, sketch, rows, products, used)


def _class_members(data: Dataset) -> np.ndarray:
    """Who is of which class (C, n), as numbers."""
    if data.y is None:
        return np.zeros((0, data.shape[0]))
    return (np.arange(len(data.classes))[:, None] == data.codes).astype(float)


def _fill_facts(facts: ColumnFacts, at: slice, block: np.ndarray, gone: np.ndarray) -> None:
    """What the columns of a block hold."""
    n = len(block)
    missing = gone.sum(axis=0)
    there = n - missing
    low, high = np.fmin.reduce(block, axis=0), np.fmax.reduce(block, axis=0)
    facts.low[at], facts.high[at], facts.missing[at] = low, high, missing
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        filled = np.where(gone, 0.0, block) if missing.any() else block
        mean = filled.sum(axis=0) / there
        apart = np.where(gone, 0.0, block - mean) if missing.any() else block - mean
        squares = np.einsum("ij,ij->j", apart, apart)
        facts.mean[at] = mean
        facts.sd[at] = np.sqrt(np.where(there > 1, squares / (there - 1.0), np.nan))
        facts.integer[at] = ((np.floor(block) == block) | gone).all(axis=0) & (there > 0)
    facts.two[at] = ((block == low) | (block == high) | gone).all(axis=0) & (low < high)

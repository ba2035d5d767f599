"""The matrix that rankers and classifiers see: categories spread out, covariates set apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data.dataset import Dataset
from .splits import Labels


@dataclass(frozen=True)
class Design:
    """A `Dataset` as numbers.

    A category of two levels is one 0/1 column, one of more levels a column for each; levels
    are declared, so nothing is learnt here. A missing category is missing in all of them.

    Attributes
    ----------
    X : ndarray of shape (n, P), float64, C order
        Columns of the features that selection may choose from.
    owner : ndarray of shape (P,)
        The feature (column of the Dataset) behind each column of X.
    Z : ndarray of shape (n, q)
        Columns of the covariates, part of every model.
    incomplete, incomplete_z : ndarray
        Columns of X and Z with a missing value.
    order : ndarray of shape (P, n) or None
        Row indices sorted by value, for rankers that use them.
    raw : ndarray of shape (n, n_features) or None
        The features as they are, categories as codes, missing as NaN; only with categories.
    discrete : ndarray of shape (n_features,) or None
        Which of `raw` are categories.
    labels : Labels
    """

    X: np.ndarray
    owner: np.ndarray
    Z: np.ndarray
    incomplete: np.ndarray
    incomplete_z: np.ndarray
    labels: Labels
    order: np.ndarray | None = None
    raw: np.ndarray | None = None
    discrete: np.ndarray | None = None

    @cached_property
    def features(self) -> np.ndarray:
        """Features (Dataset columns) that selection may choose from."""
        return np.unique(self.owner)

    @property
    def plain(self) -> bool:
        """Whether every feature is one column."""
        return len(self.features) == len(self.owner)

    def columns_of(self, features: np.ndarray) -> np.ndarray:
        """Columns of X of some features (Dataset columns), in their order."""
        starts = np.searchsorted(self.owner, features, side="left")
        stops = np.searchsorted(self.owner, features, side="right")
        ranges = [np.arange(a, b) for a, b in zip(starts, stops, strict=True)]
        return np.concatenate(ranges) if ranges else np.zeros(0, dtype=np.int64)


def spread(data: Dataset, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numeric columns (n, P) of some Dataset columns, and the Dataset column behind each."""
    if not any(int(j) in data.levels for j in columns):
        whole = len(columns) == data.shape[1]
        X = data.X if whole else data.X[:, columns]
        return np.ascontiguousarray(X, dtype=np.float64), np.asarray(columns)
    blocks, owner = [], []
    for j in columns:
        values = data.X[:, j]
        levels = data.levels.get(int(j), ())
        codes = range(1, 2) if len(levels) == 2 else range(len(levels))
        block = [values] if not levels else [_indicator(values, code) for code in codes]
        blocks += block
        owner += [int(j)] * len(block)
    stacked = np.column_stack(blocks) if blocks else np.zeros((data.shape[0], 0))
    return np.ascontiguousarray(stacked), np.array(owner, dtype=np.int64)


def _indicator(values: np.ndarray, code: int) -> np.ndarray:
    return np.where(np.isnan(values), np.nan, (values == code).astype(float))


def build(data: Dataset, presort: bool = False) -> Design:
    """The design of a data set; `presort` also sorts every column once."""
    X, owner = spread(data, data.ranked)
    Z, _ = spread(data, np.asarray(data.covariates, dtype=np.int64))
    incomplete = np.flatnonzero(np.isnan(X).any(axis=0))
    order = None
    if presort:
        from ..kernels.wasserstein import sort_columns

        filled = X
        if len(incomplete):
            filled = X.copy()
            filled[:, incomplete] = 0.0
        order = sort_columns(filled)
    labels = Labels(data.codes, data.classes, data.groups, data.split)
    raw = discrete = None
    if any(int(j) in data.levels for j in data.ranked):
        raw = np.ascontiguousarray(data.X[:, data.ranked])
        discrete = np.array([int(j) in data.levels for j in data.ranked])
    holes = np.flatnonzero(np.isnan(Z).any(axis=0))
    return Design(X, owner, Z, incomplete, holes, labels, order, raw, discrete)

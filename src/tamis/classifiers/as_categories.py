"""A classifier that sees columns of few values as unordered categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._core.arrays import checked_integers, fitting_arrays
from .._core.interfaces import Arrays, Beliefs, Predictor
from .base.by_size import beliefs_by_size
from .base.scaling import AroundClassifier, fit_in_units, from_arrays, inner_arrays, of_inside
from .base.seen_levels import NUMERIC_CODE, SeenLevels

SPREAD_KEY = "spread"


class SeenValues(SeenLevels):
    """The same of columns whose categories are any numbers."""

    whole_codes = False

    @classmethod
    def up_to(cls, most: int, X: np.ndarray, others: Mapping[int, int]) -> SeenValues:
        """Of columns with that many values at most, `others` apart."""
        distinct = [len(np.unique(column[~np.isnan(column)])) for column in X.T]
        return cls.of(X, [j for j, n in enumerate(distinct) if n <= most and j not in others])

    @property
    def width(self) -> int:
        """Columns that `spread` gives."""
        return int(self.widths.sum())

    @property
    def widths(self) -> np.ndarray:
        """How many of them each column gives (k,)."""
        return np.where(self.counts == NUMERIC_CODE, 1, self.counts)

    def spread(self, X: np.ndarray) -> np.ndarray:
        """Rows X (m, k) with a 0/1 column for each value, all 0 for one not seen."""
        known = dict(self._by_column())
        blocks = [
            (X[:, [j]] == known[j]).astype(np.float64) if j in known else X[:, [j]]
            for j in range(X.shape[1])
        ]
        return np.hstack(blocks)


@dataclass(frozen=True)
class CategoriesPredictor:
    """A predictor of rows whose values are categories: 0/1 columns, or codes."""

    of: Predictor
    seen: SeenValues
    spread: bool

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return self.of.beliefs(self.seen.spread(X) if self.spread else self.seen.coded(X))

    def to_arrays(self) -> Arrays:
        """The values, how they are shown, and what is inside."""
        how = {SPREAD_KEY: np.array([float(self.spread)])}
        return {**self.seen.to_arrays(), **how, **inner_arrays(self.of)}


@dataclass(frozen=True)
class AsCategories(AroundClassifier):
    """Fits another classifier on columns as categories, those of more than `most` values apart.

    Values are those of the training rows. One that takes tables as they are is given the columns
    of categories, and a value that training has not seen is missing to it; any other gets a 0/1
    column for each value, of which one not seen has none.

    Examples
    --------
    >>> from tamis.classifiers.as_categories import AsCategories
    >>> from tamis.classifiers.naive_bayes import NaiveBayes
    >>> X = np.array([[0.0], [1.0], [2.0]] * 10)  # copies of an allele: heterozygotes are ill
    >>> y = (X[:, 0] == 1).astype(int)
    >>> fitted = AsCategories(NaiveBayes()).fit(X, y, 2, seed=0)
    >>> fitted.beliefs(np.array([[0.0], [1.0], [2.0]])).proba.round(2)[:, 1].tolist()
    [0.0, 1.0, 0.0]
    """

    most: int = 10

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> CategoriesPredictor:
        """One fit; weights are for what is inside."""
        seen, spread = SeenValues.up_to(self.most, X, levels or {}), levels is None
        if levels is not None:
            few = np.flatnonzero(seen.counts != NUMERIC_CODE)
            levels = {**levels, **{int(j): int(seen.counts[j]) for j in few}}
        shown = seen.spread(X) if spread else seen.coded(X)
        fitted = fit_in_units(self.of, shown, y, n_classes, seed, levels, weights)
        return CategoriesPredictor(fitted, seen, spread)

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For every size, from one table of 0/1 columns."""
        seen = SeenValues.up_to(self.most, X, {})
        ends = np.cumsum(seen.widths)[np.asarray(sizes) - 1].tolist()
        return beliefs_by_size(self.of, seen.spread(X), y, n_classes, seen.spread(test), ends, seed)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> CategoriesPredictor:
        """The values seen, and what is inside on as many columns as they make."""
        seen = SeenValues.from_arrays(arrays, n_columns)
        (how,) = fitting_arrays(arrays, **{SPREAD_KEY: (1,)})
        spread = bool(checked_integers(how, 0, 2, SPREAD_KEY)[0])
        width = seen.width if spread else n_columns
        found = from_arrays(self.of, of_inside(arrays), width, n_classes)
        return CategoriesPredictor(found, seen, spread)

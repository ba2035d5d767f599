"""Forests that choose among features by weight: columns of a table as often as they count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.streams import generator, random_state

FEWEST = 1000  # columns of a table whose features have weights: with fewer, shares are coarse
MOST_CELLS = 25_000_000  # for the sake of which a table is made wider than its features


def systematic_draws(weights: np.ndarray, m: int, rng: np.random.Generator) -> np.ndarray:
    """m places, rising, each as often as its share of the weights says, up to less than one."""
    ends = np.cumsum(weights, dtype=np.float64)
    points = (rng.random() + np.arange(m)) / m * ends[-1]
    places = np.searchsorted(ends, points, side="right")
    return np.minimum(places, np.flatnonzero(weights)[-1])  # a point may be rounded up to the end


def columns_by_weight(weights: np.ndarray, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """Columns of a table in which each feature has its share, (m,), rising.

    Every feature once if they all have the same weight.
    """
    p = len(weights)
    if (weights == weights[0]).all():
        return np.arange(p)
    wide = min(FEWEST, MOST_CELLS // n_rows)
    return systematic_draws(weights, max(p, wide), rng)


@dataclass(frozen=True)
class WeightedForest:
    """A fitted forest of scikit-learn's, and the feature that each column of its table is."""

    forest: Any
    columns: np.ndarray

    def importances(self, n_features: int) -> np.ndarray:
        """Mean decrease in impurity, summed over the columns of each feature (p,)."""
        found = self.forest.feature_importances_
        return np.bincount(self.columns, weights=found, minlength=n_features)


@dataclass(frozen=True)
class ForestSettings:
    """What every forest of a fit has in common; `tried` features at a split, of all p."""

    n_estimators: int
    tried: int
    n_jobs: int | None
    seed: int


def fit_forest(
    X: np.ndarray, codes: np.ndarray, weights: np.ndarray, settings: ForestSettings, *key: object
) -> WeightedForest:
    """A forest on the rows of X (float32), features by weight; `key` names its random numbers."""
    from sklearn.ensemble import RandomForestClassifier

    rng = generator(settings.seed, "iterative forest", "columns", *key)
    columns = columns_by_weight(weights, len(X), rng)
    every = settings.tried >= X.shape[1]
    forest = RandomForestClassifier(
        settings.n_estimators,
        max_features=None if every else settings.tried,
        random_state=random_state(settings.seed, "iterative forest", "trees", *key),
        n_jobs=settings.n_jobs,
    )
    same = np.array_equal(columns, np.arange(X.shape[1]))
    forest.fit(X if same else X[:, columns], codes)
    forest.set_params(n_jobs=None)  # sums of threads differ in their last bits
    return WeightedForest(forest, columns)


def iterate_forests(
    X: np.ndarray, codes: np.ndarray, settings: ForestSettings, n: int
) -> tuple[WeightedForest, np.ndarray]:
    """The last of n forests, each by the importances of the one before, and all weights (n, p).

    Where a forest finds nothing to split, the weights stay.
    """
    p = X.shape[1]
    weights = np.full((n, p), 1 / p)
    fitted = fit_forest(X, codes, weights[0], settings, 0)
    for k in range(1, n):
        found = fitted.importances(p)
        total = found.sum()
        weights[k] = found / total if total > 0 else weights[k - 1]
        fitted = fit_forest(X, codes, weights[k], settings, k)
    return fitted, weights

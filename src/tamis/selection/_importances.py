"""What a fitted estimator makes of each column: squared coefficients, or importances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Part, Ranker, Ranking, Seeds
from .._core.own_checks import refuse_regression
from .._core.own_code import Own, running_own_code
from ._orders import nested_ranking


def standardised_columns(X: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and standard deviation 1; constant ones are 0."""
    scale = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(scale > 0, scale, 1.0)


def column_weights(own: Own, X: np.ndarray, y: np.ndarray, stream: Seeds) -> np.ndarray:
    """Weights (p,) of a copy of an estimator fitted to X (n, p): the sum of the squares of its
    ``coef_`` over classes, or its ``feature_importances_``; of a pipeline those of its last step.

    Raises
    ------
    PlanError
        It has neither.
    """
    one = own.made({}, stream)
    if y.max() > 1:
        refuse_regression(own, one)
    with running_own_code(own, "be fitted"):
        fitted = one.fit(X.copy(), y.copy())
        fitted = one if fitted is None else fitted
        last = fitted.steps[-1][1] if hasattr(fitted, "steps") else fitted
        weights = getattr(last, "coef_", None)
        if weights is not None:
            weights = weights.toarray() if hasattr(weights, "toarray") else np.asarray(weights)
            weights = (np.asarray(weights, dtype=np.float64) ** 2).reshape(-1, weights.shape[-1])
            weights = weights.sum(axis=0)
        else:
            weights = getattr(last, "feature_importances_", None)
    if weights is None or np.shape(weights) != (X.shape[1],):
        raise PlanError(
            f"{own.short} has no `coef_` or `feature_importances_` of {X.shape[1]} columns: give "
            "an estimator that has one of them"
        )
    return np.asarray(weights, dtype=np.float64)


class ImportanceRanker(Ranker):
    """Ranks standardised columns by `column_weights`; those of weight 0 are never selected.

    Parameters
    ----------
    estimator : object with ``fit``
    """

    def __init__(self, estimator: Any):
        self.own = Own(type(estimator).__name__, estimator)

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """The ranking of one training set."""
        weights = column_weights(self.own, standardised_columns(part.X), part.y, stream)
        return nested_ranking(np.where(weights > 0, weights, -np.inf), sizes)

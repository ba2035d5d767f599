"""Logistic regression with a ridge penalty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Classifier, ScaledParts
from .base.linear_predictor import LinearPredictor, beliefs_of
from .base.scaling import equal_prior

LOG_ODDS_VARIANCE = 5.0  # under the analytic prior, whatever the number of columns


@dataclass(frozen=True)
class RidgeLogistic(Classifier):
    """On standardised columns, with the minimum that scikit-learn's has.

    Attributes
    ----------
    C : float or "analytic"
        Variance of the normal prior of a coefficient. "analytic": 5 / k for k columns, so that
        the log odds of a sample have the same prior whatever k; 0.1 for 50 columns.
    class_weight : "none" or "balanced"
        "balanced": every class counts the same.
    """

    C: float | str = 0.1
    class_weight: str = "none"
    scaled = True
    by_columns = True
    draws = False

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Equal with balanced weights."""
        return equal_prior(counts) if self.class_weight == "balanced" else None

    def with_shares(self) -> RidgeLogistic:
        """Without balanced weights."""
        return replace(self, class_weight="none")

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        weights: np.ndarray | None = None,
    ) -> LinearPredictor:
        """Coefficients by Newton steps, on all columns."""
        return self._fitted(X, y, n_classes, [X.shape[1]], weights)[0]

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For the leading columns of every size."""
        found = self._fitted(X, y, n_classes, sizes, None)
        scores = [
            test[:, :k] @ one.coef.T + one.intercept for one, k in zip(found, sizes, strict=True)
        ]
        return beliefs_of(scores)

    def beliefs_of_parts(self, parts: ScaledParts, sizes: Sequence[int]) -> list[Beliefs]:
        """From one compiled call."""
        from ..kernels.ridge_logistic import ridge_logistic_of_parts

        coef, intercept = ridge_logistic_of_parts(
            parts.train,
            parts.ends,
            np.concatenate(parts.codes),
            np.concatenate([self._weights(y, None) for y in parts.codes]),
            parts.n_classes,
            sizes,
            [self._penalty(k) for k in sizes],
        )
        scores = np.empty((len(sizes), len(parts.test), coef.shape[2]))
        for part, (start, stop) in enumerate(pairwise(parts.test_ends.tolist())):
            test = parts.test[start:stop]
            for at, k in enumerate(sizes):
                scores[at, start:stop] = test[:, :k] @ coef[part, at, :, :k].T + intercept[part, at]
        return beliefs_of(scores)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> LinearPredictor:
        """As of the predictor."""
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

    def _fitted(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        sizes: Sequence[int],
        weights: np.ndarray | None,
    ) -> list[LinearPredictor]:
        """On the leading columns of each size."""
        from ..kernels.ridge_logistic import WIDE_RATIO, ridge_logistic

        if not X.flags.f_contiguous or sizes[0] <= WIDE_RATIO * len(X):
            X = np.ascontiguousarray(X, dtype=np.float64)
        found = ridge_logistic(
            X,
            y,
            self._weights(y, weights),
            n_classes,
            sizes,
            [self._penalty(k) for k in sizes],
        )
        return [LinearPredictor(coef, intercept) for coef, intercept in found]

    def _penalty(self, k: int) -> float:
        return LOG_ODDS_VARIANCE / k if isinstance(self.C, str) else self.C

    def _weights(self, y: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
        """Of the rows; balanced, they have the same sum in every class."""
        own = np.ones(len(y)) if weights is None else weights
        if self.class_weight != "balanced":
            return own
        totals = np.bincount(y, own)
        share = totals.sum() / np.count_nonzero(totals)
        return own * np.divide(share, totals, out=np.zeros(len(totals)), where=totals > 0)[y]

"""Linear discriminant analysis: every size of a ranking from one Cholesky factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Classifier, Predictor
from ..kernels.lda_path import lda_path
from ..kernels.units import column_units, in_units
from .base.linear_predictor import LinearPredictor
from .base.scaling import FAR, equal_prior
from .naive_bayes import NAMES, GaussianPredictor


@dataclass(frozen=True)
class DiscriminantAnalysis(Classifier):
    """LDA with class shares, or equal numbers, as priors."""

    priors: str = "empirical"

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> Predictor:
        """By scikit-learn's rank-revealing solver; see `_estimator` for perfect columns."""
        found = self._estimator(X, y, n_classes).fit(X, y)
        if hasattr(found, "theta_"):
            return GaussianPredictor.of(found)
        return LinearPredictor(np.atleast_2d(found.coef_), np.atleast_1d(found.intercept_))

    def beliefs_by_size(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, test: np.ndarray, sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:  # fmt: skip
        """For the leading columns of the sizes that the factor can serve.

        A size whose covariance is nearly singular is left to `fit`, the definition both share.
        """
        if not sizes or sizes[0] == 0:
            return []
        priors = self._priors(n_classes)
        if priors is None:
            priors = np.bincount(y, minlength=n_classes) / len(y)
        units = column_units(X)
        near = np.clip(in_units(test, units), -FAR, FAR)
        proba, sound = lda_path(in_units(X, units), y, near, sizes, priors)
        return [Beliefs(p) for p in proba[:sound]]

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Equal, if it is told so."""
        return equal_prior(counts) if self.priors == "equal" else None

    def with_shares(self) -> DiscriminantAnalysis:
        """Without equal priors."""
        return replace(self, priors="empirical")

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """A linear function, or the nearest mean where nothing varied within the classes."""
        kind = GaussianPredictor if set(NAMES) <= set(arrays) else LinearPredictor
        return kind.from_arrays(arrays, n_columns, n_classes)

    def _priors(self, n_classes: int) -> np.ndarray | None:
        return np.full(n_classes, 1 / n_classes) if self.priors == "equal" else None

    def _estimator(self, X: np.ndarray, y: np.ndarray, n_classes: int) -> Any:
        """LDA where columns may separate the classes without any spread inside them.

        scikit-learn's solver drops such columns, the best there are. A shrinkage of a millionth
        gives them a tiny variance instead; where no column has any spread within the classes
        there is no scale to take it from, and Gaussian naive Bayes (the nearest class mean)
        decides.
        """
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        priors = self._priors(n_classes)
        within = np.zeros(X.shape[1], dtype=bool)
        for c in np.unique(y):
            rows = X[y == c]
            within |= (rows[:1] != rows).any(axis=0)
        perfect = ~within & (X[:1] != X).any(axis=0)
        if not perfect.any():
            return LinearDiscriminantAnalysis(priors=priors)
        if within.any():
            return LinearDiscriminantAnalysis(solver="lsqr", shrinkage=1e-6, priors=priors)
        from sklearn.naive_bayes import GaussianNB

        return GaussianNB(priors=priors)

"""Linear discriminant analysis: every size of a ranking from one Cholesky factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._core.interfaces import Arrays, Beliefs, Classifier, Predictor
from ..kernels.lda_path import lda_path
from ..kernels.linear_discriminant import linear_discriminant
from ..kernels.naive_bayes import class_gaussians
from ..kernels.within_classes import log_odds
from .base.linear_predictor import LinearPredictor
from .base.scaling import MAX_STANDARDISED, equal_prior
from .naive_bayes import ARRAY_NAMES, GaussianPredictor

NEAREST_MEAN = 1e-9  # of the largest variance: what classes without spread get


@dataclass(frozen=True)
class DiscriminantAnalysis(Classifier):
    """LDA with class shares, or equal numbers, as priors."""

    priors: str = "empirical"
    draws = False

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> Predictor:
        """Directions without spread are dropped, but where columns separate the classes perfectly.

        Those are the best there are. A shrinkage of a millionth gives them a tiny variance; where
        no column has any spread within the classes there is no scale to take it from, and Gaussian
        naive Bayes (the nearest class mean) decides.
        """
        priors = self._priors(y, n_classes)
        within = np.zeros(X.shape[1], dtype=bool)
        for c in range(n_classes):
            rows = X[y == c]
            within |= (rows[:1] != rows).any(axis=0)
        perfect = ~within & (X[:1] != X).any(axis=0)
        if not perfect.any():
            return LinearPredictor(*log_odds(*linear_discriminant(X, y, priors)))
        if not within.any():
            return GaussianPredictor.of(class_gaussians(X, y, n_classes), NEAREST_MEAN, priors)
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        found = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=1e-6, priors=priors).fit(X, y)
        return LinearPredictor(found.coef_, found.intercept_)

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For the leading columns of the sizes that the factor can serve.

        A size whose covariance is nearly singular is left to `fit`.
        """
        priors = self._priors(y, n_classes)
        proba, sound = lda_path(
            X, y, np.clip(test, -MAX_STANDARDISED, MAX_STANDARDISED), sizes, priors
        )
        return [Beliefs(p) for p in proba[:sound]]

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """Equal, if `priors` is "equal"."""
        return equal_prior(counts) if self.priors == "equal" else None

    def with_shares(self) -> DiscriminantAnalysis:
        """Without equal priors."""
        return replace(self, priors="empirical")

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """A linear function, or the nearest mean where nothing varied within the classes."""
        kind = GaussianPredictor if set(ARRAY_NAMES) <= set(arrays) else LinearPredictor
        return kind.from_arrays(arrays, n_columns, n_classes)

    def _priors(self, y: np.ndarray, n_classes: int) -> np.ndarray:
        """Class probabilities (C,)."""
        if self.priors == "equal":
            return np.full(n_classes, 1 / n_classes)
        return np.bincount(y, minlength=n_classes) / len(y)

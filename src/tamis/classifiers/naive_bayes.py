"""Gaussian naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from .._core.arrays import distributions, fitting, unfit
from .._core.interfaces import Arrays, Beliefs, Classifier
from .base.scaling import FAR

NAMES = ("means", "variances", "priors")


@dataclass(frozen=True)
class GaussianPredictor:
    """log prior_c - 1/2 sum_j [log 2 pi v_cj + (x_j - m_cj)^2 / v_cj], and its softmax."""

    means: np.ndarray
    variances: np.ndarray
    priors: np.ndarray

    @classmethod
    def of(cls, fitted: Any) -> GaussianPredictor:
        """From a fitted `GaussianNB`."""
        return cls(fitted.theta_, fitted.var_, fitted.class_prior_)

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        X = np.clip(X, -FAR, FAR)
        scores = np.empty((len(X), len(self.priors)))
        for c, (mean, variance) in enumerate(zip(self.means, self.variances, strict=True)):
            constant = np.log(self.priors[c]) - 0.5 * np.log(2 * np.pi * variance).sum()
            scores[:, c] = constant - 0.5 * ((X - mean) ** 2 / variance).sum(axis=1)
        return Beliefs(np.exp(scores - logsumexp(scores, axis=1, keepdims=True)))

    def to_arrays(self) -> Arrays:
        """Means, variances and priors of the classes."""
        return {name: getattr(self, name) for name in NAMES}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> GaussianPredictor:
        """From means, variances and priors."""
        shape = (n_classes, n_columns)
        means, variances, priors = fitting(
            arrays, means=shape, variances=shape, priors=(n_classes,)
        )
        if not ((variances > 0).all() and (priors > 0).all()):
            raise unfit("variances")
        return cls(means, variances, distributions(priors, "priors"))


@dataclass(frozen=True)
class NaiveBayes(Classifier):
    """scikit-learn's, which widens every column by a share of the largest variance."""

    var_smoothing: float = 1e-9
    one_unit = True

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        weights: np.ndarray | None = None,
    ) -> GaussianPredictor:  # fmt: skip
        """Class means and variances."""
        from sklearn.naive_bayes import GaussianNB

        return GaussianPredictor.of(GaussianNB(var_smoothing=self.var_smoothing).fit(X, y, weights))

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> GaussianPredictor:
        """As of the predictor."""
        return GaussianPredictor.from_arrays(arrays, n_columns, n_classes)

"""Gaussian naive Bayes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from .._core.arrays import checked_distributions, fitting_arrays, unfit_part_error
from .._core.interfaces import Arrays, Beliefs, Classifier
from ..kernels.naive_bayes import ClassGaussians, class_gaussians, log_densities
from ..kernels.recalibration_slopes import softmax_shares
from .base.scaling import MAX_STANDARDISED

ARRAY_NAMES = ("means", "variances", "priors")


@dataclass(frozen=True)
class GaussianPredictor:
    """log prior_c - 1/2 sum_j [log 2 pi v_cj + (x_j - m_cj)^2 / v_cj], and its softmax."""

    means: np.ndarray
    variances: np.ndarray
    priors: np.ndarray

    @classmethod
    def of(
        cls, found: ClassGaussians, smoothing: float, priors: np.ndarray | None = None
    ) -> GaussianPredictor:
        """Variances wider by a share of the largest of all rows; the priors are class shares."""
        wider = found.variances + smoothing * found.total.max()
        return cls(
            found.means, wider, found.counts / found.counts.sum() if priors is None else priors
        )

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return self.by_size(X, [X.shape[1]])[0]

    def by_size(self, X: np.ndarray, sizes: Sequence[int]) -> list[Beliefs]:
        """By the leading columns of each size."""
        X = np.clip(X, -MAX_STANDARDISED, MAX_STANDARDISED)
        scores = log_densities(X, self.means, self.variances, self.priors, sizes)
        return [Beliefs(of_size) for of_size in softmax_shares(scores)]

    def to_arrays(self) -> Arrays:
        """Means, variances and priors of the classes."""
        return {name: getattr(self, name) for name in ARRAY_NAMES}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> GaussianPredictor:
        """From means, variances and priors."""
        shape = (n_classes, n_columns)
        means, variances, priors = fitting_arrays(
            arrays, means=shape, variances=shape, priors=(n_classes,)
        )
        if not ((variances > 0).all() and (priors > 0).all()):
            raise unfit_part_error("variances")
        return cls(means, variances, checked_distributions(priors, "priors"))


@dataclass(frozen=True)
class NaiveBayes(Classifier):
    """As scikit-learn's, which widens every column by a share of the largest variance."""

    var_smoothing: float = 1e-9
    one_unit = True
    draws = False

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        weights: np.ndarray | None = None,
    ) -> GaussianPredictor:
        """Class means and variances."""
        return GaussianPredictor.of(class_gaussians(X, y, n_classes, weights), self.var_smoothing)

    def beliefs_by_size(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        test: np.ndarray,
        sizes: Sequence[int],
        seed: int,
    ) -> list[Beliefs]:
        """For every size, from the moments of all columns: how much they are widened by changes
        where a wider column comes in."""
        moments, found = class_gaussians(X, y, n_classes), []
        widest = np.maximum.accumulate(moments.total)
        for _, some in groupby(sizes, key=lambda k: widest[k - 1]):
            same = list(some)
            model = GaussianPredictor.of(moments.leading(same[-1]), self.var_smoothing)
            found += model.by_size(test[:, : same[-1]], same)
        return found

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> GaussianPredictor:
        """As of the predictor."""
        return GaussianPredictor.from_arrays(arrays, n_columns, n_classes)

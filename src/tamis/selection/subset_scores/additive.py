"""Learners whose log densities add up over columns: naive Bayes, the diagonal discriminant.

ln p(x, c) = ln prior_c + sum over the columns of ln p(x_j | c): a column more or less is one term
more or less.
"""

from __future__ import annotations

import numpy as np

from ...kernels.within_classes import not_too_small, within_classes
from .fold_model import FoldModel

# a widening of variances that is less than this of all of them changes nothing
NEGLIGIBLE_WIDENING = 1e-8


class AdditiveFold(FoldModel):
    """A fold of a learner that knows the log densities of single columns.

    Parameters
    ----------
    test : ndarray of shape (m, p)
    priors : ndarray of shape (C,)
    """

    values = "log_joint"

    def __init__(self, test: np.ndarray, priors: np.ndarray):
        self.test = test
        with np.errstate(divide="ignore"):
            self.priors = np.log(priors)[:, None]

    def densities(self, columns: np.ndarray, beside: np.ndarray) -> np.ndarray:
        """ln p(x_j | c) of each column (C, m, k), where `beside` are all in the model but them."""
        raise NotImplementedError

    def of(self, columns: np.ndarray) -> np.ndarray:
        return self.priors + self.densities(columns, columns).sum(axis=2)

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        return self.of(chosen)[:, :, None] + self.densities(new, chosen)

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        return self.of(chosen)[:, :, None] - self.densities(chosen, chosen)


class DiagonalFold(AdditiveFold):
    """The diagonal discriminant: class means, variances pooled within classes."""

    def __init__(self, train, test, codes, priors):
        n_classes = len(priors)
        there, compact = np.unique(codes, return_inverse=True)
        parts = within_classes(train, compact, len(there))
        super().__init__(test - parts.origin, priors)
        n = len(train)
        variances = (parts.residuals**2).sum(axis=0) / max(n - len(there), 1)
        self.means = np.zeros((n_classes, train.shape[1]))
        self.means[there] = parts.means
        self.variances = not_too_small(variances, parts.total, n)

    def densities(self, columns: np.ndarray, beside: np.ndarray) -> np.ndarray:
        means = self.means[:, None, columns]
        return means * (self.test[:, columns] - means / 2) / self.variances[columns]


class NaiveBayesFold(AdditiveFold):
    """Gaussian naive Bayes as scikit-learn's: `smoothing` times the largest variance among the
    columns in the model is added to all of them."""

    def __init__(self, train, test, codes, priors, smoothing: float):
        super().__init__(test, priors)
        self.means = np.zeros((len(priors), train.shape[1]))
        self.variances = np.ones_like(self.means)
        for c in np.unique(codes):
            own = train[codes == c]
            self.means[c], self.variances[c] = own.mean(axis=0), own.var(axis=0)
        self.least = self.variances[np.unique(codes)].min(axis=0)
        self.widening = smoothing * train.var(axis=0)

    def densities(self, columns: np.ndarray, beside: np.ndarray) -> np.ndarray:
        among = self.widening[beside].max(initial=0.0)
        widening = np.maximum(self.widening[columns], among)
        variances = self.variances[:, None, columns] + widening
        there = variances > 0  # a model of constant columns has nothing to say
        variances = np.where(there, variances, 1.0)
        gap = (self.test[:, columns] - self.means[:, None, columns]) ** 2 / variances
        return np.where(there, -0.5 * (np.log(2 * np.pi * variances) + gap), 0.0)

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        found = super().with_each(chosen, new)
        # a column of larger variance widens those of the chosen ones, too
        wider = self.widening[new] > self.widening[chosen].max(initial=0.0)
        wider &= self.widening[new] > NEGLIGIBLE_WIDENING * self.least[chosen].min(initial=np.inf)
        found[:, :, wider & (len(chosen) > 0)] = np.nan
        return found

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        found = super().without_each(chosen)
        if len(chosen) > 1:
            first, second = np.sort(self.widening[chosen])[[-1, -2]]
            if first > max(second, NEGLIGIBLE_WIDENING * self.least[chosen].min()):
                found[:, :, self.widening[chosen] == first] = np.nan
        return found

"""Problems whose probabilities are known, and what is best there."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin

APART, SHARE = 1.5, 0.3  # means 0 and APART, spread 1; share of class 1
ALARM, MISS = 1.0, 6.0
COSTS = np.array([[0.0, MISS], [ALARM, 0.0]])


def gaussian(n, seed=0):
    """Rows of one column, and labels."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < SHARE).astype(int)
    return rng.normal(size=(n, 1)) + APART * y[:, None], y


def true_proba(X):
    one = expit(logit(SHARE) + APART * (X[:, 0] - APART / 2))
    return np.column_stack([1 - one, one])


def best_boundary():
    """Where P(1 | x) is p*."""
    return APART / 2 + (np.log(ALARM / MISS) - logit(SHARE)) / APART


def least_loss():
    """Mean cost of calling 1 what is beyond the boundary."""
    at = best_boundary()
    return SHARE * MISS * norm.cdf(at - APART) + (1 - SHARE) * ALARM * norm.sf(at)


class Knowing(ClassifierMixin, BaseEstimator):
    """Knows the truth, and counts how often it was fitted."""

    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return true_proba(X)

    def predict(self, X):
        return self.classes_[true_proba(X).argmax(axis=1)]


def levels(C=2, n=3000, seed=0):
    """A column of eight values whose class shares differ: a full tree knows them to the bit."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, n)
    shares = rng.dirichlet(np.ones(C), 8)
    y = np.array([rng.choice(C, p=shares[v]) for v in x])
    return x[:, None].astype(float), y

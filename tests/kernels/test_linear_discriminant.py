"""Linear discriminant analysis by singular values against scikit-learn's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from common.examples import settings
from tamis.kernels.linear_discriminant import linear_discriminant
from tamis.kernels.within_classes import log_odds

RANKS = st.sampled_from(["full", "copies", "constant", "sums"])


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), st.integers(1, 60), RANKS, st.booleans(), st.integers(0, 10**6))
def test_equals_scikit_learn_whatever_the_rank(n_classes, k, rank, equal, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_classes + int(rng.integers(3, 40))) % n_classes)
    X = rng.normal(size=(len(y), k)) + rng.normal(size=(n_classes, k))[y]
    X = X * rng.uniform(0.1, 20, k) + rng.normal(size=k)
    if rank == "copies":
        X[:, k // 2 :] = X[:, : k - k // 2]
    elif rank == "constant":
        X[:, 1::3] = 3.0
    elif rank == "sums":
        X[:, -1] = X.sum(axis=1)
    priors = np.full(n_classes, 1 / n_classes) if equal else np.bincount(y) / len(y)
    found = log_odds(*linear_discriminant(X, y, priors))
    peer = LinearDiscriminantAnalysis(priors=priors).fit(X, y)
    for ours, theirs in zip(found, (peer.coef_, peer.intercept_), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9 * np.abs(theirs).max())

"""Components of noise are told from others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter

from tamis.kernels.noise_edge import NOISE_QUANTILE, above_noise


def counted(X, most=NOISE_QUANTILE, k=10):
    Z = X - X.mean(axis=0)
    values = np.linalg.svd(Z, compute_uv=False)[: len(X) - 1] ** 2
    return above_noise(values[:k], len(X), values.sum(), (values**2).sum(), most)


@pytest.mark.parametrize("correlation", [0.0, 0.4])
def test_how_often_noise_exceeds(correlation):
    """At .05 in 5 of 100 tables, also where columns are correlated a little."""
    draws = np.random.default_rng(0)
    found = []
    for _ in range(400):
        noise = draws.normal(size=(40, 400))
        noise[:, 1:] *= np.sqrt(1 - correlation**2)
        X = lfilter([1], [1, -correlation], noise, axis=1)  # each column like the one before
        found.append(counted(X, 0.05, 1))
    assert np.mean(np.array(found) > 0) < 0.08  # sd .011


@pytest.mark.parametrize("real", [1, 3])
def test_real_components_are_kept(real):
    for seed in range(10):
        g = np.random.default_rng(seed)
        X = g.normal(size=(60, real)) @ g.normal(size=(real, 1000)) + g.normal(size=(60, 1000))
        assert counted(X, 0.05) == real
        assert real <= counted(X) <= 10


@pytest.mark.parametrize("n", [20, 60])
def test_the_last_of_noise_are_not_kept(n):
    """However many are asked for: the law says nothing of the few eigenvalues left then."""
    draws = np.random.default_rng(1)
    kept = [counted(draws.normal(size=(n, 1000)), k=n - 2) for _ in range(40)]
    assert max(kept) <= n // 2
    assert np.median(kept) <= 3


def test_few_rows_and_no_spread():
    assert above_noise(np.array([1.0]), 2, 1.0, 1.0) == 0
    assert above_noise(np.ones(4), 5, 4.0, 4.0) == 0  # all are equal
    assert counted(np.random.default_rng(0).normal(size=(6, 50))) <= 4

"""Distance correlation by its definition; mutual information as scikit-learn has it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.selection import distance_correlation, information_of_number


def centred(x):
    d = np.abs(x[:, None] - x)
    return d - d.mean(axis=0) - d.mean(axis=1)[:, None] + d.mean()


def plain_distance_correlation(x, y):
    A, B = centred(x), centred(y)
    scale = np.sqrt((A * A).mean() * (B * B).mean())
    return np.sqrt(max((A * B).mean(), 0.0) / scale) if scale > 0 else 0.0


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 25), st.integers(0, 3), st.integers(0, 10**6))
def test_distance_correlation_is_that_of_its_definition(n, digits, seed):
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(n, 5)), digits), rng.normal(size=n)
    X[:, 2], X[:, 3] = 0.1, -7 * y + 3
    found = distance_correlation(X, y)
    expected = [plain_distance_correlation(x, y) for x in X.T]
    expected[2] = 0.0
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert found[3] == pytest.approx(1.0)
    assert distance_correlation(X, np.full(n, 0.1)).tolist() == [0.0] * 5


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("neighbors", [1, 3, 5])
def test_information_is_scikit_learns(seed, neighbors):
    from sklearn.feature_selection import mutual_info_regression

    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(40, 6)), 1 + seed), rng.normal(size=40)
    X[:, 1] += y**2
    found = information_of_number(X, y, n_neighbors=neighbors, random_state=seed)
    peer = mutual_info_regression(X, y, n_neighbors=neighbors, random_state=seed)
    np.testing.assert_allclose(found, peer, atol=1e-12)


def test_a_constant_feature_has_no_information():
    X, y = np.column_stack([np.ones(10), np.arange(10.0)]), np.arange(10.0)
    scores = information_of_number(X, y, random_state=0)
    assert scores[0] == 0.0
    assert scores[1] > 0.5
    assert information_of_number(X[:1], y[:1]).tolist() == [0.0, 0.0]


def test_neighbours_are_one_or_more():
    with pytest.raises(PlanError, match="at least 1"):
        information_of_number(np.eye(3), np.arange(3.0), n_neighbors=0)

"""Ridge regression of a number: scikit-learn's solution, and leave-one-out by leaving rows out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from common.examples import settings
from tamis.kernels.ridge_number import PENALTIES, ridge_number, ridge_number_values


def plain_penalty(X, y):
    """Each penalty by fits without each row; of equal errors the largest."""
    C = X - X.mean(axis=0)
    d = np.linalg.svd(C, compute_uv=False) ** 2
    unit = d[d > d.max() * 1e-12 * max(X.shape)].mean()
    best, chosen = np.inf, None
    for penalty in PENALTIES[::-1] * unit:
        error = 0.0
        for i in range(len(X)):
            keep = np.arange(len(X)) != i
            fit = Ridge(alpha=penalty, solver="svd").fit(X[keep], y[keep])
            error += (y[i] - fit.predict(X[i : i + 1])[0]) ** 2
        if error < best * (1 - 1e-12):
            best, chosen = error, penalty
    return chosen


@settings(max_examples=15, deadline=None)
@given(st.integers(4, 12), st.integers(1, 20), st.integers(0, 10**6))
def test_the_penalty_is_that_of_leaving_rows_out(n, k, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, k)), rng.normal(size=n)
    y += X[:, 0]
    ((coef, intercept, penalty),) = ridge_number(X, y, [k])
    assert penalty == pytest.approx(plain_penalty(X, y), rel=1e-9)
    fit = Ridge(alpha=penalty, solver="svd").fit(X, y)
    np.testing.assert_allclose(coef, fit.coef_, atol=1e-9)
    assert intercept == pytest.approx(fit.intercept_, abs=1e-9)


@pytest.mark.parametrize(("n", "k"), [(30, 5), (8, 50), (20, 20)])
def test_a_given_penalty_is_scikit_learns(n, k):
    rng = np.random.default_rng(3)
    X, y, test = rng.normal(size=(n, k)) + 2, rng.normal(size=n), rng.normal(size=(4, k))
    fit = Ridge(alpha=2.5, solver="svd").fit(X, y)
    ((coef, intercept, penalty),) = ridge_number(X, y, [k], 2.5)
    assert penalty == 2.5
    np.testing.assert_allclose(coef, fit.coef_, atol=1e-10)
    assert intercept == pytest.approx(fit.intercept_, abs=1e-10)
    np.testing.assert_allclose(
        ridge_number_values(X, y, test, [k], 2.5)[0], fit.predict(test), atol=1e-10
    )


def test_sizes_do_not_depend_on_each_other():
    rng = np.random.default_rng(4)
    X, y, test = rng.normal(size=(15, 30)), rng.normal(size=15), rng.normal(size=(3, 30))
    together = ridge_number_values(X, y, test, [2, 7, 30], None)
    for row, k in zip(together, (2, 7, 30), strict=True):
        assert (
            ridge_number_values(X[:, :k].copy(), y, test[:, :k].copy(), [k], None)[0] == row
        ).all()


def test_columns_without_spread_predict_the_mean():
    y = np.array([1.0, 2.0, 6.0])
    ((coef, intercept, penalty),) = ridge_number(np.full((3, 2), 4.0), y, [2])
    assert coef.tolist() == [0.0, 0.0]
    assert intercept == pytest.approx(3.0)
    assert penalty == 0.0

"""Partial least squares: by deflation, scikit-learn's and R's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from selection.test_number_filters import golden_table
from tamis.kernels.partial_least_squares import pls_coefficients

GOLDENS = Path(__file__).parents[1] / "goldens"


def plain_values(X, y, n_components):
    """Fitted values by taking every part out of X and y (NIPALS)."""
    E, f = X - X.mean(axis=0), y - y.mean()
    fitted = np.full(len(y), y.mean())
    for _ in range(n_components):
        t = E @ (E.T @ f)
        t /= np.sqrt(t @ t)
        fitted += t * (t @ f)
        E, f = E - np.outer(t, t @ E), f - t * (t @ f)
    return fitted


@settings(max_examples=25, deadline=None)
@given(st.integers(5, 15), st.integers(4, 30), st.integers(1, 4), st.integers(0, 10**6))
def test_fitted_values_are_those_of_deflation(n, k, parts, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, k)) + 3, rng.normal(size=n)
    coef, intercept, count = pls_coefficients(X, y, parts)
    assert count == min(parts, n - 1, k)
    np.testing.assert_allclose(X @ coef + intercept, plain_values(X, y, count), atol=1e-7)


@pytest.mark.parametrize(("n", "k", "parts"), [(30, 6, 3), (12, 80, 5)])
def test_coefficients_are_scikit_learns(n, k, parts):
    from sklearn.cross_decomposition import PLSRegression

    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, k)) * rng.uniform(0.5, 2, k)
    y = X[:, 0] - X[:, 1] + rng.normal(size=n)
    fit = PLSRegression(parts, scale=False, tol=1e-14).fit(X, y)
    coef, intercept, _ = pls_coefficients(X, y, parts)
    np.testing.assert_allclose(coef, fit.coef_[0], atol=1e-10)
    np.testing.assert_allclose(X @ coef + intercept, fit.predict(X), atol=1e-10)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)  # a common factor of all columns changes nothing
    coef, intercept, _ = pls_coefficients(Z, y, parts)
    fit = PLSRegression(parts, tol=1e-14).fit(X, y)
    np.testing.assert_allclose(Z @ coef + intercept, fit.predict(X), atol=1e-10)


@pytest.mark.parametrize("name", ["few", "many"])
def test_coefficients_are_those_of_r(name):
    golden = json.loads((GOLDENS / f"pls_{name}.json").read_text())
    number, _, X = golden_table(name)
    for parts in (1, 2, 4):
        coef, _, _ = pls_coefficients(X, number, parts)
        np.testing.assert_allclose(coef, golden[f"plain_{parts}"], rtol=1e-9, atol=1e-12)
        sd = X.std(axis=0, ddof=1)
        coef, _, _ = pls_coefficients(X / sd, number, parts)
        np.testing.assert_allclose(coef, golden[f"scaled_{parts}"], rtol=1e-9, atol=1e-12)


def test_there_are_no_more_parts_than_columns_that_vary_together():
    rng = np.random.default_rng(2)
    base = rng.normal(size=(20, 2))
    X, y = np.column_stack([base, base @ [1.0, 2.0], np.ones(20)]), rng.normal(size=20)
    coef, intercept, count = pls_coefficients(X, y, 4)
    assert count == 2
    by_least_squares = np.linalg.lstsq(np.column_stack([np.ones(20), base]), y, rcond=None)[0]
    fitted = np.column_stack([np.ones(20), base]) @ by_least_squares
    np.testing.assert_allclose(X @ coef + intercept, fitted, atol=1e-9)


def test_a_constant_table_predicts_the_mean():
    coef, intercept, count = pls_coefficients(np.ones((4, 2)), np.arange(4.0), 2)
    assert (coef.tolist(), intercept, count) == ([0.0, 0.0], 1.5, 0)

"""Filters of a number against SciPy and their formulas; parts together as alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tamis._core.errors import DataError
from tamis.kernels.ebayes import fit_prior
from tamis.selection import correlation, moderated_regression_t
from tamis.selection._number_filters import NUMBER_FILTERS
from tamis.selection._parts import TrainingParts


def table(n=25, p=60, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, p)), rng.normal(size=n)
    X[:, 3] += 2 * y
    X[:, 7] = 0.1
    return X, y


def test_correlation_is_scipys():
    X, y = table()
    r, p = correlation(X, y)
    for j in range(X.shape[1]):
        if j == 7:
            assert (r[j], p[j]) == (0.0, 1.0)
            continue
        expected = stats.pearsonr(X[:, j], y)
        assert r[j] == pytest.approx(expected.statistic, abs=1e-12)
        assert p[j] == pytest.approx(expected.pvalue, rel=1e-9)


def test_two_samples_have_no_p_value():
    r, p = correlation(np.array([[1.0], [2.0]]), np.array([0.0, 1.0]))
    assert r.tolist() == [1.0]
    assert np.isnan(p).all()


def test_moderated_t_is_that_of_its_formula():
    X, y = table()
    t, p = moderated_regression_t(X, y)
    n, dy = len(y), y - y.mean()
    slope = dy @ (X - X.mean(axis=0)) / (dy @ dy)
    rest = X - X.mean(axis=0) - np.outer(dy, slope)
    s2 = (rest**2).sum(axis=0) / (n - 2)
    d0, s02 = fit_prior(s2, n - 2)
    post = (d0 * s02 + (n - 2) * s2) / (d0 + n - 2)
    expected = slope / np.sqrt(post / (dy @ dy))
    np.testing.assert_allclose(t, expected, rtol=1e-9, atol=1e-12)
    df = min(d0 + n - 2, (n - 2) * X.shape[1])
    np.testing.assert_allclose(p, 2 * stats.t.sf(np.abs(expected), df), rtol=1e-8)
    assert np.abs(t).argmax() == 3


def test_moderated_t_does_not_depend_on_the_unit_of_the_number():
    X, y = table()
    np.testing.assert_allclose(
        moderated_regression_t(X, y)[0], moderated_regression_t(X, 100 * y + 7)[0], rtol=1e-9
    )


def test_without_a_residual_degree_of_freedom_there_is_no_t():
    with pytest.raises(DataError, match="no residual degree of freedom"):
        moderated_regression_t(np.eye(2), np.array([0.0, 1.0]))


@pytest.mark.parametrize("name", NUMBER_FILTERS)
def test_parts_together_are_as_alone_with_gaps_too(name):
    X, y = table()
    X[2, 5] = X[9, 5] = X[4, 11] = np.nan
    rows = [np.arange(25), np.arange(0, 20), np.arange(5, 25)]
    parts, row = TrainingParts(X, y, rows, n_classes=1), NUMBER_FILTERS[name]
    together = row.shortcuts.parts(parts)
    for k in range(3):
        alone, _ = row.scored(parts.matrix(k), parts.labels(k), 0)
        np.testing.assert_allclose(np.abs(together[k]), alone, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_none_is_refused(bad):
    X, y = table()
    y[3] = bad
    with pytest.raises((DataError, ValueError), match=r"missing or infinite|NaN|infinity"):
        correlation(X, y)

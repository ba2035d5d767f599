"""Filters of a number against SciPy and their formulas; parts together as alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from common.examples import settings
from tamis._core.errors import DataError
from tamis._core.registry import find_row
from tamis._core.rows import RankerRow
from tamis.kernels.ebayes import fit_prior
from tamis.selection import correlation, moderated_regression_t, spearman, variance
from tamis.selection._number_filters import NUMBER_FILTERS
from tamis.selection._parts import TrainingParts

GOLDENS = Path(__file__).parents[1] / "goldens"


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


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 40), st.integers(0, 3), st.integers(0, 10**6))
def test_spearman_is_scipys_with_ties_too(n, digits, seed):
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(n, 6)), digits), np.round(rng.normal(size=n), digits)
    rho, p = spearman(X, y)
    for j in range(6):
        if np.ptp(X[:, j]) == 0 or np.ptp(y) == 0:
            assert (rho[j], p[j]) == (0.0, 1.0)
            continue
        expected = stats.spearmanr(X[:, j], y)
        assert rho[j] == pytest.approx(expected.statistic, abs=1e-12)
        assert p[j] == pytest.approx(expected.pvalue, rel=1e-7, abs=1e-12)


def test_variance_is_numpys_and_looks_at_no_outcome():
    X, y = table()
    np.testing.assert_allclose(variance(X), X.var(axis=0, ddof=1), rtol=1e-10, atol=1e-30)
    assert (variance(X, y) == variance(X)).all()
    assert variance(X)[7] == 0.0


@pytest.mark.parametrize("response", ["class", "number"])
def test_variance_serves_both_outcomes(response):
    assert find_row("variance", RankerRow, response).score is variance


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


def golden_table(name):
    """(number, covariate, features): variances differ, and some features follow the number."""
    n, p, seed = {"few": (7, 120, 1), "many": (40, 200, 2)}[name]
    rng = np.random.default_rng(seed)
    number, covariate = rng.normal(size=n) * 3 + 50, rng.integers(20, 80, n).astype(float)
    X = rng.normal(size=(n, p)) * np.sqrt(rng.chisquare(4, p) / 4) + rng.normal(size=p)
    X[:, :10] += 0.4 * (number - 50)[:, None] + 0.02 * covariate[:, None]
    return number, covariate, X


def write_tables(folder):
    """The tables, for `goldens/make_limma_slope.R`."""
    for name in ("few", "many"):
        number, covariate, X = golden_table(name)
        lines = ["\t".join(["number", "covariate", *(f"g{j}" for j in range(X.shape[1]))])]
        for row in np.column_stack([number, covariate, X]):
            lines.append("\t".join(float(value).hex() for value in row))
        Path(folder, f"{name}.tsv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("name", ["few", "many"])
def test_moderated_t_is_limmas(name):
    golden = json.loads((GOLDENS / f"limma_slope_{name}.json").read_text())
    number, covariate, X = golden_table(name)
    for found, end in (
        (moderated_regression_t(X, number), ""),
        (moderated_regression_t(X, number, covariate[:, None]), "_beside"),
        (moderated_regression_t(X, number, np.column_stack([covariate] * 2)), "_beside"),
    ):
        np.testing.assert_allclose(found[0], golden[f"t{end}"], rtol=1e-10)
        np.testing.assert_allclose(found[1], golden[f"p_value{end}"], rtol=1e-10)


def test_covariates_that_determine_the_number_are_refused():
    X, y = table()
    with pytest.raises(DataError, match="the covariates determine y"):
        moderated_regression_t(X, y, 3 * y[:, None] + 1)
    with pytest.raises(DataError, match="no residual degree of freedom"):
        moderated_regression_t(X, y, np.random.default_rng(0).normal(size=(25, 23)))


def test_moderated_t_does_not_depend_on_the_unit_of_the_number():
    X, y = table()
    np.testing.assert_allclose(
        moderated_regression_t(X, y)[0], moderated_regression_t(X, 100 * y + 7)[0], rtol=1e-9
    )


def test_without_a_residual_degree_of_freedom_there_is_no_t():
    with pytest.raises(DataError, match="no residual degree of freedom"):
        moderated_regression_t(np.eye(2), np.array([0.0, 1.0]))


@pytest.mark.parametrize(
    "name", [name for name, row in NUMBER_FILTERS.items() if row.shortcuts.parts]
)
def test_parts_together_are_as_alone_with_gaps_too(name):
    X, y = table()
    X[2, 5] = X[9, 5] = X[4, 11] = np.nan
    rows = [np.arange(25), np.arange(0, 20), np.arange(5, 25)]
    parts, row = TrainingParts(X, y, rows, n_classes=1), NUMBER_FILTERS[name]
    together = row.shortcuts.parts(parts)
    for k in range(3):
        alone, _ = row.scored(parts.matrix(k), parts.labels(k), 0)
        if name == "spearman":
            assert (np.abs(together[k]) == alone).all()
        np.testing.assert_allclose(np.abs(together[k]), alone, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_none_is_refused(bad):
    X, y = table()
    y[3] = bad
    with pytest.raises((DataError, ValueError), match=r"missing or infinite|NaN|infinity"):
        correlation(X, y)

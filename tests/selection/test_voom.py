"""voom and limma-trend: as limma, and as plain weighted least squares."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError
from tamis.kernels.lowess import lowess_curve
from tamis.kernels.natural_spline import natural_spline_basis
from tamis.preparation.counts import log_cpm
from tamis.selection import FilterSelector, moderated_t, voom_weights
from tamis.selection._moderated import WeightedMoments

GOLDENS = Path(__file__).parents[1] / "goldens"


def made_counts(seed, y, p=150, depth=60.0):
    """Counts of unequal depth; some genes differ between classes, two have no count."""
    rng = np.random.default_rng(seed)
    means = depth * rng.gamma(0.5, size=p) + 0.2
    mu = means * np.exp2(rng.normal(0, 1, (len(y), 1)))
    mu[:, :10] *= np.exp2(y)[:, None]
    alpha = 0.05 * np.exp(rng.normal(0, 0.5, p))
    X = rng.negative_binomial(1 / alpha, 1 / (1 + alpha * mu)).astype(float)
    X[:, [20, 21]] = 0
    return X


def golden_tables():
    """Two classes, three, and few genes."""
    two, three = np.repeat([0, 1], [5, 7]), np.arange(12) % 3
    return {
        "two": (two, made_counts(1, two)),
        "three": (three, made_counts(2, three)),
        "few": (two, made_counts(3, two, p=25)),
    }


def write_tables(folder):
    """For `make_voom.R`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (y, X) in golden_tables().items():
        np.savetxt(folder / f"{name}.tsv", np.c_[y, X], fmt="%d", delimiter="\t")


@pytest.fixture(scope="module", params=["two", "three", "few"])
def golden(request):
    made = json.loads((GOLDENS / f"voom_{request.param}.json").read_text())
    return made, np.array(made["counts"], dtype=float), np.array(made["classes"])


def test_lowess_as_r(golden):
    made = golden[0]["lowess"]
    smooth = lowess_curve(np.array(made["x"]), np.array(made["y"]), span=0.5)
    np.testing.assert_allclose(smooth, made["smooth"], rtol=1e-12)


def test_values_and_weights_as_limma(golden):
    made, X, y = golden
    values, weights = voom_weights(X, y)
    np.testing.assert_allclose(values, made["values"], rtol=0, atol=1e-11)
    np.testing.assert_allclose(weights, made["weights"], rtol=1e-9)


@pytest.mark.parametrize("kind", ["voom", "both", "trend"])
def test_moderated_statistics_as_limma(golden, kind):
    made, X, y = golden
    expected = made[kind]
    values, weights = (log_cpm(X), None) if kind == "trend" else voom_weights(X, y)
    statistics, p_values = moderated_t(values, y, weights=weights, trend=kind != "voom")
    if y.max() == 1:
        np.testing.assert_allclose(statistics, np.ravel(expected["t"]), rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(p_values, np.ravel(expected["p"]), rtol=1e-8)
        return
    if kind == "trend":
        np.testing.assert_allclose(statistics, expected["F"], rtol=1e-8, atol=1e-9)
    for pair, at in ((1, 0), (2, 1)):  # limma's F of weighted fits is an approximation
        np.testing.assert_allclose(
            *posterior_t(values, y, weights, expected, pair, at), rtol=1e-8, atol=1e-9
        )


def posterior_t(values, y, weights, expected, pair, at):
    """t of a class against the first, of limma's posterior variances (n,), and limma's t."""
    weights = np.ones(values.shape) if weights is None else weights
    m = WeightedMoments.of(values, y, weights)
    unscaled = 1 / m.weights[0] + 1 / m.weights[pair]
    ours = (m.means[pair] - m.means[0]) / np.sqrt(np.array(expected["post"]) * unscaled)
    return ours, np.array(expected["t"])[:, at]


def test_weighted_f_is_that_of_the_posterior_variances(golden):
    """Of every gene, from least squares with and without the classes."""
    made, X, y = golden
    values, weights = voom_weights(X, y)
    statistics, _ = moderated_t(values, y, weights=weights)
    post = np.array(made["voom"]["post"])
    design = np.eye(y.max() + 1)[y]
    for j in range(0, X.shape[1], 7):
        w = np.sqrt(weights[:, j])
        left = [
            np.linalg.lstsq(D * w[:, None], values[:, j] * w, rcond=None)[0] @ D.T - values[:, j]
            for D in (design[:, :1] * 0 + 1, design)
        ]
        squares = [np.sum((w * one) ** 2) for one in left]
        F = (squares[0] - squares[1]) / y.max() / post[j]
        found = statistics[j] ** 2 if y.max() == 1 else statistics[j]
        assert found == pytest.approx(F, rel=1e-7, abs=1e-9)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_equal_weights_are_no_weights(seed, n_classes):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(12, 40)), np.arange(12) % n_classes
    X[:, 3] = 2.5
    for trend in (False, True):
        plain = moderated_t(X, y, trend=trend)
        weighted = moderated_t(X, y, weights=np.full(X.shape, 3.0), trend=trend)
        np.testing.assert_allclose(weighted[0], plain[0], rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(weighted[1], plain[1], rtol=1e-8)
        assert plain[0][3] == weighted[0][3] == 0


def test_limma_trend_is_a_filter():
    y, X = golden_tables()["two"]
    X = log_cpm(X)
    statistics, p_values = moderated_t(X, y, trend=True)
    selector = FilterSelector("limma_trend").fit(X, y)
    np.testing.assert_allclose(selector.scores_, np.abs(statistics))
    np.testing.assert_allclose(selector.pvalues_, p_values)
    plain = FilterSelector("moderated_t").fit(X, y)
    assert not np.allclose(selector.scores_, plain.scores_)


def test_the_spline_is_natural():
    """Cubic between the knots, linear at the ends, with continuous curvature."""
    x = np.sort(np.random.default_rng(0).gamma(2, size=200))
    basis = natural_spline_basis(x, 4)
    assert np.linalg.matrix_rank(basis) == 4
    line = np.column_stack([np.ones(200), x])
    assert np.abs(line - basis @ np.linalg.lstsq(basis, line, rcond=None)[0]).max() < 1e-12
    grid = np.linspace(x[0], x[-1], 4001)
    at = natural_spline_basis(np.r_[grid, x], 4)  # other quantiles: judged by themselves
    curvature = np.diff(at[:4001], 2, axis=0)
    assert np.abs(curvature[[0, -1]]).max() < 0.01 * np.abs(curvature).max()
    assert np.abs(np.diff(curvature, axis=0)).max() < 0.01 * np.abs(curvature).max()


def slow_lowess(x, y, span, iterations):
    """Every point by itself, without interpolation."""
    n, robust = len(x), np.ones(len(x))
    width = max(int(span * n + 1e-7), 2)
    for _ in range(iterations + 1):
        fitted = np.empty(n)
        for i in range(n):
            apart = np.abs(x - x[i])
            half = np.sort(apart)[width - 1]
            w = robust * np.where(apart < half, (1 - (apart / half) ** 3) ** 3, 0)
            root = np.sqrt(w)
            line = np.column_stack([np.ones(n), x - x[i]]) * root[:, None]
            fitted[i] = np.linalg.lstsq(line, y * root, rcond=None)[0][0]
        scale = 6 * np.median(np.abs(y - fitted))
        robust = np.where(np.abs(y - fitted) < scale, (1 - ((y - fitted) / scale) ** 2) ** 2, 0)
    return fitted


def test_lowess_as_counted():
    """Points far enough apart that none is interpolated; the ends of the weights aside."""
    rng = np.random.default_rng(1)
    x = np.arange(40.0) + rng.uniform(-0.2, 0.2, 40)
    y = np.sin(x / 6) + rng.normal(0, 0.1, 40)
    y[11] = 9
    np.testing.assert_allclose(lowess_curve(x, y, 0.5), slow_lowess(x, y, 0.5, 3), atol=1e-3)


def test_lowess_of_few_or_equal_points():
    assert lowess_curve(np.array([1.0]), np.array([4.0])).tolist() == [4.0]
    np.testing.assert_allclose(lowess_curve(np.ones(5), np.arange(5.0)), 2)
    np.testing.assert_array_equal(
        lowess_curve(np.arange(3.0), np.zeros(3)), 0
    )  # nothing is left over
    np.testing.assert_allclose(
        lowess_curve(np.array([0.0, 0, 1, 1]), np.array([1.0, 3, 5, 7])), [2, 2, 6, 6]
    )


def test_faults_are_one_line():
    y, X = golden_tables()["two"]
    values, weights = voom_weights(X, y)
    with pytest.raises(DataError, match="needs more samples than classes"):
        voom_weights(X[:2], [0, 1])
    with pytest.raises(DataError, match="with counts of 1 genes"):
        voom_weights(X[:, :1] + 1, y)
    with pytest.raises(DataError, match="3 labels for 12 samples"):
        voom_weights(X, [0, 1, 1])
    with pytest.raises(DataError, match="are below 0"):
        voom_weights(-X - 1, y)
    with pytest.raises(DataError, match=r"weights have the shape \(12, 149\): give that of X"):
        moderated_t(values, y, weights=weights[:, 1:])
    with pytest.raises(DataError, match="a weight is not above 0"):
        moderated_t(values, y, weights=weights * 0)

"""The elastic net of a number: conditions of optimality, and glmnet's answers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from selection.test_number_filters import golden_table
from tamis.kernels.elastic_net.path import solve_path

GOLDENS = Path(__file__).parents[1] / "goldens"


def standardised(X):
    scale = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(scale > 0, scale, 1.0), scale


def written_out(path, p):
    full = np.zeros((len(path.lambdas), p))
    for row, (columns, values) in zip(full, path.coefs, strict=True):
        row[columns] = values[0]
    return full


def violation(Z, rest, b, lam, alpha):
    """The largest violation of the conditions of optimality, divided by lambda."""
    g = Z.T @ rest / len(Z) - lam * (1 - alpha) * b
    off = np.where(b != 0, np.abs(g - lam * alpha * np.sign(b)), np.abs(g) - lam * alpha)
    return max(off.max(), abs(rest.mean()), 0.0) / lam


def objective(Z, y, b, lam, alpha):
    rest = y - y.mean() - Z @ b
    size = (1 - alpha) / 2 * b @ b + alpha * np.abs(b).sum()
    return rest @ rest / (2 * len(y)) + lam * size


@settings(max_examples=30, deadline=None)
@given(
    st.integers(4, 25),
    st.integers(1, 30),
    st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    st.integers(0, 10**6),
)
def test_every_lambda_is_certified(n, p, alpha, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, p)) * 3 + 1, rng.normal(size=n)
    if p > 3:
        X[:, 1], X[:, 2] = X[:, 0], 3.7  # a duplicate and a constant column
    path = solve_path(X, y, 1, None, alpha, None, 10)
    assert path.kkt.max(initial=0) <= 1e-10
    Z, scale = standardised(X)
    for lam, b, b0 in zip(path.lambdas, written_out(path, p), path.intercepts[:, 0], strict=True):
        assert violation(Z, y - X @ b - b0, b * scale, lam, alpha) <= 1e-9
    if len(path.lambdas):
        assert not written_out(path, p)[0].any() or alpha == 0


def test_columns_without_a_penalty_are_fitted_by_least_squares():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 6)), rng.normal(size=30)
    y += 2 * X[:, 0]
    factors = np.array([0.0, 1, 1, 1, 1, 1])
    path = solve_path(X, y, 1, np.array([50.0]), 1.0, factors)
    slope = np.polyfit(X[:, 0], y, 1)
    columns, values = path.coefs[0]
    assert columns.tolist() == [0]
    assert (values[0, 0], path.intercepts[0, 0]) == pytest.approx(tuple(slope), rel=1e-9)


@pytest.mark.parametrize("name", ["few", "many"])
def test_as_glmnet_or_better(name):
    golden = json.loads((GOLDENS / f"glmnet_number_{name}.json").read_text())
    number, _, X = golden_table(name)
    y = (number - number.mean()) / number.std()
    Z, scale = standardised(X)
    for peer in golden["paths"]:
        alpha, lambdas = peer["alpha"], np.array(peer["lambdas"])
        path = solve_path(X, y, 1, lambdas, alpha)
        assert path.kkt.max() <= 1e-10
        theirs = np.zeros((len(lambdas), X.shape[1]))
        for row, entry in zip(theirs, peer["coefs"], strict=True):
            row[entry["columns"]] = entry["values"]
        ours = written_out(path, X.shape[1])
        for lam, a, b in zip(lambdas, ours, theirs, strict=True):
            mine, other = (objective(Z, y, c * scale, lam, alpha) for c in (a, b))
            assert mine <= other + 1e-12
        if name == "many" and alpha < 1:
            np.testing.assert_allclose(ours, theirs, atol=1e-8)

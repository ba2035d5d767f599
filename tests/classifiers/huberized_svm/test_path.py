"""The HHSVM path: grid, scales, weights, certificates, results, errors."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_array

from common.examples import settings
from tamis._core.errors import DataError, PlanError, TamisError
from tamis.classifiers import hhsvm_path

SETS = ("alon", "golub", "gordon", "chen")


def violation(X, y, path, weights=None):
    """Largest KKT violation / lambda, from the returned numbers and the raw table alone."""
    signs = np.where(y == path.classes[1], 1.0, -1.0)
    w = np.ones(len(y)) if weights is None else weights
    worst = 0.0
    for l1, b, b0 in zip(path.lambdas, path.coef, path.intercept, strict=True):
        margins = signs * (b0 + X @ b)
        slope = np.where(
            margins > 1, 0.0, np.where(margins > 1 - path.delta, (margins - 1) / path.delta, -1.0)
        )
        g = X.T @ (w * signs * slope) / len(y) + path.lambda2 * b
        idle = np.abs(g[b == 0]).max(initial=0.0) - l1
        active = np.abs(g + l1 * np.sign(b))[b != 0].max(initial=0.0)
        worst = max(
            worst, idle / l1, active / l1, abs(w * signs * slope @ np.ones(len(y))) / l1 / len(y)
        )
    return worst


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = np.repeat(["no", "yes"], [25, 15])
    X = rng.normal(size=(40, 60)) + 3
    X[:, :3] += (y == "yes")[:, None]
    X[:, 3], X[:, 4] = 7.0, X[:, 0]  # a constant and a duplicate
    return X, y


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("lambda2", "delta"), [(0.0, 2.0), (0.01, 2.0), (1.0, 0.5), (0.0, 0.01)])
def test_shared_sets_certified(shared_data, name, lambda2, delta):
    """All sets, widths and penalties are in tests/slow/test_huberized_svm_certificates.py."""
    import pandas as pd

    frame = pd.read_parquet(shared_data / "expression" / f"{name}.parquet")
    y, X = frame.pop("class").to_numpy(), frame.to_numpy(float)
    path = hhsvm_path(X, y, lambda2, delta, n_lambdas=25)
    assert path.kkt.max() <= 1e-8
    assert path.gap.max() <= 1e-10
    assert path.converged.all()
    assert violation(X, y, path) <= 1e-8
    assert path.n_active[0] == 0
    assert path.n_active[-1] > 3


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([(12, 30), (30, 8), (6, 60)]),
    st.sampled_from([0.01, 0.1, 0.5, 1.0, 2.0]),
    st.sampled_from([0.0, 1e-6, 1e-2, 1.0, 10.0]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_random_paths_certified(seed, shape, delta, lambda2, standardize, weighted, fit_intercept):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape)
    X[:, 1], X[:, 2] = X[:, 0], 5.0
    y = np.where(rng.random(shape[0]) < 0.5, 1, -1)
    y[:2] = 1, -1
    weights = rng.choice([0.0, 0.5, 1.0, 2.0], shape[0]) if weighted else None
    if weighted:
        weights[:2] = 1.0
    path = hhsvm_path(
        X,
        y,
        lambda2,
        delta,
        n_lambdas=15,
        min_ratio=0.01,
        standardize=standardize,
        sample_weight=weights,
        fit_intercept=fit_intercept,
    )
    assert path.converged.all(), path.summary()
    assert path.kkt.max() <= 1e-8
    assert path.gap.max() <= 1e-10
    if fit_intercept:  # which a constant column could only repeat
        assert (path.coef[:, 2] == 0).all()
        if not standardize:
            assert violation(X, y, path, weights) <= 1e-8


def test_grid(table):
    X, y = table
    path = hhsvm_path(X, y, 0.1)
    assert path.coef.shape == (100, 60)
    assert path.lambdas[-1] / path.lambdas[0] == pytest.approx(0.01)
    np.testing.assert_allclose(np.diff(np.log(path.lambdas)), np.log(0.01) / 99)
    assert not path.coef[0].any()
    assert path.coef[1].any()
    tall = hhsvm_path(X[:, :10], y, 0.1)
    assert tall.lambdas[-1] / tall.lambdas[0] == pytest.approx(1e-4)


def test_lambda_max_is_the_least_empty_one(table):
    X, y = table
    most = hhsvm_path(X, y, 0.1, delta=0.5, n_lambdas=1).lambdas[0]
    around = hhsvm_path(X, y, 0.1, delta=0.5, lambdas=[most * 1.000001, most * 0.999])
    assert around.n_active[0] == 0
    assert around.n_active[1] > 0


def test_lambdas_keep_their_order(table):
    X, y = table
    down = hhsvm_path(X, y, 0.1, lambdas=[0.2, 0.1, 0.05])
    up = hhsvm_path(X, y, 0.1, lambdas=[0.05, 0.1, 0.2])
    np.testing.assert_array_equal(up.coef, down.coef[::-1])
    np.testing.assert_array_equal(up.lambdas, down.lambdas[::-1])


def test_standardised_equals_scaled_by_hand(table):
    X, y = table
    scale = np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    path = hhsvm_path(X, y, 0.1, n_lambdas=20, standardize=True)
    by_hand = hhsvm_path((X - X.mean(axis=0)) / scale, y, 0.1, n_lambdas=20)
    np.testing.assert_allclose(path.lambdas, by_hand.lambdas, rtol=1e-12)
    np.testing.assert_allclose(path.coef, by_hand.coef / scale, atol=1e-8)


def test_swapped_labels_turn_the_signs(table):
    X, y = table
    path = hhsvm_path(X, np.where(y == "yes", 1, -1), 0.1, n_lambdas=20)
    turned = hhsvm_path(X, np.where(y == "yes", -1, 1), 0.1, n_lambdas=20)
    np.testing.assert_allclose(turned.coef, -path.coef, atol=1e-8)
    np.testing.assert_allclose(turned.intercept, -path.intercept, atol=1e-8)


@pytest.mark.parametrize("standardize", [True, False])
def test_weights_count_rows(table, standardize):
    """Whole weights are repeated rows, once n is made the same."""
    X, y = table
    weights = np.random.default_rng(1).integers(0, 4, len(y)).astype(float)
    many, labels = np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int))
    scaled = weights * len(y) / weights.sum()
    weighted = hhsvm_path(
        X, y, 0.1, n_lambdas=15, min_ratio=0.05, sample_weight=scaled, standardize=standardize
    )
    repeated = hhsvm_path(many, labels, 0.1, n_lambdas=15, min_ratio=0.05, standardize=standardize)
    np.testing.assert_allclose(weighted.lambdas, repeated.lambdas, rtol=1e-10)
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-7)
    if not standardize:
        assert violation(X, y, weighted, scaled) <= 1e-8


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("standardize", [True, False])
def test_sparse_equals_dense(table, standardize, fit_intercept):
    from scipy.sparse import coo_array, csc_matrix, csr_array

    X, y = table
    X = np.where(X > 3, X, 0.0)
    X[:, 5], X[:, 6] = 0.0, 2.0  # nothing stored, and everything
    weights = np.random.default_rng(1).choice([0.0, 1.0, 2.0], len(y))
    options = {"standardize": standardize, "fit_intercept": fit_intercept, "n_lambdas": 10}
    options["sample_weight"] = weights
    dense = hhsvm_path(X, y, 0.1, **options)
    assert dense.coef.any()
    for form in (csr_array, csc_matrix, coo_array):
        sparse = hhsvm_path(form(X), y, 0.1, **options)
        np.testing.assert_allclose(sparse.coef, dense.coef, atol=1e-10)
        np.testing.assert_allclose(sparse.intercept, dense.intercept, atol=1e-10)
        np.testing.assert_allclose(sparse.objective, dense.objective, rtol=1e-12)
        assert sparse.converged.all()


def test_sparse_input_is_left_as_it_was(table):
    from scipy.sparse import coo_array

    X, y = table
    rows, columns = np.nonzero(X > 4)
    rows, columns = np.append(rows, rows[:9]), np.append(columns, columns[:9])  # summed when used
    X = coo_array((np.ones(len(rows)), (rows, columns)), shape=X.shape).tocsr()
    before = X.data.copy(), X.indices.copy(), X.indptr.copy()
    hhsvm_path(X, y, 0.1, n_lambdas=5)
    for a, b in zip(before, (X.data, X.indices, X.indptr), strict=True):
        np.testing.assert_array_equal(a, b)


def test_wide_sparse_is_never_written_out():
    """500 x 400,000 would be 1.6 GB; the path must not ask for a tenth of that."""
    import tracemalloc

    from scipy.sparse import random_array

    rng = np.random.default_rng(0)
    n, p = 500, 400_000
    X = random_array((n, p), density=2e-4, rng=rng, format="csc")
    y = np.where(np.asarray(X[:, :2000].sum(axis=1)).ravel() > 0.2, 1, -1)
    tracemalloc.start()
    path = hhsvm_path(X, y, 0.01, n_lambdas=3, min_ratio=0.8)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.converged.all()
    assert path.n_active[-1] > 0
    assert peak < 160e6


def test_layout_does_not_matter(table):
    import pandas as pd

    X, y = table
    one = hhsvm_path(X, y, 0.1, n_lambdas=10)
    before = X.copy()
    for other in (
        np.asfortranarray(X),
        pd.DataFrame(X),
        X.tolist(),
        np.repeat(X, 2, axis=1)[:, ::2],
    ):
        np.testing.assert_array_equal(hhsvm_path(other, y, 0.1, n_lambdas=10).coef, one.coef)
    np.testing.assert_array_equal(X, before)
    single = hhsvm_path(X.astype(np.float32), y, 0.1, lambdas=one.lambdas)
    np.testing.assert_allclose(single.coef, one.coef, atol=1e-5)


@pytest.mark.parametrize("far", [0.0, 10.0, 100.0])
@pytest.mark.parametrize("lambda2", [0.0, 0.01, 1.0])
def test_no_intercept(far, lambda2):
    rng = np.random.default_rng(2)
    y = np.where(rng.random(40) < 0.5, 1, -1)
    X = rng.normal(size=(40, 60)) + far
    X[:, :3] += 0.7 * y[:, None]
    path = hhsvm_path(X, y, lambda2, delta=0.5, n_lambdas=20, fit_intercept=False)
    assert path.converged.all(), path.summary()
    assert not path.intercept.any()
    assert path.coef[-1].any()


def test_no_intercept_very_far_from_zero():
    """Means of 10,000 standard deviations: the gap still holds where the coefficients' own
    rounding is too coarse for the optimality conditions."""
    rng = np.random.default_rng(2)
    y = np.where(rng.random(60) < 0.5, 1, -1)
    X = rng.normal(size=(60, 8)) + 1e4
    X[:, :3] += 0.7 * y[:, None]
    for lambda2 in (0.0, 0.01, 1.0):
        path = hhsvm_path(X, y, lambda2, delta=0.5, fit_intercept=False)
        assert path.gap.max() <= 1e-10
        np.testing.assert_array_equal(path.converged, path.kkt <= 1e-8)


def test_tolerance_is_reported_honestly(table):
    X, y = table
    path = hhsvm_path(X, y, 0.1, n_lambdas=10, tol=1e-30)
    np.testing.assert_array_equal(path.converged, path.kkt == 0)
    assert not path.converged.all()


def test_result_forms(table):
    X, y = table
    path = hhsvm_path(X, y, 0.1, n_lambdas=10)
    frame = path.frame()
    assert frame["n_active"].tolist() == np.count_nonzero(path.coef, axis=1).tolist()
    told = json.loads(json.dumps(path.to_dict()))
    rebuilt = np.zeros_like(path.coef)
    for row, pairs in zip(rebuilt, told["coef"], strict=True):
        for j, value in pairs:
            row[j] = value
    np.testing.assert_array_equal(rebuilt, path.coef)
    assert told["classes"] == ["no", "yes"]
    assert "10 of 10 certified" in path.summary()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"lambda2": -1}, PlanError, "lambda2=-1"),
        ({"delta": 0}, PlanError, "delta=0"),
        ({"lambdas": [0.1, 0.0]}, PlanError, "positive"),
        ({"lambdas": []}, PlanError, "at least one"),
        ({"n_lambdas": 0}, PlanError, "n_lambdas=0"),
        ({"min_ratio": 1.5}, PlanError, "min_ratio=1.5"),
        ({"tol": "x"}, PlanError, "tol='x'"),
        ({"y": np.zeros(40)}, DataError, "1 label among"),
        ({"y": np.arange(40)}, DataError, "40 labels"),
        ({"X": np.full((40, 3), np.nan)}, DataError, "impute"),
        ({"X": np.full((40, 3), "a")}, DataError, "not numbers"),
        ({"X": np.full((40, 3), np.inf)}, DataError, "impute"),
        ({"X": csc_array(np.full((40, 3), np.nan))}, DataError, "impute"),
        ({"X": np.linspace(0, 1e300, 120).reshape(40, 3)}, DataError, "too large"),
        ({"X": np.ones((40, 3))}, DataError, "lambda_max is 0"),
        ({"X": np.ones((39, 3))}, DataError, "shape"),
        ({"sample_weight": -np.ones(40)}, DataError, "sample_weight"),
    ],
)
def test_errors(table, change, error, words):
    X, y = table
    arguments = {"X": X, "y": y, "lambda2": 0.1, **change}
    with pytest.raises(error, match=words):
        hhsvm_path(**arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"min_ratio": "x"}, "min_ratio='x'"),
        ({"min_ratio": [0.1]}, "min_ratio="),
        ({"n_lambdas": True}, "n_lambdas=True"),
        ({"lambdas": ["a"]}, "lambdas="),
        ({"lambdas": [[1.0], [2.0, 3.0]]}, "lambdas="),
        ({"lambdas": [1j]}, "lambdas="),
        ({"sample_weight": ["a"] * 20}, "sample_weight: give 20"),
        ({"sample_weight": np.zeros(20)}, "zero in every row"),
        ({"y": np.array([1, "a"] * 10, dtype=object)}, "different kinds"),
        ({"y": np.array([1, None] * 10, dtype=object)}, "missing labels"),
        ({"y": [0.0, np.nan] * 10}, "missing labels"),
        ({"X": np.ones((20, 3)) + 1j}, "not numbers"),
    ],
)
def test_odd_input_is_told_in_one_line(arguments, words):
    given = {"X": np.random.default_rng(0).normal(size=(20, 3)), "y": [0, 1] * 10, "lambda2": 0.1}
    with pytest.raises(TamisError, match=words) as told:
        hhsvm_path(**(given | arguments))
    assert "\n" not in str(told.value)


def test_figure():
    rng = np.random.default_rng(0)
    y = np.repeat(["no", "$yes"], 15)
    X = rng.normal(size=(30, 8)) + 2.0 * (y == "no")[:, None] * (np.arange(8) < 2)
    path = hhsvm_path(X, y, lambda2=0.1, n_lambdas=8)
    (chart,) = path.plot().charts
    lines = [e for e in ElementTree.fromstring(chart).iter() if e.tag.endswith("polyline")]
    assert len(lines) == np.count_nonzero(path.coef.any(axis=0)) >= 2
    largest = np.abs(path.coef[-1]).argmax()
    assert f"column {largest}: {path.coef[-1, largest]:.3g} at the end" in chart

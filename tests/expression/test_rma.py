"""RMA against affy and preprocessCore, and the promise that a new array changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from expression.made_up import intensities, ragged_sets, tables
from tamis._core.errors import DataError
from tamis.expression import RMA, background_correct, median_polish, quantile_normalize, rma
from tamis.kernels.quantile import to_quantiles

GOLDENS = Path(__file__).parents[1] / "goldens"
NAMES = sorted(tables())
BATCH = 50


def golden(name):
    """What the peers say of a table."""
    content = json.loads((GOLDENS / f"rma_{name}.json").read_text())
    return {k: v if k == "made_with" else np.array(v, dtype=float) for k, v in content.items()}


def made(n=7, n_sets=30, seed=0):
    rng = np.random.default_rng(seed)
    sets = ragged_sets(n_sets, rng)
    return intensities(n, sets, rng), sets


@pytest.mark.parametrize("name", NAMES)
def test_background_as_preprocesscore(name):
    pm = tables()[name][0]
    np.testing.assert_allclose(background_correct(pm), golden(name)["background"], rtol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_rma_as_affy(name):
    pm, _, sets = tables()[name]
    found, expected = rma(pm, sets), golden(name)
    assert found.probe_sets.tolist() == sorted(set(sets))
    np.testing.assert_allclose(found.values, expected["values"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.probe_effects, expected["effects"], rtol=0, atol=1e-8)


def test_rma_is_its_steps_one_after_the_other():
    X, sets = made()
    logs = np.log2(quantile_normalize(background_correct(X)))
    expected = median_polish(logs, sets)
    np.testing.assert_allclose(rma(X, sets).values, expected.values, rtol=0, atol=1e-12)
    plain = median_polish(np.log2(quantile_normalize(X)), sets)
    np.testing.assert_allclose(rma(X, sets, background=False).values, plain.values, atol=1e-12)


@pytest.mark.parametrize("background", [True, False])
def test_alone_in_a_batch_and_in_training_a_sample_has_the_same_values(background):
    X, sets = made(BATCH + 20)
    model = RMA(sets, background=background)
    trained = model.fit_transform(X[:20])
    np.testing.assert_allclose(model.transform(X[:20]), trained, rtol=0, atol=1e-12)
    batch = model.transform(X[20:])
    assert batch.shape == (BATCH, len(set(sets)))
    alone = np.vstack([model.transform(row[None]) for row in X])
    np.testing.assert_allclose(alone, np.vstack([trained, batch]), rtol=0, atol=1e-12)
    mixed = model.transform(X[[25, 3, 60]])
    np.testing.assert_allclose(mixed, alone[[25, 3, 60]], rtol=0, atol=1e-12)


def test_frozen_values_are_what_they_say():
    """The target's values at the ranks, log2, less the effects, and the median."""
    X, sets = made()
    model = RMA(sets).fit(X[:5])
    normal = np.log2(to_quantiles(background_correct(X[5:]), model.target_))
    for s, name in enumerate(model.probe_sets_):
        of = sets == name
        expected = np.median((normal - model.probe_effects_)[:, of], axis=1)
        np.testing.assert_allclose(model.transform(X[5:])[:, s], expected, atol=1e-12)


def test_training_arrays_have_the_classical_values():
    """Rounds of median polish end with the samples."""
    X, sets = made(9)
    model, expected = RMA(sets), rma(X, sets)
    found = model.fit_transform(X)[:, np.argsort(model.probe_sets_)]
    np.testing.assert_allclose(found, expected.values, atol=1e-12)
    np.testing.assert_allclose(model.probe_effects_, expected.probe_effects, atol=1e-12)


def test_a_new_array_is_not_polished_with_the_others():
    X, sets = made(9)
    X[8] *= 3.0
    model = RMA(sets).fit(X[:8])
    frozen = model.transform(X[8:])[:, np.argsort(model.probe_sets_)]
    assert np.abs(frozen - rma(X, sets).values[8:]).max() > 0.01


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_iterables_types_threads_and_orders_do_not_matter(n_jobs):
    X, sets = made()
    expected = rma(X, sets)
    found = rma((row.astype(np.float32) for row in X), sets, n_jobs=n_jobs)
    np.testing.assert_array_equal(found.values, expected.values)
    model = RMA(sets).fit(X)
    other = RMA(sets, n_jobs=n_jobs).fit(X.astype(np.float32))
    np.testing.assert_array_equal(other.transform(X), model.transform(X.astype(np.float32)))
    moved = np.random.default_rng(1).permutation(len(X))
    np.testing.assert_allclose(rma(X[moved], sets).values, expected.values[moved], atol=1e-12)


def test_fit_leaves_everything_alone_and_twice_equals_once():
    X, sets = made()
    before, names = X.copy(), sets.copy()
    model = RMA(sets)
    once = model.fit_transform(X)
    assert model.fit(X[:4]) is model
    np.testing.assert_array_equal(model.fit_transform(X), once)
    np.testing.assert_array_equal(clone(model).fit(X).transform(X), once)
    np.testing.assert_array_equal(X, before)
    np.testing.assert_array_equal(sets, names)


def test_names_of_probes_and_of_probe_sets():
    X, sets = made()
    frame = pd.DataFrame(X, columns=[f"cell {j}" for j in range(X.shape[1])], index=list("abcdefg"))
    model = RMA(sets).set_output(transform="pandas")
    found = model.fit_transform(frame)
    first = list(dict.fromkeys(sets))
    assert found.columns.tolist() == first == model.get_feature_names_out().tolist()
    assert found.index.tolist() == frame.index.tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(frame.rename(columns={"cell 3": "cell x"}))
    assert (
        rma(X, sets)
        .frame(frame.index)
        .equals(pd.DataFrame(rma(X, sets).values, index=frame.index, columns=sorted(set(sets))))
    )


def test_without_probe_sets_each_probe_is_one():
    X, _ = made()
    model = RMA().fit(X)
    assert model.get_feature_names_out()[:2].tolist() == ["x0", "x1"]
    expected = np.log2(quantile_normalize(background_correct(X)))
    np.testing.assert_allclose(model.transform(X), expected, rtol=0, atol=1e-12)


@pytest.mark.longer
def test_scikit_learns_checks():
    """Without background, which a few columns of noise have none of."""
    known = {"check_fit2d_1sample": "the lowest of that array is 0, which has no logarithm"}
    model = RMA(background=False)
    results = check_estimator(model, expected_failed_checks=known, on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 25


X, SETS = made(4)
HOLED = X.copy()
HOLED[2, 5] = np.nan


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rma(HOLED, SETS), "nan in row 2, column 5"),
        (lambda: rma(iter(HOLED), SETS), "array 2: 1 intensity missing or infinite"),
        (lambda: rma(X[0], SETS), "give arrays in rows"),
        (lambda: rma([["a"]], ["s"]), "must be a table of numbers"),
        (lambda: rma(iter([]), SETS), "there are no arrays"),
        (lambda: rma(iter([X[0], X[1][:-1]]), SETS), "array 1 has .* probes, expected"),
        (lambda: rma(X, SETS[:-1]), "give the name of its probe set for each column"),
        (lambda: rma(X, [None, *SETS[1:]]), "1 probe without the name of a probe set"),
        (lambda: rma(np.full((2, 9), 7.0), ["s"] * 9), "array 0: no background can be estimated"),
        (lambda: rma(-X, SETS, background=False), "have no logarithm"),
        (lambda: RMA(SETS).fit(HOLED), "NaN"),
        (lambda: RMA(SETS[1:]).fit(X), "give the name of its probe set for each column"),
        (lambda: quantile_normalize(X, [1.0, np.nan]), "target must be a list of finite numbers"),
        (lambda: quantile_normalize([[1.0, np.inf]]), "infinite intensities"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(call, words):
    with pytest.raises(ValueError, match=words) as error:
        call()
    if isinstance(error.value, DataError):
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("length", ["half", "twice"])
def test_a_target_of_another_length_as_preprocesscore(length):
    pm, _, _ = tables()["few"]
    background = golden("few")["background"]
    half = background[0, : background.shape[1] // 2]
    target = half if length == "half" else background[1:].ravel()
    found = quantile_normalize(pm[:1], target)
    np.testing.assert_allclose(found[0], golden("few")[length], rtol=1e-12)

"""RMA and median polish as steps of a study: by names of columns, frozen, in the saved model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.null_studies import methods_off_chance
from expression.made_up import intensities, ragged_sets
from tamis._core.errors import DataError, ModelError, PlanError
from tamis.data import Dataset
from tamis.expression import RMA, MedianPolish, detection_calls, rma
from tamis.expression.frozen_polish import FrozenPolish
from tamis.expression.frozen_rma import FrozenRMA
from tamis.expression.probe_columns import ProbeColumns
from tamis.model.file import load_model
from tamis.study import run_study

PLAN = {
    "permutations": 0,
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "prepare": ["rma"],
    "method": [{"select": "moderated_t", "sizes": [2]}],
}


def named_columns(sets):
    """Names by which `ProbeColumns` tells the sets of columns."""
    seen: dict[str, int] = {}
    names = []
    for label in map(str, sets):
        seen[label] = seen.get(label, 0) + 1
        names.append(label if seen[label] == 1 else f"{label}#{seen[label]}")
    return names


def probe_table(n=24, n_sets=40, seed=0, shift=0.0):
    """Intensities and mismatches as a frame, the sets, and two classes; the first set shifted."""
    rng = np.random.default_rng(seed)
    sets = ragged_sets(n_sets, rng, most=12)
    y = np.arange(n) % 2
    X = intensities(n, sets, rng)
    X[np.ix_(y == 1, sets == sets[0])] += 3000.0 * shift
    names = named_columns(sets)
    mm = np.maximum(np.round(X * np.exp(rng.normal(-0.25, 0.35, X.shape))), 1.0)
    mm[:, sets == sets[1]] = X[:, sets == sets[1]] + 1  # absent in every array
    behind = [f"{name}#mm" if "#" not in name else name.replace("#", "#mm") for name in names]
    return pd.DataFrame(np.hstack([X, mm]), columns=names + behind), sets, y


def test_names_tell_the_sets_in_any_order():
    table, sets, _ = probe_table()
    q = len(sets)
    moved = np.random.default_rng(1).permutation(2 * q)
    columns = ProbeColumns.of(table.columns[moved].tolist())
    assert sorted(columns.labels.tolist()) == sorted(sets)
    for label, pm, mm in zip(columns.labels, moved[columns.pm], moved[columns.mm], strict=True):
        assert (sets[pm], mm) == (label, pm + q)


def test_the_order_of_columns_does_not_matter():
    """A set has its name, not that of whichever of its probes comes first."""
    table, sets, _ = probe_table(12)
    moved = table.iloc[:, np.random.default_rng(2).permutation(table.shape[1])]
    logs = np.log2(table.iloc[:, : len(sets)])
    mixed = logs[[name for name in moved if "#mm" not in name]]
    for step, one, other in (
        (RMA(detected=0.25), table, moved),
        (MedianPolish(), logs, mixed),
    ):
        step.set_output(transform="pandas")
        expected, found = step.fit_transform(one), step.fit_transform(other)
        assert set(found) <= set(sets)
        assert list(found) == [name for name in other if name in set(expected)]
        pd.testing.assert_frame_equal(found[list(expected)], expected, check_exact=True)


def test_by_names_as_by_probe_sets_and_as_classical():
    table, sets, _ = probe_table()
    perfect = table.iloc[:, : len(sets)]
    by_names, by_sets = RMA().fit(table), RMA(sets).fit(perfect.to_numpy())
    np.testing.assert_array_equal(by_names.transform(table), by_sets.transform(perfect.to_numpy()))
    assert by_names.get_feature_names_out().tolist() == by_sets.get_feature_names_out().tolist()
    expected = rma(perfect, sets).frame()
    found = pd.DataFrame(by_names.transform(table), columns=by_names.get_feature_names_out())
    np.testing.assert_allclose(found[expected.columns], expected, rtol=0, atol=1e-12)


def test_sets_that_are_not_detected_in_training_are_left_out():
    table, sets, _ = probe_table()
    q = len(sets)
    model = RMA(detected=0.25).fit(table[:12])
    called = detection_calls(table.to_numpy()[:12, :q], table.to_numpy()[:12, q:], sets)
    kept = set(called.probe_sets[called.present_in(0.25)])
    assert set(model.get_feature_names_out()) == kept
    assert sets[1] not in kept
    assert 1 < len(kept) < len(set(sets))
    every = RMA().fit(table[:12]).set_output(transform="pandas").transform(table)
    np.testing.assert_array_equal(
        model.transform(table), every[model.get_feature_names_out().tolist()]
    )


@pytest.mark.parametrize("detected", [0.0, 0.25])
def test_alone_and_in_a_batch_some_of_it_and_from_its_file(detected):
    table, _, y = probe_table()
    X, names = table.to_numpy(), table.columns.tolist()
    step = RMA(detected=detected)
    fitted = step.learn(X[:12], y, names)
    whole = fitted.transform(X)
    alone = np.vstack([fitted.transform(row[None]) for row in X])
    np.testing.assert_array_equal(alone, whole)
    assert (np.diff(fitted.columns) > 0).all()
    few, inputs = fitted.only(np.array([3, 5]))
    again = step.from_arrays(few.to_arrays(), len(inputs))
    np.testing.assert_array_equal(again.transform(X[:, inputs]), whole[:, [3, 5]])
    assert inputs[again.columns].tolist() == fitted.columns[[3, 5]].tolist()


@given(st.integers(0, 10_000))
def test_median_polish_frozen_alone_with_gaps_and_from_its_file(seed):
    rng = np.random.default_rng(seed)
    sets = ragged_sets(6, rng, most=5)
    X = rng.normal(8, 2, (5, len(sets)))
    X[rng.random(X.shape) < 0.2] = np.nan
    step = MedianPolish()
    fitted = step.learn(X, np.zeros(5), named_columns(sets))
    found = fitted.transform(X)
    effects = np.empty(len(sets))
    effects[fitted.probes] = fitted.effects
    for s, name in enumerate(dict.fromkeys(sets)):  # a plain reference
        of = np.flatnonzero(sets == name)
        assert fitted.columns[s] == of[0]
        for row, value in zip(X, found[:, s], strict=True):
            known = [x - effects[j] for j, x in zip(of, row[of], strict=True) if x == x]
            np.testing.assert_allclose(value, np.median(known) if known else np.nan, rtol=1e-12)
    np.testing.assert_array_equal(np.vstack([fitted.transform(row[None]) for row in X]), found)
    few, inputs = fitted.only(np.array([1, 4]))
    again = step.from_arrays(few.to_arrays(), len(inputs))
    np.testing.assert_array_equal(again.transform(X[:, inputs]), found[:, [1, 4]])


@given(st.sampled_from(["probes", "starts", "effects"]), st.integers(0, 6), st.integers(-3, 9))
def test_a_spoiled_model_is_refused(name, at, value):
    fitted = MedianPolish().learn(
        np.ones((2, 6)), np.zeros(2), ["a", "b", "a#2", "b#2", "c", "c#2"]
    )
    given_arrays = fitted.to_arrays()
    array = given_arrays[name].copy()
    array[at % len(array)] = np.nan if value == 9 else value
    try:
        found = FrozenPolish.from_arrays({**given_arrays, name: array}, 6)
    except ModelError:
        return
    assert np.isfinite(found.transform(np.ones((2, 6)))).all()
    assert (np.diff(found.columns) > 0).all()


def test_a_spoiled_reference_is_refused():
    table, _, y = probe_table(8)
    fitted = RMA().learn(table.to_numpy(), y, table.columns.tolist())
    for name, value in (("target", -1.0), ("target", np.nan), ("pm", 0.5), ("pm", 1e9)):
        arrays = fitted.to_arrays()
        arrays[name] = arrays[name].copy()
        arrays[name][0] = value
        with pytest.raises(ModelError):
            FrozenRMA.from_arrays(arrays, table.shape[1])


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a", "a#1"], "columns 'a#1' and another one are the same probe"),
        (["a", "b#mm2"], "column 'b#mm2' is the mismatch of a probe that is not there"),
        (["a", "a#mm"], "no use for mismatches"),
    ],
)
def test_columns_that_cannot_be_are_told(names, words):
    with pytest.raises(DataError, match=words):
        MedianPolish().fit(pd.DataFrame(np.ones((3, 2)), columns=names))


def test_without_mismatches_nothing_is_detected():
    table, sets, _ = probe_table()
    with pytest.raises(PlanError, match="needs mismatches, columns such as '1007_s_at#mm'"):
        RMA(detected=0.25).fit(table.iloc[:, : len(sets)])


def test_a_pair_that_cannot_be_is_told_with_its_array():
    table, sets, _ = probe_table(8)
    table.iloc[3, len(sets)] = -1.0
    with pytest.raises(DataError, match="array 3 has intensities of PM and MM that are negative"):
        RMA(detected=0.25).fit(table)


def dataset(**made):
    table, sets, y = probe_table(**made)
    return Dataset(table.to_numpy(), np.array(["a", "b"])[y], tuple(table.columns)), sets


@pytest.mark.longer
def test_a_study_of_probes_finds_the_set_and_its_model_predicts_one_patient(tmp_path):
    data, sets = dataset(shift=1.0)
    plan = {**PLAN, "prepare": [{"name": "rma", "detected": 0.25}]}
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    assert sets[0] in model.features
    assert set(model.features) <= set(sets)
    every = model.predict_proba(data)
    assert (model.predict(data) == data.y).mean() > 0.9
    for at in (0, 7):
        one = replace(data, X=data.X[[at]], y=data.y[[at]])
        np.testing.assert_allclose(model.predict_proba(one)[0], every[at], rtol=0, atol=1e-12)


def noise_probes(seed, mismatches=True):
    """Arrays that differ in brightness, and classes that tell nothing of them."""
    data, sets = dataset(n=32, n_sets=20, seed=seed)
    bright = np.exp2(np.random.default_rng([seed, 2]).normal(size=(32, 1)))
    p = data.shape[1] if mismatches else len(sets)
    return Dataset((data.X * bright)[:, :p], data.y, data.feature_names[:p])


@pytest.mark.slow
def test_at_chance_in_noise():
    method = {"select": "moderated_t", "sizes": [2]}
    steps = {"rma": ["rma"], "detected": [{"name": "rma", "detected": 0.25}]}
    methods = [{"name": k, **method, "prepare": prepare} for k, prepare in steps.items()]
    assert not methods_off_chance(noise_probes, methods)
    polish = [{"name": "polish", **method, "prepare": ["log2", "median_polish"]}]
    assert not methods_off_chance(lambda seed: noise_probes(seed, False), polish)

"""Arrays of a saved model: the same beliefs to the bit, and refused where they are damaged."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from common.examples import settings
from common.folds import PLAN, made_up_table, same_beliefs
from common.saved import (
    DECISIONS,
    KEYS,
    LAYERED,
    RAW,
    RULED,
    decided,
    revive,
    revive_ruled,
    ruled,
    saved,
)
from tamis._core.errors import ModelError
from tamis.model import file as modelfile
from tamis.model.file import revived_predictor
from tamis.model.named_method import NamedMethod
from tamis.study import run_study


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.full
def test_a_predictor_read_back_believes_the_same(key):
    named, fitted, arrays, new = saved(key)
    again = revived_predictor(named, arrays, new.shape[1], key[1])
    same_beliefs(again.beliefs(new), fitted.beliefs(new), 0.0, str(key))
    assert {k: v.tolist() for k, v in again.to_arrays().items()} == {
        k: v.tolist() for k, v in arrays.items()
    }


@pytest.mark.parametrize("key", [*DECISIONS, *LAYERED], ids=str)
def test_a_decision_read_back_decides_the_same(key):
    _, fitted, arrays, new = decided(key)
    again = revive(key, arrays)
    ours, theirs = fitted.decide(new), again.decide(new)
    same_beliefs(ours.beliefs, theirs.beliefs)
    assert ours.labels.tolist() == theirs.labels.tolist()
    for i in range(len(new)):  # one row at a time
        one = again.decide(new.take(np.array([i])))
        assert one.labels.tolist() == ours.labels[i : i + 1].tolist()
        same_beliefs(one.beliefs, ours.beliefs.take(np.array([i])), 1e-12)


@pytest.mark.parametrize("key", RULED, ids=str)
def test_a_decision_that_declines_read_back_decides_the_same(key):
    *_, fitted, arrays, new, _ = ruled(key)
    again = revive_ruled(key, arrays)
    ours, theirs = fitted.decide(new), again.decide(new)
    same_beliefs(ours.beliefs, theirs.beliefs)
    assert ours.labels.tolist() == theirs.labels.tolist()
    assert ours.codes.tolist() == theirs.codes.tolist()
    assert ours.certainty.tolist() == theirs.certainty.tolist()
    assert ours.accepted[new.novelty > fitted.strange].sum() == 0
    assert {k: v.tolist() for k, v in again.to_arrays().items()} == {
        k: v.tolist() for k, v in arrays.items()
    }
    for i in range(len(new)):  # one row at a time
        one = again.decide(new.take(np.array([i])))
        assert one.labels.tolist() == ours.labels[i : i + 1].tolist()


@pytest.mark.parametrize("key", [k for k in RULED if k[1] == 2], ids=str)
def test_damaged_arrays_of_a_decision_that_declines_are_refused(key):
    *_, arrays, _, _ = ruled(key)
    for name in arrays:
        for damage in ALWAYS_WRONG:
            wrong = damaged(arrays, name, damage)
            refused(revive_ruled, key, wrong, why=(name, damage))


ALWAYS_WRONG = {
    "missing": None,
    "whole numbers": lambda a: a.astype(np.int64),
    "single precision": lambda a: a.astype(np.float32),
    "text": lambda a: a.astype(str),
    "objects": lambda a: a.astype(object),
    "a list": lambda a: a.tolist(),
    "one more axis": lambda a: a[None],
    "flat": lambda a: a.ravel() if a.ndim > 1 else a.reshape(-1, 1),
    "not a number": lambda a: put(a, a.size // 2, np.nan),
    "infinite": lambda a: put(a, 0, np.inf),
    "one more column": lambda a: np.concatenate([a, a[..., -1:]], axis=-1),
    "nothing": lambda a: a[:0],
}


def refused(revive, *arguments, why):
    """Asserts a `ModelError` of one line."""
    try:
        revive(*arguments)
        told = "nothing at all\n"
    except ModelError as error:
        told = str(error)
    assert "\n" not in told, why


def damaged(arrays, name, damage):
    change = ALWAYS_WRONG[damage]
    rest = {k: v for k, v in arrays.items() if k != name}
    with np.errstate(all="ignore"):
        return rest if change is None else {**rest, name: change(arrays[name])}


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_damaged_arrays_of_a_predictor_are_refused(key):
    named, _, arrays, new = saved(key)
    for name in arrays:
        for damage in ALWAYS_WRONG:
            wrong = damaged(arrays, name, damage)
            refused(revived_predictor, named, wrong, new.shape[1], key[1], why=(name, damage))
    others = [(new.shape[1], key[1] + 1)]
    if not any(word in key[0] for word in (*RAW, "irf", "constant")):
        others.append((new.shape[1] + 1, key[1]))  # those do not know how many columns there are
    for k, C in others:
        refused(revived_predictor, named, arrays, k, C, why=(k, C))


@pytest.mark.parametrize("key", [*DECISIONS, *LAYERED], ids=str)
def test_damaged_arrays_of_a_decision_are_refused(key):
    _, _, arrays, _ = decided(key)
    for name in arrays:
        for damage in ALWAYS_WRONG:
            wrong = damaged(arrays, name, damage)
            refused(revive, key, wrong, why=(name, damage))


WILD = {
    "negative": lambda a, i, v: -a,
    "huge": lambda a, i, v: a * 1e300,
    "zero": lambda a, i, v: a * 0,
    "halves": lambda a, i, v: a + 0.5,
    "turned": lambda a, i, v: np.roll(a, i, axis=0),
    "backwards": lambda a, i, v: a[::-1].copy(),
    "fewer rows": lambda a, i, v: a[: i % len(a)] if len(a) else a,
    "more rows": lambda a, i, v: np.concatenate([a, a[: 1 + i % 5]]),
    "one value": lambda a, i, v: put(a, i, v),
}


def put(a, i, value):
    a = a.copy()
    if a.size:
        a.flat[i % a.size] = value
    return a


def still_answers(revive, arrays, ask, shape):
    """Refused, or of use: nothing crashes, nothing goes on for ever."""
    with np.errstate(all="ignore"):
        try:
            found = revive(arrays)
        except ModelError:
            return
        assert ask(found).shape == shape


VALUES = [-1.0, 0.0, 1.0, 2.0, 1e6, 2.0**62, -(2.0**63), 2.0**64, 1e300, -1e300, 1e-300]
changes = st.lists(
    st.tuples(
        st.integers(0, 99),
        st.sampled_from(sorted(WILD)),
        st.integers(0, 10**6),
        st.sampled_from(VALUES),
    ),
    min_size=1,
    max_size=3,
)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(KEYS), changes)
def test_wild_arrays_of_a_predictor_are_refused_or_answer(key, wild):
    named, _, arrays, new = saved(key)
    arrays = dict(arrays)
    for which, how, i, value in wild:
        name = sorted(arrays)[which % len(arrays)]
        arrays[name] = WILD[how](arrays[name], i, value)
    still_answers(
        lambda a: revived_predictor(named, a, new.shape[1], key[1]),
        arrays,
        lambda found: found.beliefs(new).proba,
        (len(new), key[1]),
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=80)
@given(st.sampled_from([k for k in [*DECISIONS, *LAYERED] if decided(k)[2]]), changes)
def test_wild_arrays_of_a_decision_are_refused_or_answer(key, wild):
    _, _, arrays, new = decided(key)
    arrays = dict(arrays)
    for which, how, i, value in wild:
        name = sorted(arrays)[which % len(arrays)]
        arrays[name] = WILD[how](arrays[name], i, value)
    still_answers(
        lambda a: revive(key, a),
        arrays,
        lambda found: found.decide(new).beliefs.proba,
        (len(new), key[1]),
    )


def test_links_that_leave_their_tree_or_lead_back_are_refused():
    named, _, arrays, new = saved(("forest", 2))
    starts = arrays["starts"].astype(int)
    inner = [i for i in range(starts[1]) if arrays["children"][i, 0] >= 0]
    for node in inner:
        for target in (node, 0, starts[1], starts[-1] - 1, starts[-1], -1, -2):
            if target in arrays["children"][node] or node < target < starts[1]:
                continue
            children = arrays["children"].copy()
            children[node, 0] = target
            with pytest.raises(ModelError):
                revived_predictor(named, {**arrays, "children": children}, new.shape[1], 2)


def test_counts_that_do_not_add_up_are_refused():
    for C in (2, 4):
        named, _, arrays, new = saved(("svm_linear", C))
        for counts in (arrays["counts"] + 1, arrays["counts"] * 0, arrays["counts"] + 0.5):
            with pytest.raises(ModelError, match="'counts'"):
                revived_predictor(named, {**arrays, "counts": counts}, new.shape[1], C)


@pytest.mark.parametrize("label", ["c45", "c44 levels", "cost_weighted(c45)", "bagging(c45)"])
def test_a_node_has_the_rows_of_its_branches(label):
    named, _, arrays, new = saved((label, 2))
    name = next(k for k, array in arrays.items() if k.endswith("counts") and array.ndim == 2)
    for node in range(1, len(arrays[name])):
        for value in (0.5, 1e17, 1e308):
            counts = arrays[name].copy()
            counts[node, 0] = value
            with pytest.raises(ModelError, match="'counts'"):
                revived_predictor(named, {**arrays, name: counts}, new.shape[1], 2)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A bagged classifier and a fitted decision on the mixed table, from its file."""
    folder = tmp_path_factory.mktemp("model") / "s"
    bagging = {"name": "bagging", "of": "svm_linear", "grid": {"n_estimators": [2]}}
    method = {"select": "pearson", "sizes": [4], "recalibrate": "isotonic", "classify": bagging}
    run_study(made_up_table("mixed"), {**PLAN, "final": True, "method": [method]}, folder)
    return modelfile.load_model(folder / "model.npz")


def test_a_file_gives_back_the_model_to_the_bit(model, tmp_path):
    modelfile.save_model(model, tmp_path / "again")
    again = modelfile.load_model(tmp_path / "again")
    ours, theirs = model.decide(made_up_table("mixed")), again.decide(made_up_table("mixed"))
    same_beliefs(ours.beliefs, theirs.beliefs)
    assert ours.labels.tolist() == theirs.labels.tolist()
    modelfile.save_model(again, tmp_path / "third")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "third").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"made_by": NamedMethod("classify", "bagging(nothing)", {})},
        {"made_by": NamedMethod("classify", "tree", {})},
        {"made_by": NamedMethod("method", "pam", {})},
        {"made_by": NamedMethod("select", "pearson", {})},
        {"made_by": NamedMethod("classify", "bagging(svm_linear)", {"size": 3})},
        {"recalibrated_by": NamedMethod("recalibrate", "platt", {})},
        {"recalibrated_by": NamedMethod("recalibrate", "slope", {})},
        {"recalibrated_by": NamedMethod("recalibrate", "nothing", {})},
        {"recalibrated_by": NamedMethod("recalibrate", "isotonic", {"x": 1})},
        {"recalibrated_by": None},
        {"decided_by": NamedMethod("decide", "youden", {})},
        {"decided_by": NamedMethod("decide", "none", {})},
        {"classes": ("a", "b")},
        {"features": ("g0",)},
        {"medians": np.zeros(1)},
    ],
    ids=lambda change: json.dumps(str(change))[:50],
)
def test_parts_of_a_file_that_do_not_fit_are_refused(model, tmp_path, change):
    modelfile.save_model(replace(model, **change), tmp_path / "m")
    with pytest.raises(ModelError) as error:
        modelfile.load_model(tmp_path / "m")
    assert "\n" not in str(error.value)

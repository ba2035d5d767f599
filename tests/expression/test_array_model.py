"""The file of a saved RMA: what it keeps, and that a spoiled one is refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from expression.made_up import intensities, ragged_sets
from tamis._core.array_file import array_file, parsed_array_file
from tamis._core.bounded_zip import packed_members
from tamis._core.errors import DataError, ModelError
from tamis.expression import cel_arrays
from tamis.expression.array_model import ArrayModel
from tamis.expression.frozen_rma import FrozenRMA
from tamis.expression.probe_columns import ProbeColumns
from tamis.expression.reading.cel_file import CelFile

SHAPE = (20, 30)
KEYS = ["probes", "starts", "effects", "target", "pm", "background", "cells"]
numbers = st.sampled_from([0.0, -1.0, 0.5, 3.0, 1e9, 1e300, -1e300, np.nan, np.inf])
said = st.sampled_from([
    None, 0, -1, 10**30, 1.5, float("nan"), "", "a", True, [], [1], [3, 4], [-20, -30], [20.5, 30],
    [True, True], [[1], [2]], ["a"], [None], {}, {"a": 1},
])  # fmt: skip


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    labels = np.array(sorted(ragged_sets(12, rng, most=9)), dtype=object)
    q, columns = len(labels), ProbeColumns.in_order(labels)
    rma, values = FrozenRMA.learn(((row, row) for row in intensities(5, labels, rng)), columns)
    cells = rng.permutation(SHAPE[0] * SHAPE[1])[:q]
    return ArrayModel(rma, cells, SHAPE, "chip", values.probe_sets, 5)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("models") / "m.npz"


def array(seed=1, shape=SHAPE, chip="chip"):
    values = np.random.default_rng(seed).gamma(2, 100, shape).astype(np.float32) + 50
    return CelFile(values, chip, "", None, "4")


def content_of(model, path):
    """What the file holds: text, and arrays."""
    model.save(path)
    return parsed_array_file(path.read_bytes(), "it")


def load(text, arrays, path):
    path.write_bytes(array_file(text, arrays))
    return ArrayModel.load(path)


def refused_or_sound(text, arrays, path):
    """A file is refused in one line, or gives a value for each name of an array of its shape."""
    try:
        found = load(text, arrays, path)
    except ModelError as error:
        one_line(error)
        return
    try:
        values = found.values_of(array(shape=found.shape, chip=found.chip_type), "a.CEL")
    except DataError as error:  # one cell for all probes, as in no array, has no background
        one_line(error)
        return
    assert values.shape == found.probe_sets.shape


def one_line(error):
    assert "\n" not in str(error)


def test_what_is_read_back_gives_the_same_values(model, path):
    model.save(path)
    found = ArrayModel.load(path)
    cel = array()
    np.testing.assert_array_equal(found.values_of(cel, "a"), model.values_of(cel, "a"))
    np.testing.assert_array_equal(found.effects, model.effects)
    assert found.probe_sets.tolist() == model.probe_sets.tolist()
    with pytest.raises(DataError, match="'b' is an array of type other"):
        found.values_of(array(chip="other"), "b")


@pytest.mark.parametrize(
    ("chips", "last"), [(["", "one", "two"], "c"), (["one", "", "two"], "c"), (["one", "two"], "b")]
)
def test_types_are_not_mixed_though_a_file_does_not_say_its_own(monkeypatch, chips, last):
    """Several types have arrays of one shape."""
    told = dict(zip("abc", chips, strict=False))
    monkeypatch.setattr(cel_arrays, "read_cel", lambda file: array(chip=told[file.name]))
    with pytest.raises(DataError, match=f"'{last}' is an array of type two .* of one with 20 x 30"):
        list(cel_arrays.read_arrays(map(Path, told)))


@given(st.sampled_from(KEYS), st.integers(0, 200), numbers, st.sampled_from(["one", "all", "cut"]))
@settings(deadline=None, max_examples=30)
def test_spoiled_arrays(model, path, name, at, value, how):
    text, arrays = content_of(model, path)
    spoiled = arrays[name].copy()
    if how == "cut":
        spoiled = spoiled[: at % len(spoiled)]
    else:
        spoiled[slice(None) if how == "all" else at % len(spoiled)] = value
    refused_or_sound(text, {**arrays, name: spoiled}, path)


@given(st.sampled_from(["chip_type", "shape", "n_arrays", "probe_sets"]), said)
@settings(deadline=None, max_examples=30)
def test_spoiled_words(model, path, name, value):
    text, arrays = content_of(model, path)
    refused_or_sound({**text, name: value}, arrays, path)


@given(st.integers(0, 10**6), st.integers(0, 255))
@settings(deadline=None, max_examples=30)
def test_spoiled_bytes(model, path, at, value):
    model.save(path)
    data = bytearray(path.read_bytes())
    data[at % len(data)] = value
    path.write_bytes(data if value % 3 else data[: at % len(data)])
    try:
        ArrayModel.load(path)
    except ModelError as error:
        one_line(error)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text, _: text["probe_sets"].__setitem__(1, text["probe_sets"][0]), "sets"),
        (lambda text, _: text["probe_sets"].__setitem__(1, 5), "sets"),
        (lambda text, _: text["probe_sets"].pop(), "sets"),
        (lambda text, _: text.update(shape=[1, 1]), "cells"),
        (lambda text, _: text.update(shape=[-20, -30]), "shape"),
        (lambda text, _: text.update(shape=[20.5, 30]), "shape"),
        (lambda text, _: text.update(shape=[20]), "shape"),
        (lambda text, _: text.update(n_arrays=0), "shape"),
        (lambda text, _: text.update(n_arrays=True), "n_arrays"),
        (lambda text, _: text.update(chip_type="\x1b[31mred"), "chip_type"),
        (lambda text, _: text.pop("chip_type"), "chip_type"),
        (lambda _, arrays: arrays.pop("target"), "target"),
        (lambda text, _: text.update(kind="study"), "a study's model predicts by"),
        (lambda text, _: text.update(format=99), "its format is 99"),
        (lambda text, _: text.pop("format"), "no model that `tamis expression rma --save` wrote"),
    ],
)
def test_what_does_not_fit_is_named(model, path, change, words):
    text, arrays = content_of(model, path)
    change(text, arrays)
    with pytest.raises(ModelError, match=words):
        load(text, arrays, path)


def test_a_file_of_an_earlier_version_says_what_to_do(path):
    path.write_bytes(packed_members({"1.npy": b"", "schema.json": b"{}"}))
    with pytest.raises(ModelError, match="or its `tamis expression rma --save`, again"):
        ArrayModel.load(path)

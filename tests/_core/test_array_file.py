"""Files of arrays and text: what is written is read, by NumPy too, and nothing else is."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from common.examples import settings
from tamis._core.array_file import array_file, parsed_array_file
from tamis._core.bounded_zip import packed_members
from tamis._core.errors import ModelError

numbers = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False)
texts = st.recursive(
    numbers | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=8,
)
shapes = st.tuples(st.integers(0, 3), st.integers(0, 3))
some_arrays = st.dictionaries(
    st.text("abc/._ é", min_size=1, max_size=9),
    arrays(np.float64, shapes) | arrays(np.uint8, 5) | arrays(np.uint64, 2),
    max_size=4,
)


@given(st.dictionaries(st.text(), texts, max_size=4), some_arrays)
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read_by_numpy_too(text, own):
    written = array_file(text, own)
    np.testing.assert_equal(parsed_array_file(written, "it"), (text, own))
    with np.load(io.BytesIO(written), allow_pickle=False) as file:
        assert len(file.files) == len(own) + 1
        found = {f"{name}.npy": file.zip.read(f"{name}.npy") for name in own}
        assert found == {f"{name}.npy": array_of(value) for name, value in own.items()}
    assert array_file(text, own) == written


def array_of(value, **how):
    sink = io.BytesIO()
    np.lib.format.write_array(sink, value, **how)
    return sink.getvalue()


def test_a_view_of_an_array_is_written_as_it_is_seen():
    whole = np.arange(12.0).reshape(3, 4)
    for one in (whole.T, whole[:, ::2], np.asfortranarray(whole)):
        _, found = parsed_array_file(array_file({}, {"a": one}), "it")
        np.testing.assert_array_equal(found["a"], one)
        found["a"][0] = 7.0  # and may be written to


def test_an_object_is_refused():
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        array_file({}, {"a": np.array([{}])})
    with pytest.raises(TypeError):
        array_file({"a": object()}, {})


def file_with(**more):
    return packed_members({"model.json": b"{}", **more})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no array",
        array_of(np.zeros(3))[:-1],
        array_of(np.zeros(3)) + b"x",
        array_of(np.zeros((2, 3), order="F")),
        array_of(np.zeros(3), version=(2, 0)),
        array_of(np.array([{}]), allow_pickle=True),
        *(array_of(np.zeros(3, dtype=kind)) for kind in (">f8", "f4", "i8", "S8", "c16", "f8,i4")),
        *(
            array_of(np.zeros(3)).replace(b"(3,)", shape)
            for shape in (b"(9,)", b"(-3,)", b"(3e0,)", b"(1_000_000_000_000,)", b"[3]")
        ),
    ],
)
def test_a_member_that_is_no_such_array_is_refused(data):
    with pytest.raises(ValueError, match=r"."):
        parsed_array_file(file_with(**{"a.npy": data}), "it")


@pytest.mark.parametrize("name", ["a", "a.npz", "a.npy/", "more.json", "../../model.json"])
def test_members_that_are_no_arrays_are_refused_by_name(name):
    with pytest.raises(ModelError, match=r"it holds '.*', and not arrays and text alone"):
        parsed_array_file(file_with(**{name: b"x"}), "it")


def test_text_that_is_missing_or_no_object_is_refused():
    with pytest.raises(ModelError, match=r"it is a zip file without 'model.json'"):
        parsed_array_file(packed_members({"a.npy": array_of(np.zeros(3))}), "it")
    for text in (b"[]", b"{", b"\xff"):
        with pytest.raises(ValueError, match=r"."):
            parsed_array_file(packed_members({"model.json": text}), "it")


def test_a_file_of_an_earlier_version_says_what_to_do():
    import skops.io

    earlier = skops.io.dumps({"format": 8, "a": np.zeros(3)})
    assert "schema.json" in zipfile.ZipFile(io.BytesIO(earlier)).namelist()
    with pytest.raises(
        ModelError, match="earlier version of Tamis: run its `tamis study`"
    ) as error:
        parsed_array_file(earlier, "it")
    assert "\n" not in str(error.value)

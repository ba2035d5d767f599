"""Files of arrays and text: skops reads what we write, and we read what skops writes."""

from __future__ import annotations

import numpy as np
import pytest
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tamis._core.plain_content import plain_bytes, plain_content

numbers = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False)
values = st.recursive(
    numbers | st.text() | arrays(np.float64, st.tuples(st.integers(0, 3), st.integers(0, 3))),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), values, max_size=4))
@settings(max_examples=100, deadline=None)
def test_skops_reads_what_is_written_and_the_other_way_round(content):
    written = plain_bytes(content)
    for found in (
        plain_content(written, "it"),
        skops.io.loads(written),
        plain_content(skops.io.dumps(content), "it"),
    ):
        np.testing.assert_equal(found, content)
    assert plain_bytes(content) == written


def test_numpys_numbers_are_numbers():
    assert plain_content(plain_bytes({"a": np.int64(3), "b": (np.float64(0.5),)}), "it") == {
        "a": 3, "b": [0.5],
    }  # fmt: skip


def test_an_object_is_refused():
    with pytest.raises(TypeError):
        plain_bytes({"a": object()})

"""Cells of many samples are compressed, and read back to the bit; small ones stay as they were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from common.examples import settings
from tamis._core.interfaces import Beliefs
from tamis.study.protocol import cellfile
from tamis.study.protocol.cellfile import Entry, decode_cell, encode_cell
from tamis.study.protocol.packed_lists import (
    by_place_of_byte,
    from_place_of_byte,
    packed_beliefs,
    packed_rows,
    unpacked_beliefs,
    unpacked_rows,
)


def entry_of(proba: np.ndarray, inner: np.ndarray, candidate: int, margin: bool = False) -> Entry:
    first, inside = (Beliefs(one, np.log(one + 1e-3) if margin else None) for one in (proba, inner))
    return Entry("one", candidate, "lda", "{}", 3, candidate, "x", np.arange(3), first, inside)


def noise_cell(n: int, n_classes: int, margin: bool = False) -> tuple[bytes, list, list]:
    """A cell of two candidates, its entries and test rows."""
    rng = np.random.default_rng(n)
    probas = []
    for rows in (n // 5, n):
        last = rng.random((rows, n_classes - 1)) / n_classes
        probas.append(np.column_stack([1.0 - last.sum(axis=1), last]))
    entries = [entry_of(*probas, k, margin) for k in range(2)]
    inner_rows = rng.permutation(n)
    tests = [np.arange(n // 5), np.sort(inner_rows[: n // 2]), np.sort(inner_rows[n // 2 :])]
    return encode_cell(entries, tests), entries, tests


@settings(max_examples=40)
@given(arrays(st.sampled_from([np.float64, np.int32]), array_shapes(max_dims=1, max_side=30)))
def test_bytes_by_their_place_are_turned_back(values):
    stored = by_place_of_byte(values)
    plain = [
        values[i : i + 1].tobytes()[k] for k in range(values.itemsize) for i in range(len(values))
    ]
    assert stored.tobytes() == bytes(plain)
    assert from_place_of_byte(stored).tobytes() == values.tobytes()


@settings(max_examples=40)
@given(arrays(np.float64, st.integers(0, 20).map(lambda n: 2 * n)), st.booleans())
def test_beliefs_of_any_bits_are_turned_back(values, complement):
    if complement:
        values[::2] = 1.0 - values[1::2]
    ends = np.array([0, len(values) // 2 // 2 * 2, len(values)], np.int32)
    stored, halved = packed_beliefs((values, ends), True)
    back, back_ends = unpacked_beliefs(stored, halved)
    assert back.tobytes() == values.tobytes()
    assert back_ends.tolist() == ends.tolist()
    if complement and not np.isnan(values).any():
        assert halved
        assert len(stored[0]) == len(values) // 2


def test_a_pair_that_is_no_complement_is_stored_in_full():
    values, ends = np.array([0.3, 0.7 + 1e-16 * 2]), np.array([0, 2], np.int32)
    _, halved = packed_beliefs((values, ends), True)
    assert not halved
    minus_zero = np.array([-0.0, 1.0])  # 1 - 1 is 0, which has other bits
    stored, halved = packed_beliefs((minus_zero, ends), True)
    assert not halved
    assert unpacked_beliefs(stored, halved)[0].tobytes() == minus_zero.tobytes()


def test_rows_of_other_sizes_are_refused():
    stored = packed_rows([np.array([3, 9]), np.array([1])])
    with pytest.raises(ValueError, match="other sizes"):
        unpacked_rows(stored, [2, 2])


@pytest.mark.parametrize(("n_classes", "margin"), [(2, False), (2, True), (5, True)])
def test_a_large_cell_is_smaller_and_has_the_same_bits(n_classes, margin, monkeypatch):
    n = 2 * cellfile.MIN_PACKED_VALUES // n_classes
    small, entries, tests = noise_cell(n, n_classes, margin)
    assert small == encode_cell(entries, tests)
    monkeypatch.setattr(cellfile, "MIN_PACKED_VALUES", 1 << 62)
    large = encode_cell(entries, tests)
    assert len(small) < (0.5 if n_classes == 2 and not margin else 0.92) * len(large)
    found, plain = decode_cell(small), decode_cell(large)
    assert list(found.lists) == list(plain.lists)
    for name, (values, ends) in plain.lists.items():
        assert found.lists[name][0].tobytes() == values.tobytes()
        assert found.lists[name][1].tobytes() == ends.tobytes()
    for rows, own, given_rows in zip(found.tests, plain.tests, tests, strict=True):
        assert rows.dtype == own.dtype == np.int64
        assert rows.tolist() == own.tolist() == given_rows.tolist()


def test_a_small_cell_is_as_it_was():
    content, _, _ = noise_cell(40, 2)
    assert b"packed" not in content
    assert b'"tests"' in content or b"tests" in content
    assert decode_cell(content).tests[0].tolist() == list(range(8))

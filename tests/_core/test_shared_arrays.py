"""Large arrays that workers map: one copy for all, which nobody changes for the others."""

from __future__ import annotations

import gc
import os
import sys

import numpy as np
import pytest

from tamis._core import shared_arrays
from tamis._core.shared_arrays import (
    MIN_SHARED_BYTES,
    empty_table,
    in_shared_memory,
    shared_value,
    taken_value,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no such memory elsewhere")


def large_table() -> np.ndarray:
    n = MIN_SHARED_BYTES // 80 + 2
    return np.arange(10.0 * n).reshape(n, 10)


@pytest.mark.quick
def test_a_shared_table_is_not_written_again():
    plain = large_table()
    X = in_shared_memory(plain)
    assert X is not plain
    assert X.flags.c_contiguous
    assert X.flags.writeable
    assert np.array_equal(X, plain)
    value = {"X": X, "other": np.arange(1000.0), "text": "x", "none": np.zeros(0)}
    with shared_value(value) as place:
        path, start = place.split(":")
        assert int(start) < os.stat(path).st_size < 20_000  # but for the table
        found = taken_value(place)
        assert taken_value(place) is found
        assert found["X"].tobytes() == plain.tobytes()
        assert found["other"].tolist() == list(range(1000))
        assert found["none"].shape == (0,)
        assert found["text"] == "x"
        found["X"][0, 0] = found["other"][0] = -5.0
        assert X[0, 0] == value["other"][0] == 0.0
    assert not os.path.exists(path) or "tamis" not in os.readlink(path)


@pytest.mark.longer
def test_a_table_of_another_kind_is_written():
    plain = large_table()
    turned, part = np.asfortranarray(plain), in_shared_memory(plain)[:-1]
    assert in_shared_memory(turned) is turned
    with shared_value([turned, part, plain[::2]]) as place:
        found = taken_value(place)
        assert found[0].flags.f_contiguous
        for one, expected in zip(found, (turned, part, plain[::2]), strict=True):
            assert np.array_equal(one, expected)


def test_files_in_memory_are_closed_with_their_arrays():
    gc.collect()  # what other tests have left
    before, n_open = dict(shared_arrays._files), len(os.listdir("/proc/self/fd"))
    X = in_shared_memory(large_table())
    assert len(shared_arrays._files) == len(before) + 1
    row = X[0]
    del X
    gc.collect()
    assert row[1] == 1.0  # which needs it
    assert len(shared_arrays._files) == len(before) + 1
    del row
    gc.collect()
    assert shared_arrays._files == before
    assert len(os.listdir("/proc/self/fd")) == n_open


def test_room_for_a_table_is_shared_where_workers_wait(monkeypatch):
    shape = large_table().shape
    assert shared_arrays._shared_file(empty_table(shape).data) is None
    monkeypatch.setattr(shared_arrays, "is_started", lambda: True)
    X = empty_table(shape)
    assert X.shape == shape
    assert X.dtype == np.float64
    assert shared_arrays._shared_file(X.data) is not None
    assert in_shared_memory(X) is X
    assert shared_arrays._shared_file(empty_table((3, 3)).data) is None  # which is small
    with shared_value(X[:1]) as place:  # begins where X does
        assert int(place.split(":")[1]) >= X[:1].nbytes


def test_without_room_the_array_stays_as_it_is(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    gc.collect()
    n_open = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(os, "posix_fallocate", full)
    X = large_table()
    assert in_shared_memory(X) is X
    assert len(os.listdir("/proc/self/fd")) == n_open

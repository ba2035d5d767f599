"""How much a stream of Arrow unpacks to is known before it is unpacked."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pytest

from tamis._core.bounded_arrow import read_bounded_stream, unpacked_size


def stream(table, compression=None):
    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(sink, table.schema, options=options) as file:
        file.write_table(table)
    return pa.py_buffer(sink.getvalue())


TABLE = pa.table(
    {
        "n": np.arange(1000),
        "text": ["some text"] * 1000,
        "gaps": pa.array([None, 1.5] * 500),
        "lists": pa.array([[1, 2], []] * 500),
        "flags": pa.array([True, None] * 500),
    }
)


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_it_is_what_its_buffers_have(compression):
    content = stream(TABLE, compression)
    assert read_bounded_stream(content, content.size).equals(TABLE)
    sizes = sum(b.size for column in TABLE.columns for b in column.chunk(0).buffers() if b)
    assert abs(unpacked_size(content) - sizes) <= 8 * 64  # buffers are filled up
    assert unpacked_size(stream(TABLE)) >= unpacked_size(content)


@pytest.mark.parametrize("compression", ["zstd", "lz4"])
def test_what_unpacks_to_much_is_not_unpacked(compression):
    content = stream(pa.table({"n": np.zeros(8 << 20)}), compression)
    assert content.size < 1 << 20
    assert unpacked_size(content) == 64 << 20
    before = pa.total_allocated_bytes()
    with pytest.raises(ValueError, match="unpacks to more than it may"):
        read_bounded_stream(content, content.size)
    assert pa.total_allocated_bytes() - before < 1 << 20


def test_columns_without_buffers_count():
    content = stream(pa.table({"nothing": pa.Array.from_buffers(pa.null(), 1 << 30, [None])}))
    with pytest.raises(ValueError, match="unpacks to more than it may"):
        read_bounded_stream(content, content.size)


def test_dictionaries_are_no_part_of_what_is_written():
    table = pa.table({"a": pa.array(["x", "y"]).dictionary_encode()})
    with pytest.raises(ValueError, match="a message of type dictionary"):
        unpacked_size(stream(table))


def test_damage_is_a_value_error():
    content = stream(TABLE, "zstd").to_pybytes()
    rng = np.random.default_rng(0)
    for at in rng.integers(0, len(content), 300):
        damaged = bytearray(content)
        damaged[at] ^= int(rng.integers(1, 256))
        try:
            read_bounded_stream(pa.py_buffer(bytes(damaged)), len(content)).validate(full=True)
        except (ValueError, OSError, pa.ArrowException):
            continue

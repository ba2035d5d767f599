"""Arrow's arrays from and to NumPy's, by their buffers: `pa.array`, `pa.scalar` and `to_numpy`
import pandas, which takes longer than reading most tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

MAX_MATRIX_VALUES = 1 << 20  # in one matrix: 8 MB at most


def numbers_of(array: Any) -> np.ndarray:
    """Numbers or booleans (n,) of an Arrow array or column; where some are missing, as float64 with
    NaN.

    Examples
    --------
    >>> numbers_of(pa.array([3, 1, 2])[1:]).tolist(), numbers_of(pa.array([True, None])).tolist()
    ([1, 2], [1.0, nan])
    """
    if isinstance(array, pa.ChunkedArray):
        chunks = [numbers_of(chunk) for chunk in array.chunks]
        if len(chunks) == 1:
            return chunks[0]
        return np.concatenate([*chunks, np.empty(0, array.type.to_pandas_dtype())])
    n, is_bool = len(array), pa.types.is_boolean(array.type)
    if array.null_count:
        known = numbers_of(array.is_valid())
        found = np.full(n, np.nan)
        found[known] = numbers_of(array.drop_null())
        return found
    if is_bool:
        return numbers_of(array.cast(pa.uint8())).view(bool)
    kind = np.dtype(array.type.to_pandas_dtype())
    if not n:
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind, n, array.offset * kind.itemsize)


def matrices_of(table: pa.Table) -> Iterator[np.ndarray]:
    """A table of numbers or booleans (n, k) as matrices of its rows, float32 where that is exact,
    else float64; NaN is missing.

    All columns at once: one by one they take longer than to read.

    Examples
    --------
    >>> [part.tolist() for part in matrices_of(pa.table({"a": [1, None], "b": [True, False]}))]
    [[[1.0, 1.0], [nan, 0.0]]]
    """
    for batch in plain_numbers(table).to_batches(
        max(1, MAX_MATRIX_VALUES // max(1, table.num_columns))
    ):
        yield batch.to_tensor(null_to_nan=True).to_numpy()


def plain_numbers(table: pa.Table) -> pa.Table:
    """The table with columns of whole numbers, float32 and float64 only.

    Examples
    --------
    >>> plain_numbers(pa.table({"a": [True, None]})).column("a").to_pylist()
    [1, None]
    """
    kinds = table.schema.types
    wider = {kind.id: _wider_kind(kind) for kind in {k.id: k for k in kinds}.values()}
    for k, kind in enumerate(kinds if any(wider.values()) else ()):
        if (new := wider[kind.id]) is not None:
            table = table.set_column(k, table.field(k).name, table.column(k).cast(new))
    return table


def _wider_kind(kind: pa.DataType) -> pa.DataType | None:
    """What a type is cast to; None where it is a number that tensors hold."""
    if pa.types.is_boolean(kind):
        return pa.uint8()
    halves = pa.types.is_float16(kind)  # Arrow's tensors mix them with nothing else
    plain = pa.types.is_floating(kind) or pa.types.is_integer(kind)
    return pa.float64() if halves or not plain else None


def arrow_numbers(values: np.ndarray) -> pa.Array:
    """An Arrow array of numbers or booleans (n,), none of them missing.

    Examples
    --------
    >>> arrow_numbers(np.array([1.5, 2.0])).to_pylist(), arrow_numbers(np.array([True])).to_pylist()
    ([1.5, 2.0], [True])
    """
    bits = values.dtype == bool
    data = np.packbits(values, bitorder="little") if bits else np.ascontiguousarray(values)
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(data)])


def defined_numbers(values: np.ndarray) -> pa.Array:
    """An Arrow array of float64 (n,), missing where they are NaN.

    Examples
    --------
    >>> defined_numbers(np.array([1.5, np.nan])).to_pylist()
    [1.5, None]
    """
    known = np.packbits(~np.isnan(values), bitorder="little")
    buffers = [pa.py_buffer(known), pa.py_buffer(np.ascontiguousarray(values))]
    return pa.Array.from_buffers(pa.float64(), len(values), buffers)


def arrow_texts(texts: Iterable[str]) -> pa.Array:
    """An Arrow array of texts, none of them missing.

    Examples
    --------
    >>> arrow_texts(["a", "", "ß"]).to_pylist()
    ['a', '', 'ß']
    """
    parts = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, parts)])
    if ends[-1] >= 1 << 31:
        raise pa.ArrowInvalid("2 GB of texts, more than an array of Arrow can have")
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(parts))]
    return pa.Array.from_buffers(pa.string(), len(parts), buffers)


def arrow_table(columns: Mapping[str, np.ndarray | pa.Array]) -> pa.Table:
    """An Arrow table of arrays of either, by their names.

    Examples
    --------
    >>> arrow_table({"n": np.array([1, 2]), "name": arrow_texts("ab")}).to_pylist()
    [{'n': 1, 'name': 'a'}, {'n': 2, 'name': 'b'}]
    """
    arrays = [
        arrow_numbers(one) if isinstance(one, np.ndarray) else one for one in columns.values()
    ]
    return pa.Table.from_arrays(arrays, names=list(columns))

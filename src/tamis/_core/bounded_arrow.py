"""Arrow streams that unpack to no more than their size allows, which is known before anything of
them is unpacked.

Each packed buffer says how long it becomes, and where buffers lie says the message of a batch, a
FlatBuffer (Arrow's format/Message.fbs and Schema.fbs), of which pyarrow shows the bytes alone.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from .bounded_zip import unpacked_allowance

if TYPE_CHECKING:
    import pyarrow as pa

HEADER_FIELD = 2  # fields of a message, and of a batch, by their numbers
NODES_FIELD, BUFFERS_FIELD, COMPRESSION_FIELD = 1, 2, 3
UNCOMPRESSED_LENGTH = -1  # in place of the length of a buffer that packing would not shorten


def read_bounded_stream(content: pa.Buffer, size: int) -> pa.Table:
    """The table of a stream of batches.

    Parameters
    ----------
    content : pyarrow.Buffer
        What comes behind the stream is not read.
    size : int
        Bytes of the file that it is of: see `unpacked_allowance`.

    Raises
    ------
    ValueError
        It would unpack to more, or is none that pyarrow reads.

    Examples
    --------
    >>> import io
    >>> import pyarrow as pa
    >>> sink, table = io.BytesIO(), pa.table({"a": [1, 2]})
    >>> with pa.ipc.new_stream(sink, table.schema) as file:
    ...     file.write_table(table)
    >>> read_bounded_stream(pa.py_buffer(sink.getvalue()), 0).to_pydict()
    {'a': [1, 2]}
    """
    import pyarrow as pa

    if unpacked_size(content) > unpacked_allowance(size):
        raise ValueError("it unpacks to more than it may")
    options = pa.ipc.IpcReadOptions(use_threads=False)
    return pa.ipc.open_stream(content, options=options).read_all()


def unpacked_size(content: pa.Buffer) -> int:
    """Bytes that the buffers of a stream have once they are unpacked; at least a byte a value, so
    that columns without buffers count, too.

    Raises
    ------
    ValueError
        It is no stream of a schema and batches alone.
    """
    import pyarrow as pa

    size = 0
    for message in pa.ipc.MessageReader.open_stream(content):
        if message.type == "record batch":
            size += _batch_size(memoryview(message.metadata), message.body)
        elif message.type != "schema":
            raise ValueError(f"a message of type {message.type}")
    return size


def _batch_size(message: memoryview, body: Any) -> int:
    try:
        root = _number(message, 0)
        batch = _pointed(message, _field(message, root, HEADER_FIELD))
        values = sum(length for length, _ in _pairs(message, _field(message, batch, NODES_FIELD)))
        packed = _field(message, batch, COMPRESSION_FIELD) != 0
        content = memoryview(b"" if body is None else body)
        buffers = 0
        for start, length in _pairs(message, _field(message, batch, BUFFERS_FIELD)):
            size = (
                struct.unpack_from("<q", content, start)[0]
                if packed and length
                else UNCOMPRESSED_LENGTH
            )
            if size < UNCOMPRESSED_LENGTH or length < 0:
                raise ValueError("a buffer of negative length")
            buffers += length if size == UNCOMPRESSED_LENGTH else size
    except struct.error as error:
        raise ValueError("a batch that is cut short") from error
    return max(values, buffers)


def _field(data: memoryview, table: int, number: int) -> int:
    """Where a field of a table is; 0 if it has none."""
    offsets = table - struct.unpack_from("<i", data, table)[0]
    (end,) = struct.unpack_from("<H", data, offsets)
    at = 4 + 2 * number
    offset = struct.unpack_from("<H", data, offsets + at)[0] if at < end else 0
    return table + offset if offset else 0


def _pairs(data: memoryview, field: int) -> list[tuple[int, int]]:
    """A list of structures of two 64-bit numbers; none, if there is no such field."""
    if not field:
        return []
    start = _pointed(data, field)
    n = _number(data, start)
    found = struct.unpack_from(f"<{2 * n}q", data, start + 4) if 16 * n < len(data) else None
    if found is None:
        raise ValueError("a list longer than what holds it")
    return list(zip(found[::2], found[1::2], strict=True))


def _pointed(data: memoryview, at: int) -> int:
    return at + _number(data, at)


def _number(data: memoryview, at: int) -> int:
    number: int = struct.unpack_from("<I", data, at)[0]
    return number

"""Files of arrays and text: an npz, which `numpy.load` opens, and in it one member of JSON, which
has all that is no array. Nothing in it is a pickle, and no array is longer than its bytes."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from typing import cast

import numpy as np

from .arrays import unfit_part_error
from .bounded_zip import Members, zipped_members
from .checked_json import Content, first_misfit
from .errors import ModelError, value_text
from .interfaces import Arrays
from .skops_bytes import SCHEMA_NAME

TEXT_NAME, ARRAY_ENDING = "model.json", ".npy"
NPY_VERSION = (1, 0)  # of NumPy's format
# that a file may have
ALLOWED_DTYPES = [np.dtype(kind) for kind in (np.float64, np.uint8, np.uint64)]


def array_file(text: Mapping[str, object], arrays: Arrays) -> bytes:
    """The bytes of a file, which follow from its content.

    Parameters
    ----------
    text : mapping
        As JSON has it.
    arrays : mapping of name to ndarray
        Of `ALLOWED_DTYPES`.

    Examples
    --------
    >>> content = array_file({"of": "an example"}, {"some/values": np.zeros(2)})
    >>> parsed_array_file(content, "it")
    ({'of': 'an example'}, {'some/values': array([0., 0.])})
    >>> with np.load(io.BytesIO(content), allow_pickle=False) as file:
    ...     file["some/values"]
    array([0., 0.])
    """
    written = json.dumps(text, sort_keys=True, separators=(",", ":")).encode()
    return zipped_members(
        {TEXT_NAME: written, **{f"{k}{ARRAY_ENDING}": _array_bytes(v) for k, v in arrays.items()}}
    )


def _array_bytes(array: np.ndarray) -> bytes:
    sink = io.BytesIO()
    values = np.ascontiguousarray(array)
    np.lib.format.write_array(sink, values, NPY_VERSION, allow_pickle=False)
    return sink.getvalue()


def parsed_array_file(content: bytes, what: str) -> tuple[dict[str, object], Arrays]:
    """The text of a file and its arrays, by name.

    Parameters
    ----------
    content : bytes
    what : str
        For messages: what it is.

    Raises
    ------
    ModelError
        It has no text, holds anything else, would unpack to too much, or is of an earlier version.
    ValueError
        The text is no JSON object, or an array is none.
    """
    members = Members(content, what)
    if TEXT_NAME not in members.names and SCHEMA_NAME in members.names:
        raise ModelError(
            f"{what} was written by an earlier version of Tamis: run its `tamis study`, or its "
            "`tamis expression rma --save`, again"
        )
    if TEXT_NAME not in members.names:
        raise ModelError(
            f"{what} is a zip file without {TEXT_NAME!r}, which every file of a model has: Tamis "
            "did "
            "not write it"
        )
    text = json.loads(members.read(TEXT_NAME))
    if not isinstance(text, dict):
        raise ValueError("no object")
    names = [name for name in members.names if name != TEXT_NAME]
    foreign = [name for name in names if not name.endswith(ARRAY_ENDING)]
    if foreign:
        raise ModelError(
            f"{what} holds {value_text(foreign[0])}, and not arrays and text alone: it "
            "was not loaded"
        )
    return text, {name.removesuffix(ARRAY_ENDING): _array_of(members.read(name)) for name in names}


def checked_text(text: Mapping[str, object], kind: type[Content]) -> Content:
    """The text of a file as it is, if all of it is of a type (a TypedDict).

    Raises
    ------
    ModelError
        A part is missing or of another type; it is named.
    """
    if misfit := first_misfit(text, kind):
        parts, _ = misfit
        raise unfit_part_error(str(parts[0]))
    return cast(Content, text)


def _array_of(data: bytes) -> np.ndarray:
    """An array from bytes in NumPy's format; what its shape says is held against its bytes."""
    stream = io.BytesIO(data)
    if np.lib.format.read_magic(stream) != NPY_VERSION:
        raise ValueError("an array of another version")
    shape, columnwise, dtype = np.lib.format.read_array_header_1_0(stream)
    start = stream.tell()
    fits = math.prod(shape) * dtype.itemsize == len(data) - start
    if columnwise or dtype not in ALLOWED_DTYPES or not fits:
        raise ValueError(f"an array of {dtype}")
    return np.frombuffer(data, dtype, offset=start).reshape(shape).copy()

"""A skops file that holds dictionaries, lists, text, numbers and arrays alone, read by ourselves:
no class named in it is imported, and no array is longer than its bytes."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import numpy as np

from .errors import ModelError, value_text
from .skops_bytes import DEEPEST, Members

DTYPES = [np.dtype(kind) for kind in (np.float64, np.uint8, np.uint64)]  # that a file may have
DICT, LIST, ARRAY = ("builtins", "dict"), ("builtins", "list"), ("numpy", "ndarray")
LOADERS = {DICT: "DictNode", LIST: "ListNode", ARRAY: "NdArrayNode"}


def plain_content(content: bytes, what: str) -> Any:
    """The values of a file.

    Raises
    ------
    ModelError
        It holds anything else, or would unpack to too much.
    """
    members = Members(content, what)
    return _value(members.schema, members, what, DEEPEST)


def _value(node: Any, members: Members, what: str, deeper: int) -> Any:
    kind, loader = (node["__module__"], node["__class__"]), node["__loader__"]
    if loader == "JsonNode" and kind == ("builtins", "str"):
        value = json.loads(node["content"])
        if not isinstance(value, dict | list):
            return value
    elif LOADERS.get(kind) == loader and deeper:
        if kind == DICT:
            inside = node["content"].items()
            return {key: _value(one, members, what, deeper - 1) for key, one in inside}
        if kind == LIST:
            return [_value(one, members, what, deeper - 1) for one in node["content"]]
        if node["type"] == "numpy":
            return array_of(members.take(node["file"]))
    raise ModelError(
        f"{what} holds {value_text(kind[1])} of {value_text(kind[0])}, and not arrays and text "
        "alone: it was not loaded; models of earlier versions have to be made anew"
    )


def array_of(data: bytes) -> np.ndarray:
    """An array from bytes in NumPy's format, of a type that files may have.

    Raises
    ------
    ValueError
        Anything else; what its shape says is held against its bytes.
    """
    stream = io.BytesIO(data)
    major, _ = np.lib.format.read_magic(stream)
    if major == 1:
        shape, columnwise, dtype = np.lib.format.read_array_header_1_0(stream)
    else:
        shape, columnwise, dtype = np.lib.format.read_array_header_2_0(stream)
    start = stream.tell()
    if dtype not in DTYPES or math.prod(shape) * dtype.itemsize != len(data) - start:
        raise ValueError(f"an array of {dtype}")
    flat = np.frombuffer(data, dtype, offset=start)
    return np.array(flat.reshape(shape, order="F" if columnwise else "C"), order="C")

"""A skops file that holds dictionaries, lists, text, numbers and arrays alone, read and written by
ourselves: no class named in it is imported, and no array is longer than its bytes. `skops` itself
loads every estimator of scikit-learn, which takes two seconds."""

from __future__ import annotations

import io
import json
import math
from itertools import count
from typing import Any

import numpy as np

from .errors import ModelError, value_text
from .skops_bytes import DEEPEST, SCHEMA, Members, zipped
from .versions import versions

PROTOCOL = 2  # of skops' schema
DTYPES = [np.dtype(kind) for kind in (np.float64, np.uint8, np.uint64)]  # that a file may have
DICT, LIST, ARRAY = ("builtins", "dict"), ("builtins", "list"), ("numpy", "ndarray")
TEXT = ("builtins", "str")
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


def plain_bytes(value: Any) -> bytes:
    """A skops file of dictionaries with text for keys, lists, text, numbers, None and arrays.

    The bytes follow from the content. `skops.io.load` reads it, too.

    Examples
    --------
    >>> plain_content(plain_bytes({"a": [1, None, "b"], "c": np.zeros(2)}), "an example")
    {'a': [1, None, 'b'], 'c': array([0., 0.])}
    """
    members: dict[str, bytes] = {}
    numbers = count(1)

    def node(kind: tuple[str, str], loader: str, **more: Any) -> dict[str, Any]:
        names = {"__class__": kind[1], "__module__": kind[0], "__loader__": loader}
        return {**names, **more, "__id__": next(numbers)}

    def of(one: Any) -> dict[str, Any]:
        if isinstance(one, dict):
            inside = {str(key): of(each) for key, each in one.items()}
            keys = [node(TEXT, "TypeNode") for _ in one]
            types = node(LIST, LOADERS[LIST], content=keys)
            return node(DICT, LOADERS[DICT], content=inside, key_types=types)
        if isinstance(one, list | tuple):
            return node(LIST, LOADERS[LIST], content=[of(each) for each in one])
        if isinstance(one, np.ndarray):
            stream = io.BytesIO()
            np.save(stream, one, allow_pickle=False)
            name = f"{len(members) + 1}.npy"
            members[name] = stream.getvalue()
            return node(ARRAY, LOADERS[ARRAY], type="numpy", file=name)
        plain = one.item() if isinstance(one, np.generic) else one
        return node(TEXT, "JsonNode", content=json.dumps(plain), is_json=True)

    schema = {**of(value), "protocol": PROTOCOL, "_skops_version": versions()["skops"]}
    return zipped({**members, SCHEMA: json.dumps(schema).encode()})


def _value(node: Any, members: Members, what: str, deeper: int) -> Any:
    kind, loader = (node["__module__"], node["__class__"]), node["__loader__"]
    if loader == "JsonNode" and kind == TEXT:
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

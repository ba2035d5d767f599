"""Whether a value is of the types that a TypedDict says, and what is not."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from typing_extensions import is_typeddict

from tamis.metrics import METRICS
from tamis.study.results.schema import FoldEntry


def faults(value: Any, kind: Any, at: str = "") -> Iterator[str]:
    """One line for each key that is missing, unknown, or of another type."""
    origin, inside = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        if kind is FoldEntry:
            hints |= dict.fromkeys(METRICS, float | None)
        if not isinstance(value, dict):
            yield f"{at}: {value!r} is no {kind.__name__}"
            return
        yield from (f"{at}.{key}: unknown" for key in value.keys() - hints.keys())
        for key, hint in hints.items():
            optional = get_origin(hint) is NotRequired
            if key in value:
                yield from faults(
                    value[key], get_args(hint)[0] if optional else hint, f"{at}.{key}"
                )
            elif not optional:
                yield f"{at}.{key}: missing"
    elif origin is list:
        if not isinstance(value, list):
            yield f"{at}: {value!r} is no list"
            return
        for i, item in enumerate(value):
            yield from faults(item, inside[0], f"{at}[{i}]")
    elif origin is dict:
        if not isinstance(value, dict):
            yield f"{at}: {value!r} is no dictionary"
            return
        for key, item in value.items():
            yield from faults(key, inside[0], f"{at} key")
            yield from faults(item, inside[1], f"{at}[{key!r}]")
    elif origin in (Union, types.UnionType):
        if all(any(True for _ in faults(value, one)) for one in inside):
            yield f"{at}: {value!r} is none of {kind}"
    elif origin is Literal:
        if value not in inside:
            yield f"{at}: {value!r} is not in {inside}"
    elif kind not in (Any, object):
        allowed = {float: (float, int), None: type(None)}.get(kind, kind)
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            yield f"{at}: {value!r} is no {kind}"


def keys_of(kind: Any) -> set[str]:
    """Keys of a TypedDict and of all that is inside."""
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        return set(hints).union(*map(keys_of, hints.values()))
    return set().union(*map(keys_of, get_args(kind)))

"""JSON that is read back, held against the type of what is written."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, TypeVar, Union, cast, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict

from .errors import StoreError, TamisError, listing, shorten, value_text

Content = TypeVar("Content")
MOST_PARTS = 6  # of a place that a message names
TYPES: dict[type, tuple[type, ...]] = {float: (float, int)}  # of JSON, where they differ


def parsed_json(text: str) -> Any:
    """The value of a JSON text, which holds no NaN and no infinite number.

    Raises
    ------
    ValueError
        It is no JSON, nested too deeply, or holds a number too large to be one here.
    """
    try:
        return json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is no number")
    return number


def checked(value: object, kind: type[Content], path: Path) -> Content:
    """The value as it is, if it is of a type (a TypedDict, whose other keys may be anything).

    Raises
    ------
    StoreError
        The first part that is missing or of another type, and the file that it is in.
    """
    try:
        _check(value, kind, ())
    except _Misfit as error:
        place, why = error.args
        told = ".".join(shorten(part, 20) for part in place[:MOST_PARTS])
        raise StoreError(
            f"{shorten(path, 200)!r} is not as this version of Tamis writes it "
            f"({value_text(told)} {why}): make it anew, or use the version that wrote it"
        ) from None
    except RecursionError as error:
        raise StoreError(f"{shorten(path, 200)!r} is nested too deeply") from error
    return cast(Content, value)


class _Misfit(Exception):
    """The first part of a value that is not of its type: where, and why."""


def _check(value: Any, kind: Any, place: tuple[object, ...]) -> None:
    """Go through a value up to its first misfit: to list all takes far more than the file has."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if origin in (Union, UnionType):
        _check_union(value, inside, place)
    elif origin is Literal:
        if value not in inside:
            raise _Misfit(place, f"is none of {listing(inside, 6)}")
    elif is_typeddict(kind):
        _check(value, dict, place)
        for name, own, needed in _fields(kind):
            if name in value:
                _check(value[name], own, (*place, name))
            elif needed:
                raise _Misfit((*place, name), "is missing")
    elif type(value) not in TYPES.get(kind, (origin or kind,)):
        raise _Misfit(place, f"is no {(origin or kind).__name__}")
    elif inside and inside[-1] is not Any:
        for at, one in value.items() if origin is dict else enumerate(value):
            _check(one, inside[-1], (*place, at))


def _check_union(value: Any, kinds: tuple[Any, ...], place: tuple[object, ...]) -> None:
    """What is not None is held against the only other type, so that the misfit is found in it."""
    others = [kind for kind in kinds if kind is not NoneType]
    if value is None and len(others) < len(kinds):
        return
    for kind in others:
        try:
            _check(value, kind, place)
        except _Misfit:
            if len(others) == 1:
                raise
        else:
            return
    raise _Misfit(place, "is of another type")


@cache
def _fields(kind: Any) -> list[tuple[str, Any, bool]]:
    """Name and type of each entry, and whether it has to be there."""
    found = []
    for name, own in get_type_hints(kind, include_extras=True).items():
        needed = get_origin(own) is not NotRequired
        found.append((name, own if needed else get_args(own)[0], needed))
    return found


@contextmanager
def fitting_together(what: object) -> Iterator[None]:
    """Around what is drawn from a result whose parts have the right types each.

    Raises
    ------
    StoreError
        They contradict each other, so that something is looked for which is not there.
    """
    try:
        yield
    except TamisError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, StopIteration) as error:
        raise StoreError(
            f"the parts of {shorten(what, 200)!r} do not fit together ({type(error).__name__}): "
            "make it anew; if nothing has changed it since it was written, please report this"
        ) from error

"""JSON that is read back, held against the type of what is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from .errors import StoreError, TamisError, shorten, value_text

Content = TypeVar("Content")
MOST_PARTS = 6  # of a place that a message names


def parsed_json(text: str) -> Any:
    """The value of a JSON text, which holds no NaN and no infinite number.

    Raises
    ------
    ValueError
        It is no JSON, nested too deeply, or holds a number of thousands of digits.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def checked(value: object, kind: type[Content], path: Path) -> Content:
    """The value as it is, if it is of a type (a TypedDict, whose other keys may be anything).

    Raises
    ------
    StoreError
        The first part that is missing or of another type, and the file that it is in.
    """
    from pydantic import ValidationError

    try:
        _adapter(cast(Any, kind)).validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(shorten(part, 20) for part in first["loc"][:MOST_PARTS])
        raise StoreError(
            f"{shorten(path, 200)!r} is not as this version of Tamis writes it "
            f"({value_text(place)}: {shorten(first['msg'])}): make it anew, or use the version "
            "that wrote it"
        ) from error
    except RecursionError as error:
        raise StoreError(f"{shorten(path, 200)!r} is nested too deeply") from error
    return cast(Content, value)


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


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)

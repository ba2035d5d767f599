"""JSON that is read back, held against the type of what is written."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import StoreError, TamisError, shorten_text, value_text

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

Content = TypeVar("Content", bound=Mapping[str, object])
MOST_PARTS = 6  # of a place that a message names
ONE_FAULT = {"custom_error_type": "union", "custom_error_message": "Input is of another type"}


def parsed_json(text: str) -> Any:
    """The value of a JSON text, which holds no NaN and no infinite number.

    Raises
    ------
    ValueError
        It is no JSON, nested too deeply, or holds a number too large to be one here.
    """
    try:
        return json.loads(text, parse_constant=_finite_float, parse_float=_finite_float)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _finite_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:20]} is no number")
    return number


def checked_value(value: object, kind: type[Content], path: Path) -> Content:
    """The value as it is, if it is of a type (a TypedDict, whose other keys may be anything).

    Raises
    ------
    StoreError
        The first part that is missing or of another type, and the file that it is in.
    """
    if misfit := first_misfit(value, kind):
        parts, why = misfit
        place = ".".join(shorten_text(part, 20) for part in parts[:MOST_PARTS])
        raise StoreError(
            f"{shorten_text(path, 200)!r} is not as this version of Tamis writes it "
            f"({value_text(place)} {why}): make it anew, or use the version that wrote it"
        )
    return cast(Content, value)


def first_misfit(value: object, kind: type) -> tuple[tuple[str | int, ...], str] | None:
    """Where a value is not of a type (a TypedDict), and what is wrong there; None if it is."""
    from pydantic_core import ValidationError

    try:
        _validator(kind).validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        missing = first["type"] == "missing"
        return first["loc"], "is missing" if missing else first["msg"].removeprefix("Input ")
    return None


@cache
def _validator(kind: type) -> SchemaValidator:
    """Of a type, with as many faults at most as it has parts: to list all of a file takes far
    more memory than the file."""
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator

    return SchemaValidator(_bounded(TypeAdapter(kind).core_schema))


def _bounded(schema: Any) -> Any:
    """A schema of pydantic whose lists, dictionaries and unions tell one fault each."""
    if isinstance(schema, list):
        return [_bounded(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _bounded(part) for name, part in schema.items()}
    match schema.get("type"):
        case "list" | "dict":
            found["fail_fast"] = True
        case "union":
            found |= ONE_FAULT
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
            f"the parts of {shorten_text(what, 200)!r} do not fit together "
            f"({type(error).__name__}): make it anew; if nothing has changed it since it was "
            "written, please report this"
        ) from error

"""Values held against types, against pydantic's verdict; and how little a wrong one takes."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any, Literal, NotRequired

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from tamis._core.checked_json import checked, parsed_json
from tamis._core.errors import StoreError


class Point(TypedDict):
    at: float
    kind: Literal["near", "far"]
    beside: NotRequired[list[int] | None]


class Whole(TypedDict):
    points: list[Point]
    named: dict[str, float | None]
    more: dict[str, Any]
    one: Point | dict[str, str]
    said: str


LEAVES = st.sampled_from([None, True, 0, 1.5, "near", "x", [], {}, [1], {"a": 1}])
POINT = {"at": 1, "kind": "near", "beside": [1]}
SOUND = {"points": [POINT, POINT], "named": {"a": 1.5}, "more": {}, "one": {"a": "b"}, "said": ""}


def changed(value: Any, path: list[int], leaf: Any) -> Any:
    """The value with a part of it replaced, or left out."""
    if not path or not isinstance(value, dict | list) or not value:
        return leaf
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[path[0] % len(keys)]
    other = value.copy()
    if leaf == "x" and len(path) == 1:
        del other[key]
    else:
        other[key] = changed(value[key], path[1:], leaf)
    return other


@given(st.lists(st.integers(0, 5), max_size=4), LEAVES)
def test_what_fits_is_what_pydantic_takes(path, leaf):
    value = changed(SOUND, path, leaf)
    try:
        TypeAdapter(Whole).validate_python(value, strict=True)
    except ValidationError:
        with pytest.raises(StoreError, match=r"'r\.json' is not as this version"):
            checked(value, Whole, Path("r.json"))
    else:
        assert checked(value, Whole, Path("r.json")) is value


def test_the_place_is_told():
    value = {**SOUND, "points": [POINT, {**POINT, "beside": [1, "2"]}]}
    with pytest.raises(StoreError, match=r"\('points.1.beside.1' is no int\)"):
        checked(value, Whole, Path("r.json"))


def test_a_hundred_thousand_wrong_parts_take_no_more_than_one():
    wrong = {**SOUND, "points": [{}] * 100_000}
    tracemalloc.start()
    try:
        with pytest.raises(StoreError, match=r"\('points.0.at' is missing\)"):
            checked(wrong, Whole, Path("r.json"))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("text", ["1e999", "-1e999", "NaN", "Infinity", "1" * 5000, "[" * 10**5])
def test_no_number_is_infinite(text):
    with pytest.raises(ValueError, match=r"number|deep|digits"):
        parsed_json(f'{{"a": {text}}}')

"""Values held against types, by pydantic's verdict; and how few faults of a wrong one are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NotRequired

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from tamis._core.checked_json import _validator, checked_value, parsed_json
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
            checked_value(value, Whole, Path("r.json"))
    else:
        assert checked_value(value, Whole, Path("r.json")) is value


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"points": [POINT, {**POINT, "beside": [1, "2"]}]}, "'points.1.beside.1' .* integer"),
        ({"points": [{**POINT, "kind": "x"}]}, "'points.0.kind' should be 'near' or 'far'"),
        ({"points": [{"at": 1}]}, "'points.0.kind' is missing"),
        ({"named": {"a": None, "b": "2"}}, "'named.b' should be a valid number"),
        ({"one": [1]}, "'one' is of another type"),
    ],
)
def test_the_place_is_told_and_why(changed, told):
    with pytest.raises(StoreError, match=rf"\({told}\)"):
        checked_value({**SOUND, **changed}, Whole, Path("r.json"))


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"points": [{}] * 100_000}, "points.0.at"),
        ({"points": [{**POINT, "beside": ["x"] * 100_000}] * 2}, "points.0.beside.0"),
        ({"named": dict.fromkeys(map(str, range(100_000)), "x")}, "named.0"),
        ({"one": dict.fromkeys(map(str, range(100_000)), 1)}, "one"),
    ],
)
def test_of_a_hundred_thousand_faults_few_are_kept(changed, place):
    """A fault takes 400 bytes, and two letters of a file can be ten."""
    with pytest.raises(StoreError, match=rf"\('{place}' "):
        checked_value({**SOUND, **changed}, Whole, Path("r.json"))
    with pytest.raises(ValidationError) as kept:
        _validator(Whole).validate_python({**SOUND, **changed}, strict=True)
    assert kept.value.error_count() <= 2


class Kinds(TypedDict):
    """Of names that schemas of pydantic have, too."""

    type: list[int]
    fields: dict[str, str]
    schema: float | str


def test_names_of_parts_may_be_any():
    sound = {"type": [1], "fields": {"type": "list"}, "schema": 1.5}
    assert checked_value(sound, Kinds, Path("r.json")) is sound
    with pytest.raises(StoreError, match=r"\('fields.type' should be a valid string\)"):
        checked_value({**sound, "fields": {"type": 1}}, Kinds, Path("r.json"))


@pytest.mark.parametrize("text", ["1e999", "-1e999", "NaN", "Infinity", "1" * 5000, "[" * 10**5])
def test_no_number_is_infinite(text):
    with pytest.raises(ValueError, match=r"number|deep|digits"):
        parsed_json(f'{{"a": {text}}}')

"""What users are told: names listed, the nearest suggested, extras named."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core import errors
from tamis._core.errors import (
    MAX_COMPARED_LENGTH,
    MissingExtraError,
    TamisError,
    listed_names,
    nearest_hint,
    nearest_name,
    require_library,
)


def test_listing():
    assert listed_names([]) == ""
    assert listed_names(["a"]) == "'a'"
    assert listed_names(["a", 2, "c"]) == "'a', '2', 'c'"
    assert listed_names("abcde") == "'a', 'b', 'c', 'd', 'e'"
    assert listed_names("abcdef") == "'a', 'b', 'c', 'd', 'e' and 1 more"
    assert listed_names(range(12_345), most=1) == "'0' and 12,344 more"
    assert listed_names(["it's", "two\nlines"]) == "\"it's\", 'two\\nlines'"


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=5), max_size=12), st.integers(1, 8))
def test_a_listing_is_one_line(names, most):
    text = listed_names(names, most)
    assert "\n" not in text
    assert ("more" in text) >= (len(names) > most)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("moderatd_t", "did you mean 'moderated_t'?"),
        ("MODERATED_T", "did you mean 'moderated_t'?"),
        ("welch", "did you mean 'welch_t'?"),
        ("Gene b", "did you mean 'Gene B'?"),
        ("zzz", "choose from 'moderated_t', 'welch_t', 'Gene B'"),
        (None, "choose from 'moderated_t', 'welch_t', 'Gene B'"),
        (3, "choose from 'moderated_t', 'welch_t', 'Gene B'"),
    ],
)
def test_nearest(name, expected):
    assert nearest_hint(name, ["moderated_t", "welch_t", "Gene B"]) == expected


@pytest.mark.every
@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("class", ["cells", "age"], None),
        ("outcome", ["income"], None),
        ("brc", ["bcr"], "bcr"),
        ("diag", ["diagnosis", "age"], "diagnosis"),
        ("diag", ["diagnosis", "diagnosed_by"], None),  # which of them?
        ("status", ["sex", "disease_status"], "disease_status"),
        ("age", ["percentage_of_cells"], None),
        ("age", ["percentage_of_cells", "age_at_diagnosis"], "age_at_diagnosis"),  # three letters
        ("age", ["patient_age", "sex"], "patient_age"),
        ("acc", ["aac", "accuracy"], "accuracy"),  # a beginning comes before what is alike
        ("id", ["patient_id", "sex"], None),  # too short to be looked for
        ("Gruop", ["group"], "group"),
        ("", ["a"], None),
    ],
)
def test_only_what_is_alike_is_proposed(name, names, expected):
    assert nearest_name(name, names) == expected


def test_nearest_among_many_lists_a_dozen():
    text = nearest_hint("zzz", (f"g{j}" for j in range(40)))
    assert text.startswith("choose from 'g0', 'g1'")
    assert text.endswith("'g11' and 28 more")


def test_long_names_are_compared_by_their_beginnings(monkeypatch):
    compared = []

    def seen(word, names, **options):
        compared.extend([word, *names])
        return list(names)[:1]

    monkeypatch.setattr(difflib, "get_close_matches", seen)
    assert (
        nearest_hint("x" * 10_000, ["X" * 9_999])
        == f"did you mean {'X' * 40 + '...' + 'X' * 17!r}?"
    )
    assert compared == ["x" * MAX_COMPARED_LENGTH] * 2


def test_every_error_is_a_tamis_error_and_a_value_error():
    kinds = [v for v in vars(errors).values() if isinstance(v, type) and issubclass(v, Exception)]
    assert len(kinds) >= 6
    assert all(issubclass(kind, TamisError) for kind in kinds)
    assert issubclass(TamisError, ValueError)
    assert issubclass(MissingExtraError, ImportError)


def test_require():
    import json

    assert require_library("json", "h5ad", "reading") is json
    with pytest.raises(MissingExtraError) as caught:
        require_library("no_such_library_at_all", "h5ad", "reading .h5ad files")
    assert str(caught.value) == (
        "reading .h5ad files needs the library 'no_such_library_at_all': install it with "
        "`pip install '.[h5ad]'` in a checkout of Tamis"
    )

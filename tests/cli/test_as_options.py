"""What a message says to do, as a shell takes it."""

import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tamis.cli._shared import as_options

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda t: t != "...")


@given(names, names)
@example("3'-end", 'a "b"')
@example("a\\b", "a\nb")
def test_any_name_can_be_pasted(one, two):
    assert shlex.split(as_options(f"drop=[{one!r}, {two!r}]")) == ["--drop", one, "--drop", two]
    assert shlex.split(as_options(f"say target={one!r}")) == ["say", "--target", one]


@pytest.mark.parametrize("text", ["drop=[...]", "leave out with drop=['a', ...]"])
def test_dots_stay(text):
    assert as_options(text).endswith("--drop ...")

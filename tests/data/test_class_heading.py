"""What classes are called where their name stands alone."""

from __future__ import annotations

import pytest

from tamis.data.class_heading import class_heading, class_headings


@pytest.mark.parametrize("name", ["yes", "No", "TRUE", "false", "x", "0", "12", "-1.5"])
def test_a_bare_word_stands_with_its_column(name):
    assert class_heading("relapse", name) == f"relapse = {name}"
    assert class_heading("", name) == name


@pytest.mark.parametrize("name", ["early", "ill", "yes, late", "b2"])
def test_other_names_stand_alone(name):
    assert class_heading("relapse", name) == name


def test_names_that_are_cut_to_the_same_are_numbered():
    names = ["a" * 90 + "b" * 20, "a" * 70 + "b" * 20, "c"]
    first, second, third = class_headings("", names)
    assert second == f"{first} (2)"
    assert third == "c"

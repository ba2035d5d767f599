"""The helper that every element passes through, and the scales."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.plotting._axes import Scale, log_ticks, nice_ticks, tick_text
from tamis.plotting._svg import Svg, clean_text, coordinate_text, fit_text, make_element, text_width

anything = st.text(st.characters(exclude_categories=[]))


def newlines(text: str) -> str:
    """As an XML parser reads them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@given(anything)
def test_any_text_comes_back_as_text(text):
    root = ElementTree.fromstring(make_element("text", text))
    assert list(root) == []
    assert (root.text or "") == newlines(clean_text(text))


@given(anything)
def test_any_text_stays_in_its_attribute(text):
    root = ElementTree.fromstring(make_element("g", class_=text))
    assert set(root.attrib) == {"class"}
    assert list(root) == []


def test_only_svg_passes_unescaped():
    assert make_element("g", Svg("<a/>"), "<b/>") == "<g><a/>&lt;b/&gt;</g>"


def test_disguises_and_forbidden_characters_are_replaced():
    assert clean_text("a\x00\u202eb\ud800") == "a\ufffd\ufffdb\ufffd"


@given(anything, st.floats(20, 300))
def test_fitted_text_fits(text, width):
    assert text_width(fit_text(text, width)) <= width


def test_text_that_is_just_as_wide_stays():
    assert fit_text("abcd", text_width("abcd")) == "abcd"
    assert fit_text("abcdef", text_width("abc…")) == "abc…"
    assert fit_text("abcdef", text_width("abc…") * (1 - 1e-9)) == "ab…"
    assert fit_text("ab cdef", text_width("ab …")) == "ab…"
    assert fit_text("abcdef", 0) == "…"


def test_numbers_are_short():
    assert [coordinate_text(v) for v in (1.0, 1.25, -0.01, 300.04)] == ["1", "1.2", "0", "300"]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(3, 8))
def test_ticks_cover_and_are_even(low, span, most):
    high = low + span
    ticks = nice_ticks(low, high, most)
    steps = [b - a for a, b in pairwise(ticks)]
    slack = 1e-6 * max(abs(low), abs(high), 1)
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert max(steps) - min(steps) <= 1e-6 * max(steps) + slack
    assert len(ticks) <= most + 2


def test_ticks_of_one_value():
    assert nice_ticks(0.5, 0.5)[0] < 0.5 < nice_ticks(0.5, 0.5)[-1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.3456789, "12.35"),
        (0.25, "0.25"),
        (60000, "60,000"),
        (1e7, "1e+07"),
        (-2, "−2"),
        (0.001, "0.001"),
    ],
)
def test_ticks_have_four_digits(value, text):
    assert tick_text(value) == text


@pytest.mark.parametrize(("low", "high"), [(2, 200), (1, 60000), (7, 7), (1, 3), (21, 47)])
def test_log_ticks_are_inside(low, high):
    ticks = log_ticks(low, high)
    assert 2 - (low == high) <= len(ticks) <= 7
    assert all(low <= t <= high for t in ticks)


def test_scales():
    assert Scale(0, 10, 100, 0)(2.5) == 75
    assert Scale(1, 100, 0, 1, log=True)(10) == pytest.approx(0.5)
    assert Scale(3, 3, 0, 10)(3) == 5
    assert Scale(0, 1, 0, 10)(7) == 10  # never outside the chart

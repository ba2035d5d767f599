"""Ticks and scales over all finite numbers."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tamis import plotting
from tamis.plotting._axes import Scale, log_ticks, nice_step, nice_ticks, tick_text, tick_texts
from tamis.plotting._svg import FONT_SIZE, fit_text, text_width

numbers = st.floats(allow_nan=False, allow_infinity=False)
LARGEST, LEAST = sys.float_info.max, 5e-324


@st.composite
def ends(draw):
    """Two ends, often near each other."""
    low, high = draw(numbers), draw(numbers)
    if draw(st.booleans()):
        high = low
        for _ in range(draw(st.integers(0, 9))):
            high = math.nextafter(high, LARGEST)
    return min(low, high), max(low, high)


@given(ends(), st.integers(2, 9))
@example((0.8, math.nextafter(0.8, 1)), 6)
@example((-LARGEST, LARGEST), 5)
@example((0.0, LEAST), 5)
@example((LEAST, LEAST), 5)
@example((1e-12, 3e-12), 5)
@example((LARGEST, LARGEST), 5)
@example((-LARGEST, -LARGEST), 5)
@example((math.nextafter(LARGEST, 0), LARGEST), 5)
def test_ticks_cover_and_can_be_told_apart(given, most):
    low, high = given
    ticks = nice_ticks(low, high, most)
    assert 2 <= len(ticks) <= most + 2
    assert all(map(math.isfinite, ticks))
    assert ticks == sorted(set(ticks))
    slack = 1e-8 * (ticks[-1] / 2 - ticks[0] / 2)
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    texts = tick_texts(ticks)
    assert len(set(texts)) == len(texts)
    for value, text in zip(ticks, texts, strict=True):
        told = float(text.replace("−", "-").replace(",", ""))
        told = max(-LARGEST, min(LARGEST, told))  # its four digits may be beyond
        assert abs(told / 2 - value / 2) <= (ticks[-1] / 2 - ticks[0] / 2) / 2


@given(ends(), numbers)
def test_scales_give_places_inside(given, value):
    low, high = given
    scale = Scale(low, high, 14.0, 346.0)
    assert 14 <= scale(value) <= 346
    if low < high:
        assert scale(low) == 14
        assert scale(high) == 346


@given(st.floats(1e-320, LARGEST), st.floats(1e-320, LARGEST))
@example(LARGEST, LARGEST)
@example(1e-320, LARGEST)
def test_log_ticks_are_inside(one, other):
    low, high = min(one, other), max(one, other)
    ticks = log_ticks(low, high)
    assert 1 <= len(ticks) <= 7
    assert ticks == sorted(set(ticks))
    assert all(low * (1 - 1e-9) <= t <= high / (1 - 1e-9) for t in ticks)


@pytest.mark.parametrize("span", [1e-12, 0.03, 1.0, 7.0, 1e12, 1e300, 1e-290])
def test_steps_are_round(span):
    step = nice_step(span, 6)
    assert span / 6 * (1 - 1e-8) <= step
    assert f"{step:.1e}"[:3] in ("1.0", "2.0", "2.5", "5.0")


def test_ticks_of_ordinary_numbers_are_as_ever():
    assert nice_ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert nice_ticks(5, 5) == [4.4, 4.6, 4.8, 5.0, 5.2, 5.4, 5.6]
    assert [tick_text(t) for t in (0.1, 1e7, 1e-12)] == ["0.1", "1e+07", "1e-12".replace("-", "−")]


def slow_fit(text, width):
    """One character less at a time."""
    whole = " ".join(text.split())
    if text_width(whole) <= width:
        return whole
    while whole and text_width(whole + "…") > width:
        whole = whole[:-1]
    return whole.rstrip() + "…"


@given(st.text(st.sampled_from("ab W漢字  "), max_size=60), st.floats(0, 200))
def test_a_label_is_cut_as_one_character_at_a_time_would(text, width):
    assert fit_text(text, width, FONT_SIZE) == slow_fit(text, width)


def test_a_label_of_a_million_characters_is_cut_like_a_short_one():
    assert fit_text("x" * 1_000_000, 60) == fit_text("x" * 100, 60)


@pytest.mark.parametrize("unit", [1e-320, 1e-300, 1e-163, 1e-12, 1.0, 1e38, 1e300])
def test_charts_of_any_unit(unit):
    """As many different places for points as in ordinary units, where a chart can tell them."""
    points = [unit * v for v in (1.0, 2.0, 4.0)]
    names = ("min", "q1", "median", "q3", "max")
    box = dict(zip(names, [points[0], *points, points[2]], strict=True))
    one = {"label": "ill", "n": 3, "missing": 0, "points": points, **box}
    drawn = plotting.feature_distribution({"name": "f", "classes": [one]})
    dots = drawn.split('d="')[1].split('"')[0].split("M")[1:]
    assert len({dot.split()[0] for dot in dots}) == (1 if unit < 1e-305 else 3)
    assert "nan" not in drawn
    assert "inf" not in drawn.replace("infin", "")


@pytest.mark.parametrize("apart", [0.0, math.ulp(0.8), 1e-12])
def test_scores_nearly_equal(apart):
    scores = [0.8, 0.8 + apart, 0.8]
    runs = {"metric": "BCR", "values": scores, "observed": 0.8 + 2 * apart, "p_value": 0.25}
    assert "nan" not in plotting.permutation_histogram(runs)
    rows = [
        {"label": str(k), "mean": s, "low": s, "high": s, "headline": k == 0}
        for k, s in enumerate(scores)
    ]
    data = {"metric": "BCR", "chance": {"mean": None, "low": None, "high": None}, "rows": rows}
    assert "nan" not in plotting.method_intervals(data)

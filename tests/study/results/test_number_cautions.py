"""Warnings of a study of a number, at their thresholds."""

from __future__ import annotations

import pytest

from tamis.study.results.number_cautions import MAX_SLOPE, MIN_SLOPE, slope_cautions, tail_cautions


def content(slope=1.0, low=0.2, note=""):
    rmse = {"note": note} if note else {}
    return {"headline": {"fit": {"slope": slope}}, "metrics": {"q2": {"low": low}, "rmse": rmse}}


@pytest.mark.parametrize(
    ("slope", "low", "told"),
    [
        (MIN_SLOPE - 0.01, 0.2, True),
        (MIN_SLOPE, 0.2, False),
        (MAX_SLOPE, 0.2, False),
        (MAX_SLOPE + 0.01, 0.2, True),
        (0.1, 0.0, False),
        (0.1, None, False),
        (None, 0.2, False),
    ],
)
def test_slopes_far_from_one_are_told_where_q2_is_above_nought(slope, low, told):
    found = list(slope_cautions(content(slope, low)))
    assert [code for code, _ in found] == ["miscalibrated"] * told


@pytest.mark.parametrize("note", ["", "no interval: fewer than 10 independent samples"])
def test_long_tails_are_told_where_they_take_the_interval(note):
    assert list(tail_cautions(content(note=note))) == []
    found = list(tail_cautions(content(note="no interval: errors have long tails")))
    assert [code for code, _ in found] == ["long-tails"]

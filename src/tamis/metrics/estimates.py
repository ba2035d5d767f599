"""Estimates in words: intervals, and how many samples were declined."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from typing_extensions import TypedDict

from .._core.errors import listed_parts
from .held_out import HeldOut
from .schema import Calibration


class Coverage(TypedDict):
    """Share of the predictions that were given; the rest was declined."""

    mean: float
    by_class: dict[str, float | None]  # of each true class; None where it was not judged


def plain_number(value: float | None) -> float | None:
    """A number for JSON: None where undefined."""
    return None if value is None or not math.isfinite(value) else float(value)


def prediction_coverage(held: HeldOut, classes: Sequence[str]) -> Coverage:
    """Share of the predictions that were given, of all and of each true class."""
    of_class = zip(classes, held.class_coverage(), strict=True)
    return {"mean": held.coverage, "by_class": {k: plain_number(v) for k, v in of_class}}


def declined_words(given: Coverage, names: Sequence[str]) -> str:
    """What part of the samples was declined, for people; nothing where none was."""
    if given["mean"] == 1:
        return ""
    shares = zip(names, given["by_class"].values(), strict=True)
    by_class = listed_parts(
        f"{_part_percent(1 - v)} of {name}" for name, v in shares if v is not None
    )
    share = _part_percent(1 - given["mean"])
    return f"{share} of the samples ({by_class}); label metrics use the others only"


def _part_percent(share: float) -> str:
    """A share in per cent; never 0 % of some, nor 100 % of not all."""
    if 0 < share < 0.01:
        return "under 1%"
    return "over 99%" if 0.99 < share < 1 else f"{share:.0%}"


def estimate_text(estimate: Mapping[str, object], digits: int = 3) -> str:
    """``0.913 (0.850 to 0.970)``, or what is missing.

    Examples
    --------
    >>> estimate_text({"mean": 1.0, "low": None, "high": None, "note": "no interval: too few"}, 2)
    '1.00 (no interval: too few)'
    """
    mean, low, high = (estimate[key] for key in ("mean", "low", "high"))
    if mean is None:
        return f"undefined ({estimate['note']})" if estimate.get("note") else "undefined"
    if low is None or high is None:
        return f"{mean:z.{digits}f} ({estimate.get('note') or 'no interval'})"
    return f"{mean:z.{digits}f} ({low:z.{digits}f} to {high:z.{digits}f})"


def calibration_words(found: Calibration, digits: int = 3) -> dict[str, str]:
    """Slope and index in words, by name.

    Examples
    --------
    >>> few = {"mean": None, "low": None, "high": None, "note": "too few samples of a class"}
    >>> perfect = {"mean": 0.066, "low": 0.031, "high": 0.11}
    >>> index = {"mean": 0.05, "perfect": perfect, "note": ""}
    >>> for name, text in calibration_words({"slope": few, "index": index}, 2).items():
    ...     print(f"{name}: {text}")
    calibration slope: undefined (too few samples of a class)
    calibration index: 0.05 (perfect probabilities: 0.07, 0.03 to 0.11)
    """
    slope, index = found["slope"], found["index"]
    meaning = " (1 is ideal; above 1 probabilities are too moderate, below 1 too extreme)"
    text = f"undefined ({index['note']})"
    if index["mean"] is not None:
        mean, low, high = (f"{index['perfect'][k]:.{digits}f}" for k in ("mean", "low", "high"))
        text = f"{index['mean']:.{digits}f} (perfect probabilities: {mean}, {low} to {high})"
    return {
        "calibration slope": estimate_text(slope, digits) + ("" if slope.get("note") else meaning),
        "calibration index": text,
    }

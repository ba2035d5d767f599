"""An axis of chromosomes, one behind the other: their names, and colours that take turns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from . import _svg as svg
from ._axes import Frame

Starts = Sequence[Sequence[Any]]  # name and first place of each
MAX_NAME_LENGTH = 8  # characters of a name


def alternating_colours(chromosomes: Starts) -> Callable[[float], str]:
    """The colour of a place, another one from chromosome to chromosome."""
    starts = [start for _, start in chromosomes]
    return lambda place: (svg.ACCENT_COLOUR, "currentColor")[(bisect_right(starts, place) - 1) % 2]


def chromosome_names(chromosomes: Starts, end: float, frame: Frame) -> list[str]:
    """Names under their middles, those that would touch left out, and the axis's own."""
    found, last = [], -1.0
    for (name, start), (_, stop) in pairwise([*chromosomes, ["", end]]):
        short = str(name)[:MAX_NAME_LENGTH]
        middle, half = frame.x((start + stop) / 2), svg.text_width(short) / 2
        if middle - half > last + 3 and middle + half < svg.CHART_WIDTH:
            found.append(svg.text_label(short, middle, frame.bottom + 16, "middle", class_="tick"))
            last = middle + half
    middle = (frame.x.start + frame.x.stop) / 2
    return [
        *found,
        svg.text_label("chromosome", middle, frame.bottom + 31, "middle", class_="axis"),
    ]

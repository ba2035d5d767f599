"""Scores of variants along the genome: spans of all, dots of the best."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ._axes import Frame, Scale, nice_ticks
from ._svg import (
    ACCENT,
    WIDTH,
    join_parts,
    straight_line,
    svg_chart,
    svg_tag,
    text_label,
    text_width,
    tooltip,
)

HEIGHT = 250


def manhattan(picture: Mapping[str, Any], threshold: float | None = None) -> str:
    """A Manhattan plot, as SVG.

    Parameters
    ----------
    picture : mapping
        ``n``, ``chromosomes`` (name, first place), ``spans`` (first, last, 5 % quantile, median,
        95 % quantile) and ``dots`` (place, score, name).
    threshold : float, optional
        Drawn across.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> picture = {"n": 2, "chromosomes": [["22", 0]], "spans": [[0, 2, 0.1, 0.2, 0.3]],
    ...            "dots": [[1, 0.3, "rs1"]]}
    >>> "rs1" in manhattan(picture)
    True
    """
    n, dots, spans = max(1, picture["n"]), picture["dots"], picture["spans"]
    tops = [dot[1] for dot in dots] + [span[4] for span in spans] + [threshold or 0.0]
    ticks = nice_ticks(0, max([0.05, *tops]), 5)
    frame = Frame(Scale(0, n, 42, WIDTH - 8), Scale(0, ticks[-1], HEIGHT - 34, 22), [], ticks)
    starts = [place for _, place in picture["chromosomes"]]
    colours = (ACCENT, "currentColor")

    def colour(place: float) -> str:
        return colours[(sum(start <= place for start in starts) - 1) % 2]

    parts: list[str] = [frame.draw("", "Distance of the classes (MTD)")]
    for first, last, low, middle, high in spans:
        x, width = frame.x(first), max(0.4, frame.x(last) - frame.x(first))
        parts.append(svg_tag(
            "rect", x=float(x), y=frame.y(high), width=width, height=frame.y(low) - frame.y(high),
            fill=colour(first), fill_opacity=0.45, class_="span",
        ))  # fmt: skip
        parts.append(svg_tag("rect", x=float(x), y=frame.y(middle) - 0.5, width=width, height=1.0,
                             fill=colour(first), class_="span"))  # fmt: skip
    for place, score, name in dots:
        parts.append(svg_tag(
            "circle", tooltip(f"{name}: {score:.3f}"), cx=frame.x(place + 0.5), cy=frame.y(score),
            r=1.6, fill=colour(place), class_="dot",
        ))  # fmt: skip
    if threshold is not None:
        y = frame.y(threshold)
        parts.append(straight_line(frame.left, y, frame.x.stop, y, stroke_dasharray="5 3",
                                   class_="edge"))  # fmt: skip
    return svg_chart(
        HEIGHT, "Scores along the genome", "Distance of the classes by variant, in order",
        *parts, join_parts(_names(picture["chromosomes"], n, frame)), kind="manhattan",
    )  # fmt: skip


def _names(chromosomes: list[list[Any]], n: int, frame: Frame) -> list[str]:
    """Names of chromosomes under their middles, those that would touch left out."""
    found, last = [], -1.0
    for (name, start), (_, end) in pairwise([*chromosomes, ["", n]]):
        middle, half = frame.x((start + end) / 2), text_width(str(name)[:8]) / 2
        if middle - half > last + 3 and middle + half < WIDTH:
            found.append(
                text_label(str(name)[:8], middle, frame.bottom + 16, "middle", class_="tick")
            )
            last = middle + half
    middle = (frame.x.start + frame.x.stop) / 2
    return [*found, text_label("chromosome", middle, frame.bottom + 31, "middle", class_="axis")]

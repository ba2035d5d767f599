"""Scores of variants along the genome: spans of all, dots of the best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._axes import Frame, Scale, nice_ticks
from ._genome_axis import chromosome_names, turns
from ._svg import WIDTH, join_parts, straight_line, svg_chart, svg_tag, tooltip

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
    colour = turns(picture["chromosomes"])
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
        *parts, join_parts(chromosome_names(picture["chromosomes"], n, frame)), kind="manhattan",
    )  # fmt: skip

"""Scores of variants along the genome: spans of all, dots of the best."""

from __future__ import annotations

from typing import Any, TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, nice_ticks
from ._genome_axis import alternating_colours, chromosome_names

CHART_HEIGHT = 250


class ScanPicture(TypedDict):
    """Scores along the genome."""

    n: int
    chromosomes: list[list[Any]]
    spans: list[list[Any]]
    dots: list[list[Any]]


def manhattan(
    picture: ScanPicture,
    threshold: float | None = None,
    label: str = "Distance of the classes (MTD)",
) -> str:
    """A Manhattan plot, as SVG.

    Parameters
    ----------
    picture : mapping
        ``n``, ``chromosomes`` (name, first place), ``spans`` (first, last, 5 % quantile, median,
        95 % quantile) and ``dots`` (place, score, name).
    threshold : float, optional
        Drawn across.
    label : str
        Of the scores.

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
    frame = Frame(
        Scale(0, n, 42, svg.CHART_WIDTH - 8), Scale(0, ticks[-1], CHART_HEIGHT - 34, 22), [], ticks
    )
    colour = alternating_colours(picture["chromosomes"])
    parts: list[str] = [frame.draw("", label)]
    for first, last, low, middle, high in spans:
        x, width = frame.x(first), max(0.4, frame.x(last) - frame.x(first))
        height, look = frame.y(low) - frame.y(high), {"fill": colour(first), "class_": "span"}
        shade = {"fill": colour(first), "fill_opacity": 0.45, "class_": "span"}
        parts.append(svg.rectangle_at(float(x), frame.y(high), width, height, **shade))
        parts.append(svg.rectangle_at(float(x), frame.y(middle) - 0.5, width, 1.0, **look))
    for place, score, name in dots:
        x, y, words = (
            frame.x(place + 0.5),
            frame.y(score),
            svg.tooltip_title(f"{name}: {score:.3f}"),
        )
        parts.append(svg.circle_at(x, y, 1.6, words, fill=colour(place), class_="dot"))
    if threshold is not None:
        parts.append(frame.across(threshold, stroke_dasharray="5 3", class_="edge"))
    return svg.chart_root(
        CHART_HEIGHT,
        "Scores along the genome",
        f"{label} by variant, in order",
        *parts,
        svg.join_elements(chromosome_names(picture["chromosomes"], n, frame)),
        kind="manhattan",
    )

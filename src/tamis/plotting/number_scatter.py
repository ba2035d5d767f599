"""Pairs of numbers as points: observed against predicted values, residuals, a feature against the
number that is predicted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from .._core.errors import shorten_text
from . import _svg as svg
from ._axes import nice_ticks, tick_frame

CHART_HEIGHT = 330.0
POINT_RADIUS = 2.6


class PairsPicture(TypedDict):
    """Points, what the axes are, and a line to compare with."""

    title: ReadOnly[str]
    x: ReadOnly[str]
    y: ReadOnly[str]
    points: ReadOnly[Sequence[Sequence[float]]]
    names: ReadOnly[NotRequired[Sequence[str]]]  # of the points
    line: ReadOnly[NotRequired[str]]  # "identity", "zero" or none
    desc: ReadOnly[NotRequired[str]]


def number_scatter(picture: PairsPicture) -> str:
    """Points with two axes, as SVG.

    Parameters
    ----------
    picture : mapping
        ``title``, ``x`` and ``y`` (names of the axes), ``points`` (pairs), and perhaps ``names`` of
        the points, ``line`` ("identity": y = x, both axes alike; "zero": y = 0) and ``desc``.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> picture = {"title": "bmi", "x": "predicted", "y": "observed", "points": [[21.0, 22.5]],
    ...            "names": ["s1"], "line": "identity"}
    >>> "s1: predicted 21, observed 22.5" in number_scatter(picture)
    True
    """
    points = [(float(a), float(b)) for a, b in picture["points"]]
    line = picture.get("line", "")
    x, y = [a for a, _ in points], [b for _, b in points]
    if line == "identity":
        x = y = [*x, *y]
    elif line == "zero":
        y = [*y, 0.0]
    across, up = (nice_ticks(min(v, default=0.0), max(v, default=1.0), 5) for v in (x, y))
    room = max(svg.text_width(f"{v:,.4g}") for v in up) + 12
    frame = tick_frame(across, up, CHART_HEIGHT, left=max(42.0, room))
    x_name, y_name = shorten_text(picture["x"]), shorten_text(picture["y"])
    parts: list[str] = [frame.draw(svg.fit_text(x_name, 300), svg.fit_text(y_name, 300))]
    if line == "identity":
        low, high = max(across[0], up[0]), min(across[-1], up[-1])
        parts.append(
            svg.straight_line(
                frame.x(low),
                frame.y(low),
                frame.x(high),
                frame.y(high),
                class_="chance",
                stroke_dasharray="4 3",
                stroke="currentColor",
                stroke_opacity=0.6,
            )
        )
    elif line == "zero":
        parts.append(
            frame.across(
                0.0,
                class_="chance",
                stroke_dasharray="4 3",
                stroke="currentColor",
                stroke_opacity=0.6,
            )
        )
    names = picture.get("names") or [""] * len(points)
    for name, (a, b) in zip(names, points, strict=True):
        named = f"{shorten_text(name)}: " if name else ""
        words = svg.tooltip_title(f"{named}{x_name} {a:.4g}, {y_name} {b:.4g}")
        parts.append(
            svg.circle_at(
                frame.x(a),
                frame.y(b),
                POINT_RADIUS,
                words,
                class_="headdot",
                fill=svg.ACCENT_COLOUR,
                fill_opacity=0.6,
            )
        )
    desc = picture.get("desc") or f"{len(points)} points; {y_name} against {x_name}"
    return svg.chart_root(CHART_HEIGHT, picture["title"], desc, *parts, kind="number-scatter")

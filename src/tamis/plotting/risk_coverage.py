"""Risk and coverage: the error rate of the samples decided on, by how many these are.

El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification. JMLR 11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._axes import Frame, Scale, defined_values, nice_ticks
from ._svg import ACCENT, WIDTH, Svg, join_parts, svg_tag, tooltip
from .curves import HEIGHT, draw_curves

Series = Mapping[str, Any]


def risk_coverage(data: Sequence[Series], decided: Mapping[str, Any] | None = None) -> str:
    """Error rate of the samples decided on by their share, as SVG.

    Parameters
    ----------
    data : sequence of mappings
        ``label``, ``headline`` (bool) and ``points``: list of ``{"coverage", "error"}``.
    decided : mapping, optional
        Where the headline procedure came to: ``coverage``, ``error``, and of the error ``low`` and
        ``high`` where these are known.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> point = {"coverage": 0.8, "error": 0.1}
    >>> "Share decided on" in risk_coverage([{"label": "all", "points": [point]}])
    True
    """
    series = [{**one, "points": _places(one)} for one in data]
    tops = [y for one in series for _, y in one["points"]]
    given = decided or {}
    tops += defined_values([given.get("error"), given.get("high")])
    ticks = nice_ticks(0, max([0.1, *tops]), 5)
    frame = Frame(
        Scale(0, 1, 42, WIDTH - 12),
        Scale(0, ticks[-1], HEIGHT - 40, 26),
        [0, 0.25, 0.5, 0.75, 1],
        ticks,
    )
    return draw_curves(
        series, frame, Svg(), "Risk and coverage", "Share decided on", "Error rate of those",
        "rejection", _where_it_came_to(given, frame),
    )  # fmt: skip


def _places(one: Series) -> list[tuple[float, float]]:
    return [
        (p["coverage"], p["error"])
        for p in one.get("points") or []
        if len(defined_values([p.get("coverage"), p.get("error")])) == 2
    ]


def _where_it_came_to(given: Mapping[str, Any], frame: Frame) -> Svg:
    """A dot with the interval of the error rate."""
    if len(defined_values([given.get("coverage"), given.get("error")])) < 2:
        return Svg()
    x, y = frame.x(given["coverage"]), frame.y(given["error"])
    words = f"{given['coverage']:.0%} decided on, {given['error']:.1%} of them wrong"
    parts = [tooltip(words)]
    ends = defined_values([given.get("low"), given.get("high")])
    if len(ends) == 2:
        low, high = map(frame.y, ends)
        parts.append(svg_tag("line", x1=x, y1=low, x2=x, y2=high, class_="head", stroke=ACCENT,
                             stroke_width=1.4))  # fmt: skip
    parts.append(svg_tag("circle", cx=x, cy=y, r=4.2, class_="headdot", fill=ACCENT))
    return svg_tag("g", join_parts(parts))

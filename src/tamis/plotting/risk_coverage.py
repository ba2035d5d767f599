"""Risk and coverage: the error rate of the samples decided on, by how many these are.

El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification. JMLR 11.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _svg as svg
from ._axes import Frame, defined_places, defined_values, nice_ticks, unit_frame
from .curves import draw_curves

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
    series = [
        {**one, "points": defined_places(one.get("points"), "coverage", "error")} for one in data
    ]
    tops = [y for one in series for _, y in one["points"]]
    given = decided or {}
    tops += defined_values([given.get("error"), given.get("high")])
    ticks = nice_ticks(0, max([0.1, *tops]), 5)
    frame = unit_frame(ticks)
    return draw_curves(
        series, frame, svg.Svg(), "Risk and coverage", "Share decided on", "Error rate of those",
        "rejection", _where_it_came_to(given, frame),
    )  # fmt: skip


def _where_it_came_to(given: Mapping[str, Any], frame: Frame) -> svg.Svg:
    """A dot with the interval of the error rate."""
    if len(defined_values([given.get("coverage"), given.get("error")])) < 2:
        return svg.Svg()
    x, y = frame.x(given["coverage"]), frame.y(given["error"])
    words = f"{given['coverage']:.0%} decided on, {given['error']:.1%} of them wrong"
    parts = []
    ends = defined_values([given.get("low"), given.get("high")])
    if len(ends) == 2:
        low, high = map(frame.y, ends)
        parts.append(svg.line(x, low, x, high, class_="head", stroke=svg.ACCENT, stroke_width=1.4))
    parts.append(svg.circle(x, y, 4.2, class_="headdot", fill=svg.ACCENT))
    return svg.group(words, *parts)

"""Risk and coverage: the error rate of the samples decided on, by how many these are.

El-Yaniv & Wiener (2010), On the foundations of noise-free selective classification. JMLR 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Series, defined_places, defined_values, nice_ticks, unit_frame
from .curves import draw_curves


class Decided(TypedDict):
    """Where a procedure came to: the share decided on, its error rate, and the interval of that."""

    coverage: ReadOnly[float | None]
    error: ReadOnly[float | None]
    low: ReadOnly[NotRequired[float | None]]
    high: ReadOnly[NotRequired[float | None]]


def risk_coverage(data: Sequence[Series], decided: Decided | None = None) -> str:
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
    if decided is not None:
        tops += defined_values([decided["error"], decided.get("high")])
    ticks = nice_ticks(0, max([0.1, *tops]), 5)
    frame = unit_frame(ticks)
    return draw_curves(
        series,
        frame,
        svg.Svg(),
        "Risk and coverage",
        "Share decided on",
        "Selective error rate",
        "rejection",
        _where_it_came_to(decided, frame),
    )


def _where_it_came_to(given: Decided | None, frame: Frame) -> svg.Svg:
    """A dot with the interval of the error rate."""
    place = defined_values([given["coverage"], given["error"]]) if given else []
    if given is None or len(place) < 2:
        return svg.Svg()
    x, y = frame.x(place[0]), frame.y(place[1])
    words = f"{place[0]:.0%} decided on, {place[1]:.1%} of them wrong"
    parts = []
    ends = defined_values([given.get("low"), given.get("high")])
    if len(ends) == 2:
        low, high = map(frame.y, ends)
        parts.append(
            svg.straight_line(
                x, low, x, high, class_="head", stroke=svg.ACCENT_COLOUR, stroke_width=1.4
            )
        )
    parts.append(svg.circle_at(x, y, 4.2, class_="headdot", fill=svg.ACCENT_COLOUR))
    return svg.tooltip_group(words, *parts)

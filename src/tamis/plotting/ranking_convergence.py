"""How far successive rankings still differ as projections are added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from . import _svg as svg
from ._axes import nice_ticks, tick_frame

CHART_HEIGHT, TOP_MARGIN = 262.0, 30.0
MAX_DRAWN_POINTS = 300  # points drawn


class RankingUpdate(TypedDict):
    """How far the ranking moved by so many projections."""

    projections: int
    distance: float


def ranking_convergence(updates: Sequence[RankingUpdate]) -> str:
    """Mean distance between successive rankings of the best features, as SVG.

    Parameters
    ----------
    updates : sequence of mappings
        ``projections`` and ``distance``.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> updates = [{"projections": 10, "distance": 20.0}, {"projections": 20, "distance": 4.5}]
    >>> "from 20.0 to 4.5 places" in ranking_convergence(updates)
    True
    """
    skip = -(-len(updates) // MAX_DRAWN_POINTS) or 1
    shown = list(updates)[::-1][::skip][::-1]
    x_ticks = nice_ticks(0, max((u["projections"] for u in shown), default=1), 5)
    y_ticks = nice_ticks(0, max((u["distance"] for u in shown), default=1) or 1, 6)
    frame = tick_frame(x_ticks, y_ticks, CHART_HEIGHT, left=46, right=14, top=TOP_MARGIN, foot=42)
    points = [(frame.x(u["projections"]), frame.y(u["distance"])) for u in shown]
    parts = [frame.draw("projections", "places moved, mean of the best")]
    if points:
        parts.append(
            svg.line_through(
                points,
                class_="trace",
                stroke=svg.ACCENT_COLOUR,
                stroke_width=1.8,
                stroke_linejoin="round",
            )
        )
    desc = (
        f"from {shown[0]['distance']:.1f} to {shown[-1]['distance']:.1f} places over "
        f"{shown[-1]['projections']} projections"
        if shown
        else "no updates"
    )
    return svg.chart_root(
        CHART_HEIGHT, "Convergence of the ranking", desc, *parts, kind="convergence"
    )

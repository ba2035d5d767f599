"""How often values occur, in intervals of one width."""

from __future__ import annotations

from typing import TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, nice_ticks, tick_text

CHART_HEIGHT = 220.0


class ValueCounts(TypedDict):
    """Counts in even steps."""

    start: float
    step: float
    counts: list[int]


def value_histogram(histogram: ValueCounts, label: str, what: str) -> str:
    """A bar an interval, as SVG.

    Parameters
    ----------
    histogram : mapping
        ``start``, ``step`` and ``counts``; the first and last hold what is below and above, too.
    label : str
        Of the values.
    what : str
        That are counted.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> histogram = {"start": -0.5, "step": 0.5, "counts": [5, 1200]}
    >>> "0 to 0.5: 1,200 values" in value_histogram(histogram, "expression", "values")
    True
    """
    start, step, counts = histogram["start"], histogram["step"], histogram["counts"]
    ends = [start + step * k for k in range(len(counts) + 1)]
    across = [t for t in nice_ticks(ends[0], ends[-1], 6) if ends[0] <= t <= ends[-1]]
    up = nice_ticks(0, max([1, *counts]), 4)
    frame = Frame(
        Scale(ends[0], ends[-1], 50, svg.CHART_WIDTH - 12),
        Scale(0, up[-1], CHART_HEIGHT - 40, 26),
        across,
        up,
    )
    parts: list[str] = [frame.draw(label, what)]
    for k, n in enumerate(counts):
        left, right, top = frame.x(ends[k]), frame.x(ends[k + 1]), frame.y(n)
        words = f"{tick_text(ends[k])} to {tick_text(ends[k + 1])}: {n:,} {what}"
        if n:
            parts.append(
                svg.rectangle_at(
                    left,
                    top,
                    max(right - left - 0.5, 0.5),
                    frame.bottom - top,
                    svg.tooltip_title(words),
                    class_="headdot",
                    fill=svg.ACCENT_COLOUR,
                )
            )
    desc = f"{sum(counts):,} {what} from {tick_text(ends[0])} to {tick_text(ends[-1])}"
    return svg.chart_root(CHART_HEIGHT, f"{label}: {what}", desc, *parts, kind="histogram")

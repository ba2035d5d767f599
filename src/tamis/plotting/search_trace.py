"""The score along a search for a subset of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, defined_places, defined_values, nice_ticks, tick_frame

CHART_HEIGHT, TOP_MARGIN = 288.0, 56.0
AXIS_TITLES = {
    "features": "features in the subset",
    "groups": "groups in the subset",
    "generations": "generation",
}


class TracePoint(TypedDict):
    """The best score of a size or generation, its standard error, the mean of a population."""

    at: ReadOnly[int]
    score: ReadOnly[float | None]
    error: ReadOnly[NotRequired[float | None]]
    mean: ReadOnly[NotRequired[float | None]]


class TracePicture(TypedDict):
    """Scores along a search."""

    points: ReadOnly[Sequence[TracePoint]]
    axis: ReadOnly[str]
    criterion: ReadOnly[str]
    chosen: ReadOnly[int | None]
    method: ReadOnly[str]


def search_trace(data: TracePicture) -> str:
    """The best score of each size, or of each generation, as SVG.

    A band of one standard error of the inner folds stands around it where that is known, and a
    thin line shows the mean of a population.

    Parameters
    ----------
    data : mapping
        ``points`` (``at``, ``score``; optional ``error``, ``mean``), ``axis`` (what ``at``
        counts), ``criterion``, ``chosen`` (the size of the subset returned), ``method``; see
        `SubsetRanking.to_dict`.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> points = [{"at": 1, "score": -0.5, "error": 0.1}, {"at": 2, "score": -0.25, "error": 0.1}]
    >>> svg = search_trace({"points": points, "axis": "features", "criterion": "log_score",
    ...                     "chosen": 2, "method": "forward selection"})
    >>> "from -0.5 to -0.25" in svg
    True
    """
    points = data["points"]
    shown = defined_places(points, "at", "score")
    frame = _trace_frame(points, shown)
    criterion = str(data["criterion"]).replace("_", " ")
    of_sizes = data["axis"] != "generations"
    less = "" if of_sizes else " less the penalty"
    across = f"{AXIS_TITLES[data['axis']]} ({data['method']})"
    parts = [frame.draw(across, f"{criterion}{less}, mean of the inner folds")]
    parts.append(_error_band(points, frame))
    means = defined_places(points, "at", "mean")
    if means:
        parts.append(
            _trace_line(means, frame, "population", stroke="currentColor", stroke_opacity=0.45)
        )
    chosen_size = data["chosen"] if of_sizes else None
    if chosen_size:
        parts.append(frame.down(chosen_size, class_="chance", stroke_dasharray="5 4"))
    parts.append(_trace_line(shown, frame, "trace", stroke=svg.ACCENT_COLOUR, stroke_width=1.8))
    parts.append(_trace_legend(bool(means), of_sizes))
    scores = (
        f"from {shown[0][1]:.3g} to {max(y for _, y in shown):.3g}" if shown else "none defined"
    )
    chosen = f"; the subset returned has {data['chosen']}" if data.get("chosen") else ""
    title = str(data["method"])
    return svg.chart_root(
        CHART_HEIGHT, title[:1].upper() + title[1:], f"{scores}{chosen}", *parts, kind="trace"
    )


def _trace_frame(points: Sequence[TracePoint], shown: Sequence[tuple[float, float]]) -> Frame:
    heights = defined_values([p.get("score") for p in points])
    heights += defined_values([p.get("mean") for p in points])
    heights += [end for p in points for end in _error_ends(p)]
    x = [place for place, _ in shown] or [0, 1]
    low, high = min(heights, default=0.0), max(heights, default=1.0)
    return tick_frame(
        nice_ticks(0, max(x), 5),
        nice_ticks(low, high, 6),
        CHART_HEIGHT,
        left=46,
        right=14,
        top=TOP_MARGIN,
        foot=42,
    )


def _error_ends(point: TracePoint) -> list[float]:
    """One standard error below the score and above, where both are defined."""
    both = defined_values([point["score"], point.get("error")])
    return [both[0] - both[1], both[0] + both[1]] if len(both) == 2 else []


def _trace_line(
    places: Sequence[tuple[float, float]], frame: Frame, class_: str, **look: Any
) -> svg.Svg:
    where = [(frame.x(x), frame.y(y)) for x, y in places]
    return svg.line_through(where, class_=class_, stroke_linejoin="round", **look)


def _error_band(points: Sequence[TracePoint], frame: Frame) -> svg.Svg:
    """One standard error each way, as thin bars."""
    bars = [
        svg.straight_line(
            frame.x(p["at"]),
            frame.y(ends[0]),
            frame.x(p["at"]),
            frame.y(ends[1]),
            stroke=svg.ACCENT_COLOUR,
            stroke_opacity=0.35,
            stroke_width=3,
        )
        for p in points
        if (ends := _error_ends(p))
    ]
    return svg.join_elements(bars)


def _trace_legend(population: bool, of_sizes: bool) -> svg.Svg:
    rest = "thin: mean of the population" if population else "bars: one standard error"
    dashed = "dashed: the subset returned" if of_sizes else ""
    words = f"{rest}; {dashed}" if dashed else rest
    return svg.join_elements(
        [
            svg.text_label("the best of all evaluated: optimistic", 2, 14, class_="note"),
            svg.text_label(words, 2, 30, class_="note"),
        ]
    )

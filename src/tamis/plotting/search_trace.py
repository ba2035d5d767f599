"""The score along a search for a subset of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _svg as svg
from ._axes import Frame, defined_places, defined_values, nice_ticks, tick_frame

HEIGHT, TOP = 288.0, 56.0
AXES = {"features": "features in the subset", "groups": "groups in the subset",
        "generations": "generation"}  # fmt: skip


def search_trace(data: Mapping[str, Any]) -> str:
    """The best score of each size, or of each generation, as SVG.

    A band of one standard error of the inner folds stands around it where that is known, and a
    thin line tells the mean of a population.

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
    frame = _frame(points, shown)
    criterion = str(data["criterion"]).replace("_", " ")
    of_sizes = data["axis"] != "generations"
    less = "" if of_sizes else " less the penalty"
    parts = [frame.draw(AXES[data["axis"]], f"{criterion}{less}, mean of the inner folds")]
    parts.append(_band(points, frame))
    means = defined_places(points, "at", "mean")
    if means:
        parts.append(_line(means, frame, "population", stroke="currentColor", stroke_opacity=0.45))
    if of_sizes and data.get("chosen"):
        parts.append(frame.down(data["chosen"], class_="chance", stroke_dasharray="5 4"))
    parts.append(_line(shown, frame, "trace", stroke=svg.ACCENT, stroke_width=1.8))
    parts.append(_legend(bool(means), of_sizes))
    told = f"from {shown[0][1]:.3g} to {max(y for _, y in shown):.3g}" if shown else "none defined"
    chosen = f"; the subset returned has {data['chosen']}" if data.get("chosen") else ""
    title = str(data["method"])
    return svg.chart(HEIGHT, title[:1].upper() + title[1:], f"{told}{chosen}", *parts, kind="trace")


def _frame(points: Sequence[Mapping[str, Any]], shown: Sequence[tuple[float, float]]) -> Frame:
    heights = defined_values([p.get("score") for p in points])
    heights += defined_values([p.get("mean") for p in points])
    for p in points:
        if len(defined_values([p.get("score"), p.get("error")])) == 2:
            heights += [p["score"] - p["error"], p["score"] + p["error"]]
    x = [place for place, _ in shown] or [0, 1]
    low, high = min(heights, default=0.0), max(heights, default=1.0)
    return tick_frame(
        nice_ticks(0, max(x), 5), nice_ticks(low, high, 6), HEIGHT, left=46, right=14, top=TOP,
        foot=42,
    )  # fmt: skip


def _line(places: Sequence[tuple[float, float]], frame: Frame, class_: str, **look: Any) -> svg.Svg:
    where = [(frame.x(x), frame.y(y)) for x, y in places]
    return svg.polyline(where, class_=class_, stroke_linejoin="round", **look)


def _band(points: Sequence[Mapping[str, Any]], frame: Frame) -> svg.Svg:
    """One standard error each way, as thin bars."""
    bars = [
        svg.line(
            frame.x(p["at"]), frame.y(p["score"] - p["error"]),
            frame.x(p["at"]), frame.y(p["score"] + p["error"]),
            stroke=svg.ACCENT, stroke_opacity=0.35, stroke_width=3,
        )
        for p in points
        if len(defined_values([p.get("score"), p.get("error")])) == 2
    ]  # fmt: skip
    return svg.join(bars)


def _legend(population: bool, of_sizes: bool) -> svg.Svg:
    rest = "thin: mean of the population" if population else "bars: one standard error"
    dashed = "dashed: the subset returned" if of_sizes else ""
    words = f"{rest}; {dashed}" if dashed else rest
    return svg.join(
        [
            svg.label("the best of all evaluated: optimistic", 2, 14, class_="note"),
            svg.label(words, 2, 30, class_="note"),
        ]
    )

"""Score against the number of samples that the procedure learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

CHART_HEIGHT = 268.0


class CurvePoint(TypedDict):
    """The score of so many training samples; undefined numbers are None."""

    n_train: ReadOnly[float]
    mean: ReadOnly[float | None]
    low: ReadOnly[float | None]
    high: ReadOnly[float | None]


class CurvePicture(TypedDict):
    """Scores by training samples, and what chance gives."""

    metric: ReadOnly[str]
    points: ReadOnly[Sequence[CurvePoint]]
    chance: ReadOnly[float | None]


def learning_curve(data: CurvePicture) -> str:
    """Scores with their intervals by training samples, and chance across, as SVG.

    Parameters
    ----------
    data : mapping
        ``metric`` (its readable name), ``points`` (list of ``{"n_train", "mean", "low",
        "high"}``, undefined numbers None) and ``chance`` (or None).

    Examples
    --------
    >>> points = [{"n_train": n, "mean": n / 60, "low": 0.4, "high": 0.9} for n in (30.0, 50.0)]
    >>> "50 samples" in learning_curve({"metric": "BCR", "points": points, "chance": 0.5})
    True
    """
    points, chance = data["points"], data.get("chance")
    values = defined_values([p[k] for p in points for k in ("mean", "low", "high")] + [chance])
    ticks = nice_ticks(min(values), max(values), 5) if values else [0.0, 0.5, 1.0]
    across = nice_ticks(0, max(p["n_train"] for p in points), 6)
    frame = Frame(
        Scale(across[0], across[-1], 46, svg.CHART_WIDTH - 16),
        Scale(ticks[0], ticks[-1], CHART_HEIGHT - 44, 26),
        across,
        ticks,
    )
    parts: list[str] = [frame.draw("Training samples", data["metric"])]
    if chance is not None:
        line = frame.across(chance, class_="chance", stroke_dasharray="4 4", stroke_opacity=0.6)
        parts.append(svg.tooltip_group(f"chance: {chance:.3f}", line))
    parts += [_point_interval(p, frame) for p in points]
    there = [(p, mean) for p in points if (mean := p["mean"]) is not None]
    places = [(frame.x(p["n_train"]), frame.y(mean)) for p, mean in there]
    if places:
        parts.append(
            svg.line_through(places, class_="head", stroke=svg.ACCENT_COLOUR, stroke_width=2.2)
        )
    parts += [
        svg.circle_at(
            x,
            y,
            3.4,
            svg.tooltip_title(_curve_point_words(p)),
            class_="headdot",
            fill=svg.ACCENT_COLOUR,
        )
        for (p, _), (x, y) in zip(there, places, strict=True)
    ]
    title = f"{data['metric']} by training samples"
    return svg.chart_root(
        CHART_HEIGHT, title, "; ".join(map(_curve_point_words, points)), *parts, kind="learning"
    )


def _point_interval(point: CurvePoint, frame: Frame) -> svg.Svg:
    """An upright line with bars at its ends, where both are defined."""
    ends = defined_values([point["low"], point["high"]])
    if len(ends) < 2:
        return svg.Svg()
    x, (low, high) = frame.x(point["n_train"]), map(frame.y, ends)
    more: dict[str, object] = {
        "class_": "interval",
        "stroke": svg.ACCENT_COLOUR,
        "stroke_opacity": 0.55,
    }
    bars = [svg.straight_line(x - 4, y, x + 4, y, **more) for y in (low, high)]
    return svg.tooltip_group(
        _curve_point_words(point), svg.straight_line(x, low, x, high, **more), *bars
    )


def _curve_point_words(point: CurvePoint) -> str:
    n = f"{point['n_train']:,.0f} samples"
    if point["mean"] is None:
        return f"{n}: undefined"
    ends = ""
    if point["low"] is not None and point["high"] is not None:
        ends = f" ({point['low']:.3f} to {point['high']:.3f})"
    return f"{n}: {point['mean']:.3f}{ends}"

"""Score against the number of samples that the procedure learns from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

HEIGHT = 268.0


def learning_curve(data: Mapping[str, Any]) -> str:
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
        Scale(across[0], across[-1], 46, svg.WIDTH - 16),
        Scale(ticks[0], ticks[-1], HEIGHT - 44, 26),
        across,
        ticks,
    )
    parts: list[str] = [frame.draw("Training samples", data["metric"])]
    if chance is not None:
        line = frame.across(chance, class_="chance", stroke_dasharray="4 4", stroke_opacity=0.6)
        parts.append(svg.group(f"chance: {chance:.3f}", line))
    parts += [_interval(p, frame) for p in points if defined_values([p["low"], p["high"]])]
    there = [p for p in points if p["mean"] is not None]
    places = [(frame.x(p["n_train"]), frame.y(p["mean"])) for p in there]
    if places:
        parts.append(svg.polyline(places, class_="head", stroke=svg.ACCENT, stroke_width=2.2))
    parts += [
        svg.circle(x, y, 3.4, svg.tooltip(_words(p)), class_="headdot", fill=svg.ACCENT)
        for p, (x, y) in zip(there, places, strict=True)
    ]
    title = f"{data['metric']} by training samples"
    return svg.chart(HEIGHT, title, "; ".join(map(_words, points)), *parts, kind="learning")


def _interval(point: Mapping[str, Any], frame: Frame) -> svg.Svg:
    """An upright line with bars at its ends."""
    x, low, high = frame.x(point["n_train"]), frame.y(point["low"]), frame.y(point["high"])
    more: dict[str, Any] = {"class_": "interval", "stroke": svg.ACCENT, "stroke_opacity": 0.55}
    ends = [svg.line(x - 4, y, x + 4, y, **more) for y in (low, high)]
    return svg.group(_words(point), svg.line(x, low, x, high, **more), *ends)


def _words(point: Mapping[str, Any]) -> str:
    n = f"{point['n_train']:,.0f} samples"
    if point["mean"] is None:
        return f"{n}: undefined"
    ends = ""
    if point["low"] is not None and point["high"] is not None:
        ends = f" ({point['low']:.3f} to {point['high']:.3f})"
    return f"{n}: {point['mean']:.3f}{ends}"

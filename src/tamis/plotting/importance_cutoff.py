"""What the cut-off rests on: sorted importances beside the largest of each permuted run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core.errors import plural
from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

HEIGHT, TOP = 262.0, 30.0
STRIP = 74.0  # width of the permuted runs' part, at the right


def importance_cutoff(
    data: Mapping[str, Any], what: str = "relative importance", noun: str = "feature"
) -> str:
    """A number by rank, and to its right the largest of the permuted runs, as SVG.

    Parameters
    ----------
    data : mapping
        ``features`` (list of ``{"name", "importance"}``, best first), ``maxima`` (one a permuted
        run; may be empty), ``threshold`` (or None) and ``size`` (features kept).
    what, noun : str
        What the number is called, and what has it.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> data = {"features": [{"name": "a", "importance": 0.5}], "maxima": [0.1], "size": 1,
    ...         "threshold": 0.1}
    >>> "1. a: 0.500, kept" in importance_cutoff(data)
    True
    """
    features = [f for f in data["features"] if f["importance"] is not None]
    maxima, threshold = defined_values(data["maxima"]), data["threshold"]
    everything = [f["importance"] for f in features] + maxima + defined_values([threshold])
    y_ticks = nice_ticks(0, max(everything, default=1.0) or 1.0, 6)
    right = svg.WIDTH - (STRIP + 14 if maxima else 12)
    last = max(len(features), 2)
    x_ticks = [1, *(t for t in nice_ticks(0, last, 5) if 1 < t <= last and t % 1 == 0)]
    frame = Frame(
        Scale(1, last, 46, right), Scale(0, y_ticks[-1], HEIGHT - 42, TOP), x_ticks, y_ticks
    )
    parts = [frame.draw(f"rank of the {noun}", what)]
    parts += [
        svg.circle(
            frame.x(j),
            frame.y(f["importance"]),
            3.2,
            svg.tooltip(
                f"{j}. {f['name']}: {f['importance']:.3f}" + ", kept" * (j <= data["size"])
            ),
            class_="headdot" if j <= data["size"] else "restdot",
            fill=svg.ACCENT if j <= data["size"] else "#8a929b",
        )
        for j, f in reversed(list(enumerate(features, 1)))
    ]
    if maxima:
        parts += _maxima_strip(maxima, frame, right)
    if threshold is not None:
        y = frame.y(threshold)
        end = svg.WIDTH - 8 if maxima else right
        parts.append(svg.line(frame.left, y, end, y, class_="chance", stroke_dasharray="5 4"))
    desc = f"{plural(data['size'], noun)} kept" + (
        f"; to be kept, {what} must exceed {threshold:.3f}" if threshold is not None else ""
    )
    return svg.chart(HEIGHT, f"{what[:1].upper()}{what[1:]} by rank", desc, *parts, kind="cutoff")


def _maxima_strip(maxima: list[float], frame: Frame, right: float) -> list[svg.Svg]:
    """A dot a run, in the order of the runs from left to right."""
    start, stop = right + 22, svg.WIDTH - 14
    step = (stop - start) / max(len(maxima) - 1, 1)
    middle = (start + stop) / 2
    return [
        svg.label("permuted", middle, frame.bottom + 16, "middle", class_="axis"),
        svg.label("runs", middle, frame.bottom + 30, "middle", class_="axis"),
        svg.line(right + 10, TOP, right + 10, frame.bottom, class_="grid", stroke_opacity=0.4),
        *(
            svg.circle(
                start + step * (j - 1) if len(maxima) > 1 else middle,
                frame.y(value),
                3.2,
                svg.tooltip(f"largest of permuted run {j}: {value:.3f}"),
                class_="innerdot",
                fill="#D55E00",
                fill_opacity=0.75,
            )
            for j, value in enumerate(maxima, 1)
        ),
    ]

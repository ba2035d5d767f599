"""Cost curves: what deciding by the probabilities costs, whatever the errors cost.

Drummond & Holte (2006), Cost curves. Machine Learning 65, 95-130.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._axes import Frame, Scale, defined_values, nice_ticks
from ._svg import ACCENT, WIDTH, Svg, join_parts, polyline, straight_line, svg_tag, text_label
from ._svg import tooltip as told_by
from .curves import HEIGHT, draw_curves

Series = Mapping[str, Any]


def cost_curve(data: Sequence[Series], operating: Mapping[str, Any] | None = None) -> str:
    """Normalised expected cost by what the errors cost, as SVG.

    Parameters
    ----------
    data : sequence of mappings
        ``label``, ``headline`` (bool) and ``points``: list of ``{"x", "threshold", "loss",
        "envelope"}``; of the headline the envelope is drawn too, dashed.
    operating : mapping, optional
        ``x`` of the costs at hand, the ``threshold`` there, and ``loss``, what the study's own
        decisions cost (None where that is unknown).

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> point = {"x": 0.5, "threshold": 0.2, "loss": 0.1, "envelope": 0.08}
    >>> svg = cost_curve([{"label": "all", "points": [point], "headline": True}])
    >>> "Normalised expected cost" in svg
    True
    """
    series = [{**one, "points": _curve_places(one, "loss")} for one in data]
    best = [p for one in data if one.get("headline") for p in _curve_places(one, "envelope")]
    ticks = nice_ticks(0, max([0.5, *(y for one in series for _, y in one["points"])]), 5)
    frame = Frame(
        Scale(0, 1, 42, WIDTH - 12),
        Scale(0, ticks[-1], HEIGHT - 40, 26),
        [0, 0.25, 0.5, 0.75, 1],
        ticks,
    )
    behind = [*_trivial_lines(frame)]
    if best:
        words = told_by("the best threshold at each place, chosen in hindsight: optimistic")
        dashed: dict[str, Any] = {"stroke_dasharray": "5 3", "stroke_width": 1.3}
        places = [(frame.x(x), frame.y(y)) for x, y in best]
        behind.append(polyline(places, words, class_="best", stroke=ACCENT, **dashed))
    marks = Svg()
    if operating is not None:
        line, marks = _operating_point(operating, frame)
        behind.append(line)
    return draw_curves(
        series, frame, join_parts(behind), "Cost curve", "Probability cost of the positive class",
        "Normalised expected cost", "cost", marks,
    )  # fmt: skip


def _curve_places(one: Series, key: str) -> list[tuple[float, float]]:
    return [
        (p["x"], p[key])
        for p in one.get("points") or []
        if len(defined_values([p.get("x"), p.get(key)])) == 2
    ]


def _trivial_lines(frame: Frame) -> list[Svg]:
    """Calling nobody positive costs x, calling everybody positive 1 - x."""
    top = frame.x(0.5), frame.y(0.5)
    more: dict[str, Any] = {"class_": "chance", "stroke_opacity": 0.6}
    left, right = frame.x(0.31), frame.x(0.69)
    return [
        straight_line(frame.x(0), frame.y(0), *top, stroke_dasharray="4 4", **more),
        straight_line(*top, frame.x(1), frame.y(0), stroke_dasharray="4 4", **more),
        text_label("nobody", left - 8, frame.y(0.31) - 4, "end", class_="note"),
        text_label("everybody", right + 8, frame.y(0.31) - 4, class_="note"),
    ]


def _operating_point(given: Mapping[str, Any], frame: Frame) -> tuple[Svg, Svg]:
    """A line where the costs at hand are, and a dot at what the study's decisions cost."""
    x = frame.x(given["x"])
    words = f"the costs of this study: x = {given['x']:.3f}, p* = {given['threshold']:.3f}"
    line = svg_tag(
        "g",
        told_by(words),
        straight_line(x, frame.y.stop, x, frame.bottom, class_="chance", stroke_dasharray="1 3"),
    )
    if given.get("loss") is None:
        return line, Svg()
    words = f"as decided in this study: {given['loss']:.3f}; {words}"
    return line, svg_tag(
        "circle", told_by(words), cx=x, cy=frame.y(given["loss"]), r=4.2, class_="headdot",
        fill=ACCENT,
    )  # fmt: skip

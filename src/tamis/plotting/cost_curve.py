"""Cost curves: what deciding by the probabilities costs, whatever the errors cost.

Drummond & Holte (2006), Cost curves. Machine Learning 65, 95-130.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from . import _svg as svg
from ._axes import Frame, Series, defined_places, nice_ticks, unit_frame
from .curves import draw_curves


class OperatingPoint(TypedDict):
    """The costs at hand, and what the study's own decisions cost there."""

    x: float
    threshold: float | None
    loss: NotRequired[float | None]


def cost_curve(data: Sequence[Series], operating: OperatingPoint | None = None) -> str:
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
    series = [{**one, "points": defined_places(one.get("points"), "x", "loss")} for one in data]
    best = [
        place
        for one in data
        if one.get("headline")
        for place in defined_places(one.get("points"), "x", "envelope")
    ]
    ticks = nice_ticks(0, max([0.5, *(y for one in series for _, y in one["points"])]), 5)
    frame = unit_frame(ticks)
    behind = [*_trivial_lines(frame)]
    if best:
        words = svg.tooltip_title(
            "the best threshold at each place, chosen in hindsight: optimistic"
        )
        dashed: dict[str, object] = {"stroke_dasharray": "5 3", "stroke_width": 1.3}
        places = [(frame.x(x), frame.y(y)) for x, y in best]
        behind.append(
            svg.line_through(places, words, class_="best", stroke=svg.ACCENT_COLOUR, **dashed)
        )
    marks = svg.Svg()
    if operating is not None:
        line, marks = _operating_point(operating, frame)
        behind.append(line)
    return draw_curves(
        series,
        frame,
        svg.join_elements(behind),
        "Cost curve",
        "Probability cost of the positive class",
        "Normalised expected cost",
        "cost",
        marks,
    )


def _trivial_lines(frame: Frame) -> list[svg.Svg]:
    """Calling nobody positive costs x, calling everybody positive 1 - x."""
    x, y = frame.x(0.5), frame.y(0.5)
    more: dict[str, object] = {"class_": "chance", "stroke_opacity": 0.6}
    left, right = frame.x(0.31), frame.x(0.69)
    return [
        svg.straight_line(frame.x(0), frame.y(0), x, y, stroke_dasharray="4 4", **more),
        svg.straight_line(x, y, frame.x(1), frame.y(0), stroke_dasharray="4 4", **more),
        svg.text_label("all negative", left - 8, frame.y(0.31) - 4, "end", class_="note"),
        svg.text_label("all positive", right + 8, frame.y(0.31) - 4, class_="note"),
    ]


def _operating_point(given: OperatingPoint, frame: Frame) -> tuple[svg.Svg, svg.Svg]:
    """A line where the costs at hand are, and a dot at what the study's decisions cost."""
    words = f"the costs of this study: x = {given['x']:.3f}"
    if given["threshold"] is not None:
        words += f", p* = {given['threshold']:.3f}"
    line = svg.tooltip_group(words, frame.down(given["x"], class_="chance", stroke_dasharray="1 3"))
    loss = given.get("loss")
    if loss is None:
        return line, svg.Svg()
    words = f"as decided in this study: {loss:.3f}; {words}"
    x, y, mark = frame.x(given["x"]), frame.y(loss), svg.tooltip_title(words)
    return line, svg.circle_at(x, y, 4.2, mark, class_="headdot", fill=svg.ACCENT_COLOUR)

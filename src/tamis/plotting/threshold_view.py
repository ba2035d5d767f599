"""The threshold view: what calling the positive class from a probability on gives and costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _svg as svg
from ._axes import (
    UNIT_HEIGHT,
    Frame,
    Place,
    Scale,
    Series,
    defined_places,
    defined_values,
    nice_ticks,
    unit_frame,
)

PANEL_HEIGHT = 176.0
SPECIFICITY_DASHES = "6 3"  # specificity


def threshold_view(
    data: Sequence[Series],
    threshold: float | None = None,
    chosen: Sequence[float] = (),
    constant: float | None = None,
) -> str:
    """Sensitivity, specificity and, where it is known, the mean cost by threshold, as SVG.

    Parameters
    ----------
    data : sequence of mappings
        ``label``, ``headline`` (bool) and ``points``: list of ``{"threshold", "sensitivity",
        "specificity", "loss"}``, whose numbers hold down to the point before.
    threshold : float, optional
        p*, from which on the costs would have a sample called positive.
    chosen : sequence of float, optional
        Thresholds that decisions chose.
    constant : float, optional
        What the best constant prediction costs.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> point = {"threshold": 0.5, "sensitivity": 0.8, "specificity": 0.9, "loss": None}
    >>> "sensitivity" in threshold_view([{"label": "all", "points": [point], "headline": True}])
    True
    """
    costs = [y for one in data for _, y in _step_corners(one, "loss")]
    frames = [unit_frame()]
    keys = [["sensitivity", "specificity"]]
    if costs:
        ticks = nice_ticks(min([0.0, *costs]), max([*costs, *defined_values([constant])]), 4)
        y = Scale(ticks[0], ticks[-1], UNIT_HEIGHT + PANEL_HEIGHT - 40, UNIT_HEIGHT + 14)
        frames.append(Frame(Scale(0, 1, 42, svg.CHART_WIDTH - 12), y, frames[0].x_ticks, ticks))
        keys.append(["loss"])
    name = "Threshold probability"
    drawn = [frames[0].draw("" if costs else name, "Share"), _line_key()]
    if costs:
        drawn.append(frames[1].draw(name, "Mean cost"))
    if costs and constant is not None:
        drawn.append(_constant_line(frames[1], constant))
    drawn += _vertical_marks(frames, threshold, chosen)
    thin: list[svg.Svg] = []
    bold: list[svg.Svg] = []
    number = 0
    for one in data:
        head = bool(one.get("headline"))
        for frame, names in zip(frames, keys, strict=True):
            for key in names:
                (bold if head else thin).extend(_step_line(one, key, frame, head, number))
        number += not head
    headlines = [_threshold_words(one, threshold) for one in data if one.get("headline")]
    height = UNIT_HEIGHT + PANEL_HEIGHT if costs else UNIT_HEIGHT
    desc = "; ".join(headlines) or f"{number} methods"
    return svg.chart_root(height, "Threshold view", desc, *drawn, *thin, *bold, kind="thresholds")


def _step_corners(one: Series, key: str) -> list[Place]:
    """The corners of the step function."""
    corners: list[Place] = []
    for threshold, value in defined_places(one.get("points"), "threshold", key):
        if corners and corners[-1][1] != value:
            corners.append((corners[-1][0], value))
        corners.append((threshold, value))
    return corners


def _step_line(one: Series, key: str, frame: Frame, head: bool, number: int) -> list[svg.Svg]:
    places = [(frame.x(x), frame.y(y)) for x, y in _step_corners(one, key)]
    if not places:
        return []
    name = {"loss": "mean cost"}.get(key, key)
    more: dict[str, object] = {"class_": "head", "stroke": svg.ACCENT_COLOUR, "stroke_width": 2.6}
    dashes = SPECIFICITY_DASHES if key == "specificity" else None
    if not head:
        more = {
            "class_": f"thin s{number}",
            "stroke": svg.series_colour(number),
            "stroke_width": 1.3,
        }
        dashes = dashes or svg.series_dashes(number)
    words = svg.tooltip_title(f"{one['label']}: {name}")
    return [
        svg.line_through(places, words, stroke_linejoin="round", stroke_dasharray=dashes, **more)
    ]


def _line_key() -> svg.Svg:
    """Which line is which, right above the chart."""
    parts, x = [], svg.CHART_WIDTH - 12.0
    for name, dashes in (("specificity", SPECIFICITY_DASHES), ("sensitivity", None)):
        x -= svg.text_width(name)
        parts.append(svg.text_label(name, x, 12, class_="note"))
        x -= 28
        line = svg.straight_line(x, 8, x + 23, 8, class_="axis", stroke_dasharray=dashes)
        parts.append(line)
        x -= 12
    return svg.make_element("g", *parts)


def _constant_line(frame: Frame, constant: float) -> svg.Svg:
    return svg.tooltip_group(
        f"the best constant prediction: {constant:.3g}",
        frame.across(constant, class_="chance", stroke_dasharray="4 4", stroke_opacity=0.6),
    )


def _vertical_marks(
    frames: Sequence[Frame], threshold: float | None, chosen: Sequence[float]
) -> list[svg.Svg]:
    """p* in every panel, and thin lines where decisions chose."""

    def vertical_lines(at: float, **more: Any) -> list[svg.Svg]:
        return [frame.down(at, class_="chance", **more) for frame in frames]

    found = [
        svg.tooltip_group(
            f"a threshold that was chosen: {one:.3f}", *vertical_lines(one, stroke_opacity=0.35)
        )
        for one in chosen
    ]
    if threshold is not None:
        words = f"p* = {threshold:.3f}, the threshold that the costs give"
        place = frames[0].x(threshold), frames[0].bottom + 30
        name = svg.text_label("p*", *place, "middle", class_="note")
        found.append(
            svg.tooltip_group(words, *vertical_lines(threshold, stroke_dasharray="1 3"), name)
        )
    return found


def _threshold_words(one: Series, threshold: float | None) -> str:
    at = 0.5 if threshold is None else threshold
    keys = ("threshold", "sensitivity", "specificity")
    every = ([p.get(key) for key in keys] for p in one.get("points") or [])
    known = (defined_values(numbers) for numbers in every)
    found = next((three for three in known if len(three) == 3 and three[0] >= at), None)
    if found is None:
        return f"{one['label']}: undefined"
    return (
        f"{one['label']}: sensitivity {found[1]:.2f}, specificity {found[2]:.2f} when called from "
        f"{at:.2f} on"
    )

"""Methods side by side: a dot and its interval each, the headline marked, chance behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

ROW_HEIGHT = 36.0
TOP_MARGIN = 24.0


class Interval(TypedDict):
    """A number with its interval; undefined ends are None."""

    mean: ReadOnly[float | None]
    low: ReadOnly[NotRequired[float | None]]
    high: ReadOnly[NotRequired[float | None]]


class MethodRow(Interval):
    """The score of a method; the headline is drawn bold."""

    label: ReadOnly[str]
    headline: ReadOnly[NotRequired[bool]]


class Chance(Interval):
    """What chance gives; `label` where it is called otherwise."""

    label: ReadOnly[NotRequired[str]]


class IntervalsPicture(TypedDict):
    """Scores side by side."""

    metric: ReadOnly[str]
    rows: ReadOnly[Sequence[MethodRow]]
    chance: ReadOnly[NotRequired[Chance | None]]


def method_intervals(data: IntervalsPicture) -> str:
    """A dot plot with intervals, as SVG; the label stands above its line, so any fits.

    Parameters
    ----------
    data : mapping
        ``metric`` (its readable name), ``rows`` (list of ``{"label", "mean", "low",
        "high", "headline"}``, undefined numbers None) and ``chance``
        (``{"mean", "low", "high"}`` or None; its ``label`` stands at the line if it is not
        "chance").

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> row = {"label": "welch_t", "mean": 0.8, "low": 0.7, "high": 0.9, "headline": False}
    >>> "welch_t" in method_intervals({"metric": "BCR", "rows": [row], "chance": None})
    True
    """
    rows, chance = data["rows"], data.get("chance")
    values = [
        value
        for one in [*rows, *([chance] if chance else [])]
        for value in defined_values([one.get("mean"), one.get("low"), one.get("high")])
    ]
    ticks = [0.0, 0.5, 1.0]
    if values:
        room = 0.04 * (max(values) - min(values))  # nothing sits on the left edge
        ticks = nice_ticks(min(values) - room, max(values), 6)
    bottom = TOP_MARGIN + ROW_HEIGHT * len(rows) + 6
    frame = Frame(
        Scale(ticks[0], ticks[-1], 14, svg.CHART_WIDTH - 14),
        Scale(0, 1, bottom, TOP_MARGIN - 6),
        ticks,
        [],
    )
    parts = [_chance_band(chance, rows, frame), frame.draw(str(data["metric"]))]
    parts += [_method_row(row, TOP_MARGIN + ROW_HEIGHT * i, frame) for i, row in enumerate(rows)]
    desc = "; ".join(_row_words(row) for row in rows)
    return svg.chart_root(
        bottom + 40, f"{data['metric']} of each method", desc, *parts, kind="intervals"
    )


def _interval_ends(one: Interval) -> list[float]:
    """Both ends, or none unless both are defined."""
    ends = defined_values([one.get("low"), one.get("high")])
    return ends if len(ends) == 2 else []


def _row_words(row: MethodRow) -> str:
    if row.get("mean") is None:
        return f"{row['label']}: undefined"
    ends = " to ".join(f"{end:.3f}" for end in _interval_ends(row))
    return f"{row['label']}: {row['mean']:.3f}" + (f" ({ends})" if ends else "")


def _chance_band(chance: Chance | None, rows: Sequence[MethodRow], frame: Frame) -> svg.Svg:
    mean = chance.get("mean") if chance else None
    if chance is None or mean is None:
        return svg.Svg()
    parts = []
    if ends_of := _interval_ends(chance):
        x, width = frame.x(ends_of[0]), frame.x(ends_of[1]) - frame.x(ends_of[0])
        height = frame.bottom - frame.y.stop
        parts.append(
            svg.rectangle_at(
                x,
                frame.y.stop,
                width,
                height,
                class_="band",
                fill="currentColor",
                fill_opacity=0.08,
            )
        )
    x = frame.x(mean)
    ends = [frame.y.stop]
    for i, row in enumerate(rows):  # the line pauses where a name stands
        if frame.left + svg.text_width(_method_name(row, frame)) > x - 4:
            ends += [
                max(TOP_MARGIN + ROW_HEIGHT * i - 1, frame.y.stop),
                TOP_MARGIN + ROW_HEIGHT * i + 17,
            ]
    ends.append(frame.bottom)
    for top, bottom in zip(ends[::2], ends[1::2], strict=True):
        if bottom > top:
            more = {"class_": "chance", "stroke_dasharray": "4 4"}
            parts.append(svg.straight_line(x, top, x, bottom, **more))
    anchor = "start" if x < svg.CHART_WIDTH / 2 else "end"
    name = chance.get("label", "chance")
    parts.append(svg.text_label(name, x, frame.y.stop - 6, anchor, class_="note"))
    return svg.tooltip_group(f"{name}: {mean:.3f}", *parts)


def _method_name(row: MethodRow, frame: Frame) -> str:
    return svg.fit_text(row["label"], frame.x.stop - frame.x.start - 10)


def _method_row(row: MethodRow, y: float, frame: Frame) -> svg.Svg:
    head = bool(row.get("headline"))
    kind = "head" if head else "other"
    colour = svg.ACCENT_COLOUR if head else "currentColor"
    weight = "bold" if head else None
    text = svg.text_label(
        _method_name(row, frame), frame.left, y + 12, class_=f"name {kind}", font_weight=weight
    )
    mean = row.get("mean")
    if mean is None:
        undefined = svg.text_label("undefined", frame.left, y + 27, class_="note")
        return svg.tooltip_group(_row_words(row), text, undefined)
    parts = [text]
    x, middle = frame.x(mean), y + 23
    if ends := _interval_ends(row):
        low, high = map(frame.x, ends)
        more = {"class_": kind, "stroke": colour, "stroke_width": 2.4 if head else 1.4}
        parts.append(svg.straight_line(low, middle, high, middle, **more))
        parts += [
            svg.straight_line(end, middle - 4, end, middle + 4, **more) for end in (low, high)
        ]
    radius = 5.5 if head else 4.2
    parts.append(svg.circle_at(x, middle, radius, class_=f"{kind}dot", fill=colour))
    return svg.tooltip_group(_row_words(row), *parts)

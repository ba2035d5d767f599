"""Methods side by side: a dot and its interval each, the headline marked, chance behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

ROW = 36.0
TOP = 24.0


def method_intervals(data: Mapping[str, Any]) -> str:
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
    rows, chance = data["rows"], data.get("chance") or {}
    keys = ("mean", "low", "high")
    values = defined_values(
        [row.get(k) for row in rows for k in keys] + [chance.get(k) for k in keys]
    )
    ticks = [0.0, 0.5, 1.0]
    if values:
        room = 0.04 * (max(values) - min(values))  # nothing sits on the left edge
        ticks = nice_ticks(min(values) - room, max(values), 6)
    bottom = TOP + ROW * len(rows) + 6
    frame = Frame(
        Scale(ticks[0], ticks[-1], 14, svg.WIDTH - 14), Scale(0, 1, bottom, TOP - 6), ticks, []
    )
    parts = [_chance_band(chance, rows, frame), frame.draw(str(data["metric"]))]
    parts += [_method_row(row, TOP + ROW * i, frame) for i, row in enumerate(rows)]
    desc = "; ".join(_row_words(row) for row in rows)
    return svg.chart(
        bottom + 40, f"{data['metric']} of each method", desc, *parts, kind="intervals"
    )


def _row_words(row: Mapping[str, Any]) -> str:
    if row.get("mean") is None:
        return f"{row['label']}: undefined"
    words = f"{row['label']}: {row['mean']:.3f}"
    if len(defined_values([row.get("low"), row.get("high")])) == 2:
        words += f" ({row['low']:.3f} to {row['high']:.3f})"
    return words


def _chance_band(
    chance: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], frame: Frame
) -> svg.Svg:
    mean, low, high = (chance.get(k) for k in ("mean", "low", "high"))
    if mean is None:
        return svg.Svg()
    parts = []
    if low is not None and high is not None:
        x, width = frame.x(low), frame.x(high) - frame.x(low)
        height = frame.bottom - frame.y.stop
        parts.append(
            svg.rect(
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
            ends += [max(TOP + ROW * i - 1, frame.y.stop), TOP + ROW * i + 17]
    ends.append(frame.bottom)
    for top, bottom in zip(ends[::2], ends[1::2], strict=True):
        if bottom > top:
            more = {"class_": "chance", "stroke_dasharray": "4 4"}
            parts.append(svg.line(x, top, x, bottom, **more))
    anchor = "start" if x < svg.WIDTH / 2 else "end"
    name = chance.get("label", "chance")
    parts.append(svg.label(name, x, frame.y.stop - 6, anchor, class_="note"))
    return svg.group(f"{name}: {mean:.3f}", *parts)


def _method_name(row: Mapping[str, Any], frame: Frame) -> str:
    return svg.fit_text(row["label"], frame.x.stop - frame.x.start - 10)


def _method_row(row: Mapping[str, Any], y: float, frame: Frame) -> svg.Svg:
    head = bool(row.get("headline"))
    kind = "head" if head else "other"
    colour = svg.ACCENT if head else "currentColor"
    weight = "bold" if head else None
    text = svg.label(
        _method_name(row, frame), frame.left, y + 12, class_=f"name {kind}", font_weight=weight
    )
    if row.get("mean") is None:
        undefined = svg.label("undefined", frame.left, y + 27, class_="note")
        return svg.group(_row_words(row), text, undefined)
    parts = [text]
    x, middle = frame.x(row["mean"]), y + 23
    if len(defined_values([row.get("low"), row.get("high")])) == 2:
        low, high = frame.x(row["low"]), frame.x(row["high"])
        more = {"class_": kind, "stroke": colour, "stroke_width": 2.4 if head else 1.4}
        parts.append(svg.line(low, middle, high, middle, **more))
        parts += [svg.line(end, middle - 4, end, middle + 4, **more) for end in (low, high)]
    radius = 5.5 if head else 4.2
    parts.append(svg.circle(x, middle, radius, class_=f"{kind}dot", fill=colour))
    return svg.group(_row_words(row), *parts)

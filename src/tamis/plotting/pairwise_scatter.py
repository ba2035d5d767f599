"""Two methods on many data sets: a point a set, above, on or below the diagonal."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from . import _svg as svg
from ._axes import Frame, nice_ticks, tick_frame

CHART_HEIGHT = 374.0  # which makes the frame a square


class ScorePair(TypedDict):
    """Scores of two methods on a data set."""

    label: str
    first: float
    second: float


class PairPicture(TypedDict):
    """Two methods on many data sets, and on how many the first is above, on or below."""

    first: str
    second: str
    metric: str
    points: list[ScorePair]
    above: int
    on: int
    below: int
    domain: NotRequired[tuple[float, float]]


def pairwise_scatter(data: PairPicture) -> str:
    """Scores of one method against those of another, as SVG.

    Both axes are the same, so the diagonal is "equal". Points above it are data sets on which
    `first`, the vertical one, scores higher.

    Parameters
    ----------
    data : mapping
        ``first``, ``second`` (names), ``metric`` (its readable name), ``points`` (list of
        ``{"label", "first", "second"}``), ``above``, ``on``, ``below`` (numbers of data sets
        on which the first scores higher, the same, lower), ``domain`` (lowest and highest
        score shown, so that charts can be compared; optional).

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> point = {"label": "alon", "first": 0.85, "second": 0.79}
    >>> svg = pairwise_scatter({"first": "a", "second": "b", "metric": "BCR", "points": [point],
    ...                         "above": 1, "on": 0, "below": 0})
    >>> "alon: a 0.850, b 0.790" in svg
    True
    """
    first, second, points = str(data["first"]), str(data["second"]), data["points"]
    values = [p[k] for p in points for k in ("first", "second")] or [0.0, 1.0]
    low, high = data.get("domain") or (min(values), max(values))
    ticks = nice_ticks(low, high, 8)
    frame = tick_frame(ticks, ticks, CHART_HEIGHT, foot=42)
    room = svg.CHART_WIDTH - 16 - svg.text_width("horizontal: ")
    parts = [
        frame.draw("", f"vertical: {svg.fit_text(first, room)}"),
        svg.text_label(
            f"horizontal: {svg.fit_text(second, room)}",
            svg.CHART_WIDTH - 12,
            frame.bottom + 33,
            "end",
            class_="axis",
        ),
        svg.straight_line(
            frame.left,
            frame.bottom,
            frame.x.stop,
            frame.y.stop,
            class_="chance",
            stroke_dasharray="4 4",
        ),
        _side_counts(data, frame),
        *(_draw_point(p, first, second, frame) for p in points),
    ]
    desc = f"{_pair_words(data)}. " + "; ".join(_point_words(p, first, second) for p in points)
    title = f"{data['metric']} of {first} against {second}"
    return svg.chart_root(CHART_HEIGHT, title, desc, *parts, kind="scatter")


def _pair_words(data: PairPicture) -> str:
    return (
        f"{data['first']} is above the diagonal on {data['above']} data sets, "
        f"on it on {data['on']}, below it on {data['below']}"
    )


def _point_words(point: ScorePair, first: str, second: str) -> str:
    return f"{point['label']}: {first} {point['first']:.3f}, {second} {point['second']:.3f}"


def _side_counts(data: PairPicture, frame: Frame) -> svg.Svg:
    """The three numbers, each on its side; that of the diagonal stands under its foot."""
    x, y = frame.left + 8, frame.y.stop + 17
    low = frame.bottom - 9
    return svg.join_elements(
        [
            svg.text_label(f"above {data['above']}", x, y, class_="count", font_weight="bold"),
            svg.text_label(f"on {data['on']}", x + 30, low, class_="count", font_weight="bold"),
            svg.text_label(
                f"below {data['below']}",
                frame.x.stop - 6,
                low,
                "end",
                class_="count",
                font_weight="bold",
            ),
        ]
    )


def _draw_point(point: ScorePair, first: str, second: str, frame: Frame) -> svg.Svg:
    return svg.circle_at(
        frame.x(point["second"]),
        frame.y(point["first"]),
        5.0,
        svg.tooltip_title(_point_words(point, first, second)),
        class_="headdot",
        fill=svg.ACCENT_COLOUR,
        fill_opacity=0.75,
    )

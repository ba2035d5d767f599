"""Names beside the ends of lines, and the looks that distinguish the lines."""

from __future__ import annotations

from collections.abc import Sequence

from . import _svg as svg

MAX_NAMED_LINES = 12  # lines with a name
NAME_HEIGHT = 14.0  # of a name
NAME_GAP = 16.0  # from the end of a line to its name
MAX_NAME_WIDTH = 92.0  # of a name


def short_name(name: object) -> str:
    """A name as it stands beside its line."""
    return svg.fit_text(name, MAX_NAME_WIDTH)


def room_for_names(names: Sequence[str]) -> float:
    """How much the names need at the right of the lines."""
    widest = 1.15 * max((svg.text_width(short_name(name)) for name in names), default=0.0)
    return widest + NAME_GAP if names else 0.0


def line_look(place: int) -> dict[str, object]:
    """Colour and dashes of the line at a place in the order; the page knows the class."""
    return {
        "class_": f"s{place % len(svg.PALETTE)}",
        "stroke": svg.series_colour(place),
        "stroke_dasharray": svg.series_dashes(place),
    }


def end_names(
    names: Sequence[str], ends: Sequence[float], stop: float, top: float, bottom: float
) -> svg.Svg:
    """Names beside lines that end at x = `stop` and these heights, moved apart, each with a thin
    line to its end."""
    order = sorted(range(len(names)), key=lambda i: (ends[i], i))
    heights = spread_places([ends[i] for i in order], NAME_HEIGHT, top, bottom)
    parts = []
    for i, y in zip(order, heights, strict=True):
        parts.append(
            svg.straight_line(
                stop, ends[i], stop + NAME_GAP - 4, y, **line_look(i), stroke_width=0.8
            )
        )
        parts.append(svg.text_label(short_name(names[i]), stop + NAME_GAP, y + 4, class_="name"))
    return svg.join_elements(parts)


def spread_places(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places at least `gap` apart inside [low, high], near those wanted (rising).

    Examples
    --------
    >>> spread_places([10.0, 11.0, 40.0], 14, 0, 100)
    [3.5, 17.5, 40.0]
    """
    groups: list[list[float]] = []  # [sum of wanted minus offsets, count]: least squares
    for value in wanted:
        groups.append([value, 1])
        while len(groups) > 1 and _group_start(groups[-1], gap, low, high) < (
            _group_start(groups[-2], gap, low, high) + gap * groups[-2][1] - 1e-9
        ):
            total, count = groups.pop()
            groups[-1][0] += total - count * gap * groups[-1][1]
            groups[-1][1] += count
    return [
        _group_start(group, gap, low, high) + gap * i
        for group in groups
        for i in range(int(group[1]))
    ]


def _group_start(group: Sequence[float], gap: float, low: float, high: float) -> float:
    """Where the first of a group stands: the group is centred on what it wants, inside."""
    total, count = group
    # each value counts from its own place in the group, so their mean is the start
    return min(max(total / count, low), high - gap * (count - 1))

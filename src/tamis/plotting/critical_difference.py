"""The critical-difference diagram: average ranks, and groups that do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, tick_text

ROW_HEIGHT = 36.0
LINE_HEIGHT = 14.0  # of a name's second line
TOP_MARGIN = 76.0  # the difference's own bar and the axis stand above the rows
LANE_HEIGHT = 9.0


class RankedMethod(TypedDict):
    """A method and its average rank."""

    name: str
    rank: float


class RankDiagram(TypedDict):
    """Average ranks, and groups that are not significantly different."""

    methods: list[RankedMethod]
    groups: list[list[str]]
    critical_difference: float
    alpha: float
    n_sets: int


def critical_difference(data: RankDiagram) -> str:
    """Average ranks of methods with the groups that do not differ, as SVG.

    Demsar's diagram turned on its side: each method has a line with its full name, best on
    top, and the bars that join the methods of a group stand at the right. So twelve long
    names are legible on a phone.

    Parameters
    ----------
    data : mapping
        ``methods`` (list of ``{"name", "rank"}``), ``groups`` (lists of names),
        ``critical_difference``, ``alpha``, ``n_sets``; see `MethodComparison.diagram`.

    Returns
    -------
    str
        An ``<svg>`` element.

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets. Journal of
    Machine Learning Research 7, 1-30, figure 1.

    Examples
    --------
    >>> methods = [{"name": "a", "rank": 1.2}, {"name": "b", "rank": 1.8}]
    >>> svg = critical_difference({"methods": methods, "groups": [["a", "b"]], "n_sets": 9,
    ...                            "critical_difference": 0.65, "alpha": 0.05})
    >>> "not significantly different: a, b" in svg
    True
    """
    methods = sorted(data["methods"], key=lambda one: one["rank"])
    k, cd = len(methods), float(data["critical_difference"])
    lanes = _group_lanes([one["name"] for one in methods], data["groups"])
    right = svg.CHART_WIDTH - 12 - LANE_HEIGHT * max([0, *(lane + 1 for *_, lane in lanes)])
    names = [_wrap_name(one["name"], right - 20) for one in methods]
    tops = list(
        accumulate(
            (ROW_HEIGHT + LINE_HEIGHT * (len(name) - 1) for name in names), initial=TOP_MARGIN
        )
    )
    bottom = tops[-1] + 4
    ticks = [float(t) for t in range(1, k + 1)]
    frame = Frame(
        Scale(1, max(k, 2), 14, right - 14), Scale(0, 1, bottom, TOP_MARGIN - 2), ticks, []
    )
    parts: list[svg.Svg] = [
        _rank_axis(frame, data["n_sets"]),
        _difference_measure(frame, cd, data["alpha"]),
    ]
    rows = zip(methods, names, tops, strict=False)
    parts += [_method_row(one, name, y, frame, right) for one, name, y in rows]
    parts += [
        _group_bar(group, tops[first] + 9, tops[last + 1] - 5, right + LANE_HEIGHT * lane)
        for group, first, last, lane in lanes
    ]
    ranks = "; ".join(f"{one['name']}: {one['rank']:.2f}" for one in methods)
    groups = "; ".join(_group_words(group) for group in data["groups"]) or "every pair differs"
    desc = f"Average ranks: {ranks}. Critical difference {cd:.2f} at {data['alpha']:g}; {groups}"
    title = f"Critical-difference diagram of {k} methods on {data['n_sets']} data sets"
    return svg.chart_root(bottom + 8, title, desc, *parts, kind="ranks")


def _group_words(group: Sequence[str]) -> str:
    return f"not significantly different: {', '.join(group)}"


def _group_lanes(
    names: Sequence[str], groups: Sequence[Sequence[str]]
) -> list[tuple[Sequence[str], int, int, int]]:
    """(group, first row, last row, lane): groups that share a row stand side by side."""
    place = {name: i for i, name in enumerate(names)}
    ends: list[int] = []  # the last row taken in each lane
    found = []
    for group in groups:
        rows = [place[name] for name in group]
        first, last = min(rows), max(rows)
        lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[lane : lane + 1] = [last]
        found.append((group, first, last, lane))
    return found


def _rank_axis(frame: Frame, n_sets: int) -> svg.Svg:
    """The axis on top: integer ranks, each with a faint line down through the rows."""
    y, last = frame.y.stop, -1e9
    parts = [
        svg.straight_line(frame.x.start, y, frame.x.stop, y, class_="tickline"),
        svg.text_label(f"Average rank on {n_sets} data sets (1 is best)", 2, 46, class_="axis"),
    ]
    for value in frame.x_ticks:
        x, text = frame.x(value), tick_text(value)
        parts.append(svg.straight_line(x, y, x, frame.bottom, class_="grid", stroke_opacity=0.15))
        if x - svg.text_width(text) / 2 > last + 5:
            parts.append(svg.text_label(text, x, y - 7, "middle", class_="tick"))
            last = x + svg.text_width(text) / 2
    return svg.join_elements(parts)


def _difference_measure(frame: Frame, cd: float, alpha: float) -> svg.Svg:
    """How long the critical difference is on the axis, cut with a note if it is longer."""
    start, y = frame.x.start, 10.0
    room = frame.x(frame.x.high) - start
    length = cd * room / (frame.x.high - frame.x.low)
    text = f"critical difference {cd:.2f} at {alpha:g}"
    more: dict[str, object] = {"class_": "head", "stroke": svg.ACCENT_COLOUR, "stroke_width": 2.2}
    if length > room:
        text += ", longer than the axis"
        length = room
    stop = start + length
    parts = [
        svg.straight_line(start, y, stop, y, **more),
        svg.straight_line(start, y - 4, start, y + 4, **more),
    ]
    if "longer" not in text:
        parts.append(svg.straight_line(stop, y - 4, stop, y + 4, **more))
    return svg.tooltip_group(text, *parts, svg.text_label(text, start, y + 17, class_="note"))


def _wrap_name(name: str, width: float) -> list[str]:
    """A name on one line, or on two with the second cut."""
    head = svg.fit_text(name, width)
    if not head.endswith("…"):
        return [head]
    full, head = " ".join(svg.clean_text(name).split()), head[:-1]
    cut = max(head.rfind(mark) + 1 for mark in " _/+-,")
    head = head[:cut] if cut > len(head) / 2 else head
    return [head, svg.fit_text(full[len(head) :], width)]


def _method_row(
    one: RankedMethod, name: list[str], y: float, frame: Frame, right: float
) -> svg.Svg:
    value, middle = f"{one['rank']:.2f}", y + 28 + LINE_HEIGHT * (len(name) - 1)
    x = frame.x(one["rank"])
    beside = x + 9 if x + 12 + svg.text_width(value) < right - 4 else x - 9
    return svg.tooltip_group(
        f"{one['name']}: average rank {value}",
        *(
            svg.text_label(part, 14, y + 16 + LINE_HEIGHT * i, class_="name")
            for i, part in enumerate(name)
        ),
        svg.circle_at(x, middle, 4.4, class_="headdot", fill=svg.ACCENT_COLOUR),
        svg.text_label(value, beside, middle + 4, "start" if beside > x else "end", class_="note"),
    )


def _group_bar(group: Sequence[str], top: float, bottom: float, x: float) -> svg.Svg:
    """A thick bar from the first row of a group to its last."""
    return svg.tooltip_group(
        _group_words(group),
        svg.straight_line(
            x + 4, top, x + 4, bottom, class_="s0 group", stroke=svg.PALETTE[0], stroke_width=5
        ),
    )

"""Selection probabilities along a sparse path, or by the number of features selected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from . import _svg as svg
from ._axes import Frame, Scale, log_ticks, nice_ticks

HEIGHT = 330.0
TOP = 78.0  # two lines of words and the name of the axis stand above
NAMED, GREY = 12, 60  # features with a name, and of the others
ROW = 14.0  # of a name
GAP = 16.0  # from the end of a line to its name


def stability_paths(data: Mapping[str, Any]) -> str:
    """Stability paths (Meinshausen & Buhlmann 2010, figure 1), as SVG.

    The features whose largest probability is at least the threshold are coloured, the best 12
    of them named; the others are thin and grey. The penalty falls to the right, so features
    enter from the left; without a path the axis is the number of features selected.

    Parameters
    ----------
    data : mapping
        ``features`` (list of ``{"name", "probability", "path"}``, best first), ``lambdas``
        (falling from lambda_max) or ``sizes`` (rising) of the path's points, ``threshold``;
        optional: ``label`` (the method), ``pfer`` and ``bound`` (what the threshold
        promises), ``n_stable`` and ``n_selected`` (features above the threshold, and selected
        by any half, if `features` are not all); see `StabilityRanking.to_dict`.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> feature = {"name": "TP53", "probability": 0.9, "path": [0.2, 0.9]}
    >>> svg = stability_paths({"features": [feature], "lambdas": [0.5, 0.1], "threshold": 0.75,
    ...                        "pfer": 1.0, "bound": "unimodal"})
    >>> "TP53: largest probability 0.90" in svg
    True
    """
    features, threshold = data["features"], float(data["threshold"])
    stable = [one for one in features if one["probability"] >= threshold]
    others = [one for one in features if one["probability"] < threshold][:GREY]
    named = stable[:NAMED]
    frame, steps = _path_frame(data, named)
    axis = "λ / λmax (log scale)" if data["lambdas"] else "Features selected on each half (log)"
    parts: list[str] = [
        frame.draw(axis, "selection probability"),
        *(_grey_path(one, steps, frame) for one in reversed(others)),
        _threshold_line(data, frame),
        *(_coloured_path(stable[i], i, steps, frame) for i in reversed(range(len(stable)))),
        _end_names(named, frame),
        _path_legend(data, len(stable), len(others)),
    ]
    told = "; ".join(_path_words(one) for one in stable[:NAMED]) or "none"
    bound = f" ({str(data['bound']).replace('_', ' ')} bound)" if data.get("bound") else ""
    desc = f"{_promise_text(data)}{bound}. Features that reach it: {told}"
    title = f"Stability paths: {data['label']}" if data.get("label") else "Stability paths"
    return svg.chart(HEIGHT, title, desc, *parts, kind="paths")


def _path_frame(data: Mapping[str, Any], named: Sequence[Mapping[str, Any]]) -> tuple[Frame, list]:
    """The axes, with room for the names at the right, and where each step is on the first."""
    widest = 1.15 * max((svg.text_width(_short_name(one)) for one in named), default=0.0)
    right = svg.WIDTH - 10 - (widest + GAP if named else 0.0)
    y = Scale(0, 1, HEIGHT - 42, TOP)
    if data["lambdas"]:
        shares = [value / data["lambdas"][0] for value in data["lambdas"]]
        x = Scale(shares[0], min(shares), 42, right, log=True)
        ticks = log_ticks(min(shares), shares[0])[::-1]
    else:
        shares = [float(k) for k in data["sizes"] or [1]]
        x = Scale(shares[0], shares[-1], 42, right, log=True)
        ticks = log_ticks(shares[0], shares[-1])
    return Frame(x, y, ticks, nice_ticks(0, 1, 4)), [x(share) for share in shares]


def _short_name(one: Mapping[str, Any]) -> str:
    return svg.fit_text(one["name"], 92)


def _path_words(one: Mapping[str, Any]) -> str:
    return f"{one['name']}: largest probability {one['probability']:.2f}"


def _promise_text(data: Mapping[str, Any]) -> str:
    """What keeping the features from the threshold up promises."""
    if data.get("pfer") is None:
        return f"threshold {data['threshold']:g}"
    return f"from {data['threshold']:g} up at most {rounded_up(data['pfer'])} false are expected"


def rounded_up(bound: float) -> str:
    """A positive bound with two digits: rounded down it would promise too much.

    Examples
    --------
    >>> rounded_up(0.971), rounded_up(31.07), rounded_up(1.0), rounded_up(0.0004)
    ('0.98', '32', '1', '0.0004')
    """
    unit = 10.0 ** (math.floor(math.log10(bound)) - 1)
    return f"{math.ceil(bound / unit - 1e-9) * unit:.3g}"


def _path_places(
    one: Mapping[str, Any], steps: Sequence[float], frame: Frame
) -> list[tuple[float, float]]:
    return [(x, frame.y(value)) for x, value in zip(steps, one["path"], strict=True)]


def _grey_path(one: Mapping[str, Any], steps: Sequence[float], frame: Frame) -> svg.Svg:
    return svg.polyline(
        _path_places(one, steps, frame),
        svg.tooltip(_path_words(one)),
        class_="other",
        stroke="currentColor",
        stroke_opacity=0.22,
        stroke_width=0.9,
    )


def _path_look(place: int) -> dict[str, Any]:
    """Colour and dashes of the feature at a place in the order; the page knows the class."""
    return {
        "class_": f"s{place % len(svg.PALETTE)}",
        "stroke": svg.colour(place),
        "stroke_dasharray": svg.dashes(place),
    }


def _coloured_path(
    one: Mapping[str, Any], place: int, steps: Sequence[float], frame: Frame
) -> svg.Svg:
    """A stable feature: those without a name are alike and thin, but not grey."""
    look: dict[str, Any] = {"class_": "", "stroke": svg.ACCENT, "stroke_opacity": 0.6}
    look = _path_look(place) if place < NAMED else look
    look["class_"] = f"{look['class_']} stable".strip()
    width = 2.0 if place < NAMED else 0.9
    return svg.polyline(
        _path_places(one, steps, frame),
        svg.tooltip(_path_words(one)),
        stroke_width=width,
        stroke_linejoin="round",
        **look,
    )


def _threshold_line(data: Mapping[str, Any], frame: Frame) -> svg.Svg:
    y = frame.y(data["threshold"])
    return svg.group(
        _promise_text(data),
        svg.line(frame.left, y, frame.x.stop, y, class_="chance", stroke_dasharray="5 4"),
    )


def _end_names(named: Sequence[Mapping[str, Any]], frame: Frame) -> svg.Svg:
    """Names beside the ends of their lines, moved apart, each with a thin line to its end."""
    ends = [frame.y(one["path"][-1]) for one in named]
    order = sorted(range(len(named)), key=lambda i: (ends[i], i))
    heights = _spread_places([ends[i] for i in order], ROW, TOP - 4, frame.bottom)
    stop = frame.x.stop
    parts = []
    for i, y in zip(order, heights, strict=True):
        look = _path_look(i)
        parts.append(svg.line(stop, ends[i], stop + GAP - 4, y, **look, stroke_width=0.8))
        parts.append(svg.label(_short_name(named[i]), stop + GAP, y + 4, class_="name"))
    return svg.join(parts)


def _spread_places(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places at least `gap` apart inside [low, high], near those wanted (rising).

    Examples
    --------
    >>> _spread_places([10.0, 11.0, 40.0], 14, 0, 100)
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


def _path_legend(data: Mapping[str, Any], stable: int, others: int) -> svg.Svg:
    """What the dashed line promises, and how many lines are drawn of how many."""
    stable = data.get("n_stable", stable)
    below = data.get("n_selected", stable + others) - stable
    words = f"coloured: {stable:,} stable" if stable else "none is stable"
    words += " (inconclusive)" if stable and data.get("inconclusive") else ""
    words += f", {NAMED} named" if stable > NAMED else ""
    words += f"; grey: {others} of {below:,}" if others else ""
    return svg.join(
        [
            svg.line(2, 10, 22, 10, class_="chance", stroke_dasharray="5 4"),
            svg.label(_promise_text(data), 27, 14, class_="note"),
            svg.label(words, 2, 32, class_="note"),
        ]
    )

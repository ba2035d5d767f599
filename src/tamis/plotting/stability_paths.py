"""Selection probabilities along a sparse path, or by the number of features selected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Scale, log_ticks, nice_ticks
from ._line_ends import MAX_NAMED_LINES, end_names, line_look, room_for_names

CHART_HEIGHT = 330.0
TOP_MARGIN = 78.0  # three lines of words and the name of the axis stand above
MAX_UNNAMED_FEATURES = 60  # features without a name


class FeaturePath(TypedDict):
    """A feature, its largest selection probability, and that at each step."""

    name: ReadOnly[str]
    probability: ReadOnly[float]
    path: ReadOnly[Sequence[float]]


class PathsPicture(TypedDict):
    """Selection probabilities, the best first; the steps are lambdas or sizes."""

    threshold: ReadOnly[float]
    lambdas: ReadOnly[Sequence[float] | None]
    sizes: ReadOnly[Sequence[int] | None]
    features: ReadOnly[Sequence[FeaturePath]]
    label: ReadOnly[NotRequired[str]]
    pfer: ReadOnly[NotRequired[float]]
    bound: ReadOnly[NotRequired[str]]
    n_stable: ReadOnly[NotRequired[int]]
    n_selected: ReadOnly[NotRequired[int]]
    inconclusive: ReadOnly[NotRequired[bool]]


def stability_paths(data: PathsPicture) -> str:
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
    others = [one for one in features if one["probability"] < threshold][:MAX_UNNAMED_FEATURES]
    named = stable[:MAX_NAMED_LINES]
    frame, steps = _path_frame(data, named)
    axis = "λ / λmax (log scale)" if data["lambdas"] else "Features selected on each half (log)"
    parts: list[str] = [
        frame.draw(axis, "selection probability"),
        *(_grey_path(one, steps, frame) for one in reversed(others)),
        _threshold_line(data, frame),
        *(_coloured_path(stable[i], i, steps, frame) for i in reversed(range(len(stable)))),
        end_names(
            [one["name"] for one in named],
            [frame.y(one["path"][-1]) for one in named],
            frame.x.stop,
            TOP_MARGIN - 4,
            frame.bottom,
        ),
        _path_legend(data, len(stable), len(others)),
    ]
    names = "; ".join(_path_words(one) for one in stable[:MAX_NAMED_LINES]) or "none"
    bound = _bound_text(data)
    desc = f"{_promise_text(data)}{f' ({bound})' if bound else ''}. Features that reach it: {names}"
    title = f"Stability paths: {data['label']}" if data.get("label") else "Stability paths"
    return svg.chart_root(CHART_HEIGHT, title, desc, *parts, kind="paths")


def _path_frame(data: PathsPicture, named: Sequence[FeaturePath]) -> tuple[Frame, list]:
    """The axes, with room for the names at the right, and where each step is on the first."""
    right = svg.CHART_WIDTH - 10 - room_for_names([one["name"] for one in named])
    y = Scale(0, 1, CHART_HEIGHT - 42, TOP_MARGIN)
    if data["lambdas"]:
        shares = [value / data["lambdas"][0] for value in data["lambdas"]]
        x = Scale(shares[0], min(shares), 42, right, log=True)
        ticks = log_ticks(min(shares), shares[0])[::-1]
    else:
        shares = [float(k) for k in data["sizes"] or [1]]
        x = Scale(shares[0], shares[-1], 42, right, log=True)
        ticks = log_ticks(shares[0], shares[-1])
    return Frame(x, y, ticks, nice_ticks(0, 1, 4)), [x(share) for share in shares]


def _path_words(one: FeaturePath) -> str:
    return f"{one['name']}: largest probability {one['probability']:.2f}"


def _promise_text(data: PathsPicture) -> str:
    """What keeping the features from the threshold up promises."""
    if data.get("pfer") is None:
        return f"threshold {data['threshold']:g}"
    return f"from {data['threshold']:g} up at most {rounded_up(data['pfer'])} false are expected"


def _bound_text(data: PathsPicture) -> str:
    """By which bound that is promised."""
    return f"{str(data['bound']).replace('_', ' ')} bound" if data.get("bound") else ""


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
    one: FeaturePath, steps: Sequence[float], frame: Frame
) -> list[tuple[float, float]]:
    return [(x, frame.y(value)) for x, value in zip(steps, one["path"], strict=True)]


def _grey_path(one: FeaturePath, steps: Sequence[float], frame: Frame) -> svg.Svg:
    return svg.line_through(
        _path_places(one, steps, frame),
        svg.tooltip_title(_path_words(one)),
        class_="other",
        stroke="currentColor",
        stroke_opacity=0.22,
        stroke_width=0.9,
    )


def _coloured_path(one: FeaturePath, place: int, steps: Sequence[float], frame: Frame) -> svg.Svg:
    """A stable feature: those without a name are alike and thin, but not grey."""
    look: dict[str, object] = {"class_": "", "stroke": svg.ACCENT_COLOUR, "stroke_opacity": 0.6}
    look = line_look(place) if place < MAX_NAMED_LINES else look
    look["class_"] = f"{look['class_']} stable".strip()
    width = 2.0 if place < MAX_NAMED_LINES else 0.9
    return svg.line_through(
        _path_places(one, steps, frame),
        svg.tooltip_title(_path_words(one)),
        stroke_width=width,
        stroke_linejoin="round",
        **look,
    )


def _threshold_line(data: PathsPicture, frame: Frame) -> svg.Svg:
    line = frame.across(data["threshold"], class_="chance", stroke_dasharray="5 4")
    return svg.tooltip_group(_promise_text(data), line)


def _path_legend(data: PathsPicture, stable: int, others: int) -> svg.Svg:
    """What the dashed line promises, and how many lines are drawn of how many."""
    stable = data.get("n_stable", stable)
    below = data.get("n_selected", stable + others) - stable
    words = f"coloured: {stable:,} stable" if stable else "none is stable"
    words += " (inconclusive)" if stable and data.get("inconclusive") else ""
    words += f", {MAX_NAMED_LINES} named" if stable > MAX_NAMED_LINES else ""
    words += f"; grey: {others} of {below:,}" if others else ""
    return svg.join_elements(
        [
            svg.straight_line(2, 10, 22, 10, class_="chance", stroke_dasharray="5 4"),
            svg.text_label(_promise_text(data), 27, 14, class_="note"),
            svg.text_label(_bound_text(data), 2, 32, class_="note"),
            svg.text_label(words, 2, 50, class_="note"),
        ]
    )

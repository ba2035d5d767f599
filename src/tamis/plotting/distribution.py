"""One feature's values by class: a strip with quartiles, or bars of shares for categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._axes import Frame, Scale, defined_values, nice_ticks

ROW_HEIGHT = 50.0  # a class of a strip chart
BAR_HEIGHT = 17.0  # a level of a class
MAX_DRAWN_LEVELS = 8  # drawn; the rest together
GOLDEN_RATIO = 0.6180339887498949


class ClassValues(TypedDict):
    """Values of a feature in a class: shares of levels, or quartiles and points."""

    label: ReadOnly[str]
    n: ReadOnly[int]
    missing: ReadOnly[NotRequired[int]]
    shares: ReadOnly[NotRequired[Mapping[str, float | None] | None]]
    min: ReadOnly[NotRequired[float | None]]
    q1: ReadOnly[NotRequired[float | None]]
    median: ReadOnly[NotRequired[float | None]]
    q3: ReadOnly[NotRequired[float | None]]
    max: ReadOnly[NotRequired[float | None]]
    points: ReadOnly[NotRequired[Sequence[float]]]


class DistributionPicture(TypedDict):
    """A feature by class."""

    name: ReadOnly[str]
    classes: ReadOnly[Sequence[ClassValues]]


def feature_distribution(data: DistributionPicture) -> str:
    """Values of one feature by class, as SVG.

    Parameters
    ----------
    data : mapping
        ``name`` and ``classes``, a list with, for each class, ``label``, ``n`` (values),
        ``missing`` and either ``shares`` (level -> share) or ``min``, ``q1``, ``median``,
        ``q3``, ``max`` (undefined ones None) and ``points``.

    Returns
    -------
    str
        An ``<svg>`` element. Points are spread vertically by their rank, by no chance.

    Examples
    --------
    >>> one = {"label": "ill", "n": 3, "missing": 0, "min": 1.0, "q1": 1.5, "median": 2.0,
    ...        "q3": 3.0, "max": 4.0, "points": [1.0, 2.0, 4.0]}
    >>> "median 2" in feature_distribution({"name": "TP53", "classes": [one]})
    True
    """
    classes = data["classes"]
    shares = any(one.get("shares") is not None for one in classes)
    height, parts = (_level_bars if shares else _class_strips)(classes)
    desc = "; ".join(_class_words(one) for one in classes)
    return svg.chart_root(height, f"{data['name']} by class", desc, *parts, kind="distribution")


def _class_words(one: ClassValues) -> str:
    shares = one.get("shares")
    if shares is not None:
        levels = [
            f"{level} {_percent_text(share)}"
            for level, share in list(shares.items())[:MAX_DRAWN_LEVELS]
        ]
        return f"{one['label']}: {', '.join(levels)}"
    if len(_box_values(one)) < 5:
        return f"{one['label']}: no value"
    low, q1, median, q3, high = (f"{v:.4g}" for v in _box_values(one))
    return f"{one['label']}: median {median}, quartiles {q1} and {q3}, from {low} to {high}"


def _percent_text(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _box_values(one: ClassValues) -> list[float]:
    quartiles = one.get("q1"), one.get("median"), one.get("q3")
    return defined_values([one.get("min"), *quartiles, one.get("max")])


def _class_head(one: ClassValues, y: float) -> svg.Svg:
    """The class, and how many values it has."""
    count = f"{one['n']} value{'' if one['n'] == 1 else 's'}"
    if one.get("missing"):
        count += f", {one['missing']} missing"
    room = svg.CHART_WIDTH - 24 - 6.8 * len(count)
    return svg.join_elements(
        [
            svg.text_label(svg.fit_text(one["label"], room), 12, y + 12, class_="name"),
            svg.text_label(count, svg.CHART_WIDTH - 12, y + 12, "end", class_="note"),
        ]
    )


def _class_strips(classes: Sequence[ClassValues]) -> tuple[float, list[svg.Svg]]:
    values = [
        v for one in classes for v in [*_box_values(one), *defined_values(one.get("points") or [])]
    ]
    ticks = nice_ticks(min(values), max(values), 6) if values else [0.0, 1.0]
    bottom = ROW_HEIGHT * len(classes) + 4
    frame = Frame(
        Scale(ticks[0], ticks[-1], 14, svg.CHART_WIDTH - 14), Scale(0, 1, bottom, 2), ticks, []
    )
    parts = [frame.draw()]
    for i, one in enumerate(classes):
        parts.append(_class_strip(one, ROW_HEIGHT * i, frame))
    return bottom + 22, parts


def _class_strip(one: ClassValues, y: float, frame: Frame) -> svg.Svg:
    parts, middle = [_class_head(one, y)], y + 32
    points = defined_values(one.get("points") or [])
    # multiples of the golden section leave no two neighbours in rank close together
    heights = [middle + 20 * ((k * GOLDEN_RATIO) % 1 - 0.5) for k in range(len(points))]
    dots = "".join(
        f"M{svg.coordinate_text(frame.x(v))} {svg.coordinate_text(height)}h0"
        for v, height in zip(points, heights, strict=True)
    )
    if dots:
        parts.append(
            svg.make_element(
                "path",
                d=dots,
                class_="points",
                fill="none",
                stroke="currentColor",
                stroke_opacity=0.45,
                stroke_width=3.6,
                stroke_linecap="round",
            )
        )
    if len(_box_values(one)) == 5:
        _, q1, median, q3, _ = (frame.x(v) for v in _box_values(one))
        more: dict[str, object] = {"class_": "head", "stroke": svg.ACCENT_COLOUR}
        parts += [
            svg.rectangle_at(
                q1, middle - 12, max(q3 - q1, 0.8), 24, rx=2, fill="none", stroke_width=1.4, **more
            ),
            svg.straight_line(median, middle - 12, median, middle + 12, stroke_width=3, **more),
        ]
    return svg.tooltip_group(_class_words(one), *parts)


def _level_bars(classes: Sequence[ClassValues]) -> tuple[float, list[svg.Svg]]:
    y, parts = 0.0, []
    for one, shares in zip(
        classes, _shown_levels([one.get("shares") or {} for one in classes]), strict=True
    ):
        parts.append(_class_head(one, y))
        y += 20
        for level, share in shares:
            width = (svg.CHART_WIDTH - 60 - 128) * (share or 0.0)
            words = f"{one['label']}, {level}: {_percent_text(share)}"
            more: dict[str, object] = {"class_": "headdot", "fill": svg.ACCENT_COLOUR}
            parts += [
                svg.text_label(svg.fit_text(level, 108), 120, y + 11, "end", class_="tick"),
                svg.rectangle_at(
                    128.0, y + 1, max(width, 0.8), 12, svg.tooltip_title(words), **more
                ),
                svg.text_label(_percent_text(share), 134 + width, y + 11, class_="note"),
            ]
            y += BAR_HEIGHT
        y += 8
    return y, parts


def _shown_levels(
    shares: Sequence[Mapping[str, float | None]],
) -> list[list[tuple[str, float | None]]]:
    """The levels that are commonest over the classes, in their order; the rest added up."""
    levels = list(dict.fromkeys(level for one in shares for level in one))
    if len(levels) <= MAX_DRAWN_LEVELS:
        return [[(level, one.get(level)) for level in levels] for one in shares]
    common = sorted(levels, key=lambda level: -sum(one.get(level) or 0 for one in shares))
    kept = [level for level in levels if level in common[: MAX_DRAWN_LEVELS - 1]]
    rest = [level for level in levels if level not in kept]
    words = f"{len(rest)} other levels"
    return [
        [(level, one.get(level)) for level in kept]
        + [(words, sum(one.get(level) or 0 for level in rest))]
        for one in shares
    ]

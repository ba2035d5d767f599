"""One feature's values by class: a strip with quartiles, or bars of shares for categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._axes import Frame, Scale, nice_ticks, numbers
from ._svg import ACCENT, WIDTH, Svg, chart, fit, join, label, line, number, tag, tooltip

ROW = 50.0  # a class of a strip chart
BAR = 17.0  # a level of a class
LEVELS = 8  # drawn; the rest together
GOLDEN = 0.6180339887498949


def feature_distribution(data: Mapping[str, Any]) -> str:
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
    height, parts = (_bars if shares else _strips)(classes)
    desc = "; ".join(_words(one) for one in classes)
    return chart(height, f"{data['name']} by class", desc, *parts, kind="distribution")


def _words(one: Mapping[str, Any]) -> str:
    if one.get("shares") is not None:
        told = [
            f"{level} {_percent(share)}" for level, share in list(one["shares"].items())[:LEVELS]
        ]
        return f"{one['label']}: {', '.join(told)}"
    if len(_box(one)) < 5:
        return f"{one['label']}: no value"
    low, q1, median, q3, high = (f"{v:.4g}" for v in _box(one))
    return f"{one['label']}: median {median}, quartiles {q1} and {q3}, from {low} to {high}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _box(one: Mapping[str, Any]) -> list[float]:
    return numbers([one.get(k) for k in ("min", "q1", "median", "q3", "max")])


def _head(one: Mapping[str, Any], y: float) -> Svg:
    """The class, and how many values it has."""
    count = f"{one['n']} value{'' if one['n'] == 1 else 's'}"
    if one.get("missing"):
        count += f", {one['missing']} missing"
    room = WIDTH - 24 - 6.8 * len(count)
    return join(
        [
            label(fit(one["label"], room), 12, y + 12, class_="name"),
            label(count, WIDTH - 12, y + 12, "end", class_="note"),
        ]
    )


def _strips(classes: Sequence[Mapping[str, Any]]) -> tuple[float, list[Svg]]:
    values = [v for one in classes for v in [*_box(one), *numbers(one.get("points") or [])]]
    ticks = nice_ticks(min(values), max(values), 6) if values else [0.0, 1.0]
    bottom = ROW * len(classes) + 4
    frame = Frame(Scale(ticks[0], ticks[-1], 14, WIDTH - 14), Scale(0, 1, bottom, 2), ticks, [])
    parts = [frame.draw()]
    for i, one in enumerate(classes):
        parts.append(_strip(one, ROW * i, frame))
    return bottom + 22, parts


def _strip(one: Mapping[str, Any], y: float, frame: Frame) -> Svg:
    parts, middle = [_head(one, y)], y + 32
    points = numbers(one.get("points") or [])
    # multiples of the golden section leave no two neighbours in rank close together
    dots = "".join(
        f"M{number(frame.x(v))} {number(middle + 20 * ((k * GOLDEN) % 1 - 0.5))}h0"
        for k, v in enumerate(points)
    )
    if dots:
        parts.append(
            tag(
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
    if len(_box(one)) == 5:
        _, q1, median, q3, _ = (frame.x(v) for v in _box(one))
        more: dict[str, Any] = {"class_": "head", "stroke": ACCENT}
        parts += [
            tag(
                "rect",
                x=q1,
                y=middle - 12,
                width=max(q3 - q1, 0.8),
                height=24,
                rx=2,
                fill="none",
                stroke_width=1.4,
                **more,
            ),
            line(median, middle - 12, median, middle + 12, stroke_width=3, **more),
        ]
    return tag("g", tooltip(_words(one)), *parts)


def _bars(classes: Sequence[Mapping[str, Any]]) -> tuple[float, list[Svg]]:
    y, parts = 0.0, []
    for one, shares in zip(
        classes, _shown([one.get("shares") or {} for one in classes]), strict=True
    ):
        parts.append(_head(one, y))
        y += 20
        for level, share in shares:
            width = (WIDTH - 60 - 128) * (share or 0.0)
            words = f"{one['label']}, {level}: {_percent(share)}"
            more: dict[str, Any] = {"class_": "headdot", "fill": ACCENT}
            parts += [
                label(fit(level, 108), 120, y + 11, "end", class_="tick"),
                tag(
                    "rect",
                    tooltip(words),
                    x=128.0,
                    y=y + 1,
                    width=max(width, 0.8),
                    height=12,
                    **more,
                ),
                label(_percent(share), 134 + width, y + 11, class_="note"),
            ]
            y += BAR
        y += 8
    return y, parts


def _shown(shares: Sequence[Mapping[str, float | None]]) -> list[list[tuple[str, float | None]]]:
    """The levels that are commonest over the classes, in their order; the rest added up."""
    levels = list(dict.fromkeys(level for one in shares for level in one))
    if len(levels) <= LEVELS:
        return [[(level, one.get(level)) for level in levels] for one in shares]
    common = sorted(levels, key=lambda level: -sum(one.get(level) or 0 for one in shares))
    kept = [level for level in levels if level in common[: LEVELS - 1]]
    rest = [level for level in levels if level not in kept]
    words = f"{len(rest)} other levels"
    return [
        [(level, one.get(level)) for level in kept]
        + [(words, sum(one.get(level) or 0 for level in rest))]
        for one in shares
    ]

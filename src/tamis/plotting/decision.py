"""Decision curves: what acting on the predictions gains, by the probability from which one acts.

Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26, 565-574.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._axes import Frame, Scale, defined_values, nice_ticks
from ._svg import (
    ACCENT,
    DASHES,
    PALETTE,
    WIDTH,
    Svg,
    coordinate_text,
    straight_line,
    svg_chart,
    svg_tag,
    text_label,
    tooltip,
)

Series = Mapping[str, Any]
Place = tuple[float, float]
HEIGHT = 352.0


def decision_curve(data: Sequence[Series]) -> str:
    """Net benefit by threshold probability, as SVG.

    The scale ends a little below zero, the net benefit of acting on nobody: how much worse
    than that a curve gets is of no interest, so it leaves the chart there.

    Parameters
    ----------
    data : sequence of mappings
        ``label``, ``headline`` (bool) and ``points``: list of ``{"threshold",
        "net_benefit", "treat_all"}``.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> point = {"threshold": 0.5, "net_benefit": 0.25, "treat_all": 0.0}
    >>> "Net benefit" in decision_curve([{"label": "all", "points": [point], "headline": True}])
    True
    """
    curves = [(one, _curve_places(one, "net_benefit")) for one in data]
    ordered = sorted(data, key=lambda one: not one.get("headline"))
    everybody = next(filter(None, (_curve_places(one, "treat_all") for one in ordered)), [])
    top = max([0.05, *(y for _, places in [*curves, (None, everybody)] for _, y in places)])
    ticks = nice_ticks(-top / 6, top, 6)
    frame = Frame(
        Scale(0, 1, 42, WIDTH - 12),
        Scale(ticks[0], ticks[-1], HEIGHT - 40, 26),
        [0, 0.25, 0.5, 0.75, 1],
        ticks,
    )
    thin: list[Svg] = []
    bold: list[Svg] = []
    for one, places in curves:
        if one.get("headline"):
            more: dict[str, Any] = {"class_": "head", "stroke": ACCENT, "stroke_width": 2.6}
            bold.append(_curve_lines(places, frame, one["label"], stroke_linejoin="round", **more))
        else:
            k = len(thin)
            more = {
                "class_": f"thin s{k}",
                "stroke": PALETTE[k % len(PALETTE)],
                "stroke_width": 1.3,
            }
            dashes = DASHES[k // len(PALETTE) % len(DASHES)]
            thin.append(_curve_lines(places, frame, one["label"], stroke_dasharray=dashes, **more))
    desc = "; ".join(_curve_words(one) for one in ordered[:1]) or "no curve"
    return svg_chart(
        HEIGHT,
        "Decision curve",
        desc,
        frame.draw("Threshold probability", "Net benefit"),
        *_reference_lines(everybody, frame),
        *thin,
        *bold,
        kind="decision",
    )


def _curve_words(one: Series) -> str:
    near = {p["threshold"]: p["net_benefit"] for p in one.get("points") or []}
    told = [f"{near[t]:.3f} at {t:g}" for t in (0.1, 0.25, 0.5) if near.get(t) is not None]
    return f"{one['label']}: net benefit {', '.join(told) or 'undefined'}"


def _curve_places(one: Series, key: str) -> list[Place]:
    return [
        (p["threshold"], p[key])
        for p in one.get("points") or []
        if len(defined_values([p.get("threshold"), p.get(key)])) == 2
    ]


def _visible_parts(places: Sequence[Place], floor: float) -> list[list[Place]]:
    """The stretches at or above `floor`, each begun and ended where the line crosses it."""
    stretches: list[list[Place]] = []
    before: Place | None = None
    for place in places:
        if before is not None and (before[1] < floor) != (place[1] < floor):
            share = (floor - before[1]) / (place[1] - before[1])
            crossing = (before[0] + share * (place[0] - before[0]), floor)
            if place[1] < floor:
                stretches[-1].append(crossing)
            else:
                stretches.append([crossing])
        elif before is None and place[1] >= floor:
            stretches.append([])
        if place[1] >= floor:
            stretches[-1].append(place)
        before = place
    return stretches


def _curve_lines(places: Sequence[Place], frame: Frame, words: object, **more: Any) -> Svg:
    parts = [
        "M"
        + "L".join(
            f"{coordinate_text(frame.x(x))} {coordinate_text(frame.y(y))}" for x, y in stretch
        )
        for stretch in _visible_parts(places, frame.y.low)
    ]
    if not parts:
        return Svg()
    return svg_tag("path", tooltip(str(words)), d="".join(parts), fill="none", **more)


def _reference_lines(everybody: Sequence[Place], frame: Frame) -> list[Svg]:
    """Acting on nobody, and on everybody."""
    zero = frame.y(0)
    crossed = min((x for x, y in everybody if y < 0), default=1.0)
    side, anchor = (frame.left + 4, "start") if crossed > 0.2 else (frame.x.stop - 2, "end")
    more: dict[str, Any] = {"class_": "chance", "stroke": "currentColor", "stroke_opacity": 0.6}
    found = [
        straight_line(frame.left, zero, frame.x.stop, zero, class_="chance", stroke_opacity=0.6),
        text_label("nobody", side, zero + 14, anchor, class_="note"),
        _curve_lines(everybody, frame, "acting on everybody", stroke_dasharray="4 4", **more),
    ]
    shown = _visible_parts(everybody, frame.y.low)
    if shown and len(shown[0]) > 1:
        x = frame.x(shown[0][-1][0])
        side, anchor = (6, "start") if x < WIDTH / 2 else (-8, "end")
        found.append(text_label("everybody", x + side, frame.bottom - 6, anchor, class_="note"))
    return found

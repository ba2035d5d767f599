"""Decision curves: what acting on the predictions gains, by the probability from which one acts.

Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26, 565-574.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _svg as svg
from ._axes import UNIT_HEIGHT, Frame, Place, Series, defined_places, nice_ticks, unit_frame


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
    frame = unit_frame(ticks)
    thin: list[svg.Svg] = []
    bold: list[svg.Svg] = []
    for one, places in curves:
        if one.get("headline"):
            more: dict[str, object] = {
                "class_": "head",
                "stroke": svg.ACCENT_COLOUR,
                "stroke_width": 2.6,
            }
            bold.append(_curve_lines(places, frame, one["label"], stroke_linejoin="round", **more))
        else:
            k = len(thin)
            more = {"stroke_dasharray": svg.series_dashes(k) or "none", "class_": f"thin s{k}"}
            more |= {"stroke": svg.series_colour(k), "stroke_width": 1.3}
            thin.append(_curve_lines(places, frame, one["label"], **more))
    desc = "; ".join(_curve_words(one) for one in ordered[:1]) or "no curve"
    return svg.chart_root(
        UNIT_HEIGHT,
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
    points = [f"{near[t]:.3f} at {t:g}" for t in (0.1, 0.25, 0.5) if near.get(t) is not None]
    return f"{one['label']}: net benefit {', '.join(points) or 'undefined'}"


def _curve_places(one: Series, key: str) -> list[Place]:
    return defined_places(one.get("points"), "threshold", key)


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


def _curve_lines(places: Sequence[Place], frame: Frame, words: object, **more: Any) -> svg.Svg:
    parts = [
        "M"
        + "L".join(
            f"{svg.coordinate_text(frame.x(x))} {svg.coordinate_text(frame.y(y))}"
            for x, y in stretch
        )
        for stretch in _visible_parts(places, frame.y.low)
    ]
    if not parts:
        return svg.Svg()
    return svg.make_element(
        "path", svg.tooltip_title(str(words)), d="".join(parts), fill="none", **more
    )


def _reference_lines(everybody: Sequence[Place], frame: Frame) -> list[svg.Svg]:
    """Net benefit of treating none, and of treating all."""
    crossed = min((x for x, y in everybody if y < 0), default=1.0)
    side, anchor = (frame.left + 4, "start") if crossed > 0.2 else (frame.x.stop - 2, "end")
    more: dict[str, object] = {"class_": "chance", "stroke": "currentColor", "stroke_opacity": 0.6}
    found = [
        frame.across(0, class_="chance", stroke_opacity=0.6),
        svg.text_label("treat none", side, frame.y(0) + 14, anchor, class_="note"),
        _curve_lines(everybody, frame, "treat all", stroke_dasharray="4 4", **more),
    ]
    shown = _visible_parts(everybody, frame.y.low)
    if shown and len(shown[0]) > 1:
        x = frame.x(shown[0][-1][0])
        side, anchor = (6, "start") if x < svg.CHART_WIDTH / 2 else (-8, "end")
        found.append(svg.text_label("treat all", x + side, frame.bottom - 6, anchor, class_="note"))
    return found

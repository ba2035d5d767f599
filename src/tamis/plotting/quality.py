"""What quality control looked at: histograms before and after, p-values against uniform ones."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any, TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, log_ticks, nice_ticks, tick_frame

CHART_HEIGHT, SQUARE_HEIGHT = 220.0, 340.0
# times the median, from which the largest count makes all drawn by their logarithm
STEEP_RATIO = 50


class TwoCounts(TypedDict):
    """Counts in even steps from 0 on, of all and of those kept."""

    step: float
    before: list[int]
    after: list[int]
    limit: float | None


class QuantilePoints(TypedDict):
    """Of p-values: expected, observed, name."""

    tested: int
    points: list[list[Any]]


def before_after(histogram: TwoCounts, label: str, what: str) -> str:
    """How many there are of each value, before and after, as SVG.

    Parameters
    ----------
    histogram : mapping
        ``step``, ``before``, ``after`` (counts from 0 on) and ``limit`` or None.
    label : str
        Of the values.
    what : str
        That are counted.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> histogram = {"step": 0.1, "before": [5, 2], "after": [5, 0], "limit": 0.1}
    >>> "0.1 to 0.2: 2 variants, 0 kept" in before_after(histogram, "missing", "variants")
    True
    """
    step, before, after = histogram["step"], histogram["before"], histogram["after"]
    end = step * len(before)
    across = [tick for tick in nice_ticks(0, end, 6) if tick <= end * (1 + 1e-9)]
    most = max([1, *before])
    log = most > STEEP_RATIO * median([n for n in before if n] or [1])
    ticks = log_ticks(1, 10 * most, 6) if log else nice_ticks(0, most, 4)
    if log:
        ticks = [t for t in ticks if t <= most] or [1.0]
    up = Scale(
        0.5 if log else 0.0, max(most * 1.3 if log else 0, ticks[-1]), CHART_HEIGHT - 40, 26, log
    )
    frame = Frame(Scale(0, end, 50, svg.CHART_WIDTH - 12), up, across, ticks)
    parts: list[str] = [frame.draw(label, f"{what} (logarithmic)" if log else what)]
    for k, (n, kept) in enumerate(zip(before, after, strict=True)):
        if not n:
            continue
        words = f"{k * step:.4g} to {(k + 1) * step:.4g}: {n:,} {what}, {kept:,} kept"
        left, right = frame.x(k * step), frame.x((k + 1) * step)
        place: dict[str, object] = {"x": left, "width": max(right - left - 0.5, 0.5)}
        bars = [
            svg.make_element(
                "rect",
                y=frame.y(n),
                height=frame.bottom - frame.y(n),
                fill="currentColor",
                fill_opacity=0.3,
                class_="before",
                **place,
            )
        ]
        if kept:
            bars.append(
                svg.make_element(
                    "rect",
                    y=frame.y(kept),
                    height=frame.bottom - frame.y(kept),
                    fill=svg.ACCENT_COLOUR,
                    class_="headdot",
                    **place,
                )
            )
        parts.append(svg.tooltip_group(words, *bars))
    limit = histogram["limit"]
    if limit is not None and limit <= end:
        parts.append(frame.down(limit, stroke_dasharray="5 3", class_="edge"))
    desc = f"{sum(before):,} {what} before, {sum(after):,} after"
    return svg.chart_root(CHART_HEIGHT, f"{what}: {label}", desc, *parts, kind="before-after")


def quantile_plot(
    quantiles: Mapping[str, QuantilePoints],
    title: str = "Differential missingness",
    uniform: str = "−log10 p if calls were missing alike",
) -> str:
    """-log10 of p-values against what uniform ones would be, of all variants and those kept, as
    SVG.

    Parameters
    ----------
    quantiles : mapping
        ``all`` and ``kept``, or ``kept`` alone, each with ``tested`` and ``points`` (expected,
        observed, name).
    title, uniform : str
        Of the chart, and of its axis of uniform p-values.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> one = {"tested": 2, "points": [[0.6, 3.0, "rs1"], [0.1, 0.1, ""]]}
    >>> "rs1: p = 0.001" in quantile_plot({"all": one, "kept": one})
    True
    """
    points = [point for one in quantiles.values() for point in one["points"]]
    across = nice_ticks(0, max([1.0, *(point[0] for point in points)]), 6)
    up = nice_ticks(0, max([across[-1], *(point[1] for point in points)]), 6)
    frame = tick_frame(across, up, SQUARE_HEIGHT)
    end = min(across[-1], up[-1])
    ends = frame.x(0), frame.y(0), frame.x(end), frame.y(end)
    parts: list[str] = [
        frame.draw(uniform, "−log10 p observed"),
        svg.straight_line(*ends, stroke_dasharray="4 4", class_="chance"),
    ]
    for name, one in quantiles.items():
        more: dict[str, object] = (
            {"class_": "other", "fill": "#777777", "fill_opacity": 0.55, "r": 2.8}
            if name == "all"
            else {"class_": "headdot", "fill": svg.ACCENT_COLOUR, "r": 2.0}
        )
        for x, y, variant in one["points"]:
            words = [svg.tooltip_title(f"{variant}: p = {10**-y:.2g}")] if variant else []
            parts.append(svg.make_element("circle", *words, cx=frame.x(x), cy=frame.y(y), **more))
    kinds = {"all": "tested", "kept": "kept" if "all" in quantiles else "tested"}
    desc = ", ".join(f"{one['tested']:,} variants {kinds[k]}" for k, one in quantiles.items())
    return svg.chart_root(SQUARE_HEIGHT, title, desc, *parts, kind="quantiles")

"""The best pairs of a search: what two features say together, and what each says alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from .._core.errors import shorten_text
from . import _svg as svg
from ._axes import Frame, Scale, nice_ticks

TOP_MARGIN, ROW_HEIGHT, FOOT_MARGIN = 12.0, 36.0, 42.0
BAR_HEIGHT, LINE_HEIGHT = 10.0, 18.0  # height of a bar, and of a line of the legend
FEATURE_COLOURS = ("#777777", "#b4b4b4")  # of what the first and the second feature say alone
RUN_COLOUR = "#D55E00"


class ScoredPair(TypedDict):
    features: list[str]
    interaction: float
    singles: list[float]


def pair_scores(
    pairs: Sequence[ScoredPair],
    by: str,
    maxima: Sequence[float] = (),
    threshold: float | None = None,
    level: float = 0.05,
) -> str:
    """A bar a pair, the best on top, whose length is the score, as SVG.

    What pairs are compared by begins at 0: the first part of a bar, or all of it. Above stands a
    mark for the best of each permuted run; a dashed line is what has to be exceeded.

    Parameters
    ----------
    pairs : sequence of mappings
        ``features`` (two names), ``interaction`` and ``singles`` (what each says alone); see
        `PairSearch.to_dict`.
    by : {"interaction", "score"}
    maxima : sequence of float, default=()
    threshold : float, optional
    level : float, default=0.05
        Of the threshold.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> pair = {"features": ["a", "b"], "interaction": 0.5, "singles": [0.1, 0.2]}
    >>> "a × b: interaction 0.500, alone 0.100 and 0.200" in pair_scores([pair], "score")
    True
    """
    ends = [sum(_pair_parts(one)) for one in pairs] + list(maxima) + [threshold or 0.0]
    ticks = nice_ticks(0, max(ends, default=1.0) or 1.0, 6)
    top = TOP_MARGIN + (LINE_HEIGHT if maxima else 0)
    bottom = top + ROW_HEIGHT * max(len(pairs), 1) + 4
    axes = Frame(
        Scale(0, ticks[-1], 14, svg.CHART_WIDTH - 14),
        Scale(0, 1, bottom, TOP_MARGIN - 6),
        ticks,
        [],
    )
    order = (2, 0, 1) if by == "interaction" else (0, 1, 2)
    what = "score" if by == "score" else "interaction, and the rest of the score"
    parts = [
        axes.draw(what),
        *(_run_mark(value, axes) for value in maxima),
        *(_pair_bar(one, order, top + ROW_HEIGHT * at, axes) for at, one in enumerate(pairs)),
    ]
    if threshold is not None:
        parts.append(axes.down(threshold, class_="chance", stroke_dasharray="5 4"))
    legend, height = _pair_legend(order, bool(maxima), threshold, level, bottom + FOOT_MARGIN)
    desc = "; ".join(map(_pair_words, pairs)) or "no pair"
    return svg.chart_root(height, f"Pairs by {by}", desc, *parts, legend, kind="pairs")


def _pair_parts(one: ScoredPair) -> tuple[float, float, float]:
    """What the first says alone, what the second says alone, and the interaction."""
    first, second = one["singles"]
    return first, second, one["interaction"]


def _pair_words(one: ScoredPair) -> str:
    first, second, together = _pair_parts(one)
    names = " × ".join(shorten_text(name, 40) for name in one["features"])
    return f"{names}: interaction {together:.3f}, alone {first:.3f} and {second:.3f}"


def _part_look(part: int) -> dict[str, object]:
    if part == 2:
        return {"class_": "headdot", "fill": svg.ACCENT_COLOUR}
    return {"fill": FEATURE_COLOURS[part]}


def _pair_bar(one: ScoredPair, order: Sequence[int], y: float, frame: Frame) -> svg.Svg:
    parts, start, drawn = _pair_parts(one), 0.0, []
    for part in order:
        x, stop = frame.x(start), frame.x(start + parts[part])
        drawn.append(svg.rectangle_at(x, y + 17, stop - x, BAR_HEIGHT, **_part_look(part)))
        start += parts[part]
    half = (frame.x.stop - frame.left - svg.text_width(" × ")) / 2
    name = " × ".join(svg.fit_text(feature, half) for feature in one["features"])
    text = svg.text_label(name, frame.left, y + 12, class_="name")
    return svg.tooltip_group(_pair_words(one), text, *drawn)


def _run_mark(value: float, frame: Frame) -> svg.Svg:
    look: dict[str, object] = {"class_": "s0", "stroke": RUN_COLOUR, "stroke_opacity": 0.7}
    return svg.straight_line(
        frame.x(value), TOP_MARGIN - 4, frame.x(value), TOP_MARGIN + 8, stroke_width=1.6, **look
    )


def _pair_legend(
    order: Sequence[int], runs: bool, threshold: float | None, level: float, top: float
) -> tuple[svg.Svg, float]:
    """What the parts and marks are, and where the chart ends."""
    names = ("first alone", "second alone", "interaction")
    wide = (svg.CHART_WIDTH - 16) / 3
    parts = []
    for k, part in enumerate(order):
        x, y = 16 + wide * k, top + 14
        parts.append(svg.rectangle_at(x - 4, y - 9, 10.0, 10.0, **_part_look(part)))
        parts.append(svg.text_label(names[part], x + 11, y, class_="note"))
    bottom = top + LINE_HEIGHT
    if runs:
        y, look = bottom + 14, {"class_": "s0", "stroke": RUN_COLOUR, "stroke_width": 1.6}
        parts.append(svg.straight_line(16, y - 10, 16, y + 1, **look))
        parts.append(svg.text_label("best of a permuted run", 27, y, class_="note"))
        bottom += LINE_HEIGHT
    if threshold is not None:
        y = bottom + 10
        parts.append(svg.straight_line(8, y, 23, y, class_="chance", stroke_dasharray="5 4"))
        parts.append(svg.text_label(f"to exceed at level {level:g}", 27, y + 4, class_="note"))
        bottom += LINE_HEIGHT
    return svg.join_elements(parts), bottom + 8

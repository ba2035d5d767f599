"""Pairs of samples by kinship: all of them as bars, those listed as dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, log_ticks, nice_ticks, tick_frame
from ._class_marks import LINE_HEIGHT, key_place, keys_across

CHART_HEIGHT, BARS_HEIGHT = 300.0, 220.0
DOT_RADIUS = 2.8


class PairDots(TypedDict):
    """Pairs of samples: kinship, share of opposite homozygotes, relation and two names."""

    dots: list[list[Any]]


def kinship_bars(counts: Sequence[int], borders: Sequence[float]) -> str:
    """How many pairs have which kinship, by their logarithm, as SVG.

    Parameters
    ----------
    counts : sequence of int
        In even steps from -1/2 to 1/2.
    borders : sequence of float
        Between degrees.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> "0 to 0.5: 7 pairs" in kinship_bars([0, 7], [0.25])
    True
    """
    step = 1 / len(counts)
    there = [k for k, n in enumerate(counts) if n]
    low = min([-0.1, *(k * step - 0.5 for k in there[:1])])
    most = max([1, *counts])
    ticks = [t for t in log_ticks(1, 10 * most, 6) if t <= most] or [1.0]
    up = Scale(0.5, max(most * 1.3, ticks[-1]), BARS_HEIGHT - 40, 26, True)
    across = nice_ticks(low, 0.5, 7)
    frame = Frame(Scale(across[0], across[-1], 50, svg.CHART_WIDTH - 12), up, across, ticks)
    parts: list[str] = [frame.draw("kinship", "pairs (logarithmic)")]
    parts += [frame.down(b, stroke_dasharray="5 3", class_="edge") for b in borders]
    for k in there:
        start = k * step - 0.5
        words = f"{start:.4g} to {start + step:.4g}: {counts[k]:,} pair{'s' * (counts[k] != 1)}"
        left, top = frame.x(start), frame.y(counts[k])
        wide = max(frame.x(start + step) - left - 0.4, 0.5)
        parts.append(
            svg.rectangle_at(
                left,
                top,
                wide,
                frame.bottom - top,
                svg.tooltip_title(words),
                class_="headdot",
                fill=svg.ACCENT_COLOUR,
            )
        )
    desc = f"{sum(counts):,} pairs; dashed: the borders of the degrees"
    return svg.chart_root(BARS_HEIGHT, "Kinship of all pairs", desc, *parts, kind="kinship")


def kinship_scatter(picture: PairDots, relations: Sequence[str]) -> str:
    """Pairs by kinship and by the variants at which they are homozygous for different alleles, as
    SVG.

    Parameters
    ----------
    picture : mapping
        ``dots``, each of kinship, share, relation and two names.
    relations : sequence of str
        In the order of the colours.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> dots = [[0.25, 0.0, "siblings", "a", "b"]]
    >>> "a and b, siblings: 0.250, 0.0000" in kinship_scatter({"dots": dots}, ["siblings"])
    True
    """
    dots = picture["dots"]
    across = nice_ticks(min([0.0, *(d[0] for d in dots)]), 0.5, 6)
    up = nice_ticks(0, max([0.01, *(d[1] for d in dots)]), 5)
    frame = tick_frame(across, up, CHART_HEIGHT, left=50)
    parts: list[str] = [frame.draw("kinship", "share of opposite homozygotes")]
    there = [name for name in relations if any(d[2] == name for d in dots)]
    for kinship, share, relation, one, other in dots:
        words = f"{one} and {other}, {relation}: {kinship:.3f}, {share:.4f}"
        mark = _relation_mark(relations.index(relation))
        parts.append(
            svg.circle_at(
                frame.x(kinship), frame.y(share), DOT_RADIUS, svg.tooltip_title(words), **mark
            )
        )
    keys = keys_across(there)
    for k, name in enumerate(there):
        x, y, wide = key_place(k, keys, CHART_HEIGHT)
        parts += [
            svg.circle_at(x, y - 4, DOT_RADIUS, **_relation_mark(relations.index(name))),
            svg.text_label(svg.fit_text(name, wide), x + 9, y, class_="note"),
        ]
    lines = -(-len(there) // keys)
    height = CHART_HEIGHT + LINE_HEIGHT * lines + (8 if lines else 0)
    desc = f"{len(dots)} pairs"
    return svg.chart_root(height, "Pairs of relatives", desc, *parts, kind="relatives")


def _relation_mark(place: int) -> dict[str, object]:
    return {"class_": f"k{place}", "fill": svg.series_colour(place), "fill_opacity": 0.75}

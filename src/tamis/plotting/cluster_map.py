"""Clusters of features: the units of a self-organising map, or one tile for each cluster."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NotRequired, TypedDict

from typing_extensions import ReadOnly

from .._core.errors import counted_noun
from . import _svg as svg
from ._axes import defined_values

TOP_MARGIN = 44.0  # the legend stands above
# of a hexagon; width and height of a tile
HEXAGON_WIDTH, TILE_WIDTH, TILE_HEIGHT = 92.0, 72.0, 44.0
MIN_OPACITY, MAX_OPACITY = 0.06, 0.62  # opacity of the fewest and the most features
SMALL_UNIT_WIDTH = 52.0  # a unit narrower than this has smaller letters
SHAPE_GAP = 3.0  # between shapes


class DrawnCluster(TypedDict):
    """A cluster, named by its representative; `place` on the map, None of all without one."""

    name: ReadOnly[str]
    n: ReadOnly[int]
    mean_correlation: ReadOnly[float | None]
    score: ReadOnly[float | None]
    chosen: ReadOnly[bool]
    place: ReadOnly[Sequence[float] | None]


class ClusterPicture(TypedDict):
    """The clusters of a size."""

    clusters: ReadOnly[Sequence[DrawnCluster]]
    label: ReadOnly[NotRequired[str]]


def cluster_map(data: ClusterPicture) -> str:
    """Clusters as hexagons of a map, or as squares with the best representative's first, as SVG.

    The darker, the more features. Each is named by its representative; those that are not kept,
    which a map of more units than requested features has, are dashed.

    Parameters
    ----------
    data : mapping
        ``clusters``: list of ``{"name", "n", "mean_correlation", "score", "chosen", "place"}``,
        `place` (x, y) on the grid, or None of all; optional: ``label`` (the method). See
        `ClusterRanking.to_dict`.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> one = {"name": "TP53", "n": 12, "mean_correlation": 0.71, "score": 5.2, "chosen": True,
    ...        "place": None}
    >>> "TP53: 12 features, mean correlation 0.71" in cluster_map({"clusters": [one]})
    True
    """
    clusters = data["clusters"]
    centres, width, radius, height = _map_layout(clusters)
    most = max((one["n"] for one in clusters), default=1)
    parts = [_cluster_legend(clusters)]
    for one, (x, y) in zip(clusters, centres, strict=True):
        corners = _hexagon_corners(x, y, radius) if radius else _square_corners(x, y, width)
        parts.append(_unit_shape(one, x, y, width, corners, most))
    words = "; ".join(_cluster_words(one) for one in clusters[:12])
    title = (
        f"Clusters of features: {data['label']}" if data.get("label") else "Clusters of features"
    )
    return svg.chart_root(
        height, title, f"{counted_noun(len(clusters), 'cluster')}. {words}", *parts, kind="clusters"
    )


def _map_layout(
    clusters: Sequence[DrawnCluster],
) -> tuple[list[tuple[float, float]], float, float, float]:
    """Centres, width of a shape, radius of hexagons (0: squares), and height of the chart."""
    places = [at for one in clusters if len(defined_values(at := one["place"] or [])) == 2]
    if len(places) < len(clusters) or not places:
        across = int(svg.CHART_WIDTH // TILE_WIDTH)
        width = svg.CHART_WIDTH / across
        centres = [
            ((i % across + 0.5) * width, TOP_MARGIN + (i // across + 0.5) * TILE_HEIGHT)
            for i in range(len(clusters))
        ]
        return centres, width, 0.0, TOP_MARGIN + max(-(-len(clusters) // across), 1) * TILE_HEIGHT
    width = min(HEXAGON_WIDTH, svg.CHART_WIDTH / (max(x for x, _ in places) + 1))
    radius = width / sqrt(3)
    left = (svg.CHART_WIDTH - width * (max(x for x, _ in places) + 1)) / 2 + width / 2
    centres = [(left + x * width, TOP_MARGIN + radius + y * width) for x, y in places]
    return centres, width, radius, max(y for _, y in centres) + radius + SHAPE_GAP


def _unit_shape(
    one: DrawnCluster,
    x: float,
    y: float,
    width: float,
    corners: Sequence[tuple[float, float]],
    most: int,
) -> svg.Svg:
    size = 10 if width >= SMALL_UNIT_WIDTH else 8
    joined = " ".join(f"{svg.coordinate_text(a)},{svg.coordinate_text(b)}" for a, b in corners)
    shape = svg.make_element(
        "polygon",
        points=joined,
        class_="headdot",
        fill=svg.ACCENT_COLOUR,
        fill_opacity=f"{MIN_OPACITY + (MAX_OPACITY - MIN_OPACITY) * one['n'] / most:.2f}",
    )
    edge = svg.make_element(
        "polygon",
        points=joined,
        class_="head" if one["chosen"] else "",
        fill="none",
        stroke=svg.ACCENT_COLOUR if one["chosen"] else "currentColor",
        stroke_width=1.4 if one["chosen"] else 0.8,
        stroke_dasharray=None if one["chosen"] else "3 3",
    )
    name = svg.fit_text(one["name"], width - 14, size)
    return svg.tooltip_group(
        _cluster_words(one),
        shape,
        edge,
        svg.text_label(name, x, y - 1, "middle", font_size=size, class_="name"),
        svg.text_label(f"{one['n']:,}", x, y + size + 1, "middle", font_size=size, class_="count"),
    )


def _square_corners(x: float, y: float, width: float) -> list[tuple[float, float]]:
    a, b = (width - SHAPE_GAP) / 2, (TILE_HEIGHT - SHAPE_GAP) / 2
    return [(x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)]


def _hexagon_corners(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    r = radius - SHAPE_GAP / sqrt(3)
    a = r * sqrt(0.75)
    return [
        (x, y - r),
        (x + a, y - r / 2),
        (x + a, y + r / 2),
        (x, y + r),
        (x - a, y + r / 2),
        (x - a, y - r / 2),
    ]


def _cluster_words(one: DrawnCluster) -> str:
    words = f"{one['name']}: {counted_noun(one['n'], 'feature')}"
    if one.get("mean_correlation") is not None:
        words += f", mean correlation {one['mean_correlation']:.2f}"
    if one.get("score") is not None:
        words += f", score {one['score']:.3g}"
    return words + ("" if one["chosen"] else ", not kept")


def _cluster_legend(clusters: Sequence[DrawnCluster]) -> svg.Svg:
    """What shade and dashes say."""
    sizes = [one["n"] for one in clusters] or [0]
    words = f"shade and number: features, {min(sizes):,} to {max(sizes):,}"
    parts = [
        svg.rectangle_at(
            2.0 + 11 * i,
            5.0,
            11.0,
            10.0,
            class_="headdot",
            fill=svg.ACCENT_COLOUR,
            fill_opacity=f"{MIN_OPACITY + (MAX_OPACITY - MIN_OPACITY) * i / 2:.2f}",
        )
        for i in range(3)
    ]
    parts.append(svg.text_label(words, 41, 14, class_="note"))
    dropped = sum(not one["chosen"] for one in clusters)
    what = "named by the representative"
    what += f"; dashed: {dropped} not kept" if dropped else ""
    parts.append(svg.text_label(what, 2, 32, class_="note"))
    return svg.join_elements(parts)

"""Nodes, edges and their labels as SVG: shared by the ID-graph and the rule network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import _svg as svg
from ._layout import layout_nodes

# heights, and up to how many nodes the lower
LOW_HEIGHT, HIGH_HEIGHT, MAX_LOW_NODES = 330.0, 430.0, 8
MAX_LABEL_WIDTH = 96.0  # widest name
# of a directed edge, so that the edges of a pair lie side by side
EDGE_PADDING, EDGE_BEND = 14.0, 0.16
KEY_TOP, KEY_ROW = 10.0, 20.0  # below the picture, and of a line of the key
# of the least and the greatest value
PALEST_COLOUR, DEEPEST_COLOUR = (0xD3, 0xE5, 0xF2), (0x00, 0x52, 0x87)
RING_STYLE: dict[str, object] = {
    "class_": "ring",
    "fill": "none",
    "stroke": "#D55E00",
    "stroke_width": 2,
}


@dataclass(frozen=True)
class Node:
    """What is drawn of a node: `shade` from 0 to 1, or a `hue` class; `radius` in units."""

    label: str
    words: str
    radius: float
    shade: float = 0.0
    hue: str = ""
    fill: str = ""
    ring: bool = False


@dataclass(frozen=True)
class Edge:
    """From and to as places among the nodes; `share` of the heaviest weight."""

    source: int
    target: int
    share: float
    words: str


def node_caption(name: str) -> str:
    """A node's name as it is written beside it.

    Examples
    --------
    >>> node_caption(""), node_caption("a very long name of a feature")
    ('(no name)', 'a very long n…')
    """
    return svg.fit_text(name, MAX_LABEL_WIDTH) or "(no name)"


def picture_height(n: int) -> float:
    """Of a picture of so many nodes."""
    return LOW_HEIGHT if n <= MAX_LOW_NODES else HIGH_HEIGHT


def network_chart(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    title: str,
    nothing: str,
    key: Sequence[tuple[svg.Svg, str]],
    directed: bool = False,
) -> svg.Svg:
    """The chart; `nothing` is what it says without nodes, `key` marks and what they stand for."""
    height = picture_height(len(nodes))
    inside = _draw_network(nodes, edges, directed)
    if not nodes:
        inside = svg.text_label(nothing, svg.CHART_WIDTH / 2, height / 2, "middle", class_="note")
    desc = "; ".join(e.words for e in edges) or "no edges"
    keys = [
        _key_line(mark, words, height + KEY_TOP + KEY_ROW * k)
        for k, (mark, words) in enumerate(key if nodes else [])
    ]
    end = height + (KEY_TOP + KEY_ROW * len(keys) if keys else 0)
    return svg.chart_root(end, title, desc, inside, *keys, kind="network")


def shade_mark() -> svg.Svg:
    """Of the key: values from low to high."""
    return svg.join_elements(
        svg.rectangle_at(12.0 * k, -9.0, 12.0, 10.0, **_shaded(k / 2)) for k in range(3)
    )


def ring_mark() -> svg.Svg:
    """Of the key: what has a ring."""
    return svg.circle_at(18.0, -4.0, 6.5, **RING_STYLE)


def hue_mark(hue: str, fill: str) -> svg.Svg:
    """Of the key: nodes of one hue."""
    return svg.rectangle_at(12.0, -9.0, 12.0, 10.0, **_shaded(0.0, hue, fill))


def size_mark() -> svg.Svg:
    """Of the key: a small node and a large one."""
    small = svg.rectangle_at(6.0, -6.0, 5.0, 5.0, **_shaded(0.5))
    return svg.join_elements([small, svg.rectangle_at(19.0, -10.0, 12.0, 12.0, **_shaded(0.5))])


def edge_mark() -> svg.Svg:
    """Of the key: a light edge and a heavy one."""
    return svg.join_elements(
        svg.straight_line(
            start, -4, start + 15, -4, class_="line", stroke_width=width, opacity=opacity
        )
        for start, width, opacity in ((0.0, 1.4, 0.35), (21.0, 5.0, 0.9))
    )


def _key_line(mark: svg.Svg, words: str, y: float) -> svg.Svg:
    place = f"translate(4 {svg.coordinate_text(y + 12)})"
    return svg.make_element(
        "g", mark, svg.text_label(words, 46, 0, class_="note"), transform=place, class_="key"
    )


def _draw_network(nodes: Sequence[Node], edges: Sequence[Edge], directed: bool) -> svg.Svg:
    """The picture between the tags of a chart, 360 units wide."""
    rim = EDGE_PADDING if directed else 2.0  # room for edges that bend out
    boxes = np.array([_node_box(node) for node in nodes])
    at = layout_nodes(
        len(nodes),
        np.array([(e.source, e.target) for e in edges], dtype=int).reshape(-1, 2),
        np.array([e.share for e in edges]),
        boxes.reshape(-1, 4),
        (rim, rim, svg.CHART_WIDTH - rim, picture_height(len(nodes)) - rim),
    )
    lightest_first = sorted(edges, key=lambda e: e.share)
    return svg.join_elements(
        [
            *(_draw_edge(e, nodes, at, directed) for e in lightest_first),
            *(_draw_node(node, x, y) for node, (x, y) in zip(nodes, at, strict=True)),
            *(
                svg.text_label(
                    node.label, x, y + node.radius + 13 + 3 * node.ring, "middle", class_="name"
                )
                for node, (x, y) in zip(nodes, at, strict=True)
            ),
        ]
    )


def _node_box(node: Node) -> tuple[float, float, float, float]:
    r = node.radius + 3 * node.ring + 3
    half = max(r, svg.text_width(node.label) / 2 + 4)
    return -half, -r, half, r + 15


def _draw_node(node: Node, x: float, y: float) -> svg.Svg:
    parts = [svg.tooltip_title(svg.clean_text(node.words))]
    if node.ring:
        parts.append(svg.circle_at(x, y, node.radius + 3, **RING_STYLE))
    parts.append(svg.circle_at(x, y, node.radius, **_shaded(node.shade, node.hue, node.fill)))
    return svg.make_element("g", *parts, class_="node")


def _shaded(shade: float, hue: str = "", fill: str = "") -> dict[str, object]:
    """The look of a value from 0 to 1, or of a hue."""
    return {
        "class_": f"dot {hue}".strip(),
        "fill": fill or blend_colour(shade),
        "stroke": "#57606a",
        "style": f"--v:{shade:.3f}",
    }


def blend_colour(shade: float) -> str:
    """The colour of a value from 0 (pale) to 1 (deep).

    Examples
    --------
    >>> blend_colour(0.0), blend_colour(1.0)
    ('#d3e5f2', '#005287')
    """
    mixed = (round(a + (b - a) * shade) for a, b in zip(PALEST_COLOUR, DEEPEST_COLOUR, strict=True))
    return "#" + "".join(f"{v:02x}" for v in mixed)


def _draw_edge(edge: Edge, nodes: Sequence[Node], at: np.ndarray, directed: bool) -> svg.Svg:
    """A line, bent if directed, from rim to rim; width and darkness say the weight."""
    start, end = at[edge.source], at[edge.target]
    width = 1 + 4.5 * edge.share
    r0, r1 = (nodes[j].radius + 5 * nodes[j].ring + 1 for j in (edge.source, edge.target))
    bend = EDGE_BEND if directed else 0.0
    gap = end - start
    middle = (start + end) / 2 + bend * np.array([gap[1], -gap[0]])
    out, into = _unit_vector(middle - start), _unit_vector(end - middle)
    tip, head = end - into * r1, 5 + 1.6 * width
    stop = tip - into * head * 0.8 if directed else tip
    first = start + out * r0
    path = f"M{_point_text(first)}Q{_point_text(middle)} {_point_text(stop)}"
    parts = [
        svg.tooltip_title(svg.clean_text(edge.words)),
        svg.make_element(
            "path", d=path, fill="none", class_="line", stroke="currentColor", stroke_width=width
        ),
    ]
    if directed:
        side = np.array([into[1], -into[0]]) * head * 0.45
        back = tip - into * head
        parts.append(
            svg.make_element(
                "path",
                d=f"M{_point_text(tip)}L{_point_text(back + side)} {_point_text(back - side)}Z",
                class_="head",
            )
        )
    return svg.make_element("g", *parts, class_="edge", opacity=0.22 + 0.68 * edge.share)


def _unit_vector(way: np.ndarray) -> np.ndarray:
    return way / max(math.hypot(*way), 1e-9)


def _point_text(point: np.ndarray) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"

"""Nodes, edges and their labels as SVG: shared by the ID-graph and the rule network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import _svg as svg
from ._layout import layout_nodes

LOW, HIGH, FEW = 330.0, 430.0, 8  # heights, and up to how many nodes the lower
LABEL = 96.0  # widest name
PAD, BEND = 14.0, 0.16  # of a directed edge, so that the edges of a pair lie side by side
PALE, DEEP = (0xD3, 0xE5, 0xF2), (0x00, 0x52, 0x87)  # of the least and the greatest value


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


def caption(name: str) -> str:
    """A node's name as it is written beside it.

    Examples
    --------
    >>> caption(""), caption("a very long name of a feature")
    ('(no name)', 'a very long n…')
    """
    return svg.fit_text(name, LABEL) or "(no name)"


def picture_height(n: int) -> float:
    """Of a picture of so many nodes."""
    return LOW if n <= FEW else HIGH


def network_chart(
    nodes: Sequence[Node], edges: Sequence[Edge], title: str, nothing: str, directed: bool = False
) -> svg.Svg:
    """The chart; `nothing` is what it says without nodes."""
    height = picture_height(len(nodes))
    inside = _draw_network(nodes, edges, directed)
    if not nodes:
        inside = svg.label(nothing, svg.WIDTH / 2, height / 2, "middle", class_="note")
    desc = "; ".join(e.words for e in edges) or "no edges"
    return svg.chart(height, title, desc, inside, kind="network")


def _draw_network(nodes: Sequence[Node], edges: Sequence[Edge], directed: bool) -> svg.Svg:
    """The picture between the tags of a chart, 360 units wide."""
    rim = PAD if directed else 2.0  # room for edges that bend out
    boxes = np.array([_node_box(node) for node in nodes])
    at = layout_nodes(
        len(nodes),
        np.array([(e.source, e.target) for e in edges], dtype=int).reshape(-1, 2),
        np.array([e.share for e in edges]),
        boxes.reshape(-1, 4),
        (rim, rim, svg.WIDTH - rim, picture_height(len(nodes)) - rim),
    )
    lightest_first = sorted(edges, key=lambda e: e.share)
    return svg.join(
        [
            *(_draw_edge(e, nodes, at, directed) for e in lightest_first),
            *(_draw_node(node, x, y) for node, (x, y) in zip(nodes, at, strict=True)),
            *(
                svg.label(
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
    parts = [svg.tooltip(svg.clean_text(node.words))]
    if node.ring:
        ring = {"class_": "ring", "fill": "none", "stroke": "#D55E00", "stroke_width": 2}
        parts.append(svg.circle(x, y, node.radius + 3, **ring))
    dot = {"class_": f"dot {node.hue}".strip(), "fill": node.fill or blend_colour(node.shade)}
    dot |= {"stroke": "#57606a", "style": f"--v:{node.shade:.3f}"}
    parts.append(svg.circle(x, y, node.radius, **dot))
    return svg.tag("g", *parts, class_="node")


def blend_colour(shade: float) -> str:
    """The colour of a value from 0 (pale) to 1 (deep).

    Examples
    --------
    >>> blend_colour(0.0), blend_colour(1.0)
    ('#d3e5f2', '#005287')
    """
    mixed = (round(a + (b - a) * shade) for a, b in zip(PALE, DEEP, strict=True))
    return "#" + "".join(f"{v:02x}" for v in mixed)


def _draw_edge(edge: Edge, nodes: Sequence[Node], at: np.ndarray, directed: bool) -> svg.Svg:
    """A line, bent if directed, from rim to rim; width and darkness say the weight."""
    start, end = at[edge.source], at[edge.target]
    width = 1 + 4.5 * edge.share
    r0, r1 = (nodes[j].radius + 5 * nodes[j].ring + 1 for j in (edge.source, edge.target))
    bend = BEND if directed else 0.0
    gap = end - start
    middle = (start + end) / 2 + bend * np.array([gap[1], -gap[0]])
    out, into = _unit_vector(middle - start), _unit_vector(end - middle)
    tip, head = end - into * r1, 5 + 1.6 * width
    stop = tip - into * head * 0.8 if directed else tip
    first = start + out * r0
    path = f"M{_point_text(first)}Q{_point_text(middle)} {_point_text(stop)}"
    parts = [
        svg.tooltip(svg.clean_text(edge.words)),
        svg.tag(
            "path", d=path, fill="none", class_="line", stroke="currentColor", stroke_width=width
        ),
    ]
    if directed:
        side = np.array([into[1], -into[0]]) * head * 0.45
        back = tip - into * head
        parts.append(
            svg.tag(
                "path",
                d=f"M{_point_text(tip)}L{_point_text(back + side)} {_point_text(back - side)}Z",
                class_="head",
            )
        )
    return svg.tag("g", *parts, class_="edge", opacity=0.22 + 0.68 * edge.share)


def _unit_vector(way: np.ndarray) -> np.ndarray:
    return way / max(math.hypot(*way), 1e-9)


def _point_text(point: np.ndarray) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"

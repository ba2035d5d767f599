"""The interdependency graph of features: which one trees split on below which."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from typing_extensions import ReadOnly

from .._core.errors import counted_noun
from ._network import (
    Edge,
    Node,
    edge_mark,
    network_chart,
    node_caption,
    ring_mark,
    shade_mark,
    size_mark,
)

MAX_DRAWN_FEATURES = 40  # features; more cannot be distinguished in a picture this size


class RankedNode(TypedDict):
    """A feature of the graph."""

    name: ReadOnly[str]
    importance: ReadOnly[float | None]
    selected: ReadOnly[bool]


class WeightedEdge(TypedDict):
    """From the antecedent to the given feature."""

    source: ReadOnly[str]
    target: ReadOnly[str]
    weight: ReadOnly[float]


class GraphPicture(TypedDict):
    """Features and edges, the best first."""

    features: ReadOnly[Sequence[RankedNode]]
    edges: ReadOnly[Sequence[WeightedEdge]]


def id_graph(graph: GraphPicture, features: int = 6, edges: int = 12) -> str:
    """The ID-graph of the best features and the heaviest edges between them, as SVG.

    Colour is relative importance, size the number of edges shown, an edge's width and darkness
    its ID weight. A ring marks the features that the cut-off keeps.

    Parameters
    ----------
    graph : mapping
        ``InteractionGraph.to_dict()``.
    features : int, default=6
        Best features shown, at most 40.
    edges : int, default=12
        Heaviest edges shown.

    Returns
    -------
    str
        An ``<svg>`` element.

    References
    ----------
    Draminski et al. (2016), Discovering networks of interdependent features in high-dimensional
    problems, in Big Data Analysis: New Algorithms for a New Society, 285-304, Springer.

    Examples
    --------
    >>> from tamis.interactions import InteractionGraph
    >>> graph = InteractionGraph.of(["a", "b"], [0.5, 0.4], [(0, 1, 0.2, 0.01, 9, 50)])
    >>> "a to b: 0.200" in id_graph(graph.to_dict())
    True
    """
    shown = list(graph["features"][: min(features, MAX_DRAWN_FEATURES)])
    place = {f["name"]: j for j, f in enumerate(shown)}
    lines = [e for e in graph["edges"] if e["source"] in place and e["target"] in place][:edges]
    degree = [0] * len(shown)
    for e in lines:
        degree[place[e["source"]]] += 1
        degree[place[e["target"]]] += 1
    best = max((f["importance"] or 0.0 for f in graph["features"]), default=0.0) or 1.0
    heaviest = max((e["weight"] for e in graph["edges"]), default=0.0) or 1.0
    nodes = [
        Node(
            node_caption(f["name"]),
            f"{f['name']}: relative importance {f['importance'] or 0.0:.3f}",
            degree_radius(degree[j]),
            max(f["importance"] or 0.0, 0.0) / best,
            ring=bool(f["selected"]),
        )
        for j, f in enumerate(shown)
    ]
    drawn = [
        Edge(
            place[e["source"]],
            place[e["target"]],
            max(e["weight"], 0.0) / heaviest,
            f"{e['source']} to {e['target']}: {e['weight']:.3f}",
        )
        for e in lines
    ]
    title = (
        f"Interdependency graph: {counted_noun(len(nodes), 'feature')}, "
        f"{counted_noun(len(drawn), 'edge')}"
    )
    key = [
        (shade_mark(), f"relative importance, 0 to {best:.3g}"),
        (ring_mark(), "kept by the cut-off"),
        (size_mark(), "few or many edges shown"),
        (edge_mark(), f"thicker: heavier, at most {heaviest:.3g} (ID weight)"),
    ]
    return network_chart(nodes, drawn, title, "no features", key, directed=True)


def degree_radius(degree: int) -> float:
    """Of a node with so many edges.

    Examples
    --------
    >>> degree_radius(0), degree_radius(4)
    (6.0, 12.0)
    """
    return min(6 + 3 * math.sqrt(degree), 21.0)

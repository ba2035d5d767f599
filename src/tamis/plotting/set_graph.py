"""The graph of sets: which features are in sets together."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
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
MIN_RADIUS, RADIUS_GROWTH = 5.0, 15.0  # radius of a node, and how much the largest has more


class SetNode(TypedDict):
    """A feature of sets."""

    name: ReadOnly[str]
    value: ReadOnly[float]
    sets: ReadOnly[int]
    selected: ReadOnly[bool]


class SetEdge(TypedDict):
    """Two features of a set."""

    source: ReadOnly[str]
    target: ReadOnly[str]
    weight: ReadOnly[float]
    sets: ReadOnly[int]


class SetPicture(TypedDict):
    """Features and pairs of them, the best first."""

    features: ReadOnly[Sequence[SetNode]]
    edges: ReadOnly[Sequence[SetEdge]]


def set_graph(graph: SetPicture, features: int = 12, edges: int = 24) -> str:
    """The best features of sets and the heaviest pairs of them, as SVG.

    Colour is the value of a feature's best set, size the number of its sets, an edge's width and
    darkness the value of the best set that holds both. A ring marks features of sets that pass a
    test.

    Parameters
    ----------
    graph : mapping
        ``features`` (``name``, ``value``, ``sets``, ``selected``), the best first, and ``edges``
        (``source``, ``target``, ``weight``, ``sets``), the heaviest first.
    features : int, default=12
        At most 40 are shown.
    edges : int, default=24

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> nodes = [{"name": n, "value": 0.5, "sets": 1, "selected": True} for n in "ab"]
    >>> edge = {"source": "a", "target": "b", "weight": 0.5, "sets": 1}
    >>> "a and b: 0.500" in set_graph({"features": nodes, "edges": [edge]})
    True
    """
    shown = list(graph["features"][: min(features, MAX_DRAWN_FEATURES)])
    place = {f["name"]: j for j, f in enumerate(shown)}
    lines = [e for e in graph["edges"] if e["source"] in place and e["target"] in place][:edges]
    best = max((f["value"] for f in graph["features"]), default=0.0) or 1.0
    most = max((f["sets"] for f in graph["features"]), default=0) or 1
    heaviest = max((e["weight"] for e in graph["edges"]), default=0.0) or 1.0
    nodes = [
        Node(
            node_caption(f["name"]),
            f"{f['name']}: {f['value']:.3f}, in {counted_noun(f['sets'], 'set')}",
            MIN_RADIUS + RADIUS_GROWTH * sqrt(f["sets"] / most),
            max(f["value"], 0.0) / best,
            ring=bool(f["selected"]),
        )
        for f in shown
    ]
    drawn = [
        Edge(
            place[e["source"]],
            place[e["target"]],
            max(e["weight"], 0.0) / heaviest,
            f"{e['source']} and {e['target']}: {e['weight']:.3f}",
        )
        for e in lines
    ]
    title = f"Features that act together: {counted_noun(len(nodes), 'feature')}"
    key = [
        (shade_mark(), f"value of its best set, 0 to {best:.3g}"),
        (size_mark(), "in few or many sets"),
        *([(ring_mark(), "in sets that pass the test")] if any(n.ring for n in nodes) else []),
        (edge_mark(), "together in a set; thicker: a better set"),
    ]
    return network_chart(nodes, drawn, title, "no features", key)

"""Graphs and what their cut-off rests on: nodes apart, numbers in their places."""

from __future__ import annotations

import math
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis import plotting
from tamis.interactions import InteractionGraph
from tamis.plotting import _layout
from tamis.plotting._network import blend_colour
from tamis.plotting.id_graph import degree_radius

NS = "{http://www.w3.org/2000/svg}"
NAME = '</title><script>alert("x")</script>'
AREA = (0.0, 0.0, 360.0, 330.0)


def of_class(root: ElementTree.Element, name: str, kind: str) -> list[ElementTree.Element]:
    return [e for e in root.iter(f"{NS}{kind}") if name in (e.get("class") or "").split()]


def boxes_of(n: int, half: float = 20.0) -> np.ndarray:
    return np.tile([-half, -12.0, half, 26.0], (n, 1))


@st.composite
def networks(draw):
    n = draw(st.integers(1, 9))
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=20, unique=True)) if pairs else []
    weights = draw(st.lists(st.floats(0, 5), min_size=len(edges), max_size=len(edges)))
    return n, np.array(edges, dtype=int).reshape(-1, 2), np.array(weights)


def plain_forces(n: int, edges: np.ndarray, weights: np.ndarray) -> list[list[float]]:
    """Node by node, as the docstring of `layout_nodes` says."""
    at = [
        [
            math.cos(2 * math.pi * i / n - math.pi / 2) / 2,
            math.sin(2 * math.pi * i / n - math.pi / 2) / 2,
        ]
        for i in range(n)
    ]
    k, most = 1 / math.sqrt(n), max(weights.max(initial=0.0), 1e-300)
    degree = [int((edges == i).sum()) for i in range(n)]
    for turn in range(_layout.N_ROUNDS):
        moves = []
        for i in range(n):
            fx, fy = (-_layout.GRAVITY_FORCE * v for v in at[i])
            for j in range(n):
                dx, dy = at[i][0] - at[j][0], at[i][1] - at[j][1]
                push = k * k / max(dx * dx + dy * dy, 1e-4)
                fx, fy = fx + push * dx, fy + push * dy
            for (a, b), w in zip(edges, weights, strict=True):
                if i not in (a, b):
                    continue
                j = b if i == a else a
                dx, dy = at[j][0] - at[i][0], at[j][1] - at[i][1]
                pull = _layout.EDGE_PULL * (0.3 + 0.7 * w / most) / math.sqrt(degree[a] * degree[b])
                fx += dx * math.hypot(dx, dy) / k * pull
                fy += dy * math.hypot(dx, dy) / k * pull
            length = max(math.hypot(fx, fy), 1e-12)
            step = (
                min(_layout.FORCE_GAIN * length, _layout.MAX_STEP * (1 - turn / _layout.N_ROUNDS))
                / length
            )
            moves.append((fx * step, fy * step))
        at = [[x + dx, y + dy] for (x, y), (dx, dy) in zip(at, moves, strict=True)]
    return at


def test_forces_are_those_of_a_plain_loop():
    edges = np.array([(0, 1), (1, 2), (2, 0), (3, 1), (4, 3)])
    weights = np.array([3.0, 1.0, 0.5, 2.0, 0.1])
    expected = plain_forces(5, edges, weights)
    np.testing.assert_allclose(_layout.settle_forces(5, edges, weights), expected, atol=1e-6)


def test_only_the_ratios_of_weights_count():
    edges = np.array([(0, 1), (1, 2), (2, 0), (3, 1)])
    weights = np.array([0.5, 0.25, 0.125, 0.0])
    expected = plain_forces(4, edges, weights)
    for unit in (1.0, 2.0**-40, 2.0**40):
        at = _layout.settle_forces(4, edges, unit * weights)
        np.testing.assert_allclose(at, expected, atol=1e-6)
    every = [_layout.settle_forces(4, edges, np.full(4, w)) for w in (0.0, 1.0)]
    assert np.abs(every[0] - every[1]).max() > 0.01  # all zero: three tenths of the pull


@settings(max_examples=40)
@given(networks())
def test_nodes_stand_inside_and_apart(network):
    n, edges, weights = network
    boxes = boxes_of(n)
    at = _layout.layout_nodes(n, edges, weights, boxes, AREA)
    np.testing.assert_array_equal(at, _layout.layout_nodes(n, edges, weights, boxes, AREA))
    assert (at + boxes[:, :2] >= -1e-6).all()
    assert (at + boxes[:, 2:] <= np.array(AREA[2:]) + 1e-6).all()
    for i in range(n):
        for j in range(i):
            over = np.minimum(at[i] + boxes[i, 2:], at[j] + boxes[j, 2:]) - np.maximum(
                at[i] + boxes[i, :2], at[j] + boxes[j, :2]
            )
            assert over.min() <= 1.0


def test_heavy_edges_are_short_and_lone_nodes_stand_at_the_foot():
    edges = np.array([(0, 1), (1, 2), (2, 3), (3, 0)])
    at = _layout.layout_nodes(6, edges, np.array([1.0, 0.01, 1.0, 0.01]), boxes_of(6), AREA)
    heavy, light = (np.hypot(*(at[a] - at[b])) for a, b in ((0, 1), (1, 2)))
    assert heavy < light
    assert at[4, 1] == at[5, 1] > at[:4, 1].max()


@pytest.mark.parametrize("lone", [40, 200])
def test_many_nodes_still_stand_inside(lone):
    n = lone + 60
    edges = np.array([(i, j) for i in range(60) for j in range(i) if (i * j) % 7 == 1])
    at = _layout.layout_nodes(n, edges, np.ones(len(edges)), boxes_of(n), AREA)
    assert np.isfinite(at).all()
    assert (at > -1).all()
    assert (at < np.array(AREA[2:]) + 1).all()
    assert len(np.unique(at.round(1), axis=0)) == n


GRAPH = InteractionGraph.of(
    [NAME, "b", "", "d"],
    [0.8, 0.4, 0.2, 0.1],
    [(0, 1, 0.4, 0.01, 9, 50), (1, 0, 0.2, 0.01, 9, 50), (1, 2, 0.1, 0.01, 9, 50)],
    selected=[True, True, False, False],
).to_dict()


def test_the_graph_shows_importance_degree_weight_and_what_is_kept():
    root = ElementTree.fromstring(plotting.id_graph(GRAPH))
    dots = of_class(root, "dot", "circle")
    assert [float(d.get("r")) for d in dots] == pytest.approx(
        [degree_radius(k) for k in (2, 3, 1, 0)], abs=0.05
    )
    assert [d.get("fill") for d in dots] == [blend_colour(v) for v in (1.0, 0.5, 0.25, 0.125)]
    assert len(of_class(root, "ring", "circle")) == 2 + 1  # and that of the key
    lines = of_class(root, "line", "path")  # lightest first, so that the heavy lie above
    widths = [float(e.get("stroke-width")) for e in lines]
    assert widths == pytest.approx([1 + 4.5 * share for share in (0.25, 0.5, 1.0)], abs=0.06)
    darkness = [float(e.get("opacity")) for e in of_class(root, "edge", "g")]
    assert darkness == sorted(darkness)
    assert len(of_class(root, "head", "path")) == 3
    names = [e.text for e in of_class(root, "name", "text")]
    assert names[1:] == ["b", "(no name)", "d"]
    assert names[0].endswith("…")
    assert f"{NAME} to b: 0.400" in "".join(root.itertext())


def test_arrows_end_at_the_rim_of_the_given_feature():
    root = ElementTree.fromstring(plotting.id_graph(GRAPH))
    ring = of_class(root, "ring", "circle")[1]  # of b, the target of the heaviest edge
    tip = of_class(root, "head", "path")[-1].get("d").split("L")[0].removeprefix("M")
    x, y = map(float, tip.split(","))
    gap = math.hypot(x - float(ring.get("cx")), y - float(ring.get("cy"))) - float(ring.get("r"))
    assert 0 < gap < 5


def test_the_graph_is_cut_to_what_is_asked_for():
    root = ElementTree.fromstring(plotting.id_graph(GRAPH, features=2, edges=1))
    assert len(of_class(root, "dot", "circle")) == 2
    assert len(of_class(root, "line", "path")) == 1
    empty = {"features": [], "edges": []}
    assert "no features" in plotting.id_graph(empty)


def test_a_spoiled_weight_bends_no_other_edge():
    first, *others = GRAPH["edges"]
    spoiled = {**GRAPH, "edges": [*others, {**first, "weight": -1e308}]}
    root = ElementTree.fromstring(plotting.id_graph(spoiled))
    assert len(of_class(root, "line", "path")) == 3
    assert "nan" not in "".join(line.get("d") for line in of_class(root, "line", "path"))


CONDITIONS = {
    "label": NAME,
    "nodes": [
        {"id": 7, "text": "a > 1", "feature": "a", "op": ">", "value": 1.0, "weight": 16.0,
         "rules": 3},
        {"id": 8, "text": "", "feature": NAME, "op": "<=", "value": -2.5, "weight": 4.0,
         "rules": 1},
        {"id": 9, "text": "c = yes", "feature": "c", "op": "=", "value": "yes", "weight": 1.0,
         "rules": 1},
    ],
    "edges": [{"source": 7, "target": 9, "weight": 8.0, "rules": 1},
              {"source": 8, "target": 7, "weight": 2.0, "rules": 1}],
}  # fmt: skip


def test_a_rule_network_shows_directions_and_weights():
    root = ElementTree.fromstring(plotting.rule_network(CONDITIONS))
    dots = of_class(root, "dot", "circle")
    assert [d.get("class") for d in dots] == ["dot above", "dot below", "dot equal"]
    radii = [float(d.get("r")) - 5 for d in dots]
    assert (radii[0] / radii[1]) ** 2 == pytest.approx(4, rel=0.05)  # areas are as weights
    assert not of_class(root, "head", "path")
    names = [e.text for e in of_class(root, "name", "text")]
    assert names[0] == "a > 1"
    assert names[1].endswith("… ≤ −2.5")  # a long name is cut, its value is not
    assert "a > 1 and c = yes: weight 8.0, 1 rule" in "".join(root.itertext())
    few = ElementTree.fromstring(plotting.rule_network(CONDITIONS, conditions=2))
    assert len(of_class(few, "line", "path")) == 1
    assert "no rules" in plotting.rule_network({"label": "x", "nodes": [], "edges": []})


def test_the_cutoff_stands_at_the_largest_permuted_importance():
    features = [
        {"name": NAME if j == 0 else f"f{j}", "importance": v}
        for j, v in enumerate((0.8, 0.5, 0.3, 0.2))
    ]
    data = {"features": features, "maxima": [0.1, 0.4, 0.25], "threshold": 0.4, "size": 2}
    root = ElementTree.fromstring(plotting.importance_cutoff(data))
    *kept, _ = of_class(root, "headdot", "circle")  # the last is that of the key
    *runs, _ = of_class(root, "innerdot", "circle")
    rest = of_class(root, "restdot", "circle")
    assert (len(kept), len(rest), len(runs)) == (2, 2, 3)
    y = float(of_class(root, "chance", "line")[0].get("y1"))
    assert y == pytest.approx(min(float(e.get("cy")) for e in runs), abs=0.1)
    assert all(float(e.get("cy")) < y for e in kept)
    assert all(float(e.get("cy")) > y for e in rest)
    assert max(float(e.get("cx")) for e in kept + rest) < min(float(e.get("cx")) for e in runs)
    bare = {"features": features, "maxima": [], "threshold": None, "size": 4}
    root = ElementTree.fromstring(plotting.importance_cutoff(bare))
    assert not of_class(root, "chance", "line")
    assert len(of_class(root, "headdot", "circle")) == 4 + 1
    nothing = {"features": [], "maxima": [], "threshold": None, "size": 0}
    root = ElementTree.fromstring(plotting.importance_cutoff(nothing))
    assert root.get("role") == "img"
    assert not of_class(root, "headdot", "circle")  # its key names no mark that it has not


@pytest.mark.parametrize("n", [1, 2, 3, 5, 12, 100])
def test_ranks_are_whole_numbers(n):
    features = [{"name": "f", "importance": 1 / (1 + j)} for j in range(n)]
    data = {"features": features, "maxima": [], "threshold": None, "size": 1}
    root = ElementTree.fromstring(plotting.importance_cutoff(data))
    ticks = [e.text for e in of_class(root, "tick", "text") if e.get("text-anchor") == "middle"]
    assert "1" in ticks
    assert all(tick.isdigit() for tick in ticks)


def test_convergence_falls_to_the_right():
    updates = [{"projections": 10 * i, "distance": 20 / i, "common": 1.0} for i in range(1, 700)]
    root = ElementTree.fromstring(plotting.ranking_convergence(updates))
    (line,) = root.iter(f"{NS}polyline")
    points = [tuple(map(float, p.split(","))) for p in line.get("points").split()]
    assert len(points) <= 300
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(points))
    assert "over 6990 projections" in root[1].text
    assert "no updates" in plotting.ranking_convergence([])


def test_an_edge_within_two_standard_errors_is_not_drawn():
    edges = [(0, 1, 0.2, 0.11, 9, 50), (1, 0, 0.1, 0.05, 5, 50), (0, 2, 0.5, np.nan, 1, 1)]
    found = InteractionGraph.of(["a", "b", "c"], [0.5, 0.4, 0.3], edges)
    assert [e["weight"] for e in found.to_dict()["edges"]] == [0.1]
    (chart,) = found.plot().charts
    assert len(of_class(ElementTree.fromstring(chart), "edge", "g")) == 1
    assert len(found.frame()) == 3


def test_a_picture_says_what_its_marks_stand_for():
    words = "".join(ElementTree.fromstring(plotting.id_graph(GRAPH)).itertext())
    for part in ("relative importance, 0 to 0.8", "kept by the cut-off", "at most 0.4 (ID weight)"):
        assert part in words
    words = "".join(ElementTree.fromstring(plotting.rule_network(CONDITIONS)).itertext())
    for part in ("above a value", "at or below it", "a category", "weight in rules for "):
        assert part in words
    assert "kept" not in plotting.id_graph({"features": [], "edges": []})

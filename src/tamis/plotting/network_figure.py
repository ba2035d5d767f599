"""The ID-graph, rule networks and the cut-off for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._core.errors import shorten
from .._core.figures import empty_figure
from ._layout import layout_nodes
from .figure import plain_text
from .rule_network import condition

AREA = (0.0, 0.0, 100.0, 75.0)
LETTER, ABOVE, BELOW = 0.6, -4.0, 6.0  # half of a letter's width, and what a node takes up
LONGEST = 24  # letters of a name


def id_graph_figure(graph: Mapping[str, Any], features: int, edges: int) -> Any:
    """The best features and the heaviest edges of ``InteractionGraph.to_dict()``.

    Colour is relative importance, size the number of edges, width and darkness the ID weight.
    """
    shown = graph["features"][:features]
    place = {f["name"]: j for j, f in enumerate(shown)}
    lines = [e for e in graph["edges"] if e["source"] in place and e["target"] in place][:edges]
    ends = [(place[e["source"]], place[e["target"]]) for e in lines]
    degrees = np.bincount(np.ravel(ends).astype(int), minlength=len(shown))
    canvas, axes = _empty_canvas("InteractionGraph.plot()")
    names = [f["name"] for f in shown]
    at = _draw_edges(axes, names, ends, [e["weight"] for e in lines], arrows=True)
    points = axes.scatter(
        *at.T,
        s=60 + 60 * degrees,
        c=[f["importance"] or 0.0 for f in shown],
        cmap="Blues",
        vmin=0,
        edgecolors=["C1" if f["selected"] else "0.4" for f in shown],
        linewidths=1.5,
        zorder=2,
    )
    canvas.colorbar(points, label="relative importance", shrink=0.7)
    axes.set_title("ringed: kept by the cut-off", fontsize="small")
    return canvas


def rule_network_figure(network: Mapping[str, Any], conditions: int, edges: int) -> Any:
    """The heaviest conditions and edges of ``RuleNetwork.to_dict()``; areas are weights."""
    shown = network["nodes"][:conditions]
    place = {node["id"]: j for j, node in enumerate(shown)}
    lines = [e for e in network["edges"] if e["source"] in place and e["target"] in place][:edges]
    ends = [(place[e["source"]], place[e["target"]]) for e in lines]
    weights = np.array([node["weight"] for node in shown])
    canvas, axes = _empty_canvas("RuleNetwork.plot()")
    names = [condition(node, 120.0) for node in shown]
    at = _draw_edges(axes, names, ends, [e["weight"] for e in lines], arrows=False)
    axes.scatter(*at.T, s=30 + 400 * weights / weights.max(initial=1e-300), color="C0", zorder=2)
    axes.set_title(f"conditions of the rules for {plain_text(network['label'])}", fontsize="small")
    return canvas


def importance_figure(ranking: Mapping[str, Any]) -> Any:
    """Importance by rank of ``MonteCarloRanking.to_dict()``, and of permuted runs the largest."""
    scores = [f["importance"] for f in ranking["features"] if f["importance"] is not None]
    cutoff = ranking["cutoff"]
    canvas, axes = _empty_canvas("MonteCarloRanking.plot()")
    axes.axis("on")
    ranks = np.arange(1, len(scores) + 1)
    kept = ranks <= cutoff.get("size", 0)
    axes.scatter(ranks, scores, c=np.where(kept, "C0", "0.6"), s=18, label="feature (blue: kept)")
    if ranking["maxima"]:
        right = np.full(len(ranking["maxima"]), 1.05 * len(scores) + 1)
        axes.scatter(right, ranking["maxima"], marker="_", color="C1", label="permuted run, best")
    if cutoff.get("threshold") is not None:
        axes.axhline(cutoff["threshold"], color="0.3", linestyle="--", linewidth=1)
    axes.set_xlabel("rank of the feature")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_ylabel("relative importance")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return canvas


def _empty_canvas(what: str) -> tuple[Any, Any]:
    """A figure not registered with pyplot, and its axes without ticks."""
    canvas = empty_figure((6.4, 4.6), what)
    axes = canvas.add_subplot()
    axes.axis("off")
    return canvas, axes


def _draw_edges(
    axes: Any,
    names: Sequence[str],
    ends: list[tuple[int, int]],
    weights: Sequence[float],
    arrows: bool,
) -> np.ndarray:
    """Draw edges and names; returns where the nodes stand."""
    names = [plain_text(shorten(name, LONGEST)) or "(no name)" for name in names]
    boxes = np.array([[-1, ABOVE, 1, BELOW] for _ in names], dtype=float).reshape(-1, 4)
    boxes[:, ::2] *= np.array([LETTER * len(name) + 1 for name in names])[:, None]
    heaviest = max(weights, default=1.0) or 1.0
    pairs = np.array(ends, dtype=int).reshape(-1, 2)
    at = layout_nodes(len(names), pairs, np.array(weights) / heaviest, boxes, AREA)
    at = at * [1, -1]  # y runs up here
    style = {"arrowstyle": "-|>" if arrows else "-", "connectionstyle": "arc3,rad=0.15"}
    for (a, b), weight in zip(ends, weights, strict=True):
        share = weight / heaviest
        axes.annotate(
            "",
            at[b],
            at[a],
            arrowprops={
                **style,
                "color": str(0.75 - 0.6 * share),
                "linewidth": 0.8 + 3 * share,
                "shrinkA": 8,
                "shrinkB": 8,
            },
        )
    for name, (x, y) in zip(names, at, strict=True):
        axes.annotate(
            name,
            (x, y),
            (0, -16),
            textcoords="offset points",
            ha="center",
            fontsize="small",
            zorder=3,
        )
    axes.set_xlim(AREA[0], AREA[2])
    axes.set_ylim(-AREA[3], -AREA[1])
    return at

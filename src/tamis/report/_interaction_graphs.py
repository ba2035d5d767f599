"""What ``assets/graph.js`` draws: nodes, edges and their numbers as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from ..discovery.schema import (
    Condition,
    Graph,
    GraphEdge,
    InteractionsResult,
    Network,
    NetworkNode,
    Preset,
    Ranking,
    Rule,
)
from ..plotting._network import node_caption
from ..plotting.rule_network import MAX_LABEL_WIDTH, OPERATOR_HUES, condition_label
from ._numbers import count_text, decimal_text, p_text, percent_text, plural_text

Rows = list[tuple[int, list[int]]]  # of each rule its class and its features, as numbers


class GraphView(TypedDict):
    """How many nodes and edges are shown at first."""

    nodes: int
    edges: int


class ScriptNode(TypedDict):
    """A node; `v` and `size` are shares, `named` its number among the features of `rules`."""

    name: str
    label: str
    hue: str
    v: float
    size: NotRequired[float]
    ring: bool
    named: int | None
    rules: list[int]
    facts: list[str]


class ScriptGraph(TypedDict):
    """A graph as ``assets/graph.js`` draws it."""

    title: str
    directed: bool
    many: str
    empty: str
    view: GraphView
    heaviest: float
    nodeFacts: list[str]
    edgeFacts: list[str]
    tip: list[int]
    nodes: list[ScriptNode]
    edges: list[list[Any]]


class ListedWords(TypedDict):
    """The rules or sets beside a node, and the table that has them."""

    table: str
    title: str
    none: str
    link: str
    before: str
    between: str
    text: str
    notes: list[str]


class ScriptGraphs(TypedDict):
    """Every graph of the page, and which features stand in which rule or set."""

    main: ScriptGraph | None
    networks: list[ScriptGraph]
    rules: Rows
    listed: ListedWords
    places: list[int]


def graphs_for_script(r: InteractionsResult, start: Preset) -> ScriptGraphs:
    """The ID-graph, the rule networks, and who stands in which rule."""
    rules, drawn = r["rules"], r["graph"]["features"]
    named: dict[str, int] = {}
    labels = {c["name"]: i for i, c in enumerate(rules["classes"])}
    rows: Rows = []
    for rule in rules["rules"]:
        inside = {
            c["feature"]: named.setdefault(c["feature"], len(named)) for c in rule["conditions"]
        }
        rows.append((labels.get(rule["label"], -1), sorted(inside.values())))
    place = {f["name"]: j for j, f in enumerate(drawn)}
    return {
        "main": _drawn_id_graph(r["graph"], r["ranking"], start, named, rows) if drawn else None,
        "networks": [_drawn_network(n, rules["rules"]) for n in rules["networks"]],
        "rules": rows,
        "listed": {
            "table": "rules",
            "title": "Rules",
            "none": "In none of the rules listed.",
            "link": "In the table of rules",
            "before": "IF ",
            "between": " THEN ",
            "text": "rule",
            "notes": [_rule_note(rule) for rule in rules["rules"]],
        },
        "places": [place.get(f["name"], -1) for f in r["ranking"]["features"]],
    }


def drawn_edges(
    edges: Sequence[Any],
    place: Mapping[Any, int],
    heaviest: float,
    facts: Callable[[Any], list[str]],
) -> list[list[Any]]:
    """From and to as places among the nodes, the share of the heaviest weight, and the facts."""
    return [
        [
            place[e["source"]],
            place[e["target"]],
            round(max(e["weight"], 0.0) / heaviest, 4),
            facts(e),
        ]
        for e in edges
    ]


def _rule_note(rule: Rule) -> str:
    return f"{percent_text(rule['accuracy'])} of {count_text(rule['support'])}"


def _drawn_id_graph(
    graph: Graph, ranking: Ranking, start: Preset, named: dict[str, int], rows: Rows
) -> ScriptGraph:
    features, edges = graph["features"], graph["edges"]
    place = {f["name"]: j for j, f in enumerate(features)}
    family = {f["name"]: f.get("family_p_value") for f in ranking["features"]}
    best = max((f["importance"] or 0.0 for f in features), default=0.0) or 1.0
    heaviest = max((e["weight"] for e in edges), default=0.0) or 1.0

    def edge_facts(e: GraphEdge) -> list[str]:
        se = "" if e["se"] is None else decimal_text(e["se"], 4)
        return [decimal_text(e["weight"], 4), se, count_text(e["met"]), count_text(e["count"])]

    def p_or_nothing(p: float | None) -> str:
        return "" if p is None else p_text(p)

    return {
        "title": "Interdependency graph of the features",
        "directed": True,
        "many": "features",
        "empty": "Click a feature to see its numbers, its edges and the rules it stands in.",
        "view": {"nodes": start["features"], "edges": start["edges"]},
        "heaviest": heaviest,
        "nodeFacts": [
            "Rank",
            "Relative importance",
            "Cut-off",
            "Family p",
            "Single p",
            "FDR",
            "Offered",
        ],
        "edgeFacts": ["Weight", "Standard error", "Met in projections", "Node pairs behind it"],
        "tip": [1, 3, 5, 6],
        "nodes": [
            {
                "name": f["name"] or "(no name)",
                "label": node_caption(f["name"]),
                "hue": "",
                "v": round(max(f["importance"] or 0.0, 0.0) / best, 3),
                "ring": f["selected"],
                "named": named.get(f["name"]),
                "rules": [
                    i for i, (_, inside) in enumerate(rows) if named.get(f["name"], -1) in inside
                ],
                "facts": [
                    str(j),
                    decimal_text(f["importance"]),
                    "kept" if f["selected"] else "not kept",
                    p_or_nothing(family.get(f["name"])),
                    p_or_nothing(f["p_value"]),
                    p_or_nothing(f["fdr"]),
                    plural_text(f["offered"], "time"),
                ],
            }
            for j, f in enumerate(features, 1)
        ],
        "edges": drawn_edges(edges, place, heaviest, edge_facts),
    }


def _drawn_network(network: Network, rules: list[Rule]) -> ScriptGraph:
    """Conditions of one class, heaviest first."""
    nodes = sorted(network["nodes"], key=lambda c: -c["weight"])
    edges = sorted(network["edges"], key=lambda e: -e["weight"])
    place = {c["id"]: j for j, c in enumerate(nodes)}
    weight = max((c["weight"] for c in nodes), default=0.0) or 1.0
    heaviest = max((e["weight"] for e in edges), default=0.0) or 1.0
    own = [(i, rule) for i, rule in enumerate(rules) if rule["label"] == network["label"]]

    def rules_with(node: NetworkNode) -> list[int]:
        def is_same_condition(c: Condition) -> bool:
            value = node["op"] != "=" or c["value"] == node["value"]
            return c["feature"] == node["feature"] and c["op"] == node["op"] and value

        return [i for i, rule in own if any(is_same_condition(c) for c in rule["conditions"])]

    return {
        "title": f"Rule network of {network['label']}",
        "directed": False,
        "many": "conditions",
        "empty": "Click a condition to see its numbers, its edges and its rules.",
        "view": {"nodes": min(12, len(nodes)), "edges": 24},
        "heaviest": heaviest,
        "nodeFacts": ["Weight", "Rules"],
        "edgeFacts": ["Weight", "Rules"],
        "tip": [0, 1],
        "nodes": [
            {
                "name": condition_label(c),
                "label": condition_label(c, MAX_LABEL_WIDTH),
                "hue": OPERATOR_HUES[c["op"]][0],
                "v": 1,
                "size": round(max(c["weight"], 0.0) / weight, 3),
                "ring": False,
                "named": None,
                "rules": rules_with(c),
                "facts": [count_text(c["weight"]), count_text(c["rules"])],
            }
            for c in nodes
        ],
        "edges": drawn_edges(
            edges, place, heaviest, lambda e: [count_text(e["weight"]), count_text(e["rules"])]
        ),
    }

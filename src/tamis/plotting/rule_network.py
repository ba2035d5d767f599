"""The rule network of a class: conditions joined by the rules that they stand in together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg
from ._network import Edge, Node, edge_mark, hue_mark, network_chart

OPERATOR_SIGNS = {">": ">", "<=": "≤", "=": "="}
MAX_LABEL_WIDTH = 130.0  # widest condition
OPERATOR_HUES = {
    ">": ("above", svg.PALETTE[0]),
    "<=": ("below", svg.ACCENT_COLOUR),
    "=": ("equal", svg.PALETTE[1]),
}


class Condition(TypedDict):
    """A feature compared with a value."""

    feature: ReadOnly[str]
    op: ReadOnly[str]
    value: ReadOnly[float | str]


class ConditionNode(Condition):
    """A condition of rules."""

    id: ReadOnly[int]
    weight: ReadOnly[float]
    rules: ReadOnly[int]


class RuleEdge(TypedDict):
    """Two conditions of the same rules."""

    source: ReadOnly[int]
    target: ReadOnly[int]
    weight: ReadOnly[float]
    rules: ReadOnly[int]


class RulePicture(TypedDict):
    """The conditions of the rules for a class."""

    label: ReadOnly[str]
    nodes: ReadOnly[Sequence[ConditionNode]]
    edges: ReadOnly[Sequence[RuleEdge]]


def rule_network(data: RulePicture, conditions: int = 12, edges: int = 24) -> str:
    """The heaviest conditions of a class and the edges between them, as SVG.

    Size is a condition's weight (support times accuracy, over its rules), colour its direction,
    width and darkness of an edge the weight of the rules that hold both.

    Parameters
    ----------
    data : mapping
        ``label``, ``nodes`` and ``edges`` as in ``RuleNetwork.to_dict()``.
    conditions : int, default=12
    edges : int, default=24

    Returns
    -------
    str
        An ``<svg>`` element.

    References
    ----------
    Bornelov, Marillet & Komorowski (2014), Ciruvis: a web-based tool for rule networks and
    interaction detection using rule-based classifiers, BMC Bioinformatics 15:139.

    Examples
    --------
    >>> node = {"feature": "a", "op": ">", "value": 1.5, "weight": 12.0, "rules": 2}
    >>> data = {"label": "ill", "nodes": [{"id": 0, "text": "a > 1.5", **node}], "edges": []}
    >>> "a &gt; 1.5: weight 12.0, 2 rules" in rule_network(data)
    True
    """
    ranked = sorted(data["nodes"], key=lambda c: -c["weight"])
    shown, heaviest = ranked[:conditions], max((c["weight"] for c in ranked), default=0.0) or 1.0
    place = {c["id"]: j for j, c in enumerate(shown)}
    lines = [e for e in data["edges"] if e["source"] in place and e["target"] in place]
    lines = sorted(lines, key=lambda e: -e["weight"])[:edges]
    most = max((e["weight"] for e in data["edges"]), default=0.0) or 1.0
    nodes = [
        Node(
            condition_label(c, MAX_LABEL_WIDTH),
            f"{condition_label(c)}: weight {c['weight']:.1f}, {_rules_text(c['rules'])}",
            share_radius(c["weight"] / heaviest),
            hue=OPERATOR_HUES[c["op"]][0],
            fill=OPERATOR_HUES[c["op"]][1],
        )
        for c in shown
    ]
    drawn = [
        Edge(
            place[e["source"]],
            place[e["target"]],
            max(e["weight"], 0.0) / most,
            f"{condition_label(shown[place[e['source']]])} and "
            f"{condition_label(shown[place[e['target']]])}: weight {e['weight']:.1f}, "
            f"{_rules_text(e['rules'])}",
        )
        for e in lines
    ]
    words = {">": "above a value", "<=": "at or below it", "=": "a category"}
    key = [
        (hue_mark(*OPERATOR_HUES[op]), words[op])
        for op in OPERATOR_HUES
        if any(c["op"] == op for c in shown)
    ]
    name = svg.fit_text(data["label"], 120)
    key.append((edge_mark(), f"larger, thicker: more weight in rules for {name}"))
    return network_chart(nodes, drawn, f"Rule network of {data['label']}", "no rules", key)


def condition_label(node: Condition, width: float = math.inf) -> str:
    """A condition in one line; the feature's name is cut so that it is about `width` wide.

    Examples
    --------
    >>> condition_label({"feature": "a", "op": "<=", "value": -2.0})
    'a ≤ −2'
    """
    value = node["value"]
    digits = None if width == math.inf else 4
    said = svg.fit_text(value, width / 2) if isinstance(value, str) else limit_label(value, digits)
    tail = f" {OPERATOR_SIGNS[node['op']]} {said}"
    return (
        svg.fit_text(node["feature"], max(width - svg.text_width(tail), 40.0)) or "(no name)"
    ) + tail


def limit_label(value: float, digits: int | None = None) -> str:
    """The number that a condition compares with, exactly or to so many digits.

    Examples
    --------
    >>> (limit_label(-0.25),
    ...  limit_label(1627.2684),
    ...  limit_label(1627.2684, 4),
    ...  limit_label(1234567.8, 4))
    ('−0.25', '1627.2684', '1627', '1234568')
    """
    if digits is None:
        text = repr(float(value)).removesuffix(".0")
    else:
        text = f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"
    return text.replace("-", "−")


def share_radius(share: float) -> float:
    """Of a condition with this share of the heaviest weight: areas are as the weights."""
    return 5 + 15 * math.sqrt(max(share, 0.0))


def _rules_text(count: int) -> str:
    return f"{count} rule" + ("" if count == 1 else "s")

"""The rule network of a class: conditions joined by the rules that they stand in together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from . import _svg as svg
from ._network import Edge, Node, network_chart

SIGNS = {">": ">", "<=": "≤", "=": "="}
LABEL = 130.0  # widest condition
HUES = {">": ("above", svg.PALETTE[0]), "<=": ("below", svg.ACCENT), "=": ("equal", svg.PALETTE[1])}


def rule_network(data: Mapping[str, Any], conditions: int = 12, edges: int = 24) -> str:
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
            condition(c, LABEL),
            f"{condition(c)}: weight {c['weight']:.1f}, {_rules_text(c['rules'])}",
            share_radius(c["weight"] / heaviest),
            hue=HUES[c["op"]][0],
            fill=HUES[c["op"]][1],
        )
        for c in shown
    ]
    drawn = [
        Edge(
            place[e["source"]],
            place[e["target"]],
            e["weight"] / most,
            f"{condition(shown[place[e['source']]])} and {condition(shown[place[e['target']]])}: "
            f"weight {e['weight']:.1f}, {_rules_text(e['rules'])}",
        )
        for e in lines
    ]
    return network_chart(nodes, drawn, f"Rule network of {data['label']}", "no rules")


def condition(node: Mapping[str, Any], width: float = math.inf) -> str:
    """A condition in one line; the feature's name is cut so that it is about `width` wide.

    Examples
    --------
    >>> condition({"feature": "a", "op": "<=", "value": -2.0})
    'a ≤ −2'
    """
    value = node["value"]
    digits = None if width == math.inf else 4
    said = svg.fit_text(value, width / 2) if isinstance(value, str) else limit(value, digits)
    tail = f" {SIGNS[node['op']]} {said}"
    return (
        svg.fit_text(node["feature"], max(width - svg.text_width(tail), 40.0)) or "(no name)"
    ) + tail


def limit(value: float, digits: int | None = None) -> str:
    """The number that a condition compares with, exactly or to so many digits.

    Examples
    --------
    >>> limit(-0.25), limit(1627.2684), limit(1627.2684, 4), limit(1234567.8, 4)
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

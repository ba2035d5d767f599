"""Rule networks: weights by a plain loop, filters, files with any names."""

from __future__ import annotations

import json
from importlib.util import find_spec
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import MissingExtraError, PlanError
from tamis.interactions import Rule, RuleNetwork

HOSTILE = ['a"<&>', "b,\nc", "d\x00", "é 基因"]


def random_rules(seed, n=12, names=HOSTILE):
    rng = np.random.default_rng(seed)
    rules = []
    for _ in range(n):
        chosen = rng.choice(len(names), rng.integers(1, len(names) + 1), replace=False)
        conditions = []
        for j in chosen:
            op = ("<=", ">", "=")[rng.integers(3)]
            value = int(rng.integers(2)) if op == "=" else float(rng.integers(5))
            conditions.append((names[j], op, value))
        support = int(rng.integers(1, 30))
        correct = int(rng.integers(1, support + 1))
        trees = int(rng.integers(0, 5))
        rules.append(Rule(tuple(conditions), "ill", support, correct, trees=trees))
    return rules


def node(condition):
    name, op, value = condition
    return (name, op, value if op == "=" else None)


def total(rules):
    """One rule of no tree is from elsewhere, and counts once."""
    return sum(max(1, r.trees) * r.support * r.accuracy for r in rules)


@given(seed=st.integers(0, 9999))
def test_weights_are_those_of_a_loop_over_rules(seed):
    rules = random_rules(seed)
    network = RuleNetwork.of("ill", 40, rules)
    nodes = [node(c) for c in network.conditions]
    assert len(set(nodes)) == len(nodes)
    assert set(nodes) == {node(c) for rule in rules for c in rule.conditions}
    for i, this in enumerate(nodes):
        mine = [rule for rule in rules if this in map(node, rule.conditions)]
        assert network.weight[i] == pytest.approx(total(mine))
        assert network.rules[i] == len(mine)
        if this[1] != "=":
            values = [c[2] for rule in mine for c in rule.conditions if node(c) == this]
            assert network.conditions[i][2] == np.median(values)
    found = {}
    for a, b, w, n in zip(
        network.source, network.target, network.edge_weight, network.edge_rules, strict=True
    ):
        assert a < b
        found[a, b] = (w, n)
    slow = {}
    for a in range(len(nodes)):
        for b in range(a + 1, len(nodes)):
            both = [r for r in rules if {nodes[a], nodes[b]} <= set(map(node, r.conditions))]
            if both:
                slow[a, b] = (pytest.approx(total(both)), len(both))
    assert found == slow
    assert (np.diff(network.weight) <= 0).all()
    assert (np.diff(network.edge_weight) <= 0).all()


@given(seed=st.integers(0, 99))
def test_the_order_of_the_rules_changes_nothing(seed):
    rules = random_rules(seed)
    forward, backward = (RuleNetwork.of("ill", 40, r).to_dict() for r in (rules, rules[::-1]))
    assert forward == backward


@given(
    seed=st.integers(0, 99),
    conditions=st.none() | st.integers(0, 9),
    edges=st.none() | st.integers(0, 9),
    least=st.none() | st.floats(0, 40),
)
def test_a_filtered_network_is_a_part_of_the_whole(seed, conditions, edges, least):
    network = RuleNetwork.of("ill", 40, random_rules(seed))
    part = network.filter(conditions, edges, least)
    kept = set(network.names[:conditions])
    whole = network.frame()
    whole = whole[whole["source"].isin(kept) & whole["target"].isin(kept)].head(edges)
    if least is not None:
        whole = whole[whole["weight"] >= least]
    pd.testing.assert_frame_equal(part.frame(), whole.reset_index(drop=True), check_dtype=False)
    assert part.nodes()["name"].tolist() == list(network.names[:conditions])


def test_a_wrong_filter_is_refused():
    with pytest.raises(PlanError, match="edges=-1"):
        RuleNetwork.of("ill", 40, random_rules(0)).filter(edges=-1)


def test_conditions_of_the_same_words_stay_apart():
    rules = [Rule((("a = b", "=", "c"), ("a", "=", "b = c")), "ill", 5, 5)]
    network = RuleNetwork.of("ill", 9, rules)
    assert sorted(network.names) == ["a = b = c", "a = b = c (2)"]
    assert len(network.frame()) == 1


def test_to_dict_is_json_and_cut_at_60_conditions_and_200_edges():
    names = [f"g{j}" for j in range(90)]
    network = RuleNetwork.of("ill", 40, random_rules(3, 60, names))
    found = json.loads(json.dumps(network.to_dict(), allow_nan=False))
    assert (len(found["nodes"]), len(found["edges"])) == (60, 200)
    assert set(found["nodes"][0]) == {
        "id",
        "text",
        "feature",
        "op",
        "value",
        "weight",
        "rules",
    }
    assert set(found["edges"][0]) == {"source", "target", "weight", "rules"}
    assert [n["id"] for n in found["nodes"]] == list(range(60))
    assert all(max(e["source"], e["target"]) < 60 for e in found["edges"])
    assert (found["label"], found["size"]) == ("ill", 40.0)


def test_graphml_is_undirected_and_holds_any_name(tmp_path):
    network = RuleNetwork.of("ill", 40, random_rules(1))
    network.to_graphml(tmp_path / "n.graphml")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = ElementTree.parse(tmp_path / "n.graphml").getroot()
    graph = root.find(f"{space}graph")
    assert graph.get("edgedefault") == "undirected"
    nodes = graph.findall(f"{space}node")
    texts = [n.find(f"{space}data[@key='node_name']").text for n in nodes]
    assert texts == [name.replace("\x00", "\ufffd") for name in network.names]
    assert len(graph.findall(f"{space}edge")) == len(network.edge_weight)


def test_csv_and_networkx(tmp_path):
    network = RuleNetwork.of("ill", 40, random_rules(1))
    network.to_csv(tmp_path / "n.csv")
    assert len(pd.read_csv(tmp_path / "n.csv")) == len(network.edge_weight)
    if find_spec("networkx") is None:
        with pytest.raises(MissingExtraError, match="networkx"):
            network.to_networkx()
        return
    found = network.to_networkx()
    assert list(found) == list(network.names)
    row = network.frame().iloc[0]
    assert found.edges[row["target"], row["source"]] == {
        "weight": row["weight"],
        "rules": row["rules"],
    }


def test_no_rules_make_an_empty_network():
    network = RuleNetwork.of("ill", 40, [])
    assert network.summary() == "ill: 0 conditions, 0 edges"
    assert len(network.frame()) == len(network.nodes()) == 0
    assert network.to_dict()["nodes"] == []

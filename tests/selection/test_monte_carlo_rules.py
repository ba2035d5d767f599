"""The selector's rules: what they find, that they change nothing else, and chance on null data."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from tamis.data import make_mcfs_toy
from tamis.interactions.rules.tree_rules import TreeRules
from tamis.selection import MonteCarloSelector, _monte_carlo_ranker
from tamis.selection._monte_carlo_rules import DEFAULT_PROJECTIONS, DEFAULT_SPLITS, grow_rules

pytestmark = pytest.mark.longer

QUICK = {"s": 100, "t": 2, "meetings": 20, "second_stage": 12, "random_state": 1}


@pytest.fixture(scope="module")
def toy():
    return make_mcfs_toy(n_noise=100)


@pytest.fixture(scope="module")
def found(toy):
    frame = pd.DataFrame(toy.X, columns=toy.feature_names)
    markers = ["A1", "A2", "B1", "B2", "C1", "C2"]
    selector = MonteCarloSelector(s=400, size=6, categorical_features=markers, random_state=3)
    rules = selector.fit(frame, toy.y).rules_
    return rules.named({toy.feature_names[j]: names for j, names in toy.levels.items()})


def noisy(seed=0, n=60, p=10, C=2):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % C)
    X = rng.normal(size=(n, p))
    X[:, 4] += 2.5 * (y == 0)
    return X, y


def test_rules_of_the_toy_use_the_features_of_their_class(found):
    assert (found.n_trees, found.classes) == (500, (("A", 40), ("B", 20), ("C", 10)))
    best = {label: [r for r in found.rules if r.label == label] for label in "ABC"}
    for name in ("A1", "A2"):
        assert any(r.conditions == ((name, "=", "A"),) for r in best["A"][:2])
    assert {r.text for r in best["B"] if r.accuracy == 1 and len(r.conditions) == 1} == {
        "B1 = B",
        "B2 = B",
    }
    for rule in best["A"][:2]:
        assert (rule.accuracy, rule.coverage, rule.test_accuracy) == (1, 1, 1)
    b1 = next(r for r in best["B"] if r.text == "B1 = B")
    assert (b1.support, b1.correct, b1.coverage) == (18, 18, 0.9)
    # C is what is neither A nor B: two objects of B are, too
    assert best["C"][0].accuracy == pytest.approx(10 / 12)
    assert {c[0][0] for c in best["C"][0].conditions} == {"A", "B"}


def test_the_network_of_each_class_holds_its_own_features(found):
    networks = found.networks()
    for label, own in {"A": {"A1", "A2"}, "B": {"B1", "B2"}, "C": {"C1", "C2"}}.items():
        conditions = networks[label].conditions
        assert any(feature in own and value == label for feature, _, value in conditions)
        assert networks[label].conditions[0][0][0] in "ABC"  # the heaviest is no noise
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_rule_list_uses_the_features_kept(found):
    assert {c[0] for r in found.rule_list for c in r.conditions} <= {
        "A1",
        "A2",
        "B1",
        "B2",
        "C1",
        "C2",
    }
    assert found.rule_list[-1].label == "A"
    assert sum(r.correct for r in found.rule_list) >= 66


def test_rules_change_nothing_else(toy, monkeypatch):
    def learned():
        selector = MonteCarloSelector(n_permutations=19, **QUICK).fit(toy.X[:, 80:], toy.y)
        graph = selector.graph_
        arrays = (selector.scores_, selector.p_values_, graph.weight, graph.se, graph.met)
        return b"".join(a.tobytes() for a in arrays), selector.rules_

    with_rules, rules = learned()
    assert len(rules.rules) > 3
    monkeypatch.setattr(_monte_carlo_ranker, "find_rules", lambda *given: None)
    assert learned() == (with_rules, None)


def test_seed_and_threads():
    X, y = noisy()
    one, again, threads, other = (
        MonteCarloSelector(size=3, **{**QUICK, **more}).fit(X, y).rules_.to_dict()
        for more in ({}, {}, {"n_jobs": 2}, {"random_state": 2})
    )
    assert one == again == threads
    assert one != other


def test_where_there_are_no_rules():
    X, y = noisy()
    assert MonteCarloSelector(size=3, interactions=False, **QUICK).fit(X, y).rules_ is None
    assert MonteCarloSelector(size=1, **QUICK).fit(X[:, :1], y).rules_ is None
    weights = np.r_[1, np.zeros(9)]
    assert MonteCarloSelector(size=1, feature_weights=weights, **QUICK).fit(X, y).rules_ is None


def test_rules_without_a_second_stage_and_without_a_kept_feature():
    X, y = noisy()
    rules = MonteCarloSelector(size=3, **{**QUICK, "second_stage": 0}).fit(X, y).rules_
    assert rules.rules[0].conditions[0][0] == "x4"
    rng = np.random.default_rng(5)
    selector = MonteCarloSelector(**QUICK).fit(rng.normal(size=(40, 8)), np.arange(40) % 2)
    assert not selector.support_.any()
    assert selector.rules_.rule_list[-1].conditions == ()


@pytest.mark.parametrize("names", [[0, 1, 2], ["b", "a", "ü <&>"], [True, False], [2.0, -1.0]])
def test_labels_of_every_kind(names):
    X, y = noisy(C=len(names), n=90)
    labels = np.array(names)[y]
    rules = MonteCarloSelector(size=3, **QUICK).fit(X, labels).rules_
    assert [label for label, _ in rules.classes] == sorted(names)
    assert rules.rules[0].label in names
    assert type(rules.rules[0].label) is type(names[0])
    read = json.loads(json.dumps(rules.to_dict(), allow_nan=False))
    assert {row["label"] for row in read["rules"]} <= {str(name) for name in names}


def test_holes_categories_and_a_class_of_two():
    rng = np.random.default_rng(2)
    X, y = noisy(n=80)
    X[:, 7] = rng.integers(3, 7, 80)  # codes that do not begin at 0
    X[:, 4] = np.where(y == 0, 6, X[:, 7])
    X[rng.random(X.shape) < 0.15] = np.nan
    X[:, 9] = np.nan
    y[:2] = 2
    selector = MonteCarloSelector(size=3, categorical_features=[4, 7, 9], **QUICK).fit(X, y)
    rules = selector.rules_
    assert rules.classes[2] == (2, 2)
    for rule in rules.rules:
        met = np.ones(80, dtype=bool)
        for name, op, value in rule.conditions:
            column = X[:, int(name[1:])]
            assert op == "=" or name not in ("x4", "x7")
            met &= (
                column == value if op == "=" else column <= value if op == "<=" else column > value
            )
        assert (rule.support, rule.correct) == (met.sum(), (y[met] == rule.label).sum())
        assert met.tolist() == rule.meets({f"x{j}": X[:, j] for j in range(10)}).tolist()
    assert any(("x4", "=", 6) in rule.conditions for rule in rules.rules)


def test_trees_train_as_those_of_the_ranking_and_their_counts_add_up(monkeypatch):
    """Every tree: its test set has the right sizes, its features are half; counts re-done."""
    X, y = noisy(n=60, p=9, C=3)
    sizes = np.array([13, 10, 5])
    seen, add = [], TreeRules.add

    def record(self, tree, n_nodes, levels, test):
        copy = type(tree)(*(part[:n_nodes].copy() for part in tree))
        seen.append((copy, test.copy()))
        add(self, tree, n_nodes, levels, test)

    monkeypatch.setattr(TreeRules, "add", record)
    levels = np.zeros(9, dtype=np.int64)
    found = grow_rules(X, levels, y, sizes, np.random.SeedSequence(3))
    assert len(seen) == found.n_trees == DEFAULT_PROJECTIONS * DEFAULT_SPLITS
    for first in range(0, len(seen), DEFAULT_SPLITS):
        used = {
            int(j)
            for tree, _ in seen[first : first + DEFAULT_SPLITS]
            for j in tree.feature
            if j >= 0
        }
        assert len(used) <= 4
    right = 0
    for tree, test in seen:
        assert (np.bincount(y) - np.bincount(y[test])).tolist() == sizes.tolist()
        assert tree.counts[0].tolist() == sizes.tolist()
        for i in test:
            v = 0
            while tree.n_children[v]:
                v = tree.first_child[v] + int(X[i, tree.feature[v]] > tree.threshold[v])
            right += len(tree.feature) > 1 and tree.counts[v].argmax() == y[i]
    assert sum(this.test_correct for this in found.seen.values()) == right
    parts = {test.tobytes() for _, test in seen}
    assert len(parts) > 0.98 * len(seen)


def test_without_effect_the_test_accuracy_is_the_share_of_the_class():
    """All patterns of the forest: those that are listed were chosen, and do better by chance."""
    gaps = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(80, 12)), rng.permutation(np.arange(80) % 4 > 0).astype(np.int64)
        found = grow_rules(
            X, np.zeros(12, dtype=np.int64), y, np.array([13, 39]), np.random.SeedSequence(seed)
        )
        for c, size in enumerate((7, 21)):  # of the test set
            mine = [this for (_, label), this in found.seen.items() if label == c]
            support = sum(this.test_support for this in mine)
            if support > 50:
                correct = sum(this.test_correct for this in mine)
                gaps.append(correct / support - size / 28)
    assert len(gaps) >= 20
    assert abs(np.mean(gaps)) < 0.03

"""Rules out of many trees: merged, counted and sifted as a slow loop would."""

from __future__ import annotations

import random
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from common.examples import settings
from tamis.interactions.rules import tree_rules
from tamis.interactions.rules.tree_rules import TreeRules
from tamis.kernels import c45


def grown(seed, n=70, p=5, C=3, trees=12):
    """Copies of trees on parts of a table with ties, holes and a column of categories."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n, p)).astype(float)
    X[:, 2] = rng.integers(0, 3, n)
    y = (X[:, 0] > 4).astype(np.int64) + (X[:, 2] == 1) * (C > 2)
    y = np.where(rng.random(n) < 0.15, rng.integers(0, C, n), y)
    X[rng.random((n, p)) < 0.1] = np.nan
    levels = np.array([0, 0, 3, 0, 0][:p])
    table = c45.prepare_table(X, levels)
    work = c45.make_workspace(table, C, p)
    options = c45.make_options(raising=False, max_depth=4)
    grown_ = []
    for _ in range(trees):
        rows = rng.permutation(n)
        train, test = rows[: n * 2 // 3], rows[n * 2 // 3 :]
        features = rng.permutation(p)[:3]
        n_nodes = c45.build_tree(table, y, train, np.ones(n), features, options, work)
        tree = type(work.tree)(*(part[:n_nodes].copy() for part in work.tree))
        grown_.append((tree, n_nodes, levels, test))
    return X, y, C, grown_


def collected(X, y, trees):
    found = TreeRules(X, y)
    for tree in trees:
        found.add(*tree)
    return found


def listed(found, C, p=5):
    names = [f"g{j}" for j in range(p)]
    return found.rules(names, {2: ["a", "b", "c"]}, ["x", "y", "z"][:C])


def slow_leaves(tree, n_nodes, levels):
    """Path and class of each leaf, from the leaf up."""
    for v in range(1, n_nodes):
        if tree.n_children[v] > 0 or tree.counts[v].sum() < 1e-6:
            continue
        path, at = [], v
        while tree.parent[at] >= 0:
            up = tree.parent[at]
            j, branch = int(tree.feature[up]), int(tree.level[at])
            if levels[j]:
                path.append((f"g{j}", "=", "abc"[branch]))
            else:
                path.append((f"g{j}", ("<=", ">")[branch], float(tree.threshold[up])))
            at = up
        largest = tree.counts[v].max()
        label = next(c for c in range(tree.counts.shape[1]) if tree.counts[v, c] > largest - 1e-6)
        yield path, label


def meets(row, conditions):
    for name, op, value in conditions:
        v = row[int(name[1:])]
        if np.isnan(v):
            return False
        if op == "=" and "abc"[int(v)] != value:
            return False
        if op != "=" and (v <= value) != (op == "<="):
            return False
    return True


def slow_patterns(X, y, trees):
    """Pattern and class: limits, trees, and test samples that reach its leaves."""
    found = defaultdict(lambda: {"limits": [], "trees": set(), "support": 0, "correct": 0})
    for number, (tree, n_nodes, levels, test) in enumerate(trees):
        for path, label in slow_leaves(tree, n_nodes, levels):
            tightest = {}
            for name, op, value in path:
                if op == "=":
                    tightest[name, op, value] = value
                else:
                    best = min if op == "<=" else max
                    key = (name, op, None)
                    tightest[key] = best(value, tightest.get(key, value))
            this = found[frozenset(tightest), label]
            this["limits"].append(tightest)
            this["trees"].add(number)
            reached = [i for i in test if meets(X[i], path)]
            this["support"] += len(reached)
            this["correct"] += sum(y[i] == label for i in reached)
    return found


def pattern_of(rule):
    return frozenset((n, op, v if op == "=" else None) for n, op, v in rule.conditions)


@settings(max_examples=25)
@given(seed=st.integers(0, 9999), C=st.integers(2, 3))
def test_every_rule_is_counted_as_by_a_loop(seed, C):
    X, y, C, trees = grown(seed, C=C)
    slow = slow_patterns(X, y, trees)
    for rule in listed(collected(X, y, trees), C):
        label = "xyz".index(rule.label)
        this = slow[pattern_of(rule), label]
        assert rule.trees == len(this["trees"])
        assert (rule.test_support, rule.test_correct) == (this["support"], this["correct"])
        for name, op, value in rule.conditions:
            if op != "=":
                median = np.median([limits[name, op, None] for limits in this["limits"]])
                column = X[:, int(name[1:])]
                np.testing.assert_array_equal(column <= value, column <= median)
                assert value == float(f"{value:.6g}")  # and says so in a few digits
        met = [i for i in range(len(y)) if meets(X[i], rule.conditions)]
        assert rule.support == len(met)
        assert rule.correct == sum(y[i] == label for i in met)
        assert (rule.total, rule.of_class) == (len(y), (y == label).sum())
        assert [name for name, _, _ in rule.conditions] == sorted(n for n, _, _ in rule.conditions)


@settings(max_examples=15)
@given(seed=st.integers(0, 9999))
def test_what_is_left_out_is_redundant_or_has_an_idle_condition(seed):
    X, y, C, trees = grown(seed)
    kept = {(pattern_of(rule), rule.label): rule for rule in listed(collected(X, y, trees), C)}
    slow = slow_patterns(X, y, trees)
    often = {key for key, this in slow.items() if len(this["trees"]) > 1}
    everything = often if len(often) >= tree_rules.MIN_SHARED_RULES else set(slow)
    counted = {}
    for pattern, c in everything:
        limits = slow[pattern, c]["limits"]
        conditions = [
            (n, op, v if op == "=" else np.median([one[n, op, v] for one in limits]))
            for n, op, v in pattern
        ]
        met = np.array([meets(row, conditions) for row in X])
        if met.any():
            counted[pattern, c] = ((y[met] == c).mean(), conditions, met)
    expected = set()
    for (pattern, c), (accuracy, conditions, met) in counted.items():
        redundant = any(
            label == c and part < pattern and other[0] >= accuracy
            for (part, label), other in counted.items()
        )
        p_values = []
        for k in range(len(conditions)):
            rest = conditions[:k] + conditions[k + 1 :]
            wider = np.array([meets(row, rest) for row in X])
            out, hit = wider & ~met, y == c
            four = [
                [(met & hit).sum(), (met & ~hit).sum()],
                [(out & hit).sum(), (out & ~hit).sum()],
            ]
            p_values.append(fisher_exact(four, "greater")[1])
        if not redundant and max(p_values) <= tree_rules.CONDITION_LEVEL:
            expected.add((pattern, "xyz"[c]))
    assert set(kept) == expected


@settings(max_examples=15)
@given(seed=st.integers(0, 9999))
def test_the_order_of_the_trees_changes_nothing(seed):
    X, y, C, trees = grown(seed)
    first = [rule.to_dict() for rule in listed(collected(X, y, trees), C)]
    random.Random(seed).shuffle(trees)
    assert [rule.to_dict() for rule in listed(collected(X, y, trees), C)] == first


def test_best_first():
    X, y, C, trees = grown(3, trees=60)
    rules = listed(collected(X, y, trees), C)
    worth = [rule.trees * rule.coverage * rule.accuracy for rule in rules]
    assert len(rules) > 2
    assert worth == sorted(worth, reverse=True)


def test_memory_is_bounded(monkeypatch):
    X, y, C, trees = grown(4, trees=30)
    whole = collected(X, y, trees)
    monkeypatch.setattr(tree_rules, "MOST_LEAVES", 3)
    few = collected(X, y, trees)
    assert len(few.seen) < len(whole.seen)
    leaves = sum(this.trees for this in few.seen.values())
    assert leaves <= 3 * 30
    monkeypatch.setattr(tree_rules, "MOST_PATTERNS", 4)
    assert len(listed(few, C)) <= 4


def test_patterns_of_most_trees_are_counted(monkeypatch):
    X, y, C, trees = grown(3, trees=60)
    found = collected(X, y, trees)
    worth = sorted(((this.trees, this.test_correct) for this in found.seen.values()), reverse=True)
    whole = listed(found, C)
    for most in (1, 3, 5):
        monkeypatch.setattr(tree_rules, "MOST_PATTERNS", most)
        rules = listed(found, C)
        assert 1 <= len(rules) <= most
        assert min((rule.trees, rule.test_correct) for rule in rules) >= worth[most - 1]
    assert min((rule.trees, rule.test_correct) for rule in whole) < worth[4]


def test_a_tree_without_a_split_says_nothing():
    X, y = np.zeros((9, 2)), np.r_[np.zeros(5, int), np.ones(4, int)]
    levels = np.zeros(2, dtype=np.int64)
    table = c45.prepare_table(X, levels)
    work = c45.make_workspace(table, 2, 2)
    rows = np.arange(9)
    n_nodes = c45.build_tree(table, y, rows, np.ones(9), np.arange(2), c45.make_options(), work)
    found = TreeRules(X, y)
    found.add(work.tree, n_nodes, levels, rows)
    assert (n_nodes, found.n_trees, found.rules(["a", "b"], {}, [0, 1])) == (1, 1, [])


def test_labels_and_names_of_any_kind():
    X, y, _, trees = grown(3, trees=60)
    found = collected(X, y, trees)
    names = ["é 基因", 'a"<&>', "c\n", "", "x AND y > 1"]
    rules = found.rules(names, {2: [10, 20, 30]}, [3, -1, 7])
    assert {rule.label for rule in rules} <= {3, -1, 7}
    assert {c[0] for rule in rules for c in rule.conditions} <= set(names)
    assert {c[2] for rule in rules for c in rule.conditions if c[1] == "="} <= {10, 20, 30}
    assert len(rules) == len(listed(found, 3)) > 2
    assert rules[0].accuracy == pytest.approx(listed(found, 3)[0].accuracy)

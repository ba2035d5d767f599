"""Trees of random forests against a plain reference, to the bit, and against scikit-learn's."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from common.examples import settings
from tamis.interactions.sets.weighted_forest import (
    ForestSettings,
    SortedTable,
    fit_forest,
    offered_by_weight,
)
from tamis.kernels.random_forest import grow_trees

ALL = 2**64 - 1


class Stream:
    """SplitMix64, and whole numbers below a bound by Lemire's method."""

    def __init__(self, key):
        self.state = int(key)

    def below(self, bound):
        while True:
            self.state = (self.state + 0x9E3779B97F4A7C15) & ALL
            z = self.state
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & ALL
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB & ALL
            product = ((z ^ (z >> 31)) >> 32) * bound
            if (product & 0xFFFFFFFF) >= (2**32 - bound) % bound:
                return product >> 32


def cuts_of(x, y, n_classes):
    """Every split of samples with these values: score, cut, missing to the first, more there."""
    known = np.unique(x[~np.isnan(x)]).astype(float)
    some = bool(np.isnan(x).any())
    for to_first in (False, True)[: 1 + some]:
        cuts = [a / 2 + b / 2 for a, b in pairwise(known)]
        for cut in cuts + [np.inf] * (some and not to_first and len(known) > 0):
            first = np.where(np.isnan(x), to_first, x <= cut)
            sides = [np.bincount(y[side], minlength=n_classes) for side in (first, ~first)]
            score = sum(float((n.astype(float) ** 2).sum()) / float(n.sum()) for n in sides)
            yield score, cut, to_first if some else bool(first.sum() > (~first).sum())


def slow_tree(X, y, n_classes, rows, bootstrap, offered, n_tried, key):
    """Nodes as the kernel numbers them: feature, threshold, child, missing, counts."""
    stream, columns = Stream(key), list(offered)
    seen = np.array([rows[stream.below(len(rows))] for _ in rows] if bootstrap else rows)
    nodes, waiting = [[-1, None, None, None, seen]], [0]
    while waiting:
        v = waiting.pop()
        inside = nodes[v][4]
        best, n_drawn = (-1.0, -1, None, None), 0
        if len(set(y[inside])) < 2:
            continue
        while n_drawn < len(columns) and (n_drawn < n_tried or best[1] < 0):
            i = n_drawn + stream.below(len(columns) - n_drawn)
            columns[i], columns[n_drawn] = columns[n_drawn], columns[i]
            j = columns[n_drawn]
            n_drawn += 1
            for score, cut, to_first in cuts_of(X[inside, j], y[inside], n_classes):
                if score > best[0]:
                    best = (score, j, cut, to_first)
        _, j, cut, to_first = best
        if j < 0:
            continue
        x = X[inside, j]
        first = np.where(np.isnan(x), to_first, x <= cut)
        nodes[v][:4] = j, cut, len(nodes), to_first
        waiting += [len(nodes), len(nodes) + 1]
        nodes += [[-1, None, None, None, inside[side]] for side in (first, ~first)]
    return [(*one, np.bincount(y[s], minlength=n_classes).tolist()) for *one, s in nodes]


def grown(X, y, n_classes, rows, bootstrap, offered, n_tried, keys):
    """The kernel's trees as lists of nodes."""
    table = SortedTable.of(X, y)
    n_nodes, nodes = grow_trees(
        table.values,
        table.order,
        table.codes,
        n_classes,
        np.asarray(rows),
        bootstrap,
        np.asarray(offered),
        n_tried,
        np.asarray(keys, dtype=np.uint64),
    )
    out, first = [], 0
    for n in n_nodes:
        tree = [
            (int(j), float(cut), int(child), bool(to_first), counts.tolist())
            if j >= 0
            else (-1, None, None, None, counts.tolist())
            for j, cut, child, to_first, counts in zip(
                *(one[first : first + n] for one in nodes), strict=True
            )
        ]
        out.append(tree)
        first += n
    assert first == len(nodes[0])
    return out


@st.composite
def tables(draw):
    n, p = draw(st.sampled_from([2, 9, 30, 400])), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    X = rng.normal(size=(n, p)).astype(np.float32)
    if draw(st.booleans()):
        X = np.round(X)
    X[rng.random((n, p)) < draw(st.sampled_from([0, 0, 0.2, 0.9]))] = np.nan
    n_classes = draw(st.integers(2, 4))
    rows = rng.integers(0, n, draw(st.integers(1, 12)) if n > 30 else n)
    offered = np.sort(rng.integers(0, p, draw(st.integers(1, 9))))
    return X, rng.integers(0, n_classes, n), n_classes, rows, offered


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 9), st.booleans(), st.integers(0, ALL))
def test_trees_equal_the_reference(table, n_tried, bootstrap, key):
    """Small nodes sort their rows, large ones walk: both are here, and copies of columns."""
    X, y, n_classes, rows, offered = table
    keys = [key, 3, 4]
    found = grown(X, y, n_classes, rows, bootstrap, offered, n_tried, keys)
    for tree, one in zip(found, keys, strict=True):
        assert tree == slow_tree(X, y, n_classes, rows, bootstrap, offered, n_tried, one)
    assert grown(X, y, n_classes, rows, bootstrap, offered, n_tried, keys[1:]) == found[1:]


def compared(tree, other, X, y, n_classes):
    """How many nodes a tree shares with one of scikit-learn's, down to ties between splits."""
    waiting, shared = [(0, 0, np.arange(len(X)))], 0
    while waiting:
        v, w, inside = waiting.pop()
        j, cut, child, to_first, counts = tree[v]
        assert np.rint(other.value[w, 0] * other.weighted_n_node_samples[w]).tolist() == counts
        if j < 0:
            assert other.children_left[w] < 0
            continue
        split = other.feature[w], other.threshold[w]
        if split != (j, cut) or bool(other.missing_go_to_left[w]) != to_first:
            scores = [
                [s for s, c, m in cuts_of(X[inside, k], y[inside], n_classes) if (c, m) == (at, to)]
                for k, at, to in ((j, cut, to_first), (*split, bool(other.missing_go_to_left[w])))
            ]
            assert scores[0] == pytest.approx(scores[1], rel=1e-12), "no tie"
            continue
        shared += 1
        first = np.where(np.isnan(X[inside, j]), to_first, X[inside, j] <= cut)
        waiting.append((child, other.children_left[w], inside[first]))
        waiting.append((child + 1, other.children_right[w], inside[~first]))
    return shared


@pytest.mark.parametrize(
    ("p", "n_classes", "holes"), [(1, 2, 0), (1, 3, 0.1), (4, 2, 0), (4, 3, 0.1)]
)
def test_where_all_is_tried_trees_are_those_of_scikit_learn(p, n_classes, holes):
    shared, split = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(80, p)).astype(np.float32)
        X[rng.random(X.shape) < holes] = np.nan
        y = rng.integers(0, n_classes, 80)
        (tree,) = grown(X, y, n_classes, np.arange(80), False, np.arange(p), p, [seed])
        other = DecisionTreeClassifier(random_state=seed).fit(X, y).tree_
        shared += compared(tree, other, X, y, n_classes)
        split += sum(node[0] >= 0 for node in tree)
    assert shared > (0.9 if p == 1 else 0.3) * split  # most small nodes have ties


@pytest.mark.longer
@pytest.mark.parametrize("seed", [0, 1])
def test_a_forest_by_weight_is_that_of_a_table_with_copies(seed):
    """In distribution: importances, size of trees and votes, next to two of scikit-learn's."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 12)).astype(np.float32)
    y = ((X[:, 0] > 0) & (X[:, 1] < 0.3) ^ (rng.random(120) < 0.1)).astype(np.int64)
    new = rng.normal(size=(50, 12)).astype(np.float32)
    weights = rng.dirichlet(np.full(12, 0.5)) if seed else np.full(12, 1 / 12)
    columns = offered_by_weight(weights, np.random.default_rng(0))
    n, out = 400, []
    for state in (0, 1):
        forest = RandomForestClassifier(n, max_features=3, random_state=state).fit(X[:, columns], y)
        found = np.bincount(columns, forest.feature_importances_, minlength=12)
        size = np.mean([tree.tree_.node_count for tree in forest.estimators_])
        out.append((found, size, forest.predict_proba(new[:, columns])[:, 1]))
    own = fit_forest(
        SortedTable.of(X, y), np.arange(120), weights, ForestSettings(n, 3, 1, seed), "test"
    )
    mine = own.importances(12), len(own.feature) / n, own.shares(new)[:, 1]
    for what, tolerance in ((0, 0.02), (1, 1.0), (2, 0.1)):
        np.testing.assert_allclose(mine[what], out[0][what], atol=tolerance)
        np.testing.assert_allclose(mine[what], out[1][what], atol=tolerance)


def test_importances_and_votes_equal_a_walk_over_the_nodes():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 6)).astype(np.float32)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 90)
    forest = fit_forest(
        SortedTable.of(X, y), np.arange(90), np.full(6, 1 / 6), ForestSettings(9, 2, 1, 0), "test"
    )
    found = np.zeros(6)
    votes = np.zeros((90, 3))

    def impure(v):
        n = forest.counts[v].sum()
        return n - (forest.counts[v] ** 2).sum() / n

    for root, end in pairwise(forest.starts):
        of_tree = np.zeros(6)
        for v in range(root, end):
            if forest.feature[v] >= 0:
                child = forest.child[v]
                of_tree[forest.feature[v]] += impure(v) - impure(child) - impure(child + 1)
        found += of_tree / of_tree.sum()
        for i, row in enumerate(X):
            v = root
            while forest.feature[v] >= 0:
                x = row[forest.feature[v]]
                first = forest.missing_first[v] if np.isnan(x) else x <= forest.threshold[v]
                v = forest.child[v] + (not first)
            votes[i] += forest.counts[v] / forest.counts[v].sum() / 9
    np.testing.assert_allclose(forest.importances(6), found / 9, rtol=1e-9)
    np.testing.assert_allclose(forest.shares(X), votes, rtol=1e-9)

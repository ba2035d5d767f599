"""C4.5 against a plain recursion, worked examples of Quinlan's book, and its own invariances."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.kernels.c45 import grow, options, predict_columns, prepare, workspace
from tamis.kernels.c45_prune import extra_errors

NEAR = 1e-6


# The reference: nodes are dictionaries, rows lists of (row, weight).


def entropy(weights):
    """Bits times the total weight."""
    total = sum(weights)
    return sum(w * math.log2(total / w) for w in weights if w > NEAR)


def class_weights(rows, y, n_classes):
    return [sum(w for i, w in rows if y[i] == c) for c in range(n_classes)]


def weight_of(rows):
    return sum(w for _, w in rows)


class Reference:
    def __init__(self, X, y, n_classes, levels, features, opts):
        self.X, self.y, self.C, self.levels = X, y, n_classes, levels
        self.features, self.opts = features, opts

    def counts(self, rows):
        return class_weights(rows, self.y, self.C)

    def fit(self, rows):
        self.all_rows = rows
        root = self.build(rows, 0)
        if self.opts.collapse:
            self.collapse(root)
        if self.opts.prune:
            self.prune(root, rows)
        return root

    def leaf(self, rows):
        return {"counts": self.counts(rows), "children": []}

    def build(self, rows, depth):
        node = self.leaf(rows)
        counts, total, o = node["counts"], weight_of(rows), self.opts
        if total < 2 * o.min_leaf - NEAR or total - max(counts) < NEAR:
            return node
        if o.max_depth and depth == o.max_depth:
            return node
        split = self.best_split(rows)
        if split is None:
            return node
        node |= split
        node["children"] = [self.build(part, depth + 1) for part in self.part(node, rows)]
        return node

    def best_split(self, rows):
        splits = [self.split_on(j, rows) for j in self.features]
        limit = 0.3 * weight_of(self.all_rows)
        few = [self.levels[j] == 0 or self.levels[j] < limit - NEAR for j in self.features]
        counted = [s for s, ok in zip(splits, few, strict=True) if s and (ok or not any(few))]
        if not counted:
            return None
        mean = sum(s["gain"] for s in counted) / len(counted)
        best = None
        for s in splits:
            enough = s is not None and s["gain"] >= mean - 1e-3
            if enough and s["ratio"] > (best["ratio"] if best else 0.0) + NEAR:
                best = s
        return best

    def split_on(self, j, rows):
        known = [(i, w) for i, w in rows if not np.isnan(self.X[i, j])]
        total, weight = weight_of(rows), weight_of(known)
        before = entropy(self.counts(known))
        if self.levels[j]:
            parts = [[(i, w) for i, w in known if self.X[i, j] == v] for v in range(self.levels[j])]
            if sum(weight_of(part) > self.opts.min_leaf - NEAR for part in parts) < 2:
                return None
            found = {"feature": j, "threshold": None}
            gain = (before - sum(entropy(self.counts(part)) for part in parts)) / total
        else:
            known.sort(key=lambda pair: self.X[pair[0], j])
            least = 0.1 * weight / self.C
            least = self.opts.min_leaf if least < self.opts.min_leaf + NEAR else min(least, 25)
            gain, cuts, at = 0.0, 0, None
            for k in range(1, len(known)):
                low, high = self.X[known[k - 1][0], j], self.X[known[k][0], j]
                left, right = known[:k], known[k:]
                if not low + 1e-5 < high or min(weight_of(left), weight_of(right)) < least - NEAR:
                    continue
                cuts += 1
                after = entropy(self.counts(left)) + entropy(self.counts(right))
                if (before - after) / total > gain + NEAR:
                    gain, at = (before - after) / total, k
            if at is None:
                return None
            gain -= math.log2(cuts) / total
            if gain < NEAR:
                return None
            parts = [known[:at], known[at:]]
            middle = (self.X[known[at - 1][0], j] + self.X[known[at][0], j]) / 2
            here = [self.X[i, j] for i, _ in self.all_rows if self.X[i, j] < middle + NEAR]
            found = {"feature": j, "threshold": max(here)}
        info = entropy([weight_of(part) for part in parts] + [total - weight]) / total
        return found | {"gain": gain, "ratio": gain / info if info > NEAR else 0.0}

    def part(self, node, rows):
        """The rows of each child, those without a value in all of them."""
        j = node["feature"]
        if self.levels[j]:
            tests = [lambda x, v=v: x == v for v in range(self.levels[j])]
        else:
            tests = [lambda x: x <= node["threshold"], lambda x: x > node["threshold"]]
        known = [[(i, w) for i, w in rows if test(self.X[i, j])] for test in tests]
        missing = [(i, w) for i, w in rows if np.isnan(self.X[i, j])]
        total, parts = sum(map(weight_of, known)), []
        for part in known:
            share = weight_of(part) / total if total > NEAR else 1 / len(tests)
            parts.append(part + [(i, w * share) for i, w in missing if share > NEAR])
        return parts

    def leaves(self, node):
        return [x for c in node["children"] for x in self.leaves(c)] if node["children"] else [node]

    def collapse(self, node):
        if not node["children"]:
            return
        below = sum(sum(leaf["counts"]) - max(leaf["counts"]) for leaf in self.leaves(node))
        if below >= sum(node["counts"]) - max(node["counts"]) - 1e-3:
            self.cut(node)
        for child in node["children"]:
            self.collapse(child)

    def cut(self, node):
        counts = node["counts"]
        node.clear()
        node.update(counts=counts, children=[])

    def errors(self, counts):
        n, e = sum(counts), sum(counts) - max(counts)
        return 0.0 if n < NEAR else e + self.more(n, e if e > 1e-12 else 0.0)

    def more(self, n, e):
        cf = self.opts.confidence
        if e < 1:
            base = n * (1 - cf ** (1 / n))
            return base if e == 0 else base + e * (self.more(n, 1) - base)
        if e + 0.5 >= n:
            return max(n - e, 0)
        z, f = NormalDist().inv_cdf(1 - cf), (e + 0.5) / n
        root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
        return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e

    def branch_errors(self, node, rows):
        if not node["children"]:
            return self.errors(self.counts(rows))
        parts = self.part(node, rows)
        return sum(map(self.branch_errors, node["children"], parts))

    def refill(self, node, rows):
        node["counts"] = self.counts(rows)
        if node["children"]:
            for child, part in zip(node["children"], self.part(node, rows), strict=True):
                self.refill(child, part)

    def prune(self, node, rows):
        if not node["children"]:
            return
        parts = self.part(node, rows)
        for child, part in zip(node["children"], parts, strict=True):
            self.prune(child, part)
        heaviest, most = None, 0.0
        for child in node["children"]:
            if sum(child["counts"]) > most - NEAR:
                heaviest, most = child, sum(child["counts"])
        leaf = self.errors(node["counts"])
        tree = sum(self.errors(x["counts"]) for x in self.leaves(node))
        branch = self.branch_errors(heaviest, rows) if self.opts.raising else math.inf
        if leaf < tree + 0.1 + NEAR and leaf < branch + 0.1 + NEAR:
            self.cut(node)
        elif branch < tree + 0.1 + NEAR:
            node.clear()
            node.update(heaviest)
            self.refill(node, rows)
            self.prune(node, rows)

    def distribution(self, node, x, laplace, above=None):
        counts = node["counts"]
        if not node["children"]:
            counts = counts if sum(counts) > NEAR else above
            return np.array([(n + laplace) / (sum(counts) + laplace * self.C) for n in counts])
        j = node["feature"]
        if np.isnan(x[j]):
            kids = [c for c in node["children"] if sum(c["counts"]) > NEAR]
            return sum(
                sum(c["counts"]) / sum(counts) * self.distribution(c, x, laplace, counts)
                for c in kids
            )
        b = int(x[j]) if self.levels[j] else int(x[j] > node["threshold"])
        return self.distribution(node["children"][b], x, laplace, counts)


# The kernel's tree in the same form.


def node_of(tree, v=0):
    node = {"counts": tree.counts[v].tolist(), "children": []}
    assert tree.weight[v] == pytest.approx(sum(node["counts"]))
    if tree.n_children[v]:
        node["feature"] = int(tree.feature[v])
        node["threshold"] = None if np.isnan(tree.threshold[v]) else float(tree.threshold[v])
        node["ratio"] = float(tree.gain_ratio[v])
        for b in range(tree.n_children[v]):
            child = tree.first_child[v] + b
            assert tree.parent[child] == v < child
            assert tree.depth[child] == tree.depth[v] + 1
            assert tree.level[child] == b
            node["children"].append(node_of(tree, child))
    else:
        assert tree.feature[v] == -1
    return node


def size_of(node):
    return 1 + sum(map(size_of, node["children"]))


def same(a, b, rename=None):
    """Structure and features exactly, weights to rounding."""
    assert len(a["children"]) == len(b["children"])
    np.testing.assert_allclose(a["counts"], b["counts"], rtol=1e-9, atol=1e-9)
    if a["children"]:
        assert a["feature"] == (b["feature"] if rename is None else rename[b["feature"]])
        assert a["threshold"] == b["threshold"]
        assert a["ratio"] == pytest.approx(b["ratio"], rel=1e-9, abs=1e-12)
        for left, right in zip(a["children"], b["children"], strict=True):
            same(left, right, rename)


def fit(X, y, levels, rows=None, weights=None, features=None, opts=None, n_classes=None, work=None):
    """The kernel's tree, as nodes and as arrays."""
    opts = options() if opts is None else opts
    table = prepare(X, levels)
    n, p = X.shape
    n_classes = int(y.max()) + 1 if n_classes is None else n_classes
    rows = np.arange(n) if rows is None else rows
    weights = np.ones(n) if weights is None else weights
    features = np.arange(p) if features is None else features
    work = workspace(table, n_classes, len(features)) if work is None else work
    n_nodes = grow(table, y, n_classes, rows, weights, features, opts, work)
    while n_nodes < 0:
        work = workspace(table, n_classes, len(features), 2 * len(work.tree.feature))
        n_nodes = grow(table, y, n_classes, rows, weights, features, opts, work)
    node = node_of(work.tree)
    assert size_of(node) == n_nodes
    return node, work.tree, table


@st.composite
def problems(draw, holes=True, weighted=True, nominal=True, most_rows=40):
    """Small tables with ties, categories, missing values and weights; options."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p, C = draw(st.integers(2, most_rows)), draw(st.integers(1, 5)), draw(st.integers(2, 4))
    y = rng.integers(0, C, n)
    levels = rng.choice([0, 2, 3, 5], p) if nominal else np.zeros(p, dtype=int)
    grain = rng.choice([1, 4, 1000], p)
    X = np.empty((n, p))
    for j in range(p):
        signal = y * rng.choice([0, 1, 1]) + 2 * rng.random(n)
        whole = np.minimum(signal * rng.choice([0.8, 2]), max(levels[j] - 1, 0))
        X[:, j] = np.floor(whole) if levels[j] else np.round(signal * grain[j]) / grain[j]
    if holes and draw(st.booleans()):
        X[rng.random((n, p)) < rng.choice([0.05, 0.3])] = np.nan
    weights = np.ones(n)
    if weighted and draw(st.booleans()):
        weights = rng.choice([0.25, 1.0, 1.5, 3.0], n)
    opts = options(
        prune=draw(st.booleans()), collapse=draw(st.booleans()), raising=draw(st.booleans()),
        min_leaf=draw(st.sampled_from([1, 2, 3.5])), max_depth=draw(st.sampled_from([0, 0, 2])),
        confidence=draw(st.sampled_from([0.25, 0.1, 0.5])),
    )  # fmt: skip
    return X, y, levels.astype(np.int64), weights, opts, C, rng


@settings(max_examples=150)
@given(problems())
def test_trees_are_those_of_the_plain_recursion(problem):
    X, y, levels, weights, opts, C, rng = problem
    rows = np.unique(rng.integers(0, len(y), 2 * len(y)))  # about 86 % of them
    features = rng.permutation(X.shape[1])
    plain = Reference(X, y, C, levels, features, opts)
    expected = plain.fit([(i, weights[i]) for i in rows])
    found, tree, table = fit(X, y, levels, rows, weights, features, opts, C)
    same(found, expected)
    for laplace in (False, True):
        out = np.empty((len(y), C))
        predict_columns(tree, table.columns, levels, np.arange(len(y)), out, laplace)
        slow = [plain.distribution(expected, x, laplace) for x in X]
        np.testing.assert_allclose(out, slow, rtol=1e-9, atol=1e-9)


@settings(max_examples=60)
@given(problems(holes=False, weighted=False))
def test_whole_counts_and_weights_give_the_same_tree(problem):
    """Weights a hair from 1 go the general way, a column with a hole the way between."""
    X, y, levels, ones, opts, C, _ = problem
    quick, _, _ = fit(X, y, levels, opts=opts, n_classes=C)
    general, _, _ = fit(X, y, levels, weights=ones * (1 + 1e-13), opts=opts, n_classes=C)
    same(quick, general)
    more = [np.column_stack([X, np.full(len(y), value)]) for value in (0.0, np.nan)]
    constant, holed = (fit(Z, y, np.append(levels, 0), opts=opts, n_classes=C)[0] for Z in more)
    same(constant, holed)


@settings(max_examples=60)
@given(problems())
def test_only_the_rows_given_count(problem):
    X, y, levels, weights, opts, C, rng = problem
    rows = rng.permutation(len(y))[: max(2, len(y) // 2)]
    alone, _, _ = fit(X[rows], y[rows], levels, weights=weights[rows], opts=opts, n_classes=C)
    times = rng.choice([1, 300])  # with over 256 rows the orders have 32 bits
    X, y, weights = np.tile(X, (times, 1)), np.tile(y, times), np.tile(weights, times)
    inside, _, _ = fit(X, y, levels, rows, weights, opts=opts, n_classes=C)
    same(inside, alone)


@settings(max_examples=60)
@given(problems())
def test_columns_of_the_table_may_stand_in_any_order(problem):
    """The order in `features` decides between equal splits, not the place in the table."""
    X, y, levels, weights, opts, C, rng = problem
    moved = rng.permutation(X.shape[1])
    place = np.argsort(moved)  # column j of X is column place[j] of the other table
    here, _, _ = fit(X, y, levels, weights=weights, opts=opts, n_classes=C)
    there, _, _ = fit(
        X[:, moved], y, levels[moved], weights=weights, features=place, opts=opts, n_classes=C
    )
    same(here, there, rename=moved)


@settings(max_examples=60)
@given(problems(weighted=False))
def test_a_weight_of_two_is_a_row_given_twice(problem):
    X, y, levels, _, opts, C, rng = problem
    times = rng.integers(1, 4, len(y))
    weighted, _, _ = fit(X, y, levels, weights=times.astype(float), opts=opts, n_classes=C)
    again = np.repeat(np.arange(len(y)), times)
    repeated, _, _ = fit(X[again], y[again], levels, opts=opts, n_classes=C)
    same(weighted, repeated)


def test_a_workspace_remembers_nothing():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    X[:, :3] += y[:, None]
    X[rng.random(X.shape) < 0.1] = np.nan
    levels, opts = np.zeros(8, dtype=np.int64), options()
    table = prepare(X, levels)
    work = workspace(table, 2, 8)
    trees = []
    for seed in (1, 2, 1):
        rng = np.random.default_rng(seed)
        rows, features = rng.permutation(60)[:40], rng.permutation(8)[:5]
        n_nodes = grow(table, y, 2, rows, np.ones(60), features, opts, work)
        trees.append([part[:n_nodes].copy() for part in work.tree])
    assert len(trees[0][0]) > 3
    for once, again in zip(trees[0], trees[2], strict=True):
        np.testing.assert_array_equal(once, again)


def test_large_tables_of_two_classes_need_no_table_of_entropies():
    """More class counts than fit: the same tree as with weights a hair from 1."""
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 700)
    X = np.round(rng.normal(size=(700, 6)) + 0.7 * y[:, None], 2)
    levels = np.zeros(6, dtype=np.int64)
    quick, _, _ = fit(X, y, levels)
    assert len(workspace(prepare(X, levels), 2, 6).counting.half) < 300 * 300
    assert size_of(quick) > 20
    general, _, _ = fit(X, y, levels, weights=np.full(700, 1 + 1e-13))
    same(quick, general)


GOLF = """
sunny 75 70 1 play|sunny 80 90 1 no|sunny 85 85 0 no|sunny 72 95 0 no|sunny 69 70 0 play
overcast 72 90 1 play|overcast 83 78 0 play|overcast 64 65 1 play|overcast 81 75 0 play
rain 71 80 1 no|rain 65 70 1 no|rain 75 80 0 play|rain 68 80 0 play|rain 70 96 0 play
"""


def golf():
    """Quinlan's training set: outlook, temperature, humidity, windy."""
    rows = [row.split() for row in GOLF.replace("\n", "|").split("|") if row]
    outlook = {"sunny": 0, "overcast": 1, "rain": 2}
    X = np.array([[outlook[r[0]], float(r[1]), float(r[2]), float(r[3])] for r in rows])
    return X, np.array([int(r[4] == "play") for r in rows]), np.array([3, 0, 0, 2])


def test_quinlans_example():
    """C4.5 (1993), sections 2.2 and 2.3: gain .246, split information 1.577, ratio .156."""
    X, y, levels = golf()
    found, _, _ = fit(X, y, levels, features=np.array([0]), opts=options(prune=False))
    assert found["ratio"] == pytest.approx(0.246 / 1.577, abs=1e-3)
    tree, _, _ = fit(X, y, levels)
    assert tree["feature"] == 0
    sunny, overcast, rain = tree["children"]
    assert (sunny["feature"], sunny["threshold"]) == (2, 75)
    assert overcast == {"counts": [0, 4], "children": []}
    assert rain["feature"] == 3
    assert [leaf["counts"] for leaf in rain["children"]] == [[0, 3], [2, 0]]


def test_quinlans_example_with_a_missing_value():
    """Section 3.1: outlook of the first overcast case unknown; gain .199, information 1.809.

    Section 3.2: that case goes on with 5/13, 3/13 and 5/13.
    """
    X, y, levels = golf()
    X[5, 0] = np.nan
    opts = options(prune=False, collapse=False)
    found, _, _ = fit(X, y, levels, features=np.array([0]), opts=opts)
    assert found["ratio"] == pytest.approx(0.199 / 1.809, abs=1e-3)
    weights = [child["counts"] for child in found["children"]]
    np.testing.assert_allclose(weights, [[3, 2 + 5 / 13], [0, 3 + 3 / 13], [2, 3 + 5 / 13]])


def test_quinlans_estimates_of_errors():
    """Section 4.2: U.25(0, 6) = .206, U.25(0, 9) = .143, U.25(0, 1) = .750."""
    z = NormalDist().inv_cdf(0.75)
    for n, share in [(6, 0.206), (9, 0.143), (1, 0.750)]:
        assert extra_errors(float(n), 0.0, 0.25, z) / n == pytest.approx(share, abs=5e-4)


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_estimated_errors_are_near_the_exact_binomial_limit(confidence):
    from scipy.stats import beta

    z = NormalDist().inv_cdf(1 - confidence)
    for n, e in [(40, 3), (40, 20), (200, 10), (200, 150)]:
        limit = (e + extra_errors(float(n), float(e), confidence, z)) / n
        assert limit == pytest.approx(beta.ppf(1 - confidence, e + 1, n - e), rel=0.08)


def test_estimated_errors_rise_with_the_errors_and_the_confidence():
    for n in (1.0, 2.5, 10.0, 300.0):
        errors = np.linspace(0, n, 50)
        for confidence in (0.05, 0.25, 0.5):
            z = NormalDist().inv_cdf(1 - confidence)
            total = [e + extra_errors(n, e, confidence, z) for e in errors]
            assert all(b >= a - 1e-9 for a, b in pairwise(total))
            assert total[-1] == pytest.approx(n)
            wider = NormalDist().inv_cdf(1 - confidence / 2)
            assert extra_errors(n, 0.0, confidence / 2, wider) > extra_errors(n, 0.0, confidence, z)


def test_cuts_leave_enough_on_both_sides():
    """A tenth of the mean class size, at least min_leaf and at most 25."""
    opts = options(prune=False, collapse=False)
    for n, few, least in [(60, 2, 3), (400, 12, 20), (1000, 10, 25), (60000, 20, 25)]:
        y = (np.arange(n) >= few).astype(int)
        found, _, _ = fit(np.arange(float(n))[:, None], y, np.array([0]), opts=opts)
        assert found["children"][0]["counts"] == [few, least - few]
    X, y = np.arange(60.0)[:, None], (np.arange(60) >= 20).astype(int)
    assert fit(X, y, np.array([0]), opts=options(min_leaf=30))[0]["threshold"] == 29
    assert fit(X, y, np.array([0]), opts=options(min_leaf=31))[0]["children"] == []


def test_values_nearer_than_the_tie_are_not_parted():
    y = np.repeat([0, 1], 10)
    near = np.repeat([0.0, 9e-6], 10)[:, None]
    far = np.repeat([0.0, 1.1e-5], 10)[:, None]
    assert fit(near, y, np.array([0]))[0]["children"] == []
    assert fit(far, y, np.array([0]))[0]["threshold"] == 0.0


def test_the_threshold_is_a_value_of_the_trees_rows():
    """The middle of 2 and 10 is 6; the largest value below it is 5, of a row of the other node."""
    X = np.array([[0, 0], [0, 1], [0, 2], [0, 10], [0, 11], [0, 12], [1, 5], [1, 5.5], [1, 4.0]])
    y = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    opts = options(prune=False, collapse=False)
    found, _, _ = fit(X, y, np.array([2, 0]), features=np.array([0, 1]), opts=opts)
    assert found["feature"] == 0
    assert found["children"][0]["threshold"] == 5.5
    fewer, _, _ = fit(X, y, np.array([2, 0]), rows=np.array([0, 1, 2, 3, 4, 5, 6, 8]), opts=opts)
    assert fewer["children"][0]["threshold"] == 5.0

"""C4.5 as a plain recursion: nodes are dictionaries, rows lists of (row, weight).

And the kernel's trees in the same form.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from tamis.kernels.c45 import build_tree, make_options, make_workspace, prepare_table

NEAR = 1e-6


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
            low, high = self.X[known[at - 1][0], j], self.X[known[at][0], j]
            middle = (low + high) / 2 if (low + high) / 2 < high else low  # neighbouring doubles
            here = [self.X[i, j] for i, _ in self.all_rows if self.X[i, j] - middle < NEAR]
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
    opts = make_options() if opts is None else opts
    table = prepare_table(X, levels)
    n, p = X.shape
    n_classes = int(y.max()) + 1 if n_classes is None else n_classes
    rows = np.arange(n) if rows is None else rows
    weights = np.ones(n) if weights is None else weights
    features = np.arange(p) if features is None else features
    work = make_workspace(table, n_classes, len(features)) if work is None else work
    n_nodes = build_tree(table, y, rows, weights, features, opts, work)
    while n_nodes < 0:
        work = make_workspace(table, n_classes, len(features), 2 * len(work.tree.feature))
        n_nodes = build_tree(table, y, rows, weights, features, opts, work)
    node = node_of(work.tree)
    assert size_of(node) == n_nodes
    return node, work.tree, table

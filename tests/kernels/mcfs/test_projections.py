"""The Monte Carlo loop against a plain one, its draws, and how often pairs meet."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from common.examples import settings
from tamis.kernels import c45, mcfs
from tamis.kernels.mcfs import projections
from tamis.kernels.mcfs.draws import draw_below

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z):
    """SplitMix64's finaliser on Python's whole numbers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class Stream:
    """The kernel's generator, read in Python."""

    def __init__(self, *key):
        z = mix(key[0] + GAMMA & MASK)
        for word in key[1:]:
            z = mix((z ^ word) + GAMMA & MASK)
        self.z = z

    def bits(self):
        self.z = self.z + GAMMA & MASK
        return mix(self.z)

    def below(self, bound):
        """Lemire's rejection; 2^32 mod bound low words are drawn again."""
        while True:
            product = (self.bits() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32

    def shuffle(self, values):
        for i in range(len(values) - 1, 0, -1):
            j = self.below(i + 1)
            values[i], values[j] = values[j], values[i]

    def floyd(self, pool, k):
        chosen = []
        for last in range(len(pool) - k, len(pool)):
            j = self.below(last + 1)
            chosen.append(last if j in chosen else j)
        return [pool[j] for j in chosen]

    def weighted(self, pool, k, weights):
        left, chosen = dict(zip(pool, weights, strict=True)), []
        for _ in range(k):
            at = (self.bits() >> 11) / 2**53 * sum(left.values())
            ends = np.cumsum(list(left.values()))
            chosen.append(list(left)[int((ends <= at).sum())])
            del left[chosen[-1]]
        return chosen


def plain_loop(X, y, levels, sizes, loop, first, last, top=(), n_top=0, weights=None):
    """RI sums, offers, wAcc, ID weights by projection, row by row and node by node."""
    n, p = X.shape
    n_classes = len(sizes)
    table = c45.prepare_table(X, levels)
    importance, offered = np.zeros(p), np.zeros(p, dtype=int)
    accuracy, recalls = [], np.zeros(n_classes)
    pairs = []  # of each projection: (antecedent, given) -> [weight, nodes]
    rest = [j for j in range(p) if j not in top and (weights is None or weights[j] > 0)]
    for q in range(first, last):
        stream = Stream(int(loop.seed), loop.run, q, 0)
        features = stream.floyd(list(top), n_top)
        if weights is None:
            features += stream.floyd(rest, loop.m - n_top)
        else:
            features += stream.weighted(rest, loop.m - n_top, weights[rest])
        offered[features] += 1
        accuracy.append(0.0)
        pairs.append({})
        for split in range(1, loop.t + 1):
            stream = Stream(int(loop.seed), loop.run, q, split)
            train, test = [], []
            for c in range(n_classes):
                rows = np.flatnonzero(y == c).tolist()
                for i in range(sizes[c]):
                    j = i + stream.below(len(rows) - i)
                    rows[i], rows[j] = rows[j], rows[i]
                train += rows[: sizes[c]]
                test += rows[sizes[c] :]
            stream.shuffle(features)
            work = c45.make_workspace(table, n_classes, loop.m)
            n_nodes = c45.build_tree(
                table,
                y,
                np.array(train),
                np.ones(n),
                np.array(features),
                c45.make_options(raising=False),
                work,
            )
            tree, beliefs = work.tree, np.empty((len(test), n_classes))
            c45.predict_columns(tree, table.columns, table.levels, np.array(test), beliefs, False)
            hits = {c: [] for c in range(n_classes)}
            for row, belief in zip(test, beliefs, strict=True):
                hits[y[row]].append(belief.argmax() == y[row])
            recall = {c: np.mean(h) for c, h in hits.items() if h}
            wacc = float(np.mean(list(recall.values()))) if recall else 0.0
            accuracy[-1] += wacc
            for c, r in recall.items():
                recalls[c] += r
            for node in range(n_nodes):
                if tree.n_children[node] == 0:
                    continue
                given, ratio = int(tree.feature[node]), tree.gain_ratio[node]
                share = tree.weight[node] / len(train)
                importance[given] += wacc**loop.u * ratio * share**loop.v
                up, steps = tree.parent[node], 0
                while up >= 0 and (loop.max_ancestors == 0 or steps < loop.max_ancestors):
                    pair = int(tree.feature[up]), given
                    if pair[0] != given:
                        entry = pairs[-1].setdefault(pair, [0.0, 0])
                        entry[0] += ratio * tree.weight[node] / tree.weight[up]
                        entry[1] += 1
                    up, steps = tree.parent[up], steps + 1
    return importance, offered, accuracy, recalls, pairs


def made_table(rng, n, p, n_classes, single=False, whole=False):
    """Classes of much the same size, or else the last of one row; `whole`: numbers, no gaps."""
    y = np.arange(n) % n_classes
    if single:
        y = np.where(np.arange(n) == 0, n_classes - 1, np.arange(n) % (n_classes - 1))
    y = rng.permutation(y).astype(np.int64)
    X = np.round(rng.normal(size=(n, p)) + 0.8 * y[:, None] * (np.arange(p) < 2), 1)
    levels = np.where(rng.random(p) < 0.3 * (not whole), 3, 0)
    for j in np.flatnonzero(levels):
        X[:, j] = (rng.integers(0, 3, n) + y * (j % 2)) % 3
    X[rng.random((n, p)) < rng.choice([0.0, 0.1]) * (not whole)] = np.nan
    return X, y, levels.astype(np.int64)


@pytest.mark.longer
@given(
    seed=st.integers(0, 2**63),
    n=st.integers(8, 40),
    p=st.integers(3, 9),
    n_classes=st.integers(2, 4),
    ancestors=st.sampled_from([0, 1, 2]),
    kind=st.sampled_from(["all", "weighted", "top"]),
    single=st.booleans(),
    whole=st.booleans(),
    room=st.sampled_from([1, 8]),
)
@settings(max_examples=60)
def test_the_loop_equals_a_plain_one(seed, n, p, n_classes, ancestors, kind, single, whole, room):
    """A class of one row is in no test set. With little room projections are begun anew."""
    rng = np.random.default_rng(seed)
    X, y, levels = made_table(rng, n, p, n_classes, single, whole)
    m = int(rng.integers(2, p))
    sizes = np.maximum(66 * np.bincount(y) // 100, 1)
    u, v = rng.choice([0.5, 1.0, 2.0], 2)
    loop = mcfs.Loop(np.uint64(seed * 3 & MASK), 2**32, m, 3, u, v, True, ancestors)
    top, n_top, weights = (), 0, None
    if kind == "top":
        top = np.sort(rng.choice(p, 2, replace=False))
        n_top = int(rng.integers(max(0, m - p + 2), min(m, 2) + 1))
    if kind == "weighted":
        weights = rng.integers(1, 5, p).astype(float)
    offer = mcfs.make_offer(p, np.array(top, dtype=np.int64), n_top, weights)
    table = c45.prepare_table(X, levels)
    work = c45.make_workspace(table, n_classes, m)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projections, "FEWEST_PAIRS", room)
        found = mcfs.run_projections(
            table,
            mcfs.make_sample(y, sizes),
            c45.make_options(raising=False),
            loop,
            offer,
            3,
            9,
            work,
        )
    drawn, accuracy, recalls, ends, features, importances, keys, weights_of, counts, *_ = found
    plain = plain_loop(X, y, levels, sizes, loop, 3, 9, tuple(top), n_top, weights)
    importance = np.zeros(p)
    mcfs.add_in_order(importance, features, importances)
    np.testing.assert_allclose(importance, plain[0], rtol=1e-12, atol=1e-14)
    assert np.bincount(drawn.ravel(), minlength=p).tolist() == plain[1].tolist()
    np.testing.assert_allclose(accuracy, plain[2], rtol=1e-12)
    np.testing.assert_allclose(recalls.sum(axis=0), plain[3], rtol=1e-12)
    start = 0
    for end, expected in zip(ends[:, 1], plain[4], strict=True):
        assert keys[start:end].tolist() == sorted(a * p + g for a, g in expected)
        for k in range(start, end):
            weight, nodes = expected[divmod(int(keys[k]), p)]
            assert weights_of[k] == pytest.approx(weight, rel=1e-12)
            assert counts[k] == nodes
        start = end
    assert start == len(keys)


def test_projections_do_not_depend_on_the_block_they_are_in():
    rng = np.random.default_rng(1)
    X, y, levels = made_table(rng, 30, 8, 3)
    table, sizes = c45.prepare_table(X, levels), np.array([6, 6, 6])
    loop = mcfs.Loop(np.uint64(5), 0, 4, 2, 1.0, 1.0, True, 0)
    offer = mcfs.make_offer(8, weights=np.arange(8.0))

    def run(first, last):
        work = c45.make_workspace(table, 3, 4)
        return mcfs.run_projections(
            table,
            mcfs.make_sample(y, sizes),
            c45.make_options(raising=False),
            loop,
            offer,
            first,
            last,
            work,
        )

    whole, parts = run(0, 20), [run(0, 7), run(7, 8), run(8, 20)]
    for i in (0, 1, 2, 4, 5, 6, 7, 8):
        assert np.array_equal(whole[i], np.concatenate([part[i] for part in parts]))


def draws(n_draws, p, m, weights=None, run=0):
    """Features of many projections."""
    offer = mcfs.make_offer(p, weights=weights)
    state, taken = np.empty(1, dtype=np.uint64), np.zeros(p, dtype=np.uint8)
    sums, out = mcfs.own_sums(offer), np.empty((n_draws, m), dtype=np.int64)
    for q in range(n_draws):
        mcfs.start_stream(state, np.uint64(11), run, q, 0)
        mcfs.draw_features(state, offer, sums, taken, out[q])
    assert sums is None or np.array_equal(sums, offer.sums)  # put back to the bit
    assert not taken.any()
    return out


def test_every_set_of_features_is_equally_probable():
    sets = draws(6000, 5, 3)
    assert all(len(set(row)) == 3 for row in sets.tolist())
    codes = (1 << sets).sum(axis=1)
    counts = np.unique(codes, return_counts=True)[1]
    assert len(counts) == 10
    assert chisquare(counts).pvalue > 1e-3


def test_weights_are_probabilities_of_successive_draws():
    weights = np.array([0.0, 1.0, 2.0, 0.5, 4.0])
    out = draws(8000, 5, 2, weights)
    assert not (out == 0).any()
    total, expected, observed = weights.sum(), [], []
    for a, b in permutations(range(1, 5), 2):
        expected.append(weights[a] / total * weights[b] / (total - weights[a]) * len(out))
        observed.append(((out[:, 0] == a) & (out[:, 1] == b)).sum())
    assert chisquare(observed, expected).pvalue > 1e-3


def test_streams_differ_by_every_part_of_their_key():
    state, first = np.empty(1, dtype=np.uint64), set()
    for key in np.ndindex(4, 4, 4, 4):
        mcfs.start_stream(state, np.uint64(key[0]), *key[1:])
        first.add(int(state[0]))
        assert int(state[0]) == Stream(*key).z
    assert len(first) == 256


def test_small_numbers_are_uniform():
    state = np.empty(1, dtype=np.uint64)
    mcfs.start_stream(state, np.uint64(1), 0, 0, 0)
    values = [draw_below(state, 7) for _ in range(7000)]
    assert chisquare(np.bincount(values, minlength=7)).pvalue > 1e-3


@pytest.mark.parametrize("bound", [1, 1 << 31, 3 << 30, (1 << 32) - 1])
def test_as_many_draws_are_rejected_as_equal_probabilities_take(bound):
    """Those whose lower half is below 2^32 mod bound: none of a power of two."""
    stream = Stream(5)
    state = np.array([stream.z], np.uint64)
    assert [draw_below(state, bound) for _ in range(20)] == [stream.below(bound) for _ in range(20)]


@given(seed=st.integers(0, 1000), first=st.integers(0, 5), n_top=st.integers(0, 2))
@settings(max_examples=30)
def test_meetings_are_those_of_the_drawn_features(seed, first, n_top):
    p, m = 7, 3
    loop = mcfs.Loop(np.uint64(seed), 1, m, 1, 1.0, 1.0, True, 0)
    offer = mcfs.make_offer(p, np.array([1, 4]), n_top)
    source, target = (a.ravel() for a in np.meshgrid(range(p), range(p)))
    met = np.zeros(p * p, dtype=np.int64)
    mcfs.count_meetings(p, loop, offer, first, first + 9, source, target, met)
    expected = np.zeros((p, p), dtype=int)
    for q in range(first, first + 9):
        stream = Stream(seed, 1, q, 0)
        chosen = stream.floyd([1, 4], n_top) + stream.floyd([0, 2, 3, 5, 6], m - n_top)
        expected[np.ix_(chosen, chosen)] += 1
    assert met.tolist() == expected[source, target].tolist()


def test_a_tree_alone_is_the_one_of_its_place():
    """Splits before it are drawn and not grown; the tree and its test rows are left."""
    rng = np.random.default_rng(3)
    X, y, levels = made_table(rng, 40, 6, 2)
    sizes, table, offer = np.array([9, 9]), c45.prepare_table(X, levels), mcfs.make_offer(6)

    def run(t, begin):
        work = c45.make_workspace(table, 2, 4)
        loop = mcfs.Loop(np.uint64(8), 0, 4, t, 1.0, 1.0, False, 0, begin=begin)
        found = mcfs.run_projections(
            table,
            mcfs.make_sample(y, sizes),
            c45.make_options(raising=False),
            loop,
            offer,
            5,
            6,
            work,
        )
        accuracy, n_nodes, test = found[1], *found[-2:]
        return accuracy, work.tree.feature[:n_nodes], work.tree.threshold[:n_nodes], test

    alone = [run(split, split) for split in range(1, 4)]
    assert sum(one[0] for one in alone) == pytest.approx(run(3, 1)[0], rel=1e-12)
    for split, one in enumerate(alone, 1):
        for mine, whole in zip(one[1:], run(split, 1)[1:], strict=True):
            np.testing.assert_array_equal(mine, whole)

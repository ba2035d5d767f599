"""Random intersection trees against a recursion over sets; tables of sets, merged and cut."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from kernels.intersections import reference
from kernels.intersections.reference import SlowTrees, slow_maximal
from tamis.kernels import _bits, intersections
from tamis.kernels.intersections import draws, walk
from tamis.kernels.intersections.draws import nodes_below

MANY = 10**6
keys_of_nodes = st.integers(0, 2**64 - 1)


class Table:
    """Random rows of some classes, as kernels want them and as sets."""

    def __init__(self, seed, n_words, sizes, density):
        rng = np.random.default_rng(seed)
        p = 64 * n_words - int(rng.integers(0, 60))
        n = sum(sizes) + 3
        X = rng.random((n, p)) < density
        X |= X[rng.integers(0, n, n)] & (rng.random((n, 1)) < 0.4)  # rows that share a lot
        X[:, rng.integers(0, p, 2)] = True
        self.rng, self.p = rng, p
        self.members = np.split(rng.integers(0, n, sum(sizes)), np.cumsum(sizes)[:-1])
        mine = self.members[0]
        X[mine, rng.integers(0, p)] = True  # an item of every row of class 0
        self.rows = _bits.pack_rows(X)
        self.words = np.cumsum([0, *(_bits.words_for(n) for n in sizes)])
        starts = np.cumsum([0, *sizes])
        self.columns = _bits.columns_of_rows(
            self.rows, np.concatenate(self.members), starts, self.words
        )
        self.counts = _bits.count_columns(self.columns, self.words)
        self.sets = [frozenset(np.flatnonzero(row).tolist()) for row in X]
        self.sizes = np.array(sizes)

    def masks(self, c, caps, floor):
        other = np.arange(len(self.sizes)) != c
        everywhere = (self.counts == self.sizes[:, None]).all(axis=0)
        masks = (
            (self.counts[c] > floor) & ~everywhere,
            (self.counts[other] <= caps[other, None]).all(axis=0),
            self.counts[c] == self.sizes[c],
        )
        return intersections.Masks(*(_bits.pack_rows(mask[None])[0] for mask in masks))

    def grow(self, c, caps, floor, keys, limits):
        return intersections.grow_trees(
            self.rows,
            self.columns,
            self.members[c],
            self.words,
            c,
            caps,
            floor,
            self.masks(c, caps, floor),
            keys,
            limits,
        )


def told(found):
    """The sets with their trees and leaves, in order."""
    n = int(found.n[0])
    starts = found.starts[: n + 1]
    items, ends = intersections.items_of_words(found.at, found.bits, starts)
    numbers = found.numbers[:n, [intersections.TREES_COLUMN, intersections.LEAVES_COLUMN]]
    sets = [tuple(items[a:b].tolist()) for a, b in pairwise(ends)]
    return list(zip(sets, map(tuple, numbers.tolist()), strict=True))


@st.composite
def problems(draw, widths=(1, 2, 3, 12, 14)):
    """A table, a class of it, and settings."""
    sizes = draw(st.lists(st.sampled_from([20, 64, 70, 5, 1]), min_size=2, max_size=3))
    density = draw(st.sampled_from([0.05, 0.2, 0.5, 0.9]))
    table = Table(draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from(widths)), sizes, density)
    share = draw(st.sampled_from([1.0, 0.3, 0.05, 0.0]))
    caps = np.floor(share * table.sizes).astype(np.int64)
    c = draw(st.integers(0, len(sizes) - 1))
    limits = intersections.Limits(
        draw(st.integers(1, 5)),
        draw(st.sampled_from([1.0, 1.5, 2.0, 2.25, 3.0])),
        draw(st.integers(1, 4)),
        draw(st.sampled_from([MANY, MANY, 100, 30, 1])),
        MANY,
    )
    floor = int(draw(st.sampled_from([0.0, 0.1, 0.2, 0.4])) * sizes[c])
    return table, c, caps, floor, limits


@given(keys_of_nodes, st.integers(0, 2000), st.integers(1, 2**32 - 1), st.floats(1, 1000))
def test_draws(key, nth, n, branch):
    word = np.uint64(key)
    assert draws.mix_bits(word) == reference.mix(key)
    assert draws.child_key(word, nth) == reference.child_key(key, nth)
    assert draws.draw_below(word, n) == reference.draw_below(key, n) < n
    assert draws.children_of(word, branch) == reference.children_of(key, branch)


def test_the_number_of_children_has_the_mean_asked_for():
    keys = np.random.default_rng(0).integers(0, 2**64, 20_000, dtype=np.uint64)
    for branch in (1.0, 1.3, 2.5, 4.0):
        counts = np.array([draws.children_of(key, branch) for key in keys])
        assert set(counts) <= {int(branch), int(branch) + 1}
        error = np.sqrt(0.25 / len(keys))
        assert counts.mean() == pytest.approx(branch, abs=5 * error)
        if branch == int(branch):
            assert (counts == branch).all()


@settings(max_examples=150)
@given(problems())
def test_the_same_sets_as_the_recursion(problem):
    table, c, caps, floor, limits = problem
    keys = table.rng.integers(0, 2**64, 8, dtype=np.uint64)
    found, missed = table.grow(c, caps, floor, keys, limits)
    slow = SlowTrees(
        table.sets,
        table.members,
        c,
        caps.tolist(),
        floor,
        limits.depth,
        limits.branch,
        limits.min_size,
        limits.most_work,
    ).grow(map(int, keys))
    expected = [
        (tuple(sorted(items)), (len(trees), slow.leaves[items]))
        for items, trees in slow.trees.items()
    ]
    assert told(found) == expected
    assert missed.tolist() == [len(slow.thinned), 0]
    assert slow.work <= limits.most_work + limits.depth * table.rows.shape[1]


@settings(max_examples=60)
@given(problems())
def test_rows_that_hold_a_set(problem):
    table, c, caps, floor, limits = problem
    keys = table.rng.integers(0, 2**64, 12, dtype=np.uint64)
    found, _ = table.grow(c, caps, floor, keys, limits)
    starts = found.starts[: found.n[0] + 1]
    items, ends = intersections.items_of_words(found.at, found.bits, starts)
    counts = intersections.count_sets(table.columns, items, ends, table.words)
    for (items, _), held in zip(told(found), counts, strict=True):
        brute = [sum(set(items) <= table.sets[i] for i in rows) for rows in table.members]
        assert held.tolist() == brute
        assert held[c] > floor


@settings(max_examples=100)
@given(st.sets(st.frozensets(st.integers(0, 9), max_size=6), max_size=30))
def test_maximal_sets(sets):
    sets = list(sets)
    items = np.array([j for one in sets for j in sorted(one)], dtype=np.int64)
    starts = np.cumsum([0, *map(len, sets)])
    assert intersections.maximal_sets(items, starts, 10).tolist() == slow_maximal(sets)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), max_size=30))
def test_places_by_two_values(pairs):
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    order = intersections.order_by(second.copy(), np.arange(len(pairs)))
    order = intersections.order_by(first.copy(), order)
    assert order.tolist() == np.lexsort((second, first)).tolist()


def in_chunks(table, c, caps, floor, keys, limits, chunk):
    found, missed = table.grow(c, caps, floor, keys[:chunk], limits)
    for first in range(chunk, len(keys), chunk):
        more, also = table.grow(c, caps, floor, keys[first : first + chunk], limits)
        found, left = intersections.merge_found(found, more, 1, limits.most_sets)
        missed += also
        missed[intersections.LEFT_OUT_LEAVES] += left
    return found, missed


@settings(max_examples=40)
@given(problems(), st.integers(1, 11))
def test_trees_merged_are_as_if_grown_together(problem, chunk):
    table, c, caps, floor, limits = problem
    keys = table.rng.integers(0, 2**64, 24, dtype=np.uint64)
    together, missed = table.grow(c, caps, floor, keys, limits)
    merged, also = in_chunks(table, c, caps, floor, keys, limits, chunk)
    assert told(merged) == told(together)
    assert also.tolist() == missed.tolist()


@settings(max_examples=40)
@given(problems(), st.integers(1, 11), st.integers(1, 8))
def test_the_sets_that_have_room_are_the_first_that_are_met(problem, chunk, most):
    table, c, caps, floor, limits = problem
    keys = table.rng.integers(0, 2**64, 24, dtype=np.uint64)
    expected = told(table.grow(c, caps, floor, keys, limits)[0])
    everything = [items for items, _ in expected]
    few = limits._replace(most_sets=most)
    _, alone = table.grow(c, caps, floor, keys, few)
    assert alone[intersections.LEFT_OUT_LEAVES] == sum(leaves for _, (_, leaves) in expected[most:])
    found, missed = in_chunks(table, c, caps, floor, keys, few, chunk)
    assert [items for items, _ in told(found)] == everything[:most]
    assert (missed[intersections.LEFT_OUT_LEAVES] > 0) == (len(everything) > most)


def test_a_table_of_sets_grows():
    """Thousands of sets, met again in another order, are each there once."""
    table = Table(5, 2, [300, 300], 0.5)
    keys = table.rng.integers(0, 2**64, 60, dtype=np.uint64)
    limits = intersections.Limits(4, 6.0, 2, MANY, MANY)
    caps = table.sizes.copy()
    found, _ = table.grow(0, caps, 0, keys, limits)
    numbers = dict(told(found))
    assert len(numbers) == found.n[0] > 3000
    again, _ = table.grow(0, caps, 0, keys[::-1].copy(), limits)
    assert dict(told(again)) == numbers
    both, left = intersections.merge_found(found, again, 1, MANY)
    assert left == 0
    assert dict(told(both)) == {
        items: (2 * trees, 2 * leaves) for items, (trees, leaves) in numbers.items()
    }


def no_room():
    """A table of sets that has to grow with every few sets."""
    return intersections.SetTable(
        np.empty(0, np.int32),
        np.empty(0, np.uint64),
        np.zeros(1, np.int64),
        np.empty((0, 3), np.int64),
        np.empty(0, np.uint64),
        np.full(1, -1, np.int32),
        np.zeros(1, np.int64),
    )


@settings(max_examples=40)
@given(problems())
def test_trees_go_on_where_they_had_no_room(problem):
    table, c, caps, floor, limits = problem
    keys = table.rng.integers(0, 2**64, 8, dtype=np.uint64)
    found, missed = table.grow(c, caps, floor, keys, limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "nothing_found", no_room)
        again, also = table.grow(c, caps, floor, keys, limits)
    assert told(again) == told(found)
    assert also.tolist() == missed.tolist()


@pytest.mark.parametrize(
    ("branch", "depth", "nodes"),
    [(1.0, 3, [3, 2, 1, 0]), (2.0, 3, [14, 6, 2, 0]), (2.5, 2, [12, 3, 0]), (1.5, 1, [2, 0])],
)
def test_nodes_below_one_of_each_level(branch, depth, nodes):
    assert nodes_below(branch, depth).tolist() == nodes

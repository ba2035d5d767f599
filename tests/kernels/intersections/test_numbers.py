"""Trees over numbers against a recursion over dictionaries; who holds their sets, by counting."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from kernels.intersections.slow_numbers import SlowNumberTrees
from kernels.intersections.test_trees import no_room
from tamis.interactions.sets.number_search import NumberClasses
from tamis.kernels import intersections
from tamis.kernels.intersections import numbers

MANY = 10**6
ROOTS = [0.1**0.5, 0.5**0.5, 5**0.5]


class Numbers:
    """Random rows of some classes: few values, so that there are ties; the last are categories."""

    def __init__(self, seed, sizes, n_numbers, n_categories, missing):
        rng = np.random.default_rng(seed)
        n, p = sum(sizes) + 2, n_numbers + n_categories
        X = rng.integers(0, rng.choice([3, 9, 60], p), (n, p)).astype(float)
        X[:, :n_numbers] = X[:, :n_numbers] / 8 - 1
        near = rng.integers(0, n, n)  # rows that share a lot
        X = np.where(rng.random((n, p)) < 0.5 * (rng.random((n, 1)) < 0.5), X[near], X)
        X[rng.random((n, p)) < missing] = np.nan
        if rng.random() < 0.3:
            X[:, rng.integers(0, p)] = 1.0  # says nothing
        if rng.random() < 0.2:
            X[:, rng.integers(0, p)] = np.nan
        self.X, self.rng = X, rng
        self.members = np.split(rng.integers(0, n, sum(sizes)), np.cumsum(sizes)[:-1])
        self.sizes, self.categorical = np.array(sizes), np.arange(p) >= n_numbers
        self.joined = np.concatenate(self.members)
        self.starts = np.cumsum([0, *sizes])

    def scale(self, c, epsilon, radius):
        return NumberClasses(self.X, self.members, self.categorical, epsilon, radius).scale_of(c)

    def grow(self, c, caps, least, scale, keys, limits):
        return intersections.grow_number_trees(
            self.X, self.joined, self.starts, c, caps, least, scale, keys, limits
        )

    def told(self, found, relaxed):
        """[(set as the recursion has it, (trees, leaves))], in order."""
        n, per = int(found.n[0]), 1 if relaxed else 2
        told = []
        for s, (first, end) in enumerate(pairwise(found.starts[: n + 1])):
            items = []
            for i in range(first, end):
                j, words = int(found.at[i]), found.bits[per * i : per * (i + 1)]
                if relaxed:
                    item = float(words.view(float)[0])
                elif self.categorical[j]:
                    assert words[1] == 0
                    item = frozenset(float(k) for k in range(64) if int(words[0]) >> k & 1)
                else:
                    item = tuple(words.view(float).tolist())
                items.append((j, item))
            numbers = found.numbers[s, [intersections.TREES_COLUMN, intersections.LEAVES_COLUMN]]
            told.append((tuple(items), tuple(numbers.tolist())))
        return told


@st.composite
def problems(draw):
    """A table, a class of it, and settings; no sum of squares is another times a square root."""
    sizes = draw(st.lists(st.sampled_from([1, 4, 12, 25]), min_size=2, max_size=3))
    table = Numbers(
        draw(st.integers(0, 2**32 - 1)),
        sizes,
        draw(st.integers(1, 7)),
        draw(st.integers(0, 4)),
        draw(st.sampled_from([0.0, 0.0, 0.1, 0.4])),
    )
    c = draw(st.integers(0, len(sizes) - 1))
    radius = draw(st.sampled_from([0.0, 0.0, 0.3, 1.0]))
    epsilon = draw(st.sampled_from(ROOTS if radius else [0.0, 0.1, 0.25, 0.5, 0.9]))
    share = draw(st.sampled_from([1.0, 0.513, 0.277, 0.052] + [0.0] * (radius == 0)))
    least = draw(st.sampled_from([0.0, 0.107, 0.25, 0.5])) * sizes[c]
    limits = intersections.Limits(
        draw(st.integers(1, 5)),
        draw(st.sampled_from([1.0, 1.5, 2.25, 3.0])),
        draw(st.integers(1, 3)),
        draw(st.sampled_from([MANY, MANY, 100, 30, 1])),
        MANY,
    )
    return table, c, epsilon, radius, share * table.sizes, least, limits


@settings(max_examples=200)
@given(problems())
def test_the_same_sets_as_the_recursion(problem):
    table, c, epsilon, radius, caps, least, limits = problem
    keys = table.rng.integers(0, 2**64, 6, dtype=np.uint64)
    found, missed = table.grow(c, caps, least, table.scale(c, epsilon, radius), keys, limits)
    slow = SlowNumberTrees(
        table.X.tolist(),
        table.members,
        c,
        caps.tolist(),
        least,
        table.categorical.tolist(),
        epsilon,
        radius,
        limits.depth,
        limits.branch,
        limits.min_size,
        limits.most_work,
    ).grow(map(int, keys))
    expected = [(items, (len(trees), slow.leaves[items])) for items, trees in slow.trees.items()]
    assert table.told(found, radius > 0) == expected
    assert missed.tolist() == [len(slow.thinned), 0]
    assert slow.work <= limits.most_work + limits.depth * table.X.shape[1]


def brute(X, items, categorical, radius):
    """How much each row holds one set (n,)."""
    held = np.ones(len(X))
    for j, item in items:
        x = X[:, j]
        if radius:
            apart = (x != item) * 1.0 if categorical[j] else (x - item) ** 2
            held *= np.exp(-np.where(np.isnan(x), 1.0, apart) / radius)
        else:
            held *= np.isin(x, list(item)) if categorical[j] else (x >= item[0]) & (x <= item[1])
    return held


@settings(max_examples=40)
@given(problems())
def test_how_much_rows_hold_a_set(problem):
    table, c, epsilon, radius, caps, least, limits = problem
    keys = table.rng.integers(0, 2**64, 6, dtype=np.uint64)
    scale = table.scale(c, epsilon, radius)
    found, _ = table.grow(c, caps, least, scale, keys, limits)
    n, per = int(found.n[0]), 1 if radius else 2
    firsts = found.starts[: n + 1]
    at = found.at[: firsts[-1]].astype(np.int64)
    values = found.bits[: per * firsts[-1]].view(np.float64)
    sets = [items for items, _ in table.told(found, radius > 0)]
    others = np.full((5, table.X.shape[1]), 3.0)  # rows that no tree has met
    others[1], others[2] = 0.0, np.nan
    X = np.vstack([table.X, others])
    expected = np.array([brute(X, one, table.categorical, radius) for one in sets]).T
    expected = expected.reshape(len(X), n)
    held = intersections.hold_numbers(X, at, values, firsts, table.categorical, radius)
    np.testing.assert_allclose(held, expected, rtol=1e-12)
    if not radius:
        assert set(np.unique(held)) <= {0.0, 1.0}
    sums = intersections.sum_numbers(table.X, table.joined, table.starts, at, values, firsts, scale)
    by_class = np.array([expected[rows].sum(axis=0) for rows in table.members]).T
    np.testing.assert_allclose(sums, by_class, rtol=1e-12)
    assert (sums[:, c] >= least - 1e-6).all()
    elsewhere = np.arange(len(caps)) != c
    assert (sums[:, elsewhere] <= caps[elsewhere] + 1e-6).all()


@settings(max_examples=30)
@given(problems(), st.integers(1, 7), st.sampled_from([MANY, 1, 4]))
def test_trees_merged_are_as_if_grown_together(problem, chunk, most):
    table, c, epsilon, radius, caps, least, limits = problem
    keys = table.rng.integers(0, 2**64, 12, dtype=np.uint64)
    scale, per = table.scale(c, epsilon, radius), 1 if radius else 2
    everything, thinned = table.grow(c, caps, least, scale, keys, limits)
    expected = table.told(everything, radius > 0)
    few = limits._replace(most_sets=most)
    _, alone = table.grow(c, caps, least, scale, keys, few)
    assert alone[intersections.LEFT_OUT_LEAVES] == sum(leaves for _, (_, leaves) in expected[most:])
    found, missed = intersections.nothing_found(), np.zeros(2, dtype=np.int64)
    for first in range(0, len(keys), chunk):
        more, also = table.grow(c, caps, least, scale, keys[first : first + chunk], few)
        found, left = intersections.merge_found(found, more, per, most)
        missed += also
        missed[intersections.LEFT_OUT_LEAVES] += left
    merged = table.told(found, radius > 0)
    assert [items for items, _ in merged] == [items for items, _ in expected][:most]
    assert (missed[intersections.LEFT_OUT_LEAVES] > 0) == (len(expected) > most)
    assert missed[intersections.CUT_TREES] == thinned[intersections.CUT_TREES]
    if len(expected) <= most:
        assert merged == expected


def test_intervals_stretch_after_all_other_features_are_lost():
    """At `min_size` items a node of relRIT is a leaf; one of covRIT meets `depth` rows."""
    rng = np.random.default_rng(0)
    X = rng.random((40, 2))
    members, kinds = [np.arange(20), np.arange(20, 40)], np.zeros(2, dtype=bool)
    starts, none = np.array([0, 20, 40]), np.array([40.0, 40.0])
    keys = rng.integers(0, 2**64, 10, dtype=np.uint64)
    widths = []
    for depth in (1, 3, 9):
        scale = NumberClasses(X, members, kinds, 1.0).scale_of(0)
        limits = intersections.Limits(depth, 1.0, 2, MANY, MANY)
        found, _ = intersections.grow_number_trees(
            X, np.arange(40), starts, 0, none, 0.0, scale, keys, limits
        )
        ends = found.bits[: 2 * found.starts[found.n[0]]].view(float).reshape(-1, 2)
        widths.append(np.mean(ends[:, 1] - ends[:, 0]))
    assert widths[0] < widths[1] < widths[2]


@pytest.mark.parametrize("level", [0, 31, 62, 63])
def test_sixty_four_categories(level):
    """Any of them has its bit, and many together are bits that are no number."""
    X = np.arange(64.0).repeat(2)[:, None]
    members, kinds = [np.arange(128), np.array([2 * level])], np.array([True])
    table = NumberClasses(X, members, kinds, 1.0)
    limits = intersections.Limits(600, 1.0, 1, MANY, MANY)
    joined, starts = np.concatenate(members), np.array([0, 128, 129])
    keys = np.arange(3, dtype=np.uint64) * 7919
    found, _ = intersections.grow_number_trees(
        X, joined, starts, 0, np.array([128.0, 1.0]), 128.0, table.scale_of(0), keys, limits
    )
    assert found.n[0] == 1
    values = found.bits[:2].view(np.float64)
    assert np.isnan(values[0])  # all bits
    one = np.array([0, 1])
    held = intersections.hold_numbers(X, one[:1], values, one, kinds, 0.0)
    assert held.all()
    other = np.array([[float(level)], [np.nan]])
    only = np.array([np.uint64(1) << np.uint64(level), 0], dtype=np.uint64).view(np.float64)
    held = intersections.hold_numbers(other, one[:1], only, one, kinds, 0.0)
    assert held[:, 0].tolist() == [1, 0]
    assert intersections.hold_numbers(X, one[:1], only, one, kinds, 0.0).sum() == 2


@settings(max_examples=40)
@given(problems())
def test_trees_go_on_where_they_had_no_room(problem):
    table, c, epsilon, radius, caps, least, limits = problem
    keys = table.rng.integers(0, 2**64, 6, dtype=np.uint64)
    scale = table.scale(c, epsilon, radius)
    found, missed = table.grow(c, caps, least, scale, keys, limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "nothing_found", no_room)
        again, also = table.grow(c, caps, least, scale, keys, limits)
    assert table.told(again, radius > 0) == table.told(found, radius > 0)
    assert also.tolist() == missed.tolist()

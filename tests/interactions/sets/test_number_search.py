"""Trees over numbers, class by class: which sets stay, and how much the classes hold them."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.streams import stream
from tamis.interactions.sets.intersection_search import Thresholds, TreeSettings
from tamis.interactions.sets.number_search import NumberClasses, NumberSets, best_of_each

PLAN = TreeSettings(n_trees=40, depth=4, branch=2.5, min_size=1, most_sets=10**5)
seeds = st.integers(0, 2**32 - 1)


def random_classes(seed, radius=0.0, n_features=6):
    """Two or three classes of numbers and categories, some missing."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 20, rng.integers(2, 4))
    X = rng.random((sizes.sum() + 4, n_features))
    X[:, -2:] = rng.integers(0, 4, (len(X), 2))
    X[rng.random(X.shape) < 0.05] = np.nan
    rows = rng.permutation(len(X))[: sizes.sum()]  # some are of no class
    kinds = np.arange(n_features) >= n_features - 2
    members = np.split(rows, np.cumsum(sizes)[:-1])
    return NumberClasses(X, members, kinds, 0.8 if radius else 0.4, radius)


def thresholds_of(table, least, most):
    n = len(table.members)
    return Thresholds((least,) * n, (most,) * n)


def plain(sets):
    return [getattr(sets, field.name) for field in fields(sets)]


def made_up(rng, n_sets, n_features, sizes, c):
    """Sets as trees of class c may give them: the same features again and again."""
    kinds = [np.flatnonzero(rng.random(n_features) < 0.5) for _ in range(1 + n_sets // 3)]
    of_sets = [kinds[k] for k in rng.integers(0, len(kinds), n_sets)]
    at = np.concatenate([*of_sets, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    counts = rng.integers(0, sizes + 1, (n_sets, len(sizes))).astype(float)
    starts = np.cumsum([0, *map(len, of_sets)])
    return NumberSets(
        at,
        rng.random((len(at), 2)),
        starts,
        counts,
        np.full(n_sets, c),
        rng.integers(1, 9, n_sets),
        rng.integers(1, 9, n_sets),
    )


@settings(max_examples=50)
@given(seeds, st.integers(0, 40), st.integers(1, 30))
def test_one_set_for_each_set_of_features(seed, n_sets, most):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 30, 3)
    c = int(rng.integers(3))
    sets = made_up(rng, n_sets, 5, sizes, c)
    shares = sets.counts / sizes
    gaps = shares[:, c] - np.delete(shares, c, axis=1).max(axis=1)
    features = [sets.features_of(s) for s in range(n_sets)]
    maximal = {one for one in features if not any(set(one) < set(two) for two in features)}
    best = {one: max(gaps[s] for s in range(n_sets) if features[s] == one) for one in maximal}

    kept = best_of_each(sets, sizes, 5, most)
    told = [kept.features_of(s) for s in range(len(kept))]
    assert len(set(told)) == len(told) == min(most, len(maximal))
    assert set(told) <= maximal
    got = kept.counts / sizes
    got = got[:, c] - np.delete(got, c, axis=1).max(axis=1)
    assert got == pytest.approx([best[one] for one in told])
    assert got == pytest.approx(sorted(best.values(), reverse=True)[:most])
    for k, one in enumerate(told):  # its values, counts and numbers are of one and the same set
        assert any(
            features[s] == one
            and (sets.counts[s] == kept.counts[k]).all()
            and (sets.trees[s], sets.leaves[s]) == (kept.trees[k], kept.leaves[k])
            and np.array_equal(
                sets.values[sets.starts[s] : sets.starts[s + 1]],
                kept.values[kept.starts[k] : kept.starts[k + 1]],
            )
            for s in range(n_sets)
        )


@given(seeds, st.integers(1, 20))
def test_some_of_the_sets(seed, n_sets):
    rng = np.random.default_rng(seed)
    sets = made_up(rng, n_sets, 5, np.array([9, 9]), 1)
    chosen = rng.integers(0, n_sets, rng.integers(0, 12))
    few = sets.take(chosen)
    assert len(few) == len(chosen)
    for k, s in enumerate(chosen):
        assert few.features_of(k) == sets.features_of(s)
        mine = few.values[few.starts[k] : few.starts[k + 1]]
        assert np.array_equal(mine, sets.values[sets.starts[s] : sets.starts[s + 1]])
        for name in ("counts", "origin", "trees", "leaves"):
            assert np.array_equal(getattr(few, name)[k], getattr(sets, name)[s])
    assert few.starts[-1] == len(few.at) == len(few.values)


@settings(max_examples=40)
@given(seeds, st.sampled_from([0.0, 0.5]), st.sampled_from([0.1, 0.4]), st.sampled_from([0.3, 1.0]))
def test_prevalences_are_those_of_the_rows(seed, radius, least, most):
    table = random_classes(seed, radius)
    for c in range(len(table.members)):
        found = table.grow(c, thresholds_of(table, least, most), PLAN, stream(seed))
        for s in range(len(found)):
            for k, rows in enumerate(table.members):
                held = np.ones(len(rows))
                for i in range(found.starts[s], found.starts[s + 1]):
                    j, values = found.at[i], found.values[i]
                    x = table.X[rows, j]
                    if radius:
                        apart = (x != values[0]) if table.categorical[j] else (x - values[0]) ** 2
                        held *= np.exp(-np.where(np.isnan(x), 1.0, apart) / radius)
                    elif table.categorical[j]:
                        bits = int(values[:1].copy().view(np.uint64)[0])
                        held *= [float(v == v and bits >> int(v) & 1) for v in x]
                    else:
                        held *= (x >= values[0]) & (x <= values[1])
                        span = np.nanmax(table.X[np.concatenate(table.members), j]) - np.nanmin(
                            table.X[np.concatenate(table.members), j]
                        )
                        assert values[1] - values[0] <= table.epsilon * span
                share = held.sum() / len(rows)
                assert found.counts[s, k] == pytest.approx(held.sum())
                assert share >= least - 1e-6 if k == c else share <= most + 1e-6
        assert (found.origin == c).all()
        assert (found.trees <= found.leaves).all()
        assert (found.trees <= PLAN.n_trees).all()


@pytest.mark.parametrize("radius", [0.0, 0.5])
@pytest.mark.parametrize("most_sets", [10**5, 7])
def test_threads_change_nothing(radius, most_sets):
    table = random_classes(3, radius, 20)
    plan = TreeSettings(n_trees=90, depth=4, branch=3, min_size=1, most_sets=most_sets)
    found = [
        table.grow(0, thresholds_of(table, 0.1, 1.0), plan, stream(0), n_jobs)
        for n_jobs in (1, 2, 3)
    ]
    assert len(found[0]) == 7 if most_sets == 7 else len(found[0]) > 7
    for other in found[1:]:
        for one, two in zip(plain(found[0]), plain(other), strict=True):
            np.testing.assert_array_equal(one, two)


def test_rows_of_no_class_are_not_looked_at():
    """A range is of the rows of the classes alone: in a fold others are for the test."""
    table = random_classes(5)
    rest = np.setdiff1d(np.arange(len(table.X)), np.concatenate(table.members))
    X = table.X.copy()
    X[rest] = 3.0
    X[rest, 0] = -1e9
    other = NumberClasses(X, table.members, table.categorical, table.epsilon)
    one, two = (
        each.grow(0, thresholds_of(table, 0.1, 1.0), PLAN, stream(0)) for each in (table, other)
    )
    assert len(one)
    for a, b in zip(plain(one), plain(two), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_tree_that_would_be_too_large_is_told():
    rng = np.random.default_rng(0)
    X = rng.random((40, 30))
    table = NumberClasses(X, [np.arange(20), np.arange(20, 40)], np.zeros(30, dtype=bool), 0.9)
    wide = TreeSettings(n_trees=20, depth=8, branch=4, min_size=1, most_sets=10**5)
    assert table.grow(0, thresholds_of(table, 0, 1), wide, stream(0)).cut == 20
    narrow = TreeSettings(n_trees=20, depth=8, branch=1, min_size=1, most_sets=10**5)
    assert table.grow(0, thresholds_of(table, 0, 1), narrow, stream(0)).cut == 0


@pytest.mark.parametrize("size", [2.0**600, 2.0**-600])
def test_the_size_of_numbers_does_not_matter(size):
    table = random_classes(8)
    kinds = table.categorical
    X = np.where(kinds, table.X, table.X * size)
    other = NumberClasses(X, table.members, kinds, table.epsilon)
    one, two = (
        each.grow(0, thresholds_of(table, 0.1, 1.0), PLAN, stream(0)) for each in (table, other)
    )
    assert len(one)
    np.testing.assert_array_equal(one.at, two.at)
    np.testing.assert_array_equal(one.counts, two.counts)


@pytest.mark.parametrize("radius", [0.0, 0.5])
def test_the_sign_of_a_zero_does_not_matter(radius):
    table, rng = random_classes(3, radius, 20), np.random.default_rng(1)
    X = np.where(rng.random(table.X.shape) < 0.4, 0.0, table.X)
    Y = np.where((X == 0) & (rng.random(X.shape) < 0.5), -0.0, X)
    one, other = (
        table.grow(0, thresholds_of(table, 0.1, 1.0), PLAN, stream(0))
        for table in (replace(table, X=X), replace(table, X=Y))
    )
    assert len(one) > 5
    for a, b in zip(plain(one), plain(other), strict=True):
        np.testing.assert_array_equal(a, b)

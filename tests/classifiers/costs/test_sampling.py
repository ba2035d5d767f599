"""Rows drawn by costs: how many, which, and what SMOTE makes up."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis.classifiers.base.folds import class_bootstrap
from tamis.classifiers.base.natural_scale import natural_scale
from tamis.classifiers.costs.cost_weights import (
    before_expansion,
    class_weights,
    expansion_weights,
)
from tamis.classifiers.costs.meta_cost import mean_judgement
from tamis.classifiers.costs.sampling import (
    drawn_weights,
    kept_by_cost,
    resampled_rows,
    resampled_sizes,
    with_synthetic_rows,
)

quick = settings(max_examples=60, deadline=None)
class_counts = st.lists(st.integers(1, 30), min_size=2, max_size=4)


def codes_of(counts, seed=0):
    codes = np.repeat(np.arange(len(counts)), counts)
    return np.random.default_rng(seed).permutation(codes)


@quick
@given(class_counts, st.integers(0, 9))
def test_sizes_are_in_the_ratio_of_sizes_times_costs(counts, seed):
    counts = np.array(counts)
    weights = np.random.default_rng(seed).uniform(1, 8, len(counts))
    more = resampled_sizes(counts, weights, "over")
    assert (more >= counts).all()
    np.testing.assert_allclose(more, counts * weights / weights.min(), atol=0.5)
    fewer = resampled_sizes(counts, weights, "under")
    assert ((fewer >= 1) & (fewer <= counts)).all()
    np.testing.assert_allclose(fewer, np.maximum(counts * weights / weights.max(), 1), atol=0.5)


@quick
@given(class_counts, st.integers(0, 9))
def test_rows_are_taken_as_evenly_as_can_be(counts, seed):
    rng, codes = np.random.default_rng(seed), codes_of(counts, seed)
    sizes = rng.integers(1, 70, len(counts))
    rows = resampled_rows(rng, codes, sizes)
    assert (np.diff(rows) >= 0).all()
    np.testing.assert_array_equal(np.bincount(codes[rows], minlength=len(counts)), sizes)
    times = np.bincount(rows, minlength=len(codes))
    for c in range(len(counts)):
        assert np.ptp(times[codes == c]) <= 1


@quick
@given(class_counts, st.integers(0, 9))
def test_a_bootstrap_sample_keeps_the_class_sizes(counts, seed):
    codes = codes_of(counts, seed)
    rows = class_bootstrap(np.random.default_rng(seed), codes, len(counts))
    np.testing.assert_array_equal(np.bincount(codes[rows]), counts)


def test_rows_are_kept_in_proportion_to_their_costs_and_once_at_most():
    codes, cost = codes_of([40, 60]), np.linspace(0.5, 4, 100)
    rng, times, draws = np.random.default_rng(0), np.zeros(100), 4000
    for _ in range(draws):
        rows = kept_by_cost(rng, codes, 2, cost)
        assert (np.diff(rows) > 0).all()
        times[rows] += 1
    chance = cost / cost.max()
    error = np.sqrt(chance * (1 - chance) / draws)
    assert (np.abs(times / draws - chance) <= 5 * error + 1e-12).all()


@pytest.mark.parametrize("chance", [0.02, 1e-12])
def test_no_draw_lacks_a_class(chance):
    """Which row stands for a class of little weight follows its cost."""
    codes = np.r_[np.zeros(50, dtype=int), 1, 1, 1]
    cost = np.r_[np.ones(50), chance * np.array([1.0, 1.0, 2.0])]
    rng = np.random.default_rng(0)
    drawn = [kept_by_cost(rng, codes, 2, cost) for _ in range(300)]
    alone = np.array([rows[codes[rows] == 1][-1] for rows in drawn])
    assert all(np.bincount(codes[rows], minlength=2).all() for rows in drawn)
    assert abs((alone == 52).mean() - 0.5) < 5 * np.sqrt(0.25 / 300)


@pytest.mark.parametrize("chance", [0.02, 0.3, 1e-12])
def test_what_a_class_counts_in_draws_that_are_never_without_it(chance):
    """As often as its rows are kept, and not as their costs alone would have it."""
    codes = np.r_[np.zeros(50, dtype=int), 1, 1, 1]
    cost = np.r_[np.ones(50), chance * np.array([1.0, 1.0, 2.0])]
    rng = np.random.default_rng(0)
    drawn = np.array(
        [np.bincount(codes[kept_by_cost(rng, codes, 2, cost)], minlength=2) for _ in range(3000)]
    )
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert (np.abs(drawn.mean(axis=0) - drawn_weights(codes, 2, cost)) <= 4 * error + 1e-9).all()


def test_a_table_that_would_grow_beyond_reason_is_refused():
    with pytest.raises(PlanError, match="would make 5e"):
        resampled_sizes(np.array([50, 50]), np.array([1.0, 1e9]), "over")


@quick
@given(st.integers(0, 9), st.integers(1, 8), st.integers(2, 9))
def test_synthetic_rows_lie_between_rows_of_their_class(seed, k, few):
    rng = np.random.default_rng(seed)
    codes = np.r_[np.zeros(30, dtype=int), np.ones(few, dtype=int)]
    X = rng.normal(size=(30 + few, 3)) + 3 * codes[:, None]
    more, labels = with_synthetic_rows(X, codes, np.array([30, 40]), k, seed)
    np.testing.assert_array_equal(more[: len(X)], X)
    assert np.bincount(labels).tolist() == [30, 40]
    own = X[codes == 1]
    for row in more[len(X) :]:
        spans = own[None, :, :] - own[:, None, :]
        length = (spans**2).sum(axis=2)
        share = ((row - own[:, None, :]) * spans).sum(axis=2) / np.where(length > 0, length, 1)
        on_line = own[:, None, :] + np.clip(share, 0, 1)[:, :, None] * spans
        assert np.abs(on_line - row).max(axis=2).min() < 1e-9
    again, _ = with_synthetic_rows(X, codes, np.array([30, 40]), k, seed)
    np.testing.assert_array_equal(again, more)


def test_columns_of_two_values_keep_them_and_categories_stay_one_category():
    rng = np.random.default_rng(0)
    codes = np.r_[np.zeros(40, dtype=int), np.ones(12, dtype=int)]
    kind = rng.integers(0, 3, 52)
    X = np.column_stack([rng.normal(size=52), np.eye(3)[kind], rng.choice([2.0, 5.0], 52)])
    X[:, :1] += codes[:, None]
    more, _ = with_synthetic_rows(X, codes, np.array([40, 60]), 5, 1)
    new = more[52:]
    assert set(np.unique(new[:, 1:4])) == {0.0, 1.0}
    np.testing.assert_array_equal(new[:, 1:4].sum(axis=1), 1)
    assert set(np.unique(new[:, 4])) == {2.0, 5.0}


def test_a_single_member_is_copied_and_gaps_are_refused():
    X = np.arange(12.0).reshape(6, 2)
    codes = np.array([0, 0, 0, 0, 0, 1])
    more, labels = with_synthetic_rows(X, codes, np.array([5, 4]), 5, 0)
    np.testing.assert_array_equal(more[labels == 1], np.tile(X[5], (4, 1)))
    X[0, 0] = np.nan
    with pytest.raises(DataError, match="missing values"):
        with_synthetic_rows(X, codes, np.array([5, 4]), 5, 0)


def test_smote_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "imblearn.over_sampling", None)
    with pytest.raises(PlanError, match=r"pip install '.\[sampling\]'"):
        with_synthetic_rows(np.ones((4, 1)), np.arange(4) % 2, np.array([2, 4]), 5, 0)


@quick
@given(st.integers(2, 4), st.integers(0, 20))
def test_scales_there_and_back(C, seed):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(C), 7)
    costs = rng.uniform(0.5, 5, (C, C)) * (1 - np.eye(C))
    weights = class_weights(costs, C)
    np.testing.assert_allclose(weights, costs.sum(axis=0))
    charged = proba * weights / (proba * weights).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(natural_scale(charged, weights), proba, atol=1e-12)
    odds = natural_scale(charged, weights)[:, 1] / natural_scale(charged, weights)[:, 0]
    np.testing.assert_allclose(odds, charged[:, 1] / charged[:, 0] * weights[0] / weights[1])
    expansion = expansion_weights(costs, C)
    for k in range(C):
        for y in range(C):
            assert expansion[k, y] == pytest.approx(max(costs[:, y]) - costs[k, y])
    if np.linalg.cond(expansion) < 1e6:
        copies = proba @ expansion.T
        copies /= copies.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(before_expansion(copies, expansion), proba, atol=1e-8)


def test_classes_that_costs_do_not_tell_apart_share():
    costs = np.array([[0, 0, 4], [0, 0, 4], [1, 1, 0.0]])
    expansion = expansion_weights(costs, 3)
    proba = np.array([[0.5, 0.1, 0.4]])
    copies = proba @ expansion.T
    found = before_expansion(copies / copies.sum(), expansion)
    np.testing.assert_allclose(found, [[0.3, 0.3, 0.4]], atol=1e-12)
    np.testing.assert_allclose((found @ costs.T), (proba @ costs.T), atol=1e-12)


@quick
@given(st.integers(1, 6), st.booleans(), st.integers(0, 9))
def test_rows_are_judged_by_those_that_have_not_seen_them(members, oob, seed):
    rng = np.random.default_rng(seed)
    proba = [rng.dirichlet(np.ones(3), 8) for _ in range(members)]
    seen = [rng.random(8) < 0.6 for _ in range(members)]
    found = mean_judgement(proba, seen, oob)
    for i in range(8):
        own = [p[i] for p, s in zip(proba, seen, strict=True) if not (oob and s[i])]
        np.testing.assert_allclose(found[i], np.mean(own or [p[i] for p in proba], axis=0))

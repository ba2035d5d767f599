"""Rules that combine rankings, against plain loops, brute force and what they promise."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.selection._rank_aggregation import (
    AGGREGATION_RULES,
    aggregate_rankings,
    borda_points,
    leading_features,
    local_kemenization,
    mid_ranks,
    pairwise_preferences,
)

many = settings(max_examples=50, deadline=None)


@st.composite
def rankings(draw, most=6, levels=4, unlisted=True):
    """Scores (m, p) with ties and features left out, and weights (m,)."""
    m, p = draw(st.integers(2, 5)), draw(st.integers(1, most))
    values = st.integers(-1 if unlisted else 0, levels)
    rows = draw(st.lists(st.lists(values, min_size=p, max_size=p), min_size=m, max_size=m))
    scores = np.array(rows, dtype=np.float64)
    weights = draw(st.lists(st.integers(1, 4), min_size=m, max_size=m))
    return np.where(scores < 0, -np.inf, scores), np.array(weights, dtype=np.float64)


def plain_ranks(row):
    return [1 + sum(b > a for b in row) + (sum(b == a for b in row) - 1) / 2 for a in row]


def orders_of(row):
    """Every order that a ranking with ties allows, best first."""
    found = []
    for order in permutations(range(len(row))):
        if all(row[a] >= row[b] for a, b in pairwise(order)):
            found.append(order)
    return found


def plain_margin(a, b, scores, weights):
    """The weight of the rankings that put a before b, less that of those with b before a."""
    before = zip(scores, weights, strict=True)
    return sum(w * (int(row[a] > row[b]) - int(row[a] < row[b])) for row, w in before)


def plain_cost(order, scores, weights):
    return sum(
        w
        for a, b in combinations(order, 2)
        for row, w in zip(scores, weights, strict=True)
        if row[b] > row[a]
    )


@given(rankings())
@many
def test_ranks_are_those_of_plain_loops(given_):
    scores, _ = given_
    assert mid_ranks(scores).tolist() == [plain_ranks(row) for row in scores]


@given(rankings(most=5, unlisted=False), st.integers(1, 6))
@many
def test_points_are_the_mean_over_all_orders_that_the_ties_allow(given_, top):
    scores, _ = given_
    for own, row in zip(borda_points(scores, top), scores, strict=True):
        every = orders_of(row)
        expected = [
            np.mean([max(top - order.index(j), 0) for order in every]) for j in range(len(row))
        ]
        np.testing.assert_allclose(own, expected)
        p = len(row)
        assert own.sum() == pytest.approx(sum(max(top - k, 0) for k in range(p)))


@given(rankings(), st.integers(1, 6))
@many
def test_leading_features_have_places_up_to_top(given_, top):
    scores, _ = given_
    for own, row in zip(leading_features(scores, top), scores, strict=True):
        order = sorted(range(len(row)), key=lambda j: (-row[j], j))[:top]
        assert np.flatnonzero(own).tolist() == sorted(j for j in order if row[j] > -np.inf)


@given(rankings(unlisted=False), st.randoms(use_true_random=False))
@many
def test_the_kemeny_cost_is_never_above_that_of_the_start(given_, random):
    scores, weights = given_
    ranks = mid_ranks(scores)
    start = np.array(random.sample(range(scores.shape[1]), scores.shape[1]))
    found = local_kemenization(start, ranks, weights)
    assert sorted(found.tolist()) == sorted(start.tolist())
    cost = plain_cost(found.tolist(), scores, weights)
    assert cost <= plain_cost(start.tolist(), scores, weights)
    least = min(plain_cost(order, scores, weights) for order in permutations(start.tolist()))
    assert least <= cost
    for a, b in pairwise(found):  # no swap of neighbours lowers it
        assert plain_margin(b, a, scores, weights) <= 0
    np.testing.assert_array_equal(local_kemenization(found, ranks, weights), found)


@given(rankings(unlisted=False), st.randoms(use_true_random=False))
@many
def test_extended_condorcet_criterion(given_, random):
    """If all of a set beat all others by majority, the set comes first: a Condorcet winner too."""
    scores, weights = given_
    p = scores.shape[1]
    found = local_kemenization(
        np.array(random.sample(range(p), p)), mid_ranks(scores), weights
    ).tolist()
    for k in range(1, p):
        for ahead in combinations(range(p), k):
            rest = [j for j in range(p) if j not in ahead]
            if all(plain_margin(a, b, scores, weights) > 0 for a in ahead for b in rest):
                assert set(found[:k]) == set(ahead)


def test_local_kemenization_reaches_the_least_cost_where_majorities_are_transitive():
    ranks = np.array([[1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4]])
    for start in permutations(range(4)):
        found = local_kemenization(np.array(start), ranks, np.ones(3))
        assert found.tolist() == [0, 1, 2, 3]


def test_preferences_count_ties_for_neither_side():
    ranks = np.array([[1.0, 2.0], [1.5, 1.5], [2.0, 1.0]])
    assert pairwise_preferences(0, np.array([1]), ranks, np.array([3.0, 5.0, 1.0])).tolist() == [
        2.0
    ]


@given(rankings(most=8), st.integers(1, 8), st.sampled_from(AGGREGATION_RULES))
@many
def test_every_rule_is_that_of_plain_loops(given_, top, rule):
    scores, weights = given_
    p = scores.shape[1]
    found = aggregate_rankings(rule, scores, weights, top)
    mean = [
        sum(w * plain_ranks(row)[j] for row, w in zip(scores, weights, strict=True)) / weights.sum()
        for j in range(p)
    ]
    leading = leading_features(scores, top)
    votes = [weights[leading[:, j]].sum() for j in range(p)]
    np.testing.assert_allclose(found.mean_ranks, mean)
    np.testing.assert_allclose(found.votes, np.array(votes) / weights.sum())
    listed = [j for j in range(p) if (scores[:, j] > -np.inf).any()]
    assert np.flatnonzero(~np.isneginf(found.scores)).tolist() == listed
    points = (weights[:, None] * borda_points(scores, top)).sum(axis=0) / weights.sum()
    key = {
        "mean_rank": [(mean[j],) for j in range(p)],
        "borda": [(-points[j], mean[j]) for j in range(p)],
    }.get(rule, [(-votes[j], mean[j]) for j in range(p)])
    order = sorted(listed, key=lambda j: -found.scores[j])
    if rule != "kemeny":
        for a, b in pairwise(order):
            assert [round(x, 9) for x in key[a]] <= [round(x, 9) for x in key[b]]
    chosen = {
        "majority": sum(2 * v > weights.sum() for v in votes),
        "union": sum(v > 0 for v in votes),
        "intersection": sum(bool(leading[:, j].all()) for j in range(p)),
    }.get(rule)
    assert found.chosen == chosen
    if chosen:  # the set is what stands first
        kept = sorted(range(p), key=lambda j: (-found.scores[j], j))[:chosen]
        assert min(votes[j] for j in kept) > max(
            (votes[j] for j in range(p) if j not in kept), default=-1
        )


@given(rankings(most=8), st.integers(1, 8))
@many
def test_kemeny_orders_the_leading_features_and_leaves_the_rest_to_borda(given_, top):
    scores, weights = given_
    found, start = (
        aggregate_rankings(rule, scores, weights, top).scores for rule in ("kemeny", "borda")
    )
    p = scores.shape[1]
    order, before = (sorted(range(p), key=lambda j: (-s[j], j)) for s in (found, start))
    compared = leading_features(scores, top).any(axis=0)
    assert [j for j in order if not compared[j]] == [j for j in before if not compared[j]]
    n = int(compared.sum())
    assert set(order[:n]) == set(np.flatnonzero(compared))
    first = np.array([j for j in before if compared[j]], dtype=int)
    head = np.array(order[:n], dtype=int)
    assert plain_cost(head.tolist(), scores, weights) <= plain_cost(first.tolist(), scores, weights)
    for j in head:  # a Condorcet winner among what is compared
        if all(plain_margin(j, k, scores, weights) > 0 for k in head if k != j):
            assert head[0] == j


@given(rankings(most=8), st.integers(1, 8), st.sampled_from(AGGREGATION_RULES))
@many
def test_members_of_no_weight_have_no_say_and_only_shares_of_weight_matter(given_, top, rule):
    scores, weights = given_
    one = aggregate_rankings(rule, scores, weights, top)
    other = np.vstack([scores, np.arange(scores.shape[1], dtype=float)])
    two = aggregate_rankings(rule, other, np.append(4 * weights, 0.0), top)
    np.testing.assert_array_equal(one.scores, two.scores)
    assert one.chosen == two.chosen


@pytest.mark.parametrize("rule", AGGREGATION_RULES)
def test_equal_rankings_give_themselves(rule):
    scores = np.tile(np.array([0.3, 2.0, -1.0, 5.0, 0.3]), (3, 1))
    found = aggregate_rankings(rule, scores, np.ones(3), 2)
    assert np.argsort(-found.scores, kind="stable")[:2].tolist() == [3, 1]
    if rule not in ("borda",):
        assert np.argsort(-found.scores, kind="stable").tolist() == [3, 1, 0, 4, 2]

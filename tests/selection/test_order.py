"""Orders, ties and the paths cut from them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.selection._orders import cut_order, nested_ranking, order_of

# few distinct values, so that ties are the rule
SCORES = st.lists(
    st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 1.0, 1.0 + 1e-15, 2.0, np.inf]), max_size=30
).map(np.array)


def plain_order(scores):
    """Columns sorted by (score descending, column ascending)."""
    return sorted(range(len(scores)), key=lambda j: (-scores[j], j))


@settings(max_examples=200, deadline=None)
@given(SCORES)
def test_best_first_ties_to_the_lower_column(scores):
    assert order_of(scores).tolist() == plain_order(scores)


@settings(max_examples=200, deadline=None)
@given(SCORES, st.integers(-2, 40))
def test_a_partial_order_is_the_head_of_the_full_one(scores, most):
    assert order_of(scores, most).tolist() == plain_order(scores)[: max(most, 0)]


def test_a_partial_order_of_many_scores():
    scores = np.random.default_rng(0).integers(0, 500, 5000).astype(float)
    full = order_of(scores)
    for most in (1, 20, 499, 4999, 5000):
        assert np.array_equal(order_of(scores, most), full[:most])


def test_a_path_is_nested_and_a_size_past_the_end_gives_everything():
    order = np.array([3, 0, 2, 1])
    path = cut_order(order, [0, 1, 3, 9])
    assert {k: v.tolist() for k, v in path.items()} == {
        0: [],
        1: [3],
        3: [3, 0, 2],
        9: [3, 0, 2, 1],
    }


@settings(max_examples=100, deadline=None)
@given(SCORES, st.lists(st.integers(0, 40), max_size=4))
def test_the_ranking_of_scores(scores, sizes):
    ranking = nested_ranking(scores, sizes)
    assert set(ranking.path) == set(sizes)
    for size, columns in ranking.path.items():
        assert columns.tolist() == plain_order(scores)[:size]
    assert ranking.chosen is None


def test_columns_that_cannot_be_scored_come_last():
    ranking = nested_ranking(np.array([np.nan, -5.0, np.nan, 2.0]), [4])
    assert ranking.path[4].tolist() == [3, 1, 0, 2]
    assert ranking.scores.tolist() == [-np.inf, -5.0, -np.inf, 2.0]

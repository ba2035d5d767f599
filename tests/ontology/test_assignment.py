"""One-to-one mappings, against every mapping there is."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.ontology.assignment import assign_pairs

CASES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-1, 6)),
    max_size=9,
    unique_by=lambda row: row[:2],
).map(
    lambda rows: (
        np.array([r[:2] for r in rows], int).reshape(-1, 2),
        np.array([r[2] for r in rows], float),
    )
)


def one_to_one(rows):
    return all(len(set(side)) == len(side) for side in rows.T.tolist())


def greatest(rows, scores):
    """The largest sum of any one-to-one mapping."""
    at = np.flatnonzero(scores > 0)
    every = (list(c) for n in range(min(len(at), 5) + 1) for c in combinations(at, n))
    return max(scores[c].sum() for c in every if one_to_one(rows[c]))


@given(CASES)
@settings(max_examples=80)
def test_optimal_is_the_best_of_all_and_greedy_reaches_half(case):
    rows, scores = case
    best = greatest(rows, scores)
    for kind, least in (("optimal", best), ("greedy", best / 2)):
        stands = assign_pairs(rows, scores, kind)
        assert one_to_one(rows[stands])
        assert np.all(scores[stands] > 0)
        assert least <= scores[stands].sum() <= best
    assert np.array_equal(assign_pairs(rows, scores, "none"), scores > 0)


@given(CASES)
@settings(max_examples=40)
def test_greedy_takes_the_best_again_and_again(case):
    rows, scores = case
    left = sorted(np.flatnonzero(scores > 0), key=lambda k: (-scores[k], *rows[k]))
    chosen = []
    while left:
        best = left[0]
        chosen.append(best)
        left = [k for k in left if not (rows[k] == rows[best]).any()]
    assert np.flatnonzero(assign_pairs(rows, scores, "greedy")).tolist() == sorted(chosen)


def test_ties_and_nothing():
    rows = np.array([[0, 0], [0, 1], [0, 2]])
    assert assign_pairs(rows, np.ones(3)).tolist() == [True, False, False]
    for turned in (rows, rows[:, ::-1]):  # of as good pairs with one class the first
        assert assign_pairs(2 + turned[1:], np.ones(2)).tolist() == [True, False]
    assert assign_pairs(rows[:0], np.zeros(0)).tolist() == []
    assert not assign_pairs(rows, np.zeros(3)).any()


def test_two_good_pairs_are_better_than_the_best_alone():
    """Two of each side, all joined; beside them a pair of its own, and one that is not worth it."""
    rows = np.array([[0, 0], [0, 1], [1, 0], [5, 6], [7, 8]])
    scores = np.array([1.0, 0.8, 0.7, 0.1, 0.0])
    assert assign_pairs(rows, scores).tolist() == [False, True, True, True, False]
    assert assign_pairs(rows, scores, "greedy").tolist() == [True, False, False, True, False]
    assert assign_pairs(rows, scores, "none").tolist() == [True] * 4 + [False]
    scores[0] = 1.6  # more than both others
    assert assign_pairs(rows, scores).tolist() == [True, False, False, True, False]


@pytest.mark.parametrize(("n", "size"), [(60, 70), (800, 2400)])
def test_many_pairs_take_little_memory(n, size):
    """Stars, single pairs and a component with a circle; one component that has nearly all."""
    rng = np.random.default_rng(0)
    many = np.unique(rng.integers(n, size=(size, 2)), axis=0)
    scores = rng.random(len(many))
    table = np.zeros((n, n))
    table[tuple(many.T)] = scores
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    tracemalloc.start()
    stands = assign_pairs(many, scores)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert one_to_one(many[stands])
    assert scores[stands].sum() == pytest.approx(best)
    assert peak < 2e6


def test_an_unknown_kind():
    with pytest.raises(PlanError, match=r"^assignment = 'best': give one of .*optimal"):
        assign_pairs(np.zeros((0, 2), int), np.zeros(0), "best")

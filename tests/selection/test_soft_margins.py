"""What the distance between classes says of soft margins, on random finite metric spaces."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from common.examples import settings
from tamis.kernels.transport import transport_cost
from tamis.selection._soft_margins import (
    capped_distance,
    guaranteed_margin_error,
    largest_margin_bound,
    least_margin_error,
    margin_error_bound,
)

NEAR = 1e-9  # rounding; distances and margins are whole, so that comparisons are exact


@st.composite
def spaces(draw, most=9):
    """A metric space of whole distances, with a class of every point and a margin."""
    y = np.array([0, 1, *draw(st.lists(st.integers(0, 1), max_size=most - 2))])
    n = len(y)
    edges = draw(st.lists(st.integers(0, 12), min_size=n * n, max_size=n * n))
    lengths = np.array(edges, dtype=float).reshape(n, n)
    apart = np.minimum(lengths, lengths.T)
    np.fill_diagonal(apart, 0)
    for k in range(n):  # the shortest way between any two (Floyd and Warshall)
        apart = np.minimum(apart, apart[:, [k]] + apart[k])
    return apart, y, draw(st.integers(1, 7)) * 2


def between(apart, y):
    return apart[np.ix_(y == 0, y == 1)]


def margin_errors(f, y, margin):
    """Share of margin errors, both classes weighing the same."""
    wrong = np.where(y == 1, f < margin / 2, f > -margin / 2)
    return (wrong[y == 0].mean() + wrong[y == 1].mean()) / 2


def extended(apart, known, values):
    """The largest 1-Lipschitz function with these values at the known points (McShane 1934)."""
    return (apart[:, known] + values).min(axis=1)


@settings(max_examples=50)
@given(spaces(), st.data())
def test_no_classifier_is_better_than_the_bounds(space, data):
    """Statement 1, as corrected, for random 1-Lipschitz classifiers."""
    apart, y, margin = space
    values = data.draw(st.lists(st.integers(-12, 12), min_size=len(y), max_size=len(y)))
    f = extended(apart, np.arange(len(y)), np.array(values, dtype=float))
    assert (np.abs(f[:, None] - f) <= apart).all()
    delta = margin_errors(f, y, margin)
    D = between(apart, y)
    capped = capped_distance(D, margin)
    assert transport_cost(D) >= margin * (1 - 2 * delta) - NEAR
    assert capped >= margin * (1 - 2 * delta) - NEAR
    assert delta >= least_margin_error(D, margin) - NEAR


@settings(max_examples=50)
@given(spaces())
def test_the_classifier_that_is_promised_exists(space):
    """Statement 2: the function that attains W(eps), moved to the middle, is one."""
    apart, y, margin = space
    n, D = len(y), between(apart, y)
    capped = capped_distance(D, margin)
    weights = np.where(y == 1, 1 / (y == 1).sum(), -1 / (y == 0).sum())
    i, j = np.nonzero(~np.eye(n, dtype=bool))
    A = np.zeros((len(i), n))
    A[range(len(i)), i], A[range(len(i)), j] = 1, -1
    limits = np.minimum(apart[i, j], margin)
    found = linprog(-weights, A_ub=A, b_ub=limits, bounds=(0, margin), method="highs-ds")
    assert -found.fun == pytest.approx(capped, abs=1e-7)  # Kantorovich and Rubinstein
    f = np.rint(found.x) - margin / 2  # the program is that of a network: vertices are whole
    assert (np.abs(f[:, None] - f) <= np.minimum(apart, margin)).all()
    promised = 1.5 * (1 - capped / margin)
    assert margin_errors(f, y, margin / 3) <= promised + NEAR
    assert least_margin_error(D, margin / 3) <= guaranteed_margin_error(capped, margin) + NEAR


@settings(max_examples=50)
@given(spaces(most=7))
def test_the_least_share_is_that_of_the_best_set_of_samples(space):
    """Every set of samples that a 1-Lipschitz function can have right, one after the other."""
    apart, y, margin = space
    best, kept = 0.5, np.flatnonzero(y == 0)
    for right in map(np.array, product([False, True], repeat=len(y))):
        if (apart[np.ix_(right & (y == 0), right & (y == 1))] >= margin).all():
            share = 1 - (right[y == 0].mean() + right[y == 1].mean()) / 2
            if share < best:
                best, kept = share, np.flatnonzero(right)
    found = least_margin_error(between(apart, y), margin)
    assert found == pytest.approx(best, abs=NEAR)
    f = extended(apart, kept, np.where(y[kept] == 1, margin / 2, -margin / 2))
    assert (np.abs(f[:, None] - f) <= apart).all()
    assert margin_errors(f, y, margin) == pytest.approx(best, abs=NEAR)


@settings(max_examples=50)
@given(spaces())
def test_the_bounds_enclose_the_least_share(space):
    apart, y, margin = space
    D = between(apart, y)
    capped, least = capped_distance(D, margin), least_margin_error(D, margin)
    assert 0 <= margin_error_bound(transport_cost(D), margin) <= least + NEAR
    assert margin_error_bound(capped, margin) <= least + NEAR
    assert least <= 0.5 + NEAR


@pytest.mark.parametrize("delta", [0.0, 0.1, 0.25, 0.5])
def test_one_minus_two_delta_is_reached_and_the_printed_one_minus_delta_fails(delta):
    """A share 2 delta of class 0 lies on class 1, the rest at a distance of eps."""
    margin, n = 0.5, 20
    at = np.concatenate([np.arange(n) < round(2 * delta * n), np.ones(n, dtype=bool)]) * margin
    y, f = np.repeat([0, 1], n), at - margin / 2
    apart = np.abs(at[:, None] - at)
    assert margin_errors(f, y, margin) == pytest.approx(delta)
    found = transport_cost(between(apart, y))
    assert found == pytest.approx(margin * (1 - 2 * delta))
    assert (found >= margin * (1 - delta) - NEAR) == (delta == 0)  # as printed in the source


def test_the_least_share_may_be_the_bound():
    """Two points: the share that lies on the other class is all there is to lose."""
    D = np.array([[0.5, 0.5], [0.0, 0.0]])
    assert least_margin_error(D, 0.5) == 0.25 == margin_error_bound(capped_distance(D, 0.5), 0.5)


def test_a_margin_beyond_the_bound_is_not_possible():
    rng = np.random.default_rng(0)
    points = rng.random((30, 2)) / 2
    D = np.abs(points[:12, None] - points[12:]).sum(axis=2)
    for delta in (0.0, 0.1, 0.3):
        above = float(largest_margin_bound(transport_cost(D), delta)) * 1.001
        assert least_margin_error(D, above) > delta

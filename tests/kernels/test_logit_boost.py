"""LogitBoost with stumps against a plain loop that tries every split."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.logit_boost import (
    ANY_VALUE,
    Stumps,
    boost_stumps,
    presort_columns,
    staged_scores,
)


def plain_probabilities(F):
    """Friedman, Hastie & Tibshirani: of two classes F of the latter, else one for each."""
    if F.shape[1] == 1:
        p = 1 / (1 + np.exp(-2 * F[:, 0]))
        return np.column_stack([1 - p, p])
    return np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)


def plain_splits(x, levels):
    """Sides (n,) of every split of a column: 0, 1, and 2 for missing."""
    known = ~np.isnan(x)
    if levels:
        cuts = [np.where(x == level, 0, 1) for level in range(levels)]
    else:
        values = np.unique(x[known])
        cuts = [np.where(x <= (a + b) / 2, 0, 1) for a, b in pairwise(values)]
    cuts = [np.where(known, cut, 2) for cut in cuts]
    cuts = [cut for cut in cuts if (cut == 0).any() and (cut == 1).any()]
    present = np.where(known, 0, 2)
    return [*cuts, present] if known.any() and not known.all() else cuts


def plain_stump(X, levels, z, w):
    """What the best stump says of each row: weighted means of z on its sides."""
    best, answer = np.inf, np.full(len(z), np.average(z, weights=w))
    for j in range(X.shape[1]):
        for sides in plain_splits(X[:, j], levels[j]):
            f = np.empty(len(z))
            for side in np.unique(sides):
                f[sides == side] = np.average(z[sides == side], weights=w[sides == side])
            error = (w * (z - f) ** 2).sum()
            if error < best - 1e-9 * abs(error):
                best, answer = error, f
    return answer


def plain_boost(X, levels, y, weights, C, rounds, limit=3.0):
    """F after each round."""
    columns = [1] if C == 2 else range(C)
    F, out = np.zeros((len(y), len(columns))), []
    for _ in range(rounds):
        p = plain_probabilities(F)
        f = np.empty_like(F)
        for k, c in enumerate(columns):
            own = y == c
            z = np.where(own, np.minimum(1 / p[:, c], limit), -np.minimum(1 / (1 - p[:, c]), limit))
            w = weights * (own - p[:, c]) / z
            f[:, k] = plain_stump(X, levels, z, w)
        F = F + (f / 2 if C == 2 else (C - 1) / C * (f - f.mean(axis=1, keepdims=True)))
        out.append(F)
    return np.array(out)


@st.composite
def problems(draw, holes=True):
    """Small tables with ties, categories, missing values and weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p, C = draw(st.integers(6, 40)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    y = rng.permutation(np.arange(n) % C)
    levels = rng.choice([0, 0, 2, 4], p)
    X = y[:, None] * rng.choice([0, 1], p) + 2 * rng.random((n, p))
    X = np.where(levels, np.minimum(np.floor(X), np.maximum(levels - 1, 0)), np.round(X, 1))
    if holes and draw(st.booleans()):
        X[rng.random((n, p)) < 0.15] = np.nan
    weights = rng.choice([0.5, 1.0, 2.0], n) if draw(st.booleans()) else np.ones(n)
    return X, levels.astype(np.int64), y, weights, C


def fitted(X, levels, y, weights, C, rounds, limit=3.0):
    return Stumps(*boost_stumps(presort_columns(X, levels), y, weights, C, rounds, limit))


def scores(stumps, X, levels, stages):
    out = np.empty((len(stages), len(X), stumps.feature.shape[1]))
    staged_scores(stumps, levels, np.ascontiguousarray(X.T), np.asarray(stages), out)
    return out


@settings(max_examples=60, deadline=None)
@given(problems())
def test_scores_are_those_of_the_plain_loop(problem):
    """Two splits may tell the rows equally well; later rounds then may differ."""
    X, levels, y, weights, C = problem
    expected = plain_boost(X, levels, y, weights, C, 3)
    found = scores(fitted(*problem, 3), X, levels, [1, 2, 3])

    def loss(F):
        own = plain_probabilities(F)[np.arange(len(y)), y]
        return -(weights * np.log(own)).sum()

    if not np.allclose(found, expected, atol=1e-9):
        first = next(r for r in range(3) if not np.allclose(found[r], expected[r], atol=1e-9))
        before = expected[first - 1] if first else np.zeros_like(expected[0])
        assert tied(X, levels, y, weights, C, before, found[first] - before)
    else:
        assert loss(found[2]) == pytest.approx(loss(expected[2]))


def tied(X, levels, y, weights, C, F, step):
    """Whether another step's stumps are as good as the plain ones (two classes), or may be."""
    if C > 2:
        return True
    p = plain_probabilities(F)[:, 1]
    z = np.where(y == 1, np.minimum(1 / p, 3), -np.minimum(1 / (1 - p), 3))
    w = weights * (y - p) / z
    best = plain_stump(X, levels, z, w)
    error, other = ((w * (z - f) ** 2).sum() for f in (best, 2 * step[:, 0]))
    return bool(np.isclose(error, other, rtol=1e-9))


@pytest.mark.parametrize("value", [1.0, np.nan])
def test_without_two_values_anywhere_every_row_is_told_the_mean(value):
    X, y = np.full((6, 1), value), np.array([0, 1, 1, 1, 0, 0])
    levels, weights = np.array([0]), np.array([1.0, 1, 1, 1, 1, 3])
    found = scores(fitted(X, levels, y, weights, 2, 1), X, levels, [1])
    np.testing.assert_allclose(found, (3 - 5) / 8, atol=1e-12)


@pytest.mark.parametrize(("levels", "value"), [(0, 3.5), (1, 0.0), (2, 1.0)])
def test_whether_a_value_is_there_is_a_stump(levels, value):
    """A flag of yes or nothing that is the class itself, as a number and as a category."""
    y = np.array([0, 1, 1, 1, 0, 0, 1, 0])
    X = np.where(y == 1, value, np.nan)[:, None]
    levels, weights = np.array([levels]), np.ones(8)
    stumps = fitted(X, levels, y, weights, 2, 2)
    found = scores(stumps, X, levels, [2])
    assert (found[0, y == 1] > 0.5).all()
    assert (found[0, y == 0] < -0.5).all()
    assert (stumps.split == ANY_VALUE).all()


def test_most_random_tables_are_the_plain_loop_to_the_last_round():
    """Values without ties, several classes too: there no two splits are equal."""
    for seed, C in enumerate([2, 3, 4, 2, 3, 4]):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, C, 60)
        y[:C] = np.arange(C)
        X = rng.normal(size=(60, 4)) + 0.7 * y[:, None] * [1, 0, 1, 0]
        X[:, 3] = rng.integers(0, 3, 60)
        X[rng.random((60, 4)) < 0.1] = np.nan
        levels, weights = np.array([0, 0, 0, 3]), rng.uniform(0.5, 2, 60)
        found = scores(fitted(X, levels, y, weights, C, 12), X, levels, range(1, 13))
        expected = plain_boost(X, levels, y, weights, C, 12)
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


@settings(max_examples=40, deadline=None)
@given(problems())
def test_a_prefix_is_the_shorter_fit(problem):
    X, levels, *_ = problem
    long, short = fitted(*problem, 9), fitted(*problem, 4)
    for one, other in zip(long, short, strict=True):
        np.testing.assert_array_equal(one[: len(other)], other)
    staged = scores(long, X, levels, [2, 4, 9, 50])
    np.testing.assert_array_equal(staged[1], scores(short, X, levels, [4])[0])
    np.testing.assert_array_equal(staged[3], staged[2])  # there are no more rounds


@settings(max_examples=40, deadline=None)
@given(problems(), st.integers(0, 1000))
def test_weights_are_repeated_rows(problem, seed):
    X, levels, y, _, C = problem
    times = np.random.default_rng(seed).integers(1, 4, len(y))
    weighted = fitted(X, levels, y, times.astype(float), C, 1)
    rows = np.repeat(np.arange(len(y)), times)
    repeated = fitted(X[rows], levels, y[rows], np.ones(len(rows)), C, 1)
    for one, other in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_rows_beyond_doubt_end_the_rounds_and_stay_numbers():
    y = np.arange(20) % 2
    X = y[:, None].astype(float)
    table = presort_columns(X, np.zeros(1, dtype=np.int64))
    stumps = Stumps(*boost_stumps(table, y, np.ones(20), 2, 5000, 3.0))
    assert 100 < len(stumps.feature) < 5000
    found = scores(stumps, X, np.zeros(1, dtype=np.int64), [len(stumps.feature)])
    assert np.isfinite(found).all()
    assert ((found[0, :, 0] > 0) == y).all()


def test_a_column_that_says_nothing_gives_the_mean():
    y = np.array([0, 0, 0, 1])
    found = fitted(np.ones((4, 1)), np.zeros(1, dtype=np.int64), y, np.ones(4), 2, 1)
    np.testing.assert_allclose(found.values, -1.0)  # mean of z = -2, -2, -2, 2, weights equal

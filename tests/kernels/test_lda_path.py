"""lda_path against scikit-learn's LDA, size by size, and where it must stop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from common.examples import settings
from tamis.kernels.lda_path import lda_path


def problem(seed, n_classes=2, n=60, K=12, m=15, shift=1.0, scales=None):
    """Correlated normal columns with class means apart; every class has two rows or more."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(n_classes), 2), rng.integers(0, n_classes, n)])[:n]
    mix = np.eye(K) + 0.3 * rng.normal(size=(K, K)) / np.sqrt(K)
    centres = shift * rng.normal(size=(n_classes, K))
    train = rng.normal(size=(n, K)) @ mix + centres[y]
    test = rng.normal(size=(m, K)) @ mix + centres[rng.integers(0, n_classes, m)]
    if scales is not None:
        train, test = train * scales, test * scales
    return train, y, test


def plain_path(train, y, test, sizes, priors):
    """scikit-learn, one size at a time, with every direction between the means: it leaves out those
    below 1e-4 of the largest, which the formula does not."""
    out = []
    for k in sizes:
        lda = LinearDiscriminantAnalysis(solver="svd", priors=priors, tol=1e-10)
        out.append(lda.fit(train[:, :k], y).predict_proba(test[:, :k]))
    return np.array(out)


def shares(y):
    return np.bincount(y) / len(y)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(1, 12), st.booleans(), st.floats(0, 2), st.integers(0, 10**6))
def test_equals_scikit_learn_at_every_size(n_classes, K, equal, shift, seed):
    train, y, test = problem(seed, n_classes, K=K, shift=shift)
    sizes = list(range(1, K + 1))
    priors = np.full(n_classes, 1 / n_classes) if equal else shares(y)
    proba, sound = lda_path(train, y, test, sizes, priors)
    slow = plain_path(train, y, test, sizes, priors)
    assert sound == K
    np.testing.assert_allclose(proba, slow, rtol=0, atol=1e-8)
    assert np.array_equal(proba.argmax(axis=2), slow.argmax(axis=2))


def test_sizes_may_leave_gaps():
    train, y, test = problem(1, 3)
    every, _ = lda_path(train, y, test, list(range(1, 13)), shares(y))
    some, sound = lda_path(train, y, test, [2, 5, 11], shares(y))
    assert sound == 3
    np.testing.assert_allclose(some, every[[1, 4, 10]], rtol=0, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(-8, 8), st.floats(-1e6, 1e6))
def test_neither_units_nor_origin_of_a_column_matter(seed, exponent, origin):
    train, y, test = problem(seed, 3, K=6)
    sizes = [1, 3, 6]
    before, _ = lda_path(train, y, test, sizes, shares(y))
    rng = np.random.default_rng(seed)
    unit = 10.0 ** (exponent * rng.random(6))
    after, sound = lda_path(train * unit, y, test * unit, sizes, shares(y))
    assert sound == 3
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-9)
    after, sound = lda_path(train + origin, y, test + origin, sizes, shares(y))
    assert sound == 3
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-8)


def test_rows_one_by_one_equal_the_batch():
    train, y, test = problem(2, 4)
    sizes = [1, 4, 12]
    batch, _ = lda_path(train, y, test, sizes, shares(y))
    rows = [lda_path(train, y, row[None], sizes, shares(y))[0][:, 0] for row in test]
    np.testing.assert_allclose(np.stack(rows, axis=1), batch, rtol=0, atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 7),
    st.sampled_from(["duplicate", "scaled", "sum", "constant", "within", "class"]),
    st.integers(0, 10**6),
)
def test_stops_before_the_first_singular_size(at, kind, seed):
    """Columns 0..at-1 are fine, column `at` adds nothing to the covariance or repeats it."""
    rng = np.random.default_rng(seed)
    train, y, test = problem(seed, 3, K=8)
    if kind == "duplicate":
        train[:, at] = train[:, 0]
    elif kind == "scaled":
        train[:, at] = 3 - 0.1 * train[:, at - 1]
    elif kind == "sum":
        train[:, at] = train[:, :at] @ rng.uniform(0.5, 2, at)
    elif kind == "constant":
        train[:, at] = rng.normal()
    elif kind == "within":
        train[:, at] = rng.normal(size=3)[y]
    else:
        train[:, at] = y == 1
    sizes = list(range(1, 9))
    proba, sound = lda_path(train, y, test, sizes, shares(y))
    assert sound == at
    slow = plain_path(train[:, :at], y, test, sizes[:at], shares(y))
    np.testing.assert_allclose(proba[:at], slow, rtol=0, atol=1e-8)
    assert np.isnan(proba[at:]).all()


def test_a_constant_first_column_serves_no_size():
    train, y, test = problem(3)
    train[:, 0] = 0.1
    proba, sound = lda_path(train, y, test, [1, 2, 3], shares(y))
    assert sound == 0
    assert np.isnan(proba).all()
    # sizes that jump over it are no better
    assert lda_path(train, y, test, [5, 9], shares(y))[1] == 0


@pytest.mark.parametrize("n_classes", [2, 3])
def test_no_size_above_the_rank_within_classes(n_classes):
    train, y, test = problem(4, n_classes, n=14, K=30)
    rank = 14 - n_classes
    proba, sound = lda_path(train, y, test, list(range(1, 31)), shares(y))
    assert 0 < sound <= rank
    assert np.isfinite(proba[:sound]).all()
    assert np.isnan(proba[sound:]).all()
    np.testing.assert_allclose(proba[:sound].sum(axis=2), 1, rtol=1e-12)
    low = lda_path(train, y, test, [1, 3, 6], shares(y))
    np.testing.assert_allclose(proba[[0, 2, 5]], low[0], rtol=0, atol=1e-12)
    assert lda_path(train, y, test, [rank + 1, 30], shares(y))[1] == 0


def test_nearly_collinear_columns_are_left_to_the_other_route():
    train, y, test = problem(5)
    noise = np.random.default_rng(6).normal(size=len(train))
    for size, expected in ((1e-5, 4), (1e-2, 12)):
        copy = train.copy()
        copy[:, 4] = train[:, 1] + size * noise
        assert lda_path(copy, y, test, list(range(1, 13)), shares(y))[1] == expected


def test_far_points_keep_probabilities_finite():
    train, y, test = problem(7, 3)
    proba, sound = lda_path(train, y, 1e6 * test, [1, 12], shares(y))
    assert sound == 2
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=2), 1, rtol=1e-12)


def test_inputs_are_left_alone_and_nothing_to_predict_is_no_error():
    train, y, test = problem(8)
    copies = train.copy(), test.copy()
    lda_path(train, y, test, [2, 4], shares(y))
    assert np.array_equal(train, copies[0])
    assert np.array_equal(test, copies[1])
    assert lda_path(train, y, test[:0], [2, 4], shares(y))[0].shape == (2, 0, 2)

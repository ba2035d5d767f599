"""wilcoxon against scipy's Mann-Whitney and Kruskal-Wallis, column by column."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from common.examples import settings
from tamis._core.errors import DataError
from tamis.selection import FilterSelector, wilcoxon
from tamis.selection._parts import TrainingParts
from tamis.selection._wilcoxon import wilcoxon_parts


def table(seed, n_classes=2, p=9, holes=0.0):
    """Unequal classes, columns with many, some and no ties, and a constant one."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(n_classes), rng.integers(2, 14, n_classes)))
    X = rng.normal(size=(len(y), p)) + rng.random(p) * y[:, None]
    X[:, 1] = np.round(X[:, 1])
    X[:, 2] = X[:, 2] > 0
    X[:, 3] = 0.1
    X[rng.random(X.shape) < holes] = np.nan
    return X, y


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.2]))
def test_two_classes_equal_mann_whitney(seed, holes):
    X, y = table(seed, holes=holes)
    z, p = wilcoxon(X, y)
    for j in range(X.shape[1]):
        seen = ~np.isnan(X[:, j])
        a, b = X[seen & (y == 1), j], X[seen & (y == 0), j]
        if not len(a) or not len(b):
            assert np.isnan(z[j])
            assert np.isnan(p[j])
            continue
        expected = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=True)
        np.testing.assert_allclose(p[j], expected.pvalue, rtol=1e-12, atol=0)
        # without the correction scipy's p is that of our z
        plain = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False).pvalue
        if X[seen, j].min() < X[seen, j].max():
            np.testing.assert_allclose(2 * stats.norm.sf(abs(z[j])), plain, rtol=1e-10)
            assert np.sign(z[j]) == np.sign(expected.statistic - len(a) * len(b) / 2)
        else:
            assert (z[j], p[j]) == (0, 1)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 5), st.sampled_from([0.0, 0.2]))
def test_more_classes_equal_kruskal(seed, n_classes, holes):
    X, y = table(seed, n_classes, holes=holes)
    h, p = wilcoxon(X, y)
    for j in range(X.shape[1]):
        groups = [X[(y == c) & ~np.isnan(X[:, j]), j] for c in range(n_classes)]
        groups = [g for g in groups if len(g)]
        values = np.concatenate([*groups, []])
        if len(groups) < 2:
            assert np.isnan(h[j])
        elif values.min() == values.max():
            assert (h[j], p[j]) == (0, 1)
        else:
            expected = stats.kruskal(*groups)
            np.testing.assert_allclose(h[j], expected.statistic, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(p[j], expected.pvalue, rtol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_ranks_are_all_that_matters_and_the_sign_turns_with_the_labels(seed):
    X, y = table(seed)
    z, p = wilcoxon(X, y)
    assert np.array_equal(wilcoxon(np.exp(X / 4), y)[0], z)
    turned = wilcoxon(X, 1 - y)
    assert np.array_equal(turned[0], -z)
    assert np.array_equal(turned[1], p)
    assert np.array_equal(wilcoxon(-X, y)[0], -z)
    # two classes by the formula for several: H is z squared
    h = wilcoxon(np.vstack([X, X[:1] * np.nan]), np.append(y, 2))[0]
    np.testing.assert_allclose(h, z**2, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_parts_have_the_bits_of_their_own_matrix(n_classes):
    rng = np.random.default_rng(1)
    y = np.arange(40) % n_classes
    X = np.round(rng.normal(size=(40, 80)) + y[:, None], 1)
    X[rng.random(X.shape) < 0.01] = np.nan
    rows = [np.setdiff1d(np.arange(40), np.arange(k, 40, 7)) for k in range(5)]
    parts = TrainingParts(X, y, rows)
    together = wilcoxon_parts(parts)
    for k in range(5):
        assert np.array_equal(together[k], wilcoxon(parts.matrix(k), y[rows[k]])[0])


def test_the_largest_gap_ranks_first():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40, 20)), np.arange(40) % 2
    X[:, 5] -= 3 * y
    X[:, 9] += 2 * y
    ranking = FilterSelector("wilcoxon").fit(X, y).ranking_
    assert np.argsort(ranking)[:2].tolist() == [5, 9]


def test_one_class_is_refused():
    with pytest.raises(DataError, match="only one class"):
        wilcoxon(np.ones((3, 2)), [1, 1, 1])


def test_no_warnings_from_odd_columns():
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [2.0, 3.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        z, p = wilcoxon(X, [0, 1, 1])
    assert z[0] == 1
    assert p[0] == 1
    assert np.isnan([z[1], p[1]]).all()

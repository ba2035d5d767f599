"""Filters from counts of values by class: what they are of the columns themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.tables import CountedTable
from tamis.data.counted import part_counts
from tamis.kernels.counted import add_atoms, counted_medians
from tamis.kernels.medians import column_medians, impute_medians
from tamis.selection import chi2, mtd, mutual_information, trend
from tamis.selection._chi2 import chi2_counts
from tamis.selection._moments import class_moments, moments_of_counts
from tamis.selection._mtd import mtd_counts
from tamis.selection._mutual_information import information_counts
from tamis.selection._trend import trend_counts


def drawn(seed, n=40, p=30, n_classes=2, missing=0.1):
    """Values 0 to 2, NaN for missing, and classes that all occur; some columns constant, some
    without any value."""
    rng = np.random.default_rng(seed)
    X = rng.binomial(2, rng.uniform(0.02, 0.98, p), (n, p)).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    X[:, 0], X[:, 1], X[:, 2] = np.nan, 1.0, np.where(np.isnan(X[:, 2]), np.nan, 2.0)
    y = rng.permutation(np.arange(n) % n_classes)
    return X, y


def counts_of(X, y, n_classes, n_values=3):
    """By the definition, column by column."""
    found = np.zeros((X.shape[1], n_classes, n_values + 1), dtype=np.int64)
    for j in range(X.shape[1]):
        for value, code in zip(X[:, j], y, strict=True):
            found[j, code, n_values if np.isnan(value) else int(value)] += 1
    return found


class Counting(CountedTable):
    """A matrix that counts its own values, three columns at a time."""

    n_values = 3

    def __init__(self, X):
        self.X = X

    @property
    def shape(self):
        return self.X.shape

    def counts(self, groups, n_groups):
        kept = groups >= 0
        for start in range(0, self.shape[1], 3):
            block = self.X[kept, start : start + 3]
            at = slice(start, start + block.shape[1])
            yield at, counts_of(block, groups[kept], n_groups).astype(np.int32)


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_scores_from_counts_are_those_of_the_columns_to_the_bit(seed, n_classes):
    X, y = drawn(seed, n_classes=n_classes)
    counts = counts_of(X, y, n_classes)
    np.testing.assert_array_equal(mtd_counts(counts), mtd(X, y, discrete_features=True))
    expected = mutual_information(X, y, discrete_features=True)
    np.testing.assert_array_equal(information_counts(counts), expected)
    for ours, theirs in zip(chi2_counts(counts), chi2(X, y), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    statistics, p_values = trend_counts(counts)
    expected, p_expected = trend(X, y)
    np.testing.assert_allclose(statistics, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(p_values, p_expected, atol=1e-6)  # steep at a statistic of 0


@given(st.integers(0, 10_000))
def test_a_trend_from_counts_is_the_same_whichever_allele_is_counted(seed):
    counts = counts_of(*drawn(seed), 2)
    turned = counts[:, :, [2, 1, 0, 3]]
    np.testing.assert_allclose(trend_counts(turned)[0], trend_counts(counts)[0], rtol=1e-12)


@given(st.integers(0, 10_000), st.integers(2, 3))
def test_moments_from_counts_are_those_of_filled_columns(seed, n_classes):
    X, y = drawn(seed, n_classes=n_classes)
    counts = counts_of(X, y, n_classes)
    np.testing.assert_array_equal(counted_medians(counts), column_medians(X))
    impute_medians(X, np.arange(X.shape[1]))
    expected, found = class_moments(X, y), moments_of_counts(counts)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_allclose(found.means, expected.means, atol=1e-12)
    np.testing.assert_allclose(found.squares, expected.squares, atol=1e-10)


@given(st.integers(0, 10_000), st.booleans())
def test_counts_of_parts_are_those_of_their_rows(seed, folds):
    X, y = drawn(seed)
    rng = np.random.default_rng(seed)
    inside = rng.random((4, len(y))) < 0.7
    if folds:
        inside = rng.integers(0, 4, len(y)) != np.arange(4)[:, None]
    parts = [np.flatnonzero(rows) for rows in inside]
    found = list(part_counts(Counting(X), y, parts, 2))
    assert [at.start for at, _ in found] == list(range(0, X.shape[1], 3))
    for k, rows in enumerate(parts):
        own = np.concatenate([counts[k] for _, counts in found])
        np.testing.assert_array_equal(own, counts_of(X[rows], y[rows], 2))


def test_repeated_splits_do_not_count_each_row_by_itself(monkeypatch):
    """Of many splits each row has a pattern of its own."""
    X, y = drawn(3, n=60)
    rng = np.random.default_rng(0)
    parts = [np.sort(rng.permutation(60)[:40]) for _ in range(10)]
    asked = []
    count = Counting.counts
    monkeypatch.setattr(Counting, "counts", lambda s, g, k: asked.append(k) or count(s, g, k))
    for _, counts in part_counts(Counting(X), y, parts, 2):
        assert counts.dtype == np.int64
    assert asked == [2] * 10


def test_rows_in_no_part_are_not_counted():
    X, y = drawn(3)
    rows = np.arange(10)
    before = [counts.copy() for _, counts in part_counts(Counting(X), y, [rows], 2)]
    X[10:], y[10:] = 2.0, 1 - y[10:]
    after = [counts for _, counts in part_counts(Counting(X), y, [rows], 2)]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_atoms_add_up(n_classes):
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 50, (7, 4 * n_classes, 4)).astype(np.int32)
    member = rng.random((5, 4)) < 0.5
    by_atom = counts.reshape(7, 4, n_classes, 4)
    expected = np.einsum("ka,macv->kmcv", member.astype(int), by_atom)
    np.testing.assert_array_equal(add_atoms(counts, member, n_classes), expected)

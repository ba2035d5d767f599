"""FilterSelector: a part ranked among many equals the part ranked alone, for every filter."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import PlanError
from tamis._core.interfaces import Part
from tamis.selection import FilterSelector, fold_change, mtd, pearson, welch_t
from tamis.selection._filters import FILTERS
from tamis.selection._parts import TrainingParts, impute_medians

SIZES = [1, 3, 10, 500]


def nested(seed, n=45, p=30, n_classes=2, holes=False):
    """A table and six overlapping training sets in which every class occurs."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, p)) + rng.random(p) * y[:, None]
    outer = np.setdiff1d(np.arange(n), np.arange(0, n, 9))
    parts = [outer] + [np.setdiff1d(outer, outer[k::5]) for k in range(5)]
    if holes:
        X[rng.random((n, p)) < 0.1] = np.nan
        X[:, : p // 2] = np.where(np.isnan(X[:, : p // 2]), 0.5, X[:, : p // 2])
        X[outer, p - 1] = np.nan  # no value in any part
        X[0, p - 1] = 1.0
        X[parts[1], p - 2] = np.nan  # none in one of them
    return X, y, parts


def plain_imputed(X, rows):
    """The part's rows, holes filled with the median of the part's own values, else 0."""
    block = [[float(v) for v in X[i]] for i in rows]
    for j in range(X.shape[1]):
        seen = [row[j] for row in block if row[j] == row[j]]
        fill = statistics.median(seen) if seen else 0.0
        for row in block:
            row[j] = row[j] if row[j] == row[j] else fill
    return np.array(block)


def streams(n):
    return [np.random.SeedSequence(k) for k in range(n)]


@pytest.mark.parametrize("score", FILTERS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_parts_together_equal_each_part_alone(score, n_classes, holes, seed):
    X, y, rows = nested(seed, n_classes=n_classes, holes=holes)
    parts = TrainingParts(X, y, rows)
    selector = FilterSelector(score)
    together = selector.rank_parts(parts, SIZES, streams(6))
    assert len(together) == 6
    for k, ranking in enumerate(together):
        own = plain_imputed(X, rows[k])
        assert np.array_equal(parts.matrix(k), own)
        alone = selector.rank(Part.of(own, y[rows[k]]), SIZES, streams(6)[k])
        np.testing.assert_allclose(ranking.scores, alone.scores, rtol=1e-10, atol=1e-13)
        for size in SIZES:
            assert np.array_equal(ranking.path[size], alone.path[size])


@pytest.mark.parametrize("score", FILTERS)
@pytest.mark.parametrize("holes", [False, True])
def test_a_part_does_not_see_the_rows_outside_it(score, holes):
    X, y, rows = nested(2, holes=holes)
    incomplete = np.flatnonzero(np.isnan(X).any(axis=0))
    selector = FilterSelector(score)
    before = selector.rank_parts(TrainingParts(X, y, rows, incomplete), [30], streams(6))
    rng = np.random.default_rng(3)
    for k in range(6):
        outside = np.setdiff1d(np.arange(len(X)), rows[k])
        changed, labels = X.copy(), y.copy()
        changed[outside] = 1e6 * rng.normal(size=(len(outside), X.shape[1]))
        labels[outside] = 1 - labels[outside]
        after = selector.rank_parts(
            TrainingParts(changed, labels, rows, incomplete), [30], streams(6)
        )
        assert np.array_equal(after[k].scores, before[k].scores)
        assert np.array_equal(after[k].path[30], before[k].path[30])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(1, 8), st.floats(0, 1), st.integers(0, 10**6))
def test_imputation(n, p, share, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[rng.random((n, p)) < share] = np.nan
    filled = X.copy()
    medians = impute_medians(filled, np.arange(p))
    assert np.array_equal(filled, plain_imputed(X, range(n)))
    # what was learned serves other rows
    other = np.full((2, p), np.nan)
    assert np.array_equal(impute_medians(other, np.arange(p), medians), medians)
    assert np.array_equal(other, np.tile(medians, (2, 1)))


def test_training_parts_leave_the_table_alone():
    X, y, rows = nested(4, holes=True)
    before = X.copy()
    parts = TrainingParts(X, y, rows)
    FilterSelector("mtd").rank_parts(parts, [5], streams(6))
    assert parts.incomplete.tolist() == np.flatnonzero(np.isnan(before).any(axis=0)).tolist()
    assert np.array_equal(X, before, equal_nan=True)


def test_the_score_is_the_absolute_value_of_the_function():
    X, y, _ = nested(5)
    for name, value in (
        ("pearson", pearson(X, y)[0]),
        ("welch_t", welch_t(X, y)[0]),
        ("fold_change", fold_change(X, y)),
        ("mtd", mtd(X, y)),
    ):
        assert (value < 0).any() or name in ("fold_change", "mtd")
        selector = FilterSelector(name, size=4).fit(X, y)
        np.testing.assert_allclose(selector.scores_, np.abs(value), rtol=1e-12)
        best = np.argsort(-np.abs(value), kind="stable")[:4]
        assert selector.get_support(indices=True).tolist() == sorted(best)


def test_labels_may_be_words():
    X, y, _ = nested(6)
    words = np.where(y == 1, "sick", "healthy")
    a, b = FilterSelector().fit(X, y), FilterSelector().fit(X, words)
    assert np.array_equal(a.scores_, b.scores_)
    assert b.classes_.tolist() == ["healthy", "sick"]


@pytest.mark.parametrize(
    ("score", "words"),
    [
        ("moderatd_t", "unknown score_func 'moderatd_t': did you mean 'moderated_t'"),
        ("Welch_T", "did you mean 'welch_t'"),
        ("gini", "unknown score_func 'gini': choose from 'moderated_t', 'limma_trend'"),
        (None, "unknown score_func None: choose from"),
    ],
)
def test_an_unknown_score_names_the_nearest(score, words):
    X, y, rows = nested(7)
    with pytest.raises(PlanError, match=words):
        FilterSelector(score).fit(X, y)
    with pytest.raises(PlanError, match=words):
        FilterSelector(score).rank_parts(TrainingParts(X, y, rows), [3], streams(6))


def test_a_function_as_score():
    from sklearn.feature_selection import f_classif

    X, y, rows = nested(8, n_classes=3)
    by_f = FilterSelector(f_classif, size=5).fit(X, y)  # a tuple: the statistics count
    np.testing.assert_allclose(by_f.scores_, f_classif(X, y)[0], rtol=1e-12)
    # eta is a monotone function of F
    by_eta = FilterSelector("pearson", size=5).fit(X, y)
    assert np.array_equal(by_f.ranking_, by_eta.ranking_)

    def minus_mean(X, y):
        return -np.abs(X.mean(axis=0))

    ranking = FilterSelector(minus_mean).rank(Part.of(X, y), [3], streams(1)[0])
    np.testing.assert_allclose(ranking.scores, np.abs(X.mean(axis=0)))
    parts = FilterSelector(minus_mean).rank_parts(TrainingParts(X, y, rows), [3], streams(6))
    np.testing.assert_allclose(parts[2].scores, np.abs(X[rows[2]].mean(axis=0)))


def test_a_function_with_nan_or_of_the_wrong_length():
    X, y, _ = nested(9)

    def one_nan(X, y):
        return np.where(np.arange(X.shape[1]) == 4, np.nan, X.std(axis=0))

    selector = FilterSelector(one_nan, size=29).fit(X, y)
    assert selector.scores_[4] == -np.inf
    assert not selector.support_[4]

    def too_short(X, y):
        return np.ones(3)

    with pytest.raises(PlanError, match=r"returned an array of shape \(3,\)"):
        FilterSelector(too_short).fit(X, y)


@pytest.mark.parametrize(("size", "kept"), [(1, 1), (7, 7), (30, 30), (31, 30), (None, 30)])
def test_size(size, kept):
    X, y, _ = nested(10)
    selector = FilterSelector("welch_t", size=size).fit(X, y)
    assert selector.support_.sum() == kept
    assert selector.transform(X).shape == (45, kept)
    assert (selector.ranking_[selector.support_] <= kept).all()


@pytest.mark.parametrize("size", [0, -3, 2.5, "ten"])
def test_bad_sizes_are_named(size):
    X, y, _ = nested(11)
    with pytest.raises(PlanError, match=r"size=.*whole number of at least 1"):
        FilterSelector("welch_t", size=size).fit(X, y)


def test_no_sizes_is_no_error():
    X, y, rows = nested(12)
    assert FilterSelector("pearson").rank(Part.of(X, y), [], streams(1)[0]).path == {}
    zero = FilterSelector("pearson").rank_parts(TrainingParts(X, y, rows), [0], streams(6))
    assert all(len(r.path[0]) == 0 for r in zero)


@pytest.mark.every
@pytest.mark.parametrize("score", FILTERS)
@pytest.mark.parametrize("value", [0.0, 0.1, 7.0])
def test_a_column_that_separates_the_classes_is_first_and_a_constant_one_says_nothing(score, value):
    """0.1 has a mean that is not itself, for sums are rounded."""
    rng = np.random.default_rng(16)
    X, y = rng.integers(0, 3, (30, 6)).astype(float), np.arange(30) % 2
    X[:, 2] = value
    X[:, 4] = 2 * y + (np.arange(30) < 4)
    selector = FilterSelector(score, size=1, random_state=0).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [4]
    size = np.abs(selector.scores_)
    assert size[2] == min(size)
    assert size[2] < 1e-6


def table_for(score):
    """Of codes for filters that count them, else of numbers."""
    rng = np.random.default_rng(17)
    y = np.arange(30) % 2
    X = rng.integers(0, 3, (30, 6)) + (
        0 if FILTERS[score].takes.codes else rng.normal(0, 0.3, (30, 6))
    )
    X[:, 1] += y
    return X.astype(float), y


@pytest.mark.parametrize("score", [name for name, row in FILTERS.items() if not row.draws])
def test_the_order_of_rows_and_columns_does_not_matter(score):
    """But where noise is drawn row by row."""
    X, y = table_for(score)
    rng = np.random.default_rng(18)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    plain = FilterSelector(score).fit(X, y).scores_
    turned = FilterSelector(score).fit(X[rows][:, columns], y[rows]).scores_
    np.testing.assert_allclose(turned, plain[columns], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("score", [name for name, row in FILTERS.items() if not row.takes.codes])
@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_columns_in_another_unit_have_the_same_order(score, unit):
    """Scores of columns in one unit keep their ratios in another."""
    X, y = table_for(score)
    plain, other = (FilterSelector(score, random_state=0).fit(k * X, y).scores_ for k in (1, unit))
    share = np.abs(other) / np.abs(plain)
    np.testing.assert_allclose(share, share[0], rtol=1e-6)


def test_only_mutual_information_draws_random_numbers():
    X, y, _ = nested(13)
    X = np.round(X)  # ties, which noise breaks
    for score in FILTERS:
        a, b, c = (FilterSelector(score, random_state=seed).fit(X, y).scores_ for seed in (1, 1, 2))
        assert np.array_equal(a, b)
        assert np.array_equal(a, c) == (score != "mutual_information")


@pytest.mark.parametrize("score", FILTERS)
def test_selectors_refuse_missing_values(score):
    X, y, _ = nested(14)
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        FilterSelector(score).fit(X, y)


def test_unbiased_hsic_ranks_by_value_not_by_size():
    from tamis.selection import hsic

    X, y, _ = nested(15)
    selector = FilterSelector("hsic_unbiased", size=None).fit(X, y)
    assert (selector.scores_ < 0).any()
    np.testing.assert_allclose(selector.scores_, hsic(X, y, unbiased=True), rtol=1e-10)


@pytest.mark.parametrize("size", [3, np.int64(3), np.uint8(3)])
def test_a_size_may_be_a_whole_number_of_numpy(size):
    X, y = np.random.default_rng(0).normal(size=(12, 6)), np.arange(12) % 2
    assert FilterSelector("pearson", size=size).fit(X, y).support_.sum() == 3


@pytest.mark.parametrize("size", [0, -1, 2.0, np.float64(2), "2"])
def test_sizes_that_are_none_are_refused(size):
    X, y = np.random.default_rng(0).normal(size=(12, 6)), np.arange(12) % 2
    with pytest.raises(PlanError, match="give a whole number of at least 1, or None"):
        FilterSelector("pearson", size=size).fit(X, y)

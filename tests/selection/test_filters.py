"""Score functions against SciPy and textbook formulas, their invariances and edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from common.examples import settings
from tamis.selection import FilterSelector, fold_change, moderated_t, pearson, welch_t

TWO_VALUED = {"pearson": pearson, "welch_t": welch_t, "moderated_t": moderated_t}
ALL = {**TWO_VALUED, "fold_change": fold_change}


def statistic(name, X, y):
    """Signed statistics, or the scores of the fold change."""
    return ALL[name](X, y)[0] if name in TWO_VALUED else ALL[name](X, y)


def table(seed, n_classes=2, p=12, smallest=3):
    """Unequal class sizes, variances and scales; the first columns carry signal."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(smallest, smallest + 12, n_classes)
    y = rng.permutation(np.repeat(np.arange(n_classes), counts))
    X = rng.normal(size=(len(y), p)) * rng.uniform(0.5, 3, n_classes)[y][:, None]
    X[:, : p // 3] += 1.5 * y[:, None]
    return X * 10.0 ** rng.integers(-2, 3, p), y


def groups(x, y):
    return [x[y == c] for c in np.unique(y)]


SEEDS = st.integers(0, 10**6)
CLASSES = st.integers(2, 5)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_pearson_is_scipys(seed):
    X, y = table(seed)
    r, p = pearson(X, y)
    for j in range(X.shape[1]):
        expected = stats.pearsonr(X[:, j], y)
        np.testing.assert_allclose(r[j], expected.statistic, rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(p[j], expected.pvalue, rtol=1e-7)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(3, 5))
def test_the_correlation_ratio_and_the_analysis_of_variance(seed, n_classes):
    X, y = table(seed, n_classes)
    eta, p = pearson(X, y)
    for j in range(X.shape[1]):
        x = X[:, j]
        between = sum(len(g) * (g.mean() - x.mean()) ** 2 for g in groups(x, y))
        total = ((x - x.mean()) ** 2).sum()
        np.testing.assert_allclose(eta[j], math.sqrt(between / total), rtol=1e-10)
        np.testing.assert_allclose(p[j], stats.f_oneway(*groups(x, y)).pvalue, rtol=1e-8)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_welch_is_scipys(seed):
    X, y = table(seed)
    t, p = welch_t(X, y)
    expected = stats.ttest_ind(X[y == 1], X[y == 0], equal_var=False)
    np.testing.assert_allclose(t, expected.statistic, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(p, expected.pvalue, rtol=1e-9)


def textbook_welch(samples):
    """Welch (1951): F* and the denominator's degrees of freedom, in the textbook's letters."""
    k = len(samples)
    n = [len(s) for s in samples]
    mean = [sum(s) / len(s) for s in samples]
    var = [sum((v - m) ** 2 for v in s) / (len(s) - 1) for s, m in zip(samples, mean, strict=True)]
    w = [a / b for a, b in zip(n, var, strict=True)]
    W = sum(w)
    grand = sum(a * b for a, b in zip(w, mean, strict=True)) / W
    A = sum(a * (m - grand) ** 2 for a, m in zip(w, mean, strict=True)) / (k - 1)
    lam = sum((1 - a / W) ** 2 / (b - 1) for a, b in zip(w, n, strict=True))
    B = 1 + 2 * (k - 2) / (k**2 - 1) * lam
    return A / B, (k**2 - 1) / (3 * lam)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(3, 5))
def test_welch_f_is_the_textbooks(seed, n_classes):
    X, y = table(seed, n_classes)
    f, p = welch_t(X, y)
    for j in range(X.shape[1]):
        expected, df = textbook_welch([list(g) for g in groups(X[:, j], y)])
        np.testing.assert_allclose(f[j], expected, rtol=1e-9)
        np.testing.assert_allclose(p[j], stats.f.sf(expected, n_classes - 1, df), rtol=1e-8)


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_welch_f_of_two_classes_is_the_square_of_t(seed):
    from tamis.selection._moments import moments_of
    from tamis.selection._welch import _welch_f_of_several, _welch_t_of_two

    X, y = table(seed)
    m = moments_of(X, y)
    t, df = _welch_t_of_two(m)
    f, df2 = _welch_f_of_several(m)
    np.testing.assert_allclose(f, t**2, rtol=1e-10, atol=1e-20)
    np.testing.assert_allclose(df2, df, rtol=1e-10)


@settings(max_examples=25, deadline=None)
@given(SEEDS, CLASSES)
def test_fold_change_is_the_largest_one_versus_rest_distance(seed, n_classes):
    X, y = table(seed, n_classes)
    slow = [max(abs(x[y == c].mean() - x[y != c].mean()) for c in range(n_classes)) for x in X.T]
    np.testing.assert_allclose(fold_change(X, y), slow, rtol=1e-10, atol=1e-13)


@settings(max_examples=20, deadline=None)
@given(SEEDS, CLASSES)
def test_moderated_t_of_one_feature_is_the_ordinary_one(seed, n_classes):
    X, y = table(seed, n_classes)
    for x in X.T[:4]:
        value, p = moderated_t(x[:, None], y)
        samples = groups(x, y)[::-1]
        if n_classes == 2:
            expected = stats.ttest_ind(*samples, equal_var=True)
        else:
            expected = stats.f_oneway(*samples)
        np.testing.assert_allclose(value[0], expected.statistic, rtol=1e-9, atol=1e-13)
        np.testing.assert_allclose(p[0], expected.pvalue, rtol=1e-8)


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(2, 3))
def test_moderated_t_ranks_like_the_difference_of_means_when_the_prior_is_infinite(seed, n_classes):
    rng = np.random.default_rng(seed)
    y = np.arange(30) % n_classes
    noise = rng.normal(size=30)
    noise -= np.array([noise[y == c].mean() for c in range(n_classes)])[y]
    shift = rng.normal(size=(n_classes, 25))
    X = noise[:, None] + shift[y]  # every column has the same variance within classes
    value, p = moderated_t(X, y)
    s2 = (noise**2).sum() / (30 - n_classes)
    means = np.array([X[y == c].mean(axis=0) for c in range(n_classes)])
    if n_classes == 2:
        assert np.array_equal(np.argsort(-np.abs(value)), np.argsort(-fold_change(X, y)))
        np.testing.assert_allclose(
            value, (means[1] - means[0]) / math.sqrt(s2 * (2 / 15)), rtol=1e-9
        )
        np.testing.assert_allclose(p, 2 * stats.t.sf(np.abs(value), 28 * 25), rtol=1e-8)
    else:
        between = 10 * ((means - means.mean(axis=0)) ** 2).sum(axis=0) / 2
        np.testing.assert_allclose(value, between / s2, rtol=1e-9)
        np.testing.assert_allclose(p, stats.f.sf(value, 2, 27 * 25), rtol=1e-8)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=15, deadline=None)
@given(SEEDS, CLASSES, st.floats(-1e3, 1e3))
def test_a_shift_of_a_column_changes_nothing(name, seed, n_classes, shift):
    X, y = table(seed, n_classes)
    X = X / X.std(axis=0)
    moved = X + shift * np.linspace(0, 1, X.shape[1])
    np.testing.assert_allclose(
        statistic(name, moved, y), statistic(name, X, y), rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=15, deadline=None)
@given(SEEDS, CLASSES, st.floats(-60, 60))
def test_units(name, seed, n_classes, exponent):
    X, y = table(seed, n_classes)
    unit = 10.0**exponent
    before, after = statistic(name, X, y), statistic(name, unit * X, y)
    np.testing.assert_allclose(
        after, before * (unit if name == "fold_change" else 1), rtol=1e-8, atol=0
    )
    if name in TWO_VALUED:
        np.testing.assert_allclose(
            ALL[name](unit * X, y)[1], ALL[name](X, y)[1], rtol=1e-7, atol=1e-300
        )


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_swapping_the_classes_flips_the_sign(name, seed):
    X, y = table(seed)
    sign = 1 if name == "fold_change" else -1
    np.testing.assert_allclose(
        statistic(name, X, 1 - y), sign * statistic(name, X, y), rtol=1e-12, atol=1e-15
    )


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=10, deadline=None)
@given(SEEDS, st.integers(3, 5))
def test_the_names_and_order_of_several_classes_do_not_matter(name, seed, n_classes):
    X, y = table(seed, n_classes)
    other = np.random.default_rng(seed).permutation(n_classes)[y]
    np.testing.assert_allclose(statistic(name, X, other), statistic(name, X, y), rtol=1e-10)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=10, deadline=None)
@given(SEEDS, CLASSES)
def test_the_order_of_rows_and_columns_does_not_matter(name, seed, n_classes):
    X, y = table(seed, n_classes)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    np.testing.assert_allclose(
        statistic(name, X[rows][:, columns], y[rows]),
        statistic(name, X, y)[columns],
        rtol=1e-9,
        atol=1e-12,
    )


@pytest.mark.parametrize("name", ALL)
def test_the_class_that_sorts_last_is_the_positive_one(name):
    X, y = table(1)
    labels = np.where(y == 1, "tumour", "normal")
    assert np.array_equal(statistic(name, X, labels), statistic(name, X, y))
    if name != "fold_change":
        high = np.where(y == 1, 5.0, 0.0)[:, None] + X[:, -1:] / np.abs(X[:, -1:]).max()
        assert statistic(name, high, y)[0] > 0


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=40, deadline=None)
@given(SEEDS, CLASSES, st.floats(-1e6, 1e6))
def test_constant_columns_score_nothing(name, seed, n_classes, value):
    X, y = table(seed, n_classes, p=5)
    X[:, 2] = value
    scores = statistic(name, X, y)
    assert scores[2] == 0
    assert (scores[[0, 1, 3, 4]] != 0).all()
    if name in TWO_VALUED:
        assert TWO_VALUED[name](X, y)[1][2] == 1


@pytest.mark.parametrize("name", TWO_VALUED)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_nothing_but_constant_columns(name, n_classes):
    y = np.arange(12) % n_classes
    value, p = TWO_VALUED[name](np.full((12, 4), 0.1), y)
    assert value.tolist() == [0] * 4
    assert p.tolist() == [1] * 4


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_perfect_separation_without_spread(n_classes):
    X, y = table(2, n_classes)
    X[:, 7] = np.linspace(0.1, 0.7, n_classes)[y]
    t, p = welch_t(X, y)
    assert (t[7], p[7]) == (np.inf, 0)
    assert np.isfinite(np.delete(t, 7)).all()
    r, p = pearson(X, y)
    np.testing.assert_allclose(r[7], 1, rtol=1e-12)
    assert p[7] == 0
    alone = moderated_t(X[:, [7]], y)
    assert (alone[0][0], alone[1][0]) == (np.inf, 0)
    # with company the prior lends it a variance
    t, p = moderated_t(X, y)
    assert np.isfinite(t).all()
    assert 0 <= p[7] < 0.05


def test_the_sign_of_a_perfect_separation():
    y = np.arange(10) % 2
    X = np.column_stack([0.1 * y, -0.1 * y])
    assert welch_t(X, y)[0].tolist() == [np.inf, -np.inf]
    np.testing.assert_allclose(pearson(X, y)[0], [1, -1], rtol=1e-12)


@pytest.mark.parametrize("name", ["pearson", "welch_t"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_perfect_separation_ranks_first_and_ties_go_to_the_lower_column(name, n_classes):
    X, y = table(3, n_classes)
    X[:, 9] = X[:, 5] = np.linspace(0.1, 0.7, n_classes)[y]
    X[:, 11] = X[:, 1]
    X[:, 2] = 0.1
    selector = FilterSelector(name).fit(X, y)
    order = np.argsort(selector.ranking_)
    assert order[:2].tolist() == [5, 9]
    assert selector.ranking_[11] == selector.ranking_[1] + 1
    assert order[-1] == 2


def test_a_class_without_spread_beside_others_keeps_welch_finite():
    X, y = table(4, 3)
    X[y == 1] = 7.0
    f, p = welch_t(X, y)
    assert np.isfinite(f).all()
    assert (f > 0).all()
    assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.parametrize("name", TWO_VALUED)
def test_a_class_with_one_member(name):
    X, y = table(5)
    y[:] = 0
    y[3] = 1
    value, p = TWO_VALUED[name](X, y)
    assert np.isfinite(value).all()
    assert ((p >= 0) & (p <= 1)).all()
    if name == "welch_t":  # only the other class has a variance
        rest = X[y == 0]
        expected = (X[3] - rest.mean(axis=0)) / stats.sem(rest)
        np.testing.assert_allclose(value, expected, rtol=1e-9)
        np.testing.assert_allclose(p, 2 * stats.t.sf(np.abs(value), len(rest) - 1), rtol=1e-9)


def test_two_samples_have_no_degrees_of_freedom():
    X = np.array([[1.0, 2.0], [3.0, 2.0]])
    r, p = pearson(X, [0, 1])
    np.testing.assert_allclose(r, [1, 0], atol=1e-15)
    assert np.isnan(p).all()
    assert welch_t(X, [0, 1])[0].tolist() == [np.inf, 0]
    assert np.isfinite(moderated_t(X, [0, 1])[0]).all()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_missing_and_infinite_values_are_refused(name, bad):
    X, y = table(6)
    X[2, 3] = bad
    with pytest.raises(ValueError, match="NaN" if np.isnan(bad) else "infinity"):
        ALL[name](X, y)


@pytest.mark.parametrize("name", ALL)
def test_one_class_is_refused_and_lengths_must_agree(name):
    X, y = table(7)
    with pytest.raises(ValueError, match="only one class"):
        ALL[name](X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ALL[name](X, y[:-1])


@pytest.mark.parametrize("name", TWO_VALUED)
def test_null_p_values_are_uniform(name):
    rng = np.random.default_rng(8)
    for n_classes in (2, 3):
        _, p = TWO_VALUED[name](rng.normal(size=(30, 4000)), np.arange(30) % n_classes)
        assert stats.kstest(p, "uniform").pvalue > 1e-3

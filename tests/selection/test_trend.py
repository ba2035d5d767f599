"""The trend test against plink1.9 (tests/goldens/README.md), a plain regression and its null."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from common.bed_files import codes_of, write_cohort
from common.examples import settings
from tamis._core.errors import DataError
from tamis.selection import FilterSelector, pearson, trend
from tamis.selection._moments import moments_of
from tamis.selection._parts import TrainingParts
from tamis.selection._trend import trend_p_values, trend_statistic

GOLDEN = Path(__file__).resolve().parents[1] / "goldens" / "plink_trend.json"
SEEDS = st.integers(0, 10**6)


def cohort(n=137, p=80):
    """Codes of a .bed (p, n) and who is a case: rare and common alleles, effects, gaps, and a
    variant that all samples share."""
    rng = np.random.default_rng(7)
    cases = np.arange(n) % 5 < 2
    frequency = np.linspace(0.02, 0.6, p)[:, None] * np.where(cases, rng.uniform(1, 1.6, (p, 1)), 1)
    copies = rng.binomial(2, np.minimum(frequency, 0.95))
    copies[11] = 0
    return codes_of(copies, missing=0.06, seed=1), cases


def write_tables(folder):
    """What plink1.9 was given."""
    folder.mkdir(parents=True, exist_ok=True)
    codes, cases = cohort()
    write_cohort(folder / "cohort", codes, phenotype=1 + cases)


def test_equals_plink_to_its_last_digit():
    codes, cases = cohort()
    copies = np.array([2, np.nan, 1, 0])[codes].T
    golden = json.loads(GOLDEN.read_text())
    for found, printed in zip(trend(copies, cases), (golden["chi2"], golden["p"]), strict=True):
        told = [f"{v:.4g}" for v in found]
        assert printed[11] == "NA"
        told[11] = "NA"  # a constant: plink has no statistic, we have 0 and p = 1
        assert told == printed
    assert [found[11] for found in trend(copies, cases)] == [0, 1]


def table(seed, n_classes=2, holes=0.0):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.binomial(2, rng.uniform(0.1, 0.9, 8), (n, 8)).astype(float)
    X[:, 6:] = rng.normal(size=(n, 2)) + y[:, None]
    X[rng.random(X.shape) < holes] = np.nan
    return X, y


def regressed(x, y):
    """n R^2 of least squares on indicators of the classes, and how many classes there are."""
    seen = ~np.isnan(x)
    x, classes = x[seen], np.unique(y[seen])
    indicators = (y[seen][:, None] == classes).astype(float)
    if len(classes) < 2:
        return np.nan, np.nan
    if (x == x[0]).all():
        return 0.0, 1.0
    fitted = indicators @ np.linalg.lstsq(indicators, x, rcond=None)[0]
    found = len(x) * ((fitted - x.mean()) ** 2).sum() / ((x - x.mean()) ** 2).sum()
    return found, stats.chi2.sf(found, len(classes) - 1)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(2, 4), st.sampled_from([0.0, 0.2, 0.7]))
def test_is_the_regression_on_the_classes(seed, n_classes, holes):
    X, y = table(seed, n_classes, holes)
    slow = np.array([regressed(x, y) for x in X.T]).T
    for found, expected in zip(trend(X, y), slow, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


def textbook(x, y):
    """Armitage (1955): T^2 / Var T over the 2 x 3 table of cases and copies."""
    N, R = len(y), int(y.sum())
    cases = [int(((x == k) & (y == 1)).sum()) for k in range(3)]
    every = [int((x == k).sum()) for k in range(3)]
    top = N * sum(k * r for k, r in enumerate(cases)) - R * sum(k * n for k, n in enumerate(every))
    squares = N * sum(k * k * n for k, n in enumerate(every))
    spread = squares - sum(k * n for k, n in enumerate(every)) ** 2
    return N * top**2 / (R * (N - R) * spread) if spread else 0.0


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_of_two_classes_is_the_textbooks_and_n_times_r_squared(seed):
    X, y = table(seed)
    found, _ = trend(X, y)
    expected = [textbook(x, y) for x in X.T[:6]]
    np.testing.assert_allclose(found[:6], expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found, len(y) * pearson(X, y)[0] ** 2, rtol=1e-9, atol=1e-20)


@settings(max_examples=40, deadline=None)
@given(
    SEEDS,
    st.integers(2, 4),
    st.sampled_from([0.0, 0.2]),
    st.floats(-50, 50),
    st.sampled_from([1.0, -1.0, 3.0, 2.0**900, 2.0**-900]),
)
def test_zero_and_unit_and_which_allele_is_counted_do_not_matter(
    seed, n_classes, holes, zero, unit
):
    X, y = table(seed, n_classes, holes)
    expected = trend(X, y)
    for other in (2 - X, (X - zero) * unit):
        for found, kept in zip(trend(other, y), expected, strict=True):
            np.testing.assert_allclose(found, kept, rtol=1e-8, atol=1e-10)
    names = np.array(["d", "a", "c", "b"])[y]
    np.testing.assert_allclose(trend(X, names)[0], expected[0], rtol=1e-10, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(2, 4))
def test_from_class_moments_it_is_the_same(seed, n_classes):
    X, y = table(seed, n_classes)
    m, (statistics, p_values) = moments_of(X, y), trend(X, y)
    np.testing.assert_allclose(trend_statistic(m), statistics, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(trend_p_values(m), p_values, rtol=1e-9)


@pytest.mark.parametrize("value", [0.0, 0.1, 2.0, -1e6])
def test_columns_that_say_nothing(value):
    X = np.full((9, 3), value)
    y = np.arange(9) % 3
    X[y == 1, 1] = np.nan
    X[y > 0, 2] = np.nan
    statistics, p_values = trend(X, y)
    np.testing.assert_array_equal(statistics, [0, 0, np.nan])
    np.testing.assert_array_equal(p_values, [1, 1, np.nan])
    assert np.isnan(trend(np.full((9, 1), np.nan), y)[0]).all()


def test_beside_missing_values_a_large_zero_takes_no_digit_away():
    """Values count from the first of their column that is there: of 0, 0, 1 and 1, 2, 2 the class
    means are 2/3 off the mean 1, so 6 * 6 (2/3)^2 / 4."""
    X = np.array([[np.nan, 0, 0, 1, 1, 2, 2]]).T
    y = np.array(["ill", *["well"] * 3, *["ill"] * 3])
    for zero in (0.0, 2.0**52, -(2.0**52)):
        statistics, p_values = trend(X + zero, y)
        assert statistics.tolist() == pytest.approx([4.0], rel=1e-14)
        assert p_values.tolist() == pytest.approx([stats.chi2.sf(4.0, 1)], rel=1e-12)


def test_a_class_without_values_takes_its_degree_of_freedom_along():
    X, y = table(3, 3)
    X[y == 2] = np.nan
    for found, expected in zip(trend(X, y), trend(X[y < 2], y[y < 2]), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_perfect_separation_has_the_number_of_samples():
    y = np.arange(10) % 2
    assert trend(y[:, None] * 0.1, y)[0].tolist() == [10]


def test_infinite_values_and_one_class_are_refused():
    X, y = table(1)
    with pytest.raises(DataError, match="only one class"):
        trend(X, np.zeros(len(y)))
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        trend(X, y)


def test_parts_cut_by_p_values_share_one_pass(monkeypatch):
    """The scores and p-values of each part alone, from the moments of all of them."""
    X, y = np.random.default_rng(0).binomial(2, 0.4, (60, 30)).astype(float), np.arange(60) % 2
    X[:, :3] += y[:, None] * np.arange(60)[:, None] % 3 > 0
    rows = [np.setdiff1d(np.arange(60), np.arange(k, 60, 5)) for k in range(4)]
    alone = [trend(X[r], y[r]) for r in rows]
    streams = [np.random.SeedSequence(k) for k in range(4)]
    monkeypatch.setattr(TrainingParts, "matrix", None)  # of no part is one made
    selector = FilterSelector("trend", max_p=0.2)
    together = selector.rank_parts(TrainingParts(X, y, rows), [30], streams)
    for ranking, (statistics, p_values) in zip(together, alone, strict=True):
        np.testing.assert_allclose(ranking.scores, statistics, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(ranking.p_values, p_values, rtol=1e-9)
        assert sorted(ranking.path[30]) == np.flatnonzero(p_values <= 0.2).tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("frequency", [0.05, 0.1, 0.25, 0.5])
def test_under_the_null_five_in_a_hundred_are_below_five_per_cent(frequency, n_classes):
    """200 samples, two in five cases; a share of 5000 variants has a standard error of .003."""
    rng = np.random.default_rng([int(100 * frequency), n_classes])
    X = rng.binomial(2, frequency, (200, 5000)).astype(float)
    p_values = trend(X, np.array([0, 0, 0, 1, n_classes - 1])[np.arange(200) % 5])[1]
    assert 0.038 < (p_values < 0.05).mean() < 0.06

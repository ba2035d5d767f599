"""Metrics of predicted numbers: scikit-learn and SciPy where they have them, pairs by loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import mean_absolute_error, median_absolute_error, r2_score

from tamis._core.errors import DataError, PlanError
from tamis.metrics.estimates import estimate_text
from tamis.metrics.held_out_numbers import (
    LONG_TAILS,
    MAX_KURTOSIS,
    MIN_UNITS,
    HeldOutNumbers,
    NumberSampling,
)
from tamis.metrics.number_metrics import (
    NUMBER_METRICS,
    FoldValues,
    calibration_slope,
    get_number_metric,
)


def held_out(n=40, folds=5, seed=0, signal=1.0, noise=1.0):
    """Predictions of one repeat, with training means."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    y = truth + noise * rng.normal(size=n)
    predicted = signal * truth + 0.2 * rng.normal(size=n)
    fold = np.arange(n) % folds
    mean = np.array([y[fold != k].mean() for k in fold])
    return FoldValues(y, predicted, mean, fold)


def as_folds(values):
    """The same as `HeldOutNumbers.of` takes it."""
    return [
        (rows, values.y[rows], values.predicted[rows], float(values.mean[rows[0]]))
        for rows in (np.flatnonzero(values.fold == k) for k in np.unique(values.fold))
    ]


def test_errors_are_scikit_learns():
    held = held_out()
    y, p = held.y, held.predicted
    assert NUMBER_METRICS["mae"](held) == pytest.approx(mean_absolute_error(y, p))
    assert NUMBER_METRICS["median_error"](held) == pytest.approx(median_absolute_error(y, p))
    assert NUMBER_METRICS["rmse"](held) == pytest.approx(np.sqrt(np.mean((y - p) ** 2)))


def test_q2_is_about_training_means():
    held = held_out()
    rss = ((held.y - held.predicted) ** 2).sum()
    assert NUMBER_METRICS["q2"](held) == pytest.approx(1 - rss / ((held.y - held.mean) ** 2).sum())
    assert NUMBER_METRICS["q2"](held) != pytest.approx(r2_score(held.y, held.predicted))


@pytest.mark.parametrize("folds", [2, 5, 40])
def test_predicting_the_training_mean_scores_chance(folds):
    held = held_out(folds=folds).constant
    for name, metric in NUMBER_METRICS.items():
        value, chance = metric(held), metric.chance(held)
        if folds == 40 and name in ("concordance", "spearman", "pearson"):
            assert np.isnan(value)  # no pair in a fold of one
        elif name == "ccc":
            assert value <= chance  # pooled over folds: a little below
        else:
            assert value == pytest.approx(chance), name
    assert NUMBER_METRICS["q2"](held) == 0.0


def test_pooled_correlation_of_leave_one_out_means_is_minus_one_and_ours_is_undefined():
    held = held_out(folds=40).constant
    assert stats.pearsonr(held.predicted, held.y).statistic == pytest.approx(-1.0)
    assert np.isnan(NUMBER_METRICS["pearson"](held))


def test_concordance_counts_pairs_within_folds():
    held = held_out(n=23, folds=4, seed=2)
    y, p = held.y.round(0), held.predicted.round(0)  # with ties of both
    held = FoldValues(y, p, held.mean, held.fold)
    right, pairs = 0.0, 0
    for i, j in combinations(range(23), 2):
        if held.fold[i] == held.fold[j] and y[i] != y[j]:
            pairs += 1
            gap = (y[i] - y[j]) * (p[i] - p[j])
            right += 0.5 if gap == 0 else float(gap > 0)
    assert NUMBER_METRICS["concordance"](held) == pytest.approx(right / pairs)


@pytest.mark.parametrize(
    ("name", "peer"), [("pearson", stats.pearsonr), ("spearman", stats.spearmanr)]
)
def test_correlations_are_means_over_folds_by_their_pairs(name, peer):
    held = held_out(n=31, folds=4, seed=3)
    sizes, values = [], []
    for k in range(4):
        own = held.fold == k
        sizes.append(own.sum() * (own.sum() - 1) / 2)
        values.append(peer(held.y[own], held.predicted[own]).statistic)
    assert NUMBER_METRICS[name](held) == pytest.approx(np.average(values, weights=sizes))


def test_ccc_is_lins_with_one_over_n():
    held = held_out(seed=4)
    y, p = held.y, held.predicted
    expected = 2 * np.cov(y, p, ddof=0)[0, 1] / (y.var() + p.var() + (y.mean() - p.mean()) ** 2)
    assert NUMBER_METRICS["ccc"](held) == pytest.approx(expected)


def test_calibration_slope_is_that_of_the_fold_centred_regression():
    held = held_out(n=200, seed=5, noise=0.0)
    held = FoldValues(held.y, 2 * held.y + held.fold, held.mean, held.fold)
    assert calibration_slope(held) == pytest.approx(0.5)


def test_scores_are_means_over_repeats():
    one, other = held_out(seed=6), held_out(seed=7)
    held = HeldOutNumbers.of([as_folds(one), as_folds(other)])
    for metric in NUMBER_METRICS.values():
        assert held.score(metric) == pytest.approx((metric(one) + metric(other)) / 2)


def test_the_interval_of_a_mean_error_is_that_of_the_log_mean():
    """The jackknife of a mean is its standard error; on the log scale over the mean."""
    values = held_out(n=60, seed=8)
    held = HeldOutNumbers.of([as_folds(values)])
    found = held.estimate(NUMBER_METRICS["mae"], NumberSampling(np.arange(60)))
    errors = np.abs(values.error)
    left = np.log([np.delete(errors, i).mean() for i in range(60)])
    spread = 59 / 60 * ((left - left.mean()) ** 2).sum()
    reach = stats.t.ppf(0.975, 59) * np.sqrt(spread)
    assert found.low == pytest.approx(errors.mean() * np.exp(-reach))
    assert found.high == pytest.approx(errors.mean() * np.exp(reach))


def test_the_interval_counts_groups_and_inflation():
    values = held_out(n=60, seed=9)
    held = HeldOutNumbers.of([as_folds(values)])
    metric = NUMBER_METRICS["q2"]

    def width(sampling):
        found = held.estimate(metric, sampling)
        return np.log((1 - found.low) / (1 - found.high))

    alone = width(NumberSampling(np.arange(60)))
    assert width(NumberSampling(np.arange(60), 4.0)) == pytest.approx(2 * alone)
    groups = NumberSampling(np.arange(60) // 3)
    assert width(groups) != pytest.approx(alone)


def test_few_units_and_long_tails_have_no_interval():
    values = held_out(n=60, seed=10)
    held = HeldOutNumbers.of([as_folds(values)])
    few = NumberSampling(np.arange(60) % (MIN_UNITS - 1))
    assert "fewer than" in held.estimate(NUMBER_METRICS["mae"], few).note
    y = values.y.copy()
    y[0] += 50
    held = HeldOutNumbers.of([as_folds(FoldValues(y, values.predicted, values.mean, values.fold))])
    assert held.kurtosis > MAX_KURTOSIS
    every = NumberSampling(np.arange(60))
    for name, metric in NUMBER_METRICS.items():
        found = held.estimate(metric, every)
        assert (found.note == LONG_TAILS) == (name in ("q2", "rmse")), name


def test_an_unknown_metric_is_named_with_the_nearest():
    with pytest.raises(PlanError, match="did you mean 'rmse'"):
        get_number_metric("rsme")
    with pytest.raises(DataError, match="no held-out prediction"):
        HeldOutNumbers.of([])


def test_no_score_is_printed_as_minus_zero():
    found = {"mean": -0.0004, "low": -0.2, "high": -0.0001}
    assert estimate_text(found) == "0.000 (-0.200 to 0.000)"

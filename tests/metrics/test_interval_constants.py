"""Every number that the width of an interval of scores rests on, by the table and the formulas of
docs/methods/metrics.md written out here, and a coverage that a wrong one would spoil."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy import optimize, stats

from tamis.metrics import HeldOut, VarianceInflation, calibration_points
from tamis.metrics.intervals import (
    _put_together,
    errors_above_chance,
    errors_alike,
    score_instability,
    units_of,
)

UNITS = np.array([24.0, 36.0])
# of the labels, of a recall and of the AUC: "f" of docs/methods/metrics.md, section Intervals
INFLATIONS = [
    ("k_fold", (), (3.0, 1.8, 3.2)),
    ("k_fold", (2,), (2.6, 1.5, 2.875)),
    ("k_fold", (5,), (2.36, 1.32, 2.68)),
    ("k_fold", (10,), (2.28, 1.26, 2.615)),
    ("leave_one_out", (), (6.0, 3.0, math.nan)),
    ("holdout", (3 / 7,), (1 + 2.4 * 3 / 7, 1 + 1.2 * 3 / 7, 1 + 1.4 * 3 / 7)),
    ("holdout", (0.5,), (2.2, 1.6, 1.7)),
    ("holdout", (0.25, 5), (0.8, 0.5, 0.55)),
    ("holdout", (1.0, 4), (2.65, 1.45, 1.65)),
    ("external", (), (1.0, 1.0, 1.0)),
]


@pytest.mark.every
@pytest.mark.parametrize(("design", "given", "factors"), INFLATIONS)
def test_variance_inflation_factors_are_those_of_the_table(design, given, factors):
    sampling = getattr(VarianceInflation, design)(UNITS, *given)
    found = (sampling.labels, sampling.recall, sampling.area)
    assert found == pytest.approx(factors, rel=1e-12, nan_ok=True)
    assert sampling.shared == 0
    assert sampling.exact == (design == "external")


@pytest.mark.every
@pytest.mark.parametrize(
    ("sampling", "squares", "slope"),
    [
        (VarianceInflation.k_fold(UNITS), 1.25, 2.0),
        (VarianceInflation.k_fold(UNITS, 10, clear=50.0), 1.25, 2.0),
        (VarianceInflation.leave_one_out(UNITS), 6.0, np.nan),
        (VarianceInflation.holdout(UNITS, 0.25, 2), 1.1, np.nan),
        (VarianceInflation.external(UNITS), 1.0, 1.0),
    ],
)
def test_those_of_brier_scores_and_slopes(sampling, squares, slope):
    found = sampling.squares, sampling.slope
    assert found == pytest.approx((squares, slope), nan_ok=True)


def test_every_design_takes_errors_that_classes_share():
    for made in (
        VarianceInflation.k_fold(UNITS, shared=0.4),
        VarianceInflation.leave_one_out(UNITS, 0.4),
        VarianceInflation.holdout(UNITS, 0.5, 2, 0.4),
        VarianceInflation.external(UNITS, 0.4),
    ):
        assert made.shared == 0.4
        assert made.units is UNITS


def held_out(hits: tuple[int, int], of: tuple[int, int], seed: int = 0) -> HeldOut:
    """One pool of predictions, the first of each class right; beliefs in some order."""
    codes = np.repeat([0, 1], of)
    wrong = np.concatenate([np.arange(n) >= k for k, n in zip(hits, of, strict=True)])
    predicted = np.where(wrong, 1 - codes, codes)
    up = np.clip(0.5 + 0.3 * (predicted - 0.5), 0, 1)
    up = up + np.random.default_rng(seed).uniform(-0.2, 0.2, len(codes))
    rows = np.arange(len(codes))
    return HeldOut.of([[(rows, codes, predicted, np.column_stack([1 - up, up]))]])


def share_ends(share: float, m: float, exact: bool) -> tuple[float, float]:
    """Jeffreys' interval, or that of Clopper and Pearson, by quantiles of the beta distribution."""
    x = share * m
    low = stats.beta(x, m - x + 1) if exact else stats.beta(x + 0.5, m - x + 0.5)
    high = stats.beta(x + 1, m - x) if exact else low
    return float(low.ppf(0.025)), float(high.ppf(0.975))


def mover(shares, weights, ends):
    """Zou and Donner's; towards the worse the larger of a class's two changes."""
    value = sum(w * p for w, p in zip(weights, shares, strict=True))
    down = [w * max(p - a, b - p) for w, p, (a, b) in zip(weights, shares, ends, strict=True)]
    up = [w * (b - p) for w, p, (_, b) in zip(weights, shares, ends, strict=True)]
    return value - math.hypot(*down), value + math.hypot(*up)


def newcombe_ends(area: float, above: float, below: float, f: float) -> list[float]:
    """Method 5 as Newcombe (2006) prints it, |theta - A| = z sqrt(V(theta)), with V times what
    docs/methods/metrics.md says of f above 1: less near 1 below A, 1.25 f above it."""
    z, star = 1.959963984540054, (above + below) / 2 - 1

    def gap(theta: float, times: float) -> float:
        inner = 1 + star * (1 - theta) / (2 - theta) + star * theta / (1 + theta)
        variance = theta * (1 - theta) * inner / ((above - 1) * (below - 1))
        return (theta - area) ** 2 - z * z * times * variance

    def down(theta: float) -> float:
        share = np.interp(theta, [0.6, 0.95], [1.0, 0.0])
        return gap(theta, 1 + (f - 1) * share if f > 1 else f)

    def up(theta: float) -> float:
        return gap(theta, 1.25 * f if f > 1 else f)

    ends = [optimize.brentq(down, 1e-12, area), optimize.brentq(up, area, 1 - 1e-12)]
    return [ends[0], 1.0] if f > 1 and 1 - area <= 0.5 / min(above, below) else ends


@pytest.mark.every
@pytest.mark.parametrize(("design", "given", "factors"), INFLATIONS)
def test_intervals_of_scores_are_those_of_the_formulas(design, given, factors):
    """Through the estimates that studies print: recalls of 18/24 and 33/36."""
    sampling, (labels, recall, area) = getattr(VarianceInflation, design)(UNITS, *given), factors
    held, shares = held_out((18, 33), (24, 36)), (18 / 24, 33 / 36)
    for told, p, n in zip(held.recalls(sampling), shares, UNITS, strict=True):
        ends = share_ends(p, n / recall, sampling.exact)
        assert (told.low, told.high) == pytest.approx(ends, abs=1e-9)
    ends = [share_ends(p, n / labels, sampling.exact) for p, n in zip(shares, UNITS, strict=True)]
    for name, weights in (("bcr", (0.5, 0.5)), ("accuracy", (0.4, 0.6))):
        told = held.estimate(name, sampling)
        assert (told.low, told.high) == pytest.approx(mover(shares, weights, ends), abs=1e-9)
    told = held.estimate("auc", sampling)
    if math.isnan(area):
        assert math.isnan(told.low)
    else:
        expected = newcombe_ends(told.mean, 36.0, 24.0, area)
        assert (told.low, told.high) == pytest.approx(expected, abs=1e-9)


@pytest.mark.every
@pytest.mark.parametrize(
    ("n", "clear", "repeats", "spared"),
    [
        (60, 30.0, 1, 0.0),
        (61, 12.0, 1, 0.5 * math.log(61 / 60) / math.log(5)),
        (math.sqrt(60 * 300), 12.0, 1, 0.25),  # half way by the logarithm
        (299, 12.0, 1, 0.5 * math.log(299 / 60) / math.log(5)),
        (300, 12.0, 1, 0.5),
        (3000, 50.0, 1, 0.5),
        (300, 8.0, 1, 0.0),
        (300, 8.4, 1, 0.05),
        (300, 10.0, 1, 0.25),
        (300, 11.6, 1, 0.45),
        (300, 9.0, 2, 0.0),  # of r repeats the fall begins 2 (1 - 1/r) errors later
        (300, 9.4, 2, 0.05),
        (300, 13.0, 2, 0.5),
        (300, 9.6, 5, 0.0),
        (300, 11.6, 5, 0.25),
        (300, 11.8, 10, 0.25),
        (300, 13.8, 10, 0.5),  # of the AUC 1.23: not below 1 in any design
        (math.sqrt(60 * 300), 10.0, 1, 0.125),
    ],
)
def test_instability_of_scores_is_that_of_the_formula(n, clear, repeats, spared):
    assert score_instability(n, clear, repeats) == pytest.approx(1 - spared, abs=1e-12)
    made = VarianceInflation.k_fold(np.array([n / 2, n / 2]), repeats, clear=clear)
    assert made.labels == pytest.approx((1 - spared) * (2.2 + 0.8 / repeats))
    assert made.recall == pytest.approx(1.2 + 0.6 / repeats)
    assert made.area == pytest.approx(max(1.0, (1 - spared) * (2.55 + 0.65 / repeats)))


def test_errors_above_chance_are_those_of_shrunken_recalls():
    """Recalls 42/60, 36/40 and 10/20, each drawn in by half a sample."""
    matrix = np.diag([42, 36, 10]) + np.array([[0, 4, 0], [18, 0, 10], [0, 0, 0]])
    units = np.array([60.0, 40.0, 20.0])
    drawn = [42.5 / 61, 36.5 / 41, 10.5 / 21]
    variance = sum(p * (1 - p) / n for p, n in zip(drawn, units, strict=True)) / 9
    expected = ((42 / 60 + 36 / 40 + 10 / 20) / 3 - 1 / 3) / math.sqrt(variance)
    assert errors_above_chance(matrix, units) == pytest.approx(expected, rel=1e-12)


def test_errors_of_a_group_are_alike_by_their_pairs():
    """Of one class: the mean product of a pair of a group over the variance, from 0 to 1."""
    codes = np.zeros(6, dtype=int)

    def by_hand(right, groups):
        off = right - right.mean()
        pairs = [off[i] * off[j] for i in range(6) for j in range(i) if groups[i] == groups[j]]
        return float(np.mean(pairs) / np.mean(off**2))

    for right, groups, expected in (
        ([1.0, 1, 0, 0, 1, 1], "aabbbc", 0.125),  # (1/9 + 4/9 - 2/9 - 2/9) / 4 over 2/9
        ([1.0, 1, 0, 0, 0, 1], "aabbbc", 1.0),
        ([1.0, 0.5, 0, 0, 1, 0.5], "aaabbc", -0.75),  # (-1/4 - 1/4) / 4 over 1/6
    ):
        own = np.array(list(groups))
        assert by_hand(np.array(right), own) == pytest.approx(expected)
        found = errors_alike(np.array(right), codes, own)
        assert found == pytest.approx(max(expected, 0.0))


def test_classes_of_families_share_errors_by_their_correlation():
    """Two families with 2 + 1 and 1 + 3 samples of two classes, r = .5 and .2, one person alone."""
    codes = np.array([0, 0, 1, 0, 1, 1, 1, 0])
    groups = np.array(list("aaabbbbc"))
    r = np.array([0.5] * 3 + [0.2] * 4 + [0.0])
    first = 2 * (1 + 0.5) + 1 + 1  # sum n (1 + (n - 1) r)
    second = 1 + 3 * (1 + 2 * 0.2)
    units, shared = units_of(codes, 2, groups, r)
    assert units == pytest.approx([4**2 / first, 4**2 / second])
    together = 0.5 * 2 * 1 + 0.2 * 1 * 3
    assert shared == pytest.approx(together / math.sqrt(first * second))


@pytest.mark.every
@pytest.mark.parametrize("inflation", [1.0, 1.8, 5.4])
def test_calibration_intervals_are_wilson_intervals_of_fewer_predictions(inflation):
    """Wilson (1927): the shares from which the seen one lies z standard errors away."""
    codes = np.tile([0, 0, 1], 20)
    proba = np.column_stack([np.full(60, 0.7), np.full(60, 0.3)])
    (found,) = calibration_points(codes, proba, inflation=inflation)
    z, n = NormalDist().inv_cdf(0.975), 60 / inflation

    def gap(share: float) -> float:
        return (share - 1 / 3) ** 2 - z * z * share * (1 - share) / n

    ends = [optimize.brentq(gap, 1e-9, 1 / 3), optimize.brentq(gap, 1 / 3, 1 - 1e-9)]
    assert (found["low"], found["high"]) == pytest.approx(ends, abs=1e-9)
    assert found["n"] == 60


def test_scores_are_as_alike_as_their_ranks_within_groups_and_a_tenth_more():
    """Of the class where they are most alike; the mean ranks of two predictions each."""
    rng = np.random.default_rng(4)
    y, groups = np.repeat([0, 1], 20), np.repeat(np.arange(10), 4)
    up = [0.1 * rng.normal(size=40) + 0.3 * rng.normal(size=10)[groups] for _ in range(2)]
    up = [1 / (1 + np.exp(-one)) for one in up]
    order = rng.permutation(40)
    parts = [(order, y[order], y[order], np.column_stack([1 - one, one])[order]) for one in up]
    ranks = stats.rankdata(np.concatenate(up)).reshape(2, 40).mean(axis=0) / 80
    expected = min(1.0, errors_alike(ranks, y, groups) + 0.1)
    found = HeldOut.of([[part] for part in parts]).scores_alike(y, groups)
    assert 0.3 < expected < 1
    assert found == pytest.approx(np.full(40, expected))


def holdout_study(rng: np.random.Generator) -> tuple[HeldOut, float]:
    """30 test sets of a tenth: the best five of 60 columns by a t, and their class means; and the
    rate of those models on new samples."""
    n, fresh, y = 60, 100, np.arange(60) % 2
    X, new = rng.normal(size=(n, 60)), rng.normal(size=(fresh, 60))
    label = np.arange(fresh) % 2
    X[:, :5] += 0.7 * y[:, None]
    new[:, :5] += 0.7 * label[:, None]
    parts, rates = [], []
    for _ in range(30):
        test = np.concatenate([rng.permutation(np.flatnonzero(y == k))[:3] for k in (0, 1)])
        rest = np.setdiff1d(np.arange(n), test)
        a, b = X[rest[y[rest] == 0]], X[rest[y[rest] == 1]]
        gap = b.mean(axis=0) - a.mean(axis=0)
        best = np.argsort(-np.abs(gap) / np.sqrt(a.var(axis=0) + b.var(axis=0)))[:5]
        middle = (a.mean(axis=0) + b.mean(axis=0))[best] @ gap[best] / 2
        up = 1 / (1 + np.exp(middle - X[np.ix_(test, best)] @ gap[best]))
        parts.append([(test, y[test], (up > 0.5).astype(int), np.column_stack([1 - up, up]))])
        rates.append(np.mean((new[:, best] @ gap[best] > middle) == (label == 1)))
    return HeldOut.of(parts), float(np.mean(rates))


@pytest.mark.longer
def test_intervals_of_many_small_holdouts_cover():
    """Where test sets are small the factor has least to spare: with half of it .90 is covered."""
    rng, runs = np.random.default_rng(0), 300
    studies = [holdout_study(rng) for _ in range(runs)]
    truth = np.mean([rate for _, rate in studies])
    sampling = VarianceInflation.holdout(np.array([3.0, 3.0]), 6 / 54, 30)
    told = [held.estimate("bcr", sampling) for held, _ in studies]
    recalls = [held.recalls(sampling)[0] for held, _ in studies]
    own = np.mean([one.mean for one in recalls])
    least = 0.95 - 1.96 * math.sqrt(0.95 * 0.05 / runs)
    assert np.mean([e.low <= truth <= e.high for e in told]) >= least
    assert np.mean([e.low <= own <= e.high for e in recalls]) >= least


def test_large_costs_do_not_overflow_and_units_change_no_digit():
    changes = np.array([0.25, 0.5, 0.03125])
    for unit in (1.0, 2.0**40, 2.0**900):
        assert _put_together(changes * unit, 0.3) == _put_together(changes, 0.3) * unit
    assert np.isfinite(_put_together(np.array([1e300, 1e299]), 0.3))


def test_errors_inside_a_group_are_compared_within_a_class():
    """In each group all samples of a class err alike, and the classes oppositely."""
    codes, groups = np.repeat([0, 1], 4), np.array(list("aabbaabb"))
    right = np.array([1.0, 1, 0, 0, 0, 0, 1, 1])
    assert errors_alike(right, codes, groups) == 1.0
    assert errors_alike(right[:4], codes[:4], groups[:4]) == 1.0

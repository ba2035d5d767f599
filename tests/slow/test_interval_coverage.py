"""How often intervals hold the truth, and nulls are rejected, by simulating full procedures.

The whole grid of designs is in `benchmarks/interval_coverage.py`; here are its corners.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from common.studies import make_data
from tamis.metrics import METRICS, HeldOut, VarianceInflation, effective_units, nogueira_stability
from tamis.study import run_study

pytestmark = pytest.mark.slow

SHIFT = 1.5  # between the classes' means, unit variance
TRUTH = {"bcr": NormalDist().cdf(SHIFT / 2), "auc": NormalDist().cdf(SHIFT / math.sqrt(2))}


def external(runs, n, copies, grouped):
    """Share of cohorts whose intervals hold the truth; each sample stands `copies` times."""
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], [2 * n // 3, n - 2 * n // 3])
    rows = np.repeat(np.arange(n), copies)
    held = dict.fromkeys(TRUTH, 0)
    sampling = VarianceInflation.external(
        effective_units(codes[rows], 2, rows if grouped else None)
    )
    for _ in range(runs):
        up = 1 / (1 + np.exp(-SHIFT * (rng.standard_normal(n) + SHIFT * (codes - 0.5))))
        proba = np.column_stack([1 - up, up])[rows]
        found = HeldOut.of([[(np.arange(len(rows)), codes[rows], proba.argmax(axis=1), proba)]])
        for name, truth in TRUTH.items():
            one = found.estimate(name, sampling)
            held[name] += one.low <= truth <= one.high
    return {name: count / runs for name, count in held.items()}


@pytest.mark.parametrize("n", [30, 60, 150])
def test_intervals_of_a_cohort_cover(n):
    for share in external(1000, n, 1, grouped=False).values():
        assert share >= 0.93 - 0.016


def test_groups_are_needed_for_coverage():
    grouped, naive = external(500, 90, 4, grouped=True), external(500, 90, 4, grouped=False)
    for name in TRUTH:
        assert grouped[name] >= 0.93 - 0.023
        assert naive[name] < 0.85


def cross_validated(rng, shift, n=60, p=300, size=5, folds=10):
    """Folds of a two-sample t, the best five columns, and their class means; and the truth."""
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, :5] += shift * y[:, None]
    fresh = rng.normal(size=(400, p))
    label = np.arange(400) % 2
    fresh[:, :5] += shift * label[:, None]
    order = np.concatenate([rng.permutation(np.flatnonzero(y == k)) for k in (0, 1)])
    fold = np.empty(n, int)
    fold[order] = np.arange(n) % folds
    parts, truth = [], []
    for f in range(folds):
        train, test = fold != f, np.flatnonzero(fold == f)
        a, b = X[train & (y == 0)], X[train & (y == 1)]
        t = np.abs(b.mean(0) - a.mean(0)) / np.sqrt(a.var(0) + b.var(0))
        best = np.argsort(-t)[:size]
        w = (b.mean(0) - a.mean(0))[best]
        middle = (a.mean(0) + b.mean(0))[best] @ w / 2

        def beliefs(rows, w=w, best=best, middle=middle):
            up = 1 / (1 + np.exp(np.clip(middle - rows[:, best] @ w, -50, 50)))
            return np.column_stack([1 - up, up])

        proba = beliefs(X[test])
        parts.append((test, y[test], proba.argmax(axis=1), proba))
        new = beliefs(fresh)
        truth.append((np.arange(400), label, new.argmax(axis=1), new))
    return HeldOut.of([parts]), HeldOut.of([[truth[0]]])


@pytest.mark.parametrize("shift", [0.0, 0.7, 2.0])
def test_intervals_of_cross_validation_cover(shift):
    rng = np.random.default_rng(int(10 * shift))
    sampling = VarianceInflation.k_fold(np.array([30.0, 30.0]))
    names = [name for name, metric in METRICS.items() if metric.covered]
    found = {name: [] for name in names}
    truth = {name: [] for name in names}
    for _ in range(400):
        held, new = cross_validated(rng, shift)
        for name in names:
            found[name].append(held.estimate(name, sampling))
            truth[name].append(new.score(name))
    for name in names:
        true = np.mean(truth[name])
        covered = np.mean([e.low <= true <= e.high for e in found[name]])
        assert covered >= (0.90 if shift == 2.0 else 0.93) - 0.03, name
        metric = METRICS[name]
        if shift == 0 and metric.chance_of is not None:
            chance = min(metric.chance([30, 30]), 0.5)  # labels here are not all the positive class
            beyond = [
                e.low > chance if metric.direction > 0 else e.high < chance for e in found[name]
            ]
            assert np.mean(beyond) <= 0.025 + 0.016, name


def test_nothing_is_found_in_noise_more_often_than_said():
    """p <= .05 and "more stable than with permuted labels" in at most one noise study of twenty."""
    plan = {
        "permutations": 19,
        "final": False,
        "describe": False,
        "inner": {"folds": 2, "repeats": 1},
        "outer": {"folds": 6},
        "method": [{"select": "pearson", "sizes": [1, 3]}],
    }
    runs, rejected, stable = 200, 0, 0
    import tempfile

    for seed in range(runs):
        data = make_data(seed=seed, n=24, p=25, informative=0)
        with tempfile.TemporaryDirectory() as folder:
            c = run_study(data, {**plan, "seed": seed}, folder + "/s").to_dict()
        rejected += c["permutation"]["p_value"] <= 0.05
        stable += bool(c["permutation"]["stability"]["above"])
    limit = 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert rejected / runs <= limit
    assert stable / runs <= limit
    assert rejected + stable > 0  # not never, either


def test_nogueira_interval_covers():
    rng = np.random.default_rng(0)
    shares = np.concatenate([np.full(10, 0.8), np.full(190, 0.05)])
    m = shares.mean()
    truth = 1 - np.mean(shares * (1 - shares)) / (m * (1 - m))
    held = 0
    for _ in range(1000):
        sets = [np.flatnonzero(rng.uniform(size=200) < shares) for _ in range(50)]
        found = nogueira_stability(sets, 200)
        held += found.low <= truth <= found.high
    assert 0.91 <= held / 1000 <= 0.98

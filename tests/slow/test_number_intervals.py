"""Studies of a number in noise and with a signal: the level of the test, and coverage.

More designs are in benchmarks/number_null.py and benchmarks/number_coverage.py.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tamis.data import Dataset
from tamis.metrics.held_out_numbers import HeldOutNumbers, NumberSampling
from tamis.metrics.number_metrics import NUMBER_METRICS, FoldValues
from tamis.study import run_study

pytestmark = pytest.mark.slow
STUDIES, PERMUTATIONS, FOLDS, NEW = 40, 19, 10, 400


def test_noise_is_at_chance(tmp_path):
    p, order = [], []
    for seed in range(STUDIES):
        rng = np.random.default_rng([seed, 2])
        X, y = rng.normal(size=(40, 60)), rng.normal(size=40)
        data = Dataset(X, None, tuple(f"g{j:02}" for j in range(60)), numbers=y)
        plan = {"response": "number", "permutations": PERMUTATIONS, "seed": seed, "final": False}
        found = run_study(data, plan, tmp_path / str(seed), n_jobs=1).to_dict()
        p.append(found["permutation"]["p_value"])
        order.append(found["metrics"]["concordance"]["mean"])
    for level in (0.05, 0.1, 0.2):
        assert np.mean(np.array(p) <= level + 1e-9) <= level + 2 * math.sqrt(
            level * (1 - level) / STUDIES
        )
    assert abs(np.mean(order) - 0.5) <= 2.5 * np.std(order) / math.sqrt(STUDIES)


def fitted(X, y):
    """Least squares on the five features of the largest covariance."""
    own = np.argsort(-np.abs((X - X.mean(axis=0)).T @ (y - y.mean())))[:5]
    A = np.column_stack([np.ones(len(y)), X[:, own]])
    coef = np.linalg.lstsq(A, y, rcond=None)[0]
    return lambda Z: coef[0] + Z[:, own] @ coef[1:]


def cross_validated(rng, n, signal):
    """Held-out predictions of a table, and every score on new samples."""

    def draw(m):
        X = rng.normal(size=(m, 50))
        return X, signal * X[:, :3].sum(axis=1) + rng.normal(size=m)

    (X, y), (Z, z), fold = draw(n), draw(NEW), rng.permutation(n) % FOLDS
    folds, new = [], None
    for k in range(FOLDS):
        test, train = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
        predict, mean = fitted(X[train], y[train]), float(y[train].mean())
        folds.append((test, y[test], predict(X[test]), mean))
        new = FoldValues(z, predict(Z), np.full(NEW, mean), np.zeros(NEW, dtype=int))
    return HeldOutNumbers.of([folds]), {k: metric(new) for k, metric in NUMBER_METRICS.items()}


@pytest.mark.parametrize("n", [40, 120])
@pytest.mark.parametrize("signal", [0.0, 1.0])
def test_intervals_cover(n, signal):
    rng = np.random.default_rng([n, int(signal)])
    made = [cross_validated(rng, n, signal) for _ in range(150)]
    sampling = NumberSampling(np.arange(n), resampled=True)
    for name, metric in NUMBER_METRICS.items():
        truth = np.mean([new[name] for _, new in made])
        found = [held.estimate(metric, sampling) for held, _ in made]
        inside = [one.low <= truth <= one.high for one in found if np.isfinite(one.low)]
        assert np.mean(inside) >= 0.93 - 0.042, name  # two standard errors

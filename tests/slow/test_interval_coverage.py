"""How often intervals hold the truth, by simulation where the truth has a closed form."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from tamis.metrics import bootstrap_intervals, nogueira_stability

pytestmark = pytest.mark.slow

SHIFT = 1.5  # between the classes' means, unit variance
TRUTH = {
    "bcr": NormalDist().cdf(SHIFT / 2),
    "auc": NormalDist().cdf(SHIFT / math.sqrt(2)),
}


def coverage(runs: int, n: int, copies: int, grouped: bool) -> dict[str, float]:
    """Share of runs whose intervals hold the truth; each sample stands `copies` times."""
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], [2 * n // 3, n - 2 * n // 3])
    rows = np.repeat(np.arange(n), copies)
    held = dict.fromkeys(TRUTH, 0)
    for _ in range(runs):
        up = 1 / (1 + np.exp(-SHIFT * (rng.standard_normal(n) + SHIFT * (codes - 0.5))))
        proba = np.column_stack([1 - up, up])[rows]
        ends = bootstrap_intervals(
            codes[rows], proba.argmax(axis=1), proba, TRUTH, 500, rng,
            groups=rows if grouped else None,
        )  # fmt: skip
        for name, (low, high) in ends.items():
            held[name] += low <= TRUTH[name] <= high
    return {name: count / runs for name, count in held.items()}


@pytest.mark.parametrize("n", [60, 150])
def test_bootstrap_intervals_cover(n):
    for share in coverage(1000, n, 1, grouped=False).values():
        assert 0.92 <= share <= 0.97


def test_groups_are_needed_for_coverage():
    grouped = coverage(500, 90, 4, grouped=True)
    naive = coverage(500, 90, 4, grouped=False)
    for name in TRUTH:
        assert 0.92 <= grouped[name] <= 0.975
        assert naive[name] < 0.8


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

"""How often the pair search reports a pair where there is none to report."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from tamis.interactions import search_pairs

pytestmark = pytest.mark.slow

SETS, N, P, STRONG = 1000, 60, 30, 5


def features_alone(seed):
    """Normal, rounded, correlated and categorical columns with gaps; a third of class 1."""
    rng = np.random.default_rng([seed, 9])
    X = rng.normal(size=(N, P))
    X[:, 6:12] = np.round(X[:, 6:12])
    X[:, 12:18] += 2 * rng.normal(size=(N, 1))
    X[:, 18:24] = rng.integers(0, 4, (N, 6)) * rng.integers(0, 2, (N, 6))
    X[rng.random((N, P)) < 0.02] = np.nan
    return X, (np.arange(N) % 3 == 0).astype(int)


@pytest.mark.parametrize("best", [None, 12])
@pytest.mark.parametrize("by", ["interaction", "score"])
def test_one_null_set_in_twenty_reports_a_pair(by, best):
    """Where one of the 20 runs is best, each is so equally often; ties report nothing."""
    reported = decided = 0
    for seed in range(SETS):
        X, y = features_alone(seed)
        found = search_pairs(
            X, y, by=by, best=best, categorical_features=range(18, 24), random_state=seed
        )
        runs = np.sort([*found.maxima, found.value[0]])
        decided += bool(runs[-1] > runs[-2])
        reported += bool(found.significant.any())
    print(f"{by}, best={best}: {reported} of {SETS} null sets report a pair; {decided} decided")
    assert binomtest(reported, decided, 1 / 20).pvalue > 0.01
    assert binomtest(reported, SETS, 0.05, alternative="greater").pvalue > 0.01


@pytest.mark.parametrize("shift", [1.0, 2.0, 4.0])
def test_strong_features_make_no_interactions(shift):
    """Five features are shifted, and all are independent within the classes.

    The features that are not are safe by the theory (their permuted runs are those of a table
    without the others, and more); that pairs with the shifted are so is what is measured.
    """
    reported = innocent = 0
    for seed in range(SETS):
        X, y = features_alone(seed)
        rng = np.random.default_rng([seed, 10])
        for c in (0, 1):  # no column knows of another
            rows = np.flatnonzero(y == c)
            for j in range(P):
                X[rows, j] = X[rng.permutation(rows), j]
        X[:, :STRONG] += shift * y[:, None]
        found = search_pairs(X, y, categorical_features=range(18, 24), random_state=seed)
        pairs = [pair for pair, true in zip(found.terms, found.significant, strict=True) if true]
        reported += bool(pairs)
        innocent += any(min(pair) >= STRONG for pair in pairs)
    print(f"shift {shift:g}: {reported} of {SETS} sets report a pair, {innocent} of others")
    for count in (reported, innocent):
        assert binomtest(count, SETS, 0.05, alternative="greater").pvalue > 0.01

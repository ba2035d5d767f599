"""P-values and q-values of random intersection trees, with nothing planted and with sets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from tamis.data import make_planted_interaction
from tamis.interactions import random_intersection_trees

pytestmark = pytest.mark.slow

NULL_SETS, PLANTED_SETS = 300, 150


def sparse(rng, n):
    return rng.random((n, 200)) < 0.05


def one_hot(rng, n):
    """Twenty correlated numbers, each cut into thirds."""
    numbers = 0.8 * rng.normal(size=(n, 1)) + 0.6 * rng.normal(size=(n, 20))
    numbers[:, 10:] += rng.normal(size=(n, 1))
    thirds = numbers.argsort(axis=0).argsort(axis=0) * 3 // n
    return np.hstack([thirds == k for k in range(3)])


def nested(rng, n):
    """Columns that are part of others."""
    X = rng.random((n, 120)) < 0.3
    X[:, ::4] |= X[:, 1::4]
    X[:, 2::4] &= X[:, 3::4]
    return X


# table, rows of each class, thresholds in place of "auto"
DESIGNS = {
    "sparse": (sparse, [60, 60], {"theta": 0.03, "theta_out": 0.0}),
    "one-hot": (one_hot, [40, 40], {"theta": 0.2, "theta_out": 0.12}),
    "unequal": (nested, [30, 90], {"theta": 0.15, "theta_out": 0.09}),
    "three": (one_hot, [30, 30, 30], {"theta": 0.2, "theta_out": 0.12}),
}


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("design", DESIGNS)
def test_labels_that_say_nothing(design, auto):
    """Where nothing is true, any set is a false discovery: the rate is the share of data sets."""
    make, sizes, fixed = DESIGNS[design]
    smallest = np.ones((NULL_SETS, 2))
    for seed in range(NULL_SETS):
        rng = np.random.default_rng([seed, 17])
        X, y = make(rng, sum(sizes)), rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
        found = random_intersection_trees(
            X, y, n_trees=20, n_bootstraps=0, random_state=seed, **({} if auto else fixed)
        )
        if len(found):
            smallest[seed] = found.p_value.min(), found.q_value.min()
    rates = {}
    for (name, level), column in zip((("p", 0.05), ("q", 0.1)), smallest.T, strict=True):
        times = int((column <= level + 1e-12).sum())
        rates[name] = times / NULL_SETS
        assert binomtest(times, NULL_SETS, level, alternative="greater").pvalue > 0.01
    print(
        f"{design}, {'auto' if auto else 'fixed'}: p <= .05 in {rates['p']:.3f} of data sets, "
        f"q <= .1 in {rates['q']:.3f}"
    )


PLANTED = [
    ({"n_features": 200, "order": 3, "prevalence": 0.4}, {}),
    ({"n_features": 200, "order": 3, "prevalence": 0.4, "n_interactions": 3}, {}),
    (
        {"n_features": 60, "order": 3, "density": 0.3, "n_interactions": 2},
        {"theta": 0.15, "theta_out": 0.1},
    ),
    (
        {"n_features": 40, "order": 2, "density": 0.1, "n_interactions": 3},
        {"theta": 0.3, "theta_out": 0.4},
    ),
]


@pytest.mark.parametrize(("data", "thresholds"), PLANTED)
def test_false_ones_among_discoveries(data, thresholds):
    """A set is true if it has two features of one planted set.

    A planted feature is as frequent in both classes; two of one set are not independent there.
    """
    order, p = data["order"], data["n_features"]
    planted = [
        set(range(p - order * (k + 1), p - order * k)) for k in range(data.get("n_interactions", 1))
    ]
    false, met = np.zeros(PLANTED_SETS), np.zeros(PLANTED_SETS)
    for seed in range(PLANTED_SETS):
        table = make_planted_interaction(60, random_state=seed, **data)
        found = random_intersection_trees(
            table.X > 0, table.y, n_trees=50, n_bootstraps=0, random_state=seed, **thresholds
        )
        if not len(found):
            continue
        told = [set(found.columns[s]) for s in np.flatnonzero(found.q_value <= 0.1 + 1e-12)]
        wrong = [all(len(one & true) < 2 for true in planted) for one in told]
        false[seed] = sum(wrong) / max(len(told), 1)
        met[seed] = np.mean([any(len(one & true) >= 2 for one in told) for true in planted])
    error = false.std() / np.sqrt(PLANTED_SETS)
    print(f"{data}: false {false.mean():.3f} +- {error:.3f}, planted sets met {met.mean():.2f}")
    assert met.mean() > 0.1  # there is something to be wrong about
    assert false.mean() <= 0.1 + 2 * error

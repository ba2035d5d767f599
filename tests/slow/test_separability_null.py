"""On noise: p-values are uniform with the whole selection repeated, and W1 is far from 0 without.

The figures stand on docs/methods/separability.md.
"""

from __future__ import annotations

import numpy as np
import pytest

from tamis.selection import FilterSelector, separability

pytestmark = pytest.mark.slow

PERMUTATIONS = 19


def noise(run, n, p, first):
    rng = np.random.default_rng([run, n, p])
    return rng.normal(size=(n, p)), (np.arange(n) >= first).astype(int)


@pytest.mark.parametrize(("n", "first", "runs"), [(24, 12, 1000), (25, 9, 400)])
def test_p_values_are_uniform_with_the_selection_repeated(n, first, runs):
    """Tables of 200 columns, of which the ten best are taken; 19 permutations.

    p takes the values 1/20 .. 1 with one probability each: the shares at or below .05, .10 and .50
    lie within four standard errors of that, and chi-squared on 19 degrees of freedom below 44.
    """
    p_values = np.empty(runs)
    for run in range(runs):
        X, y = noise(run, n, 200, first)
        found = separability(
            X,
            y,
            select=FilterSelector(size=10),
            n_permutations=PERMUTATIONS,
            margins=(),
            random_state=run,
        )
        p_values[run] = found.least_p_value
    counts = np.bincount(np.rint(p_values * 20).astype(int), minlength=21)[1:]
    print(
        "shares at .05, .10, .50:", [float((p_values < a + 1e-9).mean()) for a in (0.05, 0.1, 0.5)]
    )
    print("chi-squared:", ((counts - runs / 20) ** 2 / (runs / 20)).sum())
    for level in (0.05, 0.10, 0.50):
        share = (p_values < level + 1e-9).mean()
        assert abs(share - level) < 4 * np.sqrt(level * (1 - level) / runs)
    assert ((counts - runs / 20) ** 2 / (runs / 20)).sum() < 44


def test_permuting_the_labels_alone_after_the_selection_is_no_test():
    """The same columns for all permuted labels: nearly every table of noise has the least p."""
    least = 0
    for run in range(100):
        X, y = noise(run, 24, 200, 12)
        kept = FilterSelector(size=10).fit(X, y).get_support()
        every = FilterSelector(size=None)
        found = separability(
            X[:, kept], y, select=every, n_permutations=PERMUTATIONS, margins=(), random_state=run
        )
        least += found.least_p_value < 0.051
    print("share of p = .05:", least / 100)
    assert least > 90


@pytest.mark.parametrize(
    ("size", "distance", "errors"), [(2, 0.24, 0.50), (20, 0.56, 0.20), (50, 0.68, 0.00)]
)
def test_distances_and_margins_of_noise(size, distance, errors):
    """30 and 30 samples, 2,000 columns of noise, the best by the moderated t; 100 tables."""
    distances, shares = [], []
    for run in range(100):
        X, y = noise(run, 60, 2000, 30)
        kept = FilterSelector(size=size).fit(X, y).get_support()
        found = separability(X, y, kept, margins=[0.5])
        distances.append(found.least)
        shares.append(found.margin_errors[0, 0])
    print(f"best {size}: W1 {np.mean(distances):.3f}, margin errors at 0.5 {np.mean(shares):.3f}")
    assert np.mean(distances) == pytest.approx(distance, abs=0.02)
    assert np.mean(shares) == pytest.approx(errors, abs=0.03)

"""From where on a look calls columns copies, and missing values unlike: by the t distribution and
Fisher's exact test of scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tamis.data import Dataset
from tamis.look.near_copies import N_DIMENSIONS, least_correlation, near_copies


@pytest.mark.every
@pytest.mark.parametrize(("n", "p"), [(5, 100), (6, 20_000), (8, 60_000), (8, 20_000)])
def test_few_samples_need_a_correlation_that_chance_gives_one_pair_of_in_twenty_tables(n, p):
    """t = r sqrt((n - 2) / (1 - r^2)) of unrelated normal columns, two-sided, times the pairs."""
    r = least_correlation(n, p)
    assert 0.999 < r < 1
    t = r * np.sqrt((n - 2) / (1 - r * r))
    assert 2 * stats.t(n - 2).sf(t) * p * (p - 1) / 2 == pytest.approx(0.05, rel=1e-5)


def test_many_samples_have_999_in_a_thousand():
    t = 0.999 * np.sqrt(28 / (1 - 0.999**2))
    assert 2 * stats.t(28).sf(t) * 60_000**2 / 2 < 0.05
    assert least_correlation(30, 60_000) == 0.999


@pytest.mark.parametrize(("r", "linked"), [(0.9991, True), (0.9989, False), (-0.9991, True)])
def test_columns_are_copies_from_999_in_a_thousand_on(r, linked):
    rng, n = np.random.default_rng(0), 60
    Z, _ = np.linalg.qr(rng.normal(size=(n, 21)) - rng.normal(size=(n, 21)).mean(axis=0))
    Z[:, 20] = r * Z[:, 3] + np.sqrt(1 - r * r) * Z[:, 20]
    sketch = (rng.normal(size=(N_DIMENSIONS, n)) @ Z / np.sqrt(N_DIMENSIONS)).T
    found = near_copies(sketch, least_correlation(n, 21), lambda columns: Z[:, columns])
    assert [one.columns for one in found] == ([(3, 20)] if linked else [])


@pytest.mark.every
@pytest.mark.parametrize(
    ("lost", "times"), [((34, 20), 3), ((20, 8), 3), ((23, 11), 2), ((28, 14), 4)]
)
def test_missing_values_are_unlike_at_five_in_a_hundred_over_the_columns_tested(lost, times):
    """60 + 60 samples, so many values missing in either class: p times the columns is .0495 to
    .0502; other columns miss 9 of each."""
    from tamis.look import look_at

    X = np.random.default_rng(0).normal(size=(120, times + 2))
    X[: lost[0], 0] = X[60 : 60 + lost[1], 0] = np.nan
    for j in range(1, times):
        X[10 * j : 10 * j + 9, j] = X[60 + 10 * j : 69 + 10 * j, j] = np.nan
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    p = stats.fisher_exact([[lost[0], 60 - lost[0]], [lost[1], 60 - lost[1]]]).pvalue
    found = look_at(Dataset(X, np.repeat(["a", "b"], 60), names)).to_dict()["missing"]
    assert found["tested"] == times
    assert p * times == pytest.approx(0.05, abs=5e-4)
    assert found["unlike"] == (p * times <= 0.05)

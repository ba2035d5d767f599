"""Columns that tell nearly the same, beside a search of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.data.dataset import Dataset
from tamis.kernels.unit_columns import unit_columns
from tamis.look.near_copies import (
    N_DIMENSIONS,
    equal_categories,
    least_correlation,
    linked_sets,
    near_copies,
)


def found_in(X, least=0.999, seed=0):
    Z = unit_columns(X)
    signs = np.random.default_rng(seed).normal(size=(N_DIMENSIONS, len(X))) / np.sqrt(N_DIMENSIONS)
    return near_copies((signs @ Z).T, least, lambda columns: Z[:, columns])


def by_all_pairs(X, least=0.999):
    r = np.abs(np.triu(unit_columns(X).T @ unit_columns(X), 1))
    pairs = np.argwhere(r >= least)
    return linked_sets(pairs, np.minimum(r[tuple(pairs.T)], 1.0), X.shape[1])


def made(kind, seed):
    rng = np.random.default_rng(seed)
    n, p = 60, 400
    X = rng.normal(size=(n, p))
    if kind == "few directions":
        X = rng.normal(size=(n, 3)) @ rng.normal(size=(3, p)) + 0.3 * X
    if kind == "sparse":
        X = np.where(rng.random((n, p)) < 0.02, rng.integers(1, 9, (n, p)), 0.0)
    for k in range(20):
        X[:, 100 + k] = rng.normal() - 3 * rng.random() * X[:, k] + 1e-3 * rng.normal(size=n)
    X[:, 200] = X[:, 201] = X[:, 202]
    X[:, 203] = 1.0
    if kind == "gaps":
        X[::7, :150] = np.nan
    return X


@pytest.mark.parametrize("kind", ["plain", "few directions", "sparse", "gaps"])
@pytest.mark.parametrize("seed", range(3))
def test_it_finds_what_all_pairs_find(kind, seed):
    X = made(kind, seed)
    found, all_of_them = found_in(X), by_all_pairs(X)
    assert [one.columns for one in found] == [one.columns for one in all_of_them]
    if kind != "sparse":  # where the column may be constant
        assert any({200, 201, 202} <= {*one.columns} for one in found)
    assert not any(203 in one.columns for one in found)
    assert all(one.least_r >= 0.999 for one in found)


def test_nothing_is_missed_in_many_draws():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 1000))
    # as far apart as may be
    gap = np.sqrt(1 / 0.9992**2 - 1)
    other = unit_columns(rng.normal(size=(30, 500)))
    base = unit_columns(X[:, :500])
    other -= base * (base * other).sum(axis=0)
    X[:, 500:] = base + gap * unit_columns(other)
    assert [len(found_in(X, seed=seed)) for seed in range(20)] == [500] * 20


def test_thousands_of_copies_are_few_pairs():
    seen = []
    X = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 3000, axis=1)
    Z = unit_columns(X)

    def units(columns):
        seen.append(len(columns))
        return Z[:, columns]

    sketch = (np.random.default_rng(1).normal(size=(N_DIMENSIONS, 20)) @ Z).T
    found = near_copies(sketch, 0.999, units, 500)
    assert [len(one.columns) for one in found] == [3000, 3000]
    assert sum(seen) < 2 * 20 * 6000
    assert max(seen) <= 500


@pytest.mark.parametrize(("n", "p"), [(4, 30), (6, 300), (12, 2000)])
def test_few_samples_make_no_copies_by_chance(n, p):
    least = least_correlation(n, p)
    found = sum(
        bool(found_in(np.random.default_rng(k).normal(size=(n, p)), least)) for k in range(40)
    )
    assert found <= 6  # 5 % of 40 are 2


def test_two_samples_tell_nothing():
    assert least_correlation(2, 10) is None
    assert least_correlation(3, 60_000) is None
    assert least_correlation(100, 60_000) == 0.999


def test_categories_that_divide_alike():
    codes = np.random.default_rng(0).integers(0, 3, 40).astype(float)
    X = np.stack([codes, (codes + 1) % 3, np.where(codes == 0, np.nan, codes), codes * 0], axis=1)
    levels = dict.fromkeys(range(4), ("a", "b", "c"))
    (found,) = equal_categories(Dataset(X, None, tuple("wxyz"), levels=levels))
    assert found.columns == (0, 1, 2)  # missing divides too

"""near_identical_rows: copies with noise are found, likeness by class, batch or size is not."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.data import read_table
from tamis.data.near_rows import near_identical_rows


def classes(g, n, p):
    X = g.normal(size=(n, p))
    X[: n // 2, : p // 2] += 4
    return X


def small_class(g, n, p):
    X = g.normal(size=(n, p))
    X[: n // 12, : p // 2] += 4
    return X


def clusters(g, n, p):
    return 5 * g.normal(size=(n // 15, p))[np.arange(n) % (n // 15)] + g.normal(size=(n, p))


def factors(g, n, p):
    return 2 * g.normal(size=(n, 3)) @ g.normal(size=(3, p)) + g.normal(size=(n, p))


def flat(g, n, p):
    return g.normal(size=(n, 4)) @ g.normal(size=(4, p)) + 0.05 * g.normal(size=(n, p))


def heavy(g, n, p):
    return np.exp(1.5 * g.normal(size=(n, p)))


def counts(g, n, p):
    level = g.normal(3, 1.5, size=p) + 0.5 * g.normal(size=(n, p)) + 0.7 * g.normal(size=(n, 1))
    return g.poisson(np.exp(level)).astype(float)


def gaps(g, n, p):
    X = g.normal(size=(n, p))
    X[g.random((n, p)) < 0.2] = np.nan
    return X


def pale(g, n, p):
    return g.normal(size=(n, p)) * np.exp(0.6 * g.normal(size=(n, 1)))


TABLES = [classes, small_class, clusters, factors, flat, heavy, counts, gaps, pale]


@pytest.mark.parametrize("made", TABLES)
@pytest.mark.parametrize(("n", "p"), [(36, 20), (36, 2000), (150, 20), (150, 100)])
def test_rows_that_are_only_alike(made, n, p):
    g = np.random.default_rng([n, p])
    alarms = sum(bool(near_identical_rows(made(g, n, p))) for _ in range(10))
    assert alarms == 0


@pytest.mark.parametrize("made", [classes, clusters, factors, heavy, gaps, pale])
def test_pairs_are_found_among_them(made):
    g = np.random.default_rng(0)
    X = made(g, 90, 300)
    again = X[[3, 50]] + 0.15 * np.nanstd(X, axis=0) * g.normal(size=(2, 300))
    assert sorted(near_identical_rows(np.vstack([X, again]))) == [(3, 90), (50, 91)]


@pytest.mark.parametrize("noise", [0.1, 0.2, 0.3])
def test_every_patient_measured_several_times(noise):
    g = np.random.default_rng(1)
    who = np.arange(120) % 20
    X = g.normal(size=(20, 100))[who] + noise * g.normal(size=(120, 100))
    sets = sorted(near_identical_rows(X))
    assert sets == [tuple(range(k, 120, 20)) for k in range(20)]


def test_the_scale_of_columns_and_rows_and_levels_do_not_matter():
    g = np.random.default_rng(2)
    X = g.normal(size=(60, 80))
    X[59] = X[0] + 0.1 * g.normal(size=80)
    assert near_identical_rows(X) == [(0, 59)]
    assert near_identical_rows(X * np.exp(5 * g.normal(size=80)) + 7) == [(0, 59)]
    assert near_identical_rows(np.exp(X)) == [(0, 59)]
    mixed = np.hstack([X, g.integers(0, 3, size=(60, 40))])
    assert near_identical_rows(mixed, {80 + j: ("a", "b", "c") for j in range(40)}) == [(0, 59)]
    assert near_identical_rows(mixed) == [(0, 59)]


def test_nothing_is_said_where_nothing_can_be_known():
    g = np.random.default_rng(3)
    X = g.normal(size=(40, 9))
    X[1] = X[0] + 1e-3 * g.normal(size=9)
    assert near_identical_rows(X) == []  # few columns
    assert near_identical_rows(g.normal(size=(9, 50))) == []
    assert near_identical_rows(g.integers(0, 4, size=(60, 50)).astype(float)) == []
    assert near_identical_rows(np.full((20, 30), np.nan)) == []
    equal = g.normal(size=(40, 50))
    equal[1] = equal[0]
    assert near_identical_rows(equal) == []  # counted elsewhere
    line = g.normal(size=(60, 1)) * g.normal(size=(1, 40))
    assert near_identical_rows(line) == []  # one dimension
    empty = g.normal(size=(40, 50))
    empty[:4, 5:] = np.nan
    assert near_identical_rows(empty) == []


@pytest.mark.parametrize("name", ["alon", "golub", "gordon", "pomeroy", "su", "su2001"])
def test_tables_without_copies(shared_data, name):
    data = read_table(shared_data / f"expression/{name}.parquet", target="class")
    assert near_identical_rows(data.X, data.levels) == []


def test_tables_with_triplicates(shared_data):
    data = read_table(shared_data / "expression/stemcells.parquet", target="class")
    assert near_identical_rows(data.X, data.levels) == [(41, 42, 43)]
    data = read_table(shared_data / "expression/tissues.parquet", target="class")
    assert near_identical_rows(data.X, data.levels) == [(157, 158, 159)]

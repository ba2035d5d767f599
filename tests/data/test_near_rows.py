"""near_identical_rows: copies with noise are found, likeness by class, batch or size is not."""

from __future__ import annotations

import numpy as np
import pytest

from common.replicates import (
    UNRELATED,
    classes,
    clusters,
    factors,
    gaps,
    heavy,
    pale,
    replicate_table,
)
from tamis.data import as_dataset, read_table
from tamis.data.near_rows import _count_dimensions, near_identical_rows


@pytest.mark.parametrize("made", UNRELATED)
@pytest.mark.parametrize(("n", "p"), [(36, 20), (36, 2000), (150, 20), (150, 100)])
def test_rows_that_are_only_alike(made, n, p):
    g = np.random.default_rng([n, p])
    assert sum(bool(near_identical_rows(made(g, n, p))) for _ in range(10)) == 0


@pytest.mark.parametrize("made", [classes, clusters, factors, heavy, gaps, pale])
def test_pairs_are_found_among_them(made):
    g = np.random.default_rng(0)
    X = made(g, 90, 300)
    again = X[[3, 50]] + 0.15 * np.nanstd(X, axis=0) * g.normal(size=(2, 300))
    assert sorted(near_identical_rows(np.vstack([X, again]))) == [(3, 90), (50, 91)]


@pytest.mark.parametrize("noise", [0.1, 0.2, 0.3])
def test_every_patient_measured_several_times(noise):
    X, who = replicate_table(np.random.default_rng(1), 20, 6, noise, 100)
    X, who = X.reshape(20, 6, 100).swapaxes(0, 1).reshape(120, 100), np.arange(120) % 20
    assert sorted(near_identical_rows(X)) == [tuple(np.flatnonzero(who == k)) for k in range(20)]


@pytest.mark.parametrize(("copies", "noise"), [(3, 0.3), (3, 0.7), (3, 1.0), (2, 0.5), (4, 0.5)])
@pytest.mark.parametrize("p", [1000, 2000])
def test_noise_as_large_as_patients_differences(copies, noise, p):
    for seed in range(3):
        X, who = replicate_table(np.random.default_rng([p, seed]), 20, copies, noise, p)
        order = np.random.default_rng(seed).permutation(len(X))
        sets = sorted(near_identical_rows(X[order]))
        assert len(sets) == 20
        assert all(len(own) == copies and len(set(who[order][list(own)])) == 1 for own in sets)


def test_patients_measured_once_and_more_often():
    g = np.random.default_rng(4)
    times = np.repeat([1, 2, 3, 5], [30, 5, 5, 4])
    who = np.repeat(np.arange(len(times)), times)
    X = g.normal(size=(len(times), 1500))[who] + g.normal(size=(len(who), 1500))
    several = [tuple(np.flatnonzero(who == k)) for k in np.flatnonzero(times > 1)]
    assert sorted(near_identical_rows(X)) == several


def test_many_sets_together_are_surer_than_one():
    X, _ = replicate_table(np.random.default_rng(5), 30, 2, 0.85, 200)
    assert len(near_identical_rows(X)) > 25
    one = np.concatenate([[0, 1], np.arange(2, 60, 2)])  # of the others one measurement each
    assert near_identical_rows(X[one]) == []


def test_a_set_that_is_a_whole_class_is_its_class():
    g = np.random.default_rng(6)
    X, who = replicate_table(g, 20, 3, 0.5, 500)
    assert near_identical_rows(X, y=who) == []
    y = np.where(who == 7, 7, who % 2)
    assert sorted(near_identical_rows(X, y=y)) == [
        tuple(range(3 * k, 3 * k + 3)) for k in range(20) if k != 7
    ]


@pytest.mark.parametrize("dimensions", [8, 20, 50])
def test_dimensions_of_evenly_spread_points(dimensions):
    """By their distances: those of a Poisson process have powers that are sums of exponentials."""
    g = np.random.default_rng(7)
    far = np.cumsum(g.exponential(size=(4000, 4)), axis=1) ** (1 / dimensions)
    assert _count_dimensions(far) == pytest.approx(dimensions, rel=0.05)


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
    floor = np.abs(g.normal(size=(60, 200))) * (g.random((60, 200)) < 0.3)
    floor[:2] = 0
    floor[1, 0] = 0.1
    assert near_identical_rows(floor) == []  # most values of a column are one
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
    data = read_table(shared_data / "expression/breast_tumors.parquet", target="class")
    assert near_identical_rows(data.X, data.levels) == [(14, 15), (31, 32), (19, 20)]


@pytest.mark.parametrize("name", ["golub", "beer", "chowdary", "tox171"])
def test_parts_of_tables_without_copies(shared_data, name):
    data = read_table(shared_data / f"expression/{name}.parquet", target="class")
    g = np.random.default_rng(8)
    for _ in range(5):
        rows = np.sort(g.permutation(len(data.X))[: len(data.X) * 2 // 3])
        assert near_identical_rows(data.X[rows]) == []


def test_near_rows_of_different_groups_are_reported_with_their_groups():
    """Two patients have a row that nearly is another's: one of their groups is wrong."""
    X, who = replicate_table(np.random.default_rng(1), 20, 3, 0.2, 100)
    y = np.where(who % 2, "ill", "well")
    groups = np.array([f"p{k}" for k in who])
    right = as_dataset(X, y, group=groups)
    assert not [note for note in right.doubts if "nearly the same" in note]
    groups[4], groups[31] = "q1", "q2"
    (note,) = as_dataset(X, y, group=groups).doubts
    assert note.startswith("6 samples form 2 sets of near-duplicates that are of different")
    groups[31] = groups[30]
    (note,) = as_dataset(X, y, group=groups).doubts
    assert "are nearly the same and of different groups: if they are one patient" in note

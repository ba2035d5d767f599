"""The thresholds of near-identical rows, one by one, beside values by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from tamis.data.near_rows import (
    _count_sure,
    _least_dimensions,
    _log_chance,
    _set_share,
    near_identical_rows,
)


@pytest.mark.parametrize(
    ("expected_by_chance", "reported"),
    [
        ([0.00049], 1),
        ([0.00051], 0),
        ([0.0004, 0.0199], 2),
        ([0.0006, 0.0199], 2),  # together they are surer than the first alone
        ([0.0006, 0.0201], 0),
        ([0.0004, 0.0201], 1),
        ([0.0006, 0.021, 0.0299], 3),
        ([0.0006, 0.021, 0.0301], 0),
        ([], 0),
    ],
)
def test_how_many_sets_are_reported(expected_by_chance, reported):
    assert _count_sure([float(np.log(one)) for one in expected_by_chance]) == reported


@pytest.mark.parametrize(
    ("share", "size", "expected"),
    [
        (0.5, 2, 100 * 0.5**20),
        (0.5, 4, 100 * 0.5**60),
        (0.64, 2, 100 * 0.64**20),
        (0.66, 2, (100 * 0.66**20) ** 0.5),
        (0.8, 3, (100 * 0.8**40) ** 0.5),
    ],
)
def test_sets_as_near_that_chance_gives(share, size, expected):
    found, members = _log_chance((share, list(range(size))), 100, 20.0)
    assert members == list(range(size))
    assert np.exp(found) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("n", "least"), [(16, 9.0), (100, 7.2), (10_000, 6.12)])
def test_dimensions_that_are_enough(n, least):
    assert _least_dimensions(n) == pytest.approx(least)


@pytest.mark.parametrize(("inside", "is_a_set"), [(0.89, True), (0.91, False)])
def test_a_candidate_is_nearer_than_its_surroundings(inside, is_a_set):
    """Rows 0 and 1 are each other's nearest, the nearest row outside lies at 1."""
    near = np.array([[1, 2], [0, 2], [3, 0], [2, 0]])
    far = np.array([[inside, 1.0], [inside, 1.0], [1.0, 1.0], [1.0, 1.0]])
    assert _set_share(near, far) == ([(inside, [0, 1])] if is_a_set else [])


def test_a_pair_is_as_near_as_rows_of_the_table_usually_are_not():
    """Two arrays of one direction and of growing strength, against the distances of the others."""
    g = np.random.default_rng(0)
    X = g.normal(size=(60, 400))
    shape, noise = g.normal(size=400), 0.5 * g.normal(size=400)
    reported, ratios = [], []
    for strength in np.linspace(0.7, 4, 34):
        both = np.vstack([X, strength * shape, strength * (shape + noise)])
        V = (both - both.mean(axis=0)) / both.std(axis=0)
        gaps = cdist(V, V) + np.diag(np.full(62, np.inf))
        ratios.append(gaps[60, 61] / np.median(gaps[:61, :61].min(axis=1)))
        reported.append(near_identical_rows(both) == [(60, 61)])
    assert min(ratios) < 0.8 < 0.9 < max(ratios)
    assert np.diff(np.sort(ratios)).max() < 0.05
    assert reported == [ratio <= 0.85 for ratio in ratios]

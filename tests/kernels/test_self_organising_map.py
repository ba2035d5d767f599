"""The batch map: MiniSom's own update, plain loops, mirror images, and grids."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.examples import settings
from tamis.kernels.self_organising_map import (
    grid_places,
    grid_shape,
    nearest_units,
    plane_start,
    self_organising_map,
    train_map,
    turned_points,
)

GOLDEN = Path(__file__).parents[1] / "goldens" / "minisom_batch.json"


def sphere(seed, m=60, n=8):
    values = np.random.default_rng(seed).normal(size=(m, n))
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def plain_map(points, start, places, radii, mirrored):
    """One point and one unit after the other."""
    units = start.copy()
    for radius in radii:
        sums, total = np.zeros_like(units), np.zeros(len(units))
        for point in points:
            best, signed = np.inf, point
            for c, unit in enumerate(units):
                for sign in (1, -1) if mirrored else (1,):
                    apart = ((sign * point - unit) ** 2).sum()
                    if apart < best - 1e-12:
                        best, at, signed = apart, c, sign * point
            for c in range(len(units)):
                weight = np.exp(-((places[at] - places[c]) ** 2).sum() / (2 * radius**2))
                sums[c] += weight * signed
                total[c] += weight
        for c in range(len(units)):
            if total[c] > 0:
                units[c] = sums[c] / total[c]
    return units


@given(st.integers(0, 1000), st.integers(2, 12), st.booleans())
@example(84, 3, False)  # two units lie on one another
@settings(max_examples=20, deadline=None)
def test_equals_plain_loops(seed, n_units, mirrored):
    points, places = sphere(seed, 25, 5), grid_places(*grid_shape(n_units))
    start, radii = plane_start(points, places), np.array([1.5, 0.8, 0.5])
    found = train_map(points, start, places, radii, mirrored)
    assert np.allclose(found, plain_map(points, start, places, radii, mirrored), atol=1e-9)


@pytest.mark.parametrize("one", json.loads(GOLDEN.read_text()), ids=lambda one: one["grid"])
def test_an_epoch_is_that_of_minisom(one):
    points, start = np.array(one["points"]), np.array(one["start"])
    places = np.array(one["places"])
    found = train_map(points, start, places, np.array(one["radii"]), False)
    assert np.allclose(found, one["units"], atol=1e-9)


def test_grids_are_near_squares_with_enough_units():
    for k in range(1, 200):
        rows, columns = grid_shape(k)
        assert k <= rows * columns < k + rows
        assert rows <= columns + 1
        assert columns <= 2 * rows


def test_neighbours_on_the_grid_are_one_apart():
    places = grid_places(4, 5)
    apart = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2))
    near = np.isclose(apart, 1).sum(axis=1)
    assert apart[~np.eye(20, dtype=bool)].min() == pytest.approx(1)
    assert near.max() == 6  # inside; fewer at the border


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_map_keeps_neighbours_together(mirrored):
    """Points along an arc: units that are neighbours on a chain are so on the arc."""
    angle = np.linspace(0, 1.4, 80)
    points = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(80)])
    if mirrored:
        points[::3] *= -1
    units, places = self_organising_map(points, 3, mirrored)
    nearest, _ = nearest_units(points, units, mirrored)
    assert len(units) == len(places) == 4  # 2 x 2
    assert (np.diff(nearest) != 0).sum() <= 3  # each unit has one piece of the arc


def test_mirrored_points_change_nothing():
    points, flips = sphere(3), np.where(np.arange(60) % 4, 1.0, -1.0)
    assert np.array_equal(np.abs(turned_points(points)), np.ones(60))
    one, _ = self_organising_map(points, 6, True)
    two, _ = self_organising_map(points * flips[:, None], 6, True)
    first, signs = nearest_units(points, one, True)
    second, turned = nearest_units(points * flips[:, None], two, True)
    assert np.array_equal(first, second)
    assert len(set(signs * turned * flips)) == 1  # the whole map may be a mirror image


def test_equal_distances_go_to_the_first_unit():
    units = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    nearest, signs = nearest_units(np.array([[1.0, 0.0], [0.0, -1.0]]), units, True)
    assert nearest.tolist() == [0, 2]
    assert signs.tolist() == [1, -1]

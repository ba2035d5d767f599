"""From where on a cohort is told to be unlike a model's training rows: at the numbers of
docs/warnings.md, just below and just above them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from common.known_rows import model_of_rows
from tamis.model.cohort import _copy_verdict, value_misfits
from tamis.model.training import Training, quantile_spread

GRID = np.linspace(0.0, 1.0, 41)  # of each class; from 10 to 90 % it is .8


def codes_told(training: np.ndarray, cohort: np.ndarray) -> list[str]:
    """Of a model that only knows its rows, two of each value, and a cohort."""
    model, data = model_of_rows(np.repeat(training, 2, axis=0), cohort)
    return [code for code, _ in value_misfits(model, data)]


def grids(k: int, low: float = 0.0) -> np.ndarray:
    return np.tile(low + GRID[:, None], k)


def around(median: float, width: float, n: int = 11) -> np.ndarray:
    """n values about a median, from end to end so wide; from 10 to 90 % four fifths of it."""
    return median + np.linspace(-width / 2, width / 2, n)


@pytest.mark.every
@pytest.mark.parametrize(
    ("values", "told"),
    [
        (around(0.5, 0.099), True),  # .0792 of .8: less than a tenth
        (around(0.5, 0.101), False),
        (around(-0.41, 0.5), True),  # below all by half of the spread, .4
        (around(-0.39, 0.5), False),
        (around(1.41, 0.5), True),
        (around(1.39, 0.5), False),
        (around(-0.41, 0.5, 5), True),
        (around(-0.41, 0.5, 4), False),  # medians of four say little
    ],
)
def test_another_scale_is_told_by_spreads_and_medians(values, told):
    found = codes_told(grids(4), np.tile(values[:, None], 4))
    assert ("other-scale" in found) == told


@pytest.mark.parametrize(("median", "told"), [(2.80, False), (2.86, True)])
def test_above_0_a_cohort_has_to_be_centred_half_the_range_up_in_logarithms_too(median, told):
    """Training from 1 to 2: 2 * (2 / 1) ** .5 = 2.83, beside 2 + .4."""
    found = codes_told(grids(4, 1.0), np.tile(around(median, 0.5)[:, None], 4))
    assert ("other-scale" in found) == told


@pytest.mark.parametrize(("odd", "told"), [(2, False), (3, True)])
def test_more_than_half_of_the_columns_are_on_another_scale(odd, told):
    cohort = np.tile(around(0.5, 0.9)[:, None], 4)
    cohort[:, :odd] = around(-0.45, 0.5)[:, None]
    assert ("other-scale" in codes_told(grids(4), cohort)) == told


def far_values(n: int, k: int, column: list[int], value: float = 2.1) -> np.ndarray:
    """Values inside, but for the first so many of each column."""
    cohort = np.tile(np.linspace(0.05, 0.95, n)[:, None], k)
    for j, count in enumerate(column):
        cohort[:count, j] = value
    return cohort


@pytest.mark.every
@pytest.mark.parametrize(
    ("cohort", "told"),
    [
        (far_values(10, 4, [2, 2]), False),  # a tenth of 40 values
        (far_values(10, 4, [3, 2]), True),
        (far_values(10, 4, [3, 2], 1.9), False),  # not by the whole width
        (far_values(10, 4, [3, 2], -1.1), True),
        (far_values(10, 4, [3, 2], -0.9), False),
        (far_values(10, 12, [5]), False),  # half of a column, .04 of all
        (far_values(10, 12, [6]), True),
        (far_values(4, 4, [4, 4]), False),  # of fewer than five samples more than half of all
        (far_values(4, 4, [4, 4, 1]), True),
        (far_values(5, 4, [2, 1]), True),
    ],
)
def test_values_outside_the_training_range_are_told_by_their_share(cohort, told):
    assert ("outside-range" in codes_told(grids(cohort.shape[1]), cohort)) == told


@pytest.mark.parametrize(("value", "told"), [(3.9, False), (4.1, True)])
def test_above_0_values_are_outside_by_the_width_in_logarithms_too(value, told):
    """Training from 1 to 2: beyond 2 * (2 / 1) = 4, not 3."""
    cohort = far_values(10, 4, [3, 3]) + 1
    cohort[cohort > 3] = value
    assert ("outside-range" in codes_told(grids(4, 1.0), cohort)) == told


def test_spreads_are_from_10_to_90_per_cent_where_few_rows_are_tied():
    assert quantile_spread(np.array([*GRID, np.nan])) == pytest.approx(0.8)
    for tied, spread in ((4, True), (5, False)):  # of 20 rows a fifth is 4
        x = np.arange(20.0)
        x[:tied] = -1.0
        known = Training.of(x[:, None], np.arange(20) % 2, 2, np.zeros(1, dtype=bool))
        assert (known.spreads > 0).all() == spread
        equal = tied * (tied - 1) / 2
        assert known.ties[0] == pytest.approx((equal + 3) / (20 * 19 / 2 + 3))


def training(ties, twins=()) -> Training:
    """A hundred rows, of which some have as many equals; so probable are ties in a column."""
    rows = np.concatenate([np.full(k, j) for j, k in enumerate(twins)] or [np.zeros(0)])
    rows = np.concatenate([rows, 1000 + np.arange(100 - len(rows))]).astype(np.uint64)
    ties = np.asarray(ties, dtype=float)
    return Training(rows, np.zeros(len(ties)), np.ones(len(ties)), np.ones((2, len(ties))), ties)


@pytest.mark.every
@pytest.mark.parametrize(
    ("known", "same", "m", "verdict"),
    [
        # 100 m times the product of the columns' ties are equal by chance: P below .001
        (training([0.98e-5]), 1, 1, True),
        (training([1.02e-5]), 1, 1, None),
        (training([0.0445, 0.01]), 2, 1, True),
        (training([0.0465, 0.01]), 2, 1, None),
        # equal training rows make chance of it: 4 or 5 of a hundred may be copies themselves
        (training([1e-8], [2, 2]), 1, 10, False),
        (training([1e-8], [3, 2]), 1, 10, False),
        (training([1e-8], [2, 2, 2]), 1, 10, None),
        (training([1e-8], [2, 2]), 6, 10, True),
        # columns of which all are coarse, with ties of more than 10 / n: 2 m 3 / 103 are let pass
        (training([0.099] * 12), 1, 1, True),
        (training([0.101] * 12), 1, 1, None),
        (training([0.101] * 12), 2, 1, None),
        (training([0.101] * 12), 3, 1, True),
        (training([0.101] * 12), 3, 3, True),
        (training([0.101] * 12), 3, 4, None),
        (training([0.101] * 12), 4, 7, True),  # 42 / 103 = .41, where .4286 is let pass
        (training([0.101] * 12), 4, 8, None),
    ],
)
def test_equal_rows_are_copies_below_one_chance_in_a_thousand(known, same, m, verdict):
    assert _copy_verdict(known, same, m) is verdict


def test_the_chances_above_are_those_of_the_poisson_distribution():
    for mean, same, small in (
        (0.98e-3, 1, True),
        (1.02e-3, 1, False),
        (100 * 4.45e-4, 2, True),
        (100 * 4.65e-4, 2, False),
        (10 * 4 / 100, 1, False),
        (10 * 4 / 100, 6, True),
        (2 * 3 / 103, 2, False),
        (2 * 3 / 103, 3, True),
        (2 * 3 * 3 / 103, 3, True),
        (2 * 4 * 3 / 103, 3, False),
    ):
        assert (stats.poisson.sf(same - 1, mean) <= 1e-3) == small

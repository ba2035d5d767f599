"""The corrected t-test against scipy's, and permutation p-values by counting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from common.examples import settings
from tamis._core.errors import DataError
from tamis.metrics import nadeau_bengio, permutation_p_value

values = st.lists(st.floats(-1, 1).map(lambda v: round(v, 3)), min_size=3, max_size=30).filter(
    lambda found: np.ptp(found) > 0
)


@settings(max_examples=60, deadline=None)
@given(values)
def test_without_a_test_part_it_is_the_plain_t_test(differences):
    found = nadeau_bengio(differences, n_train=10, n_test=0)
    plain = stats.ttest_1samp(differences, 0.0)
    ends = plain.confidence_interval(0.95)
    assert found.p_value == pytest.approx(plain.pvalue, rel=1e-6, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-6, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(values, st.floats(0.05, 1.0))
def test_the_correction_widens_by_its_factor(differences, ratio):
    J = len(differences)
    plain = nadeau_bengio(differences, 1, 0)
    found = nadeau_bengio(differences, 1, ratio)
    factor = math.sqrt((1 / J + ratio) * J)
    assert found.mean == plain.mean == pytest.approx(np.mean(differences))
    assert found.high - found.low == pytest.approx(factor * (plain.high - plain.low))
    assert found.p_value >= plain.p_value
    # the interval excludes 0 exactly when the test rejects
    if abs(found.p_value - 0.05) > 1e-6:
        assert (found.p_value < 0.05) == (found.low > 0 or found.high < 0)


def test_by_hand():
    found = nadeau_bengio([0.1, 0.3], n_train=90, n_test=10)
    error = math.sqrt((1 / 2 + 1 / 9) * 0.02)  # s^2 = .02
    assert found.mean == pytest.approx(0.2)
    # one degree of freedom is the Cauchy distribution
    assert found.p_value == pytest.approx(2 * (0.5 - math.atan(0.2 / error) / math.pi))
    assert found.high == pytest.approx(0.2 + error * math.tan(math.pi * 0.475))
    assert found.n == 2


def test_it_holds_its_level_where_the_plain_test_does_not():
    # folds that share training rows: equal correlation rho = n_test / (n_test + n_train)
    rng = np.random.default_rng(0)
    J, runs, ratio = 25, 2000, 0.25
    rho = ratio / (1 + ratio)
    common = rng.standard_normal((runs, 1)) * math.sqrt(rho)
    folds = common + rng.standard_normal((runs, J)) * math.sqrt(1 - rho)
    corrected = np.mean([nadeau_bengio(row, 4, 1).p_value < 0.05 for row in folds])
    plain = np.mean([nadeau_bengio(row, 4, 0).p_value < 0.05 for row in folds])
    assert corrected == pytest.approx(0.05, abs=0.02)
    assert plain > 0.25


def test_degenerate_differences():
    same = nadeau_bengio([0.0, 0.0, 0.0], 80, 20)
    assert same.to_dict() == {"mean": 0.0, "low": None, "high": None, "p_value": 1.0}
    assert same.alike
    assert not nadeau_bengio([0.1, -0.1], 80, 20).alike  # its p-value is 1 too
    shifted = nadeau_bengio([0.3, 0.1 + 0.2, 0.3], 80, 20)
    assert shifted.mean == pytest.approx(0.3)
    assert math.isnan(shifted.p_value)
    assert shifted.to_dict()["low"] is None
    assert nadeau_bengio([0.2], 80, 20).to_dict() == {
        "mean": 0.2,
        "low": None,
        "high": None,
        "p_value": None,
    }
    assert math.isnan(nadeau_bengio([], 80, 20).mean)


def test_undefined_folds_are_left_out():
    with_gap = nadeau_bengio([0.1, np.nan, 0.3, 0.2], 80, 20)
    assert with_gap == nadeau_bengio([0.1, 0.3, 0.2], 80, 20)
    assert with_gap.n == 3
    assert "over 3 folds" in with_gap.summary()


@pytest.mark.parametrize(("n_train", "n_test"), [(0, 5), (-1, 5), (5, -1)])
def test_sizes_are_checked(n_train, n_test):
    with pytest.raises(DataError, match="two parts of a fold"):
        nadeau_bengio([0.1, 0.2], n_train, n_test)


@given(st.lists(st.integers(0, 10), max_size=40), st.integers(0, 10))
def test_permutation_p_value_counts(permuted, observed):
    count = sum(v >= observed for v in permuted)
    assert permutation_p_value(observed, permuted) == (1 + count) / (1 + len(permuted))
    count = sum(v <= observed for v in permuted)
    assert permutation_p_value(observed, permuted, direction=-1) == (1 + count) / (
        1 + len(permuted)
    )


def test_rounding_and_undefined_runs_do_not_help():
    assert permutation_p_value(0.1 + 0.2, [0.3, 0.0, 0.0]) == 2 / 4
    assert permutation_p_value(0.9, [math.nan, 0.1, 0.1]) == 2 / 4
    assert math.isnan(permutation_p_value(math.nan, [0.1]))
    assert permutation_p_value(0.9, []) == 1.0

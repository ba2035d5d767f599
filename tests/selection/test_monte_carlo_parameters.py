"""Parameters of Monte Carlo feature selection: their edges, and what is refused."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tamis._core.errors import DataError, PlanError
from tamis.selection import _monte_carlo_parameters as parameters


@pytest.mark.every
@pytest.mark.parametrize(
    ("m", "p", "found"),
    [
        ("sqrt", 100, 10),
        ("sqrt", 110, 10),
        ("sqrt", 111, 11),
        ("sqrt", 3, 2),
        ("sqrt", 1, 1),
        ("sqrt", 4_000_000, 1000),
        (0.25, 100, 25),
        (1.0, 7, 7),
        (0.001, 100, 1),
        (np.float32(0.5), 9, 4),
        (5, 100, 5),
        (200, 100, 100),
        (np.int64(1), 100, 1),
    ],
)
def test_features_of_a_projection(m, p, found):
    assert parameters.features_of_projection(m, p) == found


@pytest.mark.every
@pytest.mark.parametrize(
    ("m", "says"),
    [
        ("root", "m='root': give \"sqrt\", a share of the features or a number"),
        (0.0, "m=0.0: as a share of the features give 0 < m <= 1"),
        (1.01, "m=1.01: as a share of the features give 0 < m <= 1"),
        (float("nan"), "m=nan: as a share of the features give 0 < m <= 1"),
        (0, 'm=0: give a whole number of at least 1, or "sqrt" or a share'),
        (True, 'm=True: give a whole number of at least 1, or "sqrt" or a share'),
        (None, 'm=None: give a whole number of at least 1, or "sqrt" or a share'),
        (2**31, "m=2147483648: give at most 2,147,483,647"),
    ],
)
def test_what_is_no_number_of_features_is_refused(m, says):
    with pytest.raises(PlanError, match=f"^{re.escape(says)}$"):
        parameters.features_of_projection(m, 100)


@pytest.mark.every
@pytest.mark.parametrize(
    ("balance", "counts", "found"),
    [
        (None, [1, 100], None),
        ("auto", [10, 50], None),
        ("auto", [10, 51], 2.0),
        (1, [10, 50], 1.0),
        (3.5, [10, 50], 3.5),
        (float("inf"), [10, 50], None),
    ],
)
def test_balance(balance, counts, found):
    assert parameters.balance_of(balance, np.array(counts)) == found


@pytest.mark.parametrize("balance", ["yes", 0.99, float("nan"), [2]])
def test_what_is_no_balance_is_refused(balance):
    with pytest.raises(PlanError, match=r"^balance=.*: give (\"auto\", )?a number"):
        parameters.balance_of(balance, np.array([10, 50]))


@pytest.mark.parametrize(
    ("counts", "balance", "found"),
    [
        ([100, 10, 1], None, [66, 6, 1]),  # 66 %, at least one
        ([100, 10, 3], 2.0, [2, 2, 1]),
        ([100, 10, 6], 2.0, [6, 6, 3]),
        ([100, 40], 1.5, [39, 26]),
        ([100, 40], 1e300, [66, 26]),
        ([100, 1], 1.0, [1, 1]),
    ],
)
def test_training_rows_of_each_class(counts, balance, found):
    assert parameters.training_sizes(np.array(counts), balance).tolist() == found


def test_weights_are_shares_of_the_largest_and_contrasts_have_the_mean():
    assert parameters.weights_of(None, 2, 4) is None
    assert parameters.weights_of([1, 4], 2, 4).tolist() == [0.25, 1, 0.625, 0.625]
    assert parameters.weights_of([0, 1e308], 2, 2).tolist() == [0, 1]
    for given, says in [
        ([1, 2, 3], "feature_weights has shape (3,): give one number a feature, 2"),
        ("ab", "feature_weights: give one number a feature, 2"),
        ([1, -1], "feature_weights: give finite numbers of at least 0, not all 0"),
        ([1, np.inf], "feature_weights: give finite numbers of at least 0, not all 0"),
        ([0, 0], "feature_weights: give finite numbers of at least 0, not all 0"),
    ]:
        with pytest.raises(PlanError, match=f"^{re.escape(says)}$"):
            parameters.weights_of(given, 2, 4)


def test_levels_that_occur_are_counted_from_zero():
    X = np.array([[0.5, 7, 1], [1.5, np.nan, 1], [2.5, 3, 1], [3.5, 7, 1]])
    codes, levels = parameters.coded_categories(X, np.array([False, True, True]))
    np.testing.assert_array_equal(codes[:, 1], [1, np.nan, 0, 1])
    assert codes[:, 2].tolist() == [0] * 4
    assert levels.tolist() == [0, 2, 2]  # two at least
    assert X[0, 1] == 7
    same, none = parameters.coded_categories(X, np.zeros(3, dtype=bool))
    assert same is X
    assert none.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ([1.0, 2.5, 3.5], "categorical column 0 holds 2.5: give whole numbers, the codes of its"),
        ([1.0, 2.0, 2.0**54], "categorical column 0 holds 1.80144e+16: give codes of at most 2^53"),
        ([1.0, 2.0, -(2.0**54)], "categorical column 0 holds 1.80144e+16: give codes of at most"),
    ],
)
def test_codes_that_are_none_are_refused(column, says):
    with pytest.raises(DataError, match=re.escape(says)):
        parameters.coded_categories(np.array([column]).T, np.array([True]))


@pytest.mark.parametrize(("most", "fine"), [(9, True), (8, False)])
def test_levels_among_samples_are_bounded(monkeypatch, most, fine):
    monkeypatch.setattr(parameters, "MOST_ENTRIES", most)
    X, chosen = np.array([[1.0], [2.0], [2.0**53]]), np.array([True])
    if fine:
        assert parameters.coded_categories(X, chosen)[1].tolist() == [3]
        return
    with pytest.raises(DataError, match="column 0 has 3 levels among 3 samples: leave it out"):
        parameters.coded_categories(X, chosen)


@pytest.mark.parametrize(
    ("value", "fine"), [(0, True), (1.5, True), (-0.1, False), (np.inf, False)]
)
def test_exponents_are_finite_numbers_of_at_least_zero(value, fine):
    if fine:
        assert parameters.checked_exponent(value, "u") == value
        return
    with pytest.raises(PlanError, match=f"^u={value}: give a number of at least 0$"):
        parameters.checked_exponent(value, "u")

"""The level at which a threshold of certainty is set, exactly and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tamis._core.interfaces import RuleInput
from tamis.classifiers.rejection.f_beta import FBeta
from tamis.classifiers.rejection.fisher import Fisher


def told(certainty, wrong):
    """Samples that are all called 0, some of which are 1; and their classes."""
    y = np.asarray(wrong, dtype=np.int64)
    codes = np.zeros(len(y), dtype=np.int64)
    return RuleInput(np.asarray(certainty, dtype=float), codes, np.eye(2)[codes]), y


@pytest.mark.every
@pytest.mark.parametrize("rule", [FBeta, Fisher])
@pytest.mark.parametrize(
    ("n", "declined"), [(26, False), (33, False), (34, True), (42, True), (60, True)]
)
def test_one_error_is_found_to_be_last_at_a_level_of_three_in_a_hundred(rule, n, declined):
    """The one error is the least certain of n: by chance with probability 1 / n."""
    found = rule().fit(*told(np.arange(n), np.arange(n) == 0))
    assert found.p_value == pytest.approx(1 / n)
    assert (found.threshold > -math.inf) == declined == (1 / n <= 0.03)


def test_tests_of_two_predicted_classes_are_put_together_by_fishers_method():
    """The error of either is the least certain of its 20: -2 (log .05 + log .05) by chi-square."""
    from scipy import stats

    codes = np.repeat([0, 1], 20)
    certainty = np.concatenate([np.arange(20.0), np.arange(20.0) + 0.5])
    wrong = np.isin(np.arange(40), [0, 20])
    found = Fisher().fit(
        RuleInput(certainty, codes, np.eye(2)[codes]), np.where(wrong, 1 - codes, codes)
    )
    assert found.p_value == pytest.approx(stats.chi2.sf(-4 * math.log(1 / 20), 4))


@pytest.mark.longer
def test_errors_without_a_place_set_a_threshold_at_the_level():
    """Of 1,500 random orders of 12 errors among 60: 3 in a hundred, within three standard errors
    above and, as p-values are discrete, one more below."""
    rng, runs = np.random.default_rng(0), 1500
    found = []
    for _ in range(runs):
        rule = Fisher().fit(*told(np.arange(60), rng.permutation(60) < 12))
        found.append(rule.threshold > -math.inf)
    error = math.sqrt(0.03 * 0.97 / runs)
    assert 0.03 - 4 * error < np.mean(found) < 0.03 + 3 * error

"""Where methods do not differ, the rank tests reject at their nominal rate.

500 simulated tables; quick enough for every run.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from tamis.metrics import compare_methods

RUNS, SETS, METHODS, ALPHA = 500, 30, 6, 0.05


def rejections(values: np.ndarray) -> dict[str, int]:
    """How many of the tables each test rejects."""
    counts = dict.fromkeys(("chi2", "chi2 corrected", "F", "F corrected", "nemenyi"), 0)
    for table in values:
        found = compare_methods(table)
        plain, corrected = found.friedman, found.friedman_corrected
        counts["chi2"] += plain.p_value <= ALPHA
        counts["chi2 corrected"] += corrected.p_value <= ALPHA
        counts["F"] += plain.F_p_value <= ALPHA
        counts["F corrected"] += corrected.F_p_value <= ALPHA
        counts["nemenyi"] += np.ptp(found.average_ranks) >= found.critical_differences[ALPHA]
        assert (len(found.groups) == 1 and len(found.groups[0]) == METHODS) == (
            np.ptp(found.average_ranks) < found.critical_differences[ALPHA]
        )
    return counts


def compatible(count: int, alternative: str = "two-sided") -> bool:
    """With the nominal rate; a right test fails this once in a thousand seeds."""
    return binomtest(count, RUNS, ALPHA, alternative=alternative).pvalue > 0.001


@pytest.fixture(scope="module")
def scores():
    return np.random.default_rng(20).normal(size=(RUNS, SETS, METHODS))


@pytest.mark.longer
def test_without_ties_every_test_is_nominal(scores):
    counts = rejections(scores)
    assert counts["chi2"] == counts["chi2 corrected"]
    assert counts["F"] == counts["F corrected"]
    assert all(compatible(count) for count in counts.values()), counts


@pytest.mark.longer
def test_with_ties_only_the_corrected_ones_are(scores):
    """Scores rounded to a few values, as accuracies of small data sets are."""
    counts = rejections(np.round(scores))
    assert compatible(counts["chi2 corrected"])
    assert compatible(counts["F corrected"])
    for name in ("chi2", "F", "nemenyi"):  # these lose power, and never reject too much
        assert compatible(counts[name], "greater"), counts
    assert counts["chi2"] < counts["chi2 corrected"]


def test_a_real_difference_is_found(scores):
    shifted = scores[:50].copy()
    shifted[:, :, 0] += 1.5
    assert min(rejections(shifted).values()) == 50

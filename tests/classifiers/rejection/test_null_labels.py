"""Labels drawn by lot: hardly ever is anybody declined. With more tables in the slow suite."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from classifiers.rejection.null_labels import thresholds_set


@pytest.mark.parametrize(
    ("estimator", "criterion"), [("logistic", "f_beta"), ("machine", "fisher")]
)
def test_random_labels_set_hardly_a_threshold(estimator, criterion):
    """The level is 5 %: of 60 tables more than ten would be one in a thousand."""
    found = thresholds_set(estimator, criterion, 60)
    assert binomtest(found, 60, 0.05, alternative="greater").pvalue > 0.001

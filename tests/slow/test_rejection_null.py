"""How often a threshold of certainty is set where labels are drawn by lot."""

from __future__ import annotations

import pytest

from classifiers.rejection.null_labels import thresholds_set

pytestmark = pytest.mark.slow

SETS = 200


MACHINE = pytest.mark.xfail(reason="of 800 further tables 7.8 % set one", strict=True)
UNEQUAL = pytest.mark.xfail(
    reason="predictions of the rarer class are less certain and more often wrong, by lot too: "
    "10 to 21 % set one",
    strict=True,
)


@pytest.mark.parametrize(
    ("estimator", "share"),
    [
        ("logistic", 0.5),
        pytest.param("machine", 0.5, marks=MACHINE),
        pytest.param("logistic", 0.3, marks=UNEQUAL),
        pytest.param("machine", 0.3, marks=UNEQUAL),
    ],
)
@pytest.mark.parametrize("criterion", ["f_beta", "fisher"])
def test_one_null_table_in_twenty_sets_a_threshold(estimator, share, criterion):
    """Errors of rows predicted in folds are not quite independent: 7 % are allowed."""
    found = thresholds_set(estimator, criterion, SETS, share)
    print(f"{estimator}, {criterion}, {share}: {found} of {SETS} null tables set a threshold")
    assert found <= 0.07 * SETS

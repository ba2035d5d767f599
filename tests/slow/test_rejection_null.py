"""How often a threshold of certainty is set where labels are drawn by lot."""

from __future__ import annotations

import numpy as np
import pytest

from classifiers.rejection.null_labels import null_model, null_table, thresholds_set

pytestmark = pytest.mark.slow

SETS = 200


@pytest.mark.parametrize("estimator", ["logistic", "machine"])
@pytest.mark.parametrize("criterion", ["f_beta", "fisher"])
def test_one_null_table_in_twenty_sets_a_threshold(estimator, criterion):
    """Errors of rows predicted in folds are not quite independent: 7 % are allowed."""
    found = thresholds_set(estimator, criterion, SETS)
    print(f"{estimator}, {criterion}: {found} of {SETS} null tables set a threshold")
    assert found <= 0.07 * SETS


@pytest.mark.parametrize("estimator", ["logistic", "machine"])
def test_of_unequal_classes_the_rarer_ones_predictions_are_declined_and_rightly(estimator):
    """They are less certain and more often wrong by chance alone: more thresholds are set than
    the level says, and what they decline of new rows is wrong more often than what they keep."""
    found, errors = 0, []
    for seed in range(SETS):
        model = null_model(estimator, "f_beta", seed, share=0.3)
        if model.threshold_ == -np.inf:
            continue
        found += 1
        X, y = null_table(seed + 10_000, 1000, share=0.3)
        mask, wrong = model.predict_mask(X), model.predict_all(X) != y
        if 0 < mask.sum() < len(y):
            errors.append((wrong[mask].mean(), wrong[~mask].mean()))
    declined, kept = np.mean(errors, axis=0)
    print(f"{estimator}: {found} of {SETS}; wrong {declined:.2f} declined, {kept:.2f} kept")
    assert declined > kept + 0.05

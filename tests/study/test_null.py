"""Where there is nothing to find, nothing may be found: every method, and the headline.

Permuted labels of data with structure are in a file of their own, so that both run at once.
"""

from __future__ import annotations

import numpy as np
import pytest

from common.null_studies import SEEDS, at_chance, methods_off_chance, noise_table
from tamis.metrics import METRICS

pytestmark = pytest.mark.slow


def test_every_method_is_at_chance_in_noise():
    assert not methods_off_chance(noise_table)


def test_a_leaky_twin_fails_the_same_test():
    """Selection on all rows, then cross-validation: the mistake the protocol exists against."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from tamis.selection import FilterSelector

    values = []
    for seed in SEEDS:
        data = noise_table(seed)
        X = FilterSelector("moderated_t", size=5).fit_transform(data.X, data.y)
        folds = StratifiedKFold(4, shuffle=True, random_state=seed)
        predicted = cross_val_predict(LinearDiscriminantAnalysis(), X, data.codes, cv=folds)
        values.append(METRICS["bcr"](data.codes, predicted, None))
    assert not at_chance(values)
    assert np.mean(values) > 0.6

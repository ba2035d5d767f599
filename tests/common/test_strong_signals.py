"""What every method has to see: two columns, each of which separates the classes."""

from __future__ import annotations

import numpy as np
import pytest

from common.folds import fold, methods, results

SETS = ("rit", "discrit", "irf")  # of few trees, as here, which seldom meet a column
UNCOMPILED = ("elastic_net", "adaboost")  # in the quick tier


def named_methods():
    for name in methods():
        if not name.startswith(SETS):
            uncompiled = any(one in name for one in UNCOMPILED)
            yield pytest.param(name, marks=[pytest.mark.longer] if uncompiled else [])


@pytest.mark.every
@pytest.mark.parametrize("name", named_methods())
def test_new_samples_are_classified_right_by_the_columns_that_separate_the_classes(name):
    """A sign or an order that is turned round is seen here, and nowhere in tests of noise."""
    one = fold("strong")
    true = one.y[one.tests[0]]
    candidates, (outer, *_) = results("strong", name)
    right = [np.mean(outcome.beliefs.proba.argmax(axis=1) == true) for outcome in outer]
    best = outer[int(np.argmax(right))]
    assert len(candidates) == len(outer)
    assert max(right) > 0.9
    assert {0, 1} & set(best.features.tolist())

"""When methods are compared over outer test sets, and so which test the paragraph names."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tamis.study.plan import Plan
from tamis.study.results.prose import _tests_folds


@pytest.mark.every
@pytest.mark.parametrize(
    ("outer", "groups", "told"),
    [
        ({"kind": "k-fold", "folds": 3}, None, True),
        ({"kind": "holdout"}, None, False),
        ({"kind": "holdout", "repeats": 2}, None, True),
        ({"kind": "leave-one-out"}, None, False),
        ({"kind": "leave-one-out"}, ["a", "b"], True),
    ],
)
def test_methods_are_compared_over_several_test_sets_of_several_samples(outer, groups, told):
    assert _tests_folds(Plan(outer=outer), SimpleNamespace(groups=groups)) == told

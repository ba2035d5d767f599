"""The order of the rows draws other outer folds, as docs/plan.md says; predefined folds stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data
from tamis.study.plan import Plan
from tamis.study.prepare import prepare_study
from tamis.study.protocol.nested_cv import outer_tests


def folds_of(data, order, **outer):
    """The outer test folds of a table with its rows in some order, as sets of names."""
    fields = ("y", "split")
    given = {name: getattr(data, name) for name in fields}
    moved = {name: None if one is None else one[order] for name, one in given.items()}
    names = tuple(data.sample_names[k] for k in order)
    turned = replace(data, X=data.X[order], sample_names=names, **moved)
    plan, design, _ = prepare_study(turned, Plan.resolve({"outer": outer, "permutations": 0}))
    tests = outer_tests(design, plan, design.labels, 0, 0)
    return {frozenset(names[k] for k in test) for test in tests}


@pytest.mark.quick
def test_other_orders_have_other_folds_but_where_these_are_given():
    data = make_data(n=24, p=3)
    here, turned = np.arange(24), np.arange(24)[::-1]
    drawn = {"kind": "k-fold", "folds": 3}
    assert folds_of(data, here, **drawn) == folds_of(data, here, **drawn)
    assert folds_of(data, here, **drawn) != folds_of(data, turned, **drawn)
    split = replace(data, split=np.array([f"f{k % 3}" for k in range(24)]))
    given = {"kind": "predefined"}
    assert folds_of(split, here, **given) == folds_of(split, turned, **given)
    alone = {"kind": "leave-one-out"}
    assert folds_of(data, here, **alone) == folds_of(data, turned, **alone)

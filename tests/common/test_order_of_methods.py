"""Cells are the same whatever the order of methods."""

from __future__ import annotations

import pytest

from common.cells import in_this_process
from common.folds import KINDS, same_beliefs
from common.null_methods import every_method
from tamis.study.protocol.candidates import ranker_key
from tamis.study.protocol.cellfile import decode_cell

pytestmark = pytest.mark.longer


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_methods_changes_no_byte(kind):
    """Methods that share a ranking stand in one cell, in the plan's order."""
    methods = every_method()
    plan, ours = in_this_process(kind, methods)
    _, theirs = in_this_process(kind, methods[::-1])
    keys = [ranker_key(m) for m in plan.method]
    shared = {key for key in keys if keys.count(key) > 1}
    assert ours.keys() == theirs.keys()
    alone = [
        p
        for p in ours
        if p.rsplit("/", 1)[1].partition("-")[2].removesuffix(".arrow") not in shared
    ]
    assert len(alone) > len(ours) / 2
    assert [p for p in alone if ours[p] != theirs[p]] == []
    for path in set(ours) - set(alone):
        a, b = decode_cell(ours[path]), decode_cell(theirs[path])
        for name in set(a.columns["method"]):
            for i, j in zip(a.rows_of(name), b.rows_of(name), strict=True):
                assert a.columns["settings"][i] == b.columns["settings"][j]
                assert a.features(i).tolist() == b.features(j).tolist()
                same_beliefs(a.beliefs(i), b.beliefs(j), 0.0, name)
                same_beliefs(a.inner(i), b.inner(j), 0.0, name)

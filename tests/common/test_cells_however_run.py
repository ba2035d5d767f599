"""Cells are the same bytes for any number of workers, and whatever the order of methods."""

from __future__ import annotations

import pytest

from common.folds import KINDS, PLAN, same_beliefs, table
from common.null_methods import every_method
from tamis.study import run_study
from tamis.study.protocol import cells
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.outcomes import ranker_key
from tamis.study.run import prepare_study, tasks_of

SHORT = {**PLAN, "outer": {"folds": 2}, "describe": False}


def in_this_process(kind, methods):
    """Path -> bytes of every cell."""
    plan, design, _ = prepare_study(table(kind), {**SHORT, "method": methods})
    found = {}
    for task in tasks_of(plan, design):
        for key, content in cells.compute_cells(design, plan, task).items():
            found[task.path(key)] = content
    return plan, found


@pytest.mark.parametrize("kind", KINDS)
def test_two_workers_give_the_bytes_of_one(kind, tmp_path):
    methods = every_method()
    _, expected = in_this_process(kind, methods)
    run_study(table(kind), {**SHORT, "method": methods}, tmp_path / "s", n_jobs=2)
    found = {p.relative_to(tmp_path / "s").as_posix(): p.read_bytes()
             for p in (tmp_path / "s" / "cells").rglob("*.parquet")}  # fmt: skip
    assert found.keys() == expected.keys()
    assert [path for path in found if found[path] != expected[path]] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_methods_changes_no_byte(kind):
    """Methods that share a ranking stand in one cell, in the plan's order."""
    methods = every_method()
    plan, ours = in_this_process(kind, methods)
    _, theirs = in_this_process(kind, methods[::-1])
    keys = [ranker_key(m) for m in plan.method]
    shared = {key for key in keys if keys.count(key) > 1}
    assert ours.keys() == theirs.keys()
    alone = [p for p in ours if p.rsplit("/", 1)[1].removesuffix(".parquet") not in shared]
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

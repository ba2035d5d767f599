"""Cells are the same bytes for any number of workers."""

from __future__ import annotations

import json

import pytest

from common.cells import SHORT, in_this_process
from common.folds import KINDS, made_up_table
from common.null_methods import every_method
from tamis.study import run_study
from tamis.study.store import study_mark

pytestmark = pytest.mark.longer


@pytest.mark.parametrize("kind", KINDS)
def test_two_workers_give_the_bytes_of_one(kind, tmp_path):
    methods = every_method()
    run_study(made_up_table(kind), {**SHORT, "method": methods}, tmp_path / "s", n_jobs=2)
    plan, data = (json.loads((tmp_path / "s" / f"{k}.json").read_text()) for k in ("plan", "data"))
    _, expected = in_this_process(kind, methods, study_mark(plan, data))
    found = {
        p.relative_to(tmp_path / "s").as_posix(): p.read_bytes()
        for p in (tmp_path / "s" / "cells").rglob("*.arrow")
    }
    assert found.keys() == expected.keys()
    assert [path for path in found if found[path] != expected[path]] == []

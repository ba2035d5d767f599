"""Every step before every method: what it is judged by is refitted, and knows no row held out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.folds import KINDS, PLAN, check_refitted, fold, made_up_table, methods
from common.null_methods import every_method
from common.steps import matrix_steps
from common.studies import offered
from tamis._core.registry import find_row, selecting_row
from tamis._core.rows import StepRow
from tamis.study import run_study
from tamis.study.plan import StepPlan
from tamis.study.protocol.prepared import prepared_fold

pytestmark = pytest.mark.slow
STEPS = matrix_steps()
PREPARED = [n for n, m in methods().items() if selecting_row(m.select).takes.prepared]
every_kind = pytest.mark.parametrize("kind", KINDS)
every_step = pytest.mark.parametrize("step", STEPS)


@every_kind
@every_step
@pytest.mark.parametrize("name", PREPARED)
def test_refitted_it_believes_what_it_was_judged_by(kind, step, name):
    check_refitted(kind, [StepPlan(name=step)], methods()[name])


@every_kind
@every_step
@pytest.mark.parametrize("name", PREPARED)
def test_nothing_is_chosen_by_rows_held_out(kind, step, name):
    one, rng = fold(kind), np.random.default_rng(5)
    plan, design = methods()[name], one.design
    X, y = design.X.copy(), one.y.copy()
    rows = one.tests[0]
    X[rows] = rng.permutation(X[rows], axis=0)  # of the same magnitude, and of other samples
    y[rows] = (y[rows] + 1) % one.n_classes
    raw = None if design.raw is None else design.raw.copy()
    if raw is not None:
        raw[rows] = raw[rows][::-1]
    parts = type(one.parts)(X, y, one.parts.rows, n_classes=one.n_classes)
    holes = np.flatnonzero(np.isnan(X).any(axis=0))
    changed = replace(design, X=X, raw=raw, incomplete=holes)
    wild = replace(one, design=changed, y=y, parts=parts)
    steps = [StepPlan(name=step)]
    ours, theirs = (offered(prepared_fold(f, steps), plan) for f in (one, wild))
    assert ours[0] == theirs[0]
    for part, twin in zip(ours[1], theirs[1], strict=True):
        for a, b in zip(part, twin, strict=True):
            assert a.features.tolist() == b.features.tolist()


@every_kind
@every_step
def test_two_workers_give_the_bytes_of_one(kind, step, tmp_path):
    named = [m for m in every_method() if m["select"] != "covariates"]
    plan = {**PLAN, "outer": {"folds": 2}, "describe": False, "prepare": [step], "method": named}
    data, found = made_up_table(kind), []
    if find_row(step, StepRow).learns_by("batch") and data.batches is None:
        data = replace(data, batches=np.array(["x", "y", "z"])[np.arange(len(data.X)) // 2 % 3])
    for n_jobs in (1, 2):
        folder = tmp_path / str(n_jobs)
        run_study(data, plan, folder, n_jobs=n_jobs)
        cells = (folder / "cells").rglob("*.arrow")
        found.append({p.relative_to(folder).as_posix(): p.read_bytes() for p in cells})
    assert found[0] == found[1]
    assert len(found[0]) >= 2 * len({m["select"] for m in named})

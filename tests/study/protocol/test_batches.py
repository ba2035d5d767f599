"""The cells of a study do not depend on which tasks are computed together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import QUICK, make_data
from tamis.study.prepare import prepare_study
from tamis.study.protocol.nested_cv import run_nested_folds
from tamis.study.run import run_study
from tamis.study.tasks import tasks_of

METHODS = [
    {"select": "moderated_t", "sizes": [1, 3, 6], "classify": ["logistic", "lda"]},
    {"select": "welch_t", "sizes": [2, 5], "classify": "logistic"},
]


def studied(n_classes, gaps=False):
    """A small study with true and permuted labels, and an estimate beside it."""
    data = make_data(seed=5, n=40, p=80, classes=tuple("abc"[:n_classes]))
    X = data.X.copy()
    if gaps:
        X[np.random.default_rng(0).random(X.shape) < 0.02] = np.nan
    more = {"method": METHODS, "permutations": 2, "bootstrap": {"repeats": 1}}
    plan, design, _ = prepare_study(replace(data, X=X), {**QUICK, **more})
    return plan, design, tasks_of(plan, design)


@pytest.mark.quick
@pytest.mark.parametrize(("n_classes", "gaps"), [(2, False), (3, False), (2, True)])
def test_same_bytes_in_any_batch(n_classes, gaps):
    plan, design, tasks = studied(n_classes, gaps)
    assert {task.permutation for task in tasks} == {0, 1, 2}
    alone = [run_nested_folds(design, plan, [task], "x")[0] for task in tasks]
    for size in (3, len(tasks)):
        batches = [tasks[at : at + size] for at in range(0, len(tasks), size)]
        together = [
            cells for some in batches for cells in run_nested_folds(design, plan, some, "x")
        ]
        assert together == alone
    backwards = run_nested_folds(design, plan, tasks[::-1], "x")
    assert backwards[::-1] == alone


@pytest.mark.longer
def test_same_bytes_by_any_number_of_workers(tmp_path, monkeypatch):
    monkeypatch.setattr("tamis.study.workers.START_SECONDS", 0.0)  # however short the study is
    plan = {**QUICK, "method": METHODS, "permutations": 4}
    cells = {}
    for n_jobs, seconds in ((1, 0.0), (1, 10.0), (2, 10.0)):
        monkeypatch.setattr("tamis.study.workers.BATCH_SECONDS", seconds)
        out = tmp_path / f"{n_jobs}-{seconds}"
        run_study(make_data(seed=5, n=40, p=80), plan, out, n_jobs=n_jobs)
        files = sorted(out.glob("cells/*/*/*.arrow"))
        cells[n_jobs, seconds] = {str(f.relative_to(out)): f.read_bytes() for f in files}
    first, *others = cells.values()
    assert len(first) > 20
    assert all(one == first for one in others)

"""The cells of every method on a small table, as bytes."""

from __future__ import annotations

from common.folds import PLAN, made_up_table
from tamis.study.prepare import prepare_study
from tamis.study.protocol import nested_cv
from tamis.study.tasks import tasks_of

SHORT = {**PLAN, "outer": {"folds": 2}, "describe": False}


def in_this_process(kind, methods, study=""):
    """Path -> bytes of every cell, bound to a study."""
    plan, design, _ = prepare_study(made_up_table(kind), {**SHORT, "method": methods})
    found = {}
    for task in tasks_of(plan, design):
        for key, content in nested_cv.run_nested_fold(design, plan, task, study).items():
            found[task.path(key)] = content
    return plan, found

"""Columns that a fold's parts ask for, put side by side: cells are the same as without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import QUICK, make_data
from tamis.study.prepare import prepare_study
from tamis.study.protocol import ranked
from tamis.study.protocol.nested_cv import run_nested_fold
from tamis.study.tasks import tasks_of


def table(kind):
    """Sixty columns, of which far fewer are asked for."""
    data = make_data(seed=5, n=40, p=60)
    X, rng = data.X.copy(), np.random.default_rng(0)
    if kind == "gaps":
        X[rng.random(X.shape) < 0.05] = np.nan
    if kind == "categories":
        X[:, 3] = X[:, 7] = rng.integers(0, 3, len(X))
        return replace(data, X=X, levels=dict.fromkeys((3, 7), ("a", "b", "c")))
    return replace(data, X=X, covariates=(50, 51) if kind == "covariates" else ())


@pytest.mark.parametrize("kind", ["plain", "gaps", "covariates", "categories"])
def test_same_bytes_as_from_the_whole_table(kind, monkeypatch):
    plan = {
        **QUICK,
        "permutations": 1,
        "method": [{"select": "moderated_t", "sizes": [1, 3], "classify": ["logistic", "knn"]}],
    }
    plan, design, _ = prepare_study(table(kind), plan)
    task, seen = tasks_of(plan, design)[0], []

    def watched(fold, cuts, own=ranked._few_columns):
        few, named = own(fold, cuts)
        seen.append((few.design.X.shape[1], fold.design.X.shape[1]))
        return few, named

    monkeypatch.setattr(ranked, "_few_columns", watched)
    together = run_nested_fold(design, plan, task)
    monkeypatch.setattr(ranked, "_few_columns", lambda fold, cuts: (fold, cuts))
    assert together == run_nested_fold(design, plan, task)
    (few, whole) = seen[0]
    assert few < whole / 2

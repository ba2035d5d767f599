"""Short work on genotypes is done without joblib, long work by its threads, with equal results."""

from __future__ import annotations

import sys
from functools import partial

import pytest

from tamis.genome.blocks import sharing
from tamis.genome.blocks.sharing import TaskThreads, in_threads

pytestmark = pytest.mark.quick


@pytest.fixture(params=[0.0, 1e9], ids=["threads", "alone"])
def joblib_loaded(request, monkeypatch):
    """Whether work takes so long that joblib is imported; it is hidden before."""
    monkeypatch.delitem(sys.modules, "joblib", raising=False)
    monkeypatch.setattr(sharing, "ALONE_SECONDS", request.param)
    return request.param == 0.0


def test_results_come_in_order_with_and_without_joblib(joblib_loaded):
    parts = [(1, k) for k in range(20)]
    assert list(in_threads(lambda k: k * k, parts, 20, "squares", 2, True)) == [
        k * k for k in range(20)
    ]
    assert ("joblib" in sys.modules) == joblib_loaded


def test_all_tasks_run_with_and_without_joblib(joblib_loaded):
    found: list[int] = []
    with TaskThreads(n_jobs=2, n_tasks=5) as run_tasks:
        for first in (0, 5):
            run_tasks(partial(found.append, k) for k in range(first, first + 5))
            assert sorted(found) == list(range(first + 5))
        run_tasks([])
    assert ("joblib" in sys.modules) == joblib_loaded

"""What is loaded before there is a study, and when."""

from __future__ import annotations

import pytest

from tamis._core import fork_server
from tamis._core.progress import Progress
from tamis.cli import study as command
from tamis.kernels import _cache
from tamis.study import result_preload
from tamis.study.plan import Plan


@pytest.mark.quick
def test_a_study_of_noise_runs():
    result_preload.load_tasks()
    result_preload.load_results()


@pytest.mark.parametrize(
    ("permutations", "n_jobs", "compiled", "asked"),
    [
        (99, 2, True, [("tamis.study.worker_preload", False)]),
        (99, 2, False, [("tamis.study.worker_preload", True)]),
        (99, 1, True, []),
        (5, 2, True, []),  # ends before workers have begun
    ],
)
def test_a_server_begins_where_a_study_is_long(
    permutations, n_jobs, compiled, asked, monkeypatch, capsys
):
    begun = []
    monkeypatch.setattr(Progress, "compiling_reported", False)
    monkeypatch.setattr(
        fork_server, "start_server", lambda module, compiles: begun.append((module, compiles))
    )
    monkeypatch.setattr(_cache, "is_compiled", lambda: compiled)
    command.begin_workers(Plan(permutations=permutations), n_jobs, quiet=False)
    assert begun == asked
    assert capsys.readouterr().err.startswith("Compiling") == (not compiled)

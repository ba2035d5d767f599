"""What tasks are shared out, and to whom. Clusters are in tests/cli/test_scheduler.py."""

from __future__ import annotations

import pytest
from joblib import parallel_config
from joblib.parallel import SequentialBackend
from sklearn.ensemble import RandomForestClassifier

from tamis._core.errors import PlanError
from tamis._core.versions import library_versions
from tamis.study import Method, run_study, workers
from tamis.study.plan import Plan
from tamis.study.workers import Work, _check_alike


class Asked(SequentialBackend):
    """A cluster that nobody is to ask."""

    def configure(self, *args, **named):
        raise AssertionError("the cluster was asked")


def test_what_runs_here_asks_no_cluster(data, quick, tmp_path):
    """Neither in cells nor in the refit of the winner, of estimators that say no number of jobs."""
    plan = {key: value for key, value in quick.items() if key != "method"}
    forest = Method(select="welch_t", sizes=[2], classify=RandomForestClassifier(5))
    with parallel_config(backend=Asked()):
        result = run_study(data, plan, tmp_path / "s", methods=[forest], n_jobs=1)
    assert (result.folder / "model.npz").exists()


def test_a_worker_with_other_libraries_is_refused(quick):
    others = {**library_versions(), "scipy": "1.0.0"}
    with pytest.raises(PlanError, match=r"has scipy .*, here is 1\.0\.0: results depend on it"):
        _check_alike(Work(None, Plan.resolve(quick), others, {}))
    assert _check_alike(Work(None, Plan.resolve(quick), library_versions(), {}))


@pytest.mark.parametrize(
    ("n_tasks", "n_workers", "pace", "sent"),
    [
        (500, 2, 0.02, (498, 2, 12)),
        (500, 2, 0.001, (498, 1, 62)),  # ends here before workers have begun
        (1000, 64, 0.02, (998, 64, 3)),  # each gets some, more than once
        (500, 2, 2.0, (498, 2, 1)),
        (20, 2, 0.02, (20, 2, 1)),
    ],
)
def test_how_many_tasks_are_sent_at_once(n_tasks, n_workers, pace, sent, monkeypatch):
    found = []
    monkeypatch.setattr("tamis._core.workers.cpu_count", lambda: 16)

    def timed(work, tasks):
        return [(task, {}, 50 * pace if task == 0 else pace) for task in tasks]

    def computed(work, tasks, n_jobs, together, meanwhile):
        found.append((len(tasks), n_jobs, together))
        yield from timed(work, tasks)

    monkeypatch.setattr(workers, "_computed_tasks", computed)
    monkeypatch.setattr(workers, "_timed_cells", timed)
    done = [task for task, _, _ in workers.computed_cells(None, list(range(n_tasks)), n_workers)]
    assert sorted(done) == list(range(n_tasks))
    assert found == [sent]


@pytest.mark.longer
def test_a_server_gets_all_tasks_unless_workers_are_elsewhere(monkeypatch):
    monkeypatch.setattr("tamis._core.fork_server.is_started", lambda: True)
    monkeypatch.setattr(workers, "_computed_by_forked", lambda _, tasks, n, __: [(tasks, n)])
    monkeypatch.setattr(workers, "_computed_tasks", lambda *_: ["by joblib"])
    assert list(workers.computed_cells(None, [1, 2, 3], 2)) == [([1, 2, 3], 2)]
    assert list(workers.computed_cells(None, [1, 2, 3], 1)) == ["by joblib"]
    with parallel_config(backend=Asked(), n_jobs=2):
        assert list(workers.computed_cells(None, [1, 2, 3], None)) == ["by joblib"]

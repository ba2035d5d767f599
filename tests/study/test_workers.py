"""What tasks are shared out, and to whom. Clusters are in tests/cli/test_scheduler.py."""

from __future__ import annotations

import pytest
from joblib import parallel_config
from joblib.parallel import SequentialBackend
from sklearn.ensemble import RandomForestClassifier

from tamis._core.errors import PlanError
from tamis._core.versions import versions
from tamis.study import Method, run_study
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
    assert (result.folder / "model.skops").exists()


def test_a_worker_with_other_libraries_is_refused(quick):
    others = {**versions(), "scipy": "1.0.0"}
    with pytest.raises(PlanError, match=r"has scipy .*, here is 1\.0\.0: results depend on it"):
        _check_alike(Work(None, Plan.resolve(quick), others, {}))
    assert _check_alike(Work(None, Plan.resolve(quick), versions(), {}))

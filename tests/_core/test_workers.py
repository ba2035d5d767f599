"""How many workers are begun: what is of use, unless they are elsewhere."""

from __future__ import annotations

import warnings

import pytest
from joblib import delayed, parallel_config
from joblib.parallel import ParallelBackendBase, SequentialBackend

from tamis._core import workers
from tamis._core.workers import (
    fewer_jobs_text,
    joblib_parallel,
    useful_jobs,
    warned_useful_jobs,
)


class Elsewhere(ParallelBackendBase):
    """Of a cluster."""

    def effective_n_jobs(self, n_jobs):
        return 5_000

    def submit(self, func, callback=None):
        raise AssertionError("the cluster was asked")


@pytest.fixture(autouse=True)
def three_cores(monkeypatch):
    monkeypatch.setattr(workers, "cpu_count", lambda: 3)


@pytest.mark.parametrize(
    ("n_jobs", "n_tasks", "useful"),
    [
        (100_000, None, 12),
        (13, None, 12),
        (12, None, 12),
        (12, 12, 12),
        (12, 11, 11),
        (100_000, 5, 5),
        (4, 0, 1),
        (1, 0, 1),
        (1, None, 1),
        (None, None, None),
        (-1, None, -1),
        (-100_000, None, -100_000),  # one, as joblib counts
    ],
)
def test_workers_are_a_few_a_core_and_no_more_than_tasks(n_jobs, n_tasks, useful):
    assert useful_jobs(n_jobs, n_tasks) == useful


def test_what_a_program_sets_for_here_is_bounded_and_workers_elsewhere_are_not():
    for backend in ("loky", "threading", "multiprocessing"):
        with parallel_config(backend=backend, n_jobs=7_000):
            assert (useful_jobs(None), useful_jobs(None, 2), useful_jobs(6_000)) == (12, 2, 12)
    with parallel_config(backend=Elsewhere(), n_jobs=7_000):
        assert (useful_jobs(None), useful_jobs(None, 2), useful_jobs(6_000)) == (None, None, 6_000)
        assert useful_jobs(6_000, here=True) == 12  # threads of this process
    with parallel_config(backend=SequentialBackend()):
        assert useful_jobs(6_000) == 6_000  # of which it makes one


@pytest.mark.parametrize(
    ("useful", "text"),
    [
        (12, "12 workers, 4 for each of 3 cores; more would be no faster"),
        (5, "5 workers, as there are 5 tasks; more would be no faster"),
        (1, "1 worker, as there is 1 task; more would be no faster"),
    ],
)
def test_why_there_are_fewer(useful, text):
    assert fewer_jobs_text(useful) == text


def test_python_is_warned_once_of_more_than_the_cores_are_good_for():
    with pytest.warns(UserWarning, match=r"^n_jobs=100000: 12 workers, 4 for each of 3 cores; "):
        parallel = joblib_parallel(n_jobs=100_000, backend="threading")
    assert parallel.n_jobs == 12
    assert parallel(delayed(abs)(k) for k in (-1, 2)) == [1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n_jobs, n_tasks in ((12, None), (12, 3), (-1, None), (None, None)):
            assert warned_useful_jobs(n_jobs, n_tasks) == useful_jobs(n_jobs, n_tasks)

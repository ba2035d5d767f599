"""Worker processes that start while their parent goes on."""

from __future__ import annotations

import os
import time
import warnings

import pytest
from joblib import delayed

from tamis._core.workers import _kept, end_workers, is_started, parallel, started


def pids(n_jobs: int = 2) -> set[int]:
    """Of the processes that tasks run in, each of which is given time to take one."""

    def at_work() -> int:  # in here it is sent along
        time.sleep(0.1)
        return os.getpid()

    return set(parallel(n_jobs=n_jobs, batch_size=1)(delayed(at_work)() for _ in range(8)))


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_next_call_finds_them_and_they_end_when_told():
    end_workers()  # of other tests
    with started(2, "gc:collect"):
        assert is_started()
        first = set(_kept[0]._processes)
        assert pids() == first
    assert not is_started()
    assert len(first) == 2
    assert pids() == first
    end_workers()
    assert all(map(gone, first))


def test_one_process_starts_none():
    with started(1, "no_such_module:nothing"):
        assert not is_started()
        assert pids(1) == {os.getpid()}


def test_nobody_waits_for_them_after_a_failure():
    def fails() -> None:
        with started(2, "time:sleep"):  # fails there, for it is given no time
            raise ValueError("of the caller")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="of the caller"):
            fails()
    assert not is_started()
    assert len(pids()) == 2  # others start


def test_what_they_do_first_may_fail_and_is_told():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), started(2, "no_such_module:f"):
        pass

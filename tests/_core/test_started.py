"""Worker processes that start while their parent goes on."""

from __future__ import annotations

import os
import warnings

import pytest
from joblib import delayed

from tamis._core.workers import end_workers, is_started, parallel, started


def pids(n_jobs: int = 2) -> set[int]:
    """Of the processes that tasks run in."""
    return set(parallel(n_jobs=n_jobs, batch_size=1)(delayed(os.getpid)() for _ in range(8)))


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_next_call_finds_them_and_they_end_when_told():
    with started(2, "gc:collect"):
        assert is_started()
        first = pids()
    assert not is_started()
    assert os.getpid() not in first
    assert pids() <= first | pids()
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
    assert len(pids()) >= 1  # others start


def test_what_they_do_first_may_fail_and_is_told():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), started(2, "no_such_module:f"):
        pass

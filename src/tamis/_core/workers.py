"""Processes that joblib starts here: they end with this one, and if one is killed that is told.

joblib's own stay for minutes after their parent was killed, and for good where they wait for it to
take a result.
"""

from __future__ import annotations

import contextlib
import re
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from multiprocessing import resource_tracker
from typing import Any

from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import (
    LokyBackend,
    MultiprocessingBackend,
    Parallel,
    get_active_backend,
    register_parallel_backend,
)

from .worker_manners import begin_worker, follow_parent, signals_blocked, worker_killed_error

_kept: list[Any] = []  # the executor whose processes wait for the next call


def joblib_parallel(**options: Any) -> Any:
    """joblib's `Parallel`, wherever `joblib.parallel_config` says; see above.

    Raises
    ------
    DataError
        A worker process was killed.

    Examples
    --------
    >>> from joblib import delayed
    >>> joblib_parallel(n_jobs=2)(delayed(abs)(k) for k in (-1, 2))
    [1, 2]
    """
    register_parallel_backend("loky", _Loky)
    register_parallel_backend("multiprocessing", _Pool)
    return Parallel(**options)


@contextlib.contextmanager
def closed_in_silence(begun: Generator[Any, None, None]) -> Iterator[None]:
    """What `joblib_parallel` gives as a generator ends with this, and nobody is told what it had
    left.
    """
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            begun.close()


def end_workers() -> None:
    """At the end of a command: processes that wait for another call take a quarter of a second to
    end by themselves."""
    while _kept:
        _kept.pop().terminate(kill_workers=True)


def is_elsewhere() -> bool:
    """Whether workers are other than processes started here: those of a cluster may be faster."""
    return not isinstance(get_active_backend()[0], LokyBackend | MultiprocessingBackend)


class _Loky(LokyBackend):
    """As joblib's otherwise."""

    def configure(self, n_jobs: int = 1, parallel: Any = None, **named: Any) -> int:
        if sys.platform != "win32":
            resource_tracker.ensure_running()  # which loky else begins, and that unblocks signals
        with signals_blocked():
            n_workers = super().configure(
                n_jobs, parallel, **_worker_initializer(self, begin_worker), **named
            )
        _kept[:] = [executor] if (executor := getattr(self, "_workers", None)) else []
        return n_workers

    def submit(self, func: Any, callback: Any = None) -> Any:
        with _telling_of_killed(), signals_blocked():
            return super().submit(func, callback)

    def retrieve_result_callback(self, future: Any) -> Any:
        with _telling_of_killed():
            return super().retrieve_result_callback(future)


class _Pool(MultiprocessingBackend):
    """As joblib's otherwise."""

    def configure(self, n_jobs: int = 1, parallel: Any = None, **named: Any) -> int:
        return super().configure(
            n_jobs, parallel, **_worker_initializer(self, follow_parent), **named
        )


def _worker_initializer(backend: Any, does: Callable[[], None]) -> dict[str, Callable[[], None]]:
    """What the workers of a backend do first, unless the user named that."""
    named = getattr(backend, "backend_kwargs", {})
    return {} if "initializer" in named else {"initializer": does}


@contextlib.contextmanager
def _telling_of_killed() -> Iterator[None]:
    try:
        yield
    except TerminatedWorkerError as error:
        raise worker_killed_error(re.findall(r"SIG[A-Z]+", str(error))) from error

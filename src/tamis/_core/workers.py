"""Processes that joblib starts here: they end with this one, and if one is killed that is reported.

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
    SequentialBackend,
    ThreadingBackend,
    cpu_count,
    effective_n_jobs,
    get_active_backend,
    register_parallel_backend,
)

from .errors import counted_noun
from .worker_manners import begin_worker, follow_parent, signals_blocked, worker_killed_error

A_CORE = 4  # workers for each core: more are no faster, and hundreds take long to begin and to end
_LOCAL_BACKENDS = LokyBackend | MultiprocessingBackend | SequentialBackend | ThreadingBackend
_kept: list[Any] = []  # the executor whose processes wait for the next call


def useful_jobs(n_jobs: int | None, n_tasks: int | None = None, here: bool = False) -> int | None:
    """`n_jobs` of joblib, or as many workers as are of use, if that is fewer: one for each task,
    and `A_CORE` for each core. Workers that `joblib.parallel_config` has elsewhere stay as many,
    unless the work is done `here` in any case.

    Examples
    --------
    >>> useful_jobs(-1), useful_jobs(None), useful_jobs(2, n_tasks=1)
    (-1, None, 1)
    >>> useful_jobs(100_000) == A_CORE * cpu_count()
    True
    """
    if not (here or isinstance(get_active_backend()[0], _LOCAL_BACKENDS)):
        return n_jobs
    requested = effective_n_jobs(n_jobs)
    most = min(A_CORE * cpu_count(), requested if n_tasks is None else max(1, n_tasks))
    return most if requested > most else n_jobs


def fewer_jobs_text(useful: int) -> str:
    """Why no more workers are begun than are of use."""
    cores = cpu_count()
    if useful == A_CORE * cores:
        why = f"{A_CORE} for each of {counted_noun(cores, 'core')}"
    else:
        why = f"as there {'is' if useful == 1 else 'are'} {counted_noun(useful, 'task')}"
    return f"{counted_noun(useful, 'worker')}, {why}; more would be no faster"


def warned_useful_jobs(
    n_jobs: int | None, n_tasks: int | None = None, here: bool = False
) -> int | None:
    """As `useful_jobs`; a number beyond what the cores are good for gives a warning."""
    useful = useful_jobs(n_jobs, n_tasks, here)
    if useful is not None and n_jobs is not None and max(useful, A_CORE * cpu_count()) < n_jobs:
        warnings.warn(f"n_jobs={n_jobs}: {fewer_jobs_text(useful)}", stacklevel=3)
    return useful


def joblib_parallel(*, n_tasks: int | None = None, **options: Any) -> Any:
    """joblib's `Parallel`, wherever `joblib.parallel_config` says; see above. No more workers are
    begun here than are of use; `n_tasks` is how many tasks there are, if that is known.

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
    # of a backend that is named, and of memory that is shared, work stays in this process
    here = "backend" in options or "require" in options
    options["n_jobs"] = warned_useful_jobs(options.get("n_jobs"), n_tasks, here)
    return Parallel(**options)


@contextlib.contextmanager
def closed_in_silence(begun: Generator[Any, None, None]) -> Iterator[None]:
    """What `joblib_parallel` gives as a generator ends with this, and what it had left is not
    reported.
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

"""Processes that joblib starts here: they end with this one, and if one is killed that is told.

joblib's own stay for minutes after their parent was killed, and for good where they wait for it to
take a result.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
import warnings
from collections import deque
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

from .errors import DataError
from .terminal import STOPS

PERIOD = 0.5  # seconds between two looks
HANDED_OVER = 0.2  # seconds
_started = 0  # times that `started` is going on
_kept: list[Any] = []  # the executor whose processes wait for the next call


def parallel(**options: Any) -> Any:
    """joblib's `Parallel`, wherever `joblib.parallel_config` says; see above.

    Raises
    ------
    DataError
        A worker process was killed.

    Examples
    --------
    >>> from joblib import delayed
    >>> parallel(n_jobs=2)(delayed(abs)(k) for k in (-1, 2))
    [1, 2]
    """
    register_parallel_backend("loky", _Loky)
    register_parallel_backend("multiprocessing", _Pool)
    return Parallel(**options)


@contextlib.contextmanager
def started(n_jobs: int | None, first: str) -> Iterator[None]:
    """Processes start while this one goes on; `parallel` with as many finds them there.

    Parameters
    ----------
    n_jobs : int or None
        As in joblib. Nothing is started for one, or where workers are not processes here.
    first : str
        What each of them does first, as ``package.module:function``: this process need not have
        imported it.
    """
    from joblib import delayed, effective_n_jobs

    global _started
    n_workers = effective_n_jobs(n_jobs)
    if n_workers == 1 or is_elsewhere():
        yield
        return
    each = parallel(n_jobs=n_jobs, return_as="generator", pre_dispatch="all", batch_size=1)
    begun = each(delayed(_call_named)(first) for _ in range(n_workers))
    _started += 1
    since = time.monotonic()
    with closed_in_silence(begun):
        try:
            yield
            deque(begun, maxlen=0)
        finally:
            _started -= 1
            # loky stumbles where it is ended while it hands calls over
            time.sleep(max(0.0, since + HANDED_OVER - time.monotonic()))


@contextlib.contextmanager
def closed_in_silence(begun: Generator[Any, None, None]) -> Iterator[None]:
    """What `parallel` gives as a generator ends with this, and nobody is told what it had left."""
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


def is_started() -> bool:
    """Whether that has been done, by whoever asks for this."""
    return _started > 0


def _call_named(function: str) -> None:
    module, name = function.split(":")
    getattr(importlib.import_module(module), name)()


def follow_parent() -> None:
    """Let this process end once the one that started it has, or if it has already."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    # loky has no sentinel where there are process ids to compare, and nobody stands between the two
    while parent.is_alive() if parent.sentinel is not None else os.getppid() == parent.pid:
        time.sleep(PERIOD)
    os._exit(1)


def _begin_worker() -> None:
    """What Ctrl-C does is up to the parent, though a terminal sends it to all of its processes."""
    follow_parent()
    for number in STOPS:
        signal.signal(number, _leave_to_parent)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def _leave_to_parent(number: int, frame: object) -> None:
    """Not SIG_IGN, which programs that are started would inherit."""


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals wait until processes are begun, and find them ready."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Loky(LokyBackend):
    """As joblib's otherwise."""

    def configure(self, n_jobs: int = 1, parallel: Any = None, **named: Any) -> int:
        if sys.platform != "win32":
            resource_tracker.ensure_running()  # which loky else begins, and that unblocks signals
        with _undisturbed():
            n_workers = super().configure(n_jobs, parallel, **_first(self, _begin_worker), **named)
        _kept[:] = [executor] if (executor := getattr(self, "_workers", None)) else []
        return n_workers

    def submit(self, func: Any, callback: Any = None) -> Any:
        with _telling(), _undisturbed():
            return super().submit(func, callback)

    def retrieve_result_callback(self, future: Any) -> Any:
        with _telling():
            return super().retrieve_result_callback(future)


class _Pool(MultiprocessingBackend):
    """As joblib's otherwise."""

    def configure(self, n_jobs: int = 1, parallel: Any = None, **named: Any) -> int:
        return super().configure(n_jobs, parallel, **_first(self, follow_parent), **named)


def _first(backend: Any, does: Callable[[], None]) -> dict[str, Callable[[], None]]:
    """What the workers of a backend do first, unless the user named that."""
    named = getattr(backend, "backend_kwargs", {})
    return {} if "initializer" in named else {"initializer": does}


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except TerminatedWorkerError as error:
        how = ", ".join(dict.fromkeys(re.findall(r"SIG[A-Z]+", str(error)))) or "no reason is known"
        raise DataError(
            f"a worker process was killed ({how}), as happens where memory is short: take fewer of "
            "them with --n-jobs, or a machine with more memory; a study goes on with --resume"
        ) from error

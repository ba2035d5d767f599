"""Worker processes forked from one that has loaded what they need, while its parent goes on.

Processes of joblib's import that each for itself: 1.7 CPU seconds for a study, and more for its
kernels. On Linux only, since libraries of other systems do not survive a fork, and only for
commands: a program of the user's may have changed in its process what its workers are to find.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from multiprocessing import resource_tracker
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .errors import DataError
from .worker_manners import begin_worker, signals_blocked, worker_killed_error

if TYPE_CHECKING:
    from concurrent.futures import Executor

SIGNAL_OF_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of Linux's prctl
_loading: dict[str, bool] = {}  # what the server loads, if there is one, and whether that is long


def start_server(module: str, compiles: bool = False) -> None:
    """Begin to import a module in a process of its own, from which those of `forked_workers` come.

    `compiles`: that takes it long, and others wait for it.
    """
    if sys.platform != "linux" or _loading:
        return
    with signals_blocked():  # a closed terminal would end it, and it would print that
        resource_tracker.ensure_running()  # which else begins with the server, and unblocks signals
    multiprocessing.set_forkserver_preload([module])
    too_long = contextlib.suppress(OSError)  # the name of TMPDIR, for a socket
    with (
        too_long,
        signals_blocked(),
        _main_unseen(),
    ):  # workers take signals again once they are ready
        forkserver.ensure_running()
        _loading[module] = compiles


def is_started() -> bool:
    """Whether there is a server."""
    return bool(_loading)


def is_compiling() -> bool:
    """Whether there is one that takes long to load."""
    return any(_loading.values())


def end_with_parent() -> None:
    """Of the server, which does not look for its parent while it loads. (Not of what it forks.)"""
    ctypes.CDLL(None).prctl(SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL)


def end_server() -> None:
    """At the end of a command, though it may still be loading."""
    if _loading:
        _loading.clear()
        server: Any = forkserver._forkserver
        if server._forkserver_pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(server._forkserver_pid, signal.SIGKILL)
        server._stop()


if sys.platform != "win32":
    from multiprocessing import context, forkserver

    class _Process(context.ForkServerProcess):
        @staticmethod
        def _Popen(process_obj: Any) -> Any:
            with _main_unseen():
                return context.ForkServerProcess._Popen(process_obj)

    class _Context(context.ForkServerContext):
        Process = _Process


@contextlib.contextmanager
def _main_unseen() -> Iterator[None]:
    """Hide the main module: a new process would import it, and run a script that has no guard
    again."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextlib.contextmanager
def forked_workers(n_workers: int) -> Iterator[Executor]:
    """Processes that have what the server has loaded; they end with this, whatever they do.

    Raises
    ------
    DataError
        One of them was killed, or the server was.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    executor: Any = ProcessPoolExecutor(n_workers, _Context(), begin_worker)
    processes = executor._processes  # by id, as they begin
    try:
        yield executor
    except BrokenProcessPool as error:
        raise _killed_error(processes.values()) from error
    except (ConnectionError, EOFError) as error:
        if error.__cause__ is not None:
            raise  # by a task, in a process that goes on
        raise _killed_error(processes.values()) from error
    finally:
        for process in list(processes.values()):
            process.kill()
        # one that was killed in the middle of a result: its end is seen once nobody can write
        executor._result_queue._writer.close()
        with contextlib.suppress(RuntimeError):  # its thread could not be begun
            executor.shutdown(cancel_futures=True)


def _killed_error(processes: Iterable[Any]) -> DataError:
    """How those ended that no other ended."""
    ends = {-(process.exitcode or 0) for process in list(processes)}
    ends -= {0, signal.SIGTERM}  # with which the executor ends the others
    return worker_killed_error(signal.Signals(end).name for end in ends if end > 0)

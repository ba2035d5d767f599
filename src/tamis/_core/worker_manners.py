"""How worker processes behave: they end with their parent, who decides what a signal does."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import DataError
from .reused_memory import keep_freed_memory
from .terminal import STOP_SIGNALS

WATCH_SECONDS = 0.5  # seconds between two looks


def begin_worker() -> None:
    """What Ctrl-C does is up to the parent, though a terminal sends it to all of its processes."""
    keep_freed_memory()
    follow_parent()
    for number in STOP_SIGNALS:
        signal.signal(number, _leave_to_parent)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _leave_to_parent(number: int, frame: object) -> None:
    """Not SIG_IGN, which programs that are started would inherit."""


def follow_parent() -> None:
    """Let this process end once the one that started it has, or if it has already."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()


def _end_with_parent(parent: Any) -> None:
    # loky has no sentinel where there are process ids to compare, and nobody stands between the two
    while parent.is_alive() if parent.sentinel is not None else os.getppid() == parent.pid:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


@contextlib.contextmanager
def signals_blocked() -> Iterator[None]:
    """Hold signals back until the new processes can handle them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def worker_killed_error(signals: Iterable[str]) -> DataError:
    """The error of a worker that a signal ended."""
    how = ", ".join(dict.fromkeys(signals)) or "no reason is known"
    return DataError(
        f"a worker process was killed ({how}), as happens where memory is short: take fewer of "
        "them with --n-jobs, or a machine with more memory; a study goes on with --resume"
    )

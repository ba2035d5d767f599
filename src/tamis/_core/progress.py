"""Progress with time left, on stderr, for anything that takes more than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any

from .errors import printable_text
from .starting import end_loading
from .terminal import in_notebook, say_again, say_to_user

FAST_STEPS_PER_SECOND = 100  # steps a second of which the speed is shown


class Progress:
    """A counter that draws itself only when the work turns out to be long.

    On a terminal a bar is drawn, in a notebook a line that is written anew; elsewhere (a log
    file, a batch job) a line is printed at most every 30 seconds. A first step that takes long is
    reported, and so is the compiling of kernels meanwhile (`kernels/_jit.py`). ``quiet=True``
    prints nothing.
    """

    LONG = 5.0  # seconds that a first step may take without a word
    SOON, APART = 0.5, 30.0  # seconds between lines, in a notebook and elsewhere
    PACED = 1.0  # seconds that a pace is measured over, at the least
    n_shown = 0  # how many are under way that are not quiet
    compiling_reported = False

    def __init__(self, total: int, label: str, quiet: bool = False, patience: float = 2.0):
        self.total, self.label, self.quiet, self.patience = (
            total,
            printable_text(label),
            quiet,
            patience,
        )
        self.done = self.before = 0
        self.start = self.first = time.monotonic()
        self.last: float | None = None
        self._bar: Any = None
        self._task: Any = None
        self._word: threading.Timer | None = None
        self._width = 0  # of the line in a notebook

    def __enter__(self) -> Progress:
        end_loading()
        if not self.quiet:
            Progress.n_shown += 1
            self._word = threading.Timer(self.LONG, self._tell)
            self._word.daemon = True
            self._word.start()
        return self

    def _tell(self) -> None:
        what = "this takes a while" if self.total == 1 else "starting; the first step is slow"
        say_to_user(f"{self.label}: {what}")

    def advance(self, steps: int = 1) -> None:
        """Count `steps` more as done."""
        now = time.monotonic()
        if self.done == 0:
            # the pace is taken from here: the first step may also compile
            self.first, self.before = now, steps
            if self._word is not None:
                self._word.cancel()
        self.done += steps
        if self.quiet:
            return
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done, speed=self._speed(now))
        elif (
            now - self.start > self.patience
            and now - self.first >= min(self.patience, self.PACED)
            and self.done > self.before
        ):
            if sys.stderr is not None and sys.stderr.isatty():
                self._open_bar(self._speed(now))
                return
            apart = self.SOON if in_notebook() else self.APART
            if self.last is None or now - self.last > apart:
                self.last = now
                self._say(now)

    def _say(self, now: float) -> None:
        """A line with the time left; in a notebook in the place of the last."""
        left = (self.total - self.done) / self._pace(now)
        speed = f"{self._speed(now)}, ".removeprefix(", ")
        line = f"{self.label}: {self.done:,} of {self.total:,}, {speed}about {_duration(left)} left"
        if in_notebook():
            say_again(line.ljust(self._width))
            self._width = len(line)
        else:
            say_to_user(line)

    def _pace(self, now: float) -> float:
        """Steps a second, but for the first."""
        return (self.done - self.before) / max(now - self.first, 1e-9)

    def _speed(self, now: float) -> str:
        """That in words, where there are many."""
        pace = self._pace(now)
        return f"{pace:,.0f} a second" if pace >= FAST_STEPS_PER_SECOND else ""

    def _open_bar(self, speed: str) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task(
            self.label, total=self.total, completed=self.done, speed=speed
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._word is not None:
            self._word.cancel()
            Progress.n_shown -= 1
        if self._bar is not None:
            self._bar.stop()
        if self._width:
            took = f"in {time.monotonic() - self.start:.0f} s"
            line = f"{self.label}: {self.done:,} of {self.total:,} {took}"
            say_again(line.ljust(self._width), "\n")


def _duration(seconds: float) -> str:
    """In seconds, or in minutes where there are many."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def tell_of_compiling(quiet: bool | None = None) -> None:
    """Say once why the first run of a new installation takes longer; where it is not said whether,
    if progress is shown."""
    quiet = Progress.n_shown == 0 if quiet is None else quiet
    if not quiet and not Progress.compiling_reported:
        Progress.compiling_reported = True
        say_to_user("Compiling for the first use: up to half a minute, once in an installation")

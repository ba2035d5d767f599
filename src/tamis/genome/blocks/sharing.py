"""Work on genotypes shared out: over threads here, or over the workers of a cluster.

joblib takes longer to import than short work takes, so tasks begin without it where nobody else
has imported it, and could have configured it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import process_time
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from ..._core.progress import Progress
from ..readers.genotypes import Genotypes, Piece

S = TypeVar("S")
T = TypeVar("T")

RunTasks = Callable[[Iterable[Callable[[], Any]]], None]
ALONE_SECONDS = 0.3  # CPU seconds of work without threads, before joblib is imported for the rest


def in_threads(
    task: Callable[[S], T],
    parts: Iterable[tuple[int, S]],
    total: int,
    label: str,
    n_jobs: int,
    quiet: bool,
) -> Iterator[T]:
    """What a task makes of each part, in order, in threads of this process.

    Parameters
    ----------
    task : callable
    parts : iterable of (size, part)
        Sizes add up to `total`, of which progress is shown.
    total : int
    label : str
    n_jobs : int
        No more threads than parts are begun, and no more results wait than there are threads.
    quiet : bool
    """
    where = {"backend": "threading", "pre_dispatch": "n_jobs"}
    return _each_share(task, parts, total, label, n_jobs, quiet, where)


def each_block(
    genotypes: Genotypes,
    task: Callable[..., T],
    label: str,
    n_jobs: int,
    quiet: bool,
    width: int | None = None,
    along: tuple[np.ndarray, ...] = (),
) -> Iterator[tuple[slice, T]]:
    """Where each block of variants is among those taken, and what a task makes of it, in order.

    Threads do it, or whatever `joblib.parallel_config` names: a task may run on another machine,
    so what it is to change it returns.

    Parameters
    ----------
    genotypes : Genotypes
    task : callable
        Of packed calls (m, bytes) of all samples of the file, and of parts (m, ...) of `along`.
    label : str
    n_jobs : int
    quiet : bool
    width : int or None, default=None
        Variants of a block.
    along : tuple of ndarray of shape (p, ...)
        What else there is of each variant.
    """
    pieces = genotypes.pieces(width)
    for piece, one in zip(
        pieces, each_piece(pieces, task, label, n_jobs, quiet, along), strict=True
    ):
        yield piece.place, one


def each_piece(
    pieces: Sequence[Piece],
    task: Callable[..., T],
    label: str,
    n_jobs: int,
    quiet: bool,
    along: tuple[np.ndarray, ...] = (),
) -> Iterator[T]:
    """As `each_block`, of some pieces, without their places."""
    parts = ((len(piece), _Part(piece, tuple(a[piece.place] for a in along))) for piece in pieces)
    where = {"prefer": "threads", "pre_dispatch": "2 * n_jobs"}
    total = sum(map(len, pieces))
    return _each_share(_OnPart(task), parts, total, label, n_jobs, quiet, where)


@dataclass(frozen=True)
class _Part:
    """What a task gets; one object, which joblib sends along with its task, not before it."""

    piece: Piece
    beside: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class _OnPart:
    """A task on calls as one on a part."""

    task: Callable[..., Any]

    def __call__(self, part: _Part) -> Any:
        return self.task(part.piece.packed(), *part.beside)


def _each_share(
    task: Callable[[S], T],
    parts: Iterable[tuple[int, S]],
    total: int,
    label: str,
    n_jobs: int,
    quiet: bool,
    where: dict[str, str],
) -> Iterator[T]:
    shares = list(parts)
    with Progress(total, label, quiet) as progress:
        found = _each_result(task, [part for _, part in shares], n_jobs, where)
        for (size, _), one in zip(shares, found, strict=True):
            yield one
            progress.advance(size)


def _each_result(
    task: Callable[[S], T], parts: Sequence[S], n_jobs: int, where: dict[str, str]
) -> Iterator[T]:
    alone, done = _Alone(), 0
    while done < len(parts) and alone.lasts():
        yield task(parts[done])
        done += 1
    if done < len(parts):
        from joblib import delayed

        from ..._core.workers import joblib_parallel

        each = joblib_parallel(
            n_jobs=n_jobs,
            n_tasks=len(parts) - done,
            return_as="generator",
            batch_size=1,
            **where,
        )
        yield from each(delayed(task)(part) for part in parts[done:])


class _Alone:
    """Whether work goes on without joblib."""

    def __init__(self) -> None:
        self.until = process_time() + ALONE_SECONDS

    def lasts(self) -> bool:
        return "joblib" not in sys.modules and process_time() < self.until


class TaskThreads:
    """A context whose value runs tasks, in any order, by threads of this process.

    Parameters
    ----------
    n_jobs : int
    n_tasks : int
        Of one call.

    Examples
    --------
    >>> from functools import partial
    >>> found = []
    >>> with TaskThreads(n_jobs=2, n_tasks=3) as run_tasks:
    ...     run_tasks(partial(found.append, k) for k in range(3))
    >>> sorted(found)
    [0, 1, 2]
    """

    def __init__(self, n_jobs: int, n_tasks: int) -> None:
        self.n_jobs, self.n_tasks = n_jobs, n_tasks
        self.alone, self.stack = _Alone(), ExitStack()
        self.parallel: Any = None

    def __enter__(self) -> RunTasks:
        return self.run_tasks

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stack.__exit__(kind, error, trace)

    def run_tasks(self, tasks: Iterable[Callable[[], Any]]) -> None:
        """All of them, and then return."""
        left = list(tasks)
        while left and self.parallel is None and self.alone.lasts():
            left.pop(0)()
        if not left:
            return
        from joblib import delayed

        from ..._core.workers import joblib_parallel

        if self.parallel is None:
            self.parallel = self.stack.enter_context(
                joblib_parallel(n_jobs=self.n_jobs, n_tasks=self.n_tasks, backend="threading")
            )
        self.parallel(delayed(task)() for task in left)

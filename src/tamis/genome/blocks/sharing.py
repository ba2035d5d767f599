"""Work on genotypes shared out: over threads here, or over the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from joblib import delayed

from ..._core.progress import Progress
from ..._core.workers import joblib_parallel
from ..readers.genotypes import Genotypes, Piece

S = TypeVar("S")
T = TypeVar("T")


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
    each = joblib_parallel(
        n_jobs=n_jobs,
        n_tasks=len(shares),
        return_as="generator",
        batch_size=1,
        **where,
    )
    with Progress(total, label, quiet) as progress:
        found = each(delayed(task)(part) for _, part in shares)
        for (size, _), one in zip(shares, found, strict=True):
            yield one
            progress.advance(size)

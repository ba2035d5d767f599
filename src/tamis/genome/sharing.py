"""Work on genotypes shared out over threads, with progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from joblib import Parallel, delayed

from .._core.progress import Progress
from .genotypes import Block, Genotypes, Span

S = TypeVar("S")
T = TypeVar("T")


def in_threads(
    task: Callable[[S], T], parts: Iterable[tuple[int, S]], total: int, label: str, n_jobs: int,
    quiet: bool,
) -> Iterator[T]:  # fmt: skip
    """What a task makes of each part, in order.

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
    shares = list(parts)
    parallel = Parallel(
        n_jobs=min(n_jobs, max(1, len(shares))),  # -1 stays
        backend="threading", return_as="generator", batch_size=1, pre_dispatch="n_jobs",
    )  # fmt: skip
    with Progress(total, label, quiet) as progress:
        found = parallel(delayed(task)(part) for _, part in shares)
        for (size, _), one in zip(shares, found, strict=True):
            yield one
            progress.advance(size)


def each_block(
    genotypes: Genotypes, task: Callable[[Block], T], label: str, n_jobs: int, quiet: bool,
    width: int | None = None,
) -> Iterator[T]:  # fmt: skip
    """What a task makes of each block of variants, in order."""

    def run(span: Span) -> T:
        return task(genotypes.block(span))

    parts = ((span[2] - span[1], span) for span in genotypes.spans(width))
    return in_threads(run, parts, genotypes.shape[1], label, n_jobs, quiet)

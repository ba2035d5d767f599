"""All variants, block by block, shared out over threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from joblib import Parallel, delayed

from .._core.progress import Progress
from .genotypes import Block, Genotypes, Span

T = TypeVar("T")


def each_block(
    genotypes: Genotypes, task: Callable[[Block], T], label: str, n_jobs: int, quiet: bool,
    width: int | None = None,
) -> Iterator[T]:  # fmt: skip
    """What a task makes of each block, in order.

    Each thread reads its blocks into one room of its own, which stays in the processor's cache: a
    block is gone when its task ends.
    """
    spans = genotypes.spans(width)
    n_bytes = -(-genotypes.n_file // 4)
    most = n_bytes * max((last - first for _, first, last in spans), default=0)
    rooms = threading.local()

    def run(span: Span) -> tuple[int, T]:
        if not hasattr(rooms, "room"):
            rooms.room = np.empty(most, dtype=np.uint8)
        return span[2] - span[1], task(genotypes.block(span, rooms.room))

    n_jobs = min(n_jobs, max(1, len(spans)))  # -1 stays
    parallel = Parallel(n_jobs=n_jobs, backend="threading", return_as="generator", batch_size=1)
    with Progress(genotypes.shape[1], label, quiet) as progress:
        for done, found in parallel(delayed(run)(span) for span in spans):
            yield found
            progress.advance(done)

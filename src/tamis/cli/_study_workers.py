"""Who computes the tasks of a study: processes here, or the workers of a scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .._core.terminal import say_to_user
from ._shared import by_workers
from ._study_options import StudyOptions


@dataclass(frozen=True)
class Jobs:
    """What `n_jobs` a study is run with, and how many processes compute at the same time."""

    n_jobs: int | None
    processes: int


@contextmanager
def shared_out(options: StudyOptions) -> Iterator[Jobs]:
    """Over processes here, or over the workers of a scheduler."""
    from joblib import cpu_count, effective_n_jobs

    with by_workers(options.scheduler, options.quiet) as workers:
        if workers is None:
            yield Jobs(options.n_jobs, min(effective_n_jobs(options.n_jobs), cpu_count()))
            return
        if workers.threads > workers.processes:
            say_to_user(
                "  a study asks one thread of each worker: `dask worker ADDRESS --nworkers -1 "
                "--nthreads 1` starts one a core",
                options.quiet,
            )
        yield Jobs(None, workers.processes)

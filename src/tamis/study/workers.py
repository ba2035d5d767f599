"""Tasks of a study shared out: over processes here, or wherever `joblib.parallel_config` says."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from platform import node
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.own_code import own_named
from .._core.own_source import source_versions
from .._core.process_cache import cached_in_process
from .._core.shared import Shared
from .._core.threads import one_thread
from .._core.versions import library_versions
from .plan import Plan
from .protocol import nested_cv
from .protocol.design import Design
from .protocol.nested_cv import Task
from .results import collect

Computed = tuple[Task, dict[str, bytes], float]  # a task, its cells by ranker, seconds

MIN_TASKS_PER_WORKER = 10  # tasks a worker, from which some are computed before all others
START_SECONDS = 1.5  # seconds, until workers have imported what they need
BATCH_SECONDS = 0.25  # seconds of tasks that are sent at once, with one copy of what they share
MIN_BATCHES = 4  # times a worker gets some, at least
MIN_TASK_SECONDS = 1e-3  # seconds: no task takes less with what is around it

# Libraries draw random numbers, and set numbers of threads, for the entire process.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Work(Shared):
    """What the tasks of a study have in common, and what their results depend on beside it.

    Attributes
    ----------
    design : Design
    plan : Plan
    versions : mapping of library to version
        Where the study began.
    code : mapping of name to what `source_versions` says
        Of the user's own.
    study : str
        What its cells are bound to.
    """

    design: Design
    plan: Plan
    versions: Mapping[str, str]
    code: Mapping[str, Mapping[str, str | None]]
    study: str = ""


def make_ready() -> None:
    """Load what nearly every plan needs here after its tasks."""
    import scipy.linalg
    import scipy.special  # noqa: F401

    from ..kernels import _jit  # noqa: F401


def computed_cells(
    work: Work,
    tasks: list[Task],
    n_jobs: int | None,
    meanwhile: Callable[[], None] = make_ready,
) -> Iterator[Computed]:
    """The cells of tasks, as they are finished. `meanwhile` is done here once workers have them
    all, for what comes afterwards.

    Where tasks are many, and workers have to begin, some are computed here first: they compile
    what each worker would compile for itself, and one of the middle, as most are, shows how long
    all others will take. Workers begin only where that is longer than it takes them to do so, and
    so many tasks are sent at once.
    """
    from joblib import effective_n_jobs

    from .._core.fork_server import is_started
    from .._core.workers import is_elsewhere, warned_useful_jobs

    n_jobs = warned_useful_jobs(n_jobs, len(tasks))
    n_workers, together = effective_n_jobs(n_jobs), 1
    here = n_workers > 1 and not is_elsewhere()
    if here and is_started():
        yield from _computed_by_forked(work, tasks, n_workers, meanwhile)
        return
    if here and len(tasks) > MIN_TASKS_PER_WORKER * n_workers:
        middle = len(tasks) // 2
        for task in (tasks[0], tasks[middle]):
            (found,) = _timed_cells(work, [task])
            yield found
        pace = found[2]
        tasks = tasks[1:middle] + tasks[middle + 1 :]
        if pace * len(tasks) * (1 - 1 / n_workers) < START_SECONDS:
            n_jobs = 1
        together = _tasks_at_once(pace, len(tasks), n_workers)
    yield from _computed_tasks(work, tasks, n_jobs, together, meanwhile)


def _tasks_at_once(pace: float, n_tasks: int, n_workers: int = 1) -> int:
    """How many tasks of so many seconds each are computed together, so that every worker gets
    some."""
    each_has = n_tasks // (MIN_BATCHES * n_workers) if n_workers > 1 else n_tasks
    return max(1, min(int(BATCH_SECONDS / max(pace, MIN_TASK_SECONDS)), each_has))


def _batches(tasks: list[Task], together: int) -> list[list[Task]]:
    return [tasks[at : at + together] for at in range(0, len(tasks), together)]


def _computed_by_forked(
    work: Work, tasks: list[Task], n_workers: int, meanwhile: Callable[[], None]
) -> Iterator[Computed]:
    """By processes that are ready in a moment."""
    from concurrent.futures import FIRST_COMPLETED, wait

    from .._core.fork_server import forked_workers, is_compiling
    from .._core.shared_arrays import shared_value

    before = is_compiling()  # or this process would wait
    if before:
        meanwhile()
    # some alone, to know the pace
    tried, rest, pace = tasks[: 2 * n_workers], tasks[2 * n_workers :], np.inf
    with shared_value(work) as place, forked_workers(n_workers) as executor:
        waiting = {executor.submit(_computed_of, place, [task]) for task in tried}
        if not before:
            meanwhile()
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for one in done:
                found = one.result()
                yield from found
                pace = min(pace, *(seconds for _, _, seconds in found))
            for batch in _batches(rest, _tasks_at_once(pace, len(rest), n_workers)):
                waiting.add(executor.submit(_computed_of, place, batch))
            rest = []


def _computed_tasks(
    work: Work,
    tasks: list[Task],
    n_jobs: int | None,
    together: int,
    meanwhile: Callable[[], None],
) -> Iterator[Computed]:
    """As they are finished; so many are sent to a worker at once."""
    from joblib import delayed, effective_n_jobs

    from .._core.workers import closed_in_silence, joblib_parallel

    if effective_n_jobs(n_jobs) == 1 or len(tasks) < 2:
        while tasks:
            found = _timed_cells(work, tasks[:together])
            yield from found
            tasks = tasks[together:]
            together = _tasks_at_once(found[-1][2], len(tasks))
        return
    # all are given away at once: more workers than there are now may come
    each = joblib_parallel(
        n_jobs=n_jobs,
        batch_size=1,
        return_as="generator_unordered",
        pre_dispatch="all",
        mmap_mode="c",
    )
    found = each(delayed(_computed_there)(work, batch) for batch in _batches(tasks, together))
    with closed_in_silence(found):
        meanwhile()
        for some in found:
            yield from some


def found_in_folds(
    folds: Iterable[tuple[Any, ...]], n_jobs: int | None
) -> Iterator[collect.FoldFindings]:
    """What outer folds come to, in order; of each what `collect.found_in` takes."""
    from joblib import delayed, effective_n_jobs

    from .._core.workers import joblib_parallel

    if effective_n_jobs(n_jobs) == 1:
        yield from (collect.found_in(*fold) for fold in folds)
        return
    each = joblib_parallel(n_jobs=n_jobs, return_as="generator", pre_dispatch="2*n_jobs")
    yield from each(delayed(_decided_there)(*fold) for fold in folds)


def _timed_cells(work: Work, tasks: list[Task]) -> list[Computed]:
    """Tasks computed together; each is said to have taken its share of the seconds."""
    start = time.process_time()
    found = nested_cv.run_nested_folds(work.design, work.plan, tasks, work.study)
    seconds = round((time.process_time() - start) / len(tasks), 4)
    return [(task, cells, seconds) for task, cells in zip(tasks, found, strict=True)]


def _computed_there(work: Work, tasks: list[Task]) -> list[Computed]:
    """Tasks in a worker process."""
    cached_in_process("checked", repr((work.versions, work.code)), lambda: _check_alike(work), 1)
    with _one_at_a_time:
        return _timed_cells(work, tasks)


def _computed_of(place: str, tasks: list[Task]) -> list[Computed]:
    """Tasks in a process forked here."""
    from .._core.shared_arrays import taken_value

    return _computed_there(taken_value(place), tasks)


def _decided_there(*fold: Any) -> collect.FoldFindings:
    """Decisions on one outer fold in a worker process, on one thread as everywhere."""
    with _one_at_a_time, one_thread():
        return collect.found_in(*fold)


def _check_alike(work: Work) -> bool:
    """Refuse a worker whose results may be others: of another machine, say."""
    for name, version in library_versions().items():
        if version != work.versions[name]:
            raise PlanError(
                f"the worker on {node()} has {name} {version}, here is {work.versions[name]}: "
                "results depend on it, so bring the same to all"
            )
    for name, code in work.code.items():
        there = source_versions(own_named(name).given)
        # what was typed in, or is in the script that runs, was sent along
        if any(there.get(top) != code[top] for top in code if top != "__main__"):
            raise PlanError(
                f"the worker on {node()} has other code of {name!r} than is here: bring the same "
                "files to all, and start workers anew that have imported others"
            )
    return True

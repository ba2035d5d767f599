"""The tasks of a study, how many fits they are, and how long they take."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._core.errors import PlanError
from .._core.parts import Part, shares_of_equal_cost
from .._core.progress import Progress
from ..data.counted import counted_table
from .plan import Plan
from .prepare import check_methods, check_resampling
from .protocol import nested_cv
from .protocol.candidates import ranker_key
from .protocol.design import Design
from .protocol.methods import method_of
from .protocol.nested_cv import FINAL_FOLD, Task
from .protocol.resamples import APPARENT_FOLD, BOOTSTRAP_REPEAT
from .protocol.stability_split import COMPANION_REPEAT, observed_repeat

ALL_IMPORTED, ALL_COMPILED = 5.0, 60.0  # seconds of a first run that are its own for the most part
FIXED_SECONDS, WORKER_SECONDS = 3.5, 1.0  # seconds: reading, results and page; what workers cost
SECONDS_PER_VALUE = 2.5e-6  # seconds a value of the table for the descriptions of features
SECONDS_PER_COLUMN = 2e-5  # seconds a column of a table that counts its own values, for the same


def tasks_of(plan: Plan, design: Design) -> list[Task]:
    """Every task of a study: the study itself, its companion, the permuted runs, the model, and
    estimates beside the study's.

    All splits are drawn once here, so that an impossible one is reported before anything runs.
    """
    shown, rankers = (
        tuple(dict.fromkeys(ranker_key(m) for m in methods))
        for methods in (plan.method, plan.compared)
    )
    tasks = []
    runs: list[tuple[int, int | str]] = [(0, repeat) for repeat in range(plan.outer.repeats)]
    if plan.permutations and observed_repeat(plan, design.labels) == COMPANION_REPEAT:
        runs.append((0, COMPANION_REPEAT))
    runs += [(permutation, 0) for permutation in range(1, plan.permutations + 1)]
    for permutation, repeat in runs:
        if permutation:
            draw, folds = nested_cv.possible_draw(design, plan, permutation)
        else:
            draw, folds = 0, _outer_folds(plan, design, repeat)
        own = shown if permutation == 0 and repeat != COMPANION_REPEAT else rankers
        tasks += [Task(permutation, repeat, fold, own, draw) for fold in range(folds)]
    if plan.final:
        nothing = np.zeros(0, dtype=np.int64)
        nested_cv.inner_tests(design, plan, design.labels, nothing, (0, 0, FINAL_FOLD))
        tasks.append(Task(0, 0, FINAL_FOLD, rankers))
    if plan.bootstrap:
        draws = [nested_cv.possible_sample(design, plan, k) for k in range(plan.bootstrap.repeats)]
        tasks += [Task(0, BOOTSTRAP_REPEAT, k, rankers, draw) for k, draw in enumerate(draws)]
        tasks.append(Task(0, BOOTSTRAP_REPEAT, APPARENT_FOLD, rankers))
    if plan.learning_curve:
        outer = [t for t in tasks if nested_cv.is_of_study(t)]
        for share in plan.learning_curve.shares[:-1]:
            less = [replace(task, rankers=rankers, share=share) for task in outer]
            for task in less:
                nested_cv.check_share(design, plan, task)
            tasks += less
    return tasks


def _outer_folds(plan: Plan, design: Design, repeat: int | str) -> int:
    """Outer folds of a run on the true labels."""
    try:
        return len(nested_cv.splits_of(design, plan, 0, repeat))
    except PlanError as error:
        if repeat != COMPANION_REPEAT:
            raise
        raise PlanError(
            f"in the run that permuted labels are compared with, {error}; or set permutations = 0"
        ) from error


def count_fits(plan: Plan, design: Design, n_own: int, n_companion: int, n_beside: int = 0) -> int:
    """Classifier fits: candidates x (1 + inner folds) x outer training sets; of a reference that
    needs no inner folds one a training set.

    The study's own training sets and those of its companion runs may differ in inner folds;
    `n_beside` are those of estimates beside the study's, which have its own.
    """
    fits = _training_parts(plan, design, n_own, n_companion, n_beside)
    each = 1 + _inner_folds(plan, design, 0)
    total = sum(method_of(method).count() for method in plan.compared) * fits
    for reference in (method for method in plan.method if method.reference):
        own = 1 if nested_cv.fitted_alone(plan, ranker_key(reference)) else each
        total += own * (n_own - plan.final)  # the model of all rows is never a reference
    return total


def _training_parts(plan: Plan, design: Design, n_own: int, n_companion: int, n_beside: int) -> int:
    """Outer and inner training sets of so many tasks, see `count_fits`."""
    parts = (1 + _inner_folds(plan, design, 0)) * (n_own + n_beside)
    if n_companion:
        again = observed_repeat(plan, design.labels)
        parts += (1 + _inner_folds(plan, design, again)) * n_companion
    return parts


def _inner_folds(plan: Plan, design: Design, repeat: int | str) -> int:
    """Inner folds of the first outer training set of a run on the true labels."""
    test = nested_cv.outer_tests(design, plan, design.labels, 0, repeat)[0]
    return len(nested_cv.inner_tests(design, plan, design.labels, test, (0, repeat, 0)))


def task_costs(plan: Plan, design: Design, tasks: Sequence[Task]) -> list[int]:
    """What each task costs: its training sets, inner ones included, times its rankings."""
    folds = {False: _inner_folds(plan, design, 0)}
    if plan.permutations:
        folds[True] = _inner_folds(plan, design, observed_repeat(plan, design.labels))
    return [(1 + folds[_is_companion(task)]) * len(task.rankers) for task in tasks]


def tasks_of_part(plan: Plan, design: Design, tasks: Sequence[Task], part: Part) -> list[Task]:
    """The tasks of a part of a study, in their order."""
    shares = shares_of_equal_cost(task_costs(plan, design, tasks), part.count)
    return [tasks[k] for k in shares[part.number - 1]]


def _is_companion(task: Task) -> bool:
    return task.permutation > 0 or task.repeat == COMPANION_REPEAT


def task_counts(tasks: Sequence[Task]) -> tuple[int, int, int]:
    """How many of the tasks are of the study itself and its model, of permuted runs and the run
    they are compared with, and of estimates beside the study's."""
    beside = sum(nested_cv.is_resample(t) for t in tasks)
    companions = sum(map(_is_companion, tasks))
    return len(tasks) - companions - beside, companions, beside


def estimate_seconds(
    plan: Plan, design: Design, n_jobs: int, quiet: bool = True, part: Part | None = None
) -> tuple[int, int, float]:
    """(tasks, fits, seconds) of a study, or of a part of it; one outer fold, of the run with the
    fewest inner ones, is computed and thrown away to know the pace.

    What does not go with the folds (`FIXED_SECONDS` to `SECONDS_PER_COLUMN`) is what it took on one
    machine: of a study of seconds it is most.
    """
    from numba.core.event import install_recorder

    check_methods(plan, design)
    check_resampling(plan, design)
    short = plan.model_copy(update={"permutations": min(plan.permutations, 1)})
    tasks = tasks_of(short, design)
    one_run = sum(task.permutation == 1 for task in tasks)
    more = one_run * (plan.permutations - short.permutations)
    if part is not None:
        tasks, more = tasks_of_part(plan, design, tasks_of(plan, design), part), 0
        if not tasks:
            return 0, 0, FIXED_SECONDS
    n_own, n_companion, n_beside = task_counts(tasks)
    n_tasks = len(tasks) + more
    tried, elapsed = next((t for t in tasks if t.permutation), tasks[0]), 0.0
    label = "one outer fold, to know the pace"
    with install_recorder("numba:compile") as compiled, Progress(2, label, quiet) as progress:
        for _ in range(2):  # the first run may import for seconds, or compile for half a minute
            start = time.perf_counter()
            nested_cv.run_nested_fold(design, plan, tried)
            elapsed = time.perf_counter() - start
            progress.advance()
            if elapsed > (ALL_COMPILED if compiled.buffer else ALL_IMPORTED):
                break
    workers = min(n_jobs, n_tasks)
    counts = n_own, n_companion + more, n_beside
    fits = count_fits(plan, design, *counts)
    n, p = design.X.shape
    described = (
        SECONDS_PER_COLUMN * p if counted_table(design.X) is not None else SECONDS_PER_VALUE * n * p
    )
    described *= plan.describe and part is None
    beside = FIXED_SECONDS + WORKER_SECONDS * (workers > 1) + described
    own = (0, 1, 0) if tried.permutation else (1, 0, 0)
    elapsed *= _training_parts(plan, design, *counts) / _training_parts(plan, design, *own)
    return n_tasks, fits, elapsed / workers + beside

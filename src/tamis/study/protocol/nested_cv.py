"""Nested cross-validation, one outer training set at a time: all rankers still missing there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from ..._core.errors import PlanError
from ..._core.interfaces import Evidence
from ..._core.own_code import OwnCodeError
from ..._core.registry import find_row
from ..._core.rows import DecisionRow
from ..._core.threads import one_job, one_thread
from ..plan import MethodPlan, Plan
from .candidates import ranker_key
from .cellfile import Entry, encode_cell
from .design import Design
from .error_costs import Costs
from .fold import Fold, parts_of
from .methods import method_of
from .permuted_labels import permuted_codes
from .prepared import is_seen_alike, prepared_fold
from .resamples import (
    APPARENT_FOLD,
    BOOTSTRAP_REPEAT,
    Resample,
    bootstrap_sample,
    every_row,
    subsample_rest,
)
from .splits import Labels, check_batches, check_members, test_sets, training_rows
from .stability_split import COMPANION_REPEAT, possible_folds, splits_for

MAX_NAME_BYTES = 200  # bytes of a ranker's key as the name of a file
FINAL_FOLD = "final"  # the fold whose training set is every row


@dataclass(frozen=True)
class Task:
    """One outer fold of one repeat of one (possibly permuted) run.

    Attributes
    ----------
    permutation : int
        0 is the study itself; k > 0 the k-th run with permuted labels.
    repeat : int, "companion" or "bootstrap"
    fold : int or "final"; of the bootstrap a sample's number, or "apparent"
    rankers : tuple of str
        Keys of the rankings to compute.
    draw : int
        Which draw of permuted labels the run has, or which draw a bootstrap sample is; see
        `possible_draw` and `possible_sample`.
    share : float
        Of the samples of the outer training set that are learnt from.
    """

    permutation: int
    repeat: int | str
    fold: int | str
    rankers: tuple[str, ...]
    draw: int = 0
    share: float = 1.0

    @property
    def run(self) -> int | str:
        """The repeat, and the share of samples if it is not all of them."""
        return self.repeat if self.share == 1 else f"{self.repeat}-share-{self.share!r}"

    @property
    def words(self) -> str:
        """Which fold it is, for a message."""
        if self.fold == FINAL_FOLD:
            return "fit on all samples"
        if self.repeat == BOOTSTRAP_REPEAT:
            return "all samples" if self.fold == APPARENT_FOLD else f"bootstrap sample {self.fold}"
        run = f"permuted run {self.permutation}" if self.permutation else f"repeat {self.repeat}"
        part = "" if self.share == 1 else f", {self.share:.0%} of the training samples"
        return f"{run}, outer fold {self.fold}{part}"

    def path(self, ranker: str) -> str:
        """Where the cell of a ranker lives in the store."""
        name = re.sub(r'[\\/:*?"<>|]', "_", ranker)
        if name != ranker and ":" in ranker:  # names of blocks may differ in nothing else
            name = f"{name}-{blake2b(ranker.encode(), digest_size=8).hexdigest()}"
        if len(name.encode()) > MAX_NAME_BYTES:
            name = (
                f"{name[: MAX_NAME_BYTES // 2]}-{blake2b(name.encode(), digest_size=8).hexdigest()}"
            )
        return f"cells/{self.permutation}/{self.run}/{self.fold}-{name}.arrow"

    def place(self, study: str, ranker: str) -> str:
        """What the cell of a ranker is of, among all cells of all studies."""
        return f"{study} {self.path(ranker)}"


def is_of_study(task: Task) -> bool:
    """Whether a task is an outer fold of the study itself: true labels, no companion."""
    return collects_evidence(task) and task.fold != FINAL_FOLD


def collects_evidence(task: Task) -> bool:
    """The same, or the fit on all rows."""
    return task.permutation == 0 and isinstance(task.run, int)


def is_resample(task: Task) -> bool:
    """Whether a task is of an estimate beside the study's own: a bootstrap sample, or a part of a
    training set."""
    return task.repeat == BOOTSTRAP_REPEAT or task.share < 1


def methods_in(plan: Plan, task: Task) -> list[MethodPlan]:
    """The methods that a task computes: references stand beside the study's own folds alone."""
    return plan.method if is_of_study(task) else plan.compared


def labels_of(design: Design, plan: Plan, permutation: int, draw: int = 0) -> Labels:
    """Labels of a run: the true ones for permutation 0, else a draw of permuted ones."""
    labels = design.labels
    if permutation == 0:
        return labels
    seed, within = plan.seed, plan.outer.kind == "predefined"
    return labels.of_run(
        (seed, permutation, draw, within),
        lambda: permuted_codes(labels, seed, "permute", permutation, draw, within=within),
    )


def possible_draw(design: Design, plan: Plan, permutation: int) -> tuple[int, int]:
    """The first draw of permuted labels for which every split is possible, and its folds."""
    for draw in range(100):
        try:
            return draw, len(splits_of(design, plan, permutation, 0, draw))
        except PlanError:
            continue
    raise PlanError(
        "no permutation of the labels gives every training set every class: "
        "set permutations = 0 or use fewer folds"
    )


def outer_tests(
    design: Design, plan: Plan, labels: Labels, permutation: int, repeat: int | str
) -> list[np.ndarray]:
    """Rows that each outer fold of a run holds out; `labels` are the run's."""
    outer, _ = splits_for(plan, design.labels, permutation, repeat)
    return test_sets(labels, outer, "outer", plan.seed, permutation, repeat)


def splits_of(
    design: Design, plan: Plan, permutation: int, repeat: int | str, draw: int = 0
) -> list[tuple[np.ndarray, list[np.ndarray]]]:
    """(test rows, inner test rows) of every outer fold of a run; errors before anything runs."""
    labels = labels_of(design, plan, permutation, draw)
    folds = outer_tests(design, plan, labels, permutation, repeat)
    check_members(labels, folds, plan.members)
    return [
        (test, inner_tests(design, plan, labels, test, (permutation, repeat, fold)))
        for fold, test in enumerate(folds)
    ]


def inner_tests(
    design: Design,
    plan: Plan,
    labels: Labels,
    test: np.ndarray,
    key: tuple[int, int | str, int | str],
) -> list[np.ndarray]:
    """Rows that each inner fold of an outer training set holds out; `labels` are the run's."""
    permutation, repeat, _ = key
    _, how = splits_for(plan, design.labels, permutation, repeat)
    train, inner = training_rows(len(labels.y), test), labels.training_labels(test)
    if isinstance(repeat, str) and repeat != COMPANION_REPEAT:
        how = possible_folds(how, inner)
    folds = [
        held
        for again in range(how.repeats)
        for held in test_sets(inner, how, "inner", plan.seed, *key, again)
    ]
    check_members(inner, folds, plan.members)
    return [train[held] for held in folds]


def fold_of(design: Design, plan: Plan, task: Task) -> Fold:
    """The outer training set of a task, its inner parts, and what each predicts."""
    labels = labels_of(design, plan, task.permutation, task.draw)
    key = (task.permutation, task.run, task.fold)
    test = np.zeros(0, dtype=np.int64)
    if (sample := resample_of(design, plan, task)) is not None:
        design, test = sample.design(design), sample.test
        labels = design.labels
    elif task.fold != FINAL_FOLD:
        test = outer_tests(design, plan, labels, task.permutation, task.repeat)[int(task.fold)]
    train = training_rows(len(labels.y), test)
    tests = inner_tests(design, plan, labels, test, key)
    inside = np.ones((len(tests), len(labels.y)), dtype=bool)
    for own, held in zip(inside, tests, strict=True):
        own[held] = False
    rows = [train, *(train[own[train]] for own in inside)]
    parts = parts_of(design, labels.y, rows)
    seed, evident = plan.seed, collects_evidence(task)
    n_outputs = labels.response.n_outputs
    return Fold(design, labels.y, parts, [test, *tests], seed, key, n_outputs, evident)


def resample_of(design: Design, plan: Plan, task: Task) -> Resample | None:
    """What a task learns from and predicts, if that is no outer fold."""
    if task.share < 1:
        test = outer_tests(design, plan, design.labels, 0, task.repeat)[int(task.fold)]
        where = (task.repeat, task.fold)
        return subsample_rest(design.labels, test, task.share, plan.seed, *where)
    if task.repeat != BOOTSTRAP_REPEAT:
        return None
    if task.fold == APPARENT_FOLD:
        return every_row(design.labels)
    return bootstrap_sample(design.labels, plan.seed, task.fold, task.draw)


def numbered_rows(
    design: Design, plan: Plan, task: Task, codes: Mapping[tuple[int, int], np.ndarray]
) -> tuple[np.ndarray, Costs | None, np.ndarray | None, np.ndarray | None]:
    """What is learnt of the rows that a task's cells number (class codes, or values), their costs
    and groups, and which rows of the table they are (None: all). `codes` are those of all rows by
    permutation and draw."""
    response = design.labels.response
    sample = resample_of(design, plan, task)
    if sample is None:
        y = response.learnt(codes[task.permutation, task.draw])
        return y, design.costs, design.labels.groups, None
    labels = sample.labels(design.labels)
    return labels.learnt, sample.costs(design.costs), labels.groups, sample.rows


def possible_sample(design: Design, plan: Plan, number: int) -> int:
    """The first draw of a bootstrap sample for which every split is possible."""
    reason = ""
    for draw in range(100):
        try:
            sample = bootstrap_sample(design.labels, plan.seed, number, draw)
            check_resample(design, plan, sample, (0, BOOTSTRAP_REPEAT, number))
        except PlanError as error:
            reason = reason or str(error)
            continue
        return draw
    raise PlanError(f"[bootstrap]: no bootstrap sample of these samples can be studied ({reason})")


def check_share(design: Design, plan: Plan, task: Task) -> None:
    """Refuse a share of a training set that cannot be studied."""
    try:
        sample = resample_of(design, plan, task)
        assert sample is not None
        check_resample(design, plan, sample, (0, task.run, task.fold))
    except PlanError as error:
        raise PlanError(
            f"learning_curve.shares: with {task.share:g} of them, {error}; or use larger shares"
        ) from error


def check_resample(
    design: Design, plan: Plan, sample: Resample, key: tuple[int, int | str, int | str]
) -> None:
    """Refuse a resample that has no inner folds, or too little of a class or batch."""
    labels, held = sample.labels(design.labels), [sample.test]
    check_members(labels, held, plan.members)
    check_batches(labels, held, "outer")
    inner_tests(replace(design, labels=labels), plan, labels, sample.test, key)


def all_rows_fold(
    design: Design,
    plan: Plan,
    method: MethodPlan,
    rows: np.ndarray | None = None,
    number: int | str = FINAL_FOLD,
) -> Fold:
    """Every row as one training set, for the refit of a method; streams are the final fold's. Or
    the rows, and streams, of an outer fold of the first repeat."""
    rows = np.arange(len(design.labels.y)) if rows is None else rows
    parts = parts_of(design, design.labels.y, [rows])
    key = (0, 0, number)
    nothing, n_outputs = np.zeros(0, dtype=np.int64), design.labels.response.n_outputs
    fold = Fold(design, design.labels.y, parts, [nothing], plan.seed, key, n_outputs)
    return prepared_fold(fold, method.prepare, method.blocks)


def fitted_alone(plan: Plan, key: str) -> bool:
    """Whether the methods of a ranking need no inner part: nothing is chosen for them, and their
    decisions learn nothing."""
    return all(
        method.reference
        and not find_row(decide.name, DecisionRow).build(decide.parameters).learns
        and plan.recalibration_of(method) is None
        and plan.rejection_of(method) is None
        for method, decide in ((m, plan.decision_of(m)) for m in plan.method)
        if ranker_key(method) == key
    )


def run_nested_fold(design: Design, plan: Plan, task: Task, study: str = "") -> dict[str, bytes]:
    """The cells of one task, see `run_nested_folds`."""
    return run_nested_folds(design, plan, [task], study)[0]


def run_nested_folds(
    design: Design, plan: Plan, tasks: Sequence[Task], study: str = ""
) -> list[dict[str, bytes]]:
    """The cells of tasks of a study, as Arrow files in memory. They do not depend on which tasks
    are computed together.

    One thread throughout: the sums of a multi-threaded BLAS depend on the number of
    threads, and the cells themselves run in parallel. What scikit-learn gets is checked already.
    """
    import scipy.linalg  # noqa: F401  its BLAS is to be among those that get one thread

    checked: AbstractContextManager[Any] = nullcontext()
    if plan.uses_sklearn:
        from sklearn import config_context

        checked = config_context(assume_finite=True, skip_parameter_validation=True)
    with checked, one_thread(), one_job():
        folds = [fold_of(design, plan, task) for task in tasks]
        rankings = _ranked_together(plan, tasks, folds)
        return [
            _cells_of(plan, task, fold, own, study)
            for task, fold, own in zip(tasks, folds, rankings, strict=True)
        ]


def _methods_by_ranker(plan: Plan, task: Task) -> dict[str, list[MethodPlan]]:
    """The methods that a task computes, by the key of their ranker."""
    groups: dict[str, list[MethodPlan]] = {}
    for method in methods_in(plan, task):
        groups.setdefault(ranker_key(method), []).append(method)
    return groups


def _ranked_together(
    plan: Plan, tasks: Sequence[Task], folds: Sequence[Fold]
) -> list[dict[str, Any]]:
    """What methods share on each fold (`Method.shared`), by ranker, of those that find it for many
    folds of a table at once."""
    found: list[dict[str, Any]] = [{} for _ in tasks]
    groups: dict[tuple[str, int], tuple[list[MethodPlan], list[int]]] = {}
    for at, (task, fold) in enumerate(zip(tasks, folds, strict=True)):
        for key, plans in _methods_by_ranker(plan, task).items():
            changed = plans[0].prepare or plans[0].blocks or not is_seen_alike(fold.design)
            if key in task.rankers and not changed and not fitted_alone(plan, key):
                groups.setdefault((key, id(fold.design)), (plans, []))[1].append(at)
    for (key, _), (plans, places) in groups.items():
        shared = method_of(plans[0]).shared_by_folds([folds[at] for at in places], plans)
        for at, one in zip(places, shared or (), strict=False):
            found[at][key] = one
    return found


def _cells_of(
    plan: Plan, task: Task, fold: Fold, rankings: Mapping[str, Any], study: str
) -> dict[str, bytes]:
    """The cells of a task; some rankings are known."""
    groups = _methods_by_ranker(plan, task)
    seen: dict[str, Fold] = {}
    found = {}
    for key in task.rankers:
        first = groups[key][0]
        alone = fitted_alone(plan, key)
        name = repr((first.blocks, first.prepare, alone))
        if name not in seen:  # one prepared table at a time
            unprepared = fold.outer_part() if alone else fold
            seen = {name: prepared_fold(unprepared, first.prepare, first.blocks)}
        try:
            found[key] = _one_cell(
                seen[name], groups[key], task.place(study, key), rankings.get(key)
            )
        except OwnCodeError as error:
            raise error.at(f"method {first.name!r}, {task.words}") from None
    return found


def _one_cell(fold: Fold, plans: Sequence[MethodPlan], place: str, shared: Any = None) -> bytes:
    """One cell: every candidate of every method on one ranking, which may be known."""
    methods = [method_of(plan) for plan in plans]
    if shared is None:  # rank once for the sizes of all of them
        shared = methods[0].shared(fold, plans)
    entries = []
    for method in methods:
        offered, found = method.outcomes(fold, shared)
        for index, candidate in enumerate(offered):
            outcomes = [part[index] for part in found]
            entries.append(Entry.of(method.plan.name, index, candidate, outcomes))
    evidence = methods[0].evidence(fold, shared) if fold.collects_evidence else ()
    # one report shows the content of all rows, the terms of every fold
    if fold.key[-1] != FINAL_FOLD:
        evidence = [Evidence(e.kind, {}, e.terms) for e in evidence]
    return encode_cell(entries, fold.tests, evidence, place)

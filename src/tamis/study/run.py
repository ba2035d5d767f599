"""`run_study`: from a data set and a plan to a finished result folder."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from .._core.errors import PlanError, StoreError, listing, plural, printable_lines
from .._core.files import write_json, write_text
from .._core.own_code import OwnCodeError
from .._core.own_source import sources
from .._core.progress import Progress
from .._core.threads import one_job, one_thread
from .._core.versions import versions
from ..data.counted import counted
from ..data.dataset import Dataset
from ..data.walks import missing_values
from ..model.file import save_model
from .plan import MethodPlan, Plan
from .prepare import check_methods, check_resampling, prepare_study
from .protocol import cells
from .protocol.cellfile import Cell, decode_cell, is_cell_of
from .protocol.cells import FINAL, Task
from .protocol.companion import COMPANION, companion_splits, observed_repeat
from .protocol.design import Design
from .protocol.eligible_features import eligible_features
from .protocol.error_costs import without_columns
from .protocol.methods import method_of
from .protocol.outcomes import ranker_key
from .protocol.resamples import APPARENT, BOOTSTRAP
from .results import (
    bootstrap,
    cautions,
    collect,
    features,
    final,
    learning_curve,
    prose,
    summary,
    tables,
)
from .results.cost_results import costs_entry
from .results.created import with_created
from .results.evidence import evidence_entries
from .results.filtered_pairs import filtered_pairs
from .results.first_screen import batches_count
from .results.missing_classes import missing_p, missing_section
from .results.places import places_section, tells_places
from .results.plan_schema import PlanContent
from .results.result import StudyResult
from .results.schema import SCHEMA, DataSection, StudyContent, StudyFindings, Warned
from .store import Store, study_mark
from .workers import Work, computed_cells, found_in_folds

TRACE = "own_code_error.txt"  # the traceback of code of the user's own
ALL_IMPORTED, ALL_COMPILED = 5.0, 60.0  # seconds of a first run that are its own for the most part
AROUND, WORKERS = 4.0, 4.0  # seconds: reading, results and page; starting processes
DESCRIBED = 2.5e-6  # seconds a value of the table for the descriptions of features
LISTED = 2e-5  # seconds a column of a table that counts its own values, for the same


def tasks_of(plan: Plan, design: Design) -> list[Task]:
    """Every task of a study: the study itself, its companion, the permuted runs, the model, and
    estimates beside the study's.

    All splits are drawn once here, so that an impossible one is told before anything runs.
    """
    shown, rankers = (
        tuple(dict.fromkeys(ranker_key(m) for m in methods))
        for methods in (plan.method, plan.compared)
    )
    tasks = []
    runs: list[tuple[int, int | str]] = [(0, repeat) for repeat in range(plan.outer.repeats)]
    if plan.permutations and observed_repeat(plan, design.labels) == COMPANION:
        runs.append((0, COMPANION))
    runs += [(permutation, 0) for permutation in range(1, plan.permutations + 1)]
    for permutation, repeat in runs:
        if permutation:
            draw, folds = cells.possible_draw(design, plan, permutation)
        else:
            draw, folds = 0, _outer_folds(plan, design, repeat)
        own = shown if permutation == 0 and repeat != COMPANION else rankers
        tasks += [Task(permutation, repeat, fold, own, draw) for fold in range(folds)]
    if plan.final:
        nothing = np.zeros(0, dtype=np.int64)
        cells.inner_tests(design, plan, nothing, (0, 0, FINAL))
        tasks.append(Task(0, 0, FINAL, rankers))
    if plan.bootstrap:
        draws = [cells.possible_sample(design, plan, k) for k in range(plan.bootstrap.repeats)]
        tasks += [Task(0, BOOTSTRAP, k, rankers, draw) for k, draw in enumerate(draws)]
        tasks.append(Task(0, BOOTSTRAP, APPARENT, rankers))
    if plan.learning_curve:
        outer = [t for t in tasks if cells.is_of_study(t)]
        for share in plan.learning_curve.shares[:-1]:
            less = [replace(task, rankers=rankers, share=share) for task in outer]
            for task in less:
                cells.check_share(design, plan, task)
            tasks += less
    return tasks


def _outer_folds(plan: Plan, design: Design, repeat: int | str) -> int:
    """Outer folds of a run on the true labels."""
    try:
        return len(cells.splits_of(design, plan, 0, repeat))
    except PlanError as error:
        if repeat != COMPANION:
            raise
        raise PlanError(
            f"in the run that permuted labels are compared with, {error}; or set permutations = 0"
        ) from error


def count_fits(plan: Plan, design: Design, n_own: int, n_companion: int, n_beside: int = 0) -> int:
    """Classifier fits: candidates x (1 + inner folds) x outer training parts; of a reference that
    needs no inner folds one a training part.

    The study's own training parts and those of its companion runs may differ in inner folds;
    `n_beside` are those of estimates beside the study's, which have its own.
    """
    each = 1 + _inner_folds(plan, design, 0)
    fits = each * (n_own + n_beside)
    if n_companion:
        again = observed_repeat(plan, design.labels)
        fits += (1 + _inner_folds(plan, design, again)) * n_companion
    total = sum(method_of(method).count() for method in plan.compared) * fits
    for reference in (method for method in plan.method if method.reference):
        own = 1 if cells.fitted_alone(plan, ranker_key(reference)) else each
        total += own * (n_own - plan.final)  # the model of all rows is never a reference
    return total


def _inner_folds(plan: Plan, design: Design, repeat: int | str) -> int:
    """Inner folds of the first outer training part of a run on the true labels."""
    test = cells.outer_tests(design, plan, 0, repeat)[0]
    return len(cells.inner_tests(design, plan, test, (0, repeat, 0)))


def _task_counts(tasks: Sequence[Task]) -> tuple[int, int, int]:
    """How many of the tasks are of the study itself and its model, of permuted runs and the run
    they are compared with, and of estimates beside the study's."""
    beside = sum(cells.is_beside(t) for t in tasks)
    companions = sum(t.permutation > 0 or t.repeat == COMPANION for t in tasks)
    return len(tasks) - companions - beside, companions, beside


def estimate_seconds(
    plan: Plan, design: Design, n_jobs: int, quiet: bool = True
) -> tuple[int, int, float]:
    """(tasks, fits, seconds) of a study; one fold is run, and thrown away, to know the pace.

    What does not go with the folds (`AROUND` to `LISTED`) is what it took on one machine: of a
    study of seconds it is most.
    """
    from numba.core.event import install_recorder

    check_methods(plan, design)
    check_resampling(plan, design)
    short = plan.model_copy(update={"permutations": min(plan.permutations, 1)})
    tasks = tasks_of(short, design)
    one_run = sum(task.permutation == 1 for task in tasks)
    more = one_run * (plan.permutations - short.permutations)
    n_own, n_companion, n_beside = _task_counts(tasks)
    n_tasks = len(tasks) + more
    elapsed = 0.0
    label = "one training part, to know the pace"
    with install_recorder("numba:compile") as compiled, Progress(2, label, quiet) as progress:
        for _ in range(2):  # the first run may import for seconds, or compile for half a minute
            start = time.perf_counter()
            cells.compute_cells(design, plan, tasks[0])
            elapsed = time.perf_counter() - start
            progress.advance()
            if elapsed > (ALL_COMPILED if compiled.buffer else ALL_IMPORTED):
                break
    workers = min(n_jobs, n_tasks)
    fits = count_fits(plan, design, n_own, n_companion + more, n_beside)
    n, p = design.X.shape
    described = LISTED * p if counted(design.X) is not None else DESCRIBED * n * p
    beside = AROUND + WORKERS * (workers > 1) + described * plan.describe
    return n_tasks, fits, elapsed * n_tasks / workers + beside


def run_study(
    data: Dataset,
    plan: Plan | Mapping[str, Any] | None = None,
    out: str | Path = "tamis-study",
    *,
    methods: Sequence[MethodPlan | Mapping[str, Any]] = (),
    n_jobs: int | None = None,
    resume: bool = False,
    quiet: bool = True,
) -> StudyResult:
    """Run a study and write its result folder (the page: `tamis.report.write_report`).

    Parameters
    ----------
    data : Dataset
    plan : Plan, dict or None
        None: the default plan.
    out : path
        Result folder. It must be new, unless `resume`.
    methods : sequence of Method or dict
        In place of the plan's; their `select` and `classify` may be classes and objects with
        scikit-learn's manners (docs/own_code.md).
    n_jobs : int, default=None
        Worker processes, as in joblib (None: 1, or what `joblib.parallel_config` says).
        The result does not depend on it.
    resume : bool, default=False
        Continue the study in `out`. The plan, the data and the versions must be the same.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    StudyResult

    Raises
    ------
    PlanError, DataError, StoreError
        One line each; nothing has been overwritten.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.data import load_golub
    >>> from tamis.study import run_study
    >>> plan = {"method": [{"select": "moderated_t", "sizes": [20]}], "permutations": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = run_study(load_golub(), plan, folder + "/golub")
    >>> result.metrics["bcr"]["mean"] > 0.9
    True

    Estimators of one's own:

    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.neighbors import NearestCentroid
    >>> from tamis.study import Method
    >>> one = Method(select=SelectKBest(k=20), classify=NearestCentroid())
    >>> short = {"permutations": 0, "outer": {"folds": 3}, "inner": {"folds": 3}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = run_study(load_golub(), short, folder + "/own", methods=[one])
    >>> result.metrics["bcr"]["mean"] > 0.9
    True
    """
    if methods:
        given = plan if isinstance(plan, Mapping) else {}
        if isinstance(plan, Plan):
            given = {key: getattr(plan, key) for key in plan.model_fields_set}
        if given.get("method"):
            raise PlanError("both the plan and `methods` name methods: give them in one place")
        plan = Plan.resolve({**given, "method": list(methods)})
    with begin_study(data, plan, out, resume=resume) as study:
        return study.run(n_jobs, quiet)


@dataclass(frozen=True)
class PreparedStudy:
    """A study whose plan, splits and folder are in order, and that only has to run.

    In a `with`, at whose end others may work in its folder.
    """

    plan: Plan
    design: Design
    data: Dataset
    tasks: list[Task]
    store: Store
    about: dict[str, Any]
    remarks: tuple[str, ...] = ()

    def __enter__(self) -> PreparedStudy:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.release()

    @cached_property
    def mark(self) -> str:
        """What the cells are bound to, beside their places."""
        return study_mark(self.plan.model_dump(mode="json"), self.about)

    def run(self, n_jobs: int | None = None, quiet: bool = True) -> StudyResult:
        """Compute what is missing, and summarise."""
        try:
            _compute_cells(self, n_jobs, quiet)
            with one_thread():  # as in the cells
                context = _context_of(self, n_jobs, quiet)
                with one_job():
                    content = _write_results(self, context)
        except OwnCodeError as error:
            if not error.trace:
                raise
            place = self.store.folder / TRACE
            write_text(place, printable_lines(error.trace))
            told = f"{error}; its traceback is in {str(place)!r}"
            raise OwnCodeError(told, error.trace) from None
        self.store.log(event="done")
        return StudyResult(content, self.store.folder)


def begin_study(
    data: Dataset,
    plan: Plan | Mapping[str, Any] | None = None,
    out: str | Path = "tamis-study",
    *,
    resume: bool = False,
) -> PreparedStudy:
    """Check everything that can be wrong before the first fit, and claim the folder."""
    plan, design, remarks = prepare_study(data, plan)
    learnt = data  # what cells depend on
    if design.costs is not None:
        data = without_columns(data, design.costs.columns)
        learnt = learnt if plan.learns_costs else data
    check_methods(plan, design)
    check_resampling(plan, design)
    tasks = tasks_of(plan, design)
    about = {"digest": learnt.digest(), "versions": versions(), **_about_data(data)}
    about["notes"] += remarks
    code = {own.name: sources(own.given) for m in plan.method for own in m.own}
    if code:
        about["code"] = code
    defaults = Plan().model_dump(mode="json")
    with ExitStack() as stack:
        store = stack.enter_context(Store(out))
        remarks += store.begin(plan.model_dump(mode="json"), about, resume, defaults)
        study = PreparedStudy(plan, design, data, tasks, store, about, tuple(remarks))
        if resume:
            study = replace(study, remarks=(*remarks, *_without_damaged(study)))
            _forget_uncrossed(study)
        stack.pop_all()
    return study


def _without_damaged(study: PreparedStudy) -> Iterator[str]:
    """Delete cells whose bytes are not those that were written for their place, and say so."""
    store = study.store
    there = [(t, key) for t in study.tasks for key in t.rankers if store.has(t.path(key))]
    lost = [
        task.path(key)
        for task, key in there
        if not is_cell_of(store.get(task.path(key)), task.place(study.mark, key))
    ]
    for path in lost:
        store.remove(path)
    if lost:
        yield (
            f"{plural(len(lost), 'file')} of {store.quoted} {'was' if len(lost) == 1 else 'were'} "
            f"damaged, of another fold or study, or of an earlier version ({listing(lost, 2)}): "
            "computed anew; look at the disk"
        )


def _forget_uncrossed(study: PreparedStudy) -> None:
    """Delete cells of references that have no inner folds, if a new decision learns from these."""
    chosen = {ranker_key(method) for method in study.plan.compared}
    keys = {ranker_key(method) for method in study.plan.method} - chosen
    learning = [key for key in keys if not cells.fitted_alone(study.plan, key)]
    for task in filter(cells.is_of_study, study.tasks):
        for path in map(task.path, learning):
            if study.store.has(path) and len(decode_cell(study.store.get(path)).tests) == 1:
                study.store.remove(path)


def _about_data(data: Dataset) -> dict[str, Any]:
    codes = data.codes
    return {
        "name": data.name,
        "n_samples": data.shape[0],
        "n_features": len(data.ranked),
        "target": data.target,
        "classes": list(data.classes),
        "counts": {name: int(np.sum(codes == k)) for k, name in enumerate(data.classes)},
        "n_missing": missing_values(data.X),
        "n_categorical": len(data.levels),
        "n_groups": None if data.groups is None else len(np.unique(data.groups)),
        "covariates": [data.feature_names[j] for j in data.covariates],
        "notes": list(data.notes),
        **({} if data.batches is None else {"n_batches": len(np.unique(data.batches))}),
        **({"blocks": {k: len(v) for k, v in data.blocks.items()}} if data.blocks else {}),
    }


def _compute_cells(study: PreparedStudy, n_jobs: int | None, quiet: bool) -> None:
    """Run what is missing; each cell is on the disk before the next result is looked at."""
    store, about = study.store, study.about
    open_tasks = []
    for task in study.tasks:
        missing = tuple(key for key in task.rankers if not store.has(task.path(key)))
        if missing:
            open_tasks.append(replace(task, rankers=missing))
    store.log(event="begin", tasks=len(study.tasks), open=len(open_tasks))
    work = Work(study.design, study.plan, about["versions"], about.get("code", {}), study.mark)
    with Progress(len(open_tasks), "study", quiet) as progress:
        for task, found, seconds in computed_cells(work, open_tasks, n_jobs):
            for key, content in found.items():
                store.put(task.path(key), content)
            store.log(event="cells", at=[task.permutation, task.run, task.fold], cpu=seconds)
            progress.advance()


def _read_cell(study: PreparedStudy, task: Task, ranker: str) -> Cell:
    path = task.path(ranker)
    content = study.store.get(path)
    if not is_cell_of(content, task.place(study.mark, ranker)):
        raise StoreError(
            f"{str(study.store.folder / path)!r} is damaged, or of another fold or study: delete "
            "it and run again with --resume"
        )
    return decode_cell(content)


def _decided_folds(
    study: PreparedStudy,
    labels: Mapping[tuple[int, int], np.ndarray],
    n_jobs: int | None,
    quiet: bool,
) -> Iterator[collect.FoldFindings]:
    """What every outer fold comes to, in order. Decisions that learn take time, and workers."""
    plan, tasks, costs = study.plan, study.tasks, study.design.costs
    learns = any(collect.decision_of(plan, m, costs).learns for m in plan.method)
    read = ({key: _read_cell(study, t, key) for key in t.rankers} for t in tasks)
    work = (
        (plan, task, cells_read, *cells.numbered_rows(study.design, plan, task, labels))
        for task, cells_read in zip(tasks, read, strict=True)
    )
    if not learns:
        yield from (collect.found_in(*one) for one in work)
        return
    with Progress(len(tasks), "decisions", quiet) as progress:
        for one in found_in_folds(work, n_jobs):
            progress.advance()
            yield one


def _context_of(study: PreparedStudy, n_jobs: int | None, quiet: bool) -> summary.Context:
    """Read the cells, and decide."""
    plan, design, tasks = study.plan, study.design, study.tasks
    observed = observed_repeat(plan, design.labels)
    runs = dict.fromkeys((t.permutation, t.draw) for t in tasks if not cells.is_beside(t))
    labels = {run: cells.labels_of(design, plan, *run).y for run in runs}
    decided = _decided_folds(study, labels, n_jobs, quiet)
    collected = collect.collect_choices(plan, decided, observed)
    by_run = {permutation: codes for (permutation, _), codes in labels.items()}
    possible = {m.name: eligible_features(m, design) for m in plan.method}
    return summary.Context(plan, design.labels, by_run, collected, possible, design.costs)


def _write_results(study: PreparedStudy, context: summary.Context) -> StudyContent:
    """Write results.json, the tables and the model."""
    plan, design, data, tasks, store = (
        study.plan, study.design, study.data, study.tasks, study.store,
    )  # fmt: skip
    about, collected = study.about, context.collected
    fits = count_fits(plan, design, *_task_counts(tasks))
    companion, _ = companion_splits(plan, design.labels)
    shown = with_created(data, design, plan)
    table = features.feature_table(collected, shown.shape[1])
    unlike = missing_p(data) if about["n_missing"] else None
    found: StudyFindings = {
        "schema": SCHEMA,
        "versions": about["versions"],
        "data": cast(DataSection, {k: v for k, v in about.items() if k != "versions"}),
        "plan": cast(PlanContent, plan.model_dump(mode="json")),
        "protocol": prose.protocol_entry(plan, data, fits),
        **summary.summarise_choices(context, companion),
        "features": features.describe_features(shown, table, plan.describe, unlike),
        "n_selected": int((table.headline > 0).sum()),
        "final": final.final_entry(collected.final, plan, shown),
    }
    if plan.bootstrap:
        found["bootstrap"] = bootstrap.bootstrap_entry(context)
    if plan.learning_curve:
        found["learning_curve"] = learning_curve.learning_curve_entry(context)
    if design.costs is not None:
        judged = context.held_out(collected.headline).rows
        found["costs"] = costs_entry(design.costs, design.labels, judged)
    if tells_places(data):
        found["places"] = places_section(shown, table)
    if unlike is not None:
        found["missing_by_class"] = missing_section(plan, collected, unlike)
    if pairs := filtered_pairs(context, design):
        found["filtered"] = pairs
    if shown.blocks:
        found["headline"]["blocks"] = features.block_shares(shown, collected)
    told = batches_count(found["data"], found["permutation"])
    for entry in found["methods"]:
        entry.update(evidence_entries(entry["name"], context, shown))
        entry["warnings"] = cautions.method_codes(entry, data, told)
    citations = prose.cited_references(plan)
    unsaved = _save_winner(study, collected.final)
    if unsaved and found["final"]:
        found["final"]["path"] = ""
    content: StudyContent = {
        **found,
        "warnings": [
            *unsaved,
            *cautions.study_cautions(plan, data, collected, found, design.costs),
        ],
        "methods_text": prose.methods_text(plan, data, citations, companion),
        "citations": citations,
        "tables": [{"file": f"tables/{k}", "title": v} for k, v in tables.TITLES.items()],
    }
    store.require_place()
    for name, text in tables.study_tables(shown, collected, table, content).items():
        write_text(store.folder / "tables" / name, text)
    write_json(store.folder / "results.json", content)
    return content


def _save_winner(study: PreparedStudy, chosen: collect.Choice | None) -> list[Warned]:
    """Fit the winner to all rows and save it; what is to be said if it cannot be saved."""
    if chosen is None:
        return []
    method = next(m for m in study.plan.method if m.name == chosen.method)
    fitted = final.refit_winner(study.design, study.data, study.plan, method, chosen)
    try:
        save_model(fitted, study.store.folder / "model.skops")
    except OwnCodeError as error:
        text = f"no final model was saved: {error}"
        return [{"code": "model-not-saved", "text": text}]
    return []

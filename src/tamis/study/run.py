"""`run_study`: from a data set and a plan to a finished result folder."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any, Unpack, cast

import numpy as np

from .._core.errors import (
    ModelError,
    StoreError,
    counted_noun,
    listed_names,
)
from .._core.files import write_json, write_text
from .._core.own_code import OwnCodeError
from .._core.own_source import source_versions
from .._core.parts import PART_NAME
from .._core.progress import Progress
from .._core.result_folder import IfExists
from .._core.seal import is_of_place
from .._core.threads import one_job, one_thread
from ..data.dataset import Dataset
from ..data.in_memory import ReadingArguments, refuse_unknown
from ..data.labels import labels_in
from ..model.file import save_model
from ..model.model import Model
from .leak_warnings import leak_warnings
from .plan import MethodPlan, Plan
from .prepare import check_methods, check_resampling, given_study, prepare_study
from .protocol import nested_cv
from .protocol.candidates import ranker_key
from .protocol.cellfile import Cell, decode_cell
from .protocol.design import Design
from .protocol.eligible_features import eligible_features
from .protocol.error_costs import without_columns
from .protocol.nested_cv import Task
from .protocol.stability_split import companion_splits, observed_repeat
from .results import (
    bootstrap,
    collect,
    features,
    final,
    held_out_models,
    learning_curve,
    prose,
    summary,
    tables,
)
from .results.candidates import decision_of
from .results.cost_results import costs_entry
from .results.created import with_created
from .results.evidence import evidence_entries
from .results.feature_table import feature_table
from .results.filtered_pairs import filtered_pairs
from .results.first_screen import batches_count
from .results.missing_classes import missing_p, missing_section
from .results.outcomes import OUTCOMES
from .results.places import places_section, tells_places
from .results.plan_schema import PlanContent
from .results.result import StudyResult
from .results.schema import (
    MODEL_NAME,
    SCHEMA,
    DataSection,
    StudyContent,
    StudyFindings,
    StudyRecord,
    Warned,
)
from .store import TABLE_TITLES, Store, parts_to_join, study_mark
from .study_record import study_record
from .tasks import count_fits, task_counts, tasks_of
from .workers import Work, computed_cells, found_in_folds, make_ready

RunLabels = Mapping[tuple[int, int], np.ndarray]  # class codes of all rows, by permutation and draw
Decided = dict[Task, collect.FoldFindings]


def run_study(
    data: Any,
    plan: Plan | Mapping[str, object] | str | Path | None = None,
    out: str | Path = "tamis-study",
    *,
    target: Any = None,
    allow: str | Sequence[str] = (),
    methods: Sequence[MethodPlan | Mapping[str, object]] = (),
    n_jobs: int | None = None,
    if_exists: IfExists = "refuse",
    quiet: bool = True,
    **reading: Unpack[ReadingArguments],
) -> StudyResult:
    """Run a study and write its result folder (the page: `StudyResult.write_report`).

    Parameters
    ----------
    data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
        As `tamis.data.as_dataset` takes it.
    plan : Plan, dict, path or None
        A path: a TOML file, or the name of a ready plan. None: the default plan.
    out : path
        Result folder.
    target : str or array of shape (n_samples,), optional
        The column of the class, or the labels, where `data` is no Dataset.
    allow : str or sequence of str
        Columns that look like leaks and are meant (docs/leaks.md), beside those of the plan;
        and those in which different spellings are different values (`read_table`).
    methods : sequence of Method or dict
        In place of the plan's; their `select` and `classify` may be classes and objects with
        scikit-learn's manners (docs/own_code.md).
    n_jobs : int, default=None
        Worker processes, as in joblib (None: 1, or what `joblib.parallel_config` says).
        The result does not depend on it.
    if_exists : {"refuse", "resume", "overwrite"}
        What to do where `out` holds a study: refuse to begin; continue it (the plan, the data and
        the versions must be the same); or delete it first. Anything else is always refused.
    quiet : bool, default=True
        No progress on stderr.
    **reading
        Further arguments of `tamis.data.as_dataset`: `group`, `drop`, `positive` and others.

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

    A data frame:

    >>> import pandas as pd
    >>> golub = load_golub()
    >>> frame = pd.DataFrame(golub.X, golub.sample_names, golub.feature_names)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = run_study(frame, plan, folder + "/frame", target=golub.y, drop="AFFX*")
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
    refuse_unknown("run_study", reading, signature(run_study).parameters)
    plan, data = given_study(data, plan, target, allow, methods, n_jobs, reading)
    with begin_study(data, plan, out, if_exists=if_exists) as study:
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
    about: StudyRecord
    remarks: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    parts: Sequence[Store] = ()

    def __enter__(self) -> PreparedStudy:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.release()

    @cached_property
    def mark(self) -> str:
        """What the cells are bound to, beside their places."""
        return study_mark(self.plan.model_dump(mode="json"), self.about)

    def run(
        self,
        n_jobs: int | None = None,
        quiet: bool = True,
        meanwhile: Callable[[], None] = make_ready,
    ) -> StudyResult:
        """Compute what is missing, and summarise; `meanwhile` is done while workers compute."""
        with self.store.own_code_traced():
            labels = _labels_of_runs(self)
            with one_thread():  # as in the cells
                decided = compute_cells(self, labels, n_jobs, quiet, meanwhile)
                context = _context_of(self, labels, decided, n_jobs, quiet)
                with one_job():
                    content = _write_results(self, context, quiet)
        with contextlib.suppress(FileNotFoundError):  # it is a part no more
            self.store.inside(PART_NAME).unlink()
        self.store.log(event="done")
        return StudyResult(content, self.store.folder)


def begin_study(
    data: Dataset,
    plan: Plan | Mapping[str, object] | None = None,
    out: str | Path = "tamis-study",
    *,
    if_exists: IfExists = "refuse",
    parts: Sequence[str | Path] = (),
) -> PreparedStudy:
    """Check everything that can be wrong before the first fit, and claim the folder.

    `parts` are folders whose training sets are to be joined (`tamis.study.parts`).
    """
    plan, design, remarks = prepare_study(data, plan)
    learnt = data  # what cells depend on
    if design.costs is not None:
        data = without_columns(data, design.costs.columns)
        learnt = learnt if plan.learns_costs else data
    check_methods(plan, design)
    check_resampling(plan, design)
    suspects = tuple(leak_warnings(data, plan))
    tasks = tasks_of(plan, design)
    digest, values = learnt.digests()
    about = study_record(data, digest, values)
    about["notes"] += remarks
    code = {own.name: source_versions(own.given) for m in plan.method for own in m.own}
    if code:
        about["code"] = code
    with ExitStack() as stack:
        record = plan.model_dump(mode="json")
        joined = parts_to_join(parts, record, about, out)
        store = stack.enter_context(Store(out))
        remarks += [f"may be a leak: {text}" for text in suspects]
        remarks += store.begin(record, about, if_exists)
        study = PreparedStudy(
            plan, design, data, tasks, store, about, tuple(remarks), suspects, joined
        )
        if if_exists == "resume":
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
        if not is_of_place(store.get(task.path(key)), task.place(study.mark, key))
    ]
    for path in lost:
        store.remove(path)
    if lost:
        yield (
            f"{counted_noun(len(lost), 'file')} of {store.quoted} "
            f"{'was' if len(lost) == 1 else 'were'} damaged, or of another fold or study "
            f"({listed_names(lost, 2)}): computed anew; look at the disk"
        )


def _forget_uncrossed(study: PreparedStudy) -> None:
    """Delete cells of references that have no inner folds, if a new decision learns from these."""
    chosen = {ranker_key(method) for method in study.plan.compared}
    keys = {ranker_key(method) for method in study.plan.method} - chosen
    learning = [key for key in keys if not nested_cv.fitted_alone(study.plan, key)]
    for task in filter(nested_cv.is_of_study, study.tasks):
        for path in map(task.path, learning):
            if study.store.has(path) and len(decode_cell(study.store.get(path)).tests) == 1:
                study.store.remove(path)


def compute_cells(
    study: PreparedStudy,
    labels: RunLabels | None,
    n_jobs: int | None,
    quiet: bool,
    meanwhile: Callable[[], None] = make_ready,
) -> Decided:
    """Run what is missing; each cell is on the disk before the next result is looked at.

    What folds come to is found meanwhile, unless it is found by workers, or nobody wants to know
    (`labels` is None).
    """
    store, about = study.store, study.about
    open_tasks = []
    for task in study.tasks:
        missing = tuple(key for key in task.rankers if not store.has(task.path(key)))
        if missing:
            open_tasks.append(replace(task, rankers=missing))
    store.log(event="begin", tasks=len(study.tasks), open=len(open_tasks))
    work = Work(study.design, study.plan, about["versions"], about.get("code", {}), study.mark)
    decided: Decided = {}
    decides_here = labels is not None and not _decisions_learn(study)
    with Progress(len(open_tasks), "study", quiet) as progress:
        for task, found, seconds in computed_cells(work, open_tasks, n_jobs, meanwhile):
            for key, content in found.items():
                store.put(task.path(key), content, synced=False)  # it has a checksum
            store.log(event="cells", at=[task.permutation, task.run, task.fold], cpu=seconds)
            if decides_here and labels is not None:
                cells_read = {key: decode_cell(content) for key, content in found.items()}
                decided[task] = collect.found_in(*_to_decide(study, task, cells_read, labels))
            progress.advance()
    return decided


def _decisions_learn(study: PreparedStudy) -> bool:
    """Whether decisions learn: that takes time, and workers."""
    plan, costs = study.plan, study.design.costs
    return any(decision_of(plan, m, costs).learns for m in plan.method)


def _read_cell(study: PreparedStudy, task: Task, ranker: str) -> Cell:
    path = task.path(ranker)
    content = study.store.get(path)
    with contextlib.suppress(ValueError):
        if is_of_place(content, task.place(study.mark, ranker)):
            return decode_cell(content)
    raise StoreError(
        f"{str(study.store.folder / path)!r} is damaged, or of another fold or study: delete "
        "it and run again with --resume"
    )


def _to_decide(
    study: PreparedStudy, task: Task, cells_read: Mapping[str, Cell], labels: RunLabels
) -> tuple[Any, ...]:
    """What `collect.found_in` takes of a fold."""
    rows = nested_cv.numbered_rows(study.design, study.plan, task, labels)
    return study.plan, task, cells_read, *rows


def _decided_folds(
    study: PreparedStudy, labels: RunLabels, decided: Decided, n_jobs: int | None, quiet: bool
) -> Iterator[collect.FoldFindings]:
    """What every outer fold comes to, in order."""
    tasks = study.tasks
    work = (
        _to_decide(study, t, {key: _read_cell(study, t, key) for key in t.rankers}, labels)
        for t in tasks
        if t not in decided
    )
    if not _decisions_learn(study):
        for task in tasks:
            yield decided[task] if task in decided else collect.found_in(*next(work))
        return
    with Progress(len(tasks), "decisions", quiet) as progress:
        for one in found_in_folds(work, n_jobs):
            progress.advance()
            yield one


def _labels_of_runs(study: PreparedStudy) -> RunLabels:
    """Codes of all rows, by permutation and draw."""
    runs = dict.fromkeys(
        (t.permutation, t.draw) for t in study.tasks if not nested_cv.is_resample(t)
    )
    return {run: nested_cv.labels_of(study.design, study.plan, *run).y for run in runs}


def _context_of(
    study: PreparedStudy, labels: RunLabels, decided: Decided, n_jobs: int | None, quiet: bool
) -> summary.Context:
    """What all folds come to."""
    plan, design = study.plan, study.design
    observed = observed_repeat(plan, design.labels)
    found = _decided_folds(study, labels, decided, n_jobs, quiet)
    collected = collect.collect_choices(plan, found, observed)
    learnt = design.labels.response.learnt
    by_run = {permutation: learnt(codes) for (permutation, _), codes in labels.items()}
    possible = {m.name: eligible_features(m, design) for m in plan.method}
    found_context: summary.Context = OUTCOMES[plan.response].load("context")(
        plan,
        design.labels,
        by_run,
        collected,
        possible,
        design.costs,
        study.data.sample_names,
    )
    return found_context


def _write_results(study: PreparedStudy, context: summary.Context, quiet: bool) -> StudyContent:
    """Write results.json, the tables and the model."""
    plan, design, data, store = study.plan, study.design, study.data, study.store
    about, collected = study.about, context.collected
    fits = count_fits(plan, design, *task_counts(study.tasks))
    companion = companion_splits(plan, design.labels)
    shown = with_created(data, design, plan)
    table = feature_table(collected, shown.shape[1])
    unlike = missing_p(data) if about["n_missing"] and data.classes else None
    outcome = OUTCOMES[plan.response]
    fitted = _refit_winner(study, collected, quiet)
    found: StudyFindings = {
        "schema": SCHEMA,
        "versions": about["versions"],
        "data": cast(DataSection, {k: v for k, v in about.items() if k != "versions"}),
        "plan": cast(PlanContent, plan.model_dump(mode="json")),
        "protocol": prose.protocol_entry(plan, data, fits),
        **summary.summarise_choices(context, companion[0]),
        "features": features.describe_features(shown, table, plan.describe, unlike),
        "n_selected": int((table.headline > 0).sum()),
        "final": final.final_entry(collected.final, fitted, plan, shown),
    }
    if plan.bootstrap:
        found["bootstrap"] = bootstrap.bootstrap_entry(context)
    if plan.learning_curve:
        found["learning_curve"] = learning_curve.learning_curve_entry(context)
    if design.costs is not None:
        held = context.held_out(collected.headline)
        given = held.predicted >= 0
        found["costs"] = costs_entry(design.costs, design.labels, held.rows, given)
    if tells_places(data):
        found["places"] = places_section(shown, table)
    if unlike is not None:
        found["missing_by_class"] = missing_section(plan, collected, unlike)
    if pairs := filtered_pairs(context, design):
        found["filtered"] = pairs
    if shown.blocks:
        found["headline"]["blocks"] = features.block_shares(shown, collected)
    by_batch = batches_count(found["data"], found["permutation"])
    for entry in found["methods"]:
        entry.update(evidence_entries(entry["name"], context, shown))
        entry["warnings"] = outcome.load("method_codes")(entry, data, by_batch)
    citations = prose.cited_references(plan, data)
    unsaved = _save_winner(study, fitted)
    if unsaved and found["final"]:
        found["final"]["path"] = ""
    content: StudyContent = {
        **found,
        "warnings": [
            *unsaved,
            *(Warned(code="possible-leak", text=f"{text}.") for text in study.suspects),
            *outcome.load("cautions")(plan, data, collected, found, design.costs),
        ],
        "methods_text": prose.methods_text(plan, data, citations, companion, design.costs),
        "citations": citations,
        "tables": [{"file": f"tables/{k}", "title": v} for k, v in TABLE_TITLES.items()],
    }
    if labels := labels_in(content, data.labels):
        content["labels"] = labels
    store.require_place()
    for name, text in tables.study_tables(shown, collected, table, content).items():
        write_text(store.inside(f"tables/{name}"), text)
    write_json(store.inside("results.json"), content)
    return content


def _refit_winner(study: PreparedStudy, collected: collect.Collected, quiet: bool) -> Model | None:
    """The winner, fitted to all rows, with prediction intervals if the plan has them."""
    chosen, made_of = collected.final, (study.design, study.data, study.plan)
    if chosen is None:
        return None
    method = next(m for m in study.plan.method if m.name == chosen.method)
    fitted = final.refit_winner(*made_of, method, chosen)
    if not study.plan.prediction_intervals:
        return fitted
    return held_out_models.with_intervals(fitted, *made_of, collected.headline, study.store, quiet)


def _save_winner(study: PreparedStudy, fitted: Model | None) -> list[Warned]:
    """Save the final model; what is to be said if it cannot be saved."""
    if fitted is None:
        return []
    try:
        save_model(fitted, study.store.inside(MODEL_NAME))
    except (OwnCodeError, ModelError) as error:
        text = f"no final model was saved: {error}"
        return [{"code": "model-not-saved", "text": text}]
    return []

"""A study in parts, for machines that share nothing but the table: each part computes some of the
training sets in a folder of its own, and joined they are the study that one run would have given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any, Unpack

from .._core.errors import PlanError, StoreError
from .._core.parts import Division, Part, PartResult, Unit, begin_part
from .._core.result_folder import IfExists
from .._core.threads import one_thread
from ..data.in_memory import ReadingArguments, refuse_unknown
from .plan import MethodPlan, Plan
from .prepare import given_study
from .results.result import StudyResult
from .run import PreparedStudy, begin_study, compute_cells
from .tasks import task_costs, tasks_of_part

UNIT_NOUN = "outer training set"


def run_part(
    data: Any,
    plan: Plan | Mapping[str, object] | str | Path | None = None,
    out: str | Path = "tamis-part",
    *,
    part: Part | str,
    target: Any = None,
    allow: str | Sequence[str] = (),
    methods: Sequence[MethodPlan | Mapping[str, object]] = (),
    n_jobs: int | None = None,
    if_exists: IfExists = "refuse",
    quiet: bool = True,
    **reading: Unpack[ReadingArguments],
) -> PartResult:
    """Compute one part of a study; `join_parts` makes the study of all.

    The parts have nearly the same cost. What is in a part depends on plan and data alone, so that
    parts can run at any time on any machine with the same versions.

    Parameters
    ----------
    data, plan, target, allow, methods, n_jobs, if_exists, quiet, **reading
        As of `run_study`.
    out : path
        Folder of the part.
    part : Part or str
        ``"3/10"`` is the third of ten.

    Returns
    -------
    PartResult

    Raises
    ------
    PlanError, DataError, StoreError
        One line each.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.data import load_golub
    >>> from tamis.study import join_parts, run_part
    >>> plan = {"permutations": 0, "outer": {"folds": 4}, "inner": {"folds": 3, "repeats": 1}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for k in (1, 2):
    ...         one = run_part(load_golub(), plan, f"{folder}/{k}", part=f"{k}/2")
    ...     result = join_parts(load_golub(), plan, f"{folder}/all", parts=[folder])
    >>> one.units, result.metrics["bcr"]["mean"] > 0.8
    (2, True)
    """
    part = Part.of(part)
    refuse_unknown("run_part", reading, signature(run_part).parameters)
    plan, data = given_study(data, plan, target, allow, methods, n_jobs, reading)
    with begin_study(data, plan, out, if_exists=if_exists) as study:
        return compute_part(study, part, n_jobs, quiet)


def join_parts(
    data: Any,
    plan: Plan | Mapping[str, object] | str | Path | None = None,
    out: str | Path = "tamis-study",
    *,
    parts: str | Path | Sequence[str | Path],
    target: Any = None,
    allow: str | Sequence[str] = (),
    methods: Sequence[MethodPlan | Mapping[str, object]] = (),
    n_jobs: int | None = None,
    if_exists: IfExists = "refuse",
    quiet: bool = True,
    **reading: Unpack[ReadingArguments],
) -> StudyResult:
    """The study whose parts are in these folders: its results are the same bytes as of one run.

    Parameters
    ----------
    data, plan, out, target, allow, methods, n_jobs, if_exists, quiet, **reading
        As of `run_study`.
    parts : path or sequence of path
        Folders that `run_part` wrote, or folders that those lie in.

    Returns
    -------
    StudyResult

    Raises
    ------
    StoreError
        A part is of another study, or a training set is missing or differs between parts. What is
        there has been copied to `out`: with ``if_exists="resume"`` joining goes on, and `run_study`
        computes what is missing.
    PlanError, DataError
        As of `run_study`.
    """
    folders = [parts] if isinstance(parts, str | Path) else list(parts)
    if not folders:
        raise PlanError("parts=[]: give the folders of the parts, or one that they lie in")
    refuse_unknown("join_parts", reading, signature(join_parts).parameters)
    plan, data = given_study(data, plan, target, allow, methods, n_jobs, reading)
    with begin_study(data, plan, out, if_exists=if_exists, parts=folders) as study:
        copy_parts(study)
        return study.run(n_jobs, quiet)


def division_of(study: PreparedStudy) -> Division:
    """The outer training sets of a study."""
    costs = task_costs(study.plan, study.design, study.tasks)
    units = [
        Unit(cost, [(task.path(key), task.place(study.mark, key)) for key in task.rankers])
        for cost, task in zip(costs, study.tasks, strict=True)
    ]
    advice = (
        "run the parts that lack them to their end with --part and --resume and join again with "
        f"--resume, or compute the rest in {study.store.quoted} with --resume alone"
    )
    return Division(UNIT_NOUN, units, advice)


def compute_part(
    study: PreparedStudy, part: Part, n_jobs: int | None = None, quiet: bool = True
) -> PartResult:
    """Compute what is missing of a part, in a folder that says which part it has.

    Raises
    ------
    StoreError
        The folder holds another part.
    """
    store = study.store
    if store.has("results.json"):
        raise StoreError(f"{store.quoted} holds a full study: choose another folder with --out")
    begin_part(store, part)
    own = tasks_of_part(study.plan, study.design, study.tasks, part)
    with store.own_code_traced(), one_thread():
        compute_cells(replace(study, tasks=own), None, n_jobs, quiet)
    store.log(event="part done")
    return PartResult(store.folder, part, len(own), len(study.tasks), UNIT_NOUN)


def copy_parts(study: PreparedStudy) -> None:
    """Copy the cells of all parts into the folder of the study.

    Raises
    ------
    StoreError
        One is missing, or differs between parts; what is there has been copied.
    """
    for _, path, content in division_of(study).joined([study.store, *study.parts]):
        if not study.store.has(path):
            study.store.put(path, content, synced=False)

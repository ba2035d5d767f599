"""A study in parts, for machines that share nothing but the table: each part computes some of the
training sets in a folder of its own, and joined they are the study that one run would have given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from pathlib import Path
from typing import Any, Unpack

from .._core.errors import PlanError, StoreError, counted_noun, listed_parts
from .._core.files import write_json
from .._core.first_screen import FirstScreen
from .._core.result_folder import IfExists
from .._core.threads import one_thread
from ..data.in_memory import ReadingArguments, refuse_unknown
from .part import PART_NAME, Part
from .plan import MethodPlan, Plan
from .prepare import given_study
from .protocol.cellfile import is_cell_of
from .protocol.nested_cv import Task
from .results.result import StudyResult
from .run import PreparedStudy, begin_study, compute_cells
from .store import part_in
from .tasks import task_costs


@dataclass(frozen=True, repr=False)
class PartResult(FirstScreen):
    """What a part of a study has computed.

    Attributes
    ----------
    folder : Path
    part : Part
    training_sets, of : int
        Outer training sets of the part, and of the study.
    """

    folder: Path
    part: Part
    training_sets: int
    of: int

    def to_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "part": self.part.number,
            "of": self.part.count,
            "folder": str(self.folder),
            "training_sets": self.training_sets,
            "training_sets_of_study": self.of,
        }

    def summary(self) -> str:
        """One line."""
        sets = f"{self.training_sets:,} of {counted_noun(self.of, 'outer training set')}"
        return f"part {self.part} in {str(self.folder)!r}: {sets}"


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
    >>> one.training_sets, result.metrics["bcr"]["mean"] > 0.8
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


def tasks_by_part(study: PreparedStudy, count: int) -> list[list[Task]]:
    """The tasks of each of so many parts, in the order of the study.

    The dearest task first, each goes to the part with the least so far: no part costs more than the
    mean and one task (Graham 1969, "Bounds on multiprocessing timing anomalies").
    """
    costs = task_costs(study.plan, study.design, study.tasks)
    load, part_of = [0] * count, [0] * len(costs)
    for k in sorted(range(len(costs)), key=lambda k: -costs[k]):
        part_of[k] = load.index(min(load))
        load[part_of[k]] += costs[k]
    return [
        [t for t, own in zip(study.tasks, part_of, strict=True) if own == k] for k in range(count)
    ]


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
    before = part_in(store)
    if store.has("results.json"):
        raise StoreError(f"{store.quoted} holds a full study: choose another folder with --out")
    if before not in (None, part):
        raise StoreError(
            f"{store.quoted} holds part {before}, not {part}: choose another folder with --out"
        )
    write_json(store.inside(PART_NAME), {"part": str(part)})
    own = tasks_by_part(study, part.count)[part.number - 1]
    with store.own_code_traced(), one_thread():
        compute_cells(replace(study, tasks=own), None, n_jobs, quiet)
    store.log(event="part done")
    return PartResult(store.folder, part, len(own), len(study.tasks))


def copy_parts(study: PreparedStudy) -> None:
    """Copy the cells of all parts into the folder of the study.

    Raises
    ------
    StoreError
        One is missing, or differs between parts; what is there has been copied.
    """
    missing, damaged = [], list[str]()
    for task in study.tasks:
        for key in task.rankers:
            path, content = task.path(key), None
            for store in (study.store, *study.parts):
                if not store.has(path):
                    continue
                found = store.get(path)
                if not is_cell_of(found, task.place(study.mark, key)):
                    damaged.append(str(store.folder / path))
                elif content is None:
                    content = found
                elif content != found:
                    raise StoreError(
                        f"{str(store.folder / path)!r} differs from the same training set of "
                        "another part: they come from machines that compute differently, so run "
                        "both parts on one"
                    )
            if content is None:
                missing.append(task)
            elif not study.store.has(path):
                study.store.put(path, content, synced=False)
    if missing:
        raise StoreError(_missing_words(study, list(dict.fromkeys(missing)), damaged))


def _missing_words(study: PreparedStudy, missing: Sequence[Task], damaged: Sequence[str]) -> str:
    """Which training sets are missing, and what to do."""
    given = [part for store in study.parts if (part := part_in(store)) is not None]
    counts, why, lost = {part.count for part in given}, list[str](), set(missing)
    if len(counts) > 1:
        why.append(f"the folders hold parts {listed_parts(map(str, given))}")
    elif counts:
        (count,), there = counts, {part.number for part in given}
        absent = list[str]()
        for number, tasks in enumerate(tasks_by_part(study, count), 1):
            n_lost = len(lost.intersection(tasks))
            if n_lost and number not in there:
                absent.append(f"{number}/{count}")
            elif n_lost:
                why.append(f"part {number}/{count} lacks {n_lost} of {len(tasks)}")
        if absent:
            what, verb = ("part", "is") if len(absent) == 1 else ("parts", "are")
            why.append(f"{what} {listed_parts(absent)} {verb} not among the folders")
    if damaged:
        more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        why.append(f"{damaged[0]!r} is damaged{more}")
    reasons = f" ({listed_parts(why)})" if why else ""
    return (
        f"{counted_noun(len(missing), 'outer training set')} of {len(study.tasks):,} missing"
        f"{reasons}: run the parts that lack them to their end with --part and --resume and join "
        f"again with --resume, or compute the rest in {study.store.quoted} with --resume alone"
    )

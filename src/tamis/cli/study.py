"""`tamis study`: from a table to a defended result."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import rich_click as click

from .._core.errors import counted_noun, listed_names, listed_parts, shorten_text
from .._core.terminal import say_to_user
from ._part_options import part_folder, refuse_part_of_joined
from ._shared import (
    LOG_TARGET_OPTION,
    REGRESSION_OPTION,
    TARGET_OPTION,
    announce_useful_jobs,
    as_options,
    duration_text,
    if_exists,
    one_line,
    print_result,
    refuse_genotypes,
    study_reading,
)
from ._study_options import POSITIVE_OPTION, SPLIT_OPTION, StudyOptions, study_options
from ._study_workers import Jobs, shared_out

if TYPE_CHECKING:
    from .._core.parts import Part
    from ..data.arguments import TableArguments

TIMED_PERMUTATIONS = 10  # permuted runs
USUAL_POSITIVES = ("1", "yes", "true", "positive", "pos", "case")  # nobody means the other class


@click.command("study")
@click.argument("table", type=click.Path(path_type=Path), required=False)
@TARGET_OPTION
@REGRESSION_OPTION
@LOG_TARGET_OPTION
@POSITIVE_OPTION
@study_reading
@SPLIT_OPTION
@study_options
def command(table: Path | None, options: StudyOptions, **reading: Any) -> None:
    """Find few features of TABLE that predict the class, or a number. Estimate how well they
    predict new samples, whether other samples would have given the same features, and what chance
    gives.

    TABLE has one row a sample: a spreadsheet (.xlsx, .ods), delimited text (also .gz), Parquet,
    ARFF, .h5ad or .h5mu, or files of GEO or of read-counting programs. `tamis read TABLE` shows
    how it would be read; genotypes (.bed, .pgen, .bgen, .vcf) have `tamis genome study`. The tables
    of a folder, or those that a plan lists, are studied one after the other. Several tables of the
    same samples are one study: give the others with --block.
    """
    from ..study.multi_dataset import tables_of

    refuse_genotypes(table, "study")
    reading["allow"] = options.allow
    if table is None and reading["blocks"]:
        table = reading["samples"] or next(iter(reading["blocks"].values()))
    of_number = reading["regression"] or reading["log_target"]
    plan = requested_plan(options, reading["split"], "number" if of_number else None)
    if plan.response == "number" and not of_number:  # the plan decides
        reading["regression"] = True
    sets = tables_of(table, plan, options.plan_file, reading_options(reading))
    plan = plan.model_copy(update={"dataset": []})
    alone = len(sets) == 1 and sets[0].table == table
    if alone and reading["target"] is None:
        raise click.UsageError("name the column of the class, or of the number, with --target")
    if not (options.scheduler or options.dry_run or options.resume):
        begin_workers(plan, options.n_jobs, options.quiet)
    if alone:
        run_one(sets[0].read(options.quiet), plan, options, f"tamis-{sets[0].name}")
        return
    from .many import run_all

    if options.part or options.join:
        raise click.UsageError("--part and --join are of one table: name it")
    name = (
        table.name if table is not None else options.plan_file.stem if options.plan_file else "sets"
    )
    run_all(sets, plan, options, f"tamis-{name}")


def requested_plan(options: StudyOptions, split: str | None, response: str | None = None) -> Any:
    """The plan of a file, if there is one, with what the command's options say in its place."""
    said = {key: getattr(options, key) for key in ("seed", "permutations", "costs", "metric")}
    overrides: dict[str, object] = {key: value for key, value in said.items() if value is not None}
    if response is not None:
        overrides["response"] = response
    refuse_part_of_joined(options.part, options.join)
    if options.dry_run and options.join:
        raise click.UsageError("--dry-run computes nothing that --join could put together")
    if options.holdout and options.folds is not None:
        raise click.UsageError("--holdout and --folds are two ways to split: give one")
    if split is not None and (options.holdout or options.folds is not None):
        other = "--holdout" if options.holdout else "--folds"
        raise click.UsageError(f"--split says what the folds are, and so does {other}: give one")
    if split is not None:
        overrides["outer"] = {"kind": "predefined"}
    elif options.holdout:
        overrides["outer"] = {"kind": "holdout"}
    elif options.folds is not None:
        overrides["outer"] = {"kind": "k-fold", "folds": options.folds}
    if options.prepare:
        overrides["prepare"] = list(options.prepare)
    if options.intervals:
        overrides["prediction_intervals"] = True
    plan = plan_of(options.plan_file, overrides)
    if options.allow:
        overrides["allow"] = [*plan.allow, *options.allow]
        plan = plan_of(options.plan_file, overrides)
    if options.prepare:
        own = [m for m in plan.method if m.row.takes.prepared]
        tell_own("prepare", [m.name for m in own if m.prepare != plan.prepare], options.quiet)
    named = plan.beside_metric
    kept = [f"{key} = {named[key]!r}" for key in named if getattr(options, key, None) is None]
    if options.metric is not None and kept:
        verb = "is" if len(kept) == 1 else "are"
        say_to_user(
            f"--metric {options.metric}: the plan's {' and '.join(kept)} {verb} kept", options.quiet
        )
    for key in ("recalibrate", "decide", "reject"):
        name = getattr(options, key)
        if name is not None:
            named = getattr(plan, key) if key in plan.model_fields_set else None
            if named is None or named.name != name:  # else it has parameters
                overrides = {**overrides, key: name}
                plan = plan_of(options.plan_file, overrides)
            own = [method.name for method in plan.method if getattr(method, key) is not None]
            tell_own(key, own, options.quiet)
    return plan


def run_one(data: Any, plan: Any, options: StudyOptions, usual: str) -> None:
    """Study one table, or preview that; the folder is the usual one unless another is named."""
    folder, as_json, quiet = options.out or Path(usual), options.as_json, options.quiet
    with shared_out(options) as jobs:
        if options.dry_run:
            preview_study(data, plan, jobs.processes, as_json, quiet, options.part)
        elif options.part:
            compute_one_part(
                data, plan, options, options.out or part_folder(usual, options.part), jobs
            )
        else:
            finish_study(
                data, plan, folder, jobs.n_jobs, options.resume, as_json, quiet, options.join
            )


def begin_workers(plan: Any, n_jobs: int, quiet: bool) -> None:
    """Workers of a study that is long for its permuted runs load what they need while its table is
    read, or compile it."""
    from joblib import effective_n_jobs

    from .._core.fork_server import start_server
    from .._core.progress import tell_of_compiling
    from ..kernels._cache import is_compiled

    if plan.permutations < TIMED_PERMUTATIONS or effective_n_jobs(n_jobs) == 1:
        return
    compiled = is_compiled()
    start_server("tamis.study.worker_preload", compiles=not compiled)
    if not compiled:
        tell_of_compiling(quiet)


def load_ahead() -> None:
    """What is needed here once a study's tasks are done."""
    from ..report import make_ready
    from ..study.result_preload import load_results

    load_results()
    make_ready()


def reading_options(reading: Mapping[str, object]) -> TableArguments:
    """Arguments of `read_table`: the reading options that were given, which click has checked."""
    given = {key: value for key, value in reading.items() if value not in (None, (), {})}
    return cast("TableArguments", given)


def plan_of(path: Path | None, overrides: Mapping[str, object]):
    """The plan of a file with the command's options in place, or of the options alone."""
    from ..study.plan import Plan

    return Plan.resolve(overrides) if path is None else Plan.read(path, **overrides)


def tell_own(key: str, methods: Sequence[str], quiet: bool) -> None:
    """Which methods go on as they say themselves."""
    if methods:
        named = listed_names(methods)
        say_to_user(f"--{key} is for methods without a `{key}` of their own: not {named}", quiet)


def tell_remarks(data: Any, plan: Any, changes: Sequence[str], quiet: bool) -> None:
    """What the reader decided and the plan had to give up, back to the user."""
    from ..data.unlogged import scale_cautions

    tell_size(data, quiet)
    if len(data.classes) == 2:
        say_to_user(f"  positive class: {one_line(positive_words(data))}", quiet)
    scales = [text for _, text in scale_cautions(data, plan.takes_logs)]
    for note in [*data.notes, *changes, *scales]:
        say_to_user(f"  {one_line(note)}", quiet)


def tell_size(data: Any, quiet: bool) -> None:
    """How many samples of each class a table has, and how many features."""
    from ..data.class_heading import class_heading

    (n, p), q = data.shape, len(data.covariates)
    size = f"{p - q:,} features" + (f" and {counted_noun(q, 'covariate')}" if q else "")
    if data.numbers is not None:
        say_to_user(f"{data.name}: {n:,} samples ({data.number_text()}), {size}", quiet)
        return
    names = {c: class_heading(data.target, c) for c in data.classes}
    counts = listed_parts(f"{int((data.y == c).sum()):,} {names[c]}" for c in data.classes)
    say_to_user(f"{data.name}: {n:,} samples ({counts}), {size}", quiet)


def positive_words(data: Any) -> str:
    """The positive class; how to turn it round, if neither the user nor its name decided."""
    from ..data.class_heading import class_heading

    other, last = data.classes
    heading = class_heading(data.target, last)
    if data.positive_named or last.lower() in USUAL_POSITIVES:
        return heading
    named = f" {shlex.quote(other)}" if shorten_text(other) == other else ""
    return f"{heading} (alphabetically last; change with --positive{named})"


def preview_study(
    data: Any, plan: Any, workers: int, as_json: bool, quiet: bool, part: Part | None = None
) -> None:
    """Print the resolved plan, the number of fits of the study or a part, and an estimate of
    time."""
    from ..study.leak_warnings import leak_warnings
    from ..study.plan.toml import plan_toml
    from ..study.prepare import prepare_study
    from ..study.tasks import estimate_seconds

    resolved, design, changes = prepare_study(data, plan)
    changes += [f"may be a leak: {text}" for text in leak_warnings(data, resolved)]
    n_tasks, fits, seconds = estimate_seconds(resolved, design, workers, quiet, part)
    content = resolved.model_dump(mode="json")
    size = (
        f"# {'' if part is None else f'part {part}: '}{n_tasks} training sets with their inner "
        f"folds, {fits:,} classifier fits; "
        f"about {duration_text(seconds)} on {workers} core{'s' if workers > 1 else ''}"
        + ("" if data.groups is None else f"; {len(set(data.groups))} groups, never split")
    )
    estimate = {"plan": content, "n_fits": fits, "seconds": round(seconds, 1)}
    print_result(estimate, as_json, plan_toml(content), size)
    tell_remarks(data, plan, changes, quiet)


def finish_study(
    data: Any,
    plan: Any,
    folder: Path,
    n_jobs: int | None,
    resume: bool,
    as_json: bool,
    quiet: bool,
    parts: Sequence[Path] = (),
) -> None:
    """Run, or join what parts have computed, write the page, print the headline."""
    from ..study.results.earlier import with_earlier_studies
    from ..study.run import begin_study

    tell_beginning(folder, resume, "study", quiet)
    with begin_study(data, plan, folder, if_exists=if_exists(resume), parts=parts) as study:
        tell_remarks(data, study.plan, study.remarks, quiet)
        if study.parts:
            from ..study.parts import copy_parts

            copy_parts(study)
        if n_jobs is not None:
            n_jobs = announce_useful_jobs(n_jobs, quiet, len(study.tasks))
        result = study.run(n_jobs, quiet, load_ahead)
        shown = with_earlier_studies(result)
        page = shown.write_report()
    summary = as_options(shown.summary())
    print_result(result.to_dict(), as_json, summary, f"  report    {page}")


def tell_beginning(folder: Path, resume: bool, what: str, quiet: bool) -> None:
    """That there is nothing to resume, as where a folder is mistyped."""
    from .._core.inside import Inside

    if resume and not Inside(folder, "plan.json").exists():
        say_to_user(f"nothing to resume in {str(folder)!r}: the {what} begins there", quiet)


def compute_one_part(data: Any, plan: Any, options: StudyOptions, folder: Path, jobs: Jobs) -> None:
    """Compute a part, and say where it is."""
    from ..study.parts import compute_part
    from ..study.run import begin_study

    assert options.part is not None
    tell_beginning(folder, options.resume, "part", options.quiet)
    with begin_study(data, plan, folder, if_exists=if_exists(options.resume)) as study:
        tell_remarks(data, study.plan, study.remarks, options.quiet)
        found = compute_part(study, options.part, jobs.n_jobs, options.quiet)
    print_result(found.to_dict(), options.as_json, found.summary())

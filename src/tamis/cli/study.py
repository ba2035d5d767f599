"""`tamis study`: from a table to a defended result."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rich_click as click

from .._core.errors import listing, plural
from .._core.terminal import print_json, print_text, say_to_user
from ._shared import (
    CODE,
    N_JOBS,
    Jobs,
    applied_options,
    as_options,
    by_workers,
    duration,
    one_line,
    scheduler_option,
    study_reading,
)

GENOTYPES = "mtd_forest"  # the ready plan of genotypes, where none is named
USUAL = ("1", "yes", "true", "positive", "pos", "case")  # nobody means the other class


def costs_said(
    ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> dict[str, float] | str | None:
    """``--cost sick=10 --cost well=1`` as a plan has it."""
    if not given:
        return None
    if given == ("class_sizes",):
        return given[0]
    found = {}
    for text in given:
        name, _, number = text.rpartition("=")
        if name in found:
            raise click.BadParameter(f"{name!r} has two costs: give one")
        try:
            found[name] = float(number)
        except ValueError:
            name = ""
        if not name:
            raise click.BadParameter(
                f"{text!r} is no CLASS=NUMBER: write --cost sick=10, or --cost class_sizes alone"
            )
    return found


SPLIT = click.option("--split", metavar="COL", help="Predefined folds, or 'train' and 'test'.")
POSITIVE = click.option(
    "--positive", metavar="CLASS", help="The positive class (default: the last in order)."
)
PLAN = applied_options(
    click.option(
        "--plan",
        "plan_file",
        type=click.Path(path_type=Path),
        metavar="PLAN.toml",
        help="Methods and protocol, see `tamis methods` and docs/plan.md; or the name of a ready "
        "plan: mtd_forest, projection_knn, genome_approaches.",
    ),
    click.option("--folds", type=click.IntRange(min=2), help="Outer folds (default: 10)."),
    click.option("--holdout", is_flag=True, help="One outer test set of 30 % in their place."),
    click.option(
        "--decide", metavar="NAME", help="What turns beliefs into labels (default: arg_max)."
    ),
    click.option(
        "--reject", metavar="NAME", help="Whom to decline, such as f_beta (default: nobody)."
    ),
    click.option(
        "--cost",
        "costs",
        multiple=True,
        callback=costs_said,
        metavar="CLASS=NUMBER",
        help="What errors on a class cost, again for each; or class_sizes. Costs by predicted "
        "class or of single samples are for a plan.",
    ),
    click.option("--permutations", type=click.IntRange(min=0), help="Runs with permuted labels."),
    click.option("--seed", type=click.IntRange(min=0), help="All random numbers follow from it."),
)
RUN = applied_options(
    click.option(
        "--out",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Result folder (default: tamis-TABLE here).",
    ),
    CODE,
    N_JOBS,
    scheduler_option(
        "in the place of --n-jobs", "the table goes there from here, code of your own does not"
    ),
    click.option("--resume", is_flag=True, help="Continue the study in the result folder."),
    click.option(
        "--dry-run", is_flag=True, help="Print the resolved plan, fits and time; run nothing."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
    click.option("--quiet", is_flag=True, help="No progress and no remarks on stderr."),
)


@click.command("study")
@click.argument("table", type=click.Path(path_type=Path), required=False)
@click.option("--target", metavar="COL", help="Column of the class to predict.")
@POSITIVE
@study_reading
@SPLIT
@PLAN
@RUN
def command(
    table: Path | None,
    plan_file: Path | None,
    out: Path | None,
    n_jobs: int,
    scheduler: str | None,
    resume: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    folds: int | None,
    holdout: bool,
    decide: str | None,
    reject: str | None,
    costs: dict[str, float] | str | None,
    permutations: int | None,
    seed: int | None,
    **reading: Any,
) -> None:
    """Which few features of TABLE predict the class, how well that will work on the next
    sample, whether another sample would have given the same features, and what chance gives.

    TABLE is CSV or TSV (any delimiter, .gz too), Parquet, ARFF or .h5ad, one row a sample; or
    genotypes (.bed, .bgen, .vcf), see also `tamis genome study`; or a folder of such tables, which
    are studied one after the other. A plan can list tables too. Several tables of the same samples
    are one study: --block NAME=TABLE, again for each.
    """
    from ..genome.endings import is_genotypes
    from ..study.many import tables_of

    if table is None and reading["blocks"]:
        table = reading["samples"] or next(iter(reading["blocks"].values()))
    packed = table is not None and is_genotypes(table)
    if packed and plan_file is None:
        plan_file = Path(GENOTYPES)
    plan = asked_plan(
        plan_file,
        {"seed": seed, "permutations": permutations, "costs": costs},
        {"decide": decide, "reject": reject},
        reading["split"],
        folds,
        holdout,
        quiet,
    )
    sets = tables_of(table, plan, plan_file, reading_options(reading))
    plan = plan.model_copy(update={"dataset": []})
    if len(sets) == 1 and sets[0].table == table:
        if reading["target"] is None and not packed:
            raise click.UsageError("name the column of the class with --target")
        data = sets[0].read(quiet)
        run_one(
            data,
            plan,
            out or Path(f"tamis-{sets[0].name}"),
            n_jobs,
            scheduler,
            resume,
            dry_run,
            as_json,
            quiet,
        )
        return
    from .many import run_all

    name = table.name if table is not None else plan_file.stem if plan_file else "sets"
    folder = out or Path(f"tamis-{name}")
    with shared_out(scheduler, n_jobs, quiet) as jobs:
        run_all(sets, plan, folder, jobs, resume, dry_run, as_json, quiet)


def asked_plan(
    path: Path | None,
    said: dict[str, Any],
    rules: dict[str, str | None],
    split: str | None,
    folds: int | None,
    holdout: bool,
    quiet: bool,
) -> Any:
    """The plan of a file, if there is one, with what the command's options say in its place."""
    overrides = {key: value for key, value in said.items() if value is not None}
    if holdout and folds is not None:
        raise click.UsageError("--holdout and --folds are two ways to split: give one")
    if split is not None:
        overrides["outer"] = {"kind": "predefined"}
    elif holdout:
        overrides["outer"] = {"kind": "holdout"}
    elif folds is not None:
        overrides["outer"] = {"folds": folds}
    plan = plan_of(path, overrides)
    for key, name in rules.items():
        if name is not None:
            named = getattr(plan, key) if key in plan.model_fields_set else None
            if named is None or named.name != name:  # else it has parameters
                overrides = {**overrides, key: name}
                plan = plan_of(path, overrides)
            tell_own(plan, key, quiet)
    return plan


def run_one(
    data: Any,
    plan: Any,
    folder: Path,
    n_jobs: int,
    scheduler: str | None,
    resume: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Study one table, or preview that."""
    with shared_out(scheduler, n_jobs, quiet) as jobs:
        if dry_run:
            changes = preview_study(data, plan, jobs.processes, as_json, quiet)
            tell_remarks(data, plan, changes, quiet)
        else:
            finish_study(data, plan, folder, jobs.n_jobs, resume, as_json, quiet)


@contextmanager
def shared_out(scheduler: str | None, n_jobs: int, quiet: bool) -> Iterator[Jobs]:
    """Over processes here, or over the workers of a scheduler."""
    from joblib import effective_n_jobs

    with by_workers(scheduler, quiet) as workers:
        if workers is None:
            yield Jobs(n_jobs, effective_n_jobs(n_jobs))
            return
        if workers.threads > workers.processes:
            say_to_user(
                "  a study asks one thread of each worker: `dask worker ADDRESS --nworkers -1 "
                "--nthreads 1` starts one a core",
                quiet,
            )
        yield Jobs(None, workers.processes)


def reading_options(reading: dict[str, Any]) -> dict[str, Any]:
    """The command's reading options under the names `read_table` has for them."""
    names = {"id_column": "id", "covariate": "covariates"}
    return {
        names.get(key, key): value for key, value in reading.items() if value not in (None, (), {})
    }


def plan_of(path: Path | None, overrides: dict[str, Any]):
    """The plan of a file with the command's options in place, or of the options alone."""
    from ..study.plan import Plan

    return Plan.resolve(overrides) if path is None else Plan.read(path, **overrides)


def tell_own(plan: Any, key: str, quiet: bool) -> None:
    """Which methods go on deciding, or declining, otherwise."""
    own = [method.name for method in plan.method if getattr(method, key) is not None]
    if own:
        named = listing(own)
        say_to_user(f"--{key} is for methods without a `{key}` of their own: not {named}", quiet)


def tell_remarks(data: Any, plan: Any, changes: Sequence[str], quiet: bool) -> None:
    """What the reader decided and the plan had to give up, back to the user."""
    from ..data.class_heading import class_heading
    from ..data.unlogged import unlogged_warning

    names = {c: class_heading(data.target, c) for c in data.classes}
    counts = ", ".join(f"{int((data.y == c).sum())} {names[c]}" for c in data.classes)
    n, p = data.shape
    q = len(data.covariates)
    size = f"{p - q:,} features" + (f" and {plural(q, 'covariate')}" if q else "")
    say_to_user(f"{data.name}: {n} samples ({counts}), {size}", quiet)
    if len(data.classes) == 2:
        say_to_user(f"  positive class: {one_line(positive_words(data))}", quiet)
    unlogged = "" if plan.takes_logs else unlogged_warning(data)
    for note in [*data.notes, *changes, unlogged]:
        if note:
            say_to_user(f"  {one_line(note)}", quiet)


def positive_words(data: Any) -> str:
    """The positive class; how to turn it round, if neither the user nor its name decided."""
    from ..data.class_heading import class_heading

    other, last = data.classes
    heading = class_heading(data.target, last)
    if data.positive_named or last.lower() in USUAL:
        return heading
    return f"{heading} (the last in order; --positive {shlex.quote(other)} turns it round)"


def preview_study(data: Any, plan: Any, workers: int, as_json: bool, quiet: bool) -> list[str]:
    """The resolved plan, the number of fits, and an estimate of time; what was changed."""
    from ..study.run import estimate_seconds, prepare_study

    plan, design, changes = prepare_study(data, plan)
    n_tasks, fits, seconds = estimate_seconds(plan, design, workers, quiet)
    resolved = plan.model_dump(mode="json")
    if as_json:
        print_json({"plan": resolved, "n_fits": fits, "seconds": round(seconds, 1)})
        return changes
    print_text(plan_toml(resolved))
    print_text(
        f"# {n_tasks} training parts with their inner folds, {fits:,} classifier fits; "
        f"about {duration(seconds)} on {workers} core{'s' if workers > 1 else ''}"
        + ("" if data.groups is None else f"; {len(set(data.groups))} groups, never split")
    )
    return changes


def plan_toml(plan: dict[str, Any]) -> str:
    """A plan as the TOML that `--plan` reads."""
    import json

    def value(v: Any) -> str:
        if isinstance(v, dict):
            known = {k: x for k, x in v.items() if x is not None}
            inner = ", ".join(f"{value(k)} = {value(x)}" for k, x in known.items())
            return f"{{ {inner} }}" if inner else "{}"
        if isinstance(v, list):
            return f"[{', '.join(map(value, v))}]"
        return json.dumps(v, ensure_ascii=False)

    plain = [
        f"{k} = {value(v)}"
        for k, v in plan.items()
        if v is not None and (k == "costs" or not isinstance(v, dict | list))
    ]
    lines = [*plain]
    for name in ("outer", "inner", "decide", "reject"):
        if plan[name] is not None:
            own = (f"{k} = {value(v)}" for k, v in plan[name].items() if v is not None)
            lines += ["", f"[{name}]", *own]
    for method in plan["method"]:
        kept = {k: v for k, v in method.items() if v not in ("", [], {}, None)}
        kept["grid"] = {k: v for k, v in method["grid"].items() if v}
        if not kept["grid"]:
            del kept["grid"]
        lines += ["", "[[method]]", *(f"{k} = {value(v)}" for k, v in kept.items())]
    return "\n".join(lines)


def finish_study(
    data: Any,
    plan: Any,
    folder: Path,
    n_jobs: int | None,
    resume: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run, write the page, print the headline."""
    from ..report import write_report
    from ..study.run import begin_study

    if resume and not (folder / "plan.json").exists():
        say_to_user(f"nothing to resume in {str(folder)!r}: the study begins there", quiet)
    with begin_study(data, plan, folder, resume=resume) as study:
        tell_remarks(data, study.plan, study.remarks, quiet)
        result = study.run(n_jobs, quiet)
        page = write_report(result.to_dict(), folder)
    if as_json:
        print_json(result.to_dict())
    else:
        print_text(as_options(result.summary()))
        print_text(f"  report    {page}")

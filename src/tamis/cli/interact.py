"""`tamis interact`: what stands together in a table, by any of the searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.terminal import print_json, print_text, say_to_user
from ._genome_options import ENDINGS
from ._interact_options import GROUPS, METHODS, parameters_as_options, search_options, settings_of
from ._shared import (
    ID,
    SAMPLES,
    SEPARATOR,
    TABLE,
    TRANSPOSE,
    checked_workers,
    one_line,
    repeated_option,
)

OF_GENOTYPES = {"target": "pheno_name", "samples": "pheno"}
PERMUTATIONS = 19  # the fewest for a test at .05
READING = ("target", "samples", "id_column", "transpose", "categorical", "drop", "separator")


@click.command("interact")
@click.rich_config(help_config={"option_groups": {"* interact": GROUPS}})
@TABLE
@click.option("--target", metavar="COL", help="Column of the class.")
@SAMPLES
@ID
@TRANSPOSE
@repeated_option("--categorical", "Read as categories.")
@repeated_option("--drop", "Leave out (patterns like 'AFFX*' are allowed).")
@SEPARATOR
@search_options
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    default=0,
    show_default=True,
    help="All random numbers follow from it.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Result folder (default: tamis-interact-TABLE here, with the method behind it).",
)
@click.option("--resume", is_flag=True, help="Go on in the result folder.")
@click.option(
    "--n-jobs",
    type=int,
    metavar="NUMBER",
    default=-1,
    show_default=True,
    callback=checked_workers,
    help="Threads; -1 is one a core. Results do not depend on it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress and no remarks on stderr.")
def command(
    table: Path,
    method: str,
    out: Path | None,
    resume: bool,
    n_jobs: int,
    seed: int,
    as_json: bool,
    quiet: bool,
    **more: Any,
) -> None:
    """What stands together in TABLE, and tells the classes apart: features that thousands of small
    trees split on below each other (--method mcfs), sets that rows of a class share (rit) or that
    forests ask together (irf), or all pairs (pairs).

    All samples are looked at: for an honest error use `tamis study` with a method of that name.
    Categories and missing values are taken as they are.
    """
    from numpy import bincount

    from .._core.errors import DataError, PlanError
    from ..data import read_table
    from ..data.class_heading import class_heading
    from ..discovery import find_interactions
    from ..discovery.folder import SETTINGS
    from ..discovery.searches import search_named
    from ..report import write_interactions
    from ..study.many import table_stem
    from .study import reading_options

    if table.name.lower().endswith((*ENDINGS, ".vcf.gz")):
        _pairs_of_genotypes(table, method, out, resume, more, n_jobs=n_jobs, seed=seed,
                            as_json=as_json, quiet=quiet)  # fmt: skip
        return
    reading = {name: more.pop(name) for name in READING}
    allowed = search_named(method).settings
    settings = settings_of(method, more, allowed)
    if reading["target"] is None:
        raise click.UsageError("name the column of the class with --target")
    data = read_table(table, **reading_options(reading))
    plain = f"tamis-interact-{table_stem(table)}"
    folder = out or Path(plain if method == METHODS[0] else f"{plain}-{method}")
    if resume and not (folder / SETTINGS).exists():
        say_to_user(f"nothing to resume in {str(folder)!r}: it begins there", quiet)
    names = [class_heading(data.target, c) for c in data.classes]
    counts = ", ".join(f"{n} {c}" for n, c in zip(bincount(data.codes), names, strict=True))
    say_to_user(
        f"{data.name}: {data.shape[0]} samples ({counts}), {data.shape[1]:,} features", quiet
    )
    for note in data.notes:
        say_to_user(f"  {one_line(note)}", quiet)
    try:
        found = find_interactions(
            data, folder, method=method, seed=seed, n_jobs=n_jobs, resume=resume, quiet=quiet,
            **settings,
        )  # fmt: skip
    except (PlanError, DataError) as error:
        raise type(error)(parameters_as_options(str(error), allowed)) from error
    content, page = found.to_dict(), folder / "report.html"
    write_interactions(content, page)
    for remark in content["remarks"]:
        say_to_user(f"  {remark}", quiet)
    if as_json:
        print_json(content)
        return
    print_text(found.summary())
    print_text(f"  report   {page}")


def _pairs_of_genotypes(
    path: Path, method: str, out: Path | None, resume: bool, more: dict[str, Any], **run: Any
) -> None:
    """`tamis genome pairs` with what both commands have, and as many permutations as here."""
    from .._core.errors import DataError
    from .genome import pairs

    if method != "pairs":
        raise DataError(
            f"{path.name!r} holds genotypes, and no table: all pairs of its variants are searched "
            "by --method pairs, single ones by `tamis genome mtd`"
        )
    given = {name: value for name, value in more.items() if value not in (None, (), False)}
    given.update({"resume": True} if resume else {})
    for option in given:
        if option not in (*OF_GENOTYPES, "permutations", "by", "keep"):
            raise click.UsageError(
                f"--{option.replace('_', '-')} is for tables; more for genotypes have "
                "`tamis genome pairs` and `tamis genome qc`"
            )
    named = {OF_GENOTYPES.get(option, option): value for option, value in given.items()}
    asked: dict[str, Any] = {"files": (path,), "out": out, "permutations": PERMUTATIONS}
    pairs.make_context("pairs", [str(path)]).invoke(pairs, **{**asked, **named, **run})

"""`tamis look`: what a table or a cohort holds, before any study."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .._core.terminal import say_to_user
from ._next_command import next_command, shell_word
from ._shared import (
    ALLOW_OPTION,
    COMMON_PANEL,
    FORCE_OPTION,
    HELP_OPTION,
    LOG_TARGET_OPTION,
    OUTPUT_OPTIONS,
    REGRESSION_OPTION,
    RUN_PANEL,
    TABLE_ARGUMENT,
    TARGET_OPTION,
    as_options,
    free_output,
    in_panel,
    one_line,
    path_option,
    print_result,
    study_reading,
)
from ._study_options import POSITIVE_OPTION, SPLIT_OPTION

if TYPE_CHECKING:
    from ..data.arguments import TableArguments
    from ..look.schema import LookContent

RUN_PARAMETERS = ("out", "force", "as_json", "quiet")  # options that say nothing of the table
OF_GENOTYPES = {"--samples": "--pheno", "--target": "--pheno-name"}  # in `tamis genome`
MOST_DROPPED = 10  # columns that the next command leaves out; a pattern is better for more
OUT_OPTION = in_panel(
    COMMON_PANEL, path_option("--out", "DIR", "Result folder (default: tamis-look-TABLE here).")
)


@click.command("look")
@TABLE_ARGUMENT
@TARGET_OPTION
@POSITIVE_OPTION
@REGRESSION_OPTION
@LOG_TARGET_OPTION
@study_reading
@ALLOW_OPTION
@SPLIT_OPTION
@OUT_OPTION
@in_panel(RUN_PANEL, FORCE_OPTION, OUTPUT_OPTIONS, HELP_OPTION)
@click.pass_context
def command(
    context: click.Context,
    table: Path,
    out: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Look at TABLE before it is studied: classes or a number, missing values, what numbers are,
    samples side by side, copies, principal components, and what a study would warn of.

    Of genotypes (.bed, .pgen, .bgen, .vcf): calls, frequencies, relatives and components. Nothing
    here estimates how well a class can be predicted. The folder gets a page, look.json, and a table
    each of the columns, or variants, and of the samples.
    """
    from .._core.inside import Inside
    from .._core.journal import Journal
    from ..data import read_table
    from ..genome.readers.endings import is_genotypes
    from ..look import look_at, look_at_cohort
    from ..look.files import COHORT_FOLDER, FOLDER, write_cohort_look, write_look
    from ..report import write_cohort_look_page, write_look_page
    from ..study.multi_dataset import table_stem
    from .study import reading_options

    options, packed = reading_options(reading), is_genotypes(table)
    kind = COHORT_FOLDER if packed else FOLDER
    folder = free_output(kind, out or Path(f"tamis-look-{table_stem(table)}"), force)
    settings = {
        "table": str(table),
        **{name: _plain_option(value) for name, value in options.items()},
    }
    if packed:
        then = next_command(context, "genome study", RUN_PARAMETERS, OF_GENOTYPES)
        genotypes, data = _cohort_to_look_at(table, quiet, options)
    else:
        then = next_command(context, "study", RUN_PARAMETERS)
        data = read_table(table, **options)
    for note in data.notes:
        say_to_user(f"  {one_line(note)}", quiet)
    if not data.has_target:
        then += " --pheno SHEET --pheno-name COLUMN" if packed else " --target COLUMN"
    context.with_resource(Journal(folder))  # nobody else can fill it meanwhile
    free_output(kind, folder, force)
    page = Inside(folder, "report.html")
    if packed:
        cohort = look_at_cohort(genotypes, data, n_jobs=-1, quiet=quiet)
        cohort = replace(cohort, content=_in_options(cohort.content))
        of_cohort = write_cohort_look(cohort, folder, settings, then)
        write_cohort_look_page(of_cohort, page)
        content: Mapping[str, object] = of_cohort
        summary = cohort.summary()
    else:
        look = look_at(data)
        look = replace(look, content=_in_options(look.content))
        then = _study_command(then, look.content)
        of_table = write_look(look, folder, settings, then)
        write_look_page(of_table, page)
        content, summary = of_table, look.summary()
    lines = [*summary.splitlines(), f"  report    {page}"]
    lines += [f"  next      {then}"] if then else []
    print_result(content, as_json, *lines)


def _study_command(then: str, found: LookContent) -> str:
    """The command of the study, without columns that it would refuse, and with the step that takes
    logarithms; none where the user has to say first what the numbers or the classes are."""
    survival = any(one["kind"] == "time-to-event" for one in found["suspects"])
    if survival or any(one["unclear"] for one in found["values"]):
        return ""
    refused = [c for s in found["suspects"] if s["grave"] for c in s["columns"]]
    then += "".join(f" --drop {shell_word(c)}" for c in refused[:MOST_DROPPED])
    for one in found["values"]:
        if one["step"]:
            block = json.dumps(one["block"], ensure_ascii=False)  # as TOML has it, too
            step = f'{{name = "{one["step"]}", block = {block}}}' if one["block"] else one["step"]
            then += f" --prepare {shell_word(step)}"
    return then


def _in_options(content: Any) -> Any:
    """What was found, with arguments of `read_table` as the command's options."""
    words = ("text", "advice")
    named = [
        {name: as_options(value) if name in words else value for name, value in one.items()}
        for one in (*content["suspects"], *content["cautions"])
    ]
    n = len(content["suspects"])
    notes = [as_options(note) for note in content["notes"]]
    return {**content, "suspects": named[:n], "cautions": named[n:], "notes": notes}


def _cohort_to_look_at(table: Path, quiet: bool, options: TableArguments) -> Any:
    """Genotypes, and what is known of their samples."""
    from ..genome import open_genotypes
    from ..genome.study.cohort import read_people, refuse_foreign

    refuse_foreign(table, options)
    genotypes, people = read_people(
        open_genotypes(table, quiet=quiet),
        options.get("target"),
        samples=options.get("samples"),
        covariates=options.get("covariates", ()),
        group=options.get("group"),
        split=options.get("split"),
        batch=options.get("batch"),
        unify=options.get("unify", ()),
        allow=options.get("allow", ()),
        classless=True,
    )
    positive = options.get("positive")
    return genotypes, people if positive is None else people.with_positive(positive)


def _plain_option(value: Any) -> Any:
    """An option's value as JSON has it."""
    if isinstance(value, dict):
        return {name: str(path) for name, path in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, bool | int) else str(value)

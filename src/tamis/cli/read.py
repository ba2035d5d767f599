"""`tamis read`: look at a table as a study would read it; or clean it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import rich_click as click
from click.core import ParameterSource

from .._core.terminal import say_to_user
from ._shared import (
    ALLOW_OPTION,
    COMMON_PANEL,
    FORCE_OPTION,
    HELP_OPTION,
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
    require_apart,
    study_reading,
)
from ._study_options import POSITIVE_OPTION, SPLIT_OPTION


@click.command("read")
@TABLE_ARGUMENT
@TARGET_OPTION
@POSITIVE_OPTION
@REGRESSION_OPTION
@in_panel(
    COMMON_PANEL,
    path_option(
        "--fix",
        "OUT",
        "Apply the first remedy of each fault and write the table here: .parquet, .csv, .tsv (also "
        ".gz) or .h5ad. The .toml beside it says what was done, and can be run again.",
    ),
)
@study_reading
@ALLOW_OPTION
@SPLIT_OPTION
@in_panel(RUN_PANEL, FORCE_OPTION, OUTPUT_OPTIONS, HELP_OPTION)
@click.pass_context
def command(
    context: click.Context,
    table: Path,
    fix: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Show how a study would read TABLE, and all faults that keep it from being read.

    TABLE is any file that `tamis study` reads; or the .toml of an earlier --fix, which is then done
    again. TABLE itself is never changed.
    """
    from .._core.files import write_text
    from .._core.outputs import OutputFile, starts_with
    from ..data import cleaned, read_table
    from ..data.written import check_written, is_written_for, table_ending, write_values
    from .study import reading_options

    options, account = reading_options(reading), None
    if cleaned.is_recipe(table):
        account = table
        earlier = cleaned.read_recipe(table)
        table, out = earlier.pop("table"), earlier.pop("fix")
        said = context.get_parameter_source
        given = {key: v for key, v in options.items() if said(key) is not ParameterSource.DEFAULT}
        fix, options = fix or out, reading_options({**earlier, **given})
    if fix is None:
        found = cleaned.Cleaned(read_table(table, **options), options)
    else:
        check_written(fix)
        recipe = fix.with_name(fix.name[: -len(table_ending(fix))] + ".toml")
        beside = [options.get("samples"), options.get("keep"), options.get("annotate")]
        for read in (table, *beside, *options.get("blocks", {}).values()):
            require_apart(fix, recipe, read)
        free_output(
            OutputFile("table of `tamis read`", is_written_for("read"), "--fix"), fix, force
        )
        own = OutputFile(
            "account of `tamis read`", starts_with(cleaned.FILE_HEAD.encode()), "--fix"
        )
        if recipe != account:
            free_output(own, recipe, force)
        found = cleaned.clean_table(table, options)
    data = found.data
    for note in data.notes:
        say_to_user(f"  {one_line(note)}", quiet)
    lines = _data_lines(data)
    if fix is not None:
        cleaned.check_held(data, fix)
        write_values(cleaned.frame_of(data, found.reading), fix, "read")
        for loss in cleaned.losses_by_writing(data, found.reading, fix):
            say_to_user(f"  {one_line(loss)}", quiet)
        write_text(recipe, cleaned.recipe_text(table, fix, found.reading, recipe))
        lines += [f"  fixed     {_mended_text(fault)}" for fault in found.done]
        lines += [f"  table     {fix}", f"  account   {recipe}"]
    content = {
        "table": str(table),
        "samples": data.shape[0],
        "features": len(data.ranked),
        "covariates": len(data.covariates),
        "categories": len(data.levels),
        "classes": {} if data.y is None else {c: int((data.y == c).sum()) for c in data.classes},
        "blocks": {name: len(columns) for name, columns in data.blocks.items()},
        "notes": [as_options(note) for note in data.notes],
        "mended": [_mended_text(fault) for fault in found.done],
        "out": "" if fix is None else str(fix),
    }
    print_result(content, as_json, *lines)


def _mended_text(fault: Any) -> str:
    """What was done about a fault, and what that was."""
    done = []
    for key, value in fault.remedy.items():
        option = f"--{key.replace('_', '-')}"
        values = value if isinstance(value, tuple) else (value,)
        if key == "long":  # one option of three values
            done.append(f"{option} {shlex.join(values)}")
            continue
        done += [option if one is True else f"{option} {shlex.quote(str(one))}" for one in values]
    what = re.split(r"[:;] ", one_line(str(fault)).removesuffix("."), maxsplit=1)[0]
    return f"{' '.join(done)}: {what}"


def _data_lines(data: Any) -> list[str]:
    """Size, classes and kinds of features."""
    from .._core.errors import counted_noun, listed_names, listed_parts, shorten_text

    n, (_, p), q = len(data.sample_names), data.shape, len(data.covariates)
    numbers = p - len(data.levels)
    lines = [
        f"{data.name}: {counted_noun(n, 'sample')}, {counted_noun(p - q, 'feature')}"
        + (f", {counted_noun(q, 'covariate')}" if q else ""),
        f"  samples   {listed_names(data.sample_names, 3)}",
        f"  columns   {numbers:,} of numbers, {p - numbers:,} of categories, as "
        f"{listed_names(data.feature_names, 3)}",
    ]
    if data.y is not None:
        counts = listed_parts(
            f"{shorten_text(c)} {int((data.y == c).sum()):,}" for c in data.classes
        )
        lines.insert(1, f"  classes   {shorten_text(data.target)}: {counts}")
    if data.numbers is not None:
        lines.insert(1, f"  number    {data.number_text()}")
    if data.blocks:
        blocks = listed_parts(
            f"{shorten_text(name)} {len(own):,}" for name, own in data.blocks.items()
        )
        lines.append(f"  blocks    {blocks}")
    return lines

"""`tamis look`: what a table holds, before any study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.terminal import say_to_user
from ._next_command import next_command
from ._shared import (
    FORCE,
    OUTPUT,
    TABLE,
    applied_options,
    as_options,
    free_output,
    one_line,
    path_option,
    print_result,
    study_reading,
)
from ._study_options import POSITIVE, SPLIT

OWN = ("out", "force", "as_json", "quiet")  # options that say nothing of the table
OUT = applied_options(
    path_option("--out", "DIR", "Result folder (default: tamis-look-TABLE here)."), FORCE
)


@click.command("look")
@TABLE
@click.option("--target", metavar="COL", help="Column of the class (default: no classes).")
@POSITIVE
@study_reading
@SPLIT
@OUT
@OUTPUT
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
    """Look at TABLE before it is studied: classes, missing values, what the numbers are, samples
    side by side, copies, principal components, and what a study would warn of.

    Nothing here estimates how well a class can be predicted. The folder gets a page, look.json,
    columns.tsv and samples.tsv.
    """
    from .._core.journal import Journal
    from ..data import read_table
    from ..look import look_at
    from ..look.files import FOLDER, write_look
    from ..report import write_look_page
    from ..study.many import table_stem
    from .study import reading_options

    options = reading_options(reading)
    folder = free_output(FOLDER, out or Path(f"tamis-look-{table_stem(table)}"), force)
    data = read_table(table, **options)
    for note in data.notes:
        say_to_user(f"  {one_line(note)}", quiet)
    context.with_resource(Journal(folder))  # nobody else can fill it meanwhile
    free_output(FOLDER, folder, force)
    found = look_at(data)
    then = next_command(context, "study", OWN)
    if data.y is None:
        then += " --target COLUMN"
    settings = {"table": str(table), **{name: _plain(value) for name, value in options.items()}}
    content = write_look(found, folder, settings, then)
    page = write_look_page(content, folder / "report.html")
    lines = [*map(as_options, found.summary().splitlines()), f"  report    {page}"]
    print_result(content, as_json, *lines, f"  next      {then}")


def _plain(value: Any) -> Any:
    """An option's value as JSON has it."""
    if isinstance(value, dict):
        return {name: str(path) for name, path in value.items()}
    return list(value) if isinstance(value, tuple) else str(value)

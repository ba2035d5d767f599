"""`tamis interact`: features that act together in a table, by any of the searches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .._core.terminal import say_to_user
from ._interact_options import (
    COMMON_HEADING,
    SearchOption,
    option_groups,
    parameters_as_options,
    search_options,
    settings_of,
)
from ._shared import (
    ALLOW_OPTION,
    ANNOTATE_OPTION,
    CATEGORICAL_OPTION,
    COMMON_PANEL,
    DATA_PANEL,
    DROP_OPTION,
    HELP_OPTION,
    ID_OPTION,
    KEEP_OPTION,
    LAYOUT_NAMES,
    LAYOUT_OPTIONS,
    OUTPUT_OPTIONS,
    RUN_PANEL,
    SAMPLES_OPTION,
    SEED_OPTION,
    TABLE_ARGUMENT,
    TARGET_OPTION,
    THREADS_OPTION,
    TRANSPOSE_OPTION,
    applied_options,
    as_options,
    if_exists,
    in_panel,
    one_line,
    path_option,
    print_result,
    refuse_genotypes,
)

if TYPE_CHECKING:
    from .._core.rows import SearchRow

HELP_TITLE = "Find features that act together (interactions) and separate the classes."
DEFAULT_SEARCH = "mcfs"  # the search that is made unless another is named
READING_PARAMETERS = (
    "target",
    "samples",
    "id",
    "transpose",
    "categorical",
    "drop",
    "keep",
    "annotate",
    *LAYOUT_NAMES,
    "allow",
)
OUT_OPTION = path_option(
    "--out", "DIR", "Result folder (default: tamis-interact-TABLE here, with the method behind it)."
)
READING_OPTIONS = in_panel(
    DATA_PANEL,
    SAMPLES_OPTION,
    ID_OPTION,
    TRANSPOSE_OPTION,
    CATEGORICAL_OPTION,
    DROP_OPTION,
    KEEP_OPTION,
    ANNOTATE_OPTION,
    LAYOUT_OPTIONS,
    ALLOW_OPTION,
)
RUN_OPTIONS = in_panel(
    RUN_PANEL,
    click.option("--resume", is_flag=True, help="Continue the search in the result folder."),
    THREADS_OPTION,
    OUTPUT_OPTIONS,
    HELP_OPTION,
)


class InteractCommand(click.RichCommand):
    """The command without options of searches, which are imported when it is called."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> Any:
        from .._core.registry import rows_of
        from .._core.rows import SearchRow

        made = make_command(rows_of(SearchRow), click.RichCommand)
        return made.make_context(info_name, args, *more, **extra)


# to refuse it in a line of its own
REFUSED_REGRESSION_OPTION = click.option("--regression", is_flag=True, hidden=True)


def make_command(rows: Sequence[SearchRow], kind: type[click.RichCommand]) -> Any:
    """The command with the options of some searches, and help of them."""
    options = search_options(rows)
    method = click.option(
        "--method",
        type=click.Choice([row.name for row in rows]),
        default=DEFAULT_SEARCH,
        show_default=True,
        help="; ".join(f"{row.name}: {row.title}" for row in rows) + ".",
    )
    searches = option_groups(options, rows)

    @click.command("interact", kind, help=_help_text(rows))
    @TABLE_ARGUMENT
    @TARGET_OPTION
    @REFUSED_REGRESSION_OPTION
    @in_panel(COMMON_PANEL, method, OUT_OPTION)
    @READING_OPTIONS
    @in_panel(COMMON_HEADING, SEED_OPTION)
    @applied_options(*(in_panel(name, *(o.made() for o in of)) for name, of in searches.items()))
    @RUN_OPTIONS
    def made(**given: Any) -> None:
        _run_interact(options, **given)

    return made


def _help_text(rows: Sequence[SearchRow]) -> str:
    """What the command does, what each search finds, and where an error is estimated."""
    if not rows:
        return HELP_TITLE
    from .._core.registry import row_names
    from .._core.rows import SelectingRow

    planned = row_names(SelectingRow)
    names = [row.name for row in rows if row.name in planned]
    found = "\n".join(f"{row.name}: {row.summary}" for row in rows)
    return (
        f"{HELP_TITLE}\n\n\b\n{found}\n\n"
        "All samples are used, so nothing here estimates an error. `tamis study` does, with "
        f"{_named_choices(names)} as its method. Categories and missing values are taken as they "
        "are."
    )


def _named_choices(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else "".join(names)


def _run_interact(
    options: Sequence[SearchOption],
    table: Path,
    method: str,
    out: Path | None,
    resume: bool,
    n_jobs: int,
    seed: int,
    as_json: bool,
    quiet: bool,
    regression: bool = False,
    **more: Any,
) -> None:
    """Read, search, write the page and print."""
    from .._core.errors import DataError, PlanError
    from .._core.inside import Inside
    from ..data import read_table
    from ..discovery import find_interactions
    from ..discovery.folder import SETTINGS_NAME
    from ..report import write_interactions
    from ..study.multi_dataset import table_stem
    from .study import reading_options, tell_size

    refuse_genotypes(table, "pairs")
    reading = {name: more.pop(name) for name in READING_PARAMETERS}
    settings = settings_of(method, more, options)
    if reading["target"] is None:
        raise click.UsageError("name the column of the class with --target")
    if regression:
        raise click.UsageError(
            "interactions are searched for among classes: give --target a column of classes, such "
            "as one cut at a threshold"
        )
    data = read_table(table, **reading_options(reading))
    plain = f"tamis-interact-{table_stem(table)}"
    folder = out or Path(plain if method == DEFAULT_SEARCH else f"{plain}-{method}")
    if resume and not Inside(folder, SETTINGS_NAME).exists():
        say_to_user(f"nothing to resume in {str(folder)!r}: it begins there", quiet)
    tell_size(data, quiet)
    for note in data.notes:
        say_to_user(f"  {one_line(note)}", quiet)
    try:
        found = find_interactions(
            data,
            folder,
            method=method,
            seed=seed,
            n_jobs=n_jobs,
            if_exists=if_exists(resume),
            quiet=quiet,
            **settings,
        )
    except (PlanError, DataError) as error:
        named = {one.settings[method].name: one.name for one in options if method in one.settings}
        raise type(error)(parameters_as_options(str(error), named)) from error
    content, page = found.to_dict(), Inside(folder, "report.html")
    write_interactions(content, page)
    for remark in content["remarks"]:
        say_to_user(f"  {as_options(remark)}", quiet)
    print_result(content, as_json, found.summary(), f"  report   {page}")


command = make_command((), InteractCommand)

"""Options that several commands share, and how results are printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from .._core.terminal import print_json, print_text, say_to_user
from ._option_words import as_options as as_options
from ._option_words import one_line as one_line

if TYPE_CHECKING:
    from .._core.outputs import OutputFile, OutputFolder
    from .._core.result_folder import IfExists
    from .._core.scheduler import Workers


def path_option(name: str, metavar: str, text: str, default: Path | None = None) -> Callable:
    """An option that names a file, or a folder (DIR)."""
    kind = click.Path(path_type=Path, file_okay=metavar != "DIR")
    return click.option(
        name, type=kind, metavar=metavar, default=default, show_default=True, help=text
    )


# headings of the help, in the order in which commands have them
COMMON_PANEL = "Most used"
DATA_PANEL = "Data"
FILE_PANEL = "Reading the file"
PROTOCOL_PANEL = "Protocol"
METHODS_PANEL = "Methods"
RUN_PANEL = "Run and output"
CODE_FOLDER = f"{__name__}.code"  # among what a context knows
# what commands call paths they write to
OUTPUT_PARAMETERS = ("out", "page", "report", "mapping_out", "errors", "save", "sheet", "fix")
FORCE_OPTION = click.option(
    "--force",
    is_flag=True,
    help="Overwrite what is there, except what the command reads and folders of other results.",
)


def free_output(kind: OutputFile | OutputFolder, path: Path, force: bool | None = None) -> Path:
    """A path that the running command may write to: not over what it reads, nor, without
    `force`, over what is not its own."""
    return kind.require_free(path, inputs_of(click.get_current_context()), force)


def require_apart(*paths: Path | None) -> None:
    """That no file is written twice."""
    given = [path.resolve() for path in paths if path is not None]
    if again := [path for k, path in enumerate(given) if path in given[:k]]:
        raise click.UsageError(f"{again[0].name!r} would be written twice: give each its own name")


def inputs_of(context: click.Context | None) -> Iterator[Path]:
    """All paths that a command was given to read, and files of the same cohorts."""
    from ..genome.readers.endings import cohort_files

    while context is not None:
        for name, value in context.params.items():
            if name not in OUTPUT_PARAMETERS:
                for path in _paths_in(value):
                    yield from cohort_files(path)
        if (code := context.meta.get(CODE_FOLDER)) is not None:
            yield code
        context = context.parent


def _paths_in(value: Any) -> Iterator[Path]:
    if isinstance(value, Path):
        yield value
    elif isinstance(value, str):  # FILE_PANEL or NAME=PATH,PATH; a mere word is a folder by chance
        if not os.path.isdir(value):  # also of a name too long for a path
            yield Path(value)
        parts = map(str.strip, value.partition("=")[2].split(","))
        yield from (Path(part) for part in parts if part)
    elif isinstance(value, Mapping):
        yield from _paths_in(tuple(value.values()))
    elif isinstance(value, tuple):
        for one in value:
            yield from _paths_in(one)


def number_option(name: str, text: str, least: int = 0, default: int | None = 0) -> Callable:
    """An option that is a whole number of at least so much."""
    kind = click.IntRange(min=least)
    return click.option(
        name, type=kind, metavar="NUMBER", default=default, show_default=True, help=text
    )


def choice_option(name: str, words: Sequence[str], text: str) -> Callable:
    """An option that is one of some words, by default the first."""
    return click.option(
        name, type=click.Choice(words), default=words[0], show_default=True, help=text
    )


def repeated_option(name: str, text: str, *key: str) -> Callable:
    """An option that names columns and may be given again; its value has this key, if one."""
    return click.option(name, *key, multiple=True, metavar="COL", help=f"{text} Repeatable.")


def applied_options(*options: Callable) -> Callable:
    """Several options as one decorator, in the order given."""

    def apply_options(function: Callable) -> Callable:
        for option in reversed(options):
            function = option(function)
        return function

    return apply_options


def in_panel(name: str, *options: Callable) -> Callable:
    """Several options as one decorator, under this heading of the help; those that have one
    already keep it."""

    def put_in_panel(function: Callable) -> Callable:
        n_others = len(vars(function).get("__click_params__", ()))
        decorated = applied_options(*options)(function)
        for option in vars(decorated)["__click_params__"][n_others:]:
            option.panel = option.panel or name
        return decorated

    return put_in_panel


def gathered_as(kind: type) -> Callable:
    """Give a command what the options say that `kind`, a dataclass, names, as `options`."""

    def gather_options(command: Callable) -> Callable:
        @wraps(command)
        def gathering(**given: Any) -> None:
            own = {one.name: given.pop(one.name) for one in fields(kind) if one.name in given}
            command(options=kind(**own), **given)

        return gathering

    return gather_options


TABLE_ARGUMENT = click.argument("table", type=click.Path(path_type=Path))
TABLES_ARGUMENT = click.argument(
    "tables", metavar="TABLE", type=click.Path(path_type=Path), nargs=-1, required=True
)
SAMPLES_OPTION = path_option(
    "--samples", "SHEET", "Table with the class and other columns of the samples, joined by id."
)
SEED_OPTION = number_option("--seed", "Seed of all random numbers.")
OUTPUT_OPTIONS = applied_options(
    click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
    click.option(
        "--quiet",
        is_flag=True,
        is_eager=True,  # other options make remarks
        help="No progress and no remarks on stderr.",
    ),
)
HELP_OPTION = click.help_option("--help", "-h")  # for commands that have headings


def checked_workers(ctx: click.Context, parameter: click.Parameter, value: int) -> int:
    if value == 0:
        raise click.BadParameter("0 workers can do nothing; use 1 or more, or -1 for one a core")
    return value


def useful_threads(ctx: click.Context, parameter: click.Parameter, value: int) -> int:
    """As many as are of use; a line says so if these are fewer. Workers of a scheduler are
    elsewhere, as many as there are."""
    n_jobs = checked_workers(ctx, parameter, value)
    if n_jobs < 2 or ctx.params.get("scheduler") is not None:  # known: its option is eager
        return n_jobs
    return announce_useful_jobs(n_jobs, bool(ctx.params.get("quiet")))


def announce_useful_jobs(n_jobs: int, quiet: bool, n_tasks: int | None = None) -> int:
    """As `useful_jobs`, for --n-jobs: a line on stderr if fewer are begun than it names."""
    from .._core.workers import fewer_jobs_text, useful_jobs

    useful = useful_jobs(n_jobs, n_tasks)
    if useful is None or n_jobs < 2 or useful == n_jobs:
        return n_jobs
    say_to_user(f"  --n-jobs {n_jobs}: {fewer_jobs_text(useful)}", quiet)
    return useful


N_JOBS = click.option(
    "--n-jobs",
    type=int,
    default=-1,
    show_default=True,
    callback=checked_workers,
    metavar="NUMBER",
    help="Worker processes; -1: one a core; 4 a core at most. Results do not depend on it.",
)
THREADS_OPTION = click.option(
    "--n-jobs",
    type=int,
    default=-1,
    show_default=True,
    callback=useful_threads,
    metavar="NUMBER",
    help="Threads; -1: one a core; 4 a core at most. Results do not depend on it.",
)


def scheduler_option(how: str, where: str) -> Callable:
    """The option that takes a command to a cluster."""
    return click.option(
        "--scheduler",
        metavar="ADDRESS",
        is_eager=True,  # --n-jobs is of no use with it
        help=f"Address of a Dask scheduler, such as tcp://host:8786: its workers compute {how}; "
        f"{where}. Results do not depend on it. Its port is open: whoever reaches it can run code "
        "as you, and without TLS (tls://) can read the table on its way (docs/plan.md).",
    )


def by_workers(scheduler: str | None, quiet: bool) -> AbstractContextManager[Workers | None]:
    """On the workers of a scheduler, if there is one."""
    from .._core.scheduler import on_scheduler

    return on_scheduler(scheduler, lambda text: say_to_user(text, quiet))


def open_code_folder(ctx: click.Context, parameter: click.Parameter, folder: Path | None) -> None:
    """Let plans and models name modules of a folder."""
    from .._core.own_code import code_folder

    if folder is not None:
        ctx.meta[CODE_FOLDER] = folder
        code_folder(str(folder.resolve()))


CODE_OPTION = click.option(
    "--code",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    callback=open_code_folder,
    expose_value=False,
    is_eager=True,
    help="Folder of your own code, which may then be imported and run.",
)
TRUST_OPTION = click.option(
    "--trust",
    multiple=True,
    metavar="TYPE",
    help="Type of your own code that the model may hold; its code then runs. Repeatable.",
)
ID_OPTION = click.option("--id", metavar="COL", help="Column of sample ids.")
TRANSPOSE_OPTION = click.option(
    "--transpose", is_flag=True, help="Features are in rows, samples in columns."
)
LAYOUT_NAMES = (
    "separator",
    "encoding",
    "decimal",
    "thousands",
    "sheet",
    "samples_sheet",
    "missing",
    "limits",
    "units",
    "duplicates",
    "long",
    "unify",
    "drop_unlabelled",
    "layer",
)
UNIFY_OPTION = in_panel(
    DATA_PANEL,
    repeated_option(
        "--unify",
        "Column of classes, groups, batches, folds or ids whose different spellings are written "
        "as the commonest.",
    ),
)
LAYOUT_OPTIONS = in_panel(
    FILE_PANEL,
    click.option("--separator", metavar="CHAR", help="Field delimiter (default: detected)."),
    click.option("--encoding", metavar="NAME", help="Text encoding (default: detected)."),
    click.option(
        "--decimal", type=click.Choice((".", ",")), help="Decimal mark (default: detected)."
    ),
    click.option("--thousands", metavar="CHAR", help="Thousands separator (default: none)."),
    click.option("--sheet", metavar="NAME", help="Sheet of a spreadsheet file, by name or number."),
    click.option("--samples-sheet", metavar="NAME", help="The same for the file of --samples."),
    click.option(
        "--missing",
        multiple=True,
        metavar="[COL=]VALUE",
        help="Value that means missing, such as -9, or in one column age=99. Repeatable.",
    ),
    click.option(
        "--limits",
        type=click.Choice(("value", "half", "missing")),
        help="Read a value such as '<0.5' as the limit, as half of it, or as missing.",
    ),
    click.option(
        "--units",
        type=click.Choice(("remove",)),
        help="Read '5 mg' as 5 in columns with a single unit.",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(("refuse", "first", "mean", "suffix")),
        help="Features of one name: refuse them, take the first or their mean, or number them "
        "(default: refuse).",
    ),
    click.option(
        "--long",
        nargs=3,
        metavar="ID FEATURE VALUE",
        help="Columns of samples, features and values of a table with one row per measurement.",
    ),
    UNIFY_OPTION,
    click.option(
        "--drop-unlabelled", is_flag=True, help="Leave out samples without a class, or a value."
    ),
    click.option(
        "--layer",
        metavar="NAME",
        help="Layer of an .h5ad or .h5mu file to read in place of X (raw: raw/X; BLOCK:NAME: of "
        "one block).",
    ),
)


TARGET_OPTION = in_panel(
    COMMON_PANEL,
    click.option(
        "--target",
        metavar="COL",
        help="Column to predict.",
    ),
)
REGRESSION_OPTION = in_panel(
    COMMON_PANEL,
    click.option(
        "--regression", is_flag=True, help="The column of --target is a number, not a class."
    ),
)
LOG_TARGET_OPTION = in_panel(
    COMMON_PANEL,
    click.option(
        "--log-target",
        is_flag=True,
        help="Predict the logarithm of that number; predictions of the model are medians of it.",
    ),
)
CATEGORICAL_OPTION = repeated_option("--categorical", "Column to read as categories.")
ALLOW_OPTION = in_panel(
    DATA_PANEL,
    repeated_option("--allow", "Column in which different spellings are different values."),
)
DROP_OPTION = repeated_option("--drop", "Column to leave out, or a pattern such as 'AFFX*'.")
ANNOTATE_OPTION = path_option(
    "--annotate", "FILE", "Table of feature ids and symbols; results then show the symbols."
)
KEEP_OPTION = path_option("--keep", "FILE", "Use only the features named in this file, one a line.")


def blocks_given(ctx: click.Context, parameter: click.Parameter, values: tuple) -> dict[str, Path]:
    """``NAME=TABLE``, given once or more, as a mapping."""
    found: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not (name and equals and path):
            raise click.BadParameter(f"{value!r}: give a name and a table, as in rna=rna.tsv")
        if name in found:
            raise click.BadParameter(f"two blocks are named {name!r}: choose another name")
        found[name] = Path(path)
    return found


BLOCKS_OPTIONS = applied_options(
    click.option(
        "--block",
        "blocks",
        multiple=True,
        metavar="NAME=TABLE",
        callback=blocks_given,
        help="Another table of the same samples, joined by id. Repeatable.",
    ),
    choice_option(
        "--incomplete", ("refuse", "drop"), "What to do with samples that a block lacks."
    ),
)
study_reading = in_panel(
    DATA_PANEL,
    in_panel(
        COMMON_PANEL,
        click.option(
            "--group",
            metavar="COL",
            help="Column of patients, families or sites: samples with the same value are never "
            "split between training and test.",
        ),
    ),
    SAMPLES_OPTION,
    ID_OPTION,
    TRANSPOSE_OPTION,
    click.option(
        "--batch",
        metavar="COL",
        help="Column of batches, as of one run or day: labels are permuted within them.",
    ),
    repeated_option(
        "--covariate",
        "Column that is kept in every model and never ranked; also a baseline of its own.",
        "covariates",
    ),
    CATEGORICAL_OPTION,
    DROP_OPTION,
    KEEP_OPTION,
    ANNOTATE_OPTION,
    BLOCKS_OPTIONS,
    LAYOUT_OPTIONS,
)


def refuse_genotypes(table: Path | None, command: str) -> None:
    """Name the command of `tamis genome` for genotypes that are given where tables are.

    Raises
    ------
    DataError
    """
    from .._core.errors import DataError
    from ..genome.readers.endings import is_genotypes

    if table is not None and is_genotypes(table):
        raise DataError(
            f"{table.name!r} is a genotype file: use `tamis genome {command}` (--pheno is its "
            "table of samples, --pheno-name the column of the class)"
        )


def print_result(content: Mapping[str, object], as_json: bool, *lines: str) -> None:
    """Lines, or the result as one JSON object, without what is there for pictures alone."""
    if as_json:
        print_json({name: value for name, value in content.items() if name != "picture"})
    else:
        print_text("\n".join(lines))


def if_exists(resume: bool) -> IfExists:
    """What --resume says of a result that is there."""
    return "resume" if resume else "refuse"


def duration_text(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

"""`tamis interact`: features that matter to trees, their graph and their rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import rich_click as click

from ._shared import (
    ID,
    SAMPLES,
    SEPARATOR,
    TABLE,
    TRANSPOSE,
    checked_workers,
    one_line,
    print_json,
    repeated_option,
    say_to_user,
)

GROUPS = [
    {
        "name": "Table",
        "options": [
            "--target",
            "--samples",
            "--id",
            "--transpose",
            "--categorical",
            "--drop",
            "--separator",
        ],
    },
    {"name": "Trees", "options": ["--m", "--s", "--t", "--balance", "--projections", "--seed"]},
    {"name": "Cut-off", "options": ["--cutoff", "--level", "--permutations"]},
    {"name": "Graph", "options": ["--top", "--meetings", "--max-ancestors"]},
    {"name": "Run", "options": ["--out", "--resume", "--n-jobs", "--json", "--quiet", "--help"]},
]
OPTION_OF = {"n_permutations": "permutations", "second_stage": "top"}  # others have their names


class NumberOrWord(click.ParamType):
    """A number, or one of some words."""

    def __init__(self, *words: str):
        self.name, self.words = "number", words

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str) or value in self.words:
            return value
        try:
            return int(value) if value.lstrip("+-").isdecimal() else float(value)
        except ValueError:
            allowed = " or ".join(repr(word) for word in self.words)
            raise click.BadParameter(f"{value!r} is no number; give one, or {allowed}") from None


def parameters_as_options(message: str) -> str:
    """A message with the command's options in place of parameters.

    Examples
    --------
    >>> parameters_as_options("n_permutations=5: level=0.05 needs more")
    '--permutations 5: --level 0.05 needs more'
    """

    def option(match: re.Match) -> str:
        name = match[1]
        return f"--{OPTION_OF.get(name, name).replace('_', '-')} "

    return re.sub(r"\b([a-z]+(?:_[a-z]+)*)=", option, message).replace("or None", "or none")


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
@click.option(
    "--m",
    type=NumberOrWord("sqrt"),
    default="sqrt",
    show_default=True,
    metavar="NUMBER",
    help="Features offered to a tree: a number, a share (0.1), or their root.",
)
@click.option(
    "--s",
    type=NumberOrWord("auto"),
    default="auto",
    show_default=True,
    metavar="NUMBER",
    help="Draws of so many features; auto offers each feature 100 times.",
)
@click.option(
    "--t",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    default=5,
    show_default=True,
    help="Trees of each draw.",
)
@click.option(
    "--balance",
    type=NumberOrWord("auto", "none"),
    default="auto",
    show_default=True,
    metavar="NUMBER",
    help="Train with at most so many times the samples of the smallest class; auto is 2 if the "
    "largest class is more than 5 times the smallest.",
)
@click.option(
    "--projections",
    type=click.Choice(["all", "auto"]),
    default="all",
    show_default=True,
    help="auto ends before --s draws where the ranking has settled.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    default=0,
    show_default=True,
    help="All random numbers follow from it.",
)
@click.option(
    "--cutoff",
    type=click.Choice(["permutations", "kmeans", "angle", "mean", "contrast"]),
    default="permutations",
    show_default=True,
    help="What is kept; only permutations is a test.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="NUMBER",
    default=0.05,
    show_default=True,
    help="Of permutations: probability of keeping anything where nothing is to be found.",
)
@click.option(
    "--permutations",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Runs with permuted classes (default: the fewest for the level, 19 for 0.05).",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    metavar="NUMBER",
    default=30,
    show_default=True,
    help="Features of the graph, drawn again together; 0: all, as they met.",
)
@click.option(
    "--meetings",
    type=click.IntRange(min=2),
    metavar="NUMBER",
    default=500,
    show_default=True,
    help="How often each two of them meet, on average.",
)
@click.option(
    "--max-ancestors",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Only so many splits above a split count as its antecedents (default: all).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Result folder (default: tamis-interact-TABLE here).",
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
    out: Path | None,
    resume: bool,
    n_jobs: int,
    seed: int,
    as_json: bool,
    quiet: bool,
    top: int,
    permutations: int | None,
    balance: Any,
    m: Any,
    s: Any,
    t: int,
    projections: str,
    cutoff: str,
    level: float,
    meetings: int,
    max_ancestors: int | None,
    **reading: Any,
) -> None:
    """Which features of TABLE tell the classes apart in thousands of small trees (Monte Carlo
    feature selection), which of them are split on below which, and the rules they make.

    All samples are looked at: for an honest error use `tamis study` with the method mcfs.
    Categories and missing values are taken as they are.
    """
    from numpy import bincount

    from .._core.errors import PlanError
    from ..data import read_table
    from ..data.class_heading import class_heading
    from ..discovery import find_interactions
    from ..discovery.folder import SETTINGS
    from ..report import write_interactions
    from ..study.many import table_stem
    from .study import reading_options

    if reading["target"] is None:
        raise click.UsageError("name the column of the class with --target")
    data = read_table(table, **reading_options(reading))
    folder = out or Path(f"tamis-interact-{table_stem(table)}")
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
            data,
            folder,
            seed=seed,
            n_jobs=n_jobs,
            resume=resume,
            quiet=quiet,
            m=m,
            s=s,
            t=t,
            projections=projections,
            cutoff=cutoff,
            level=level,
            n_permutations=permutations,
            balance=None if balance == "none" else balance,
            second_stage=top,
            meetings=meetings,
            max_ancestors=max_ancestors,
        )
    except PlanError as error:
        raise PlanError(parameters_as_options(str(error))) from error
    content, page = found.to_dict(), folder / "report.html"
    write_interactions(content, page)
    for remark in content["remarks"]:
        say_to_user(f"  {remark}", quiet)
    if as_json:
        print_json(content)
        return
    print(found.summary())
    print(f"  report   {page}")

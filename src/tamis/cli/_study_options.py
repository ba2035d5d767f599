"""Options that `tamis study` and `tamis genome study` share."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from ._part_options import PART_OPTIONS
from ._shared import (
    CODE_OPTION,
    COMMON_PANEL,
    DATA_PANEL,
    HELP_OPTION,
    METHODS_PANEL,
    N_JOBS,
    OUTPUT_OPTIONS,
    PROTOCOL_PANEL,
    RUN_PANEL,
    applied_options,
    gathered_as,
    in_panel,
    number_option,
    path_option,
    repeated_option,
    scheduler_option,
)

if TYPE_CHECKING:
    from .._core.parts import Part

GENOTYPES_PLAN = "mtd_forest"  # the ready plan of genotypes, where none is named


Step = str | dict[str, object]  # of a plan: its name, or a table


@dataclass(frozen=True)
class StudyOptions:
    """What the options say."""

    plan_file: Path | None
    prepare: tuple[Step, ...]
    folds: int | None
    holdout: bool
    metric: str | None
    recalibrate: str | None
    decide: str | None
    reject: str | None
    costs: dict[str, float] | str | None
    allow: tuple[str, ...]
    intervals: bool
    permutations: int | None
    seed: int | None
    out: Path | None
    n_jobs: int
    scheduler: str | None
    resume: bool
    part: Part | None
    join: tuple[Path, ...]
    dry_run: bool
    as_json: bool
    quiet: bool

    def of_genotypes(self) -> StudyOptions:
        """The same, with the plan of genotypes where none is named."""
        return replace(self, plan_file=self.plan_file or Path(GENOTYPES_PLAN))


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


def steps_said(
    ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[Step, ...]:
    """``--prepare log_cpm``, or a table as in a plan, ``{name = "log2", block = "rna"}``."""
    return tuple(_step_said(text.strip()) for text in given)


def _step_said(text: str) -> Step:
    if not text.startswith("{"):
        return text
    try:
        step: Step = tomllib.loads(f"step = {text}")["step"]
    except tomllib.TOMLDecodeError:
        raise click.BadParameter(
            f"{text!r} is no table of a plan: give the name of a step, or write "
            """'{name = "log2", block = "rna"}'"""
        ) from None
    return step


POSITIVE_OPTION = in_panel(
    COMMON_PANEL,
    click.option(
        "--positive", metavar="CLASS", help="The positive class (default: the last in order)."
    ),
)
SPLIT_OPTION = in_panel(
    PROTOCOL_PANEL,
    click.option("--split", metavar="COL", help="Column of outer folds, or of 'train' and 'test'."),
)
study_options = applied_options(
    in_panel(
        COMMON_PANEL,
        click.option(
            "--plan",
            "plan_file",
            type=click.Path(path_type=Path),
            metavar="PLAN.toml",
            help="Methods and protocol, in a file (docs/plan.md; `tamis methods` lists the "
            "methods); or a ready plan: thorough (many methods), mtd_forest, projection_knn, "
            "genome_approaches.",
        ),
        path_option("--out", "DIR", "Result folder (default: here, named after the data)."),
    ),
    in_panel(
        PROTOCOL_PANEL,
        number_option("--folds", "Folds of the outer cross-validation (default: 10).", 2, None),
        click.option(
            "--holdout", is_flag=True, help="One test set of 30 % in place of cross-validation."
        ),
        number_option(
            "--permutations",
            "Runs on permuted labels (default: 99; 0 in the ready plans of genotypes).",
            0,
            None,
        ),
        number_option("--seed", "Seed of all random numbers (default: 0).", 0, None),
        click.option(
            "--intervals",
            is_flag=True,
            help="Of a number: keep the models of the folds in the saved model, so that `tamis "
            "predict` gives prediction intervals (CV+).",
        ),
    ),
    in_panel(
        DATA_PANEL,
        repeated_option(
            "--allow",
            "Column that looks like a leak but is intended (docs/leaks.md), a pattern, or what is "
            "found of the table (preselected); a column in which different spellings are "
            "different values.",
        ),
    ),
    in_panel(
        METHODS_PANEL,
        click.option(
            "--prepare",
            multiple=True,
            callback=steps_said,
            metavar="STEP",
            help="Step before features are ranked, fitted in each training set, such as log_cpm "
            "or log2; written as in a plan, whose `prepare` it replaces. Repeatable, in order.",
        ),
        click.option(
            "--metric",
            metavar="NAME",
            help="Main score, for which methods are tuned, such as auc (default: the plan's, "
            "else bcr, the balanced accuracy; loss with costs).",
        ),
        click.option(
            "--recalibrate",
            metavar="NAME",
            help="Recalibration of probabilities, such as platt; none: the classifier's own "
            "(default: slope, fitted to inner held-out predictions).",
        ),
        click.option(
            "--decide",
            metavar="NAME",
            help="Rule that turns probabilities into classes (default: the best for the metric).",
        ),
        click.option(
            "--reject",
            metavar="NAME",
            help="Rule for abstaining on uncertain samples, such as f_beta (default: none).",
        ),
        click.option(
            "--cost",
            "costs",
            multiple=True,
            callback=costs_said,
            metavar="CLASS=NUMBER",
            help="Cost of an error on this class; or class_sizes. Costs by predicted class and of "
            "single samples stand in a plan. Repeatable.",
        ),
        CODE_OPTION,
    ),
    in_panel(
        RUN_PANEL,
        click.option(
            "--dry-run",
            is_flag=True,
            help="Print the full plan, the number of fits and their time; run nothing.",
        ),
        click.option("--resume", is_flag=True, help="Continue the study in the result folder."),
        PART_OPTIONS,
        N_JOBS,
        scheduler_option(
            "in place of --n-jobs", "the table is sent there, code of your own is not"
        ),
        OUTPUT_OPTIONS,
        HELP_OPTION,
    ),
    gathered_as(StudyOptions),
)

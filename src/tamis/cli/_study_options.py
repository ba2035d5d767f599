"""Options that `tamis study` and `tamis genome study` share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import rich_click as click

from ._shared import (
    CODE,
    N_JOBS,
    OUTPUT,
    applied_options,
    gathered_as,
    path_option,
    repeated_option,
    scheduler_option,
)

GENOTYPES = "mtd_forest"  # the ready plan of genotypes, where none is named


@dataclass(frozen=True)
class StudyOptions:
    """What the options say."""

    plan_file: Path | None
    folds: int | None
    holdout: bool
    metric: str | None
    decide: str | None
    reject: str | None
    costs: dict[str, float] | str | None
    allow: tuple[str, ...]
    permutations: int | None
    seed: int | None
    out: Path | None
    n_jobs: int
    scheduler: str | None
    resume: bool
    dry_run: bool
    as_json: bool
    quiet: bool

    def of_genotypes(self) -> StudyOptions:
        """The same, with the plan of genotypes where none is named."""
        return replace(self, plan_file=self.plan_file or Path(GENOTYPES))


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
study_options = applied_options(
    click.option(
        "--plan",
        "plan_file",
        type=click.Path(path_type=Path),
        metavar="PLAN.toml",
        help="Methods and protocol, see `tamis methods` and docs/plan.md; or the name of a ready "
        "plan: thorough (many methods), mtd_forest, projection_knn, genome_approaches.",
    ),
    click.option("--folds", type=click.IntRange(min=2), help="Outer folds (default: 10)."),
    click.option("--holdout", is_flag=True, help="One outer test set of 30 % in their place."),
    click.option(
        "--metric",
        metavar="NAME",
        help="Score that the study is about, such as auc (default: the plan's, else bcr; loss with "
        "costs).",
    ),
    click.option(
        "--decide",
        metavar="NAME",
        help="Rule that turns probabilities into labels (default: the best for the metric; for the "
        "balanced rate the class of largest probability beside its share).",
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
    repeated_option(
        "--allow", "This column looks like a leak and is meant (docs/leaks.md); patterns too."
    ),
    click.option("--permutations", type=click.IntRange(min=0), help="Runs with permuted labels."),
    click.option("--seed", type=click.IntRange(min=0), help="All random numbers follow from it."),
    path_option("--out", "DIR", "Result folder (default: tamis-TABLE here)."),
    CODE,
    N_JOBS,
    scheduler_option(
        "in the place of --n-jobs", "the table goes there from here, code of your own does not"
    ),
    click.option("--resume", is_flag=True, help="Continue the study in the result folder."),
    click.option(
        "--dry-run", is_flag=True, help="Print the resolved plan, fits and time; run nothing."
    ),
    OUTPUT,
    gathered_as(StudyOptions),
)

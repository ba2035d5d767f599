"""`tamis genome study`: the studies of `tamis study`, on genotypes in one file or several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from ._genome_options import (
    CLASS_OPTIONS,
    FILES_ARGUMENT,
    REGION_OPTIONS,
    cohort_name,
    in_options,
    open_part,
)
from ._shared import COMMON_PANEL, DATA_PANEL, UNIFY_OPTION, in_panel, repeated_option
from ._study_options import POSITIVE_OPTION, SPLIT_OPTION, StudyOptions, study_options
from .study import requested_plan, run_one


@click.command("study")
@FILES_ARGUMENT
@in_panel(COMMON_PANEL, CLASS_OPTIONS)
@POSITIVE_OPTION
@in_panel(
    COMMON_PANEL,
    click.option(
        "--group",
        metavar="COL",
        help="Column of --pheno, or FID for families: people with the same value are never split "
        "between training and test (default: families by the genotypes).",
    ),
)
@in_panel(
    DATA_PANEL,
    REGION_OPTIONS,
    click.option(
        "--relatives",
        type=click.Choice(["group", "ignore"]),
        default="group",
        show_default=True,
        help="Relatives up to the third degree by the genotypes: keep families together (with "
        "--group: say if it parts them), or do not look.",
    ),
    click.option(
        "--batch",
        metavar="COL",
        help="Column of batches that were genotyped together: labels are permuted within them.",
    ),
    repeated_option(
        "--covariate",
        "Column of --pheno, or sex, that is kept in every model and never ranked.",
        "covariates",
    ),
    UNIFY_OPTION,
)
@SPLIT_OPTION
@study_options
def study(
    files: tuple[Path, ...],
    pheno: Path | None,
    pheno_name: str | None,
    chromosome: str | None,
    region: str | None,
    options: StudyOptions,
    **columns: Any,
) -> None:
    """Find few variants of FILES that predict the class. Estimate how well they predict for
    new people, whether other people would have given the same variants, and what chance gives.

    Genotypes stay packed, two bits a call. Without --plan the study is `mtd_forest`: the variants
    of the largest mass transportation distance and a random forest, with and without quality
    control. --split, --group, --batch and --covariate name columns of --pheno.
    """
    from ..genome import genotype_dataset

    plan = requested_plan(options.of_genotypes(), columns["split"])
    genotypes = open_part(files, chromosome, region, options.quiet)
    with in_options(target="pheno_name", samples="pheno"):
        data = genotype_dataset(
            genotypes,
            pheno_name,
            samples=pheno,
            name=cohort_name(files),
            allow=options.allow,
            quiet=options.quiet,
            **columns,
        )
    run_one(data, plan, options, f"tamis-study-{data.name}")

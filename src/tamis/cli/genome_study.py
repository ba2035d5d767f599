"""`tamis genome study`: the studies of `tamis study`, on genotypes in one file or several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from ._genome_options import CLASSES, FILES, PARTS, cohort_name, in_options, open_part
from ._shared import repeated_option
from ._study_options import POSITIVE, SPLIT, StudyOptions, study_options
from .study import asked_plan, run_one


@click.command("study")
@FILES
@CLASSES
@POSITIVE
@PARTS
@repeated_option(
    "--covariate", "Column of --pheno, or sex: kept in every model, never ranked.", "covariates"
)
@click.option(
    "--group", metavar="COL", help='Samples of one value are never split; "FID": families.'
)
@click.option("--batch", metavar="COL", help="Genotyped together: labels are permuted inside it.")
@SPLIT
@study_options
def study(
    files: tuple[Path, ...],
    pheno: Path | None,
    pheno_name: str | None,
    chromosome: str | None,
    region: str | None,
    asked: StudyOptions,
    **columns: Any,
) -> None:
    """Which few variants of FILES predict the class, how well that will work on the next person,
    whether other people would have given the same variants, and what chance gives.

    Genotypes stay packed, two bits a call. Without --plan the study is `mtd_forest`: the variants
    of the largest mass transportation distance and a random forest, with and without quality
    control. --split, --group, --batch and --covariate name columns of --pheno.
    """
    from ..genome import genotype_dataset

    plan = asked_plan(asked.of_genotypes(), columns["split"])
    genotypes = open_part(files, chromosome, region, asked.quiet)
    with in_options(target="pheno_name", samples="pheno"):
        data = genotype_dataset(
            genotypes, pheno_name, samples=pheno, name=cohort_name(files), **columns
        )
    run_one(data, plan, asked, f"tamis-study-{data.name}")

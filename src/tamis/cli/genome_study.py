"""`tamis genome study`: the studies of `tamis study`, on genotypes in one file or several."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ._genome_options import CLASSES, FILES, PARTS, cohort_name
from ._shared import repeated_option
from .study import GENOTYPES, PLAN, POSITIVE, RUN, SPLIT, asked_plan, run_one


@click.command("study")
@FILES
@CLASSES
@POSITIVE
@PARTS
@repeated_option("--covariate", "Column of --pheno, or sex: kept in every model, never ranked.")
@click.option(
    "--group", metavar="COL", help='Samples of one value are never split; "FID": families.'
)
@click.option("--batch", metavar="COL", help="Genotyped together: labels are permuted inside it.")
@SPLIT
@PLAN
@RUN
def study(
    files: tuple[Path, ...],
    pheno: Path | None,
    pheno_name: str | None,
    positive: str | None,
    chromosome: str | None,
    region: str | None,
    covariate: tuple[str, ...],
    group: str | None,
    batch: str | None,
    split: str | None,
    plan_file: Path | None,
    out: Path | None,
    n_jobs: int,
    scheduler: str | None,
    resume: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    folds: int | None,
    holdout: bool,
    decide: str | None,
    reject: str | None,
    costs: dict[str, float] | str | None,
    permutations: int | None,
    seed: int | None,
) -> None:
    """Which few variants of FILES predict the class, how well that will work on the next person,
    whether other people would have given the same variants, and what chance gives.

    Genotypes stay packed, two bits a call. Without --plan the study is `mtd_forest`: the variants
    of the largest mass transportation distance and a random forest, with and without quality
    control. --split, --group, --batch and --covariate name columns of --pheno.
    """
    from ..genome import genotype_dataset, open_genotypes

    plan = asked_plan(
        plan_file or Path(GENOTYPES),
        {"seed": seed, "permutations": permutations, "costs": costs},
        {"decide": decide, "reject": reject},
        split,
        folds,
        holdout,
        quiet,
    )
    genotypes = open_genotypes(files, quiet=quiet)
    if chromosome is not None or region is not None:
        genotypes = genotypes.subset(chromosome=chromosome, region=region)
    data = genotype_dataset(
        genotypes,
        pheno_name,
        samples=pheno,
        positive=positive,
        covariates=covariate,
        group=group,
        split=split,
        batch=batch,
        name=cohort_name(files),
    )
    run_one(
        data,
        plan,
        out or Path(f"tamis-study-{data.name}"),
        n_jobs,
        scheduler,
        resume,
        dry_run,
        as_json,
        quiet,
    )

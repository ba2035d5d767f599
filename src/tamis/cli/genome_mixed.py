"""`tamis genome mixed`: a scan for cohorts of relatives or of several populations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import rich_click as click

from .._core.inside import Inside
from ._genome_covariates import COVARIATE_OPTIONS, FREQUENCY_OPTION, read_covar, say_left_out
from ._genome_options import (
    COHORT_OPTIONS,
    OUT_OPTIONS,
    QC_OPTION,
    RUN_OPTIONS,
    UNRELATED_OPTION,
    GenomeOptions,
    after_quality,
    free_folder,
    in_options,
    keep_others_out,
    open_cohort,
    settings_of,
)
from ._genome_parts import scan_or_part
from ._genome_relatives import look_at_relatives
from ._part_options import PART_OPTIONS
from ._shared import (
    SEED_OPTION,
    THREADS_OPTION,
    number_option,
    print_result,
    say_to_user,
)

MIN_CLASS_SIZE = 20  # samples of a class, below which a saddle point is rough
DUPLICATES_ADVICE = "their classes cannot differ by chance; leave one out (--unrelated 0)"
DUPLICATE_NUMBERS_ADVICE = "they are measured twice, not two people; leave one out (--unrelated 0)"


@click.command("mixed")
@COHORT_OPTIONS
@click.option(
    "--regression", is_flag=True, help="The phenotype is a number, not a class (0 is a value then)."
)
@click.option(
    "--log-target", is_flag=True, help="Test the natural logarithm of that number; BETA is of it."
)
@COVARIATE_OPTIONS
@number_option(
    "--draws",
    "Draws of phenotypes from the null model, for p-values among all variants (max-T); at least "
    "19, usually 1,000.",
)
@FREQUENCY_OPTION
@QC_OPTION
@UNRELATED_OPTION
@SEED_OPTION
@PART_OPTIONS
@THREADS_OPTION
@OUT_OPTIONS
@RUN_OPTIONS
def mixed(
    options: GenomeOptions,
    regression: bool,
    log_target: bool,
    covar: Path | None,
    covariates: tuple[str, ...],
    draws: int,
    frequency: float,
) -> None:
    """Test every variant of FILES for an additive effect, in a mixed model that allows for
    relatives and populations: on the odds of a class, or on a number (--regression).

    Relationships by all chromosomes but the variant's own are a random effect, so give the files
    of all; --chr and --region say which variants are tested. The folder gets mixed.tsv (CHR SNP BP
    A1 A2 FREQ BETA SE Z P; for a number T instead of Z), results.json and a page with a quantile
    plot.
    """
    from ..genome.blocks.calls import columns_of
    from ..genome.scans.mixed import PreparedMixed
    from ..genome.scans.mixed_files import FOLDER, write_mixed
    from ..report import write_mixed_page

    folder = free_folder(FOLDER, options)
    number = regression or log_target
    all_variants = replace(options, chromosome=None, region=None)
    cohort = open_cohort(all_variants, number=number, log=log_target)
    keep_others_out(FOLDER, folder, options)
    cohort, quality = after_quality(cohort, options, by_class=not number)
    advice = DUPLICATE_NUMBERS_ADVICE if number else DUPLICATES_ADVICE
    cohort, remarks = look_at_relatives(cohort, options, None, None, advice, classless=number)
    genotypes, scanned = cohort.genotypes, None
    if options.chromosome is not None or options.region is not None:
        with in_options(region="region", chromosome="chr"):
            some = genotypes.subset(chromosome=options.chromosome, region=options.region)
        scanned = columns_of(genotypes, some)
    values, names = read_covar(covar, covariates, genotypes, options.quiet)
    with in_options("draws", "frequency", "regression"):
        prepared = PreparedMixed.of(
            genotypes,
            cohort.labels,
            covariates=values,
            regression=number,
            samples=None,
            scanned=scanned,
            frequency=frequency,
            draws=draws,
            seed=options.seed,
            n_jobs=options.n_jobs,
            quiet=options.quiet,
        )
        chosen = {
            "regression": number,
            "log_target": log_target,
            "chromosome": options.chromosome,
            "region": options.region,
            "draws": draws,
            "covar": None if covar is None else str(covar),
            "covariates": names,
            "frequency": frequency,
            "seed": options.seed,
        }
        own = {key: value for key, value in chosen.items() if key != "covar"}  # has its path
        scan = scan_or_part(prepared, folder, options, own)
    if scan is None:
        return
    remarks += say_left_out(genotypes.shape[0] - int(scan.sizes.sum()), options.quiet)
    if not number and scan.sizes.min() < MIN_CLASS_SIZE:
        name = scan.classes[scan.sizes.argmin()]
        remark = (
            f"{name} has {scan.sizes.min():,} samples: P is rough where a class has fewer than "
            f"{MIN_CLASS_SIZE}; P_MAXT (--draws) comes from draws of as many."
        )
        say_to_user(remark, options.quiet)
        remarks.append(remark)
    settings = settings_of(cohort, options, **chosen, quality=quality)
    content = write_mixed(scan, folder, settings, remarks)
    page = write_mixed_page(content, cohort.name, Inside(folder, "report.html"))
    summary = f"{cohort.name}: {scan.summary()}"
    table = f"  table     {folder / 'mixed.tsv'}"
    print_result(content, options.as_json, summary, table, f"  report    {page}")

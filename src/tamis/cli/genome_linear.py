"""`tamis genome linear`: a scan of a number in unrelated people."""

from __future__ import annotations

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
from ._genome_relatives import look_at_relatives
from ._shared import THREADS_OPTION, print_result

OF_LINEAR = (
    "least squares treats them as independent, so too much is found; `tamis genome mixed "
    "--regression` takes them into account, --unrelated 3 leaves them out",
    "what differs between them is found too; give components as covariates, or use `tamis genome "
    "mixed --regression`",
    "leave one out (--unrelated 0)",
)


@click.command("linear")
@COHORT_OPTIONS
@click.option(
    "--log-target", is_flag=True, help="Test the natural logarithm of the number; BETA is of it."
)
@COVARIATE_OPTIONS
@FREQUENCY_OPTION
@QC_OPTION
@UNRELATED_OPTION
@THREADS_OPTION
@OUT_OPTIONS
@RUN_OPTIONS
def linear(
    options: GenomeOptions,
    log_target: bool,
    covar: Path | None,
    covariates: tuple[str, ...],
    frequency: float,
) -> None:
    """Test every variant of FILES for an additive effect on a number, by least squares with
    covariates.

    The phenotype is a number, of which 0 is a value. The folder gets linear.tsv (CHR SNP BP A1 A2
    FREQ NMISS BETA SE T P FDR_BH), results.json and a page with a quantile plot.
    """
    from ..genome.scans.linear import linear_scan
    from ..genome.scans.linear_files import FOLDER, write_linear
    from ..report import write_linear_page

    folder = free_folder(FOLDER, options)
    cohort = open_cohort(options, number=True, log=log_target)
    keep_others_out(FOLDER, folder, options)
    cohort, quality = after_quality(cohort, options, by_class=False)
    cohort, remarks = look_at_relatives(cohort, options, *OF_LINEAR, classless=True)
    values, names = read_covar(covar, covariates, cohort.genotypes, options.quiet)
    with in_options("frequency", "covariates"):
        scan = linear_scan(
            cohort.genotypes,
            cohort.labels,
            covariates=values,
            frequency=frequency,
            n_jobs=options.n_jobs,
            quiet=options.quiet,
        )
    remarks += say_left_out(cohort.genotypes.shape[0] - int(scan.sizes.sum()), options.quiet)
    settings = settings_of(
        cohort,
        options,
        log_target=log_target,
        chromosome=options.chromosome,
        region=options.region,
        covar=None if covar is None else str(covar),
        covariates=names,
        frequency=frequency,
        quality=quality,
    )
    content = write_linear(scan, folder, settings, remarks)
    page = write_linear_page(content, cohort.name, Inside(folder, "report.html"))
    table = f"  table     {folder / 'linear.tsv'}"
    summary = f"{cohort.name}: {scan.summary()}"
    print_result(content, options.as_json, summary, table, f"  report    {page}")

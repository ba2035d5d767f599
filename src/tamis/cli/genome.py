"""`tamis genome`: quality control, scans and projections of genotypes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.terminal import print_json, print_text, say_to_user
from ._genome_options import (
    CLASSES,
    FILES,
    LIMITS,
    OUT,
    OUTPUT,
    PARTS,
    QC,
    SCHEDULER,
    SEED,
    THREADS,
    after_quality,
    in_options,
    made_folder,
    open_cohort,
    print_content,
    say_unlisted,
    settings_of,
)
from ._shared import by_workers
from .genome_study import study


@click.group("genome")
def command() -> None:
    """Genotypes (.bed, .bgen, .vcf) of thousands of people: quality, scans, projections."""


@command.command("mtd")
@FILES
@CLASSES
@click.option(
    "--strata",
    metavar="COL",
    help='Column of --pheno with populations or centres, or "FID" for families: '
    "differences are taken inside each.",
)
@PARTS
@click.option(
    "--permutations",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Of the labels, for p-values; 19 are the least that say something, 1,000 are usual.",
)
@click.option(
    "--multiclass",
    type=click.Choice(["max", "mean"]),
    default="max",
    show_default=True,
    help="Over pairs of more than two classes.",
)
@QC
@SEED
@THREADS
@SCHEDULER
@OUT
@OUTPUT
def mtd(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, strata: str | None,
    chromosome: str | None, region: str | None, permutations: int, multiclass: str, qc: bool,
    seed: int, n_jobs: int, scheduler: str | None, out: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Score every variant of FILES by how differently its genotypes are distributed in the classes.

    Several files, such as one a chromosome, are one cohort if they have the same samples. The
    folder gets mtd.tsv (CHR SNP BP A1 A2 and scores), left_out.tsv, results.json and a page.
    """
    from ..genome import mtd_scan
    from ..genome.scan_files import write_scan
    from ..report import write_scan_page

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet, strata)
    folder, quality = made_folder(out or Path(f"tamis-mtd-{cohort.name}")), None
    with by_workers(scheduler, quiet), in_options("permutations"):
        if qc:
            cohort, quality = after_quality(cohort, n_jobs, quiet)
        scan = mtd_scan(
            cohort.genotypes, cohort.labels, strata=cohort.strata, multiclass=multiclass,
            permutations=permutations, seed=seed, n_jobs=n_jobs, quiet=quiet,
        )  # fmt: skip
    settings = settings_of(
        cohort, files, pheno, pheno_name, strata=strata, chromosome=chromosome, region=region,
        multiclass=multiclass, permutations=permutations, seed=seed, quality=quality,
    )  # fmt: skip
    content = write_scan(scan, folder, settings)
    page = write_scan_page(content, cohort.name, folder / "report.html")
    if as_json:
        print_content(content)
        return
    print_text(f"{cohort.name}: {scan.summary()}")
    print_text(f"  report    {page}")


@command.command("qc")
@FILES
@CLASSES
@PARTS
@LIMITS
@THREADS
@SCHEDULER
@OUT
@OUTPUT
def qc(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, chromosome: str | None,
    region: str | None, n_jobs: int, scheduler: str | None, out: Path | None, as_json: bool,
    quiet: bool, **limits: Any,
) -> None:  # fmt: skip
    """Look at the quality of every sample and variant of FILES, and say which to keep.

    The folder gets variants.tsv and samples.tsv (with the reason, if one is dropped),
    variants.keep and samples.keep for PLINK's --extract and --keep, quality.json and a page.
    Classes, if there are any, are for the controls and for the test of equally many missing calls.
    """
    from ..genome import quality_control
    from ..genome.quality_files import write_quality
    from ..report import write_quality_page

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet, classless=True)
    folder = made_folder(out or Path(f"tamis-qc-{cohort.name}"))
    with by_workers(scheduler, quiet):
        found = quality_control(
            cohort.genotypes, cohort.labels, **limits, n_jobs=n_jobs, quiet=quiet
        )
    settings = settings_of(
        cohort, files, pheno, pheno_name, chromosome=chromosome, region=region, **limits
    )
    content, unlisted = write_quality(found, folder, settings)
    say_unlisted(unlisted, "variants.keep", quiet)
    page = write_quality_page(content, cohort.name, folder / "report.html")
    if as_json:
        print_content(content)
        return
    print_text(f"{cohort.name}: {found.summary()}")
    if left := cohort.genotypes.n_file - cohort.genotypes.shape[0]:
        print_text(f"Not looked at, and in no list: {left:,} samples without a class.")
    print_text(f"  tables    {folder}")
    print_text(f"  report    {page}")


@command.command("pairs")
@FILES
@CLASSES
@PARTS
@click.option(
    "--by",
    type=click.Choice(["interaction", "score"]),
    default="interaction",
    show_default=True,
    help="What the best are best by.",
)
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="NUMBER",
    help="Best pairs.",
)
@click.option(
    "--permutations",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Of the labels, for p-values among all pairs; 19 are the least.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10_000_000_000,
    show_default=True,
    metavar="NUMBER",
    help="Pairs to look at, permuted scans counted too.",
)
@QC
@SEED
@THREADS
@SCHEDULER
@OUT
@OUTPUT
def pairs(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, chromosome: str | None,
    region: str | None, by: str, keep: int, permutations: int, most: int, qc: bool, seed: int,
    n_jobs: int, scheduler: str | None, out: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Score all pairs of variants of FILES exactly, and keep the best.

    Time grows with the square of the variants: name a --chr or --region, or thin them. The folder
    gets pairs.tsv (both variants, their score and interaction), pairs.json and a page.
    """
    from ..genome import pair_scan
    from ..genome.pairs_files import write_pairs
    from ..report import write_pairs_page

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet)
    folder, quality = made_folder(out or Path(f"tamis-pairs-{cohort.name}")), None
    with by_workers(scheduler, quiet), in_options("permutations", "most"):
        if qc:
            cohort, quality = after_quality(cohort, n_jobs, quiet)
        scan = pair_scan(
            cohort.genotypes, cohort.labels, by=by, keep=keep, permutations=permutations,
            seed=seed, n_jobs=n_jobs, most=most, quiet=quiet,
        )  # fmt: skip
    settings = settings_of(
        cohort, files, pheno, pheno_name, chromosome=chromosome, region=region, by=by, keep=keep,
        permutations=permutations, most=most, seed=seed, quality=quality,
    )  # fmt: skip
    content = write_pairs(scan, cohort.labels, folder, settings)
    page = write_pairs_page(content, cohort.name, folder / "report.html")
    if as_json:
        print_content(content)
        return
    print_text(f"{cohort.name}: {scan.summary()}")
    for line in scan.frame().head(5).itertuples():
        chance = f", p = {line.P_MAXT:.2g} among all" if permutations else ""
        print_text(
            f"  {line.SNP_1} ({line.CHR_1}:{line.BP_1:,}) x {line.SNP_2} ({line.CHR_2}:"
            f"{line.BP_2:,}): interaction {line.INTERACTION:.3f}, score {line.MTD:.3f}{chance}"
        )
    print_text(f"  table     {folder / 'pairs.tsv'}")
    print_text(f"  report    {page}")


@command.command("pca")
@FILES
@CLASSES
@PARTS
@click.option(
    "--n-components",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="NUMBER",
    help="The leading ones.",
)
@click.option(
    "--qc",
    is_flag=True,
    help="Quality control first, with the limits of `genome qc` but for equilibrium and classes.",
)
@SEED
@THREADS
@OUT
@OUTPUT
def pca(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, chromosome: str | None,
    region: str | None, n_components: int, qc: bool, seed: int, n_jobs: int, out: Path | None,
    as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Find the principal components of all samples of FILES: who is of like descent.

    Of autosomal variants that are not rare and not near copies of each other. The folder gets
    pca.eigenvec (FID IID PC1 ..., for PLINK's --covar), pca.eigenval, pca.prune.in (the variants),
    results.json and a page. Classes, if there are any, colour the page alone.
    """
    from ..genome import principal_components
    from ..genome.components_files import write_components
    from ..report import write_components_page

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet, classless=True,
                         everyone=True)  # fmt: skip
    quality = None
    if qc:
        cohort, quality = after_quality(cohort, n_jobs, quiet, by_class=False)
    folder = made_folder(out or Path(f"tamis-pca-{cohort.name}"))
    with in_options(k="n_components"):
        found = principal_components(
            cohort.genotypes, n_components, seed=seed, n_jobs=n_jobs, quiet=quiet
        )
    settings = settings_of(
        cohort, files, pheno, pheno_name, chromosome=chromosome, region=region,
        n_components=n_components, seed=seed, quality=quality,
    )  # fmt: skip
    content, unlisted = write_components(found, cohort.genotypes, folder, settings, cohort.labels)
    say_unlisted(unlisted, "pca.prune.in", quiet)
    page = write_components_page(content, cohort.name, folder / "report.html")
    if as_json:
        print_content(content)
        return
    print_text(f"{cohort.name}: {found.summary()}")
    print_text(f"  table     {folder / 'pca.eigenvec'}")
    print_text(f"  report    {page}")


@command.command("project")
@FILES
@PARTS
@click.option(
    "--n-components",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Columns of the result (default: as many as keep squared distances within --eps, "
    "Johnson and Lindenstrauss).",
)
@click.option(
    "--eps",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.1,
    show_default=True,
    help="By which squared distances may change, where no number of columns is given.",
)
@click.option(
    "--coding",
    type=click.Choice(["copies", "indicators"]),
    default="copies",
    show_default=True,
    help="A column a variant, or one for each of its genotypes.",
)
@SEED
@THREADS
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A Parquet table (default: tamis-project-NAME.parquet here).",
)
@OUTPUT
def project(
    files: tuple[Path, ...], chromosome: str | None, region: str | None, n_components: int | None,
    eps: float, coding: str, seed: int, n_jobs: int, out: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Project the variants of FILES on random signs: distances between people stay, columns shrink.

    The table has a row a sample (family, id, P1, P2, ...) and can be given to `tamis study`. No
    class is looked at; missing calls take the most frequent genotype among all samples.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from .._core.errors import plural
    from .._core.files import atomic
    from ..genome import RandomSignProjection, open_genotypes
    from ._genome_options import cohort_name

    genotypes = open_genotypes(files, quiet=quiet)
    if chromosome is not None or region is not None:
        genotypes = genotypes.subset(chromosome=chromosome, region=region)
    projection = RandomSignProjection(
        n_components=n_components or "auto",
        eps=eps,
        coding=coding,
        random_state=seed,
        n_jobs=n_jobs,
        quiet=quiet,
    )
    n, p = genotypes.shape
    say_to_user(f"{plural(n, 'sample')}, {plural(p, 'variant')}", quiet)
    with in_options("eps", "n_components"):
        values = projection.fit_transform(genotypes)
    path = out or Path(f"tamis-project-{cohort_name(files)}.parquet")
    samples = genotypes.samples
    table = pa.table({
        "family": list(samples.family), "id": list(samples.id),
        **{f"P{k + 1}": values[:, k] for k in range(values.shape[1])},
    })  # fmt: skip
    with atomic(path) as file:
        pq.write_table(table, file)
    k = values.shape[1]
    told = {
        "samples": n, "variants": p, "components": k, "coding": coding, "seed": seed,
        "table": str(path),
    }  # fmt: skip
    if as_json:
        print_json(told)
        return
    print_text(f"{n:,} samples x {p:,} variants -> {k:,} columns")
    print_text(f"  table     {path}")


command.add_command(study)

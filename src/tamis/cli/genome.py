"""`tamis genome`: quality control, scans and projections of genotypes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from ._genome_options import (
    CLASSES,
    FILES,
    LIMITS,
    OUT,
    OUTPUT,
    PARTS,
    QC,
    SEED,
    THREADS,
    after_quality,
    in_options,
    made_folder,
    open_cohort,
)
from ._shared import print_json, print_text, say_to_user


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
@OUT
@OUTPUT
def mtd(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, strata: str | None,
    chromosome: str | None, region: str | None, permutations: int, multiclass: str, qc: bool,
    seed: int, n_jobs: int, out: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Score every variant of FILES by how differently its genotypes are distributed in the classes.

    Several files, such as one a chromosome, are one cohort if they have the same samples. The
    folder gets mtd.tsv (CHR SNP BP A1 A2 and scores), left_out.tsv, results.json and a page.
    """
    from ..genome import mtd_scan
    from ..genome.scan_files import write_scan
    from ..report import write_scan_page

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet, strata)
    quality = None
    if qc:
        cohort, quality = after_quality(cohort, n_jobs, quiet)
    folder = made_folder(out or Path(f"tamis-mtd-{cohort.name}"))
    with in_options("permutations"):
        scan = mtd_scan(
            cohort.genotypes, cohort.labels, strata=cohort.strata, multiclass=multiclass,
            permutations=permutations, seed=seed, n_jobs=n_jobs, quiet=quiet,
        )  # fmt: skip
    settings = {
        "files": [str(file) for file in files], "pheno": str(pheno) if pheno else None,
        "pheno_name": pheno_name, "strata": strata, "chromosome": chromosome, "region": region,
        "multiclass": multiclass, "permutations": permutations, "seed": seed, "quality": quality,
    }  # fmt: skip
    content = write_scan(scan, folder, settings)
    page = write_scan_page(content, cohort.name, folder / "report.html")
    if as_json:
        print_json({k: v for k, v in content.items() if k != "picture"})
        return
    print_text(f"{cohort.name}: {scan.summary()}")
    print_text(f"  report    {page}")


@command.command("qc")
@FILES
@CLASSES
@PARTS
@LIMITS
@THREADS
@OUT
@OUTPUT
def qc(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, chromosome: str | None,
    region: str | None, n_jobs: int, out: Path | None, as_json: bool, quiet: bool, **limits: Any,
) -> None:  # fmt: skip
    """Look at the quality of every sample and variant of FILES, and say which to keep.

    The folder gets variants.tsv and samples.tsv (with the reason, if one is dropped), and
    variants.keep and samples.keep for PLINK's --extract and --keep. Classes, if there are any, are
    for the controls and for the test of equally many missing calls.
    """
    from .._core.files import write_json, write_text
    from ..genome import quality_control
    from ..genome.scan_files import write_table

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet, classless=True)
    folder = made_folder(out or Path(f"tamis-qc-{cohort.name}"))
    found = quality_control(cohort.genotypes, cohort.labels, **limits, n_jobs=n_jobs, quiet=quiet)
    variants, people = found.frame(), found.samples_frame()
    write_table(variants, folder / "variants.tsv")
    write_table(people, folder / "samples.tsv")
    names, kept = variants["id"][found.kept], people[found.kept_samples]
    shared = names.isin(variants["id"][~found.kept]) | (names == ".")
    if shared.any():
        say_to_user(
            f"{shared.sum():,} variants that are kept share their id with one that is not: they "
            "are not in variants.keep, which names ids", quiet,
        )  # fmt: skip
    write_text(folder / "variants.keep", "".join(f"{name}\n" for name in names[~shared]))
    lines = zip(kept["family"], kept["id"], strict=True)
    write_text(folder / "samples.keep", "".join(f"{family}\t{name}\n" for family, name in lines))
    content = found.to_dict()
    write_json(folder / "quality.json", content)
    if as_json:
        print_json(content)
        return
    print_text(f"{cohort.name}: {found.summary()}")
    if left := cohort.genotypes.n_file - len(people):
        print_text(f"Not looked at, and in no list: {left:,} samples without a class.")
    print_text(f"  tables    {folder}")


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
@OUT
@OUTPUT
def pairs(
    files: tuple[Path, ...], pheno: Path | None, pheno_name: str | None, chromosome: str | None,
    region: str | None, by: str, keep: int, permutations: int, most: int, qc: bool, seed: int,
    n_jobs: int, out: Path | None, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Score all pairs of variants of FILES exactly, and keep the best.

    Time grows with the square of the variants: name a --chr or --region, or thin them. The folder
    gets pairs.tsv (both variants, their score and interaction) and pairs.json.
    """
    from .._core.files import write_json
    from ..genome import pair_scan
    from ..genome.scan_files import write_table

    cohort = open_cohort(files, pheno, pheno_name, chromosome, region, quiet)
    if qc:
        cohort, _ = after_quality(cohort, n_jobs, quiet)
    folder = made_folder(out or Path(f"tamis-pairs-{cohort.name}"))
    with in_options("permutations", "most"):
        scan = pair_scan(
            cohort.genotypes, cohort.labels, by=by, keep=keep, permutations=permutations,
            seed=seed, n_jobs=n_jobs, most=most, quiet=quiet,
        )  # fmt: skip
    table = scan.frame()
    write_table(table, folder / "pairs.tsv")
    content = {
        "variants": cohort.genotypes.shape[1], "samples": cohort.genotypes.shape[0], "by": by,
        "permutations": permutations, "seed": seed, "pairs": table.to_dict("records"),
    }  # fmt: skip
    write_json(folder / "pairs.json", content)
    if as_json:
        print_json(content)
        return
    print_text(f"{cohort.name}: {scan.summary()}")
    for line in table.head(5).itertuples():
        chance = f", p = {line.P_MAXT:.2g} among all" if permutations else ""
        print_text(
            f"  {line.SNP_1} ({line.CHR_1}:{line.BP_1:,}) x {line.SNP_2} ({line.CHR_2}:"
            f"{line.BP_2:,}): interaction {line.INTERACTION:.3f}, score {line.MTD:.3f}{chance}"
        )
    print_text(f"  table     {folder / 'pairs.tsv'}")


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

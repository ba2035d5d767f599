"""`tamis genome`: scans of genotypes."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from ._shared import checked_workers, print_json, say_to_user


@click.group("genome")
def command() -> None:
    """Scan genotypes: PLINK's .bed, a million variants of thousands of people."""


@command.command("mtd")
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option(
    "--pheno",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Classes: PLINK's phenotype file, or any table with a column IID "
    "(default: the phenotype of the .fam).",
)
@click.option("--pheno-name", metavar="COL", help="Column of the classes (default: the first).")
@click.option(
    "--strata",
    metavar="COL",
    help='Column of --pheno with populations or centres, or "FID" for families: '
    "differences are taken inside each.",
)
@click.option("--chr", "chromosome", metavar="NAME", help="One chromosome (22 or chr22; 23 is X).")
@click.option("--region", metavar="CHR:FIRST-LAST", help="One region, both ends included.")
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
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="All random numbers follow from it.",
)
@click.option(
    "--n-jobs",
    type=int,
    default=-1,
    show_default=True,
    callback=checked_workers,
    metavar="NUMBER",
    help="Threads; -1 is one a core. Results do not depend on it.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Result folder (default: tamis-mtd-NAME here).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress and no remarks on stderr.")
def mtd(
    files: tuple[Path, ...],
    pheno: Path | None,
    pheno_name: str | None,
    strata: str | None,
    chromosome: str | None,
    region: str | None,
    permutations: int,
    multiclass: str,
    seed: int,
    n_jobs: int,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Score every variant of FILES by how differently its genotypes are distributed in the classes.

    Several files, such as one a chromosome, are one cohort if they have the same samples. The
    folder gets mtd.tsv (CHR SNP BP A1 A2 and scores), left_out.tsv, results.json and a page.
    """
    from .._core.errors import PlanError
    from ..genome import mtd_scan, open_genotypes
    from ..genome.phenotypes import read_phenotypes
    from ..genome.scan_files import write_scan
    from ..report import write_scan_page

    genotypes = open_genotypes(files)
    if chromosome is not None or region is not None:
        genotypes = genotypes.subset(chromosome=chromosome, region=region)
    name = files[0].stem + (f"-and-{len(files) - 1}-more" if len(files) > 1 else "")
    labels = groups = None
    if pheno is not None:
        read = read_phenotypes(pheno, genotypes.samples, pheno_name)
        labels = read.labels
        lost = sum(label is None for label in labels)
        if lost or read.unknown:
            say_to_user(
                f"{pheno.name}, {read.column}: {lost:,} samples have none and are left out, "
                f"{read.unknown:,} rows are no sample",
                quiet,
            )
    elif pheno_name is not None:
        raise PlanError("--pheno-name names a column of --pheno FILE: give that too")
    if strata == "FID":
        groups = genotypes.samples.family
    elif strata is not None:
        if pheno is None:
            raise PlanError("--strata names a column of --pheno FILE (or is FID): give that too")
        groups = read_phenotypes(pheno, genotypes.samples, strata).labels
        unknown = [label is None for label in groups]
        if any(unknown):
            if labels is None:
                raise PlanError(f"--strata {strata}: some samples have none")
            labels[unknown] = None
            groups[unknown] = ""
    scan = mtd_scan(
        genotypes,
        labels,
        strata=groups,
        multiclass=multiclass,
        permutations=permutations,
        seed=seed,
        n_jobs=n_jobs,
        quiet=quiet,
    )
    folder = out or Path(f"tamis-mtd-{name}")
    settings = {
        "files": [str(file) for file in files],
        "pheno": str(pheno) if pheno else None,
        "pheno_name": pheno_name,
        "strata": strata,
        "chromosome": chromosome,
        "region": region,
        "multiclass": multiclass,
        "permutations": permutations,
        "seed": seed,
    }
    content = write_scan(scan, folder, settings)
    page = write_scan_page(content, name, folder / "report.html")
    if as_json:
        print_json({k: v for k, v in content.items() if k != "picture"})
        return
    print(f"{name}: {scan.summary()}")
    print(f"  report    {page}")

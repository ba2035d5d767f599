"""`tamis genome clump`: significant variants put together by linkage disequilibrium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rich_click as click

from .._core.inside import Inside
from ._genome_options import (
    FILES_ARGUMENT,
    OUT_OPTIONS,
    REGION_OPTIONS,
    RUN_OPTIONS,
    GenomeOptions,
    cohort_name,
    free_folder,
    in_options,
    keep_others_out,
    open_part,
)
from ._shared import THREADS_OPTION, applied_options, path_option, print_result, say_to_user

TABLE_ARGUMENT = click.argument("table", type=click.Path(path_type=Path))
LIMIT_DEFAULTS = (
    ("--p1", 1e-4, "Index variants have this p-value at most."),
    ("--p2", 0.01, "Members with a smaller p-value are listed by name."),
    ("--r2", 0.5, "Members have a larger squared correlation with their index variant."),
)
RULE_OPTIONS = applied_options(
    *(
        click.option(
            name,
            type=click.FloatRange(0, 1),
            metavar="NUMBER",
            default=default,
            show_default=True,
            help=text,
        )
        for name, default, text in LIMIT_DEFAULTS
    ),
    click.option(
        "--kb",
        type=click.FloatRange(0, min_open=True),
        metavar="NUMBER",
        default=250,
        show_default=True,
        help="Members are nearer to it than so many thousand base pairs.",
    ),
)


@click.command("clump")
@TABLE_ARGUMENT
@FILES_ARGUMENT
@click.option(
    "--p",
    "p",
    metavar="COL",
    help="Column of p-values in TABLE, or of -log10 p, as LOG10P (default: found).",
)
@click.option("--snp", metavar="COL", help="Column of variants' ids in TABLE (default: found).")
@click.option(
    "--test",
    metavar="NAME",
    help="Rows of TABLE with this in its column TEST (default: ADD, if there are any).",
)
@RULE_OPTIONS
@path_option("--genes", "FILE", "Tell the nearest genes: a GTF, or a BED with their names.")
@REGION_OPTIONS
@THREADS_OPTION
@OUT_OPTIONS
@RUN_OPTIONS
def clump(
    options: GenomeOptions,
    table: Path,
    p: str | None,
    snp: str | None,
    test: str | None,
    genes: Path | None,
    **rules: Any,
) -> None:
    """Put the significant variants of TABLE into clumps: which of them are one signal.

    TABLE has p-values of variants, such as mtd.tsv or PLINK's .assoc; FILES have the genotypes that
    tell which variants are in linkage disequilibrium. The rules are those of `plink1.9 --clump`.
    The folder gets clumps.tsv (with PLINK's columns), results.json and a page.
    """
    from .._core.errors import listed_names
    from ..genome import clump_variants, read_genes, read_p_values
    from ..genome.readers.endings import is_genotypes
    from ..genome.scans.clump_files import FOLDER, write_clumps
    from ..report import write_clumps_page

    if is_genotypes(table):
        raise click.UsageError(
            f"{table.name!r} holds genotypes: name the table of p-values first, then FILES"
        )
    folder = free_folder(FOLDER, options)
    with in_options("p", "snp", "test"):
        read = read_p_values(table, p, snp, test)
    annotation = None if genes is None else read_genes(genes)
    genotypes = open_part(options.files, options.chromosome, options.region, options.quiet)
    keep_others_out(FOLDER, folder, options)
    if (read.p, read.snp) != (p or "P", snp or "SNP"):
        say_to_user(f"{table.name}: p-values of {read.p}, variants of {read.snp}", options.quiet)
    if len(read.tests) > 1:
        those = f"those of {read.test} count" if read.test else "all count, as in PLINK"
        say_to_user(
            f"{table.name}: rows of several tests ({listed_names(read.tests, 3)}): {those}; --test "
            "names one",
            options.quiet,
        )
    with in_options(*rules):
        found = clump_variants(
            genotypes, read.ids, read.values, **rules, n_jobs=options.n_jobs, quiet=options.quiet
        )
    if annotation is not None:
        found = found.with_genes(annotation)
    settings = {
        "table": str(table),
        "p": read.p,
        "snp": read.snp,
        "test": read.test,
        "files": [str(file) for file in options.files],
        "chromosome": options.chromosome,
        "region": options.region,
        **rules,
        "genes": None if genes is None else str(genes),
    }
    content = write_clumps(found, genotypes, folder, settings)
    name = cohort_name(options.files)
    page = write_clumps_page(content, name, Inside(folder, "report.html"))
    summary, file = f"{name}: {found.summary()}", f"  table     {folder / 'clumps.tsv'}"
    print_result(content, options.as_json, summary, file, f"  report    {page}")

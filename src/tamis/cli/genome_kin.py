"""`tamis genome kin`: kinship of all pairs of people, and the families they make up."""

from __future__ import annotations

from math import inf

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
    keep_others_out,
    open_part,
)
from ._shared import THREADS_OPTION, print_result


@click.command("kin")
@FILES_ARGUMENT
@REGION_OPTIONS
@click.option(
    "--degree",
    type=click.IntRange(1, 3),
    metavar="DEGREE",
    default=3,
    show_default=True,
    help="People related up to this degree are of one family.",
)
@click.option(
    "--all-pairs",
    is_flag=True,
    help="List all pairs, as plink2 does (default: those of relatives).",
)
@click.option(
    "--grm",
    is_flag=True,
    help="Write the genomic relationship matrix too, as GCTA's kin.grm.bin, .N.bin and .id (of "
    "frequent variants, pruned).",
)
@THREADS_OPTION
@OUT_OPTIONS
@RUN_OPTIONS
def kin(options: GenomeOptions, degree: int, all_pairs: bool, grm: bool) -> None:
    """Find relatives, duplicates and twins among all samples of FILES (KING-robust).

    By all variants of the autosomes. The folder gets kin.tsv (pairs, with the columns of plink2's
    --make-king-table, and the relation), families.tsv (FID IID FAMILY MEMBERS: families as groups
    of a study), unrelated.keep (people of whom no two are related, for PLINK's --keep),
    results.json and a page.
    """
    from ..genome import find_relatives, relationship_matrix
    from ..genome.structure.relatives_files import FOLDER, write_relationships, write_relatives
    from ..genome.structure.relatives_words import relatives_sentences
    from ..report import write_relatives_page

    folder = free_folder(FOLDER, options)
    genotypes = open_part(options.files, options.chromosome, options.region, options.quiet)
    keep_others_out(FOLDER, folder, options)
    found = find_relatives(
        genotypes, least=-inf if all_pairs else None, n_jobs=options.n_jobs, quiet=options.quiet
    )
    settings: dict[str, object] = {
        "files": [str(file) for file in options.files],
        "chromosome": options.chromosome,
        "region": options.region,
        "degree": degree,
        "all_pairs": all_pairs,
        "grm": grm,
    }
    content = write_relatives(found, folder, settings, degree)
    if grm:
        matrix, n = relationship_matrix(genotypes, n_jobs=options.n_jobs, quiet=options.quiet)
        write_relationships(matrix, n, genotypes.samples, folder)
    name = cohort_name(options.files)
    page = write_relatives_page(content, name, Inside(folder, "report.html"))
    lines = [f"{name}: {line}" for line in relatives_sentences(content)[:1]]
    lines += [f"  {line}" for line in relatives_sentences(content)[1:]]
    lines += [
        f"  pairs     {folder / 'kin.tsv'}",
        f"  families  {folder / 'families.tsv'}",
        f"  unrelated {folder / 'unrelated.keep'}",
        f"  report    {page}",
    ]
    print_result(content, options.as_json, *lines)

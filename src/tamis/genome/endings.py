"""How names of files of genotypes end; nothing else is loaded to know that."""

from __future__ import annotations

from pathlib import Path

FILES = (".bed", ".bgen", ".vcf", ".vcf.gz", ".bcf")  # one a cohort
ENDINGS = (*FILES, ".bim", ".fam")


def is_genotypes(path: Path) -> bool:
    """Whether a file's name says so; one of PLINK's three stands for all.

    Examples
    --------
    >>> is_genotypes(Path("chr1.vcf.gz")), is_genotypes(Path("table.csv.gz"))
    (True, False)
    """
    return path.name.lower().endswith(ENDINGS)

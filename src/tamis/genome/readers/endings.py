"""How names of files of genotypes end; nothing else is loaded to know that."""

from __future__ import annotations

from pathlib import Path

COHORT_ENDINGS = (".bed", ".pgen", ".bgen", ".vcf", ".vcf.gz", ".bcf")  # one a cohort
BED_ENDINGS = (".bed", ".bim", ".fam")  # each stands for all, and so do those of plink2
PGEN_ENDINGS = (".pgen", ".pvar", ".pvar.zst", ".psam")
GENOTYPE_ENDINGS = tuple(dict.fromkeys((*COHORT_ENDINGS, *BED_ENDINGS, *PGEN_ENDINGS)))
COMPANION_ENDINGS = (
    *GENOTYPE_ENDINGS,
    ".sample",
    ".bgen.bgi",
    ".vcf.gz.tbi",
    ".vcf.gz.csi",
    ".bcf.csi",
)


def cohort_files(path: Path) -> list[Path]:
    """Names under which what belongs to a cohort may lie, the path's own among them.

    Examples
    --------
    >>> [file.name for file in cohort_files(Path("gc.fam"))][:2]
    ['gc.fam', 'gc.bed']
    """
    if not path.name:
        return [path]
    ending = next((e for e in COMPANION_ENDINGS if path.name.lower().endswith(e)), "")
    stem = path.name[: len(path.name) - len(ending)]
    return [path, *(path.with_name(stem + e) for e in COMPANION_ENDINGS)]


def is_genotypes(path: Path) -> bool:
    """Whether a file's name says so; one of PLINK's three stands for all, whichever PLINK.

    Examples
    --------
    >>> is_genotypes(Path("chr1.vcf.gz")), is_genotypes(Path("table.csv.gz"))
    (True, False)
    """
    return path.name.lower().endswith(GENOTYPE_ENDINGS)

"""Open files of genotypes by what they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ..._core.errors import DataError
from .bed import Bed
from .bgen import MIN_CALL_PROBABILITY, Bgen
from .endings import BED_ENDINGS, PGEN_ENDINGS
from .genotypes import Genotypes
from .pgen import Pgen
from .source import Source
from .vcf import Vcf

SOURCES_BY_ENDING: Mapping[str, Callable[[Path, float | None, bool], Source]] = {
    ".bed": lambda path, call, quiet: Bed(path),
    ".pgen": lambda path, call, quiet: Pgen(path),
    ".bgen": Bgen,
    ".vcf": lambda path, call, quiet: Vcf(path, quiet),
    ".vcf.gz": lambda path, call, quiet: Vcf(path, quiet),
    ".bcf": lambda path, call, quiet: Vcf(path, quiet),
}


def open_genotypes(
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    call: float | None = MIN_CALL_PROBABILITY,
    quiet: bool = True,
) -> Genotypes:
    """Open genotypes; of a .bed, .pgen and BGEN no genotype is read, a VCF or BCF is read in full.

    Parameters
    ----------
    path : path or iterable of paths
        A .bed (with its .bim and .fam), a .pgen (with its .pvar or .pvar.zst and its .psam; needs
        the library pgenlib), a .bgen (with its .sample, if there is one), a .vcf, .vcf.gz or .bcf.
        The common name of PLINK's three files will do, without an ending. Several files of the same
        samples, such as one a chromosome, are one cohort, in the order given.
    call : float or None, default=0.9
        Of a BGEN: a genotype is called if its probability is the largest and at least this; None:
        if it is the largest. Calls of other formats are theirs.
    quiet : bool, default=True
        Show no progress of what takes more than two seconds.

    Returns
    -------
    Genotypes

    Raises
    ------
    DataError
        A file is missing, is damaged or is something else; samples are not those of the first file;
        `call` is no probability.
    MissingExtraError
        A .pgen is to be read, and pgenlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=100)
    ...     genotypes = open_genotypes(f"{folder}/made.bed")
    ...     genotypes.shape, genotypes.calls(slice(0, 2)).shape
    ((50, 100), (50, 2))
    """
    paths = [path] if isinstance(path, str | os.PathLike) else list(path)
    if not paths:
        raise DataError("no file of genotypes was named")
    sources: dict[Path, Source] = {}
    for one in paths:  # of PLINK's three files each stands for all, whichever PLINK
        source = _open_one(Path(one), call, quiet)
        sources.setdefault(source.path.resolve(), source)
    if len(sources) < len(paths) and not _are_plink_triples(paths):
        raise DataError("a file of genotypes is named twice")
    return Genotypes(tuple(sources.values()))


def _are_plink_triples(paths: list[Any]) -> bool:
    """Whether names that are one file are those of PLINK's three."""
    return len({str(Path(one)) for one in paths}) == len(paths)


def _open_one(path: Path, call: float | None, quiet: bool) -> Source:
    name = path.name.lower()
    for three in (BED_ENDINGS, PGEN_ENDINGS):
        for ending in three:
            if name.endswith(ending):
                stem = path.name[: -len(ending)]
                return SOURCES_BY_ENDING[three[0]](path.with_name(stem + three[0]), call, quiet)
    for known in SOURCES_BY_ENDING:
        if name.endswith(known):
            return SOURCES_BY_ENDING[known](path, call, quiet)
    for known in (BED_ENDINGS[0], PGEN_ENDINGS[0]):
        beside = Path(f"{path}{known}")  # also of a folder, which may have no name
        if beside.is_file():
            return SOURCES_BY_ENDING[known](beside, call, quiet)
    known = ", ".join(SOURCES_BY_ENDING)
    if path.is_file():
        raise DataError(f"{path.name!r}: genotypes are read from {known}")
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; genotypes are read from {known}")
    raise DataError(f"there is no {str(path)!r}; genotypes are read from {known}")

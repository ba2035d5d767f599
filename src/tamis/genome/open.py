"""Open files of genotypes by what they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from .._core.errors import DataError
from .bed import ENDINGS, Bed
from .genotypes import Genotypes
from .source import Source

FORMATS: Mapping[str, Callable[[Path], Source]] = {".bed": Bed}


def open_genotypes(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Genotypes:
    """Open genotypes; nothing but the head and the names of samples is read.

    Parameters
    ----------
    path : path or iterable of paths
        A .bed (with its .bim and .fam; their common name without an ending will do). Several files
        of the same samples, such as one a chromosome, are one cohort, in the order given.

    Returns
    -------
    Genotypes

    Raises
    ------
    DataError
        A file is missing, is damaged or is something else; samples are not those of the first file.

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
    return Genotypes(tuple(_open_one(Path(one)) for one in paths))


def _open_one(path: Path) -> Source:
    ending = path.suffix.lower()
    if ending in ENDINGS:
        return Bed(path.with_suffix(".bed"))
    if ending in FORMATS:
        return FORMATS[ending](path)
    beside = path.with_name(path.name + ".bed")
    if beside.is_file():
        return Bed(beside)
    known = ", ".join(FORMATS)
    if path.is_file():
        raise DataError(f"{path.name!r}: genotypes are read from {known}")
    raise DataError(f"there is no {str(path)!r}; genotypes are read from {known}")

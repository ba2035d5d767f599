"""CEL files of one type of array, with its probe sets: read one at a time, in the order given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from .._core.errors import DataError, listed_names, shorten_text
from .._core.progress import Progress
from ..data.written import table_ending
from .reading.cdf import read_cdf
from .reading.cdf_file import CdfFile
from .reading.cel import read_cel
from .reading.cel_file import CelFile

CEL_PATTERN = re.compile(r"\.cel(\.gz)?\Z", re.IGNORECASE)
ACCESSION_PATTERN = re.compile(r"GSM\d+(?=\D|\Z)")


def cel_files(paths: Iterable[str | Path]) -> list[Path]:
    """CEL files of a list in which folders stand for those inside them, by name.

    Raises
    ------
    DataError
        There is none, a folder has none, or a file is not there or is an archive.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if CEL_PATTERN.search(file.name))
            if odd := [file.name for file in inside if not file.is_file()]:
                raise DataError(
                    f"{odd[0]!r} in folder {str(path)!r} is no regular file: delete it, or give "
                    "the CEL files by name"
                )
            if not inside:
                deeper = {
                    str(file.parent) for file in path.glob("*/*") if CEL_PATTERN.search(file.name)
                }
                more = f": give the folders inside it, {listed_names(sorted(deeper), 2)}"
                raise DataError(
                    f"folder {str(path)!r} holds no file .CEL or .CEL.gz{more if deeper else ''}"
                )
            found += inside
        elif path.suffix.lower() in (".tar", ".tgz", ".zip"):
            raise DataError(f"{path.name!r} is an archive: unpack it into a folder and give that")
        elif not path.exists():
            raise DataError(f"no such file or folder: {str(path)!r}")
        elif ending := table_ending(path):
            raise DataError(
                f"{path.name!r} is a table by its ending {ending}, and CEL files or folders of "
                "them are needed: a table that is made already is given to `tamis study`"
            )
        else:
            found.append(path)
    if not found:
        raise DataError("no CEL files are given")
    return found


def sample_names(files: Iterable[Path]) -> list[str]:
    """Names of files without their endings; GEO's accessions alone, if all begin with one and
    no two with the same.

    Examples
    --------
    >>> sample_names([Path("GSM1_a.CEL.gz"), Path("GSM2_b.CEL.gz")])
    ['GSM1', 'GSM2']
    >>> sample_names([Path("a.cel"), Path("GSM2_b.cel")])
    ['a', 'GSM2_b']
    """
    names = [CEL_PATTERN.sub("", file.name) for file in files]
    short = [found[0] if (found := ACCESSION_PATTERN.match(name)) else "" for name in names]
    if all(short) and len(set(short)) == len(short):
        return short
    if again := [name for name, times in Counter(names).items() if times > 1]:
        raise DataError(
            f"two files are named {shorten_text(again[0])!r}: give each array its own name"
        )
    return names


@dataclass(frozen=True)
class CelArrays:
    """Files of arrays of one type.

    Attributes
    ----------
    files : tuple of Path
    names : tuple of str
        Of the samples, see `sample_names`.
    cdf : CdfFile
    quiet : bool
        No progress on stderr.
    """

    files: tuple[Path, ...]
    names: tuple[str, ...]
    cdf: CdfFile
    quiet: bool = True

    @classmethod
    def of(cls, paths: Iterable[str | Path], cdf: str | Path | CdfFile, quiet: bool = True) -> Self:
        """Of files and folders, and a CDF or its file."""
        if isinstance(paths, str | Path):
            paths = [paths]
        files = cel_files(paths)
        names = sample_names(files)
        known = cdf if isinstance(cdf, CdfFile) else read_cdf(cdf)
        return cls(tuple(files), tuple(names), known, quiet)

    def __len__(self) -> int:
        return len(self.files)

    def perfect_matches(self) -> Iterator[np.ndarray]:
        """Those of each array (n_probes,).

        Raises
        ------
        DataError
            A file is damaged, or of another type than the first or the CDF.
        """
        for cel in read_arrays(self.files, self.quiet):
            yield self.cdf.intensities(cel)[0]


def other_type(cdf: CdfFile, chip_type: str) -> list[str]:
    """Warnings if a CDF does not seem to be of the arrays' type; [] otherwise.

    Chips of one shape, as HG-U133A and B, are distinguished by their names alone. A custom CDF
    begins with the name of the chip (HGU133A_Hs_ENTREZG).

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> other_type(SimpleNamespace(chip_type="hgu133a_Hs_ENTREZG"), "HG-U133A")
    []
    >>> len(other_type(SimpleNamespace(chip_type="HG-U133B"), "HG-U133A"))
    1
    """
    ours, theirs = (re.sub(r"[\W_]+", "", name).lower() for name in (cdf.chip_type, chip_type))
    if not ours or not theirs or ours.startswith(theirs):
        return []
    return [
        f"The CDF is of {shorten_text(cdf.chip_type)!r}, and the arrays are of type "
        f"{shorten_text(chip_type)!r}: values mean nothing if it is of another chip. Check --cdf."
    ]


def read_arrays(files: Iterable[Path], quiet: bool = True) -> Iterator[CelFile]:
    """The arrays of files, of one type, one at a time, with progress on stderr.

    Raises
    ------
    DataError
        A file is damaged, or of another type than those before it.
    """
    files = list(files)
    known, first = "", (0, 0)
    with Progress(len(files), "reading arrays", quiet) as progress:
        for at, file in enumerate(files):
            cel = read_cel(file)
            chip, shape = cel.chip_type, (cel.n_rows, cel.n_columns)
            if at == 0:
                first = shape
            if (chip and known and chip != known) or shape != first:
                raise DataError(
                    f"{file.name!r} is an array of type {_described_array(chip, shape)}, those "
                    f"before it of {_described_array(known, first)}: take each type by itself and "
                    "put the tables of genes together (`merge_platforms`)"
                )
            known = known or chip  # some files do not say it
            yield cel
            progress.advance()


def _described_array(chip: str, shape: tuple[int, int]) -> str:
    return f"{chip or 'unknown'} with {shape[0]:,} x {shape[1]:,} cells"

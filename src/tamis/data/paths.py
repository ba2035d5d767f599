"""Paths that a user gives: what there is, and what else may have been meant."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .._core.errors import DataError, counted_noun, nearest_name, shorten_text
from .formats.kinds import READABLE_FORMATS

T = TypeVar("T")
TABLE_ENDINGS = (
    ".csv",
    ".tsv",
    ".tab",
    ".txt",
    ".parquet",
    ".arff",
    ".h5ad",
    ".h5mu",
    ".csv.gz",
    ".tsv.gz",
    ".xlsx",
    ".xls",
    ".ods",
    ".gct",
    ".gct.gz",
    ".raw",
)


def same_file(a: str | os.PathLike[str], b: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to one file."""
    try:
        return Path(a).resolve() == Path(b).resolve()
    except (OSError, ValueError):  # no path at all
        return False


def existing_path(path: str | os.PathLike[str], or_folder: bool = False) -> Path:
    """The path of a file with something in it.

    Raises
    ------
    DataError
        There is none, or something else.
    """
    path = Path(path)
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise _no_such_file(path) from None
    except (OSError, ValueError) as error:  # a name that is too long, or has a NUL
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {shorten_text(path)!r}: {reason}") from error
    if stat.S_ISDIR(kind) and or_folder:
        return path
    if stat.S_ISDIR(kind):
        raise DataError(f"{shorten_text(path)!r} is a folder; give a file: {READABLE_FORMATS}")
    if not stat.S_ISREG(kind):
        raise DataError(
            f"{shorten_text(path)!r} is a pipe or a device, which can be read only once; save "
            "what it gives in a file first"
        )
    if path.stat().st_size == 0:
        raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
    return path


def _no_such_file(path: Path) -> DataError:
    folder = path.parent
    if not folder.is_dir():
        return DataError(f"there is no folder {shorten_text(folder)!r}")
    where = f"the folder {shorten_text(folder.resolve())!r}"
    try:
        beside = sorted(folder.iterdir())
        tables = sum(p.name.lower().endswith(TABLE_ENDINGS) and p.is_file() for p in beside)
        hint = f"{where} holds {counted_noun(tables, 'table')}" + (
            ", none with a similar name" * bool(tables)
        )
    except OSError as error:
        beside, hint = [], f"{where} cannot be read: {error.strerror}"
    stems = {_table_stem(p.name): p.name for p in beside}  # of a folder of tables, too
    close = nearest_name(_table_stem(path.name), stems)
    if close is not None:
        hint = f"did you mean {shorten_text(stems[close])!r}?"
    return DataError(f"there is no file {shorten_text(path)!r}; {hint}")


def _table_stem(name: str) -> str:
    """A file's name without the ending of a table."""
    return re.sub(r"(\.[a-z0-9]{1,7})?(\.gz)?$", "", name, count=1, flags=re.IGNORECASE) or name


def read_beside(path: str | os.PathLike[str], read: Callable[[Path], T]) -> T:
    """What a file beside the table says."""
    try:
        return read(existing_path(path))
    except OSError as error:
        raise DataError(f"cannot read {shorten_text(path)!r}: {error.strerror or error}") from error

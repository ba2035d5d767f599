"""Where a command may write: what it reads is never replaced, nor what is not its own.

A file or folder that is there may be replaced if it holds what the same command writes, so that a
command can be run again. Anything else needs `force`, by which a person says so; inputs, and
folders of another result, are refused even then.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import StoreError, listed_names
from .files import file_at
from .inside import Inside, named_file, open_number
from .journal import JOURNAL_NAME
from .result_folder import has_version, names_in, read_object


@dataclass(frozen=True)
class OutputFile:
    """A file that a command writes.

    Parameters
    ----------
    noun : str
        What it holds, for messages: "predictions of Tamis".
    is_ours : callable
        Whether the file at a path holds that.
    option : str
        What names the path on the command line.
    endings : tuple of str
        One of which the name of a new one has, so that what it is for opens it; none: any name.
    """

    noun: str
    is_ours: Callable[[Path], bool]
    option: str = "--out"
    endings: tuple[str, ...] = ()

    def require_free(
        self, path: Path, inputs: Iterable[Path] = (), force: bool | None = None
    ) -> Path:
        """The path, if it may be written; `force` is None where there is no such option.

        Raises
        ------
        StoreError
            It is one of `inputs` by whatever name, or lies in one and holds something else; cannot
            be written; is a link in the folder of a study; holds something else and `force` is
            off; or is new and has another ending.
        """
        _refuse_inputs([path], inputs, self.is_ours, self.option)
        there = file_at(named_file(path))
        if there is None:
            self._require_ending(path)
            return path
        if not stat.S_ISREG(there.st_mode) or open_number(path) is not None:
            return path
        if there.st_size and not (force or self.is_ours(path)):
            raise StoreError(
                f"{str(path)!r} exists and holds no {self.noun}: choose another {self.option}"
                + ("" if force is None else ", or replace it with --force")
            )
        return path

    def _require_ending(self, path: Path) -> None:
        if self.endings and path.suffix.lower() not in self.endings:
            raise StoreError(
                f"{str(path)!r} would hold a {self.noun}: give {self.option} a name that ends in "
                f"{self.endings[0]}"
            )


@dataclass(frozen=True)
class OutputFolder:
    """A folder that a command fills.

    Parameters
    ----------
    noun : str
        What it holds, for messages: "result of `tamis genome qc`".
    record : str
        The JSON file that says so.
    kind : str
        What the record has as its `kind`.
    tables : sequence of str
        What is written there beside the record and the page.
    """

    noun: str
    record: str
    kind: str
    tables: Sequence[str]

    @property
    def files(self) -> list[str]:
        """All files that are written there."""
        return [*self.tables, self.record, "report.html"]

    def require_free(
        self, folder: Path, inputs: Iterable[Path] = (), force: bool | None = None
    ) -> Path:
        """The folder, if it may be filled: it is new, empty, or holds such a result.

        Raises
        ------
        StoreError
            It holds another result; or something else, and `force` is off; or one of `inputs`
            would be replaced.
        """
        outputs = [folder / name for name in self.files]
        _refuse_inputs(outputs, inputs, lambda _: self._is_ours(folder))
        for name in self.files:
            Inside(folder, name).exists()
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{str(folder)!r} is no folder: choose another --out")
        foreign = [name for name in names_in(folder) if name != JOURNAL_NAME]
        if not foreign or self._is_ours(folder):
            return folder
        if results := [name for name in foreign if _is_result(Inside(folder, name))]:
            raise StoreError(
                f"{str(folder)!r} holds another result ({listed_names(results, 3)}) and no "
                f"{self.noun}: choose another --out"
            )
        if not force:
            raise StoreError(
                f"{str(folder)!r} is not empty ({listed_names(foreign, 3)}) and holds no "
                f"{self.noun}: choose another --out"
                + ("" if force is None else ", or fill it with --force")
            )
        return folder

    def _is_ours(self, folder: Path) -> bool:
        try:
            record = read_object(Inside(folder, self.record), self.noun)
        except StoreError:
            return False
        if record is None:  # one that was killed leaves its journal
            return {JOURNAL_NAME} < {*names_in(folder)} <= {JOURNAL_NAME, *self.files}
        return record.get("kind") == self.kind


def starts_with(*marks: bytes) -> Callable[[Path], bool]:
    """Whether a file begins with one of the marks."""
    return lambda path: _head_of(path).startswith(marks)


def is_page_with(mark: bytes) -> Callable[[Path], bool]:
    """Whether a file is a page in HTML with the mark near its beginning."""

    def is_ours(path: Path) -> bool:
        head = _head_of(path)
        return head.lstrip().startswith(b"<!doctype html>") and mark in head

    return is_ours


def _head_of(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(4096)
    except OSError:
        return b""


def _is_result(place: Inside) -> bool:
    """Whether a file is a record of a study, a search or a scan: it has the version."""
    if place.path.suffix != ".json":
        return False
    try:
        return has_version(read_object(place, "a result"))
    except StoreError:
        return False


def _refuse_inputs(
    outputs: Sequence[Path],
    inputs: Iterable[Path],
    is_ours: Callable[[Path], bool],
    option: str = "--out",
) -> None:
    """By the file itself, for it may have several names; also all in a folder that is read but
    what is the command's own."""
    read = [(path, found) for path in inputs if (found := _stat_or_none(path)) is not None]
    for output in outputs:
        there = _stat_or_none(output)
        if there is None:
            continue
        content = stat.S_ISREG(there.st_mode) and there.st_size > 0
        for path, found in read:
            how = None
            if os.path.samestat(there, found):
                how = "" if output == path else f" as {str(path)!r}"
            elif content and stat.S_ISDIR(found.st_mode) and _lies_in(output, path):
                how = None if is_ours(output) else f" in {str(path)!r}"
            if how is not None:
                raise StoreError(
                    f"{str(output)!r} would be written over, and this command reads it{how}: "
                    f"choose another {option}"
                )


def _lies_in(path: Path, folder: Path) -> bool:
    return any(os.path.samefile(one, folder) for one in Path(os.path.realpath(path)).parents)


def _stat_or_none(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None

"""Where a command may write: what it reads is never replaced, nor what is not its own.

A file or folder that is there may be replaced if it holds what the same command writes, so that a
command can be run again. Anything else needs `force`, by which a person says so; inputs are
refused even then.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import StoreError, listing
from .files import file_at, open_number
from .journal import JOURNAL
from .result_folder import names_in, read_object


@dataclass(frozen=True)
class OutputFile:
    """A file that a command writes.

    Parameters
    ----------
    noun : str
        What it holds, for messages: "predictions of Tamis".
    is_ours : callable
        Whether the file at a path holds that.
    """

    noun: str
    is_ours: Callable[[Path], bool]

    def require_free(
        self, path: Path, inputs: Iterable[Path] = (), force: bool | None = None
    ) -> Path:
        """The path, if it may be written; `force` is None where there is no such option.

        Raises
        ------
        StoreError
            It is one of `inputs` by whatever name, cannot be written, or holds something else and
            `force` is off.
        """
        _refuse_inputs([path], inputs)
        there = file_at(path)
        if there is None or not stat.S_ISREG(there.st_mode) or open_number(path) is not None:
            return path
        if there.st_size and not (force or self.is_ours(path)):
            raise StoreError(
                f"{str(path)!r} exists and holds no {self.noun}: choose another --out"
                + ("" if force is None else ", or replace it with --force")
            )
        return path


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
            It holds something else and `force` is off, or one of `inputs` would be replaced.
        """
        _refuse_inputs([folder / name for name in self.files], inputs)
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{str(folder)!r} is no folder: choose another --out")
        if force or not folder.is_dir():
            return folder
        foreign = [name for name in names_in(folder) if name != JOURNAL]
        if foreign and not self._is_ours(folder):
            raise StoreError(
                f"{str(folder)!r} is not empty ({listing(foreign, 3)}) and holds no {self.noun}: "
                "choose another --out" + ("" if force is None else ", or fill it with --force")
            )
        return folder

    def _is_ours(self, folder: Path) -> bool:
        try:
            record = read_object(folder / self.record, self.noun)
        except StoreError:
            return False
        if record is None:  # one that was killed leaves its journal
            return {JOURNAL} < {*names_in(folder)} <= {JOURNAL, *self.files}
        return record.get("kind") == self.kind


def starts_with(*marks: bytes, within: int = 4096) -> Callable[[Path], bool]:
    """Whether a file begins with one of the marks, or has it near its beginning."""

    def is_ours(path: Path) -> bool:
        try:
            with open(path, "rb") as file:
                head = file.read(within)
        except OSError:
            return False
        return any(mark in head for mark in marks)

    return is_ours


def _refuse_inputs(outputs: Sequence[Path], inputs: Iterable[Path]) -> None:
    """By the file itself, for it may have several names."""
    read = [(path, found) for path in inputs if (found := _stat(path)) is not None]
    for output in outputs:
        there = _stat(output)
        for path, found in read:
            if there is not None and os.path.samestat(there, found):
                raise StoreError(
                    f"{str(output)!r} would be written over, and this command reads it"
                    f"{'' if output == path else f' as {str(path)!r}'}: choose another --out"
                )


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None

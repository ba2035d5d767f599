"""A folder that holds one result: claimed once, resumable, each file in it complete or absent.

What the result is made of is in records, small JSON files. They are written before anything
else, and the last one claims the folder: until it is there, a process was killed in between.
Whoever works there has its journal, and with it the folder, alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Literal, Self

from .checked_json import parsed_json
from .errors import PlanError, StoreError, listed_names, printable_text, shorten_text, value_text
from .files import PARTIAL_ENDING, unwritable_file_error, write_bytes, write_json
from .inside import MOST_TEXT, Inside
from .journal import JOURNAL_NAME, Journal, has_only_owners

IfExists = Literal["refuse", "resume", "overwrite"]
IF_EXISTS_CHOICES: tuple[IfExists, ...] = ("refuse", "resume", "overwrite")


class ResultFolder:
    """A folder of a kind of result; each kind is a subclass.

    Parameters
    ----------
    folder : path

    Attributes
    ----------
    noun : str
        What such a folder holds, as messages have it: it holds a ``noun``.
    joined_noun : str
        What its parts are joined to, where it holds one (`parts`).
    origin : str
        What its files are of: not of ``origin``.
    record_files : tuple of str
        Records in the order in which they are written.
    own_files : tuple of str
        Patterns of what is written beside them, and is deleted where it is overwritten.
    other_folder : str
        The way out where it holds another result, as the last words of messages.
    """

    noun: ClassVar[str] = "result"
    joined_noun: ClassVar[str] = "study"
    origin: ClassVar[str] = "a result"
    record_files: ClassVar[tuple[str, ...]] = ()
    own_files: ClassVar[tuple[str, ...]] = ()
    other_folder: str = "choose another folder with --out"

    def __init__(self, folder: str | os.PathLike[str]):
        self.folder = Path(folder)
        self._journal: Journal | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    @property
    def quoted(self) -> str:
        """The path, for messages."""
        return repr(str(self.folder))

    def inside(self, path: str) -> Inside:
        """A file of the folder, to be read or written through no link."""
        return Inside(self.folder, path)

    def claim(
        self, records: Mapping[str, Mapping[str, object]], if_exists: IfExists
    ) -> dict[str, dict[str, object]] | None:
        """Write the records if the folder is free; else give those that it was begun with.

        A result that is overwritten is deleted first, but for its records, which the new ones
        replace: if that is interrupted, it is an unfinished result like any other.

        From then on nobody else can, until `release` or the end of this process.

        Parameters
        ----------
        records : mapping of file to content
            All of `record_files`.
        if_exists : {"refuse", "resume", "overwrite"}
            What to do in a folder that was claimed before.

        Returns
        -------
        dict or None
            File -> content ({} if there is no such file); None if the folder was free, or is now.

        Raises
        ------
        StoreError
            It holds something else, or such a result that is neither to be resumed nor
            overwritten, or somebody works there, or it cannot be read or written. Nothing in it
            has been changed, but for a line in its journal.
        """
        if if_exists not in IF_EXISTS_CHOICES:
            raise PlanError(
                f"if_exists={value_text(if_exists)}: give one of "
                f"{', '.join(map(repr, IF_EXISTS_CHOICES))}"
            )
        try:
            self._begun_with(records)
        except StoreError:
            journal = self.inside(JOURNAL_NAME)
            if not (
                journal.exists() and has_only_owners(journal.path)
            ):  # who may be about to claim
                raise  # somebody else's folder gets no journal, nor a line in it
        taken = self._journal is None
        if self._journal is None:
            self._journal = Journal(self.folder)
        try:
            found = self._begun_with(records)
            if found is not None:
                self._require_plain(self.files_of(found))
            if found is not None and if_exists == "refuse":
                raise StoreError(
                    f"{self.quoted} already holds a {self.noun}: continue it with --resume (in "
                    "Python if_exists='resume', or 'overwrite'), or choose another folder with "
                    "--out"
                )
            if found is not None and if_exists == "overwrite":
                self._require_own(found)
                self._delete(self.files_of(found))
                found = None
            if found is None:
                for name in self.record_files:
                    write_json(self.inside(name), records[name])
        except BaseException:
            if taken:
                self.release()
            raise
        return found

    def require_place(self) -> None:
        """Refuse to go on in a folder that is no more the one that was claimed."""
        if self._journal is not None and not self._journal.is_there():
            raise StoreError(
                f"{self.quoted} was moved or deleted while it was written to: continue where it is "
                "now with --resume, or begin again"
            )

    def release(self) -> None:
        """Let others work here."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _begun_with(
        self, records: Mapping[str, Mapping[str, object]]
    ) -> dict[str, dict[str, object]] | None:
        """The records there are, None in a folder that is free; somebody else's is refused."""
        found = {name: read_object(self.inside(name), self.origin) for name in self.record_files}
        *earlier, last = self.record_files
        if found[last] is not None:
            return {name: record or {} for name, record in found.items()}
        begun = {n for n in earlier if set(found[n] or ()) == set(records[n])}
        foreign = [name for name in names_in(self.folder) if name not in {*begun, JOURNAL_NAME}]
        if foreign:
            raise StoreError(
                f"{self.quoted} is not empty ({listed_names(foreign, 3)}) and holds no "
                f"{self.noun}: choose another --out"
            )
        return None

    def _require_own(self, found: Mapping[str, object]) -> None:
        """Refuse to delete anything where no record says that Tamis wrote it."""
        if not any(map(has_version, found.values())):
            raise StoreError(
                f"{self.quoted} is not of {self.origin}, by its {listed_names(self.record_files)}: "
                "choose another --out"
            )

    def files_of(self, records: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
        """Patterns of what a result of these records has beside them."""
        return self.own_files

    def _require_plain(self, patterns: Iterable[str]) -> None:
        """Refuse links and what is no regular file where files of the result are, before anything
        is computed for it."""
        for pattern in patterns:
            named = pattern.partition("*")[0]
            if named == pattern:
                self.inside(pattern).exists()
            elif folder := named.rpartition("/")[0]:
                self.inside(folder).require_folder()

    def _delete(self, patterns: Iterable[str]) -> None:
        """Delete files by patterns of their paths, and folders that held nothing else; links are
        not followed, and all else stays."""
        split = [pattern.split("/") for pattern in patterns]
        emptied = set[Path]()
        for place, _, names in os.walk(self.folder, topdown=False):
            for name in names:
                path = Path(place) / name
                parts = path.relative_to(self.folder).parts
                if any(_fits_pattern(parts, pattern) for pattern in split):
                    self.remove("/".join(parts))
                    emptied.add(path.parent)
            if Path(place) in emptied - {self.folder}:
                with contextlib.suppress(OSError):  # something else lies there
                    os.rmdir(place)
                    emptied.add(Path(place).parent)

    def require_same_data(self, old: Mapping[str, object], new: Mapping[str, object]) -> None:
        """Refuse to go on if the records' `digest` differs, which says what the data are, or their
        `name`, which is in the results."""
        if old.get("digest") != new["digest"]:
            raise StoreError(
                f"the data differ from those of {self.quoted}: resume with the same table, or "
                f"{self.other_folder}"
            )
        if (before := old.get("name")) != (name := new.get("name")):
            raise StoreError(
                f"the data are those of {self.quoted}, but there the table is named "
                f"{value_text(before)} and here {value_text(name)}, which is in the results: give "
                f"it the same name, or {self.other_folder}"
            )

    def require_same_settings(self, old: object, new: Mapping[str, object], differs: str) -> None:
        """Refuse to go on if settings differ; `differs` begins the message: "the plan differs"."""
        names = differing_names(old, new)
        if names:
            raise StoreError(
                f"{differs} from what {self.quoted} was begun with (in: {_listed_names(names)}): "
                f"resume with the same, or {self.other_folder}"
            )

    def require_same_versions(self, old: object, new: Mapping[str, str]) -> None:
        """Refuse to go on if the result was begun with other versions of the libraries."""
        names = differing_names(old, new)
        if names:
            raise StoreError(
                f"{self.quoted} was begun with another version of {_listed_names(names)}: results "
                f"would mix; {self.other_folder}"
            )

    def remove_partial_files(self) -> None:
        """Delete what a killed process left half written."""
        for place, _, names in os.walk(self.folder):  # which follows no links
            for name in names:
                if name.startswith(".") and name.endswith(PARTIAL_ENDING):
                    with contextlib.suppress(OSError):
                        os.unlink(os.path.join(place, name))

    def has(self, path: str) -> bool:
        """Whether a file is there (files are renamed into place, so it is then complete); what it
        is, and whether links lead to it, is seen where it is read."""
        return os.path.lexists(self.folder / path)

    def put(self, path: str, content: bytes, synced: bool = True) -> None:
        """Write a file; not `synced`, one whose content shows whether it is complete.

        Raises
        ------
        StoreError
            It cannot be written, or the folder was moved or deleted since it was claimed.
        """
        self.require_place()
        write_bytes(self.inside(path), content, synced)

    def get(self, path: str) -> bytes:
        """Read a file.

        Raises
        ------
        StoreError
            It cannot be read.
        """
        try:
            return self.inside(path).read_bytes()
        except OSError as error:
            raise _unreadable_file_error(self.folder / path, error) from error

    def remove(self, path: str) -> None:
        """Delete a file.

        Raises
        ------
        StoreError
            It cannot be deleted.
        """
        try:
            self.inside(path).unlink()
        except OSError as error:
            raise unwritable_file_error(error, self.folder / path) from error

    def get_object(self, path: str) -> dict[str, object] | None:
        """Read a JSON object; None if there is no such file."""
        return read_object(self.inside(path), self.origin)

    def log(self, **event: Any) -> None:
        """Add a line to the journal, of a folder that was claimed."""
        if self._journal is not None:
            self._journal.write(**event)


def _fits_pattern(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path is one of these: a * stands for no more than one folder or name."""
    both = zip(parts, pattern, strict=False)
    return len(parts) == len(pattern) and all(fnmatchcase(part, one) for part, one in both)


def has_version(record: object) -> bool:
    """Whether a record is of a result of Tamis: it has the version that made it."""
    versions = record.get("versions") if isinstance(record, Mapping) else None
    return isinstance(versions, Mapping) and "tamis" in versions


def names_in(folder: Path) -> list[str]:
    """What lies in the folder, but for files that were never finished."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unreadable_file_error(folder, error) from error
    return sorted(name for name in names if not name.endswith(PARTIAL_ENDING))


def read_object(place: Inside, of: str) -> dict[str, object] | None:
    """The JSON object in a file `of` something; None if there is no file.

    Raises
    ------
    StoreError
        It cannot be read, or is no such object.
    """
    path = place.path
    try:
        value = parsed_json(place.read_bytes(MOST_TEXT).decode())
    except StoreError:
        raise
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StoreError(f"{str(path.parent)!r} is not a folder: choose another --out") from error
    except OSError as error:
        raise _unreadable_file_error(path, error) from error
    except ValueError as error:
        raise StoreError(
            f"{str(path)!r} is not readable JSON: delete it or choose another folder"
        ) from error
    if not isinstance(value, dict):
        raise StoreError(f"{str(path)!r} is not of {of}: choose another folder")
    return value


def differing_names(old: object, new: Mapping[str, object]) -> list[str]:
    """Names under which two mappings differ, or that only one of them has.

    Examples
    --------
    >>> differing_names({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": None})
    ['b']
    """
    before = old if isinstance(old, Mapping) else {}
    return sorted(name for name in {*before, *new} if before.get(name) != new.get(name))


def _listed_names(names: Iterable[str]) -> str:
    """Names for a message, as they are if nothing is wrong with them."""
    return shorten_text(", ".join(printable_text(shorten_text(name)) for name in names), 250)


def _unreadable_file_error(path: Path, error: OSError) -> StoreError:
    return StoreError(f"cannot read {str(path)!r}: {error.strerror or error}")

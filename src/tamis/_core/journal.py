"""The journal of a folder, held open by the one process that works there.

The system's lock on the file says that somebody does, so it ends with the process, however that
ends. A line says who. Nobody puts another file in its place, as is done with all others.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from platform import node
from typing import Any
from weakref import WeakSet

from .errors import StoreError, printable_text, shorten_text
from .files import unwritable_file_error
from .inside import PLAIN_OPEN_FLAGS, Inside
from .locks import locked_file

JOURNAL_NAME = "journal.jsonl"
LINE_START = b'{"time": '  # of every line
OWNER_MARK = b'"event": "owner"'
MAX_LINE_BYTES = 4096  # bytes read of a line
OWNER_WAIT_SECONDS = 2.0  # seconds for an owner to write who it is
OPEN_FLAGS = os.O_RDWR | os.O_APPEND | PLAIN_OPEN_FLAGS

_held: WeakSet[Journal] = WeakSet()


class Journal:
    """The only one to work in a folder, until it is closed.

    Parameters
    ----------
    folder : path
        It is made if it is not there.

    Raises
    ------
    StoreError
        Somebody works there, who is named; or the file is no journal, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Journal(folder):
    ...     Journal(folder)
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: ... is in use by process ...: wait until that is done, or ...
    """

    def __init__(self, folder: str | os.PathLike[str]):
        self.path = Path(folder) / JOURNAL_NAME
        try:
            os.makedirs(os.path.realpath(folder), exist_ok=True)  # also at the end of a link
            self._open_alone()
        except OSError as error:
            raise unwritable_file_error(error, self.path) from error
        _held.add(self)
        try:
            self.write(event="owner", host=node(), pid=os.getpid())
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, **event: Any) -> None:
        """Add a line (wall clocks live here and nowhere else)."""
        line = json.dumps({"time": round(time.time(), 3), **event})
        try:
            self._file.write(line.encode() + b"\n")
        except OSError as error:
            raise unwritable_file_error(error, self.path) from error

    def close(self) -> None:
        """Let others in. A journal that records nothing but owners goes with them."""
        if self._file.closed:
            return
        with contextlib.suppress(OSError, StoreError):  # Windows deletes no open file: it stays
            if self.is_there() and has_only_owners(self.path):
                self.path.unlink()
        self._file.close()

    def is_there(self) -> bool:
        """Whether the file at the path is still the one that was opened."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.lstat(self.path))
        except (FileNotFoundError, NotADirectoryError):
            return False

    def _open_alone(self) -> None:
        """Have the file open, locked, and still the one at its path."""
        while True:
            self._file = os.fdopen(self._opened(), "ab", buffering=0)
            try:
                self._lock(self._file.fileno())
                if self.is_there():  # else who had it took it along
                    return
            except BaseException:
                self._file.close()
                raise
            self._file.close()

    def _opened(self) -> int:
        """A file of its own, which no other process inherits."""
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(self.path).st_mode):
                raise self._unfit("is no plain file")
        handle = os.open(self.path, OPEN_FLAGS | os.O_CREAT, 0o666)
        begins = b""
        if stat.S_ISREG(os.fstat(handle).st_mode):
            begins = os.read(handle, len(LINE_START))
            if LINE_START.startswith(begins):
                return handle
        os.close(handle)
        raise self._unfit("is no journal of Tamis" if begins else "is no plain file")

    def _unfit(self, why: str) -> StoreError:
        return StoreError(f"{str(self.path)!r} {why}: choose another folder with --out")

    def _lock(self, handle: int) -> None:
        locked = locked_file(handle)
        if locked is None:
            warnings.warn(
                f"the file system of {str(self.path.parent)!r} knows no locks: see to it that "
                "nothing else works there",
                stacklevel=2,
            )
        elif not locked:
            raise StoreError(
                f"{str(self.path.parent)!r} is in use by {_owner_text(self.path)}: wait until that "
                "is done, or choose another folder with --out"
            )


def _owner_text(path: Path) -> str:
    """Process, host and time of whoever holds a journal, which it may be about to write."""
    until = time.monotonic() + OWNER_WAIT_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError, OverflowError):
            last = json.loads([line for line in _journal_lines(path) if OWNER_MARK in line][-1])
            host, process = last["host"], int(last["pid"])
            since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(last["time"]))
            if host != node() or _process_lives(process):
                return f"process {process} on {printable_text(shorten_text(host))} since {since}"
        time.sleep(0.05)
    return "another process"


def _process_lives(process: int) -> bool:
    """Whether there is such a process here, as far as can be known."""
    if sys.platform == "win32" or process <= 0:
        return process > 0
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def has_only_owners(path: Path) -> bool:
    """Whether a journal says who was there and nothing that was done."""
    return all(OWNER_MARK in line for line in _journal_lines(path))


def _journal_lines(path: Path) -> Iterator[bytes]:
    """Lines of a journal; long ones, which are none of an owner's, in pieces."""
    with Inside(path.parent, path.name).opened() as file:
        yield from iter(lambda: file.readline(MAX_LINE_BYTES), b"")


def _let_go() -> None:
    """A copy of this process owns nothing, though it has the open files."""
    for journal in _held:
        journal._file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)

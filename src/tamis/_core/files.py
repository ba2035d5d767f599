"""Files that are either whole or absent: written beside, synced, renamed."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from .errors import StoreError

PARTIAL = ".partial"  # the ending of a file that was never finished


def explain(error: OSError, path: object) -> StoreError:
    """An operating-system error as one line that names the path and the way out."""
    reason = error.strerror or str(error)
    return StoreError(
        f"cannot write {str(path)!r}: {reason}; free some space or choose another "
        "folder with --out (nothing that was there has been changed)"
    )


@contextlib.contextmanager
def atomic(path: str | os.PathLike[str], mode: str = "wb") -> Iterator[IO[Any]]:
    """Open a temporary file beside `path`; rename it to `path` once it is on the disk.

    Raises
    ------
    StoreError
        The folder is not writable, or the disk is full. `path` is as it was.
    """
    path = Path(path)
    partial: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(
            prefix=f".{path.name[:100]}.", suffix=PARTIAL, dir=path.parent
        )
        encoding = None if "b" in mode else "utf-8"
        newline = None if "b" in mode else "\n"
        errors = None if "b" in mode else "backslashreplace"  # names of files that are no UTF-8
        with os.fdopen(handle, mode, encoding=encoding, errors=errors, newline=newline) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, 0o666 & ~_umask())  # mkstemp makes private files; a report is not
        os.replace(partial, path)
        partial = None
    except OSError as error:
        raise explain(error, path) from error
    finally:
        if partial is not None:
            with contextlib.suppress(OSError):
                os.unlink(partial)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole binary file atomically."""
    with atomic(path, "wb") as file:
        file.write(content)


def write_text(path: str | os.PathLike[str], content: str) -> None:
    """Write a whole UTF-8 text file atomically."""
    with atomic(path, "w") as file:
        file.write(content)


def write_json(path: str | os.PathLike[str], value: object) -> None:
    """Write a JSON file atomically; NaN is refused (use None), floats round-trip."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")

"""Files that are either whole or absent: written beside, synced, renamed."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import IO, Any

from .errors import StoreError

PARTIAL = ".partial"  # the ending of a file that was never finished
LEVELS = 3  # of a JSON file that are told apart by lines
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def unwritable_file_error(error: OSError, path: object) -> StoreError:
    """An operating-system error as one line that names the path and the way out."""
    reason = error.strerror or str(error)
    space = "free some space or " if error.errno in FULL else ""
    return StoreError(
        f"cannot write {str(path)!r}: {reason}; {space}choose another place with --out "
        "(nothing that was there has been changed)"
    )


@contextlib.contextmanager
def atomic_file(
    path: str | os.PathLike[str], mode: str = "wb", synced: bool = True
) -> Iterator[IO[Any]]:
    """Open a temporary file beside `path`; rename it to `path` once it is on the disk.

    A file that was there keeps its permissions; of a link the target is written. A device or a
    pipe gets all of the content at the end. Without `synced` nobody waits for the disk: after a
    power failure such a file may be empty, but not after a kill.

    Raises
    ------
    StoreError
        It cannot be written, is read-only, or the disk is full. `path` is as it was.
    """
    path, partial = Path(path), None
    try:
        old = file_at(path)
        number = None if old is None else open_number(path)
        if number is not None or (old is not None and not stat.S_ISREG(old.st_mode)):
            with tempfile.TemporaryFile() as held:
                with _opened_handle(os.dup(held.fileno()), mode) as file:
                    yield file
                held.seek(0)
                handle = os.open(path, os.O_WRONLY) if number is None else os.dup(number)
                with os.fdopen(handle, "wb") as device:
                    shutil.copyfileobj(held, device)
            return
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(
            prefix=f".{target.name[:100]}.", suffix=PARTIAL, dir=target.parent
        )
        with _opened_handle(handle, mode) as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        _take_over_permissions(partial, old)
        os.replace(partial, target)
        partial = None
    except OSError as error:
        raise unwritable_file_error(error, path) from error
    finally:
        if partial is not None:
            with contextlib.suppress(OSError):
                os.unlink(partial)


def _opened_handle(handle: int, mode: str) -> IO[Any]:
    if "b" in mode:
        return os.fdopen(handle, mode)
    # names of files that are no UTF-8 get escapes
    return os.fdopen(handle, mode, encoding="utf-8", errors="backslashreplace", newline="\n")


def file_at(path: Path) -> os.stat_result | None:
    """What a path, or the end of its links, names now: a file, a device, a pipe, or None.

    Raises
    ------
    StoreError
        It cannot be written: it is a folder, a disk, a socket, or read-only.
    """
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):  # the latter is told where a file is made
        return None
    except OSError as error:
        raise unwritable_file_error(error, path) from error
    kind, reason = found.st_mode, None
    if stat.S_ISDIR(kind):
        reason = "it is a folder"
    elif stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        reason = "it is a disk or a socket"
    elif stat.S_ISREG(kind) and open_number(path) is None and _is_read_only(path, kind):
        reason = "it is read-only"
    if reason is not None:
        raise unwritable_file_error(OSError(errno.EACCES, reason), path)
    return found


def _is_read_only(path: Path, mode: int) -> bool:
    """Whether nobody may write a file (root could, and did not mean it), or this person."""
    effective = os.access in os.supports_effective_ids
    return not mode & 0o222 or not os.access(path, os.W_OK, effective_ids=effective)


def open_number(path: Path) -> int | None:
    """Of a name like /dev/stdout or /dev/fd/3 the number of the open file; of others None."""
    numbered = (f"/proc/{os.getpid()}/fd", "/dev/fd")
    while os.path.realpath(path.parent) not in numbered:
        if not os.path.islink(path):
            return None
        path = path.parent / os.readlink(path)
    return int(path.name) if path.name.isdecimal() and os.path.lexists(path) else None


def _take_over_permissions(partial: str, old: os.stat_result | None) -> None:
    """Those of the file that it replaces; else what others may read, as mkstemp's may not be."""
    if old is None:
        os.chmod(partial, 0o666 & ~_process_umask())
        return
    if hasattr(os, "chown"):
        for owner in (old.st_uid, -1):  # only root gives files to others, all to their own groups
            with contextlib.suppress(OSError):
                os.chown(partial, owner, old.st_gid)
                break
    os.chmod(partial, stat.S_IMODE(old.st_mode) & 0o777)


def _process_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_bytes(path: str | os.PathLike[str], content: bytes, synced: bool = True) -> None:
    """Write a whole binary file atomically."""
    with atomic_file(path, "wb", synced) as file:
        file.write(content)


def write_text(path: str | os.PathLike[str], content: str) -> None:
    """Write a whole UTF-8 text file atomically."""
    with atomic_file(path, "w") as file:
        file.write(content)


def write_json(path: str | os.PathLike[str], value: object) -> None:
    """Write a JSON file atomically; NaN is refused (use None), floats round-trip."""
    write_text(path, _json_text(value, LEVELS) + "\n")


def _json_text(value: object, levels: int) -> str:
    """JSON with the members of so many outer levels on lines of their own.

    What lies deeper is on one line: with an indent Python's encoder takes ten times longer.
    """
    if levels and value and isinstance(value, dict) and all(isinstance(k, str) for k in value):
        lines = [f"{_encoded_json(k)}: {_json_text(v, levels - 1)}" for k, v in value.items()]
        ends = "{", "}"
    elif levels and value and isinstance(value, list | tuple):
        lines, ends = [_json_text(v, levels - 1) for v in value], ("[", "]")
    else:
        return _encoded_json(value)
    blanks = " " * (LEVELS - levels)
    inside = f",\n{blanks} ".join(lines)
    return f"{ends[0]}\n{blanks} {inside}\n{blanks}{ends[1]}"


def _encoded_json(value: object) -> str:
    """A plain number at once: the encoder takes longer to begin than to write it."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return repr(value)
    return ENCODER.encode(value)

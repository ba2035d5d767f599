"""Files that are either complete or absent: written beside, synced, renamed."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import IO, Any

from .errors import StoreError
from .inside import BY_HANDLE, PLAIN_OPEN_FLAGS, Directory, Inside, open_number
from .locks import locked_file

PARTIAL_ENDING = ".partial"  # the ending of a file that was never finished
INDENTED_LEVELS = 3  # of a JSON file that are on lines of their own
JSON_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
DISK_FULL_ERRORS = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


def unwritable_file_error(error: OSError, path: object) -> StoreError:
    """An operating-system error as one line that names the path and the way out."""
    reason = error.strerror or str(error)
    space = "free some space or " if error.errno in DISK_FULL_ERRORS else ""
    return StoreError(
        f"cannot write {str(path)!r}: {reason}; {space}choose another place with --out "
        "(nothing that was there has been changed)"
    )


@contextlib.contextmanager
def atomic_file(
    path: str | os.PathLike[str], mode: str = "wb", synced: bool = True
) -> Iterator[IO[Any]]:
    """Open a temporary file beside `path`; rename it to `path` once it is on the disk.

    A file that was there keeps its permissions; of a link the target is written, but where `path`
    is `Inside` a result folder, which refuses links. A device or a pipe gets all of the content at
    the end. Without `synced` nobody waits for the disk: after a power failure such a file may be
    empty, but not after a kill. What a process that was killed left of the same file is deleted.

    Raises
    ------
    StoreError
        It cannot be written, is read-only, or the disk is full. `path` is as it was.
    """
    try:
        old = file_at(path)
        if not isinstance(path, Inside):
            path = Path(path)
            number = None if old is None else open_number(path)
            if number is not None or (old is not None and not stat.S_ISREG(old.st_mode)):
                with _written_through(path, number, mode) as file:
                    yield file
                return
        with _place_of(path) as (directory, name):
            if synced:
                _delete_forsaken(directory, name)
            with _partial_file(directory, name) as (handle, partial, owned):
                with _opened_handle(handle, mode) as file:
                    yield file
                    file.flush()
                    if synced:
                        os.fsync(file.fileno())
                _take_over_permissions(owned, old)
                directory.replace(partial, name)
    except OSError as error:
        raise unwritable_file_error(error, path) from error


@contextlib.contextmanager
def _written_through(path: Path, number: int | None, mode: str) -> Iterator[IO[Any]]:
    """A file whose content a device or a pipe gets at the end."""
    with tempfile.TemporaryFile() as held:
        with _opened_handle(os.dup(held.fileno()), mode) as file:
            yield file
        held.seek(0)
        handle = os.open(path, os.O_WRONLY) if number is None else os.dup(number)
        with os.fdopen(handle, "wb") as device:
            shutil.copyfileobj(held, device)


@contextlib.contextmanager
def _place_of(path: Path | Inside) -> Iterator[tuple[Directory, str]]:
    """The folder that a file is to be in, made if it is not there, and its name there."""
    if isinstance(path, Inside):
        with path.directory(make=True) as place:
            yield place
        return
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    directory = Directory.at_path(target.parent)
    try:
        yield directory, target.name
    finally:
        directory.close()


@contextlib.contextmanager
def _partial_file(directory: Directory, name: str) -> Iterator[tuple[int, str, int | str]]:
    """A new file beside `name`: open, its name, and what owns it until it is renamed, so that
    nobody takes it for forsaken. One that is not renamed is deleted."""
    handle, partial = _new_partial(directory, name)
    owned = os.dup(handle) if BY_HANDLE else os.path.join(directory.path, partial)
    try:
        yield handle, partial, owned
    finally:
        with contextlib.suppress(OSError):
            directory.unlink(partial)
        if isinstance(owned, int):
            os.close(owned)


def _new_partial(directory: Directory, name: str) -> tuple[int, str]:
    """A locked file, where the system has locks, that is there."""
    while True:
        partial = f"{_partial_start(name)}{secrets.token_hex(4)}{PARTIAL_ENDING}"
        handle = directory.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | PLAIN_OPEN_FLAGS)
        with contextlib.suppress(FileNotFoundError):
            mine = not BY_HANDLE or locked_file(handle) is not False
            if mine and os.path.samestat(os.fstat(handle), directory.stat(partial)):
                return handle, partial
        os.close(handle)  # it was taken for forsaken before it was locked


def _delete_forsaken(directory: Directory, name: str) -> None:
    """Delete partial files of `name` which no process holds any more: it was killed."""
    if not BY_HANDLE:  # a lock would have to end before the file is renamed
        return
    pattern = re.compile(
        re.escape(_partial_start(name)) + r"[a-z0-9_]+" + re.escape(PARTIAL_ENDING)
    )
    with contextlib.suppress(OSError):
        for other in filter(pattern.fullmatch, directory.names()):
            with contextlib.suppress(OSError):
                handle = directory.open(other, os.O_RDWR | PLAIN_OPEN_FLAGS)
                try:
                    if locked_file(handle):
                        directory.unlink(other)
                finally:
                    os.close(handle)


def _partial_start(name: str) -> str:
    return f".{os.fsdecode(os.fsencode(name)[:100])}."  # names have 255 bytes at most


def _opened_handle(handle: int, mode: str) -> IO[Any]:
    if "b" in mode:
        return os.fdopen(handle, mode)
    # names of files that are no UTF-8 get escapes
    return os.fdopen(handle, mode, encoding="utf-8", errors="backslashreplace", newline="\n")


def file_at(path: str | os.PathLike[str]) -> os.stat_result | None:
    """What a path, or the end of its links, names now: a file, a device, a pipe, or None.

    Raises
    ------
    StoreError
        It cannot be written: it is a folder, a disk, a socket, or read-only; or it is `Inside` a
        result folder and no regular file.
    """
    try:
        found = path.stat() if isinstance(path, Inside) else os.stat(path)
    except (FileNotFoundError, NotADirectoryError):  # the latter is reported where a file is made
        return None
    except OSError as error:
        raise unwritable_file_error(error, path) from error
    if found is None:
        return None
    kind, reason = found.st_mode, None
    if stat.S_ISDIR(kind):
        reason = "it is a folder"
    elif stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        reason = "it is a disk or a socket"
    elif stat.S_ISREG(kind) and open_number(Path(path)) is None and _is_read_only(path, kind):
        reason = "it is read-only"
    if reason is not None:
        raise unwritable_file_error(OSError(errno.EACCES, reason), path)
    return found


def _is_read_only(path: str | os.PathLike[str], mode: int) -> bool:
    """Whether nobody may write a file (root could, and did not mean it), or this person."""
    effective = os.access in os.supports_effective_ids
    return not mode & 0o222 or not os.access(path, os.W_OK, effective_ids=effective)


def _take_over_permissions(partial: int | str, old: os.stat_result | None) -> None:
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
    """Write a complete binary file atomically."""
    with atomic_file(path, "wb", synced) as file:
        file.write(content)


def write_text(path: str | os.PathLike[str], content: str) -> None:
    """Write a complete UTF-8 text file atomically."""
    with atomic_file(path, "w") as file:
        file.write(content)


def write_json(path: str | os.PathLike[str], value: object) -> None:
    """Write a JSON file atomically; NaN is refused (use None), floats round-trip."""
    write_text(path, _json_text(value, INDENTED_LEVELS) + "\n")


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
    blanks = " " * (INDENTED_LEVELS - levels)
    inside = f",\n{blanks} ".join(lines)
    return f"{ends[0]}\n{blanks} {inside}\n{blanks}{ends[1]}"


def _encoded_json(value: object) -> str:
    """A plain number at once: the encoder takes longer to begin than to write it."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return repr(value)
    return JSON_ENCODER.encode(value)

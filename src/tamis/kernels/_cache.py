"""Where compiled machine code is kept: a folder named after a hash of the sources of all kernels.

numba only checks whether the file of the kernel itself has changed. A kernel whose machine code
contains that of a kernel in another file would still give the old answer after the other file is
edited. A folder that belongs to one version of the sources alone holds nothing outdated.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SOURCE_FOLDER = Path(__file__).parent
# folders of other versions of the sources that are kept, for switching between branches
KEPT_FOLDERS = 2
HASH_DIGITS = 12  # hexadecimal digits of the hash in the name of a folder
# characters of a folder's path on Windows, where a path has at most 260: the rest is for the names
# of numba's files
MAX_WINDOWS_PATH = 120


def hash_sources(folder: Path = SOURCE_FOLDER) -> str | None:
    """One hash of the names and contents of all Python files; None if there are none to read."""
    digest = hashlib.sha256()
    try:
        # sorted, with "/" on every system: directories list their files in no certain order
        files = sorted(
            (path.relative_to(folder).as_posix(), path) for path in _python_files(folder)
        )
        for name, path in files:
            content = path.read_bytes()
            # the length says where a content ends, so text that moves to the next file is seen
            digest.update(f"{name} {len(content)}\n".encode() + content)
    except OSError:
        return None
    return digest.hexdigest()[:HASH_DIGITS] if files else None


def choose_folder(version: str, given: str = "") -> Path | None:
    """A writable folder for the machine code of these sources, or None.

    The first of these that can be used: below `given` (NUMBA_CACHE_DIR), next to the sources, below
    the user's cache folder. When a new folder is made, the least recently used ones of other
    versions of the sources are deleted.
    """
    for root in _possible_roots(given):
        folder = root / version
        if os.name == "nt" and len(str(folder)) > MAX_WINDOWS_PATH:
            continue
        try:
            new = not folder.is_dir()
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()  # an OSError if it cannot be written
            os.utime(folder)  # used now: `clear_others` goes by this date
        except OSError:
            continue
        if new:
            clear_others(folder)
        return folder
    return None


def is_compiled() -> bool:
    """Whether machine code of these sources is kept, possibly of other kernels than will be used.

    numba is not imported to find out.
    """
    version = hash_sources()
    if version is None:
        return False
    folder = choose_folder(version, os.environ.get("NUMBA_CACHE_DIR", ""))
    return folder is not None and any(folder.glob("**/*.nbi"))  # numba's index files


def clear_others(folder: Path) -> None:
    """Delete the folders of other sources next to `folder`, except the `KEPT_FOLDERS` last used.

    A process that still uses a deleted folder compiles again what it misses there.
    """
    others = []
    with contextlib.suppress(OSError):
        for path in folder.parent.iterdir():
            # what is not named like a hash was not made here
            if path.name != folder.name and re.fullmatch(f"[0-9a-f]{{{HASH_DIGITS}}}", path.name):
                with contextlib.suppress(OSError):  # another process may have deleted it
                    others.append((path.stat().st_mtime, path))
    for _, path in sorted(others, reverse=True)[KEPT_FOLDERS:]:
        shutil.rmtree(path, ignore_errors=True)


def _python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder; OSError if it is missing, where `Path.rglob` yields none."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield Path(entry.path)
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _python_files(Path(entry.path))


def _possible_roots(given: str) -> Iterator[Path]:
    """Folders to try, in this order. Installations that share one have a subfolder of it each."""
    # the place of the installation, so that one does not clear the folders of another
    mine = hashlib.sha256(os.fsencode(SOURCE_FOLDER.resolve())).hexdigest()[:HASH_DIGITS]
    if given:
        yield Path(given) / "tamis-kernels" / mine
    yield SOURCE_FOLDER / "__pycache__" / "numba"
    with contextlib.suppress(RuntimeError):  # no home folder is known
        yield _user_cache() / "tamis-kernels" / mine


def _user_cache() -> Path:
    """The folder for caches of the user by the custom of the operating system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")

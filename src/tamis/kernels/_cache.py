"""Where machine code is kept: a folder named after the sources of all kernels.

numba asks only whether the file of the kernel itself is as it was, so a kernel whose machine code
holds that of an edited one in another file would give the old answer. In a folder that no other
sources share there is nothing old to find.
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
KEPT_FOLDERS = 2  # folders of other sources that stay, for going back and forth between branches
HASH_DIGITS = 12  # of the hash, in the name of a folder
MAX_WINDOWS_PATH = 120  # characters of a folder on Windows, where a path has at most 260


def hash_sources(folder: Path = SOURCE_FOLDER) -> str | None:
    """One hash of the names and contents of all Python files; None if there are none to read."""
    digest = hashlib.sha256()
    try:
        files = sorted(
            (path.relative_to(folder).as_posix(), path) for path in _python_files(folder)
        )
        for name, path in files:
            content = path.read_bytes()
            digest.update(f"{name} {len(content)}\n".encode() + content)
    except OSError:
        return None
    return digest.hexdigest()[:HASH_DIGITS] if files else None


def choose_folder(version: str, given: str = "") -> Path | None:
    """A folder for the machine code of these sources that can be written, or None.

    The first that will do: `given` (NUMBA_CACHE_DIR), beside the sources, the user's cache folder.
    A folder that is new takes the place of those of other sources not used for longest.
    """
    for root in _possible_roots(given):
        folder = root / version
        if os.name == "nt" and len(str(folder)) > MAX_WINDOWS_PATH:
            continue
        try:
            new = not folder.is_dir()
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()  # can it be written?
            os.utime(folder)  # used now
        except OSError:
            continue
        if new:
            clear_others(folder)
        return folder
    return None


def is_compiled() -> bool:
    """Whether machine code of these sources is kept: of other kernels than will be used, it may be.

    Nothing of numba is imported for it.
    """
    version = hash_sources()
    if version is None:
        return False
    folder = choose_folder(version, os.environ.get("NUMBA_CACHE_DIR", ""))
    return folder is not None and any(folder.glob("**/*.nbi"))


def clear_others(folder: Path) -> None:
    """Delete the folders of other sources beside `folder`, but for the last used.

    A process at work on such a folder compiles what it misses there.
    """
    others = []
    with contextlib.suppress(OSError):
        for path in folder.parent.iterdir():
            if path.name != folder.name and re.fullmatch(f"[0-9a-f]{{{HASH_DIGITS}}}", path.name):
                with contextlib.suppress(OSError):  # another process may be as quick
                    others.append((path.stat().st_mtime, path))
    for _, path in sorted(others, reverse=True)[KEPT_FOLDERS:]:
        shutil.rmtree(path, ignore_errors=True)


def _python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder; `Path.rglob` takes no notice of one that is missing."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield Path(entry.path)
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _python_files(Path(entry.path))


def _possible_roots(given: str) -> Iterator[Path]:
    """Folders to try. Installations that share one have a part of it each."""
    mine = hashlib.sha256(os.fsencode(SOURCE_FOLDER.resolve())).hexdigest()[:HASH_DIGITS]
    if given:
        yield Path(given) / "tamis-kernels" / mine
    yield SOURCE_FOLDER / "__pycache__" / "numba"
    with contextlib.suppress(RuntimeError):  # no home
        yield _user_cache() / "tamis-kernels" / mine


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")

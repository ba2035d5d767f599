"""Files inside a result folder, which may be a stranger's.

Below such a folder no component that is a link is followed, neither to read nor to write, and what
is read is a regular file of bounded size: a device, a pipe or a huge file is refused before a byte
of it is read. The path of the folder itself is the user's, whose links are followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .errors import StoreError, shorten_text

MAX_FILE_BYTES = 1 << 30  # bytes of any file that is read from a folder
MOST_TEXT = 1 << 27  # of JSON, which takes many times its bytes once it is read
WHERE_KNOWN = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC", "O_NOCTTY")  # systems differ
PLAIN_OPEN_FLAGS = sum(getattr(os, name, 0) for name in WHERE_KNOWN)
FOLDER_OPEN_FLAGS = PLAIN_OPEN_FLAGS | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", 0)
BY_HANDLE = {os.open, os.stat, os.mkdir, os.unlink, os.rename} <= os.supports_dir_fd
JUNCTION_TAG = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)  # a link of Windows
FILE_KIND_WORDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
OF_STUDY = ("data.json", "plan.json")  # records, by which a folder is known


@dataclass(frozen=True)
class Inside(os.PathLike[str]):
    """A file inside a result folder, which those who write and read files take as a path.

    Parameters
    ----------
    folder : Path
        The user's: its links are followed.
    name : str
        Below it, with `/` between components, none of which may be a link.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_text("42")
    ...     os.symlink("a.txt", Path(folder, "b.txt"))
    ...     print(Inside(Path(folder), "a.txt").read_bytes())
    ...     print(Inside(Path(folder), "b.txt").exists())
    Traceback (most recent call last):
    ...
    tamis._core.errors.StoreError: '...b.txt' is a link, and no file of a result folder is ...
    """

    folder: Path
    name: str

    def __fspath__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return str(self.path)

    @property
    def path(self) -> Path:
        """For messages and pages: who opens it follows links."""
        return self.folder / self.name

    def stat(self) -> os.stat_result | None:
        """What is there; None if nothing is.

        Raises
        ------
        StoreError
            A component is a link, or the file is none that is regular.
        """
        try:
            with self.directory() as (directory, name):
                return directory.plain_stat(name)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def exists(self) -> bool:
        """Whether the file is there; raises what `stat` raises."""
        return self.stat() is not None

    @contextlib.contextmanager
    def opened(self, most: int = MAX_FILE_BYTES) -> Iterator[BinaryIO]:
        """The file, open for reading.

        Raises
        ------
        StoreError
            A component is a link, or the file is no regular one or has more than `most` bytes.
        OSError
            It is not there, or cannot be read.
        """
        with self.directory() as (directory, name):
            if directory.plain_stat(name) is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self))
            handle = directory.open(name, os.O_RDONLY | PLAIN_OPEN_FLAGS)
        with os.fdopen(handle, "rb") as file:
            _require_plain(os.fstat(handle), str(self), most)
            yield file

    def read_bytes(self, most: int = MAX_FILE_BYTES) -> bytes:
        """All bytes of the file; raises what `opened` raises."""
        with self.opened(most) as file:
            return file.read(os.fstat(file.fileno()).st_size)  # no more, should it grow meanwhile

    def unlink(self) -> None:
        """Delete the file, or the link that stands in its place; `OSError` if it cannot be."""
        with self.directory() as (directory, name):
            directory.unlink(name)

    def require_folder(self) -> None:
        """Refuse a link that stands where a folder would."""
        absent = contextlib.suppress(FileNotFoundError, NotADirectoryError)
        with absent, self.directory() as (directory, name):
            _refuse_link(directory.stat(name), str(self))

    @contextlib.contextmanager
    def directory(self, make: bool = False) -> Iterator[tuple[Directory, str]]:
        """The folder that the file lies in, held open, and its name there; made if it should be."""
        *parents, name = self.name.split("/")
        if make:
            os.makedirs(os.path.realpath(self.folder), exist_ok=True)
        directory = Directory.at_path(self.folder)
        try:
            for parent in parents:
                below = directory.child(parent, make)
                directory.close()
                directory = below
            yield directory, name
        finally:
            directory.close()


class Directory:
    """A folder held open: what is done in it is done there, whatever is put in its place.

    Where the system cannot do that, its path stands for it.
    """

    def __init__(self, path: str, handle: int | None):
        self.path = path
        self._handle = handle

    @classmethod
    def at_path(cls, path: str | os.PathLike[str]) -> Directory:
        """By a path whose links are followed."""
        flags = FOLDER_OPEN_FLAGS & ~getattr(os, "O_NOFOLLOW", 0)
        return cls(os.fspath(path), os.open(path, flags) if BY_HANDLE else None)

    def child(self, name: str, make: bool) -> Directory:
        """A folder in it, which is no link."""
        if make:
            with contextlib.suppress(FileExistsError):
                where, at = self._where(name)
                os.mkdir(where, dir_fd=at)
        path = self._below(name)
        try:
            if BY_HANDLE:
                return Directory(path, self.open(name, FOLDER_OPEN_FLAGS))
        except NotADirectoryError:
            pass  # of a link, too
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
        found = self.stat(name)
        _refuse_link(found, path)
        if not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return Directory(path, None)

    def _where(self, name: str) -> tuple[str, int | None]:
        if self._handle is None:
            return self._below(name), None
        return name, self._handle

    def _below(self, name: str) -> str:
        return f"{self.path}{os.sep}{name}"

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """As `os.open`."""
        where, at = self._where(name)
        return os.open(where, flags, mode, dir_fd=at)

    def stat(self, name: str) -> os.stat_result:
        """As `os.lstat`."""
        where, at = self._where(name)
        return os.stat(where, dir_fd=at, follow_symlinks=False)

    def plain_stat(self, name: str) -> os.stat_result | None:
        """Of a regular file; None if there is none, and anything else is refused."""
        try:
            found = self.stat(name)
        except FileNotFoundError:
            return None
        _require_plain(found, self._below(name))
        return found

    def replace(self, old: str, new: str) -> None:
        """As `os.replace`, of two names in it."""
        (before, at), (after, _) = self._where(old), self._where(new)
        os.replace(before, after, src_dir_fd=at, dst_dir_fd=at)

    def unlink(self, name: str) -> None:
        """As `os.unlink`."""
        where, at = self._where(name)
        os.unlink(where, dir_fd=at)

    def names(self) -> list[str]:
        """As `os.listdir`."""
        if self._handle is None:
            return os.listdir(self.path)
        handle = self.open(".", os.O_RDONLY)  # the other may be good for a path alone
        try:
            return os.listdir(handle)
        finally:
            os.close(handle)

    def close(self) -> None:
        """Let go of it."""
        if self._handle is not None:
            os.close(self._handle)


def named_file(path: str | os.PathLike[str]) -> Inside | Path:
    """A file that a person named: `Inside`, if it lies in the folder of a study.

    A link elsewhere is the user's own; `study/model.npz` may be a stranger's.
    """
    if isinstance(path, Inside):
        return path
    path = Path(path)
    if all(os.path.lexists(path.parent / name) for name in OF_STUDY):
        return Inside(path.parent, path.name)
    return path


def read_named(path: str | os.PathLike[str], most: int = MAX_FILE_BYTES) -> bytes:
    """All bytes of a file that a person named: a regular one, or what this process has open, as
    the pipe of `<(...)`.

    Raises
    ------
    StoreError
        It is another pipe or a device, has more than `most` bytes, or is a link of a result folder.
    OSError
        It is not there, or cannot be read.
    """
    place = named_file(path)
    if isinstance(place, Inside):
        return place.read_bytes(most)
    found = os.stat(place)
    if open_number(place) is None or stat.S_ISCHR(found.st_mode):
        _require_plain(found, str(place), most)
    with open(place, "rb") as file:
        content, size = [], 0
        while block := file.read(min(1 << 20, most + 1 - size)):
            content.append(block)
            size += len(block)
        if size > most:
            raise _too_large(str(place), f"more than {most:,}", most)
    return b"".join(content)


def open_number(path: Path) -> int | None:
    """Of a name like /dev/stdout or /dev/fd/3 the number of the open file; of others None."""
    numbered = (f"/proc/{os.getpid()}/fd", "/dev/fd")
    while os.path.realpath(path.parent) not in numbered:
        if not os.path.islink(path):
            return None
        path = path.parent / os.readlink(path)
    return int(path.name) if path.name.isdecimal() and os.path.lexists(path) else None


def _refuse_link(found: os.stat_result, path: str) -> None:
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == JUNCTION_TAG:
        raise StoreError(
            f"{shorten_text(path)!r} is a link, and no file of a result folder is read or "
            "written through one: put what it points to in its place, or delete it"
        )


def _require_plain(found: os.stat_result, path: str, most: int | None = None) -> None:
    """Refuse what is no regular file, or is too large."""
    _refuse_link(found, path)
    if not stat.S_ISREG(found.st_mode):
        kind = FILE_KIND_WORDS.get(stat.S_IFMT(found.st_mode), "a device")
        raise StoreError(f"{shorten_text(path)!r} is {kind}, and a regular file is needed there")
    if most is not None and found.st_size > most:
        raise _too_large(path, f"{found.st_size:,}", most)


def _too_large(path: str, size: str, most: int) -> StoreError:
    return StoreError(
        f"{shorten_text(path)!r} has {size} bytes, more than the {most:,} that are read of such a "
        "file: is it one that Tamis wrote?"
    )

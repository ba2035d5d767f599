"""A file's bytes mapped, not read, with a look at whether they are still there."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np

from ..._core.errors import DataError


class Mapped:
    """All bytes of a file, read-only.

    Bytes that are gone when they are touched end the process (SIGBUS), so `bytes` is read anew
    before each block, which costs a microsecond. A file that is shortened in the milliseconds
    while a block is worked on is not caught.

    Parameters
    ----------
    path : Path
        Of a file that is not empty.

    Raises
    ------
    DataError
        It cannot be mapped.
    """

    def __init__(self, path: Path):
        self._name = path.name
        try:
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise DataError(f"{path.name!r} cannot be mapped into memory: {error}") from error
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)

    def let_go(self) -> None:
        """Count no longer as memory of this process: the pages stay with the system, which gives
        them back when they are looked at again."""
        if hasattr(mmap, "MADV_DONTNEED"):  # not of Windows
            self._map.madvise(mmap.MADV_DONTNEED)

    def __len__(self) -> int:
        return len(self._bytes)

    @property
    def bytes(self) -> np.ndarray:
        """All of them (size,) uint8.

        Raises
        ------
        DataError
            The file has been shortened.
        """
        if self._map.size() < len(self._bytes):
            raise DataError(
                f"{self._name!r} was shortened while it was read: it had {len(self._bytes):,} "
                f"bytes and has {self._map.size():,}; open it anew when it is complete"
            )
        return self._bytes

"""A table in a file, which goes to workers as its path and digest; it notes who opened it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np


class Filed:
    """Columns of int8, one after the other (p, n), saved by NumPy; -1 is missing."""

    def __init__(self, path: Path):
        self.path = path
        self.codes = np.load(path, mmap_mode="r")
        self.shape = self.codes.shape[::-1]

    def take(self, rows, columns):
        codes = self.codes if columns is None else self.codes[columns]
        X = codes.T if rows is None else codes.T[rows]
        return np.where(X < 0, np.nan, np.ascontiguousarray(X))

    def walk(self, width):
        for start in range(0, self.shape[1], width):
            stop = min(start + width, self.shape[1])
            yield slice(start, stop), self.take(None, np.arange(start, stop))

    def digest(self):
        return hashlib.sha256(self.codes).hexdigest()

    def __reduce__(self):
        return _opened, (self.path, self.digest())

    @property
    def openings(self) -> list[int]:
        """Who has opened it after it was sent, one process number each time."""
        return [int(line) for line in _notes(self.path).read_text().split()]


def _notes(path: Path) -> Path:
    return path.with_suffix(".openings")


def _opened(path: Path, digest: str) -> Filed:
    with open(_notes(path), "a") as notes:
        notes.write(f"{os.getpid()}\n")
    found = Filed(path)
    assert found.digest() == digest
    return found

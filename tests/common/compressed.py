"""A table of few distinct values a column, packed; it tells whoever makes more of it dense."""

from __future__ import annotations

import gc
import hashlib
import weakref
from dataclasses import dataclass, field

import numpy as np

from tamis.data.walks import MAX_BLOCK_COLUMNS


@dataclass
class Compressed:
    """A table whose values are bytes into a list of values; at most four of these share a byte.

    Raises `AssertionError` where a block is asked for while another is held, or by `take` more
    than a block's worth.

    Attributes
    ----------
    codes : ndarray of shape (p, n) or (p, n / 4), uint8
        A column after the other.
    values : ndarray of float64
        What the codes stand for.
    n : int
        Rows.
    """

    codes: np.ndarray
    values: np.ndarray
    n: int
    walks: int = 0
    _held: list = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, X):
        """A matrix compressed, NaN a value like any other."""
        values, codes = np.unique(X, return_inverse=True)
        assert len(values) <= 256
        return cls.packed(codes.reshape(X.shape).T.astype(np.uint8, order="C"), values)

    @classmethod
    def packed(cls, codes, values):
        """From codes (p, n)."""
        p, n = codes.shape
        if len(values) > 4:
            return cls(codes, values, n)
        fours = np.zeros((p, -(-n // 4) * 4), dtype=np.uint8)
        fours[:, :n] = codes
        fours = fours.reshape(p, -1, 4) << np.arange(0, 8, 2, dtype=np.uint8)
        return cls(np.bitwise_or.reduce(fours, axis=2), values, n)

    @property
    def shape(self):
        return self.n, len(self.codes)

    def take(self, rows, columns):
        codes = self.codes if columns is None else self.codes[columns]
        n = self.n if rows is None else len(rows)
        assert n * len(codes) <= self.n * MAX_BLOCK_COLUMNS, "more than a block's worth"
        return self._given(self._decoded(codes, rows))

    def walk(self, width):
        assert width <= MAX_BLOCK_COLUMNS, "more than a block's worth"
        self.walks += 1
        for start in range(0, len(self.codes), width):
            if self._holding():
                gc.collect()  # what a compiler has left behind in a circle is held by nobody
            assert not self._holding(), "a block is held still"
            codes = self.codes[start : start + width]
            yield slice(start, start + len(codes)), self._given(self._decoded(codes, None))

    def digest(self):
        h = hashlib.sha256(self.values.tobytes())
        h.update(self.codes.data)
        return h.hexdigest()

    def __getstate__(self):
        return {**vars(self), "_held": []}

    def _decoded(self, codes, rows):
        """Columns as a matrix."""
        if len(self.values) <= 4:
            padded = np.resize(self.values, 4)
            fours = padded[(np.arange(256)[:, None] >> np.arange(0, 8, 2)) & 3]
            columns = fours[codes].reshape(len(codes), 4 * codes.shape[1])[:, : self.n]
        else:
            columns = self.values[codes]
        return np.ascontiguousarray(columns.T if rows is None else columns.T[rows])

    def _holding(self):
        return any(one() is not None for one in self._held)

    def _given(self, X):
        """X, watched if it is wide: views of it hold it too."""
        if X.shape[1] > MAX_BLOCK_COLUMNS // 2:
            self._held = [one for one in self._held if one() is not None]
            self._held.append(weakref.ref(X))
        return X

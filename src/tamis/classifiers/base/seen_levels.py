"""The categories that training rows have: what a level that none of them has is to a tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from ..._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays

LEVELS_PREFIX = "levels."
NUMERIC_CODE = -1  # categories of a column of numbers


@dataclass(frozen=True)
class SeenLevels:
    """Codes that occur in training, column by column; any other is missing.

    What is learnt so does not depend on levels that are only declared.

    Attributes
    ----------
    counts : ndarray of shape (k,) of int64
        Categories of each column, -1 for numbers.
    codes : ndarray of float64
        Those of all columns, one after the other, rising in each.
    """

    counts: np.ndarray
    codes: np.ndarray
    whole_codes = True  # numbers from 0

    @classmethod
    def of(cls, X: np.ndarray, levels: Iterable[int]) -> Self:
        """Of training rows X (n, k), whose columns in `levels` hold codes."""
        counts, codes = np.full(X.shape[1], NUMERIC_CODE, dtype=np.int64), [np.zeros(0)]
        for j in sorted(levels):
            codes.append(np.unique(X[~np.isnan(X[:, j]), j]))
            counts[j] = len(codes[-1])
        return cls(counts, np.concatenate(codes))

    def __bool__(self) -> bool:
        return bool((self.counts != NUMERIC_CODE).any())

    @property
    def sizes(self) -> np.ndarray:
        """Categories of each column as trees count them: 0 for numbers, else at least 1 (k,)."""
        return np.where(self.counts == NUMERIC_CODE, 0, np.maximum(self.counts, 1))

    @property
    def width(self) -> int:
        """Columns that `spread` gives."""
        return int(sum(1 if n in (NUMERIC_CODE, 2) else n for n in self.counts))

    def coded(self, X: np.ndarray) -> np.ndarray:
        """Rows X (m, k) with places among the categories for codes, NaN for one not seen."""
        if not self:
            return X
        out = X.copy()
        for j, known in self._by_column():
            places = np.searchsorted(known, X[:, j])
            found = np.append(known, np.nan)[np.minimum(places, len(known))]
            out[:, j] = np.where(found == X[:, j], places, np.nan)
        return out

    def spread(self, X: np.ndarray) -> np.ndarray:
        """Rows X (m, k) with 0/1 columns for codes, NaN in all of them for one not seen.

        One column for two categories, else one for each.
        """
        if not self:
            return X
        coded, blocks = self.coded(X), []
        for column, n in zip(coded.T, self.counts, strict=True):
            if n == NUMERIC_CODE:
                blocks.append(column)
                continue
            codes = range(1, 2) if n == 2 else range(n)
            blocks += [np.where(np.isnan(column), np.nan, column == code) for code in codes]
        return np.column_stack(blocks) if blocks else np.zeros((len(X), 0))

    def to_arrays(self) -> Arrays:
        """Nothing where all columns are numbers."""
        if not self:
            return {}
        return {
            LEVELS_PREFIX + "counts": self.counts.astype(float),
            LEVELS_PREFIX + "codes": self.codes,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> Self:
        """From its arrays, among those of a predictor."""
        own = {k: v for k, v in arrays.items() if k.startswith(LEVELS_PREFIX)}
        if not own:
            return cls(np.full(n_columns, NUMERIC_CODE, dtype=np.int64), np.zeros(0))
        given, codes = fitting_arrays(
            own, **{LEVELS_PREFIX + "counts": (n_columns,), LEVELS_PREFIX + "codes": (None,)}
        )
        counts = checked_integers(given, NUMERIC_CODE, len(codes) + 1, LEVELS_PREFIX + "counts")
        if cls.whole_codes:
            checked_integers(codes, 0, 2**31, LEVELS_PREFIX + "codes")
        found = cls(counts, codes)
        if np.maximum(counts, 0).sum() != len(codes) or any(
            (np.diff(known) <= 0).any() for _, known in found._by_column()
        ):
            raise unfit_part_error(LEVELS_PREFIX + "codes")
        return found

    def _by_column(self) -> list[tuple[int, np.ndarray]]:
        """Each column of categories with its codes."""
        ends = np.cumsum(np.maximum(self.counts, 0))
        return [
            (int(j), self.codes[ends[j] - self.counts[j] : ends[j]])
            for j in np.flatnonzero(self.counts != NUMERIC_CODE)
        ]

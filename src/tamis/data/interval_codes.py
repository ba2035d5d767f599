"""Numbers as codes of intervals: a discretiser once it is fitted, as a step of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from .._core.interfaces import Arrays, FittedStep


@dataclass(frozen=True)
class IntervalCodes(FittedStep):
    """Codes 0, 1, ... of the intervals between rising cuts; a cut belongs to the lower one.

    Attributes
    ----------
    cuts : ndarray
        Those of all columns, one after the other.
    counts : ndarray of shape (p,)
        How many each column has.
    """

    cuts: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, cuts: Sequence[np.ndarray]) -> Self:
        """From the cuts of each column."""
        joined = np.concatenate(cuts) if cuts else np.zeros(0)
        return cls(joined, np.array([len(c) for c in cuts], dtype=np.int64))

    @property
    def columns(self) -> np.ndarray:
        """All of them."""
        return np.arange(len(self.counts))

    def by_column(self) -> list[np.ndarray]:
        """The cuts of each column."""
        return np.split(self.cuts, np.cumsum(self.counts)[:-1]) if len(self.counts) else []

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Codes; NaN stays NaN."""
        out = np.empty_like(X)
        for j, cuts in enumerate(self.by_column()):
            out[:, j] = np.searchsorted(cuts, X[:, j], side="left")
        out[np.isnan(X)] = np.nan
        return out

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns."""
        each = self.by_column()
        return self.of([each[j] for j in outputs]), outputs

    def to_arrays(self) -> Arrays:
        """The cuts and their counts."""
        return {"cuts": self.cuts, "counts": self.counts.astype(np.float64)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> Self:
        """The cuts of so many columns."""
        cuts, given = fitting_arrays(arrays, cuts=(None,), counts=(n_columns,))
        counts = checked_integers(given, 0, len(cuts) + 1, "counts")
        if counts.sum() != len(cuts):
            raise unfit_part_error("counts")
        found = cls(cuts, counts)
        if any((np.diff(own) <= 0).any() for own in found.by_column()):
            raise unfit_part_error("cuts")
        return found

"""ComBat: means and variances of batches adjusted by empirical Bayes, frozen at training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays, unfit_part_error
from .._core.interfaces import Arrays
from ..kernels.combat import combat_adjustments
from ..kernels.units import column_units, in_units
from .by_batch import AdjustedByBatch, BatchTransformer, seen_batches


@dataclass(frozen=True)
class ComBatFit(AdjustedByBatch):
    """Scale times value and shift in each batch; nothing in a batch not seen.

    Attributes
    ----------
    scales : ndarray of shape (B, p)
        Above 0.
    """

    scales: np.ndarray

    def adjust(self, X: np.ndarray, batch: np.ndarray) -> np.ndarray:
        """Scale and shift the rows."""
        return self.scales[batch] * X + self.shifts[batch]

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The same for some of the columns, which need themselves alone once fitted."""
        return type(self)(self.shifts[:, outputs], self.seen, self.scales[:, outputs]), outputs

    def to_arrays(self) -> Arrays:
        """Shifts and scales, and which batches there were."""
        return {"shifts": self.shifts, "scales": self.scales, "seen": self.seen.astype(np.float64)}


class ComBat(BatchTransformer):
    """Adjusts columns for their means and variances in each batch, by parametric empirical Bayes.

    As ``ComBat`` of sva with batches alone, but learnt from training rows and frozen: a new sample
    of a known batch is adjusted by itself. The class is never in the design, for a new sample has
    none; where classes and batches go together ComBat takes away what separates the classes.

    Columns that are constant within a batch are left alone, as in sva. Missing values are left out
    and stay missing; in a column without a value in a batch that batch is left alone. Pooled
    variances divide by the number of values, where sva with any missing value divides by one less.

    Parameters
    ----------
    mean_only : bool, default=False
        Adjust means alone. So it is, too, whenever a batch has one training row.
    unseen : {"refuse", "keep"}, default="refuse"
        What happens to a sample of a batch that had no training row: an error, or nothing.

    References
    ----------
    Johnson, Li & Rabinovic (2007), Biostatistics 8:118-127; Leek et al. (2012), Bioinformatics
    28:882-883.

    Examples
    --------
    >>> X = [[1.0, 2.0], [3.0, 6.0], [8.0, 5.0], [6.0, 3.0]]
    >>> combat = ComBat(mean_only=True).fit(X, batch=["a", "a", "b", "b"])
    >>> combat.transform([[2.0, 4.0], [7.0, 4.0]], batch=["a", "b"]).round(2)
    array([[4.2 , 4.48],
           [4.8 , 3.52]])
    """

    def __init__(self, mean_only: bool = False, unseen: str = "refuse"):
        self.mean_only = mean_only
        self.unseen = unseen

    def learn(self, X: np.ndarray, y: np.ndarray, batch: np.ndarray | None = None) -> ComBatFit:
        """Adjustments of each batch; batch (n,) holds codes from 0, None: there is one."""
        batch = np.zeros(len(X), dtype=np.int64) if batch is None else batch
        n_batches = int(batch.max(initial=-1)) + 1
        units = column_units(X)
        values = in_units(X, units)
        scales, shifts = combat_adjustments(values, batch, n_batches, self.mean_only)
        return ComBatFit(shifts * units, np.isin(np.arange(n_batches), batch), scales)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> ComBatFit:
        """Adjustments of so many columns."""
        shape = (None, n_columns)
        shifts, scales, seen = fitting_arrays(arrays, shifts=shape, scales=shape, seen=(None,))
        if len(scales) != len(shifts) or not (scales > 0).all():
            raise unfit_part_error("scales")
        return ComBatFit(shifts, seen_batches(seen, len(shifts)), scales)

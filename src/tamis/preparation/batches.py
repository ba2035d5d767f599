"""Columns centred batch by batch, at means of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays
from .._core.interfaces import Arrays
from .by_batch import AdjustedByBatch, BatchTransformer, seen_batches


@dataclass(frozen=True)
class Centered(AdjustedByBatch):
    """`shifts` are taken off the columns of each batch; nothing of a batch not seen."""

    def adjust(self, X: np.ndarray, batch: np.ndarray) -> np.ndarray:
        """Shift the rows."""
        return X - self.shifts[batch]

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The same for some of the columns, which need themselves alone."""
        return type(self)(self.shifts[:, outputs], self.seen), outputs

    def to_arrays(self) -> Arrays:
        """The shifts, and which batches there were."""
        return {"shifts": self.shifts, "seen": self.seen.astype(np.float64)}


class BatchCenterer(BatchTransformer):
    """Takes the difference between batches off each column: the mean of the training rows of a
    sample's batch, less the mean of all batches' means.

    As ``removeBatchEffect`` of limma with batches alone, but learnt from training rows. Missing
    values are left out and stay missing; a batch without a value in a column is not shifted there.
    Where classes and batches go together this takes away what separates the classes.

    Parameters
    ----------
    unseen : {"refuse", "keep"}, default="refuse"
        What happens to a sample of a batch that had no training row: an error, or nothing.

    References
    ----------
    Ritchie et al. (2015), Nucleic Acids Research 43:e47; Soneson, Gerster & Delorenzi (2014),
    PLoS ONE 9:e100335.

    Examples
    --------
    >>> X = [[1.0], [3.0], [11.0], [13.0]]
    >>> center = BatchCenterer().fit(X, batch=["a", "a", "b", "b"])
    >>> center.transform([[2.0], [12.0]], batch=["a", "b"]).ravel()
    array([7., 7.])
    """

    def __init__(self, unseen: str = "refuse"):
        self.unseen = unseen

    def learn(self, X: np.ndarray, y: np.ndarray, batch: np.ndarray | None = None) -> Centered:
        """The means of each batch's rows; batch (n,) holds codes from 0, None: there is one."""
        batch = np.zeros(len(X), dtype=np.int64) if batch is None else batch
        B = int(batch.max(initial=-1)) + 1
        means = np.full((B, X.shape[1]), np.nan)
        for b in range(B):
            rows = X[batch == b]
            there = ~np.isnan(rows).all(axis=0)
            means[b, there] = np.nanmean(rows[:, there], axis=0)
        seen = np.isin(np.arange(B), batch)
        some = ~np.isnan(means).all(axis=0)
        middle = np.zeros(X.shape[1])
        middle[some] = np.nanmean(means[:, some], axis=0)
        return Centered(np.where(np.isnan(means), 0.0, means - middle), seen)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Centered:
        """Shifts of so many columns."""
        shifts, seen = fitting_arrays(arrays, shifts=(None, n_columns), seen=(None,))
        return Centered(shifts, seen_batches(seen, len(shifts)))

"""Columns centred batch by batch, at means of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import fitting, unfit
from .._core.errors import DataError, PlanError
from .._core.interfaces import Arrays, BatchedStep
from .step import StepTransformer


@dataclass(frozen=True)
class Centered(BatchedStep):
    """What is taken off the columns of each batch; nothing of a batch not seen.

    Attributes
    ----------
    shifts : ndarray of shape (B, p)
    seen : ndarray of shape (B,) of bool
        Whether training rows had the batch of a code.
    """

    shifts: np.ndarray
    seen: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """All of them."""
        return np.arange(self.shifts.shape[1])

    def knows(self, batch: np.ndarray) -> np.ndarray:
        """Which codes (m,) training rows had."""
        inside = (batch >= 0) & (batch < len(self.seen))
        return inside & self.seen[np.where(inside, batch, 0)]

    def transform(self, X: np.ndarray, batch: np.ndarray | None = None) -> np.ndarray:
        """Shift the rows of X (m, p) by their batches' codes (m,); None: all are of batch 0."""
        batch = np.zeros(len(X), dtype=np.int64) if batch is None else batch
        out, known = X.copy(), self.knows(batch)
        out[known] -= self.shifts[batch[known]]
        return out

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The same for some of the columns, which need themselves alone."""
        return type(self)(self.shifts[:, outputs], self.seen), outputs

    def to_arrays(self) -> Arrays:
        """The shifts, and which batches there were."""
        return {"shifts": self.shifts, "seen": self.seen.astype(np.float64)}


class BatchCenterer(StepTransformer):
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

    fitted_: Centered

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
        shifts, seen = fitting(arrays, shifts=(None, n_columns), seen=(None,))
        if len(seen) != len(shifts) or not np.isin(seen, (0, 1)).all():
            raise unfit("seen")
        return Centered(shifts, seen == 1)

    def fit(self, X: Any, y: Any = None, batch: Any = None) -> Self:
        """Learn from X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : None
            Not looked at.
        batch : array-like of shape (n_samples,), optional
            The batch of each sample; None: there is one.
        """
        if self.unseen not in ("refuse", "keep"):
            raise PlanError(f"unseen={self.unseen!r}: give 'refuse' or 'keep'")
        X, _ = self._checked(X, y)
        names = _batch_names(batch, len(X))
        self.batches_, codes = np.unique(names, return_inverse=True)
        self.fitted_ = self.learn(X, np.zeros(0), codes)
        return self

    def fit_transform(self, X: Any, y: Any = None, batch: Any = None) -> np.ndarray:
        """Both, of the same rows."""
        return self.fit(X, y, batch).transform(X, batch)

    def transform(self, X: Any, batch: Any = None) -> np.ndarray:
        """X with each sample's batch taken off (n_samples, n_features).

        Raises
        ------
        DataError
            A batch that `fit` has not seen, unless `unseen` is "keep".
        """
        X = self._checked_again(X)
        names = _batch_names(batch, len(X))
        place = np.searchsorted(self.batches_, names)
        place = np.where(place < len(self.batches_), place, 0)
        codes = np.where(self.batches_[place] == names, place, -1)
        if self.unseen == "refuse" and (codes < 0).any():
            lost = sorted(set(names[codes < 0].tolist()))
            raise DataError(
                f"batch {lost[0]!r} was not seen in training ({', '.join(map(repr, self.batches_))}"
                " were): its samples cannot be centred; unseen='keep' leaves them as they are"
            )
        return self.fitted_.transform(X, codes)


def _batch_names(batch: Any, n: int) -> np.ndarray:
    """Of n samples, as text; one name for all where none are given."""
    names = np.full(n, "") if batch is None else np.asarray(batch).astype(str)
    if names.shape != (n,):
        raise DataError(f"batch has the shape {names.shape}: give one name for each of {n} samples")
    return names

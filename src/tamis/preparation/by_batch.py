"""What steps that adjust for batches share: which batches are known, and scikit-learn's manners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import unfit_part_error
from .._core.errors import DataError, PlanError, listed_names
from .._core.interfaces import BatchedStep
from .step import StepTransformer


@dataclass(frozen=True)
class AdjustedByBatch(BatchedStep):
    """A step that does something of its own to the columns of each batch.

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
        """Adjust the rows of X (m, p) by their batches' codes (m,); None: all are of batch 0."""
        batch = np.zeros(len(X), dtype=np.int64) if batch is None else batch
        out, known = X.copy(), self.knows(batch)
        out[known] = self.adjust(X[known], batch[known])
        return out

    def adjust(self, X: np.ndarray, batch: np.ndarray) -> np.ndarray:
        """Rows of known batches (m, p), adjusted."""
        raise NotImplementedError


class BatchTransformer(StepTransformer):
    """A step that is given batches; subclasses have `unseen` and ``learn(X, y, batch)``."""

    unseen: str
    fitted_: AdjustedByBatch

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

    def learn(self, X: np.ndarray, y: np.ndarray, batch: np.ndarray | None = None) -> Any:
        """Fitted to rows X (n, p) whose batches have the codes (n,); None: there is one."""
        raise NotImplementedError

    def fit_transform(self, X: Any, y: Any = None, batch: Any = None) -> np.ndarray:
        """Both, of the same rows."""
        return self.fit(X, y, batch).transform(X, batch)

    def transform(self, X: Any, batch: Any = None) -> np.ndarray:
        """X adjusted for each sample's batch (n_samples, n_features).

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
                f"batch {lost[0]!r} was not seen in training "
                f"({listed_names(self.batches_.tolist())} were): its samples cannot be adjusted; "
                "unseen='keep' leaves them as they are"
            )
        return self.fitted_.transform(X, codes)


def seen_batches(seen: np.ndarray, n_batches: int) -> np.ndarray:
    """From an array of a file: which of so many batches training rows had, as bool."""
    if len(seen) != n_batches or not np.isin(seen, (0, 1)).all():
        raise unfit_part_error("seen")
    return seen == 1


def _batch_names(batch: Any, n: int) -> np.ndarray:
    """Of n samples, as text; one name for all where none are given."""
    names = np.full(n, "") if batch is None else np.asarray(batch).astype(str)
    if names.shape != (n,):
        raise DataError(f"batch has the shape {names.shape}: give one name for each of {n} samples")
    return names

"""Scores of subsets over the inner folds of a training set."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..._core.errors import DataError
from ...classifiers.base.folds import Splits
from .criteria import Criterion
from .fold_model import FoldModel
from .learners import Learner
from .refitted import RefittedFold

AT_ONCE = 2**17  # values of a fold held at a time
RESCORED_GAP = 1e-8  # scores nearer to the best, as a share of it, are looked at again
TIE_TOLERANCE = 1e-12  # and these are equal but for rounding


class SubsetScores:
    """How well a learner does with subsets of columns, by cross-validation.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    codes : ndarray of shape (n,)
    splits : sequence of (train, test)
        Rows of each fold.
    learner : Learner
    criterion : Criterion

    Attributes
    ----------
    n_updated, n_direct : int
        Subsets evaluated by updating, and one by one.
    n_fits : int
        Fits of the estimator itself among these, one a fold.
    """

    def __init__(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        splits: Splits,
        learner: Learner,
        criterion: Criterion,
    ):
        self.learner, self.criterion = learner, criterion
        self.folds: list[FoldModel] = []
        self.truths: list[np.ndarray] = []
        self._refitted: list[RefittedFold] = []
        for train, test in splits:
            model, refitted = learner.fold(X, codes, train, test)
            self.folds.append(model)
            self._refitted.append(refitted)
            self.truths.append(codes[test])
        self.n_updated = self.n_direct = 0
        self._known: dict[bytes, np.ndarray] = {}

    @property
    def n_fits(self) -> int:
        return sum(fold.n_fits for fold in self._refitted)

    def of(self, columns: np.ndarray) -> np.ndarray:
        """The score of each fold (n_folds,) with these columns, whatever their order."""
        columns = np.sort(columns)
        key = columns.tobytes()
        if key not in self._known:
            self.n_direct += 1
            self._known[key] = np.array([self._one(i, columns) for i in range(len(self.folds))])
        return self._known[key]

    def mean_of(self, columns: np.ndarray) -> float:
        """The mean score over the folds."""
        return float(_fold_means(self.of(columns)[:, None])[0])

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        """Mean scores (k,) of the chosen columns and one of `new` each."""
        chosen = np.sort(chosen)
        if not self.learner.updates:
            return np.array([self.mean_of(np.append(chosen, j)) for j in new])
        self.n_updated += len(new)
        scores = np.empty((len(self.folds), len(new)))
        unserved = np.zeros(scores.shape, dtype=bool)
        for i, fold in enumerate(self.folds):
            width = max(1, AT_ONCE // max(1, 2 * len(self.truths[i])))
            for at in range(0, len(new), width):
                some = new[at : at + width]
                values = fold.with_each(chosen, some)
                scores[i, at : at + width], unserved[i, at : at + width] = self._scored(i, values)
        for i, k in zip(*np.nonzero(unserved), strict=True):
            scores[i, k] = self._one(i, np.sort(np.append(chosen, new[k])))
        return _fold_means(scores)

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        """Mean scores (k,) of the chosen columns, rising, but one each."""
        if not self.learner.updates:
            return np.array([self.mean_of(np.delete(chosen, i)) for i in range(len(chosen))])
        self.n_updated += len(chosen)
        scores = np.empty((len(self.folds), len(chosen)))
        unserved = np.zeros(scores.shape, dtype=bool)
        for i, fold in enumerate(self.folds):
            scores[i], unserved[i] = self._scored(i, fold.without_each(chosen))
        for i, k in zip(*np.nonzero(unserved), strict=True):
            scores[i, k] = self._one(i, np.delete(chosen, k))
        return _fold_means(scores)

    def best(self, scores: np.ndarray, subset: Callable[[int], np.ndarray]) -> int:
        """Which of these subsets has the best score, the first of equal ones; `subset` gives the
        columns of one.

        Those that rounding could have put in another order are evaluated one by one.
        """
        top = scores.max()
        refuse_undefined(float(top), self.criterion.name)
        near = np.flatnonzero(scores >= top - RESCORED_GAP * abs(top))
        if len(near) > 1 and np.ptp(scores[near]) > TIE_TOLERANCE * abs(top):
            scores = np.array([self.mean_of(subset(i)) for i in near.tolist()])
            near = near[scores >= scores.max() - TIE_TOLERANCE * abs(scores.max())]
        return int(near[0])

    def _one(self, fold: int, columns: np.ndarray) -> float:
        values = self.folds[fold].of(columns)[:, :, None]
        found = self.criterion.of(values, self.folds[fold].values, self.truths[fold])
        return float(found[0])

    def _scored(self, fold: int, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores (k,), and which of them no update serves."""
        unserved = np.isnan(values).any(axis=(0, 1))
        if unserved.any():  # scorers of scikit-learn's refuse NaN
            values = np.where(unserved, 0.0, values)
        found = self.criterion.of(values, self.folds[fold].values, self.truths[fold])
        return np.asarray(found), unserved


def refuse_undefined(best: float, criterion: str) -> None:
    """Raise `DataError` where the best of all scores is -inf: no subset has one."""
    if best == -np.inf:
        raise DataError(
            f"{criterion} is undefined in every inner fold: give fewer folds (cv), so that each "
            "holds samples of every class, or another scoring"
        )


def _fold_means(scores: np.ndarray) -> np.ndarray:
    """Over the folds (n_folds, k) in which a score is defined; -inf where none is."""
    there = ~np.isnan(scores)
    total = np.where(there, scores, 0.0).sum(axis=0)
    return np.where(there.any(axis=0), total / np.maximum(there.sum(axis=0), 1), -np.inf)

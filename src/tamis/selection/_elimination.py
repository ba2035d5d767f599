"""Recursive feature elimination, by a linear support vector machine (SVM-RFE) or another model."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.interfaces import Part, Ranking, Seeds
from .._core.own_code import Own
from ._base import RankerSelector
from ._importances import column_weights, standardised_columns
from ._orders import cut_order


class EliminationSelector(RankerSelector):
    """Drop the features with the smallest weights, refit, and so on to the last.

    Guyon, Weston, Barnhill & Vapnik (2002), Machine Learning 46:389-422. With a whole
    number as `step` the features go in the order of scikit-learn's ``RFE`` over a linear
    ``SVC``; a fraction is one of what is left (scikit-learn: of what there was). Columns
    are standardised by the training rows.

    With two classes the machine is fitted on the Gram matrix of the rows, from which the
    dropped columns are subtracted: all rounds together cost about two Gram matrices of the
    whole table, not one a round.

    Parameters
    ----------
    size : int, default=10
    step : int or float, default=0.1
        Features to drop in a round: a number, or a fraction of those left (at least one).
    C : float, default=1.0
        Of the machine.
    random_state : int, default=None
        Of an estimator that draws at random.
    estimator : object with ``fit``, default=None
        Another model in place of the machine: one with ``coef_``, whose squares summed over the
        classes are the weights, or with ``feature_importances_``; of a pipeline its last step.
        It is fitted anew in every round.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Position from the end of the elimination, highest for the last to remain.
    ranking_, support_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import EliminationSelector
    >>> golub = load_golub()
    >>> EliminationSelector(size=5).fit_transform(golub.X, golub.y).shape
    (38, 5)
    """

    def __init__(
        self,
        size: int | None = 10,
        step: int | float = 0.1,
        C: float = 1.0,
        random_state: int | None = None,
        estimator: Any = None,
    ):
        self.size = size
        self.step = step
        self.C = C
        self.random_state = random_state
        self.estimator = estimator

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """Rank the columns of one training part by the order of elimination."""
        order = self._eliminate(standardised_columns(part.X), part.y, stream)[::-1]
        scores = np.empty(len(order))
        scores[order] = np.arange(len(order), 0, -1)
        return Ranking(scores, cut_order(order, sizes))

    def _eliminate(self, X: np.ndarray, y: np.ndarray, stream: Seeds) -> np.ndarray:
        """Columns in the order they are dropped; the least weight first within a round."""
        left = np.arange(X.shape[1])
        gone = []
        rows = np.ascontiguousarray(X.T)  # a feature a row: dropping some is a plain copy
        own = None if self.estimator is None else Own(type(self.estimator).__name__, self.estimator)
        two = own is None and int(y.max()) == 1
        gram, fresh = X @ X.T if two else np.zeros(0), len(left)
        while len(left) > 1:
            if own is not None:
                round_ = Seeds(stream.entropy, spawn_key=(*stream.spawn_key, len(left)))
                weights = column_weights(own, rows.T, y, round_)
            else:
                weights = self._weights(rows, y, gram if two else None)
            worst = np.argsort(weights, kind="stable")[: self._drop(len(left))]
            gone.append(left[worst])
            dropped = rows[worst]
            left, rows = np.delete(left, worst), np.delete(rows, worst, axis=0)
            if two and len(left) < fresh / 2:  # start afresh before rounding adds up
                gram, fresh = rows.T @ rows, len(left)
            elif two:
                gram = gram - dropped.T @ dropped
        return np.concatenate([*gone, left])

    def _drop(self, left: int) -> int:
        sound = isinstance(self.step, Real) and not isinstance(self.step, bool)
        if not (sound and (0 < self.step < 1 or (self.step >= 1 and self.step % 1 == 0))):
            raise PlanError(f"step={self.step!r}: give a whole number or a fraction below 1")
        drop = int(self.step * left) if self.step < 1 else int(self.step)
        return min(max(drop, 1), left - 1)

    def _weights(self, rows: np.ndarray, y: np.ndarray, gram: np.ndarray | None) -> np.ndarray:
        """Squared weights of the features, summed over pairs of classes."""
        from sklearn.svm import SVC

        # libsvm draws nothing here; without a seed a number is drawn from the global generator
        if gram is None:
            machine = SVC(C=self.C, kernel="linear", random_state=0).fit(rows.T, y)
            return (machine.coef_**2).sum(axis=0)
        machine = SVC(C=self.C, kernel="precomputed", random_state=0).fit(gram, y)
        dual = np.zeros(len(y))
        dual[machine.support_] = machine.dual_coef_[0]
        return (rows @ dual) ** 2

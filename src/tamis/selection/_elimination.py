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

    Machines are fitted on the Gram matrix of the rows, from which the dropped columns are
    subtracted: all rounds together cost about two Gram matrices of the full table, not one a
    round.

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
        """Rank the columns of one training set by the order of elimination."""
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
        machines = _Machines(rows, y, self.C) if own is None else None
        while len(left) > 1:
            if own is not None:
                round_ = Seeds(stream.entropy, spawn_key=(*stream.spawn_key, len(left)))
                weights = column_weights(own, rows.T, y, round_)
            elif machines is not None:
                weights = machines.weights(rows)
            worst = least_first(weights, self._drop(len(left)))
            gone.append(left[worst])
            stay = np.ones(len(left), dtype=bool)
            stay[worst] = False
            dropped, left, rows = rows[worst], left[stay], rows[stay]
            if machines is not None:
                machines.drop(dropped, rows)
        return np.concatenate([*gone, left])

    def _drop(self, left: int) -> int:
        sound = isinstance(self.step, Real) and not isinstance(self.step, bool)
        if not (sound and (0 < self.step < 1 or (self.step >= 1 and self.step % 1 == 0))):
            raise PlanError(f"step={self.step!r}: give a whole number or a fraction below 1")
        drop = int(self.step * left) if self.step < 1 else int(self.step)
        return min(max(drop, 1), left - 1)


class _Machines:
    """The machines of all pairs of classes, on products of rows from which columns are taken."""

    def __init__(self, columns: np.ndarray, y: np.ndarray, C: float):
        self.products, self.fresh = columns.T @ columns, len(columns)
        self.y, self.C, self.n_classes = y, C, int(y.max()) + 1

    def weights(self, columns: np.ndarray) -> np.ndarray:
        """Squared weights of the columns (k, n), summed over pairs of classes: (k,)."""
        from ..kernels.support_vector_machine import pair_machines

        costs = np.full(len(self.y), self.C)
        multipliers, _ = pair_machines(self.products, self.y, self.n_classes, costs)
        return ((columns @ multipliers.T) ** 2).sum(axis=1)

    def drop(self, dropped: np.ndarray, left: np.ndarray) -> None:
        """Some columns (j, n) go, others (k, n) are left."""
        if len(left) < self.fresh / 2:  # start afresh before rounding adds up
            self.products, self.fresh = left.T @ left, len(left)
        else:
            self.products -= dropped.T @ dropped


def least_first(weights: np.ndarray, count: int) -> np.ndarray:
    """Places of the least weights, the least first, the earlier of equal ones.

    Examples
    --------
    >>> least_first(np.array([3.0, 1.0, 2.0, 1.0]), 2).tolist()
    [1, 3]
    """
    most = np.partition(weights, count - 1)[count - 1]
    near = np.flatnonzero(weights <= most)
    return near[np.argsort(weights[near], kind="stable")[:count]]

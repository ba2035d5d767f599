"""The features that survive in nearest shrunken centroids (PAM)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.interfaces import Part, Ranking, Seeds
from ._base import RankerSelector
from ._orders import cut_order, order_of


class ShrunkenCentroidSelector(RankerSelector):
    """Rank features by the threshold at which they vanish from nearest shrunken centroids.

    With ``size=None`` the features kept are those that survive at the threshold with the
    least cross-validated error, at least one.

    Parameters
    ----------
    size : int or None, default=None
        Number of features to keep; None lets the cross-validated threshold decide.
    n_thresholds : int, default=30
        Equally spaced thresholds from 0 to max \\|d\\|; ties in error go to the larger.
    cv : int, default=5
        Stratified shuffled folds; no more than the smallest class has members.
    random_state : int, default=None
        Shuffles the folds.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        max_k \\|d_jk\\|, in standardised units; higher is better.
    ranking_ : ndarray of shape (n_features,)
        1 is best; ties go to the lower column.
    support_ : ndarray of shape (n_features,)

    See Also
    --------
    tamis.classifiers.ShrunkenCentroidClassifier

    References
    ----------
    Tibshirani, Hastie, Narasimhan & Chu (2002), PNAS 99, 6567-6572.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import ShrunkenCentroidSelector
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 15)
    >>> X = rng.normal(size=(30, 200))
    >>> X[:, :2] += 4 * y[:, None]
    >>> ShrunkenCentroidSelector(random_state=0).fit(X, y).get_support(indices=True)
    array([0, 1])
    """

    def __init__(
        self,
        size: int | None = None,
        n_thresholds: int = 30,
        cv: int = 5,
        random_state: int | None = None,
    ):
        self.size = size
        self.n_thresholds = n_thresholds
        self.cv = cv
        self.random_state = random_state

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """Rank one training set; without `size`, also choose a size inside it."""
        from ..kernels.shrunken_centroids import class_centroids, vanishing_thresholds

        X, y = part.X, part.y
        d = class_centroids(X, y, part.n_classes).d
        scores = vanishing_thresholds(d)
        chosen = None if self.size is not None else self._choose(X, y, d, stream)
        wanted = [*sizes] if chosen is None else [*sizes, chosen]
        path = cut_order(order_of(scores, max(wanted, default=0)), wanted)
        return Ranking(scores, path, chosen)

    def _choose(
        self, X: np.ndarray, y: np.ndarray, d: np.ndarray, stream: np.random.SeedSequence
    ) -> int:
        """Number of features that survive at the cross-validated threshold, at least 1."""
        from ..classifiers.base.folds import stratified_splits
        from ..classifiers.shrunken_centroids import (
            cross_validated_errors,
            least_error,
            threshold_grid,
        )

        thresholds = threshold_grid(d, self.n_thresholds)
        splits = stratified_splits(y, self.cv, int(stream.generate_state(1)[0]))
        errors = cross_validated_errors(X, y, len(d), thresholds, splits)
        alive = np.abs(d).max(axis=0) > thresholds[least_error(errors)]
        return max(1, int(alive.sum()))

"""The ranking interface: everything that selects answers one question, once a training set.

"Rank once, cut many": a ranker sees the training rows and returns scores and, for each
size requested, the chosen columns. Classifiers of every size are then fitted on that one
ranking.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.errors import PlanError
from .._core.interfaces import Part, Ranker, Ranking, Seeds
from ..data.class_codes import class_codes
from ._orders import order_of


class RankerSelector(SelectorMixin, BaseEstimator, Ranker):
    """scikit-learn's ``fit`` and ``get_support`` on top of a ranker.

    Subclasses take `size` and `random_state` among their parameters and define
    ``rank``; they may set ``Ranking.chosen`` when `size` is None.
    """

    size: int | None
    random_state: int | None = None

    def fit(self, X, y):
        """Rank the features of X and keep the best.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self
            With ``scores_`` (p,), ``ranking_`` (p,; 1 is best) and ``support_`` (p,).
        """
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        self.classes_, codes = class_codes(y, type(self).__name__)
        p = X.shape[1]
        size = self.size
        if size is not None:
            if not isinstance(size, int | np.integer) or size < 1:
                raise PlanError(f"size={size!r}: give a whole number of at least 1, or None")
            size = min(int(size), p)
        part = Part.of(X, codes, own=size is None)
        ranking = self._ranking_to_keep(part, [p if size is None else size], self._seed())
        if size is None:
            size = p if ranking.chosen is None else ranking.chosen
        chosen = ranking.path.get(size)
        if chosen is None:
            chosen = order_of(ranking.scores, size)
        self._select(ranking.scores, chosen)
        self._keep(ranking)
        return self

    def _select(self, scores: np.ndarray, chosen: np.ndarray) -> None:
        """Set `scores_`, `ranking_` and `support_`."""
        self.scores_ = scores
        self.ranking_ = np.empty(len(scores), dtype=np.int64)
        self.ranking_[order_of(scores)] = np.arange(1, len(scores) + 1)
        self.support_ = np.zeros(len(scores), dtype=bool)
        self.support_[chosen] = True

    def _seed(self) -> np.random.SeedSequence:
        try:
            return np.random.SeedSequence(self.random_state)
        except (TypeError, ValueError) as error:
            raise PlanError(
                f"random_state={self.random_state!r}: give a whole number of at least 0, or None"
            ) from error

    def _ranking_to_keep(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """The ranking of `fit`: a subclass may ask for more there than a study needs."""
        return self.rank(part, sizes, stream)

    def _keep(self, ranking: Ranking) -> None:
        """Further attributes that `fit` sets."""

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

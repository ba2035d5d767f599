"""Any univariate filter as a ranker and a scikit-learn selector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .._core.errors import PlanError, nearest
from ._base import RankerSelector, Ranking, nested_ranking
from ._fold_change import fold_change_score
from ._moderated import moderated_statistic
from ._moments import ClassMoments, class_moments
from ._parts import TrainingParts
from ._pearson import pearson_statistic
from ._welch import welch_statistic

# Filters that class moments suffice for: every training part comes from one pass over X.
MOMENT_FILTERS: dict[str, Callable[[ClassMoments], np.ndarray]] = {
    "pearson": pearson_statistic,
    "welch_t": welch_statistic,
    "moderated_t": moderated_statistic,
    "fold_change": fold_change_score,
}
DISCRETE = "_discrete"  # ending of a filter that takes each value as a category
FILTERS = (
    *MOMENT_FILTERS,
    "mutual_information",
    "mutual_information_discrete",
    "mtd",
    "mtd_discrete",
)


class FilterSelector(RankerSelector):
    """Keep the features with the best univariate score.

    Parameters
    ----------
    score_func : str or callable, default="moderated_t"
        ``pearson``, ``welch_t``, ``moderated_t``, ``fold_change``, ``mutual_information``,
        ``mtd``, the last two also with ``_discrete`` (each value a category), or a function
        of (X, y) that returns scores or (statistics, p-values); features rank by absolute
        value.
    size : int, default=10
        Number of features to keep; all if there are fewer.
    random_state : int, default=None
        For filters that draw random numbers (mutual information breaks ties by noise).

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Absolute scores, higher is better.
    ranking_ : ndarray of shape (n_features,)
        1 is best; ties go to the lower column.
    support_ : ndarray of shape (n_features,)

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.selection import FilterSelector
    >>> golub = load_golub()
    >>> FilterSelector("welch_t", size=3).fit_transform(golub.X, golub.y).shape
    (38, 3)
    """

    def __init__(
        self,
        score_func: str | Callable = "moderated_t",
        size: int | None = 10,
        random_state: int | None = None,
    ):
        self.score_func = score_func
        self.size = size
        self.random_state = random_state

    def rank(
        self, X: np.ndarray, y: np.ndarray, sizes: Sequence[int], stream: np.random.SeedSequence
    ) -> Ranking:
        """Rank the columns of one training part."""
        return nested_ranking(np.abs(self._scores(X, y, stream)), sizes)

    def rank_parts(
        self,
        parts: TrainingParts,
        sizes: Sequence[int],
        streams: Sequence[np.random.SeedSequence],
    ) -> list[Ranking]:
        """Rank every training part; what the parts share is computed once."""
        if self.score_func in MOMENT_FILTERS:
            statistic = MOMENT_FILTERS[str(self.score_func)]
            scores = [statistic(m) for m in parts.moments]
        elif self.score_func == "mtd":
            from ._mtd import mtd_parts

            scores = list(mtd_parts(parts))
        else:
            scores = [
                self._scores(parts.matrix(k), parts.labels(k), streams[k])
                for k in range(len(parts))
            ]
        return [nested_ranking(np.abs(s), sizes) for s in scores]

    def _scores(self, X: np.ndarray, y: np.ndarray, stream: np.random.SeedSequence) -> np.ndarray:
        if callable(self.score_func):
            result = self.score_func(X, y)
            scores = np.asarray(result[0] if isinstance(result, tuple) else result, dtype=float)
            if scores.shape != (X.shape[1],):
                raise PlanError(
                    f"score_func={self.score_func!r} returned an array of shape "
                    f"{scores.shape}: it must give one score a feature, "
                    f"shape ({X.shape[1]},)"
                )
            return scores
        if self.score_func in MOMENT_FILTERS:
            return MOMENT_FILTERS[self.score_func](class_moments(X, y))
        name = self.score_func.removesuffix(DISCRETE) if self.score_func in FILTERS else None
        discrete = name != self.score_func
        if name == "mutual_information":
            from ._mutual_information import mutual_information

            seed = int(stream.generate_state(1)[0])
            return mutual_information(X, y, discrete_features=discrete, random_state=seed)
        if name == "mtd":
            from ._mtd import mtd

            return mtd(X, y, discrete_features=discrete)
        raise PlanError(
            f"unknown score_func {self.score_func!r}: {nearest(self.score_func, FILTERS)}"
        )

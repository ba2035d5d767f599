"""A selector of the user's own, with scikit-learn's manners, as a ranker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.interfaces import Part, Ranker, Ranking, Seeds
from .._core.own_checks import refuse_regression
from .._core.own_code import Own, OwnCodeError, running_own_code
from ._orders import cut_order, order_of


class UserRanker(Ranker):
    """Fits copies of a user's selector; its support is a size of its own.

    ``scores_`` (higher is better) or ``ranking_`` (1 is best) give the order for sizes in numbers,
    ties to the earlier column; without either there is its own size alone. An object with
    ``rank(part, sizes, stream)`` is called for its ranking.

    Parameters
    ----------
    own : Own
    **settings
        As its ``set_params`` takes them.
    """

    def __init__(self, own: Own, **settings: Any):
        self.own = own
        self.settings = settings

    def rank(self, part: Part, sizes: Sequence[int], stream: Seeds) -> Ranking:
        """The ranking of one training set."""
        one = self.own.made(self.settings, stream)
        if callable(getattr(one, "rank", None)):
            with running_own_code(self.own, "rank"):
                return one.rank(part, sizes, stream)
        if part.n_classes > 2:
            refuse_regression(self.own, one)
        with running_own_code(self.own, "be fitted"):
            fitted = one.fit(part.X.copy(), part.y.copy())
            fitted = one if fitted is None else fitted
            support, scores = kept_columns(self.own, fitted, part.X.shape[1])
        p = part.X.shape[1]
        if scores is None:
            if any(k < p for k in sizes):
                raise OwnCodeError(
                    f"{self.own.name!r} has neither `scores_` nor `ranking_`: it has no other "
                    'size than sizes = ["own"]'
                )
            scores = np.zeros(p)
            scores[support] = 1.0
        if scores.shape != (p,):
            raise OwnCodeError(
                f"{self.own.name!r} gives scores of shape {scores.shape}, not ({p},)"
            )
        scores = np.where(np.isnan(scores), -np.inf, scores)
        chosen = support[np.argsort(-scores[support], kind="stable")]
        path = cut_order(order_of(scores, max(sizes, default=0)), sizes)
        return Ranking(scores, {**path, len(chosen): chosen}, len(chosen))


def _fitted_scores(fitted: Any) -> np.ndarray | None:
    """What a fitted selector says of each column, higher is better."""
    scores = getattr(fitted, "scores_", None)
    if scores is not None:
        return np.asarray(scores, dtype=np.float64)
    ranking = getattr(fitted, "ranking_", None)
    return None if ranking is None else -np.asarray(ranking, dtype=np.float64)


def kept_columns(own: Own, fitted: Any, p: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Columns that a fitted selector keeps, and its scores of all (p,), if it has some.

    Of a pipeline those that come through all of it, and the scores of its last selector.
    """
    from sklearn.pipeline import Pipeline

    steps = [step for _, step in fitted.steps] if isinstance(fitted, Pipeline) else [fitted]
    kept, scores = np.arange(p), None
    for step in steps:
        if step is None or step == "passthrough":
            continue
        if not hasattr(step, "get_support"):
            if getattr(step, "n_features_in_", None) == len(kept) == _output_width(step):
                continue  # a scaler, say: as many columns as before
            raise OwnCodeError(
                f"{own.name!r}: what {type(step).__name__} makes of the columns cannot be traced "
                "back to them: leave it out"
            )
        mask = np.asarray(step.get_support())
        if mask.shape != kept.shape or mask.dtype != bool:
            raise OwnCodeError(
                f"{own.name!r}: get_support() gives {mask.dtype} of shape {mask.shape} and not "
                f"one True or False for each of {len(kept)} columns"
            )
        own_scores = _fitted_scores(step)
        scores = own_scores
        if own_scores is not None and len(kept) < p and own_scores.shape == kept.shape:
            scores = np.full(p, -np.inf)  # what an earlier step left out
            scores[kept] = own_scores
        kept = kept[mask]
    return kept, scores


def _output_width(step: Any) -> int | None:
    """Columns that come out of a transformer that keeps them one to one."""
    from sklearn.base import OneToOneFeatureMixin

    return step.n_features_in_ if isinstance(step, OneToOneFeatureMixin) else None

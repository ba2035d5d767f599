"""What subsets are compared by: scores of held-out rows, higher is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.errors import PlanError, nearest_hint, value_text
from ..._core.interfaces import MIN_PROBABILITY
from .fold_model import Values

# scikit-learn's names of what is computed here for many subsets at once
SKLEARN_SCORERS = {
    "neg_log_loss": "log_score",
    "neg_brier_score": "squared_error",
    "balanced_accuracy": "bcr",
    "roc_auc": "auc",
    "accuracy": "accuracy",
}


@dataclass(frozen=True)
class Criterion:
    """A score of many subsets at once.

    Attributes
    ----------
    name : str
    of : callable
        (values (C, m, k), kind of values, codes (m,)) -> (k,) scores, higher is better.
    """

    name: str
    of: Callable[[np.ndarray, Values, np.ndarray], np.ndarray]


def class_probabilities(values: np.ndarray, kind: Values) -> np.ndarray:
    """Class probabilities of values (C, m, k)."""
    if kind != "log_joint":
        return values
    found = np.exp(values - values.max(axis=0))
    found /= found.sum(axis=0)
    return found


def log_score(values: np.ndarray, kind: Values, codes: np.ndarray) -> np.ndarray:
    """Mean logarithm of the probability of the true class: minus the log loss, probabilities as far
    from 0 and 1 as scikit-learn keeps them."""
    rows = np.arange(len(codes))
    if kind == "log_joint" and len(values) == 2:  # one exponential less: that of the log odds
        odds = np.where(codes[:, None] == 1, values[0] - values[1], values[1] - values[0])
        with np.errstate(over="ignore"):
            true = 1 / (1 + np.exp(odds))
    else:
        true = class_probabilities(values, kind)[codes, rows]
    found: np.ndarray = np.log(np.clip(true, MIN_PROBABILITY, 1 - MIN_PROBABILITY)).mean(axis=0)
    return found


def squared_error(values: np.ndarray, kind: Values, codes: np.ndarray) -> np.ndarray:
    """Minus the mean squared distance of probabilities (or of what least squares says) from the
    indicators of the classes: the Brier score; with two classes that of the second."""
    found = class_probabilities(values, kind)
    true = np.arange(len(values))[:, None, None] == codes[:, None]
    if len(values) == 2:
        found, true = found[1:], true[1:]
    return -((found - true) ** 2).sum(axis=0).mean(axis=0)


def subset_accuracy(values: np.ndarray, kind: Values, codes: np.ndarray) -> np.ndarray:
    """Share of the rows with the right label; of equal values the first class."""
    return (values.argmax(axis=0) == codes[:, None]).mean(axis=0)


def balanced_rate(values: np.ndarray, kind: Values, codes: np.ndarray) -> np.ndarray:
    """Mean over the classes of the share of their rows with the right label."""
    right = values.argmax(axis=0) == codes[:, None]
    return np.mean([right[codes == c].mean(axis=0) for c in np.unique(codes)], axis=0)


def area_under_roc(values: np.ndarray, kind: Values, codes: np.ndarray) -> np.ndarray:
    """Share of the pairs of rows of two classes in the right order, ties counted half; mean over
    the classes, each against the rest. NaN where a fold has one class alone."""
    areas = []
    for c in np.unique(codes) if len(values) > 2 else [1]:
        score = values[1] - values[0] if len(values) == 2 else class_probabilities(values, kind)[c]
        own, rest = score[codes == c], score[codes != c]
        if not len(own) or not len(rest):
            return np.full(values.shape[2], np.nan)
        above = (own[:, None] > rest).mean(axis=(0, 1))
        areas.append(above + 0.5 * (own[:, None] == rest).mean(axis=(0, 1)))
    return np.mean(areas, axis=0)


CRITERIA = {
    "log_score": Criterion("log_score", log_score),
    "squared_error": Criterion("squared_error", squared_error),
    "accuracy": Criterion("accuracy", subset_accuracy),
    "bcr": Criterion("bcr", balanced_rate),
    "auc": Criterion("auc", area_under_roc),
}


def find_criterion(scoring: Any, says: Values, regresses: bool = False) -> Criterion:
    """By name, a scorer of scikit-learn's by name, or a function (estimator, X, y) -> number.

    Parameters
    ----------
    scoring : str, callable or None
        None: "log_score" of probabilities, "squared_error" of indicators and of class shares among
        neighbours, of which a single 0 would outweigh all else.
    says : str
        The kind of values of the learner.
    regresses : bool
        Whether it is a regression on the indicator of the second class.
    """
    if scoring is None:
        scoring = "squared_error" if says in ("shares", "indicators") else "log_score"
    if scoring == "neg_mean_squared_error" and regresses:
        scoring = "squared_error"
    name = SKLEARN_SCORERS.get(scoring, scoring) if isinstance(scoring, str) else ""
    if name == "log_score" and says == "indicators":
        raise PlanError(
            f"scoring={scoring!r} needs probabilities, which this estimator does not give: use "
            "'squared_error', 'accuracy', 'bcr' or 'auc'"
        )
    if name in CRITERIA:
        return CRITERIA[name]
    return _scorer_criterion(scoring)


def _scorer_criterion(scoring: Any) -> Criterion:
    """A scorer of scikit-learn's around the values of each subset."""
    from sklearn.metrics import get_scorer, get_scorer_names

    if callable(scoring):
        scorer, name = scoring, getattr(scoring, "__name__", "a scorer of the user's own")
    else:
        known = list(dict.fromkeys([*CRITERIA, *get_scorer_names()]))
        if scoring not in known:
            named = isinstance(scoring, str)
            hint = nearest_hint(scoring, known) if named else "give a name or a scorer"
            raise PlanError(f"scoring={value_text(scoring)}: {hint}")
        scorer, name = get_scorer(scoring), scoring

    def scores_of_subsets(values: np.ndarray, kind: Values, codes: np.ndarray) -> np.ndarray:
        blank = np.zeros((len(codes), 1))
        return np.array(
            [
                scorer(_held_out_estimator(values[:, :, i], kind), blank, codes)
                for i in range(values.shape[2])
            ]
        )

    return Criterion(name, scores_of_subsets)


def _held_out_estimator(values: np.ndarray, kind: Values) -> Any:
    """What says these values (C, m) to a scorer, whatever rows it is given."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    class HeldOut(ClassifierMixin, BaseEstimator):
        classes_ = np.arange(len(values))

        def predict(self, X):
            return values.argmax(axis=0)

        def decision_function(self, X):
            scores = class_probabilities(values[:, :, None], kind)[:, :, 0]
            return np.nan_to_num(values[1] - values[0]) if len(values) == 2 else scores.T

        if kind != "indicators":

            def predict_proba(self, X):
                return class_probabilities(values[:, :, None], kind)[:, :, 0].T

        def __sklearn_is_fitted__(self):
            return True

    return HeldOut()

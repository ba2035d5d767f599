"""LogitBoost: additive logistic regression by stumps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, softmax

from .._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from .._core.errors import PlanError, value_text
from .._core.interfaces import Arrays, Beliefs, Classifier
from .base.boosting_rounds import mean_log_loss, rounds_to_try
from .base.folds import Splits, is_finite_number, splits_of, stratified_splits
from .base.raw_tables import Rows, WeightedTableClassifier
from .base.seen_levels import SeenLevels

ARRAY_NAMES = ("feature", "split", "values")


@dataclass(eq=False)
class LogitBoostParameters:
    """Parameters of `LogitBoostClassifier` and `LogitBoost`, described there."""

    rounds: int | str = "cv"
    max_rounds: int = 2000
    cv: Any = 5
    z_limit: float = 3.0
    categorical_features: Any = None
    random_state: Any = None


class LogitBoostClassifier(WeightedTableClassifier, LogitBoostParameters):
    """LogitBoost with stumps, its rounds by cross-validation.

    Each round fits a stump to the working response of logistic regression by weighted least
    squares and adds half of it to F, half the log-odds of the latter of two classes:
    p = 1/(1 + exp(-2F)); z = 1/p or -1/(1 - p), at most `z_limit` in size; w = (y - p)/z. Several
    classes have a stump each and round. One staged fit a fold gives the log loss of every number
    of rounds that is tried; the least wins, and the fit on all rows stops there.

    Parameters
    ----------
    rounds : "cv" or int, default="cv"
        "cv": the best of 10, 18, 32, 56, 100, ... and `max_rounds`.
    max_rounds : int, default=2000
    cv : int, splitter or list of (train, test), default=5
        A number: stratified folds, no more than the smallest class has members.
    z_limit : float, default=3.0
        At least 1; the paper takes 2 to 4.
    categorical_features : None, "from_dtype", mask, or sequence of int or str, default=None
        Columns of categories, of which a stump parts one from the rest. "from_dtype": those of a
        data frame that are not numbers.
    random_state : int, RandomState instance or None, default=None
        Deals the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_rounds_ : int
        Fewer than chosen where all rows are classified with certainty before.
    tried_rounds_ : ndarray of shape (n_tried,)
    cv_log_loss_ : ndarray of shape (n_tried,)
        Of the held-out rows; NaN where `rounds` is a number.
    feature_ : ndarray of shape (n_rounds_, n_scores)
        Of each stump; n_scores is 1 for two classes, else n_classes.
    split_ : ndarray of shape (n_rounds_, n_scores)
        At most this, or this category, has the first value; the largest double: any value
        against none.
    values_ : ndarray of shape (n_rounds_, n_scores, 3)
        What a stump says below or at the split, elsewhere, and where the value is missing.
    is_categorical_ : ndarray of shape (n_features,), bool
    categories_ : list of n_features arrays

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        One class alone, weights that cannot be used, or text in a column that is not categorical.

    Notes
    -----
    The paper has w = p(1 - p). That is (y - p)/z where z is not cut; where it is, Weka's
    (y - p)/z keeps the gradient w z = y - p.

    A missing value is a part of its own, with the mean response of the training rows that lack
    it; if none does, that of all rows. A category unknown to the model is a missing value. A
    sample of weight 2 is a sample given twice, but for the folds: weights multiply the working
    weights, and count in the log loss. Scale and any rising transformation of a feature change
    nothing but where between two values a split stands.

    References
    ----------
    Friedman, Hastie & Tibshirani (2000), Additive logistic regression: a statistical view of
    boosting, Annals of Statistics 28, 337-407, algorithms 3 and 6.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from tamis.classifiers import LogitBoostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogitBoostClassifier(max_rounds=200, random_state=0).fit(X[::2], y[::2])
    >>> model.n_rounds_, round(model.score(X[1::2], y[1::2]), 3)
    (10, 0.923)
    >>> model.tried_rounds_.tolist()
    [10, 18, 32, 56, 100, 178, 200]
    """

    _least = 2

    def _check_parameters(self) -> None:
        if not is_finite_number(self.z_limit) or self.z_limit < 1:
            raise PlanError(f"z_limit={value_text(self.z_limit)}: give a number of at least 1")

    def _fit(self, rows: Rows) -> None:
        """Choose the number of rounds and fit them on all rows."""
        self.tried_rounds_ = rounds_to_try(self.rounds, self.max_rounds)
        splits = splits_of(self.cv, rows.labels, rows.codes, rows.kept, self.random_state)
        stumps, self.cv_log_loss_ = chosen_stumps(
            rows.X,
            rows.codes,
            rows.weights,
            len(self.classes_),
            self._levels(),
            self.tried_rounds_,
            splits,
            float(self.z_limit),
        )
        self.feature_, self.split_, self.values_ = stumps

    @property
    def n_rounds_(self) -> int:
        """Rounds of the model."""
        return len(self.feature_)

    def decision_function(self, X) -> np.ndarray:
        """Log-odds of the latter of two classes, (n_samples,); else F of each, (n_samples, C)."""
        F = self._staged(X)[0]
        return 2 * F[:, 0] if len(self.classes_) == 2 else F

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes)."""
        return shares_of(self._staged(X)[0])

    def staged_predict_proba(self, X) -> Iterator[np.ndarray]:
        """Class probabilities after each round, (n_samples, n_classes) each."""
        for F in self._staged(X, every=True):
            yield shares_of(F)

    def _staged(self, X, every: bool = False) -> np.ndarray:
        """F after the last round, or after every one."""
        from ..kernels.logit_boost import Stumps

        X = self._read_table(X)
        stages = np.arange(1 if every else self.n_rounds_, self.n_rounds_ + 1)
        stumps = Stumps(self.feature_, self.split_, self.values_)
        return scores_after(stumps, self._levels(), X, stages)


def chosen_stumps(
    X: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    levels: np.ndarray,
    stages: np.ndarray,
    splits: Splits,
    limit: float,
) -> tuple[Any, np.ndarray]:
    """The stumps of the number of rounds with the least log loss of held-out rows, and the losses.

    Parameters
    ----------
    X, codes, weights, n_classes, levels, stages, splits
        As of `adaboost.chosen_trees`.
    limit : float
        Of the working response.

    Returns
    -------
    stumps : kernels.logit_boost.Stumps
    losses : ndarray, one for each of `stages`
        NaN where nothing was held out: a single stage, or classes of one member (then it is the
        first stage).
    """
    from ..kernels.logit_boost import Stumps, boost_stumps, presort_columns

    def fit_stumps(rows: Any, rounds: int) -> Any:
        table = presort_columns(X[rows], levels)
        return Stumps(*boost_stumps(table, codes[rows], weights[rows], n_classes, rounds, limit))

    losses, best = np.full(len(stages), np.nan), 0
    if len(stages) > 1 and splits:
        held_out = []
        for train, test in splits:
            held_out.append(
                scores_after(fit_stumps(train, int(stages[-1])), levels, X[test], stages)
            )
        tests = np.concatenate([test for _, test in splits])
        losses = np.array(
            [
                mean_log_loss(shares_of(F), codes[tests], weights[tests])
                for F in np.concatenate(held_out, axis=1)
            ]
        )
        best = int(losses.argmin())
    return fit_stumps(slice(None), int(stages[best])), losses


def scores_after(stumps: Any, levels: np.ndarray, X: np.ndarray, stages: np.ndarray) -> np.ndarray:
    """F of the rows of X (m, p) after so many rounds, (stages, m, scores)."""
    from ..kernels.logit_boost import staged_scores

    out = np.empty((len(stages), len(X), stumps.feature.shape[1]))
    staged_scores(stumps, levels, np.ascontiguousarray(X.T), stages, out)
    return out


def shares_of(F: np.ndarray) -> np.ndarray:
    """Class probabilities of F (m, 1 or C)."""
    if F.shape[1] == 1:
        return np.column_stack([expit(-2 * F[:, 0]), expit(2 * F[:, 0])])
    return softmax(F, axis=1)


@dataclass(frozen=True)
class StumpsPredictor:
    """Stumps as arrays; they are those of `LogitBoostClassifier`.

    Attributes
    ----------
    seen : SeenLevels
    feature, split : ndarray of shape (rounds, 1 or C)
    values : ndarray of shape (rounds, 1 or C, 3)
    """

    seen: SeenLevels
    feature: np.ndarray
    split: np.ndarray
    values: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k); a category that no training row has is a missing value."""
        from ..kernels.logit_boost import Stumps

        stumps = Stumps(self.feature, self.split, self.values)
        rounds = np.array([len(self.feature)])
        F = scores_after(stumps, self.seen.sizes, self.seen.coded(X), rounds)[0]
        return Beliefs(shares_of(F))

    def to_arrays(self) -> Arrays:
        """The categories and the stumps."""
        return {**self.seen.to_arrays(), **{n: getattr(self, n).astype(float) for n in ARRAY_NAMES}}


class LogitBoost(LogitBoostParameters, Classifier):
    """`LogitBoostClassifier` in plans, on a table as it is."""

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
        weights: np.ndarray | None = None,
    ) -> StumpsPredictor:
        """On a table as it is; the seed deals the folds."""
        seen = SeenLevels.of(X, levels or {})
        given = np.ones(len(y)) if weights is None else weights
        stumps, _ = chosen_stumps(
            seen.coded(X),
            y,
            given,
            n_classes,
            seen.sizes,
            rounds_to_try(self.rounds, self.max_rounds),
            stratified_splits(y, self.cv, seed),
            float(self.z_limit),
        )
        return StumpsPredictor(seen, *stumps)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> StumpsPredictor:
        """From the categories and the stumps."""
        seen, scores = SeenLevels.from_arrays(arrays, n_columns), 1 if n_classes == 2 else n_classes
        feature, split, values = fitting_arrays(
            arrays, feature=(None, scores), split=(None, scores), values=(None, scores, 3)
        )
        if not len(feature) == len(split) == len(values):
            raise unfit_part_error("feature")
        if (np.abs(values) > self.z_limit * (1 + 1e-9)).any():  # means of what is cut there
            raise unfit_part_error("values")
        return StumpsPredictor(
            seen, checked_integers(feature, 0, n_columns, "feature"), split, values
        )

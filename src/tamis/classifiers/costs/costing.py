"""Costing: classifiers on samples kept in proportion to their costs, and the mean of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from joblib import delayed
from sklearn.utils import check_random_state

from ..._core.errors import DataError, PlanError, value_text
from ..._core.interfaces import Arrays
from ..._core.workers import joblib_parallel
from ..bagging import MeanPredictor
from ..base.natural_scale import natural_scale
from ..base.scaling import fit_in_units, of_inside
from ._wrapper import (
    CostWrapper,
    checked_sample_costs,
    proba_or_votes,
    rows_of,
    scores_of,
    seeded_clone,
)
from .charged import ChargedClassifier, ChargedPredictor
from .cost_weights import class_weights, reduced_costs
from .sampling import drawn_weights, kept_by_cost

N_ESTIMATORS = 25


class CostingClassifier(CostWrapper):
    """The mean of classifiers, each fitted to rows kept with probability cost / largest cost.

    The cost of a row is sum_i C'(i, y), of its class or of its own. Any classifier can be charged
    so, since it sees plain rows, each at most once. A class of which a draw keeps nothing is drawn
    again: samples are as they are given that every class is in them. The mean decides at 0.5; its
    probabilities are brought back to the natural scale.

    Parameters
    ----------
    estimator : classifier
        Cloned. Without ``predict_proba`` its labels are votes.
    costs : CostMatrix, mapping, DataFrame, array-like of shape (C, C), "class_sizes" or None
        As of `MinimumRiskClassifier`.
    n_estimators : int, default=25
        The paper goes from 10 to 200.
    n_jobs : int or None, default=None
        The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Also of what has none of its own in the estimator.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
    class_counts_ : ndarray of shape (C,)
        Samples of each class, or the sum of their weights.
    class_weights_ : ndarray of shape (C,)
        What a row of each class counts in the draws: its mean cost, and more where a class is so
        small or cheap that it is drawn again.
    estimators_ : list of classifiers
    kept_ : float
        Mean share of the rows that a draw keeps.

    Raises
    ------
    PlanError
        A parameter or the costs cannot be used, or a class has weight 0.

    Notes
    -----
    With costs that differ among the samples of a class, dividing by their mean is the natural
    scale only if costs have nothing to do with the features.

    References
    ----------
    Zadrozny, Langford & Abe (2003), Cost-sensitive learning by cost-proportionate example
    weighting, ICDM 3, 435-442.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from tamis.classifiers import CostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 is malignant
    >>> model = CostingClassifier(
    ...     KNeighborsClassifier(), {0: 20, 1: 1}, n_estimators=10, random_state=0)
    >>> round(model.fit(X, y).kept_, 2)
    0.4
    """

    def __init__(
        self, estimator, costs=None, n_estimators=N_ESTIMATORS, n_jobs=None, random_state=None
    ):
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, sample_costs=None):
        """Draw, and fit every classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How often a sample is meant to be there: multiplied with its cost, and part of the
            natural scale.
        sample_costs : array-like of shape (n_samples, C, C) or None, default=None
            What errors on each sample cost, in place of `costs`.

        Returns
        -------
        self
        """
        if not isinstance(self.n_estimators, Integral) or self.n_estimators < 1:
            raise PlanError(f"n_estimators = {value_text(self.n_estimators)}: give 1 or more")
        X, codes, given = self._start(X, y, sample_weight)
        C = len(self.classes_)
        given = np.ones(len(codes)) if given is None else given
        own = checked_sample_costs(sample_costs, len(codes), self.classes_.tolist())
        if own is None:
            charge = class_weights(self._matrix.values, C, self.classes_.tolist())[codes]
        else:
            charge = reduced_costs(own, C).sum(axis=1)[np.arange(len(codes)), codes]
        importance = given * charge
        charged = np.bincount(codes, importance, C)
        if not (charged > 0).all():
            name = self.classes_.tolist()[int(charged.argmin())]
            raise DataError(f"no sample of class {name!r} has a weight and a cost: give it some")
        there = np.bincount(codes, given, C)
        drawn = drawn_weights(codes, C, importance)
        self.class_weights_ = drawn / there
        self.kept_ = float(drawn.sum() / importance.max() / len(codes))
        draws = check_random_state(self.random_state).randint(2**31 - 1, size=self.n_estimators)
        labels = self.classes_[codes]
        self.estimators_ = joblib_parallel(n_jobs=self.n_jobs)(
            delayed(_fitted_on_draw)(self.estimator, X, labels, codes, C, importance, int(seed))
            for seed in draws
        )
        return self

    def _mean(self, X) -> np.ndarray:
        """What the classifiers believe together, on the scale of costs."""
        X = self._seen(X)
        return np.mean([proba_or_votes(one, X, self.classes_) for one in self.estimators_], axis=0)

    def predict(self, X) -> np.ndarray:
        """The likeliest class on the scale of costs, ties to the first (n_samples,)."""
        likeliest = self._mean(X).argmax(axis=1)
        return self.classes_[likeliest]

    def decision_function(self, X) -> np.ndarray:
        """Log probabilities on the scale of costs (n_samples, n_classes); of two classes the
        latter against the former (n_samples,)."""
        return scores_of(self._mean(X))

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities on the natural scale (n_samples, n_classes): the likeliest class
        need not be the label."""
        proba = self._mean(X)
        return natural_scale(proba, self.class_weights_)


def _fitted_on_draw(estimator, X, labels, codes, C, importance, seed):
    """One classifier, on one draw."""
    rows = kept_by_cost(np.random.default_rng(seed), codes, C, importance)
    return seeded_clone(estimator, seed).fit(rows_of(X, rows), labels[rows])


@dataclass(frozen=True)
class Costing(ChargedClassifier):
    """Keeps a row with probability cost / largest cost (Zadrozny, Langford & Abe 2003)."""

    n_estimators: int = N_ESTIMATORS

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ChargedPredictor:
        """Draw, and fit every member; no draw lacks a class."""
        rng = np.random.default_rng(seed)
        weights = class_weights(self.costs, n_classes)
        members = []
        for _ in range(self.n_estimators):
            rows = kept_by_cost(rng, y, n_classes, weights[y])
            one = int(rng.integers(2**31))
            members.append(fit_in_units(self.of, X[rows], y[rows], n_classes, one, levels))
        drawn = drawn_weights(y, n_classes, weights[y]) / np.bincount(y, minlength=n_classes)
        return ChargedPredictor(MeanPredictor(members), drawn)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> ChargedPredictor:
        """The weights, and every member from its own arrays."""
        inner = MeanPredictor.from_arrays(self.of, of_inside(arrays), n_columns, n_classes)
        return ChargedPredictor.from_arrays(arrays, n_classes, inner)

"""Minimum risk: the label of least expected cost, by probabilities as they are (Elkan 2001)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from sklearn import get_config
from sklearn.base import clone

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.errors import PlanError, listed_names, value_text
from ..._core.interfaces import Arrays, Beliefs, Decided, Decision
from ...metrics.cost_matrix import check_costs, expected_costs, least_risk
from ._wrapper import CostWrapper, checked_sample_costs, fit_weighted

CALIBRATIONS = ("sigmoid", "isotonic", "temperature")


class MinimumRiskClassifier(CostWrapper):
    """Predicts argmin_i sum_j P(j | x) C(i, j), of a classifier's probabilities.

    Costs are looked at in `predict` alone: ``set_params(costs=...)`` changes labels without a fit.
    Probabilities that are off make labels that are off, so a classifier that is too certain wants
    `calibration`.

    Parameters
    ----------
    estimator : classifier
        Cloned. A ``sklearn.frozen.FrozenEstimator`` is used as it is fitted.
    costs : CostMatrix, mapping, DataFrame, array-like of shape (C, C), "class_sizes" or None
        As `CostMatrix.of` takes them, rows predicted and columns true, classes sorted;
        "class_sizes": by the sizes in training; None: every error costs 1.
    calibration : {None, "sigmoid", "isotonic", "temperature"}, default=None
        scikit-learn's ``CalibratedClassifierCV`` with ``ensemble=False``: fitted to held-out
        predictions, the estimator itself on all rows.
    cv : int, splitter or None, default=None
        Of the calibration; None: five folds.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
    class_counts_ : ndarray of shape (C,)
        Samples of each class, or the sum of their weights.
    estimator_ : classifier
        Fitted, and calibrated.

    Raises
    ------
    PlanError
        A parameter or the costs cannot be used, or the estimator gives no probabilities.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17, 973-978.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from tamis.classifiers import MinimumRiskClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 is malignant
    >>> model = MinimumRiskClassifier(GaussianNB(), {0: 20, 1: 1}, calibration="isotonic")
    >>> int((model.fit(X, y).predict(X) == 0).sum())
    276
    >>> int((model.set_params(costs=None).predict(X) == 0).sum())
    223
    """

    _charges = False

    def __init__(self, estimator, costs=None, calibration=None, cv=None):
        self.estimator = estimator
        self.costs = costs
        self.calibration = calibration
        self.cv = cv

    def fit(self, X, y, sample_weight=None):
        """Fit the estimator, and its calibration.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,) or None, default=None

        Returns
        -------
        self
        """
        X, codes, given = self._start(X, y, sample_weight)
        self._matrix  # noqa: B018 - refuses costs that cannot be used
        one = clone(self.estimator)
        if self.calibration is not None:
            one = self._calibrated(one, given)
        elif not hasattr(one, "predict_proba"):
            raise PlanError(
                f"{type(one).__name__} gives no probabilities to weigh costs by: set calibration "
                f"to one of {listed_names(CALIBRATIONS)}"
            )
        self.estimator_ = fit_weighted(one, X, self.classes_[codes], given)
        return self

    def _calibrated(self, one, weights):
        from sklearn.calibration import CalibratedClassifierCV

        if self.calibration not in CALIBRATIONS:
            raise PlanError(
                f"calibration = {value_text(self.calibration)}: give one of "
                f"{listed_names(CALIBRATIONS)}, or None"
            )
        if (
            weights is not None
            and get_config()["enable_metadata_routing"]
            and hasattr(one, "set_fit_request")  # a pipeline's steps have requested it, or not
        ):
            one.set_fit_request(sample_weight=True)
        return CalibratedClassifierCV(one, method=self.calibration, cv=self.cv, ensemble=False)

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, whatever errors cost (n_samples, n_classes)."""
        X = self._seen(X)
        return self.estimator_.predict_proba(X)

    def decision_function(self, X) -> np.ndarray:
        """Expected costs with their sign turned (n_samples, n_classes); of two classes what
        predicting the latter saves (n_samples,)."""
        saved = -self.expected_costs(X)
        return saved[:, 1] - saved[:, 0] if saved.shape[1] == 2 else saved

    def predict(self, X, sample_costs=None) -> np.ndarray:
        """The class of least expected cost, of equal ones the first.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        sample_costs : array-like of shape (n_samples, C, C) or None, default=None
            What errors on each sample cost, in place of `costs`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        proba = self.predict_proba(X)
        own = checked_sample_costs(sample_costs, len(proba), self.classes_.tolist())
        return self.classes_[least_risk(proba, self._matrix.values if own is None else own)]

    def expected_costs(self, X) -> np.ndarray:
        """sum_j P(j | x) C(i, j) of predicting each class i (n_samples, n_classes)."""
        proba = self.predict_proba(X)
        return self._matrix.risks(proba)


@dataclass(frozen=True)
class MinimumRisk(Decision):
    """`MinimumRiskClassifier` in plans: a decision by the probabilities of any classifier.

    A sample that brings costs of its own (`Beliefs.costs`) is decided by those.

    Attributes
    ----------
    costs : ndarray of shape (C, C)
        Rows predicted, columns true.
    """

    costs: np.ndarray | None = None

    by_distance: ClassVar[bool] = True
    by_sample: ClassVar[bool] = True

    def decide(self, beliefs: Beliefs) -> Decided:
        """Every sample is accepted."""
        codes = least_risk(beliefs.proba, self._costs(beliefs))
        return Decided(codes, np.ones(len(codes), dtype=bool), replace(beliefs, margin=None))

    def distance(self, beliefs: Beliefs) -> np.ndarray:
        """What the least risk saves over the second."""
        risks = np.sort(expected_costs(beliefs.proba, self._costs(beliefs)), axis=1)
        return risks[:, 1] - risks[:, 0]

    def _costs(self, beliefs: Beliefs) -> np.ndarray:
        """Of the samples, or of all."""
        costs = self.costs if beliefs.costs is None else beliefs.costs
        if costs is None:
            raise PlanError("decide = 'minimum_risk' has to know what errors cost: give [costs]")
        return costs

    def to_arrays(self) -> Arrays:
        """The costs."""
        assert self.costs is not None
        return {"costs": self.costs}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """From the costs."""
        (costs,) = fitting_arrays(arrays, costs=(n_classes, n_classes))
        try:
            check_costs(costs, range(n_classes))
        except PlanError as error:
            raise unfit_part_error("costs") from error
        return replace(self, costs=costs)

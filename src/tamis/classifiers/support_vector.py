"""Support vector machine whose probabilities come from Platt scaling inside the training rows."""

from __future__ import annotations

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..data.class_codes import class_codes
from .huberized_svm.inputs import row_weights


class PlattSVC(ClassifierMixin, BaseEstimator):
    """`sklearn.svm.SVC` that decides by its margin and gives cross-fitted probabilities.

    The sigmoid (Platt 1999) is fitted to decision values of samples held out in 3 folds of
    the training data; the machine itself is fitted on all of it. Labels are the machine's
    own, so they do not depend on the sigmoid. A class with a single member cannot be held
    out: then the sigmoid is fitted to the training decisions themselves.

    Parameters
    ----------
    kernel : {"linear", "rbf"}, default="linear"
    C : float, default=1.0
    gamma : float or "scale", default="scale"
    class_weight : "balanced" or None, default=None
    random_state : int, default=None
        Shuffles the folds.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.classifiers.support_vector import PlattSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> PlattSVC(random_state=0).fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    def __init__(self, kernel="linear", C=1.0, gamma="scale", class_weight=None, random_state=None):
        self.kernel = kernel
        self.C = C
        self.gamma = gamma
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the machine on all rows and the sigmoid on held-out decisions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            At least 0: the slack of a row costs C times its weight, and it counts so much in the
            sigmoid.

        Returns
        -------
        self
        """
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.model_selection import StratifiedKFold
        from sklearn.svm import SVC

        X, y = validate_data(self, X, y, dtype=np.float64)
        given = row_weights(sample_weight, len(y))
        kept = np.flatnonzero(given)
        X, y, given = X[kept], y[kept], given[kept]
        self.classes_, codes = class_codes(y, type(self).__name__)
        machine = SVC(
            C=self.C, kernel=self.kernel, gamma=self.gamma, class_weight=self.class_weight,
            random_state=0,  # nothing is drawn; without, a seed is, from the global generator
        )  # fmt: skip
        self.machine_ = machine.fit(X, y, given)
        weights = None if sample_weight is None else given
        if weights is not None and get_config()["enable_metadata_routing"]:
            machine.set_fit_request(sample_weight=True)
        folds = min(3, int(np.bincount(codes).min()))
        cv = [(np.arange(len(X)), np.arange(len(X)))]
        if folds > 1:
            cv = StratifiedKFold(folds, shuffle=True, random_state=self.random_state)
        calibrated = CalibratedClassifierCV(machine, cv=cv, ensemble=False)
        self.calibrated_ = calibrated.fit(X, y, sample_weight=weights)
        return self

    def decision_function(self, X):
        """Signed distances to the separating surface."""
        check_is_fitted(self)
        return self.machine_.decision_function(validate_data(self, X, reset=False, dtype=float))

    def predict(self, X):
        """Class labels by the machine's margin."""
        check_is_fitted(self)
        return self.machine_.predict(validate_data(self, X, reset=False, dtype=float))

    def predict_proba(self, X):
        """Class probabilities, (n_samples, n_classes)."""
        check_is_fitted(self)
        return self.calibrated_.predict_proba(validate_data(self, X, reset=False, dtype=float))

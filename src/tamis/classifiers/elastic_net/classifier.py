"""Logistic regression with an elastic net as a classifier, lambda chosen by cross-validation."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.utils.validation import validate_data

from ..._core.errors import DataError
from ...data.class_codes import class_codes
from ...kernels.recalibration_slopes import softmax_shares
from ..base.folds import Splits, splits_of
from ..base.linear_classifier import LinearClassifier
from ..base.temperature_scaling import one_a_class
from ..huberized_svm.penalty_choice import check_choice, choose_penalties
from .path import elastic_net_path, factors_of
from .steps import ElasticNet

LEAST_SHARE = 1e-5  # held-out probabilities are not taken for smaller, as in glmnet


class ElasticNetClassifier(LinearClassifier, ElasticNet):
    """Logistic regression with an elastic net: sparse, linear, two classes or more.

    Minimises ``-mean_i log p(y_i) + lambda sum_jk pf_j (alpha |b_jk| + (1-alpha)/2 b_jk^2)``
    (`elastic_net_path`) at the lambda of the least cross-validated loss.

    Parameters
    ----------
    alpha : float, default=0.5
        Between 0 (ridge: all columns) and 1 (lasso: few columns, one of several that say the
        same). The default keeps such groups together.
    lam : float or "cv", default="cv"
        lambda, above 0. "cv": chosen from the path of the full training data; the folds share
        its lambdas.
    n_lambdas : int, default=50
    min_ratio : float or None, default=None
        Least over largest lambda. None: 0.01 if there are fewer samples than columns, else 1e-4.
    standardize : bool, default=True
        Divide each column by its standard deviation in the training rows (in cross-validation,
        those of the training set). `coef_` is for the columns given.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        0 keeps a column in without penalty. None: 1 for every column.
    cv : int, splitter or iterable of (train, test), default=5
        A number: stratified shuffled folds, no more than the smallest class has members.
    criterion : {"loss", "error"}, default="loss"
        What the choice minimises on the held-out rows: the mean of -log p(y), p at least 1e-5,
        or the share of wrong predictions.
    rule : {"min", "1se"}, default="min"
        "1se": the largest lambda whose score is within one standard error (between folds) of the
        least. Sparser.
    random_state : int, RandomState or None, default=None
        Shuffles the folds.
    n_jobs : int or None, default=None
        Threads for the folds. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        For the columns given.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    lambda_ : float
        The lambda used.
    n_active_ : int
        Columns with a coefficient other than 0 (in any class).
    path_ : ElasticNetPath
        Of all rows.
    fold_losses_, fold_errors_ : ndarray of shape (n_folds, n_lambdas)
    fold_weights_ : ndarray of shape (n_folds,)
        Number of held-out rows.

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        y has one class, no column varies with y, or lambda is to be chosen where no class has two
        samples.

    Notes
    -----
    Equal scores go to the larger lambda. Rows that belong together (one patient's) must not be
    parted: give `cv` as a list of (train, test) made by a splitter with groups. A class that a
    training set lacks has probability 0 in it.

    References
    ----------
    Friedman, Hastie & Tibshirani (2010), Journal of Statistical Software 33(1).

    Zou & Hastie (2005), Regularization and variable selection via the elastic net, JRSS B 67,
    301-320.

    Examples
    --------
    >>> from tamis.classifiers import ElasticNetClassifier
    >>> from tamis.data import load_golub
    >>> golub = load_golub()
    >>> model = ElasticNetClassifier(random_state=0).fit(golub.X, golub.y)
    >>> model.coef_.shape, model.score(golub.X, golub.y)
    ((1, 3051), 1.0)
    """

    def fit(self, X, y) -> ElasticNetClassifier:
        """Choose lambda and fit all rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), finite
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        from joblib import delayed

        from ..._core.workers import joblib_parallel

        X, y = validate_data(self, X, y, dtype=np.float64)
        check_choice(self, "lam")
        factors_of(self.penalty_factors, X.shape[1])  # refused before anything is computed
        self.classes_, codes = class_codes(y, type(self).__name__)
        chosen = isinstance(self.lam, str)
        splits: Splits = []
        if chosen:
            splits = splits_of(self.cv, y, codes, np.arange(len(y)), self.random_state, X)
        if chosen and not splits:
            raise DataError(
                "no class has two samples, so none can be held out to choose lambda: give lam as "
                "a number"
            )
        self.path_ = self._path(X, codes, None if chosen else [self.lam])
        decisions = joblib_parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._held_out)(X, codes, train, test) for train, test in splits
        )
        k = self._choice(decisions, codes, splits)
        self.lambda_ = float(self.path_.lambdas[k])
        self.coef_, self.intercept_ = self.path_.coef_at(k), self.path_.intercept[k].copy()
        self.n_active_ = int(self.coef_.any(axis=0).sum())
        if not self.path_.converged[k]:
            from sklearn.exceptions import ConvergenceWarning

            warnings.warn(
                f"the solution at lambda={self.lambda_:.4g} is not certified: choose a larger one",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _path(self, X, codes, lambdas):
        return elastic_net_path(
            X,
            codes,
            alpha=self.alpha,
            lambdas=lambdas,
            n_lambdas=self.n_lambdas,
            min_ratio=self.min_ratio,
            standardize=bool(self.standardize),
            penalty_factors=self.penalty_factors,
        )

    def _held_out(self, X, codes, train, test) -> np.ndarray:
        """Probabilities of the test rows, (n_lambdas, rows, n_classes)."""
        present = np.unique(codes[train])
        shares = np.zeros((len(self.path_.lambdas), len(test), len(self.classes_)))
        if len(present) == 1:
            shares[:, :, present[0]] = 1.0
            return shares
        path = self._path(X[train], codes[train], self.path_.lambdas)
        for out, eta in zip(shares, path.decision(X[test]), strict=True):
            out[:, present] = softmax_shares(one_a_class(eta))
        return shares

    def _choice(self, decisions: list, codes: np.ndarray, splits: list) -> int:
        """The place of the lambda chosen; keeps the folds' losses and errors."""
        shape = (len(splits), len(self.path_.lambdas))
        self.fold_losses_, self.fold_errors_ = np.zeros(shape), np.zeros(shape)
        self.fold_weights_ = np.array([float(len(test)) for _, test in splits])
        for fold, (shares, (_, test)) in enumerate(zip(decisions, splits, strict=True)):
            own = shares[:, np.arange(len(test)), codes[test]]
            self.fold_losses_[fold] = -np.log(np.maximum(own, LEAST_SHARE)).mean(axis=1)
            self.fold_errors_[fold] = (shares.argmax(axis=2) != codes[test]).mean(axis=1)
        scores = self.fold_losses_ if self.criterion == "loss" else self.fold_errors_
        return choose_penalties(scores[:, None, :], self.fold_weights_, self.rule)[1]

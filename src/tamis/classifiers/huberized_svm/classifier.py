"""The hybrid huberised SVM as a classifier, its penalties chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from ..._core.errors import DataError, PlanError, listed_names, value_text
from ...data.class_codes import class_codes
from ...kernels.recalibration_slopes import softmax_shares
from ..base.folds import is_finite_number, splits_of
from ..base.linear_classifier import LinearClassifier
from ..base.temperature_scaling import fit_slope, one_a_class
from .inputs import row_weights
from .path import hhsvm_path
from .penalty_choice import LambdaScores, check_choice, choose_penalties, mean_and_error


class HuberizedSVMClassifier(LinearClassifier):
    """Hybrid huberised support vector machine (HHSVM): sparse, linear, with grouped columns.

    Minimises ``mean_i w_i phi(y_i f_i) + lambda1 |b|_1 + (lambda2/2) |b|_2^2`` with
    ``f = b0 + X b`` (`hhsvm_path`), with the penalties of the least cross-validated loss.
    More than two classes are taken one against the rest, all with the same penalties.

    Parameters
    ----------
    lambda1 : float or "cv", default="cv"
        The lasso penalty, above 0. "cv": chosen from `n_lambdas` geometric values from the
        least at which no column is in use (by the full training data; the folds share them).
    lambda2 : float or sequence of float, default=(0.01, 0.1, 1.0)
        The ridge penalty, at least 0, in units of a variance of the columns. Of several
        values one is chosen together with lambda1.
    delta : float, default=2.0
        Width of the quadratic part of the loss, in units of the margin.
    n_lambdas : int, default=100
    min_ratio : float or None, default=None
        Least over largest lambda1. None: 0.01 if there are fewer samples than columns, else
        1e-4.
    standardize : bool, default=True
        Divide each column by its standard deviation in the training rows (in
        cross-validation, those of the training set). `coef_` is for the columns given.
    cv : int, splitter or iterable of (train, test), default=5
        A number: stratified shuffled folds, no more than the smallest class has members.
    criterion : {"loss", "error"}, default="loss"
        What the choice minimises on the held-out rows: the mean huberised loss, or the share
        of wrong predictions.
    rule : {"min", "1se"}, default="min"
        "1se": at the lambda2 of the least score, the largest lambda1 whose score is within
        one standard error (between folds) of it. Sparser.
    class_weight : "balanced", dict of label to weight, or None, default=None
        Weights of the rows of a class, multiplied with `sample_weight`. "balanced":
        inverse to the weight of the class in the training rows.
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
    lambda1_, lambda2_ : float
        The penalties used.
    n_active_ : int
        Columns with a coefficient other than 0 (in any class).
    cv_scores_ : LambdaScores
        The held-out scores; made from the arrays below.
    lambdas_, lambda2s_ : ndarray of shape (n_lambdas,), (n_lambda2s,)
    fold_losses_, fold_errors_ : ndarray of shape (n_folds, n_lambda2s, n_lambdas)
    fold_weights_ : ndarray of shape (n_folds,)
        Weight of the held-out rows.
    path_n_active_ : ndarray of shape (n_lambda2s, n_lambdas)
    slope_ : float
        Of the probabilities; NaN if no row could be held out.

    Raises
    ------
    PlanError
        A parameter is out of range.
    DataError
        y has one class, the weights cannot be used, no column varies with y, or penalties
        are to be chosen where no class has two samples.

    Notes
    -----
    Equal scores go to the larger lambda1, then the larger lambda2.

    The loss is the default criterion because with 30 to 100 samples the error takes few
    values: many pairs tie, and one row decides between the others. It often keeps more
    columns; for few use ``rule="1se"``.

    Rows that belong together (one patient's) must not be parted: give `cv` as a list of
    (train, test) made by a splitter with groups.

    Weights are divided by their mean, so lambda1 does not depend on their scale, and a row
    of weight 2 is a row given twice. Held-out rows count by their weight too.

    References
    ----------
    Wang, Zhu & Zou (2008), Hybrid huberized support vector machines for microarray
    classification and gene selection, Bioinformatics 24, 412-419.

    Examples
    --------
    >>> from tamis.classifiers import HuberizedSVMClassifier
    >>> from tamis.data import load_golub
    >>> golub = load_golub()
    >>> model = HuberizedSVMClassifier(lambda2=0.1, n_lambdas=20, random_state=0)
    >>> model.fit(golub.X, golub.y).coef_.shape
    (1, 3051)
    >>> model.score(golub.X, golub.y)
    1.0
    """

    def __init__(
        self,
        lambda1="cv",
        lambda2=(0.01, 0.1, 1.0),
        delta: float = 2.0,
        n_lambdas: int = 100,
        min_ratio: float | None = None,
        standardize: bool = True,
        cv=5,
        criterion: str = "loss",
        rule: str = "min",
        class_weight=None,
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.delta = delta
        self.n_lambdas = n_lambdas
        self.min_ratio = min_ratio
        self.standardize = standardize
        self.cv = cv
        self.criterion = criterion
        self.rule = rule
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    _sparse = "csr"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X, y, sample_weight=None):
        """Choose the penalties and fit on all rows.

        Parameters
        ----------
        X : array-like or scipy sparse of shape (n_samples, n_features), finite
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            At least 0; rows of weight 0 play no part.

        Returns
        -------
        self
        """
        from joblib import delayed

        from ..._core.workers import joblib_parallel

        X, y = validate_data(self, X, y, accept_sparse=self._sparse, dtype=np.float64)
        self._check_parameters()
        weights = row_weights(sample_weight, len(y))
        kept = np.flatnonzero(weights)
        self.classes_, codes = class_codes(y[kept], type(self).__name__)
        splits = splits_of(self.cv, y, codes, kept, self.random_state, X)
        X, weights = X[kept], weights[kept]
        self.lambda2s_ = np.unique(np.asarray(self.lambda2, dtype=np.float64))
        if isinstance(self.lambda1, str):
            self.lambdas_ = self._grid(X, codes, weights)
        else:
            self.lambdas_ = np.array([self.lambda1], dtype=np.float64)
        if not splits and self.lambdas_.size * self.lambda2s_.size > 1:
            raise DataError(
                "no class has two samples, so none can be held out to choose the penalties: give "
                "lambda1 and lambda2 as numbers"
            )
        everything = np.arange(len(codes))
        parts = [(everything, everything[:0]), *splits]
        jobs = [(train, test, lambda2) for train, test in parts for lambda2 in self.lambda2s_]
        found = joblib_parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._held_out)(X, codes, weights, train, test, float(lambda2))
            for train, test, lambda2 in jobs
        )
        shape = (len(parts), len(self.lambda2s_), len(self.lambdas_))
        self.path_n_active_ = np.reshape([n for n, _ in found], shape)[0]
        decisions = [values for _, values in found[len(self.lambda2s_) :]]
        self._score(decisions, codes, self._row_weights(codes, weights), splits)
        self._final_fit(X, codes, weights)
        return self

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X, (n_samples, n_classes).

        The logistic function (softmax, with more classes) of `slope_` times the margins, so
        that the most probable class is always the predicted one. The slope is fitted to the
        margins of held-out rows at the penalties chosen; since those were chosen by the same
        rows, it may be a little steep.
        """
        check_is_fitted(self)
        if np.isnan(self.slope_):
            raise DataError(
                "no row could be held out when fitting, so there are no probabilities: use "
                "decision_function, or fit with two samples of a class"
            )
        return softmax_shares(self.slope_ * one_a_class(self._linear(X)))

    @property
    def cv_scores_(self) -> LambdaScores:
        """The held-out scores of every pair of penalties."""
        check_is_fitted(self)
        loss, loss_se = mean_and_error(self.fold_losses_, self.fold_weights_)
        error, error_se = mean_and_error(self.fold_errors_, self.fold_weights_)
        return LambdaScores(
            self.lambdas_,
            self.lambda2s_,
            loss,
            error,
            loss_se,
            error_se,
            self.path_n_active_,
            self.criterion,
            self.lambda1_,
            self.lambda2_,
            len(self.fold_weights_),
        )

    def _check_parameters(self) -> None:
        """Refuse what `hhsvm_path` does not see, before anything is computed."""
        check_choice(self, "lambda1")
        try:
            values = list(np.atleast_1d(self.lambda2).ravel())
        except ValueError:
            values = []
        if not values or not all(is_finite_number(v) and v >= 0 for v in values):
            raise PlanError(
                f"lambda2={value_text(self.lambda2)}: give a number of at least 0, or several to "
                "choose from"
            )

    def _row_weights(self, codes: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Weights of rows times those of their classes, learnt from these rows."""
        if self.class_weight is None:
            return weights
        if isinstance(self.class_weight, Mapping):
            unknown = set(self.class_weight) - set(self.classes_.tolist())
            by_class = [self.class_weight.get(label, 1.0) for label in self.classes_.tolist()]
            if not unknown and all(is_finite_number(v) and v > 0 for v in by_class):
                return weights * np.asarray(by_class, dtype=np.float64)[codes]
        elif isinstance(self.class_weight, str) and self.class_weight == "balanced":
            totals = np.bincount(codes, weights, len(self.classes_))[codes]
            return weights * weights.sum() / (len(self.classes_) * totals)
        raise PlanError(
            f"class_weight={value_text(self.class_weight)}: give 'balanced', None or numbers "
            f"above 0 by class, of {listed_names(self.classes_.tolist())}"
        )

    def _problems(self, codes: np.ndarray, weights: np.ndarray) -> list[tuple]:
        """Signs of each binary problem, and the weights (mean 1) that all share."""
        weights = self._row_weights(codes, weights)
        weights = weights * (len(weights) / weights.sum())
        positive = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        return [(np.where(codes == k, 1, -1), weights) for k in positive]

    def _path(self, X, problem: tuple, lambda2: float, **grid):
        signs, weights = problem
        return hhsvm_path(
            X,
            signs,
            lambda2,
            self.delta,
            standardize=bool(self.standardize),
            sample_weight=weights,
            **grid,
        )

    def _grid(self, X, codes, weights) -> np.ndarray:
        """Values of lambda1 from the largest lambda_max of the binary problems down.

        lambda2 plays no part in them.
        """
        problems = self._problems(codes, weights)
        if len(problems) > 1:
            ends = [self._path(X, problem, 1.0, n_lambdas=1).lambdas[0] for problem in problems]
            problems = [problems[int(np.argmax(ends))]]
        n_lambdas, ratio = self.n_lambdas, self.min_ratio
        return self._path(X, problems[0], 1.0, n_lambdas=n_lambdas, min_ratio=ratio).lambdas

    def _fits(self, X, codes, weights, lambda2: float, lambdas: np.ndarray):
        """Coefficients (problems, lambdas, p), intercepts (problems, lambdas), converged."""
        coefs, intercepts, converged = [], [], True
        for signs, own in self._problems(codes, weights):
            if (signs == signs[0]).all():  # a fold without the class: f = -1 has no loss at all
                coefs.append(np.zeros((len(lambdas), X.shape[1])))
                intercepts.append(np.full(len(lambdas), float(signs[0])))
                continue
            path = self._path(X, (signs, own), lambda2, lambdas=lambdas)
            coefs.append(path.coef)
            intercepts.append(path.intercept)
            converged &= bool(path.converged[-1])
        return np.array(coefs), np.array(intercepts), converged

    def _held_out(self, X, codes, weights, train, test, lambda2: float):
        """Columns in use (lambdas,) and margins of the test rows (lambdas, rows, problems)."""
        coefs, intercepts, _ = self._fits(
            X[train], codes[train], weights[train], lambda2, self.lambdas_
        )
        n_active = coefs.any(axis=0).sum(axis=1)
        margins = np.stack([X[test] @ coef.T for coef in coefs], axis=2) + intercepts.T
        return n_active, np.swapaxes(margins, 0, 1)

    def _score(self, decisions: list, codes, weights, splits: list) -> None:
        """Losses and errors of the folds, the choice by them, and the slope at it."""
        from ...kernels.huberized_svm.path import huberized_loss

        shape = (len(splits), len(self.lambda2s_), len(self.lambdas_))
        self.fold_losses_, self.fold_errors_ = np.zeros(shape), np.zeros(shape)
        self.fold_weights_ = np.array([weights[test].sum() for _, test in splits])
        signs = np.stack([signs for signs, _ in self._problems(codes, weights)], axis=1)
        for at, values in enumerate(decisions):
            fold, row = divmod(at, len(self.lambda2s_))
            test = splits[fold][1]
            share = weights[test] / weights[test].sum()
            losses = huberized_loss(signs[test] * values, float(self.delta)).mean(axis=2)
            self.fold_losses_[fold, row] = losses @ share
            self.fold_errors_[fold, row] = (_winning_codes(values) != codes[test]) @ share
        by_loss = self.criterion == "loss"
        row, k = choose_penalties(
            self.fold_losses_ if by_loss else self.fold_errors_, self.fold_weights_, self.rule
        )
        self.lambda1_, self.lambda2_ = float(self.lambdas_[k]), float(self.lambda2s_[row])
        self.slope_ = np.nan
        if splits:
            rows = np.concatenate([test for _, test in splits])
            margins = np.vstack([v[k] for v in decisions[row :: len(self.lambda2s_)]])
            self.slope_ = fit_slope(
                one_a_class(margins), codes[rows], weights[rows], len(self.classes_)
            )

    def _final_fit(self, X, codes, weights) -> None:
        lambdas = self.lambdas_[self.lambdas_ >= self.lambda1_]
        coefs, intercepts, converged = self._fits(X, codes, weights, self.lambda2_, lambdas)
        if not converged:
            from sklearn.exceptions import ConvergenceWarning

            warnings.warn(
                f"the solution at lambda1={self.lambda1_:.4g}, lambda2={self.lambda2_:g} is not "
                "certified: choose a larger lambda1 or lambda2",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.coef_, self.intercept_ = coefs[:, -1].copy(), intercepts[:, -1].copy()
        self.n_active_ = int(self.coef_.any(axis=0).sum())


def _winning_codes(margins: np.ndarray) -> np.ndarray:
    """Codes of the predicted classes by margins (..., problems): by sign, or the largest."""
    return margins.argmax(axis=-1) if margins.shape[-1] > 1 else (margins[..., 0] > 0).astype(int)

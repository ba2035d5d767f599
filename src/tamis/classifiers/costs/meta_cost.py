"""MetaCost: training rows relabelled by minimum risk, and one classifier of the new labels."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from joblib import delayed
from sklearn.utils import check_random_state

from ..._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from ..._core.errors import PlanError, value_text
from ..._core.interfaces import Arrays, Beliefs, Predictor
from ..._core.workers import joblib_parallel
from ...metrics.cost_matrix import least_risk
from ..base.class_shares import ClassShares
from ..base.folds import class_bootstrap
from ..base.scaling import fit_in_units, from_arrays, inner_arrays, of_inside
from ._wrapper import CostWrapper, proba_or_votes, rows_of, scores_of, seeded_clone
from .charged import ChargedClassifier
from .cost_weights import reduced_costs

N_ESTIMATORS = 25
CALLED_KEY = "called"


class MetaCostClassifier(CostWrapper):
    """Gives training rows the labels of least expected cost, and fits one classifier to these.

    Probabilities of the training rows are means over classifiers of bootstrap samples, drawn class
    by class. What comes out is one classifier, as readable as the one that it is around; what it
    believes is about the new labels and no chance of a class.

    Parameters
    ----------
    estimator : classifier
        Cloned. Without ``predict_proba`` its labels are votes.
    costs : CostMatrix, mapping, DataFrame, array-like of shape (C, C), "class_sizes" or None
        As of `MinimumRiskClassifier`.
    n_estimators : int, default=25
    oob : bool, default=True
        A row is judged by the classifiers that have not seen it (the paper's q = False; a row that
        all have seen, by all). False: by all, which believe in a label that they have learnt.
    n_jobs : int or None, default=None
        The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Also of what has none of its own in the estimator.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
    class_counts_ : ndarray of shape (C,)
    relabelled_ : ndarray of shape (n_samples,)
        The new labels.
    estimator_ : classifier or None
        Fitted to these; None where they are all one class, which then is always predicted.

    Raises
    ------
    PlanError
        A parameter or the costs cannot be used.

    Warns
    -----
    UserWarning
        All rows got one label.

    References
    ----------
    Domingos (1999), MetaCost: a general method for making classifiers cost-sensitive, KDD 5,
    155-164.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from tamis.classifiers import MetaCostClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 is malignant
    >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    >>> model = MetaCostClassifier(tree, {0: 20, 1: 1}, n_estimators=10, random_state=0).fit(X, y)
    >>> int((y == 0).sum()), int((model.relabelled_ == 0).sum())
    (212, 238)
    """

    def __init__(
        self,
        estimator,
        costs=None,
        n_estimators=N_ESTIMATORS,
        oob=True,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.oob = oob
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Judge the rows, relabel them, and fit the classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        if not isinstance(self.n_estimators, Integral) or self.n_estimators < 1:
            raise PlanError(f"n_estimators = {value_text(self.n_estimators)}: give 1 or more")
        X, codes, _ = self._start(X, y)
        costs, labels = self._matrix.values, self.classes_[codes]
        rng = check_random_state(self.random_state)
        *draws, last = rng.randint(2**31 - 1, size=self.n_estimators + 1)
        found = joblib_parallel(n_jobs=self.n_jobs)(
            delayed(_judged_by_bootstrap)(
                self.estimator, X, labels, codes, self.classes_, int(seed)
            )
            for seed in draws
        )
        proba = mean_judgement([one for one, _ in found], [seen for _, seen in found], self.oob)
        new = least_risk(proba, costs)
        self.relabelled_ = self.classes_[new]
        self.estimator_ = None
        if len(np.unique(new)) > 1:
            self.estimator_ = seeded_clone(self.estimator, int(last)).fit(X, self.relabelled_)
        else:
            (only,) = set(self.relabelled_.tolist())
            warnings.warn(
                f"MetaCost: at these costs every training sample is called {only!r}, and so will "
                "be every other",
                stacklevel=2,
            )
        return self

    def predict(self, X) -> np.ndarray:
        """The labels of the classifier of new labels (n_samples,)."""
        X = self._seen(X)
        if self.estimator_ is None:
            return np.repeat(self.relabelled_[:1], len(self._believed(X)))
        return self.estimator_.predict(X)

    def _believed(self, X) -> np.ndarray:
        if self.estimator_ is not None:
            return proba_or_votes(self.estimator_, X, self.classes_)
        m = X.shape[0] if hasattr(X, "shape") else len(X)
        return np.tile((self.classes_ == self.relabelled_[0]).astype(np.float64), (m, 1))

    def decision_function(self, X) -> np.ndarray:
        """Log probabilities of the new labels (n_samples, n_classes); of two classes the latter
        against the former (n_samples,)."""
        X = self._seen(X)
        return scores_of(self._believed(X))

    def predict_proba(self, X) -> np.ndarray:
        """Probabilities that a row is *called* a class (n_samples, n_classes), not that it is of
        it: use them for no other decision."""
        X = self._seen(X)
        return self._believed(X)


def mean_judgement(proba, seen, oob: bool) -> np.ndarray:
    """Mean probabilities (n, C) of several (n, C), of a row by those that have not `seen` it (n,)
    if `oob` and there are some."""
    total, times = np.zeros_like(proba[0]), np.zeros(len(proba[0]))
    if oob:
        for one, known in zip(proba, seen, strict=True):
            total[~known] += one[~known]
            times += ~known
    every = sum(proba) / len(proba)
    return np.divide(total, times[:, None], out=every, where=times[:, None] > 0)


def _judged_by_bootstrap(estimator, X, labels, codes, classes, seed):
    """What one classifier believes of all rows, and which of them it has seen."""
    rows = class_bootstrap(np.random.default_rng(seed), codes, len(classes))
    fitted = seeded_clone(estimator, seed).fit(rows_of(X, rows), labels[rows])
    seen = np.zeros(len(codes), dtype=bool)
    seen[rows] = True
    return proba_or_votes(fitted, X, classes), seen


@dataclass(frozen=True)
class RelabelledPredictor:
    """A predictor of new labels, among which classes may be missing.

    Its probabilities are those of being *called* a class: they order samples, and are no chances.

    Attributes
    ----------
    inner : Predictor
        Of the classes that are left.
    called : ndarray of int64
        Their codes, rising.
    n_classes : int
    """

    inner: Predictor
    called: np.ndarray
    n_classes: int

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k); a class that nothing is called has the least margin."""
        found = self.inner.beliefs(X)
        proba = np.zeros((len(X), self.n_classes))
        proba[:, self.called] = found.proba
        margin = np.repeat(found.scores.min(axis=1, keepdims=True) - 1, self.n_classes, axis=1)
        margin[:, self.called] = found.scores
        return Beliefs(proba, margin)

    def to_arrays(self) -> Arrays:
        """1 for each class that is called and 0 for others, and those of what is inside."""
        is_called = np.isin(np.arange(self.n_classes), self.called)
        return {CALLED_KEY: is_called.astype(np.float64), **inner_arrays(self.inner)}


@dataclass(frozen=True)
class MetaCost(ChargedClassifier):
    """Relabels rows by what members on bootstrap samples believe of rows that they have not seen
    (Domingos 1999, with q = False), and fits one classifier to the new labels."""

    n_estimators: int = N_ESTIMATORS

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> RelabelledPredictor:
        """Members, new labels, and a fit to them; where all are one class nothing is fitted."""
        rng = np.random.default_rng(seed)
        proba, seen = [], []
        for _ in range(self.n_estimators):
            rows = class_bootstrap(rng, y, n_classes)
            one = int(rng.integers(2**31))
            member = fit_in_units(self.of, X[rows], y[rows], n_classes, one, levels)
            proba.append(member.beliefs(X).proba)
            known = np.zeros(len(y), dtype=bool)
            known[rows] = True
            seen.append(known)
        costs = reduced_costs(self.costs, n_classes)
        new = least_risk(mean_judgement(proba, seen, True), costs)
        called, codes = np.unique(new, return_inverse=True)
        if len(called) == 1:
            return RelabelledPredictor(ClassShares(np.ones(1)), called, n_classes)
        inner = fit_in_units(self.of, X, codes, len(called), seed, levels)
        return RelabelledPredictor(inner, called, n_classes)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> RelabelledPredictor:
        """As of the predictor."""
        (is_called,) = fitting_arrays(arrays, **{CALLED_KEY: (n_classes,)})
        called = np.flatnonzero(checked_integers(is_called, 0, 2, CALLED_KEY))
        if not len(called):
            raise unfit_part_error(CALLED_KEY)
        inner = from_arrays(self.of, of_inside(arrays), n_columns, len(called))
        return RelabelledPredictor(inner, called, n_classes)

"""Plain procedures to hold a default study against. Each learns in the training rows alone.

- `lasso`, `elastic_net` (alpha .5): logistic regression by Tamis's certified path, natural weights,
  the penalty of one standard error above the least ten-fold deviance (glmnet's lambda.1se; folds
  are stratified, and fewer where a class has fewer members).
- `centroids`: nearest shrunken centroids with equal priors, thirty thresholds, the one of the least
  ten-fold error, all classes weighing the same, ties to the larger.
- `forest`: 500 trees, weights balanced in each sample drawn. Its trees are grown until their leaves
  are pure, so that these weights leave its probabilities on the natural scale: over 15 sets their
  Brier score is .255 as they are, .312 with the shares multiplied in, and the balanced accuracy
  .812 by p/share, .733 by p.
- `support_vectors`: linear, C = 1, balanced, standardised columns; several classes one against one,
  the AUC by scikit-learn's margins of one class against the rest. No probabilities.

All but the last decide for the class of largest p(c)/pi(c), pi being the prior that p stands for
(the training shares, or uniform with equal priors): the best for the balanced accuracy.
Probabilities are told on the natural scale, p(c) share(c)/pi(c) renormalised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from _default_answers import Answer, timed_answer

FOLDS, TREES, THRESHOLDS = 10, 500, 30


@dataclass(frozen=True)
class Part:
    """Training and test rows, without gaps.

    Attributes
    ----------
    X, y : ndarray
        Of the training rows; y are codes from 0 to C - 1, all of which occur.
    X_test : ndarray
    owner : ndarray of shape (P,)
        The feature behind each column.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    owner: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray, owner: np.ndarray, test: np.ndarray) -> Part:
        """Rows apart; a gap has the median of the training rows, 0 if there is none."""
        train = np.delete(np.arange(len(y)), test)
        inside, outside = X[train], X[test]
        gaps = np.flatnonzero(np.isnan(X).any(axis=0))
        if len(gaps):
            known = ~np.isnan(inside[:, gaps]).all(axis=0)
            middle = np.zeros(len(gaps))
            middle[known] = np.nanmedian(inside[:, gaps[known]], axis=0)
            for table in (inside, outside):
                table[:, gaps] = np.where(np.isnan(table[:, gaps]), middle, table[:, gaps])
        return cls(inside, y[train], outside, owner)

    @property
    def shares(self) -> np.ndarray:
        """Of the classes among the training rows."""
        return np.bincount(self.y) / len(self.y)

    def features(self, columns: np.ndarray) -> np.ndarray:
        """The features of some columns."""
        return np.unique(self.owner[columns])


def decided(proba: np.ndarray, part: Part, features: np.ndarray | None) -> Answer:
    """Of probabilities whose prior is the training shares."""
    return Answer((proba / part.shares).argmax(axis=1), proba, proba, features)


def penalised(part: Part, alpha: float) -> Answer:
    """Logistic regression with an elastic net, the penalty of one standard error."""
    from tamis.classifiers import ElasticNetClassifier

    model = ElasticNetClassifier(alpha, n_lambdas=100, cv=FOLDS, rule="1se", random_state=0)
    model.fit(part.X, part.y)
    columns = np.flatnonzero(model.coef_.any(axis=0))
    return decided(model.predict_proba(part.X_test), part, part.features(columns))


def centroids(part: Part) -> Answer:
    """Nearest shrunken centroids."""
    from tamis.classifiers.base.folds import stratified_splits
    from tamis.classifiers.shrunken_centroids import least_error, threshold_grid
    from tamis.kernels.shrunken_centroids import class_centroids, shrunken_path

    C, equal = len(part.shares), np.ones(len(part.shares))
    thresholds = threshold_grid(class_centroids(part.X, part.y, C).d, THRESHOLDS)
    wrong = np.zeros((THRESHOLDS, C))
    for train, test in stratified_splits(part.y, FOLDS, 0):
        X, X_test = (np.ascontiguousarray(part.X[rows]) for rows in (train, test))
        proba, _ = shrunken_path(X, part.y[train], X_test, thresholds, C, equal)
        missed = proba.argmax(axis=2) != part.y[test]
        for c in range(C):
            wrong[:, c] += missed[:, part.y[test] == c].sum(axis=1)
    errors = np.round((wrong / np.bincount(part.y)).mean(axis=1), 12)
    taken = thresholds[[least_error(errors)]]
    proba, chosen = shrunken_path(part.X, part.y, part.X_test, taken, C, equal)
    natural = proba[0] * part.shares
    natural /= natural.sum(axis=1, keepdims=True)
    return Answer(proba[0].argmax(axis=1), natural, natural, part.features(chosen[0]))


def forest(part: Part) -> Answer:
    """A random forest on all features."""
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(TREES, class_weight="balanced_subsample", random_state=0)
    model.fit(part.X, part.y)
    return decided(model.predict_proba(part.X_test), part, None)


def support_vectors(part: Part) -> Answer:
    """A linear support vector machine on all features; margins, and no probabilities."""
    from sklearn.svm import SVC

    middle, spread = part.X.mean(axis=0), part.X.std(axis=0)
    spread[spread == 0] = 1.0
    X, X_test = ((table - middle) / spread for table in (part.X, part.X_test))
    model = SVC(C=1.0, kernel="precomputed", class_weight="balanced").fit(X @ X.T, part.y)
    products = X_test @ X.T
    margins = model.decision_function(products)
    order = np.column_stack([-margins, margins]) if margins.ndim == 1 else margins
    return Answer(model.predict(products).astype(np.int64), order, None, None)


RIVALS: dict[str, Callable[[Part], Answer]] = {
    "lasso": lambda part: penalised(part, 1.0),
    "elastic_net": lambda part: penalised(part, 0.5),
    "centroids": centroids,
    "support_vectors": support_vectors,
    "forest": forest,
}
TUNED = ("lasso", "elastic_net", "centroids")  # those that choose settings themselves


def answer_of(name: str, part: Part) -> Answer:
    """What a rival says, with its CPU seconds."""
    return timed_answer(lambda: RIVALS[name](part))

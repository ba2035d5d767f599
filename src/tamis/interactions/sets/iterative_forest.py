"""`IterativeForest`: forests that sharpen their choice of features, and what their paths share."""

from __future__ import annotations

from math import log2, sqrt
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ..._core.errors import PlanError
from ..._core.settings import checked_count
from ..._core.streams import generator
from ...data.class_codes import class_codes
from .decision_paths import leaf_paths
from .forest_interactions import recover_interactions, stable_interactions
from .intersection_search import TreeSettings
from .random_intersection_trees import MOST_SETS
from .tree_settings import IterativeForestParameters, checked_branch
from .weighted_forest import ForestSettings, SortedTable, iterate_forests

TASK_TREES = 50  # intersection trees of a task: paths are short


class IterativeForest(ClassifierMixin, BaseEstimator, IterativeForestParameters):
    """Iterative random forest (iRF): a classifier, and the interactions it is made of.

    Forests are grown one after the other, each choosing among features by the importances of the
    one before; the last one predicts. Then forests with its weights are grown on bootstrap
    samples, and random intersection trees find sets of features that stand together on the paths
    to leaves of a class: `interactions_` are those found in a share of at least `stability` of
    the samples, and more frequent on the paths of the class than on those of any other. Nothing
    bounds how many of them are false: the weights were learned on the rows that are resampled.

    Parameters
    ----------
    n_iterations : int, default=3
        Forests, the first of which chooses evenly; with 1, a plain random forest.
    n_estimators : int, default=100
        Trees of each forest, fully grown.
    n_trees : int, default=500
        Random intersection trees, of each class, on each bootstrap sample.
    depth : int, default=5
        Paths that a leaf of these has met beside that of the root.
    branch : float, default=2
        Their branches, as in `random_intersection_trees`.
    min_size : int, default=2
        Features that an interaction has at least.
    n_bootstraps : int, default=10
        Bootstrap samples, with as many rows of each class as there are; 0: no interactions.
    stability : float, default=0.5
        Least share of the bootstrap samples in which an interaction is found.
    signed : bool, default=True
        Whether "x high" and "x low" are two things. Where a path splits on a feature more than
        once, the split nearest to the root says which.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        Features tried at a split, of those of X: None is all, and a fraction a share of them.
    random_state : int, RandomState or None, default=None
    n_jobs : int, optional
        Threads. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    interactions_ : ForestInteractions
        With ``frame()``, ``summary()``; `reason` says why there is none.
    importances_ : ndarray of shape (n_features,)
        Of the final forest: mean decrease in impurity, of sum 1.
    weights_ : ndarray of shape (n_iterations, n_features)
        By which each forest chose, of sum 1.
    forest_ : WeightedForest
        The nodes of the final forest: `starts` of its trees, `feature`, `threshold`, `child` (the
        first; the second stands behind it), `missing_first`, `counts` of class codes.

    Notes
    -----
    Trees are those of scikit-learn's random forests: Gini impurity, bootstrap samples, the first of
    equal splits; but values are distinguished however near they are. A split draws from a list of
    as many places as X has columns, or 1,000 if that is more, in which each feature stands as often
    as its weight says (to the nearest whole number above or below, by chance). A feature of less
    weight than one place is in the lists of some forests only; one of no weight is in none. In the
    package iRF of R every split draws `mtry` different features by weight. Here two draws may be
    the same feature: once a few features have most of the weight, a split tries fewer different
    ones.

    A set is found if two random paths of a class or more share it and, in the trees grown from
    there, no larger part of them goes on, or it has come to `min_size` features. R's package drops
    what is larger than that and does not come to full depth; its `depth` counts the root too.

    Missing values are taken as they are. Where they go with a branch, a path is "high" or "low"
    as that branch is.

    References
    ----------
    Basu, Kumbier, Brown & Yu (2018), Iterative random forests to discover predictive and stable
    high-order interactions, PNAS 115, 1943-1948.

    Kumbier, Basu, Brown, Celniker & Yu (2018), Refining interaction search through signed
    iterative random forests, arXiv:1810.07287.

    Examples
    --------
    Cases are what is high in the first feature and low in the second.

    >>> import numpy as np
    >>> from tamis.interactions import IterativeForest
    >>> X = np.random.default_rng(0).normal(size=(300, 20))
    >>> y = np.where((X[:, 0] > 0) & (X[:, 1] < 0), "case", "control")
    >>> model = IterativeForest(n_estimators=50, n_bootstraps=10, random_state=0).fit(X, y)
    >>> best = model.interactions_.frame().iloc[0]
    >>> best["features"], best["class"], float(best["stability"])
    (('x0 high', 'x1 low'), 'case', 1.0)
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y):
        """Grow the forests, and look for interactions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self

        Raises
        ------
        PlanError
            A parameter is out of range.
        DataError
            y has only one class.
        """
        X, y = validate_data(self, X, y, dtype=np.float32, order="C", ensure_all_finite="allow-nan")
        self.classes_, codes = class_codes(y, type(self).__name__)
        trees = TreeSettings(
            checked_count(self.n_trees, "n_trees", 1),
            checked_count(self.depth, "depth", 1),
            checked_branch(self.branch),
            checked_count(self.min_size, "min_size", 1),
            MOST_SETS,
            alone=False,
            chunk=TASK_TREES,
        )
        n_iterations = checked_count(self.n_iterations, "n_iterations", 1)
        n_bootstraps = checked_count(self.n_bootstraps, "n_bootstraps", 0)
        least, signed = checked_share(self.stability), bool(self.signed)
        n_estimators = checked_count(self.n_estimators, "n_estimators", 1)
        tried = tried_features(self.max_features, X.shape[1])
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        forests = ForestSettings(n_estimators, tried, self.n_jobs, seed)
        table = SortedTable.of(X, codes)
        self.forest_, self.weights_ = iterate_forests(table, forests, n_iterations)
        self.importances_ = self.forest_.importances(X.shape[1])
        recovered = recover_interactions(
            table, self.weights_[-1], forests, trees, signed, n_bootstraps
        )
        paths = leaf_paths(self.forest_, signed, generator(seed, "iterative forest", "final paths"))
        settings = self.get_params()
        settings.pop("n_jobs")
        self.interactions_ = stable_interactions(
            recovered,
            paths,
            least,
            self.classes_.tolist(),
            self._names(),
            {**settings, "random_state": seed},
        )
        return self

    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities of the rows of X: the mean of the trees, (n_samples, n_classes)."""
        check_is_fitted(self)
        X = validate_data(
            self, X, dtype=np.float32, order="C", ensure_all_finite="allow-nan", reset=False
        )
        return self.forest_.shares(X)

    def predict(self, X) -> np.ndarray:
        """The most probable class of each row of X, ties to the first class."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def selected(self, more_than: int = 0) -> np.ndarray:
        """Features in more than so many of `interactions_`, by number, rising."""
        check_is_fitted(self)
        return self.interactions_.selected(more_than)

    def _names(self) -> tuple[str, ...]:
        given = getattr(self, "feature_names_in_", None)
        if given is not None:
            return tuple(map(str, given))
        return tuple(f"x{j}" for j in range(self.n_features_in_))


def checked_share(stability: Any) -> float:
    """The least stability of what is reported."""
    if (
        isinstance(stability, bool)
        or not isinstance(stability, int | float | np.number)
        or not 0 < stability <= 1
    ):
        raise PlanError(f"stability={stability!r}: give a share above 0, of at most 1")
    return float(stability)


def tried_features(max_features: Any, p: int) -> int:
    """How many of p features a split tries, as scikit-learn's forests read it."""
    if max_features is None:
        return p
    if isinstance(max_features, str) and max_features in ("sqrt", "log2"):
        return max(1, int(sqrt(p) if max_features == "sqrt" else log2(p)))
    if not isinstance(max_features, bool | str):
        if isinstance(max_features, int | np.integer) and 1 <= max_features <= p:
            return int(max_features)
        if isinstance(max_features, float | np.floating) and 0 < max_features <= 1:
            return max(1, int(max_features * p))
    raise PlanError(
        f"max_features={max_features!r}: give 'sqrt', 'log2', None, a whole number from 1 to {p} "
        "or a share above 0, of at most 1"
    )

"""Costs as class sizes: rows copied, left out, or made up between others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.utils import check_array, check_random_state

from ..._core.errors import PlanError, nearest_hint, value_text
from ..base.scaling import fit_in_units
from ._wrapper import ChargedWrapper, rows_of, seeded_clone
from .charged import ChargedClassifier, ChargedPredictor
from .cost_weights import class_weights
from .sampling import METHODS, resampled_rows, resampled_sizes, smote_class, with_synthetic_rows

METHOD, K_NEIGHBORS = "over", 5  # by default


class CostResampledClassifier(ChargedWrapper):
    """Fits a classifier to classes brought to sizes in the ratio n_j sum_i C'(i, j).

    With two classes that is n+ C'(0, 1) : n- C'(1, 0). Rows are resampled in `fit`, so none of
    another fold is among them. The classifier decides as it always does (at 0.5); its
    probabilities are brought back to the natural scale by what each class really grew by.

    Parameters
    ----------
    estimator : classifier
        Cloned.
    costs : CostMatrix, mapping, DataFrame, array-like of shape (C, C), "class_sizes" or None
        As of `MinimumRiskClassifier`.
    method : {"over", "under", "smote"}, default="over"
        "over": every row of a class as often as the others, what is left over drawn without
        replacement. "under": rows are left out. "smote": what "over" adds lies between a row and
        one of its nearest in the class; it needs imbalanced-learn (``pip install
        '.[sampling]'``), and columns on scales that can be compared.
    k_neighbors : int, default=5
        Of "smote"; of a smaller class all others are neighbours. Columns of two values keep them.
    random_state : int, RandomState or None, default=None
        Also of what has none of its own in the estimator.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
    class_counts_, resampled_counts_ : ndarray of shape (C,)
        Class sizes before and after.
    class_weights_ : ndarray of shape (C,)
        What a sample of each class counts: the latter over the former. Rounding, and the one row
        that "under" leaves at least, may keep it from the ratio of the costs.
    estimator_ : classifier
        Fitted to the resampled rows: it is on the scale of costs.

    Raises
    ------
    PlanError
        A parameter or the costs cannot be used, a class has weight 0, the rows would be more than
        a thousand times as many, or a package is missing.
    ValueError
        "smote", and a value is missing or no number (scikit-learn's message).

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17, 973-978. Chawla et al.
    (2002), SMOTE: synthetic minority over-sampling technique, JAIR 16, 321-357.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from tamis.classifiers import CostResampledClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 is malignant
    >>> model = CostResampledClassifier(KNeighborsClassifier(), {0: 20, 1: 1}, random_state=0)
    >>> model.fit(X, y).resampled_counts_.tolist()
    [4240, 357]
    """

    def __init__(
        self, estimator, costs=None, method=METHOD, k_neighbors=K_NEIGHBORS, random_state=None
    ):
        self.estimator = estimator
        self.costs = costs
        self.method = method
        self.k_neighbors = k_neighbors
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.method == "smote":
            tags.input_tags.sparse = tags.input_tags.allow_nan = False
        return tags

    def fit(self, X, y):
        """Resample, and fit the estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers without gaps for "smote".
        y : array-like of shape (n_samples,)

        Returns
        -------
        self
        """
        if self.method not in METHODS:
            hint = nearest_hint(str(self.method), METHODS)
            raise PlanError(f"method = {value_text(self.method)}: {hint}")
        if not isinstance(self.k_neighbors, Integral) or self.k_neighbors < 1:
            raise PlanError(f"k_neighbors = {value_text(self.k_neighbors)}: give 1 or more")
        X, codes, _ = self._start(X, y)
        costs = self._matrix.values
        weights = class_weights(costs, len(costs), self.classes_.tolist())
        sizes = resampled_sizes(self.class_counts_, weights, self.method)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        if self.method == "smote":
            table = check_array(X, dtype=np.float64)
            table, labels = with_synthetic_rows(table, codes, sizes, int(self.k_neighbors), seed)
            if hasattr(X, "iloc"):
                table = type(X)(table, columns=X.columns)
        else:
            rows = resampled_rows(np.random.default_rng(seed), codes, sizes)
            table, labels = rows_of(X, rows), codes[rows]
        self.resampled_counts_ = sizes
        self.class_weights_ = sizes / self.class_counts_
        self.estimator_ = seeded_clone(self.estimator, seed).fit(table, self.classes_[labels])
        return self


@dataclass(frozen=True)
class CostResampled(ChargedClassifier):
    """Brings classes to sizes in the ratio n_j sum_i C'(i, j); `method` is "over" or "under"."""

    method: str = METHOD

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ChargedPredictor:
        """One fit to resampled rows."""
        counts = np.bincount(y, minlength=n_classes)
        sizes = resampled_sizes(counts, class_weights(self.costs, n_classes), self.method)
        rows = resampled_rows(np.random.default_rng(seed), y, sizes)
        inner = fit_in_units(self.of, X[rows], y[rows], n_classes, seed, levels)
        return ChargedPredictor(inner, sizes / counts)


@dataclass(frozen=True)
class CostSmote(ChargedClassifier):
    """Brings classes to sizes in the ratio n_j sum_i C'(i, j) by SMOTE (Chawla et al. 2002).

    Columns are standardised first, since neighbours are looked for across them.
    """

    k_neighbors: int = K_NEIGHBORS
    scaled = True

    def __post_init__(self) -> None:
        super().__post_init__()
        smote_class()  # which says at once that a package is missing

    def fit(self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int) -> ChargedPredictor:
        """One fit to the rows and the synthetic ones."""
        counts = np.bincount(y, minlength=n_classes)
        sizes = resampled_sizes(counts, class_weights(self.costs, n_classes), "over")
        more, labels = with_synthetic_rows(X, y, sizes, self.k_neighbors, seed)
        return ChargedPredictor(
            fit_in_units(self.of, more, labels, n_classes, seed), sizes / counts
        )

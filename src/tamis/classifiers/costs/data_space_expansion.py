"""Data-space expansion: costs of several classes as weighted copies with other labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Predictor
from ..base.scaling import fit_in_units, from_arrays, inner_arrays, of_inside
from ._wrapper import WeightedWrapper, has_proba
from .charged import ChargedClassifier
from .cost_weights import before_expansion, class_weights, expansion_weights

EXPANSION_KEY = "expansion"


class DataSpaceExpansionClassifier(WeightedWrapper):
    """Fits a classifier to copies of every sample, labelled k with weight max_i C(i, y) - C(k, y).

    Where it is right about the copies, its label is that of least expected cost, also where it
    matters with which class one is confused: weights by class cannot say so. With two classes it
    is `CostWeightedClassifier`.

    Parameters
    ----------
    estimator : classifier
        Cloned; its ``fit`` takes ``sample_weight``.
    costs : CostMatrix, mapping, DataFrame, array-like of shape (C, C), "class_sizes" or None
        As of `MinimumRiskClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (C,)
    class_counts_ : ndarray of shape (C,)
        Samples of each class, or the sum of their weights.
    expansion_ : ndarray of shape (C, C)
        Weights of copies, rows the new label, columns the true class.
    estimator_ : classifier
        Fitted to the copies: it is on the scale of costs.

    Raises
    ------
    PlanError
        The costs cannot be used, a class has weight 0, or the estimator takes no weights.

    Notes
    -----
    The paper goes on to draw from the copies and to boost; this is its first step, fitted once.

    References
    ----------
    Abe, Zadrozny & Langford (2004), An iterative method for multi-class cost-sensitive learning,
    KDD 10, 3-11.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from tamis.classifiers import DataSpaceExpansionClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> costs = [[0, 1, 9], [1, 0, 9], [1, 1, 0]]  # a missed "2" costs nine times as much
    >>> model = DataSpaceExpansionClassifier(LogisticRegression(max_iter=1000), costs).fit(X, y)
    >>> [int((model.predict(X) == c).sum()) for c in range(3)]
    [50, 34, 66]
    """

    def _copies(self, codes: np.ndarray, costs: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
        class_weights(costs, len(costs), self.classes_.tolist())  # refuses a class of weight 0
        self.expansion_ = expansion_weights(costs, len(costs))
        return expanded_rows(codes, self.expansion_)

    @available_if(has_proba)
    def predict_proba(self, X) -> np.ndarray:
        """Class probabilities (n_samples, n_classes) as far as they can be had back.

        The copies believe q proportional to M P, M = `expansion_`; P is had by M's pseudo-inverse,
        what is below 0 becomes 0. Classes that costs do not tell apart share what they have.
        """
        X = self._seen(X)
        return before_expansion(self.estimator_.predict_proba(X), self.expansion_)


def expanded_rows(
    codes: np.ndarray, expansion: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The row, label and weight of every copy of weight above 0, by row and then label."""
    weights = expansion[:, codes].T
    rows, labels = np.nonzero(weights)
    return rows, labels, weights[rows, labels]


@dataclass(frozen=True)
class ExpandedPredictor:
    """A predictor of copies; its probabilities are those of the classes that they come from.

    Attributes
    ----------
    inner : Predictor
    expansion : ndarray of shape (C, C)
        Weights of copies, rows the new label, columns the true class.
    """

    inner: Predictor
    expansion: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        found = self.inner.beliefs(X)
        return Beliefs(before_expansion(found.proba, self.expansion), found.scores)

    def to_arrays(self) -> Arrays:
        """The weights, and those of what is inside."""
        return {EXPANSION_KEY: self.expansion, **inner_arrays(self.inner)}


@dataclass(frozen=True)
class DataSpaceExpansion(ChargedClassifier):
    """Copies labelled k weigh max_i C(i, y) - C(k, y) (Abe, Zadrozny & Langford 2004)."""

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ExpandedPredictor:
        """One weighted fit to the copies."""
        class_weights(self.costs, n_classes)  # refuses a class of weight 0
        expansion = expansion_weights(self.costs, n_classes)
        rows, labels, weights = expanded_rows(y, expansion)
        weights = weights * (len(y) / weights.sum())
        inner = fit_in_units(self.of, X[rows], labels, n_classes, seed, levels, weights)
        return ExpandedPredictor(inner, expansion)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> ExpandedPredictor:
        """As of the predictor."""
        (expansion,) = fitting_arrays(arrays, **{EXPANSION_KEY: (n_classes, n_classes)})
        if (expansion < 0).any() or not (expansion.max(axis=0) > 0).all():
            raise unfit_part_error(EXPANSION_KEY)
        inner = from_arrays(self.of, of_inside(arrays), n_columns, n_classes)
        return ExpandedPredictor(inner, expansion)

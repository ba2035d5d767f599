"""Costs as sample weights: a sample counts what errors on its class cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.scaling import fit_in_units
from ._wrapper import WeightedWrapper
from .charged import ChargedClassifier, ChargedPredictor
from .cost_weights import class_weights


class CostWeightedClassifier(WeightedWrapper):
    """Fits a classifier in which a sample of class j weighs sum_i C'(i, j).

    C'(i, j) = C(i, j) - C(j, j). The weighted classifier decides as it always does (at 0.5):
    costs are in it already. Its probabilities are brought back to the natural scale, divided by
    their class's weight, so that no reader of them counts costs a second time.

    With several classes only what errors on a class cost in all enters, not which errors:
    `DataSpaceExpansionClassifier` and `MinimumRiskClassifier` tell them apart.

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
    class_weights_ : ndarray of shape (C,)
        sum_i C'(i, j).
    estimator_ : classifier
        Fitted to weighted samples: it is on the scale of costs.

    Raises
    ------
    PlanError
        The costs cannot be used, a class has weight 0, or the estimator takes no weights.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17, 973-978.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from tamis.classifiers import CostWeightedClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)  # 0 is malignant
    >>> model = CostWeightedClassifier(GaussianNB(), {0: 20, 1: 1}).fit(X, y)
    >>> int((model.predict(X) == 0).sum())
    209
    """

    def _copies(self, codes: np.ndarray, costs: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
        self.class_weights_ = class_weights(costs, len(costs), self.classes_.tolist())
        return slice(None), codes, self.class_weights_[codes]


@dataclass(frozen=True)
class CostWeighted(ChargedClassifier):
    """Gives every row of class j the weight sum_i C'(i, j) (Elkan 2001); their mean is 1."""

    def fit(
        self,
        X: np.ndarray,
        y: np.ndarray,
        n_classes: int,
        seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> ChargedPredictor:
        """One weighted fit."""
        weights = class_weights(self.costs, n_classes)
        rows = weights[y] / weights[y].mean()
        inner = fit_in_units(self.of, X, y, n_classes, seed, levels, rows)
        return ChargedPredictor(inner, weights)

"""Probabilities on the natural scale: of the class shares of the training set, whatever prior the
classifier was fitted with.

With balanced weights, or equal priors, a class of few samples counts as much as one of many. Then
p(c | x) stands for equal frequencies, and p(c | x) share(c) / pi(c), of sum 1, for those that there
are. Calibration, costs, abstention and the saved model read these; what the classifier itself would
say is left in the margins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._core.arrays import unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Predictor
from .by_size import beliefs_by_size
from .linear_predictor import LinearPredictor
from .linear_value import LinearValue
from .scaling import (
    INNER_PREFIX,
    ScaledPredictor,
    fit_in_units,
    from_arrays,
    inner_arrays,
    of_inside,
    stored_weights,
    weights_of_prior,
)

WEIGHTS_KEY = "prior_weights"


@dataclass(frozen=True)
class NaturalPredictor:
    """A predictor whose prior is `weights` times the class shares.

    Its margins are its scores on the scale that it was fitted on, if it has no others.
    """

    inner: Predictor
    weights: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return on_natural_scale(self.inner.beliefs(X), self.weights)

    def to_arrays(self) -> Arrays:
        """The weights, and those of what is inside."""
        return {WEIGHTS_KEY: self.weights, **inner_arrays(self.inner)}


def on_natural_scale(found: Beliefs, weights: np.ndarray) -> Beliefs:
    """Beliefs of a model to which class c counted `weights[c]`."""
    return replace(found, proba=natural_scale(found.proba, weights), margin=found.scores)


def natural_scale(proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Probabilities q (m, C) of a model to which class j counted `weights[j]`: q / w, of sum 1.

    With two classes the odds of the latter are multiplied by w_0 / w_1.

    Examples
    --------
    >>> natural_scale(np.array([[0.5, 0.5]]), np.array([1.0, 9.0])).tolist()
    [[0.9, 0.1]]
    """
    share = proba / (weights / weights.max())
    return share / share.sum(axis=1, keepdims=True)


def prior_weights(classifier: Any, y: np.ndarray, n_classes: int) -> np.ndarray | None:
    """pi(c) / share(c) of a classifier (C,), 1 of a class without samples; None where it is 1."""
    prior = classifier.prior_of(y, n_classes)
    if prior is None:
        return None
    weights = weights_of_prior(prior, np.bincount(y, minlength=n_classes))
    return None if (weights == 1).all() else weights


def fit_natural(
    classifier: Any,
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    seed: int,
    levels: Mapping[int, int] | None = None,
) -> Predictor:
    """As `fit_in_units`, on the natural scale."""
    found = fit_in_units(classifier, X, y, n_classes, seed, levels)
    weights = prior_weights(classifier, y, n_classes)
    return found if weights is None else NaturalPredictor(found, weights)


def natural_beliefs_by_size(
    classifier: Any,
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    test: np.ndarray,
    sizes: Sequence[int],
    seed: int,
    levels: Mapping[int, int] | None = None,
) -> list[Beliefs]:
    """Those of `beliefs_by_size`, on the natural scale."""
    found = beliefs_by_size(classifier, X, y, n_classes, test, sizes, seed, levels)
    weights = prior_weights(classifier, y, n_classes)
    return found if weights is None else [on_natural_scale(one, weights) for one in found]


def natural_from_arrays(
    classifier: Any, arrays: Arrays, n_columns: int, n_classes: int
) -> Predictor:
    """What `fit_natural` gave, from its arrays.

    Raises
    ------
    ModelError
        They do not fit together.
    """
    if WEIGHTS_KEY not in arrays:
        return from_arrays(classifier, arrays, n_columns, n_classes)
    if not all(name == WEIGHTS_KEY or name.startswith(INNER_PREFIX) for name in arrays):
        raise unfit_part_error(WEIGHTS_KEY)
    weights = stored_weights(arrays, WEIGHTS_KEY, n_classes)
    return NaturalPredictor(
        from_arrays(classifier, of_inside(arrays), n_columns, n_classes), weights
    )


def standardised_coefficients(predictor: Predictor) -> np.ndarray | None:
    """Those of a linear model on standardised columns (k,): the change in the log odds of code 1 of
    two classes, or in a number, per standard deviation of a column. None of any other model."""
    if isinstance(predictor, NaturalPredictor):  # moves the intercept alone
        predictor = predictor.inner
    if not isinstance(predictor, ScaledPredictor) or not predictor.is_standardised:
        return None
    linear = predictor.inner
    if isinstance(linear, LinearValue):
        return linear.coef
    if not isinstance(linear, LinearPredictor) or len(linear.coef) != 1:
        return None
    return linear.coef[0]

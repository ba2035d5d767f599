"""What classifiers that charge costs are in plans: probabilities on the natural scale, margins on
that of costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Arrays, Beliefs, Predictor
from ..base.natural_scale import natural_scale
from ..base.scaling import AroundClassifier, from_arrays, inner_arrays, of_inside, stored_weights

WEIGHTS_KEY = "class_weights"


@dataclass(frozen=True)
class ChargedPredictor:
    """A predictor of training rows among which those of class c counted `weights[c]`.

    Its probabilities are brought back to the natural scale. Its margins are its own scores, on the
    scale of costs: the largest is the label of least cost.
    """

    inner: Predictor
    weights: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        found = self.inner.beliefs(X)
        return Beliefs(natural_scale(found.proba, self.weights), found.scores)

    def to_arrays(self) -> Arrays:
        """The weights, and those of what is inside."""
        return {WEIGHTS_KEY: self.weights, **inner_arrays(self.inner)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_classes: int, inner: Predictor) -> ChargedPredictor:
        """From the weights, and what is inside."""
        return cls(inner, stored_weights(arrays, WEIGHTS_KEY, n_classes))


@dataclass(frozen=True)
class ChargedClassifier(AroundClassifier):
    """A classifier around another that is charged `costs`, (C, C) with predicted classes as rows;
    None: every error costs 1.

    Costs say what the classes count: balanced weights and equal priors of what is inside are left
    out. Columns that all are constant come to it too, since costs say which class they are called.
    """

    costs: np.ndarray | None = None
    takes_constants = True

    def __post_init__(self) -> None:
        if self.of is not None:
            object.__setattr__(self, "of", self.of.with_shares())

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
        """As of the predictor."""
        inner = from_arrays(self.of, of_inside(arrays), n_columns, n_classes)
        return ChargedPredictor.from_arrays(arrays, n_classes, inner)

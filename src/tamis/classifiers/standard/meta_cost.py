"""MetaCost in plans: rows relabelled by minimum risk, and one classifier of the new labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting, unfit, whole_numbers
from ..._core.interfaces import Arrays, Beliefs, Predictor
from ...metrics.cost_matrix import least_risk
from ..costs.meta_cost import mean_judgement
from ..costs.sampling import class_bootstrap
from ..costs.scales import reduced_costs
from .charged import ChargedClassifier
from .scaling import fit_in_units, from_arrays, inside, of_inside
from .shares import Shares

CALLED = "called"


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
        told = np.isin(np.arange(self.n_classes), self.called)
        return {CALLED: told.astype(np.float64), **inside(self.inner)}


@dataclass(frozen=True)
class MetaCost(ChargedClassifier):
    """Relabels rows by what members on bootstrap samples believe of rows that they have not seen
    (Domingos 1999, with q = False), and fits one classifier to the new labels."""

    n_estimators: int = 25

    def fit(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, seed: int,
        levels: Mapping[int, int] | None = None,
    ) -> RelabelledPredictor:  # fmt: skip
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
            return RelabelledPredictor(Shares(np.ones(1)), called, n_classes)
        inner = fit_in_units(self.of, X, codes, len(called), seed, levels)
        return RelabelledPredictor(inner, called, n_classes)

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> RelabelledPredictor:
        """As of the predictor."""
        (told,) = fitting(arrays, **{CALLED: (n_classes,)})
        called = np.flatnonzero(whole_numbers(told, 0, 2, CALLED))
        if not len(called):
            raise unfit(CALLED)
        inner = from_arrays(self.of, of_inside(arrays), n_columns, len(called))
        return RelabelledPredictor(inner, called, n_classes)

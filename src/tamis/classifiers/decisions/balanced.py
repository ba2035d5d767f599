"""The class of the largest p(c | x) / pi(c): the best in expectation for the balanced accuracy.

The balanced accuracy is the mean over classes of P(called c | c) = E[p(c | x) 1(called c)] / pi(c),
so that calling each sample the class of the largest p(c | x) / pi(c) makes it largest (Menon et al.
2013, for two classes the threshold pi of the positive one).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..._core.interfaces import MIN_PROBABILITY, Beliefs, Decided, Decision
from ..rejection.certainty import gap_to_runner_up
from .arg_max import likeliest_class

TIE_TOLERANCE = 1e-12  # ratios that differ by less of the largest are ties


@dataclass(frozen=True)
class Balanced(Decision):
    """argmax_c p(c | x) / pi(c), pi the prior that p stands for (`Beliefs.prior`).

    Ties go to the first class. A class of which training has no sample (pi = 0) is never called.
    Where a classifier declares no prior (it decides by margins, gives labels alone, or has charged
    costs) it is what that says itself, as `arg_max`. Nothing is learnt: the prior comes with the
    beliefs. Of recalibrated probabilities it is the classifier's own that are divided, for pi is
    the prior that those stand for.
    """

    by_distance: ClassVar[bool] = True
    by_prior: ClassVar[bool] = True

    def decide(self, beliefs: Beliefs) -> Decided:
        """Every sample is accepted."""
        own = beliefs.own
        if own.prior is None:
            codes = likeliest_class(own)
        else:
            ratios = prior_ratios(own.proba, own.prior)
            largest = ratios.max(axis=-1, keepdims=True)
            codes = (ratios >= largest * (1 - TIE_TOLERANCE)).argmax(axis=-1)
        return Decided(codes, np.ones(len(beliefs), dtype=bool), beliefs)

    def distance(self, beliefs: Beliefs) -> np.ndarray:
        """The logarithm of the largest ratio less that of the second."""
        own = beliefs.own
        if own.prior is None:
            scores = own.scores
        else:
            scores = np.log(np.maximum(prior_ratios(own.proba, own.prior), MIN_PROBABILITY))
        return gap_to_runner_up(scores, scores.argmax(axis=1))


def prior_ratios(proba: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """p / pi (..., C), 0 where pi is.

    Examples
    --------
    >>> prior_ratios(np.array([0.7, 0.3, 0.0]), np.array([0.9, 0.1, 0.0])).round(2).tolist()
    [0.78, 3.0, 0.0]
    """
    return np.divide(proba, prior, out=np.zeros(np.shape(proba)), where=np.asarray(prior) > 0)


def balanced_scale(proba: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Probabilities as if all classes were equally frequent: p / pi, of sum 1 (..., C)."""
    ratios = prior_ratios(proba, prior)
    total = ratios.sum(axis=-1, keepdims=True)
    return np.divide(ratios, total, out=np.zeros(ratios.shape), where=total > 0)

"""Where a ranking by relative importance ends: the cut-offs of Monte Carlo feature selection.

`permutations` is a test; the others describe the shape of the importances and promise nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..metrics.permuted_maxima import family_p_values, family_threshold

CUTOFF_RULES = ("permutations", "kmeans", "angle", "mean", "contrast")
ANGLE_CHANGE = 0.01  # change of the slope, importances scaled to 1
CONTRAST_SHARE, CONTRAST_LEVEL = 0.1, 0.05


@dataclass
class PermutedRuns:
    """Observed importances beside those under permuted classes.

    Attributes
    ----------
    observed : ndarray of shape (p,)
        -inf where a feature was never offered.
    maxima : list of float
        The largest importance of each permuted run.
    reached : ndarray of shape (p,)
        Importances of all features of all permuted runs that are at least the observed one.
    compared : int
        Importances in the permuted runs: of features offered there.
    """

    observed: np.ndarray
    maxima: list[float] = field(default_factory=list)
    reached: np.ndarray = field(init=False)
    compared: int = 0

    def __post_init__(self) -> None:
        self.reached = np.zeros(len(self.observed), dtype=np.int64)

    def add(self, scores: np.ndarray) -> None:
        """Count the importances of one permuted run."""
        self.maxima.append(float(scores.max()))
        self.compared += int((scores > -np.inf).sum())
        self.reached += len(scores) - np.searchsorted(np.sort(scores), self.observed, "left")

    @property
    def p_values(self) -> np.ndarray:
        """(1 + reached) / (1 + compared): one feature's, from the runs of all together.

        NaN where a feature was never offered.
        """
        own = (1 + self.reached) / (1 + self.compared)
        return np.where(self.observed > -np.inf, own, np.nan)

    @property
    def family_p_values(self) -> np.ndarray:
        """(1 + #{runs whose largest importance is at least the feature's}) / (1 + k)."""
        return family_p_values(self.observed, self.maxima)

    def threshold(self, level: float) -> float:
        """The importance to exceed: of the k largest, the floor(level (k + 1))-th from above."""
        return family_threshold(self.maxima, level)


def kmeans_size(scores: np.ndarray) -> int:
    """Features in the upper of two clusters of importances, begun at the least and largest."""
    values = np.sort(np.maximum(scores, 0.0))[::-1]
    low, high = values[-1], values[0]
    if low == high:
        return 0
    size = -1
    while True:
        above = int((values > (low + high) / 2).sum())
        if above == size:
            return size
        size, high, low = above, float(values[:above].mean()), float(values[above:].mean())


def angle_size(scores: np.ndarray) -> int:
    """Features down to where one more hardly turns a line through the best of them.

    The rule of rmcfs. Importances, scaled to 0..1, stand at x = rank from below / p. A slope is
    fitted to the best 2, 3, 4 and so on, with sums of the k best divided by p and not by k: that
    is how rmcfs centres, and what makes it the slope of a line nearly through the origin. The
    first feature that changes it by less than .01 is the last kept. Where none does, all of
    positive importance are.
    """
    values = np.sort(np.maximum(scores, 0.0))[::-1]
    p = len(values)
    if values[0] == values[-1]:
        return 0
    y, x = (values - values[-1]) / (values[0] - values[-1]), np.arange(p - 1, -1, -1) / p
    k, sx, sy = np.arange(1, p + 1), x.cumsum(), y.cumsum()
    mx, my = sx / p, sy / p
    covariance = (x * y).cumsum() - mx * sy - my * sx + k * mx * my
    slopes = covariance / ((x * x).cumsum() - 2 * mx * sx + k * mx * mx)
    # never of all p together
    small = np.flatnonzero(np.abs(np.diff(slopes[1 : p - 1])) < ANGLE_CHANGE)
    last = values[small[0] + 2] if len(small) else 0.0
    above = int((values > last).sum())
    return above + 1 if len(small) else above


def contrast_threshold(contrasts: np.ndarray) -> float:
    """The importance that the best 5 % of the contrast columns reach."""
    return float(np.quantile(np.maximum(contrasts, 0.0), 1 - CONTRAST_LEVEL))

"""Differences between methods on the same folds, and permutation tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._core.errors import DataError
from .._core.first_screen import FirstScreen
from .intervals import check_level
from .schema import DifferenceContent

LEAST_RUNS = 19  # permuted runs below which nothing can be tested at 5 %


@dataclass(frozen=True, repr=False)
class Difference(FirstScreen):
    """The mean difference of two methods over outer folds; NaN where undefined.

    Attributes
    ----------
    mean, low, high : float
    p_value : float
        Two-sided, that the true difference is 0.
    n : int
        Folds where the difference was defined.
    """

    mean: float
    low: float
    high: float
    p_value: float
    n: int

    @property
    def alike(self) -> bool:
        """Whether the two methods scored the same in every fold."""
        return self.p_value == 1 and math.isnan(self.low)

    def to_dict(self) -> DifferenceContent:
        """``mean``, ``low``, ``high``, ``p_value``; undefined ones are None."""
        values = (self.mean, self.low, self.high, self.p_value)
        mean, low, high, p_value = (None if value != value else value for value in values)
        return {"mean": mean, "low": low, "high": high, "p_value": p_value}

    def summary(self) -> str:
        """One line for people."""
        return (
            f"difference {self.mean:.3f} [{self.low:.3f}, {self.high:.3f}], "
            f"p = {self.p_value:.3g} over {self.n} folds"
        )


def nadeau_bengio(
    differences: ArrayLike, n_train: float, n_test: float, level: float = 0.95
) -> Difference:
    """Corrected resampled t-test of score differences between two methods.

    Training sets overlap, so the plain variance of a mean, s^2/J, is too small: it is
    replaced by (1/J + n_test/n_train) s^2, with J - 1 degrees of freedom.

    Parameters
    ----------
    differences : array-like of shape (J,)
        Score of the one less that of the other, an outer fold each (all repeats together).
        NaN, where a score was undefined, is left out.
    n_train, n_test : float
        Samples in the training and the test set of a fold (their means, if sizes differ).
    level : float, default=0.95

    Returns
    -------
    Difference
        Methods that never differ have mean 0 and p-value 1. The p-value is NaN for fewer than
        two folds, and where all folds differ by the same amount other than 0. In each of these
        cases nothing is known of the spread, and the interval is NaN.

    Raises
    ------
    DataError
        `n_train` is not above 0 or `n_test` below 0.

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error. Machine Learning 52,
    239-281.

    Examples
    --------
    >>> found = nadeau_bengio([0.10, 0.02, 0.05, 0.07, 0.00], n_train=80, n_test=20)
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3), round(found.p_value, 3)
    (0.048, -0.026, 0.122, 0.145)
    """
    from scipy.special import stdtr, stdtrit

    check_level(level)
    if not n_train > 0 or not n_test >= 0:
        raise DataError(
            f"n_train is {n_train} and n_test {n_test}: give the samples in the two parts of a fold"
        )
    values = np.asarray(differences, dtype=np.float64).ravel()
    values = values[~np.isnan(values)]
    J, nan = len(values), float("nan")
    if J and not values.any():
        return Difference(0.0, nan, nan, 1.0, J)
    mean = float(values.mean()) if J else nan
    if J < 2 or np.ptp(values) <= 1e-12:  # the same difference in every fold, up to rounding
        return Difference(mean, nan, nan, nan, J)
    error = float(np.sqrt((1.0 / J + n_test / n_train) * values.var(ddof=1)))
    reach = float(stdtrit(J - 1, (1.0 + level) / 2.0)) * error
    p_value = 2.0 * float(stdtr(J - 1, -abs(mean) / error))
    return Difference(mean, mean - reach, mean + reach, p_value, J)


def permutation_p_value(observed: float, values: ArrayLike, direction: int = 1) -> float:
    """(1 + number of permuted runs as good as the observed one) / (1 + number of runs).

    Parameters
    ----------
    observed : float
        The score on the true labels.
    values : array-like of shape (n_permutations,)
        Scores of the full procedure on permuted labels. Those within 1e-12 of `observed`
        count as equal to it, and so does NaN: an undefined run is no evidence.
    direction : int, default=1
        -1 for a score where lower is better.

    Returns
    -------
    float
        NaN if `observed` is.

    References
    ----------
    Phipson and Smyth (2010), Permutation p-values should never be zero. Statistical
    Applications in Genetics and Molecular Biology 9, article 39.

    Examples
    --------
    >>> permutation_p_value(0.9, [0.5, 0.6, 0.9, 0.4])
    0.4
    """
    runs = np.asarray(values, dtype=np.float64).ravel()
    if observed != observed:
        return float("nan")
    worse = direction * runs < direction * observed - 1e-12
    return float(1 + len(runs) - np.count_nonzero(worse)) / (1 + len(runs))

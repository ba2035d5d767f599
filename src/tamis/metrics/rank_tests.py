"""Tests on ranks: do k methods differ over N data sets, and which of them.

Demsar (2006), Statistical comparisons of classifiers over multiple data sets. Journal of
Machine Learning Research 7, 1-30. Rank 1 is the best method on a data set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, isinf, lgamma

import numpy as np

from .._core.errors import DataError
from .schema import Friedman


@dataclass(frozen=True)
class FriedmanTest:
    """Friedman's chi-squared and the F of Iman and Davenport that is made of it.

    Attributes
    ----------
    ties : {"plain", "corrected"}
        Whether the chi-squared is divided for ties; without ties both are the same.
    chi2, df, p_value : float, int, float
    F, df1, df2, F_p_value : float, int, int, float
        `F` is infinite where all data sets rank alike. Its p-value is then not 0 but the
        chance of that: 1 / (arrangements of the ranks)^(N - 1).
    """

    ties: str
    chi2: float
    df: int
    p_value: float
    F: float
    df1: int
    df2: int
    F_p_value: float

    def to_dict(self) -> Friedman:
        """Plain values; an infinite F is None."""
        return {
            "ties": self.ties,
            "chi2": self.chi2,
            "df": self.df,
            "p_value": self.p_value,
            "F": None if isinf(self.F) else self.F,
            "df1": self.df1,
            "df2": self.df2,
            "F_p_value": self.F_p_value,
        }


def row_midranks(values: np.ndarray) -> np.ndarray:
    """Ranks of each row, 1 for the largest, equal values sharing the mean of their ranks.

    Neighbours within 1e-12 of the row's largest magnitude are equal: the same score computed
    in another order is no difference.

    Examples
    --------
    >>> row_midranks(np.array([[0.9, 0.7, 0.3, 0.1 + 0.2]]))
    array([[1. , 2. , 3.5, 3.5]])
    """
    ranks = np.empty(values.shape)
    for row, out in zip(values, ranks, strict=True):
        order = np.argsort(-row, kind="stable")
        new = -np.diff(row[order]) > 1e-12 * np.abs(row).max()
        tie = np.concatenate([[0], np.cumsum(new)])
        sums, sizes = np.bincount(tie, np.arange(1, len(row) + 1)), np.bincount(tie)
        out[order] = (sums / sizes)[tie]
    return ranks


def friedman_chi2(average_ranks: Sequence[float] | np.ndarray, n_sets: int) -> float:
    """12N/(k(k+1)) [sum_j R_j^2 - k(k+1)^2/4], the formula that takes no notice of ties.

    Examples
    --------
    >>> round(friedman_chi2([3.143, 2.000, 2.893, 1.964], 14), 2)
    9.28
    """
    R = np.asarray(average_ranks, dtype=np.float64)
    k = len(R)
    chi2 = 12 * n_sets / (k * (k + 1)) * float((R**2).sum() - k * (k + 1) ** 2 / 4)
    return chi2 if chi2 > 1e-9 else 0.0  # equal mean ranks, up to rounding


def iman_davenport(chi2: float, k: int, n_sets: int) -> float:
    """(N-1) chi2 / (N(k-1) - chi2), F with k-1 and (k-1)(N-1) degrees of freedom.

    Less conservative than Friedman's chi-squared. Infinite where all sets rank alike.

    References
    ----------
    Iman and Davenport (1980), Approximations of the critical region of the Friedman
    statistic. Communications in Statistics A 9, 571-595.

    Examples
    --------
    >>> round(iman_davenport(9.28, 4, 14), 2)
    3.69
    """
    left = n_sets * (k - 1) - chi2
    return inf if left <= 1e-9 * n_sets * (k - 1) else (n_sets - 1) * chi2 / left


def friedman_tests(ranks: np.ndarray) -> tuple[FriedmanTest, FriedmanTest]:
    """Both conventions for ties: the plain formula, and the corrected one (scipy's).

    Ties make ranks vary less than the formula supposes. The corrected chi-squared is the
    plain one over 1 - sum(t^3 - t)/(N k (k^2 - 1)), t the sizes of the ties.

    Parameters
    ----------
    ranks : ndarray of shape (N, k)
        Mid-ranks of each data set, as of `row_midranks`.

    Returns
    -------
    plain, corrected : FriedmanTest
        Where everything is tied, both have chi-squared 0 and p-value 1.

    Examples
    --------
    >>> plain, corrected = friedman_tests(np.array([[1, 2, 3], [1, 2.5, 2.5], [1, 3, 2]]))
    >>> round(plain.chi2, 3), round(corrected.chi2, 3)
    (4.5, 4.909)
    """
    N, k = ranks.shape
    ties = sum(int((n**3 - n).sum()) for n in (_tie_sizes(row) for row in ranks))
    share = 1 - ties / (N * k * (k * k - 1))
    chi2 = friedman_chi2(ranks.mean(axis=0), N)
    corrected = chi2 / share if share > 0 else 0.0
    return _friedman_test("plain", chi2, ranks), _friedman_test("corrected", corrected, ranks)


def _tie_sizes(row: np.ndarray) -> np.ndarray:
    return np.unique(row, return_counts=True)[1]


def _friedman_test(ties: str, chi2: float, ranks: np.ndarray) -> FriedmanTest:
    from scipy.special import chdtrc, fdtrc

    N, k = ranks.shape
    df2 = (k - 1) * (N - 1)
    F = iman_davenport(chi2, k, N)
    if isinf(F):  # every set has the same ranks: one way in as many as they can be arranged
        ways = lgamma(k + 1) - sum(lgamma(n + 1) for n in _tie_sizes(ranks[0]))
        F_p = exp(-(N - 1) * ways)
    else:
        F_p = float(fdtrc(k - 1, df2, F))
    return FriedmanTest(ties, chi2, k - 1, float(chdtrc(k - 1, chi2)), F, k - 1, df2, F_p)


def nemenyi_quantile(k: int, alpha: float = 0.05) -> float:
    """The studentised range's upper quantile over sqrt 2, at infinite degrees of freedom.

    Examples
    --------
    >>> round(nemenyi_quantile(4), 3), round(nemenyi_quantile(4, 0.10), 3)
    (2.569, 2.291)
    """
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1 - alpha, k, np.inf)) / 2**0.5


def nemenyi_critical_difference(k: int, n_sets: int, alpha: float = 0.05) -> float:
    """q_alpha sqrt(k(k+1)/(6N)): average ranks further apart than this differ.

    The chance of any false difference among all pairs is at most about `alpha`.

    References
    ----------
    Nemenyi (1963), Distribution-free multiple comparisons. Thesis, Princeton University.

    Examples
    --------
    >>> round(nemenyi_critical_difference(4, 14), 3)
    1.254
    """
    return nemenyi_quantile(k, alpha) * (k * (k + 1) / (6 * n_sets)) ** 0.5


def rank_cliques(average_ranks: np.ndarray, difference: float) -> list[tuple[int, ...]]:
    """The largest groups of methods whose average ranks lie within `difference`.

    Best first; methods in a group are not significantly different. Groups of one are left out.

    Examples
    --------
    >>> rank_cliques(np.array([3.143, 2.000, 2.893, 1.964]), 1.118)
    [(3, 1, 2), (2, 0)]
    """
    order = np.argsort(average_ranks, kind="stable")
    sorted_ranks = np.asarray(average_ranks)[order]
    groups: list[tuple[int, ...]] = []
    last = 0  # one past the end of the group before: a group inside it says nothing new
    for first, rank in enumerate(sorted_ranks):
        stop = int(np.searchsorted(sorted_ranks, rank + difference, side="left"))
        if stop > max(last, first + 1):
            groups.append(tuple(int(j) for j in order[first:stop]))
            last = stop
    return groups


def signed_rank(differences: np.ndarray) -> tuple[float, float]:
    """Wilcoxon's signed-rank test, exact with ties: (smaller sum of ranks, two-sided p).

    Ranks of zeros are shared between both sides (Demsar 2006, 3.1.3). The p-value counts
    the assignments of signs to the other ranks; past 100 differences it is normal.

    Raises
    ------
    DataError
        No differences.

    Examples
    --------
    >>> signed_rank(np.array([0.3, 0.1, 0.2, -0.05, 0.4]))
    (1.0, 0.125)
    """
    if not len(differences):
        raise DataError("the signed-rank test got no differences: give at least one")
    size = np.abs(differences)
    size = np.where(size <= 1e-12 * size.max(), 0.0, size)
    ranks = row_midranks(-size[None])[0]  # 1 for the smallest
    there = ranks[size > 0]
    half = float(ranks[size == 0].sum()) / 2
    up = float(ranks[(size > 0) & (differences > 0)].sum())
    low = min(up, float(there.sum()) - up)
    if len(differences) > 100:
        from scipy.special import ndtr

        spread = float(np.sqrt((there**2).sum())) / 2
        z = (low - there.sum() / 2) / spread if spread else 0.0
        return low + half, min(1.0, 2 * float(ndtr(z)))
    doubled = np.rint(2 * there).astype(int)  # mid-ranks are halves
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:  # probabilities, not counts: 2^n overflows nothing this way
        moved = np.zeros_like(ways)
        moved[rank:] = ways[: len(ways) - rank]
        ways = (ways + moved) / 2
    below = float(ways[: round(2 * low) + 1].sum())
    return low + half, min(1.0, 2 * below)

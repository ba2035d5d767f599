"""MAS 5.0 detection calls: present, marginal or absent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError
from .._core.settings import checked_share
from .intensities import checked_intensities
from .probe_sets import ProbeSets

DEFAULT_TAU = 0.015
PRESENT_P = 0.04  # p-values below this


@dataclass(frozen=True)
class DetectionCalls:
    """Which probe sets are detected in which arrays.

    Attributes
    ----------
    p_values : ndarray of shape (n_arrays, n_probe_sets)
    calls : ndarray of shape (n_arrays, n_probe_sets), dtype <U1
        P (present), M (marginal) or A (absent).
    probe_sets : ndarray of shape (n_probe_sets,)
        Their names, sorted.
    """

    p_values: np.ndarray
    calls: np.ndarray
    probe_sets: np.ndarray

    def present_in(self, share: float = 0.25) -> np.ndarray:
        """Which probe sets are called P in at least this share of the arrays (n_probe_sets,)."""
        least = checked_share(share, "share")
        return (self.calls == "P").mean(axis=0) >= least - 1e-12

    def frame(self, samples: Any = None):
        """The calls as a pandas DataFrame, arrays in rows."""
        import pandas as pd

        return pd.DataFrame(self.calls, index=samples, columns=self.probe_sets)


def detection_calls(
    PM: Any,
    MM: Any,
    probe_sets: Any,
    *,
    tau: float = DEFAULT_TAU,
    alpha1: float = PRESENT_P,
    alpha2: float = 0.06,
    exact: bool = False,
    n_jobs: int | None = None,
) -> DetectionCalls:
    """Whether each probe set is detected in each array, by MAS 5.0's test.

    Wilcoxon's signed rank test of the discrimination scores R = (PM - MM)/(PM + MM) of a probe
    set against `tau`, one-sided. P if p < alpha1, M if p < alpha2, else A. Pairs whose mismatch
    is above 46,000 are left out, unless all are. Each array by itself.

    Parameters
    ----------
    PM, MM : array-like of shape (n_arrays, n_pairs)
        Raw intensities of perfect matches and mismatches, on their natural scale.
    probe_sets : array-like of shape (n_pairs,)
        The name of its probe set, for each pair.
    tau : float, default=0.015
    alpha1, alpha2 : float, default=0.04 and 0.06
    exact : bool, default=False
        False: p-values of Bioconductor's `affy::mas5calls`. True: the exact test, given tied
        ranks (normal distribution beyond 200 pairs).
    n_jobs : int or None, default=None
        Threads.

    Returns
    -------
    DetectionCalls

    Raises
    ------
    DataError
        PM and MM are no tables of finite numbers of one shape, a pair has no positive sum, or
        `probe_sets` does not fit them.
    PlanError
        Not 0 < alpha1 <= alpha2 < 1, or `tau` is not from 0 to 1.

    Notes
    -----
    affy takes the normal approximation for any number of pairs, without continuity correction.
    Equal to affy 1.76; a set without any score beside `tau`, for which it has no number, has
    p = 1 here. How often calls differ from the exact test's is in docs/methods/rma.md.

    References
    ----------
    Liu et al. (2002), Bioinformatics 18:1593-1599.

    Examples
    --------
    >>> PM = [[900.0, 800.0, 950.0, 870.0, 400.0, 420.0, 380.0, 410.0]]
    >>> MM = [[200.0, 300.0, 150.0, 250.0, 390.0, 440.0, 385.0, 405.0]]
    >>> found = detection_calls(PM, MM, ["a"] * 4 + ["b"] * 4)
    >>> found.frame()
       a  b
    0  P  A
    """
    from joblib import delayed

    from .._core.workers import joblib_parallel
    from ..kernels.detection import null_tables

    checked_share(tau, "tau")
    if not 0 < alpha1 <= alpha2 < 1:
        raise PlanError(f"alpha1={alpha1!r}, alpha2={alpha2!r}: give 0 < alpha1 <= alpha2 < 1")
    PM, MM = checked_intensities(PM, "PM"), checked_intensities(MM, "MM")
    if PM.shape != MM.shape:
        raise DataError(f"PM has the shape {PM.shape} and MM {MM.shape}: give pairs")
    sets = ProbeSets.of(probe_sets, PM.shape[1])
    tables = null_tables() if exact else None
    p_values = np.stack(
        joblib_parallel(n_jobs=n_jobs, n_tasks=len(PM), backend="threading")(
            delayed(detection_p_values)(pm, mm, sets, at, tau, tables)
            for at, (pm, mm) in enumerate(zip(PM, MM, strict=True))
        )
    )
    calls = np.where(p_values < alpha1, "P", np.where(p_values < alpha2, "M", "A"))
    return DetectionCalls(p_values, calls, sets.names)


def detection_p_values(
    pm: np.ndarray,
    mm: np.ndarray,
    sets: ProbeSets,
    at: int,
    tau: float = DEFAULT_TAU,
    tables: np.ndarray | None = None,
) -> np.ndarray:
    """Of each probe set in array `at` (m,); exact ones by `tables`, else those of affy.

    Raises
    ------
    DataError
        A pair is negative, or both are 0.
    """
    from ..kernels.detection import detection_p

    pm, mm = (row[sets.columns].astype(np.float64) for row in (pm, mm))
    if (pm < 0).any() or (mm < 0).any() or (pm + mm <= 0).any():
        raise DataError(f"array {at} has intensities of PM and MM that are negative, or both 0")
    found = np.empty(len(sets.names))
    exact = tables is not None
    detection_p(pm, mm, sets.starts, tau, exact, tables if exact else np.zeros((1, 1)), found)
    return found

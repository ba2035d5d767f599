"""One number a probe set and sample: median polish, and medians under frozen probe effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .intensities import checked_intensities
from .probe_set_values import ProbeSetValues
from .probe_sets import ProbeSets

Logs = Callable[[np.ndarray], np.ndarray]  # columns -> their log2 intensities (n, columns)


def median_polish(X: Any, probe_sets: Any, *, n_jobs: int | None = None) -> ProbeSetValues:
    """Value of each probe set in each sample, by Tukey's median polish.

    Of a probe set, x[probe, sample] = overall + probe effect + sample effect + residual. Medians
    are taken off probes and samples by turns, probes first, until the sum of absolute residuals
    changes by less than 1 %, ten times at most. A sample's value is overall + sample effect. It
    depends on which other samples there are; for single patients see `RMA`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_probes)
        log2 of intensities.
    probe_sets : array-like of shape (n_probes,)
        The name of its probe set, for each column; sets may have different numbers of probes.
    n_jobs : int or None, default=None
        Threads.

    Returns
    -------
    ProbeSetValues

    Raises
    ------
    DataError
        X is no table of finite numbers, or `probe_sets` does not fit it.

    Notes
    -----
    Equal to preprocessCore's `rcModelMedianPolish` of each probe set, and to
    `subColSummarizeMedianpolishLog` of intensities. (`subColSummarizeMedianpolish` of its
    version 1.60 gives plain medians, without any polish.)

    References
    ----------
    Tukey (1977), Exploratory Data Analysis; Irizarry et al. (2003), Biostatistics 4:249-264.

    Examples
    --------
    >>> X = [[5.0, 7.0, 9.0, 3.0], [6.0, 8.0, 10.0, 2.0], [5.5, 7.5, 9.5, 1.0]]
    >>> found = median_polish(X, ["a", "a", "a", "b"])
    >>> found.frame()
         a    b
    0  7.0  3.0
    1  8.0  2.0
    2  7.5  1.0
    >>> found.probe_effects
    array([-2.,  0.,  2.,  0.])
    """
    X = checked_intensities(X)
    sets = ProbeSets.of(probe_sets, X.shape[1])
    return polished_sets(lambda columns: X[:, columns].astype(np.float64), len(X), sets, n_jobs)


def polished_sets(logs: Logs, n: int, sets: ProbeSets, n_jobs: int | None) -> ProbeSetValues:
    """Median polish of n samples, block by block."""
    from ..kernels.median_polish import polish_sets

    values = np.empty((n, len(sets.names)))
    effects = np.empty(len(sets.columns))

    def polish_block(first: int, last: int) -> None:
        columns, starts = _block_columns(sets, first, last)
        some = np.empty(len(columns))
        polish_sets(logs(columns), starts, values[:, first:last], some)
        effects[columns] = some

    _each_block(polish_block, sets, n, n_jobs)
    return ProbeSetValues(values, sets.names, effects)


def _block_columns(sets: ProbeSets, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns of some sets, and where each begins among them."""
    begin, end = sets.starts[first], sets.starts[last]
    return sets.columns[begin:end], sets.starts[first : last + 1] - begin


def _each_block(
    work: Callable[[int, int], None], sets: ProbeSets, n: int, n_jobs: int | None
) -> None:
    """Blocks write where no other does, so that their order does not matter."""
    from joblib import delayed

    from .._core.workers import joblib_parallel

    parallel = joblib_parallel(n_jobs=n_jobs, backend="threading")
    parallel(delayed(work)(first, last) for first, last in sets.blocks(n))

"""RMA of all arrays together: background, quantiles and median polish."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .cel_arrays import CelArrays
from .intensities import checked_intensities
from .probe_set_values import ProbeSetValues
from .probe_sets import ProbeSets
from .ranked_arrays import rank_arrays
from .reading.cdf_file import CdfFile
from .summaries import polished_sets


def rma(
    arrays: Any, probe_sets: Any, *, background: bool = True, n_jobs: int | None = None
) -> ProbeSetValues:
    """The classical RMA value of each probe set in each array.

    Background correction, quantile normalisation of the arrays together, log2, median polish.
    Values depend on all arrays that are given: inside cross-validation, and for a patient who
    comes later, use `RMA`.

    Parameters
    ----------
    arrays : CEL files, array-like of shape (n_arrays, n_probes), or iterable of arrays
        A folder or a list of CEL files (.CEL, .CEL.gz); or perfect-match intensities on their
        natural scale. Of files, and of an iterable of arrays of shape (n_probes,), one array is
        held at a time; what is kept of each are ranks, 4 bytes a probe.
    probe_sets : CDF file, or array-like of shape (n_probes,)
        With CEL files their CDF (a path, or what `read_cdf` gives); else the name of its probe set,
        for each probe.
    background : bool, default=True
        Correct the background first.
    n_jobs : int or None, default=None
        Threads.

    Returns
    -------
    ProbeSetValues

    Raises
    ------
    DataError
        Intensities are no finite numbers, arrays differ in length, `probe_sets` does not fit
        them, or an array has no background that can be estimated.

    Notes
    -----
    Equal to the function of this name in Bioconductor's affy, of the same files or intensities.

    References
    ----------
    Irizarry et al. (2003), Biostatistics 4:249-264; Bolstad et al. (2003), Bioinformatics
    19:185-193.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(100, 10, (3, 600)) + rng.exponential(200, (3, 600))
    >>> found = rma(X, np.repeat(["1007_s_at", "117_at", "121_at"], 200))
    >>> found.values.shape, found.probe_sets.tolist()
    ((3, 3), ['1007_s_at', '117_at', '121_at'])
    """
    if isinstance(probe_sets, str | Path | CdfFile):
        files = CelArrays.of(arrays, probe_sets)
        arrays, probe_sets = files.perfect_matches(), files.cdf.probe_sets
    iterable = isinstance(arrays, Iterator) or not hasattr(arrays, "__len__")
    ranked = rank_arrays(arrays if iterable else checked_intensities(arrays), background, n_jobs)
    sets = ProbeSets.of(probe_sets, len(ranked.target))
    return polished_sets(ranked.logs, len(ranked.places), sets, n_jobs)

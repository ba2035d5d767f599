"""The genomic relationship matrix, added up block by block."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError
from ..._core.threads import one_thread
from ..blocks.calls import columns_of, copies_of, count_calls
from ..blocks.standard import Standardized
from ..quality.prune import frequent_pruned
from ..readers.genotypes import Genotypes

BAND_SAMPLES = 256  # samples of a task


def relationship_matrix(
    genotypes: Genotypes,
    *,
    samples: Any = None,
    variants: Any = None,
    n_jobs: int = 1,
    quiet: bool = True,
) -> tuple[np.ndarray, int]:
    """The genomic relationship matrix of all samples (VanRaden 2008; Yang et al. 2011).

    ``Z Z' / m`` of m standardised genotypes ``z = (g - 2 f) / sqrt(2 f (1 - f))``, f the frequency
    of allele 1 among the samples; missing calls are 0, the mean. It is about twice the kinship in
    one population, against the mean of all samples; between populations see `find_relatives`.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    samples : mask of shape (n,), or indices, or list of ids, or None
        None: all.
    variants : mask of shape (p,), or indices, or list of ids, or None
        None: those of `principal_components`, frequent ones of the autosomes, pruned. Variants
        without variation are left out.
    n_jobs : int, default=1
        Threads; results do not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    matrix : ndarray of shape (n, n)
    n_variants : int
        Used.

    Raises
    ------
    DataError
        No variant is left to use.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, relationship_matrix, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", 30, 30, 2000)
    ...     matrix, n_variants = relationship_matrix(open_genotypes(f"{folder}/made"))
    >>> matrix.shape, n_variants, round(float(matrix.diagonal().mean()), 1)
    ((60, 60), 1927, 1.0)
    """
    from ...kernels.genotypes.standardized import standard_values

    taken = genotypes if samples is None else genotypes.subset(samples=samples)
    counts = count_calls(taken, n_jobs, quiet)
    if variants is None:
        columns = frequent_pruned(taken, counts, n_jobs, quiet)
    else:
        columns = columns_of(taken, taken.subset(variants=variants))
    columns = columns[copies_of(counts[columns]).min(axis=1) > 0]
    if not len(columns):
        raise DataError(
            "no variant is left to estimate relationships from: give others, or more samples"
        )
    table = Standardized(taken, columns, standard_values(counts[columns])[1])
    with one_thread():
        lower = np.tril(relationship_sums(table, n_jobs, quiet)) / len(columns)
    return np.asarray(lower + np.tril(lower, -1).T), len(columns)


def relationship_sums(table: Standardized, n_jobs: int, quiet: bool) -> np.ndarray:
    """Lower triangle of Z Z' (n, n) of standardised genotypes Z of n samples and m variants."""
    from joblib import delayed

    from ..._core.workers import joblib_parallel

    n, _ = table.shape
    matrix = np.zeros((n, n))

    def add_block(block: np.ndarray, first: int) -> None:
        last = min(first + BAND_SAMPLES, n)
        matrix[first:last, :last] += block[:, first:last].T @ block[:, :last]

    with joblib_parallel(
        n_jobs=n_jobs, n_tasks=-(-n // BAND_SAMPLES), backend="threading"
    ) as parallel:
        for block in table.each(lambda _, block: block, "Relationships", 1, quiet):
            parallel(delayed(add_block)(block, first) for first in range(0, n, BAND_SAMPLES))
    return matrix

"""The genomic relationship matrix, added up block by block."""

from __future__ import annotations

import numpy as np

from .standard import Standardized

BAND = 256  # samples of a task


def relationship_sums(table: Standardized, n_jobs: int, quiet: bool) -> np.ndarray:
    """Lower triangle of Z Z' (n, n) of standardised genotypes Z of n samples and m variants; m of
    them divide it into relationships (VanRaden 2008; Yang et al. 2011)."""
    from joblib import Parallel, delayed

    n, _ = table.shape
    matrix = np.zeros((n, n))

    def add(block: np.ndarray, first: int) -> None:
        last = min(first + BAND, n)
        matrix[first:last, :last] += block[:, first:last].T @ block[:, :last]

    with Parallel(n_jobs=min(n_jobs, -(-n // BAND)), backend="threading") as parallel:
        for block in table.each(lambda _, block: block, "Relationships", 1, quiet):
            parallel(delayed(add)(block, first) for first in range(0, n, BAND))
    return matrix

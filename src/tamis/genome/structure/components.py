"""Principal components of genotypes: who descends from whom, as covariates of samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, value_text
from ..._core.settings import checked_count
from ..._core.streams import generator
from ..._core.threads import one_thread
from ...kernels.leading import leading_eigenvectors
from ..blocks.calls import columns_of, copies_of, count_calls
from ..blocks.standard import Standardized
from ..quality.prune import frequent_pruned
from ..readers.genotypes import Genotypes
from .components_result import Components
from .relationships import relationship_sums

METHODS = ("auto", "exact", "randomized")
MAX_EXACT_SAMPLES = 3000  # samples up to which the matrix of all pairs is the cheaper way
N_EXTRA_VECTORS = 10  # random vectors beyond those requested
RELATIVE_TOLERANCE = 1e-4
ZERO_EIGENVALUE = 1e-9  # of the first eigenvalue: rounding


def principal_components(
    genotypes: Genotypes,
    k: int = 10,
    *,
    samples: Any = None,
    variants: Any = None,
    method: str = "auto",
    seed: int = 0,
    n_jobs: int = 1,
    quiet: bool = True,
) -> Components:
    """The k leading principal components of standardised genotypes.

    ``z = (g - 2 f) / sqrt(2 f (1 - f))`` of the copies g of allele 1, f its frequency among the
    samples looked at; missing calls are 0. With m variants the eigenvalues are those of
    ``Z Z' / m``, the matrix of relationships.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    k : int, default=10
    samples : mask of shape (n,), or indices, or list of ids, or None
        Those that the components are fitted to, such as a training set; None: all. Nothing of the
        others is looked at: `Components.project` gives theirs.
    variants : mask of shape (p,), or indices, or list of ids, or None
        Those used. None: of the autosomes, the rarer allele at least as frequent as .05 among the
        samples, pruned by `prune_variants` with its defaults. Variants without variation are left
        out either way.
    method : {"auto", "exact", "randomized"}, default="auto"
        "exact": all eigenvectors of the n x n matrix, in n^2 memory. "randomized": products of it
        with a few vectors, block by block, until each residual is 10^-4 of its eigenvalue at most
        (40 products at most). "auto": exact up to 3000 samples.
    seed : int, default=0
        Of the random vectors.
    n_jobs : int, default=1
        Threads; results do not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    Components

    Raises
    ------
    DataError
        No variant is left to use, or there are fewer components than `k`.
    PlanError
        A parameter is not one of those allowed.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, principal_components, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/two", [30, 10], [10, 30], 2000, divergence=0.1)
    ...     genotypes = open_genotypes(f"{folder}/two")
    ...     found = principal_components(genotypes, k=2)
    >>> first, one = found.scores[:, 0] > 0, genotypes.samples.family == "stratum1"
    >>> len(set(first[one])), len(set(first[~one])), bool(first[one][0] != first[~one][0])
    (1, 1, True)
    >>> list(found.frame().columns)
    ['FID', 'IID', 'PC1', 'PC2']
    """
    k = checked_count(k, "k", 1)
    if method not in METHODS:
        raise PlanError(f"method = {value_text(method)}: give 'auto', 'exact' or 'randomized'")
    used = standard_table(genotypes, samples, variants, n_jobs, quiet)
    n, m = used.table.shape
    if k > min(n - 1, m):
        raise DataError(
            f"k = {k}: {counted_noun(n, 'sample')} and {counted_noun(m, 'variant')} have "
            f"{counted_noun(min(n - 1, m), 'component')} at most"
        )
    # as many random vectors as samples are no saving
    exact = (
        method == "exact"
        or (method == "auto" and n <= MAX_EXACT_SAMPLES)
        or k + N_EXTRA_VECTORS >= n
    )
    with one_thread():
        if exact:
            eigenvalues, vectors = relationship_eigenvectors(used.table, k, n_jobs, quiet)
            residuals = np.zeros(k)
        else:
            start = generator(seed, "genome", "components").standard_normal(
                (n, k + N_EXTRA_VECTORS)
            )
            eigenvalues, vectors, residuals = leading_eigenvectors(
                relationship_products(used.table, n_jobs, quiet),
                start - start.mean(axis=0),
                k,
                RELATIVE_TOLERANCE,
            )
        there = int((eigenvalues > ZERO_EIGENVALUE * eigenvalues[0]).sum())
        if there < k:
            raise DataError(
                f"k = {k}: there {'is' if there == 1 else 'are'} "
                f"{counted_noun(there, 'component')} only"
            )
        return used.components(eigenvalues, vectors, residuals, exact, n_jobs, quiet)


@dataclass(frozen=True)
class StandardTable:
    """Standardised genotypes of the samples and variants that components are found in.

    Attributes
    ----------
    table : Standardized
        n samples, m variants.
    frequencies : ndarray of shape (m,)
        Of allele 1.
    total : float
        Sum of all eigenvalues of ``Z Z' / m``.
    """

    table: Standardized
    frequencies: np.ndarray
    total: float

    def components(
        self,
        eigenvalues: np.ndarray,
        vectors: np.ndarray,
        residuals: np.ndarray,
        exact: bool,
        n_jobs: int,
        quiet: bool,
    ) -> Components:
        """The result, of the first eigenvalues (k,) and their vectors (n, k)."""
        table = self.table
        loadings = table.turned_times(vectors, "Loadings", n_jobs, quiet)
        loadings /= np.sqrt(len(table.columns) * eigenvalues)
        largest = np.abs(loadings).argmax(axis=0)
        sign = np.where(loadings[largest, np.arange(len(eigenvalues))] < 0, -1.0, 1.0)
        taken = table.genotypes
        return Components(
            vectors * (sign * np.sqrt(eigenvalues)),
            eigenvalues,
            eigenvalues / self.total,
            loadings * sign,
            self.frequencies,
            table.columns,
            residuals,
            exact,
            taken.samples,
            taken.variants.take(table.columns),
        )


def standard_table(
    genotypes: Genotypes,
    samples: Any,
    variants: Any,
    n_jobs: int,
    quiet: bool,
    most: int | None = None,
) -> StandardTable:
    """As `principal_components` takes them, of its own variants `most` at most; `DataError` where
    no variant is left."""
    from ...kernels.genotypes.standardized import standard_values

    taken = genotypes if samples is None else genotypes.subset(samples=samples)
    if variants is None:
        counts = count_calls(taken, n_jobs, quiet)
        columns = frequent_pruned(taken, counts, n_jobs, quiet, most)
        counts = counts[columns]
    else:
        chosen = taken.subset(variants=variants)
        columns = columns_of(taken, chosen)
        counts = count_calls(chosen, n_jobs, quiet)
    varies = copies_of(counts).min(axis=1) > 0
    columns, counts = columns[varies], counts[varies]
    if not len(columns):
        raise DataError("no variant is left to find components in: give others, or more samples")
    frequencies, values = standard_values(counts)
    squares = (counts[:, [0, 3, 1, 2]] * values**2).sum()  # in the order of codes
    table = Standardized(taken, columns, values)
    return StandardTable(table, frequencies, float(squares / len(columns)))


def relationship_eigenvectors(
    table: Standardized, k: int, n_jobs: int, quiet: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The first k eigenvalues of ``Z Z' / m``, falling, and their vectors (n, k), from the matrix
    of all pairs of samples."""
    from scipy.linalg import eigh

    n, m = table.shape
    matrix = relationship_sums(table, n_jobs, quiet)
    matrix /= m
    values, vectors = eigh(
        matrix, lower=True, subset_by_index=[n - k, n - 1], overwrite_a=True, check_finite=False
    )
    return values[::-1], vectors[:, ::-1]


def relationship_products(
    table: Standardized, n_jobs: int, quiet: bool
) -> Callable[[np.ndarray], np.ndarray]:
    """Products of ``Z Z' / m`` with vectors (n, l); the matrix is never made."""
    m = len(table.columns)

    def multiply_vectors(vectors: np.ndarray) -> np.ndarray:
        found = np.zeros_like(vectors)

        def multiply_block(_: tuple[int, int], block: np.ndarray) -> np.ndarray:
            return np.asarray(block.T @ (block @ vectors))

        for part in table.each(multiply_block, "Components", n_jobs, quiet):
            found += part
        return found / m

    return multiply_vectors

"""Principal components of genotypes: who descends from whom, as covariates of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, plural, value_text
from .._core.settings import checked_count
from .._core.streams import generator
from .._core.threads import one_thread
from .components_result import Components
from .genotypes import Genotypes
from .prune import R2, STEP, WINDOW, prune_counted
from .relationships import relationship_sums
from .rows import autosomes, columns_of, copies_of, count_calls
from .standard import Standardized

METHODS = ("auto", "exact", "randomized")
EXACT = 3000  # samples up to which the matrix of all pairs is the cheaper way
MORE = 10  # random vectors beyond those asked for
TOLERANCE = 1e-4
FREQUENCY = 0.05  # of the rarer allele, where no variants are given
NOTHING = 1e-9  # of the first eigenvalue: rounding


def principal_components(
    genotypes: Genotypes, k: int = 10, *, samples: Any = None, variants: Any = None,
    method: str = "auto", seed: int = 0, n_jobs: int = 1, quiet: bool = True,
) -> Components:  # fmt: skip
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
        Those that the components are fitted to, such as a training part; None: all. Nothing of the
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
    taken = genotypes if samples is None else genotypes.subset(samples=samples)
    n = taken.shape[0]
    if variants is None:
        counts = count_calls(taken, n_jobs, quiet)
        columns = frequent_pruned(taken, counts, n_jobs, quiet)
        counts = counts[columns]
    else:
        chosen = taken.subset(variants=variants)
        columns = columns_of(taken, chosen)
        counts = count_calls(chosen, n_jobs, quiet)
    varies = copies_of(counts).min(axis=1) > 0
    columns, counts = columns[varies], counts[varies]
    if not len(columns):
        raise DataError("no variant is left to find components in: give others, or more samples")
    most = min(n - 1, len(columns))
    if k > most:
        raise DataError(
            f"k = {k}: {plural(n, 'sample')} and {plural(len(columns), 'variant')} have "
            f"{plural(most, 'component')} at most"
        )
    from ..kernels.genotypes.standardized import standard_values

    frequencies, values = standard_values(counts)
    table = Standardized(taken, columns, values)
    # as many random vectors as samples are no saving
    exact = method == "exact" or (method == "auto" and n <= EXACT) or k + MORE >= n
    with one_thread():
        if exact:
            eigenvalues, vectors = _exact(table, k, n_jobs, quiet)
            residuals = np.zeros(k)
        else:
            eigenvalues, vectors, residuals = _randomized(table, k, seed, n_jobs, quiet)
        there = int((eigenvalues > NOTHING * eigenvalues[0]).sum())
        if there < k:
            raise DataError(
                f"k = {k}: there {'is' if there == 1 else 'are'} {plural(there, 'component')} only"
            )
        loadings = table.turned_times(vectors, "Loadings", n_jobs, quiet)
    loadings /= np.sqrt(len(columns) * eigenvalues)
    largest = np.abs(loadings).argmax(axis=0)
    sign = np.where(loadings[largest, np.arange(k)] < 0, -1.0, 1.0)
    squares = (counts[:, [0, 3, 1, 2]] * values**2).sum(axis=1)  # in the order of codes
    return Components(
        vectors * (sign * np.sqrt(eigenvalues)), eigenvalues,
        eigenvalues * len(columns) / squares.sum(), loadings * sign, frequencies, columns,
        residuals, exact, taken.samples, taken.variants.take(columns),
    )  # fmt: skip


def frequent_pruned(
    genotypes: Genotypes, counts: np.ndarray, n_jobs: int, quiet: bool
) -> np.ndarray:
    """Autosomal, not rare, pruned: indices."""
    copies = copies_of(counts)
    frequent = copies.min(axis=1) >= FREQUENCY * copies.sum(axis=1)
    wanted = np.zeros(len(counts), dtype=bool)
    for columns in autosomes(genotypes.variants):
        wanted[columns] = frequent[columns] & (copies[columns].min(axis=1) > 0)
    columns = np.flatnonzero(wanted)
    if not len(columns):
        raise DataError(
            f"no variant of an autosome has a rarer allele of {FREQUENCY:g} or more: give those to "
            "use as variants="
        )
    kept = prune_counted(
        genotypes.subset(variants=columns), counts[columns], WINDOW, STEP, R2, n_jobs, quiet
    )
    return columns[kept]


def _exact(table: Standardized, k: int, n_jobs: int, quiet: bool) -> tuple[np.ndarray, np.ndarray]:
    """From the matrix of all pairs of samples."""
    from scipy.linalg import eigh

    n, m = table.shape
    matrix = relationship_sums(table, n_jobs, quiet)
    matrix /= m
    values, vectors = eigh(
        matrix, lower=True, subset_by_index=[n - k, n - 1], overwrite_a=True, check_finite=False
    )
    return values[::-1], vectors[:, ::-1]


def _randomized(
    table: Standardized, k: int, seed: int, n_jobs: int, quiet: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """From products of that matrix with some vectors, which is never made."""
    from ..kernels.leading import leading_eigenvectors

    n, m = table.shape
    start = generator(seed, "genome", "components").standard_normal((n, k + MORE))

    def multiply(vectors: np.ndarray) -> np.ndarray:
        found = np.zeros_like(vectors)

        def task(_: tuple[int, int], block: np.ndarray) -> np.ndarray:
            return np.asarray(block.T @ (block @ vectors))

        for part in table.each(task, "Components", n_jobs, quiet):
            found += part
        return found / m

    return leading_eigenvectors(multiply, start - start.mean(axis=0), k, TOLERANCE)

"""A linear regression of a number on every variant and covariates, for unrelated people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..._core.settings import checked_share
from ..._core.threads import one_thread
from ..blocks.calls import copies_of, count_calls
from ..blocks.standard import Span, Standardized
from ..readers.genotypes import Genotypes
from .linear_result import LinearScan
from .mixed import DETERMINED_BELOW, exclusion_reasons
from .mixed_result import DETERMINED_CODE, KEPT_CODE, number_range
from .mixed_traits import Trait, fixed_effects

MIN_EIGENVALUE = 1e-9  # of covariates among the samples called, 1 where none is missing


def linear_scan(
    genotypes: Genotypes,
    y: Any = None,
    *,
    covariates: Any = None,
    samples: Any = None,
    scanned: Any = None,
    frequency: float = 0.01,
    n_jobs: int = 1,
    quiet: bool = True,
) -> LinearScan:
    """Test every autosomal variant for an additive effect on a number, by least squares.

    Each variant is tested in the samples that have a call of it. Samples count as independent: of
    relatives or several populations `mixed_scan` takes account.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    y : array-like of shape (n,), or None
        Numbers; samples with None, NaN or "" are left out. None: the phenotype of the .fam (-9 and
        NA are unknown).
    covariates : array-like of shape (n, c), or None
        Numbers; the intercept is added. Samples with NaN are left out.
    samples : mask of shape (n,), or indices, or list of ids, or None
        Those that are looked at; None: all.
    scanned : mask of shape (p,), or indices, or list of ids, or None
        Variants that are tested. None: all.
    frequency : float, default=0.01
        Variants whose rarer allele is rarer are not tested.
    n_jobs : int, default=1
        Threads; results do not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    LinearScan

    Raises
    ------
    DataError
        Values are no numbers or do not vary, or covariates are constant or determine one another.
    PlanError
        A parameter is not one of those allowed.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import linear_scan, open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", 100, 100, 300, seed=1)
    ...     genotypes = open_genotypes(f"{folder}/made")
    ...     y = genotypes.calls()[:, 17] + 0.1 * np.arange(200) / 200
    ...     scan = linear_scan(genotypes, y)
    >>> scan.top(1).tolist(), round(float(scan.effect[17]), 2)
    ([17], 1.0)
    """
    frequency = checked_share(frequency, "frequency", 0.0, 0.5)
    trait = Trait.of(genotypes, y, samples, regression=True)
    fixed, known = fixed_effects(covariates, np.isfinite(trait.values))
    model = trait.fitted(fixed, known, covariates)
    taken, values = genotypes.subset(samples=known), trait.values[known]
    counts = count_calls(taken, n_jobs, quiet)
    reasons = exclusion_reasons(taken, counts, scanned, frequency)
    columns = np.flatnonzero(reasons == KEPT_CODE)
    found = np.full((3, len(reasons)), np.nan)
    with one_thread():
        for span, tests in _tests(
            taken, columns, counts[columns], model.fixed, model.residual, n_jobs, quiet
        ):
            found[:, columns[slice(*span)]] = tests
    effect, error, degrees = found
    reasons[columns[np.isnan(error[columns])]] = DETERMINED_CODE
    copies = copies_of(counts)
    return LinearScan.of(
        taken,
        number_range(values),
        fixed.shape[1] - 1,
        copies[:, 0] / np.maximum(copies.sum(axis=1), 1),
        counts[:, :3].sum(axis=1),
        effect,
        error,
        degrees,
        reasons,
    )


def _tests(
    genotypes: Genotypes,
    columns: np.ndarray,
    counts: np.ndarray,
    basis: np.ndarray,
    outcome: np.ndarray,
    n_jobs: int,
    quiet: bool,
) -> Iterator[tuple[Span, np.ndarray]]:
    """Effects, standard errors and degrees of freedom (3, m) of each block.

    With Q an orthonormal basis of the fixed effects, y what they leave of the number in all samples
    and N the samples called, Q'NQ, Q'Ny and y'Ny are those of all less those of the few that are
    not called; the effect of copies g, 0 where not called, is that of a partitioned regression.
    """
    (n, c), calls = basis.shape, counts[:, :3].sum(axis=1)
    mean = (2.0 * counts[:, 0] + counts[:, 1]) / calls
    copies = np.array([2.0, 0.0, 1.0, 0.0]) - mean[:, None]
    copies[:, 1] = 0.0
    missing = np.tile([0.0, 1.0, 0.0, 0.0], (len(columns), 1))
    table = Standardized(genotypes, columns, copies)
    uncalled = Standardized(genotypes, columns, missing)
    pairs = (basis[:, :, None] * basis[:, None, :]).reshape(n, c * c)
    sides = np.column_stack([pairs, basis * outcome[:, None], outcome**2])
    total = sides.sum(axis=0)

    def test_span(span: Span, block: np.ndarray) -> tuple[Span, np.ndarray]:
        sums = np.tile(total, (len(block), 1))
        if (calls[slice(*span)] < n).any():
            sums -= uncalled.block(span) @ sides
        cross, right = sums[:, : c * c].reshape(-1, c, c), sums[:, c * c : -1]
        bad = np.linalg.eigvalsh(cross)[:, 0] < MIN_EIGENVALUE
        cross[bad] = np.eye(c)
        inside = block @ basis
        solved = np.linalg.solve(cross, np.stack([inside, right], axis=2))
        squares = (block**2).sum(axis=1)
        own = squares - (inside * solved[:, :, 0]).sum(axis=1)
        own[bad | (own <= DETERMINED_BELOW * squares)] = np.nan
        product = block @ outcome - (inside * solved[:, :, 1]).sum(axis=1)
        rest = sums[:, -1] - (right * solved[:, :, 1]).sum(axis=1)
        degrees = calls[slice(*span)] - c - 1.0
        degrees[degrees < 1] = np.nan
        left = np.maximum(rest - product**2 / own, 0.0)
        return span, np.stack([product / own, np.sqrt(left / degrees / own), degrees])

    yield from table.each(test_span, "Linear scan, variants", n_jobs, quiet)

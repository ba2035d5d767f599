"""Variants thinned until no near two are nearly alike: pruning by linkage disequilibrium."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError
from ..._core.settings import checked_count, checked_share
from ..blocks.calls import autosomes_in_order, copies_of, count_calls, packed_rows, thinned_columns
from ..blocks.sharing import in_threads
from ..readers.genotypes import Genotypes

DEFAULT_WINDOW, DEFAULT_STEP, DEFAULT_R2 = 50, 5, 0.2  # where nobody says others
MIN_FREQUENCY = 0.05  # of the rarer allele of variants by which people are compared
SPARE_FACTOR = 3  # of variants wanted, before pruning
CHUNK_BYTES = 1 << 24  # of packed calls that windows are cut from at once


def prune_variants(
    genotypes: Genotypes,
    *,
    window: int = DEFAULT_WINDOW,
    step: int = DEFAULT_STEP,
    r2: float = DEFAULT_R2,
    samples: Any = None,
    n_jobs: int = 1,
    quiet: bool = True,
) -> np.ndarray:
    """Which variants to keep so that near ones have a squared correlation of `r2` at most.

    As ``plink1.9 --indep-pairwise 50 5 0.2``: a window moves along each autosome; while two of its
    variants have a larger r^2 of their copies of allele 1, the one of the rarer allele goes, the
    latter if both are as rare. r^2 is of the samples called at both.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants; those of a chromosome in the order of their positions.
    window : int, default=50
        Variants of a window, among those of the chromosome that have lines which can be read.
    step : int, default=5
        Variants that it moves by, `window` at most.
    r2 : float, default=0.2
    samples : mask of shape (n,), or indices, or list of ids, or None
        Those that count, such as a training set; None: all.
    n_jobs : int, default=1
        Threads, one a chromosome; what is kept does not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    ndarray of shape (p,) of bool
        False of variants without variation, of X, Y, XY and MT and of unknown chromosomes.

    Raises
    ------
    DataError
        No sample is left, or one is not there.
    PlanError
        A parameter is not one of those allowed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from tamis.genome import open_genotypes, prune_variants
    >>> from tamis.kernels.genotypes.words import pack_calls
    >>> codes = np.array([0, 2, 3])[np.random.default_rng(0).binomial(2, 0.4, (6, 200))]
    >>> codes[1] = codes[0]  # the same twice
    >>> codes[4] = 3  # no variation
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = Path(folder) / "made.bed"
    ...     _ = made.write_bytes(b"\\x6c\\x1b\\x01" + pack_calls(codes).tobytes())
    ...     bim = "".join(f"1 rs{j} 0 {j + 1} A C\\n" for j in range(6))
    ...     fam = "".join(f"f i{k} 0 0 0 -9\\n" for k in range(200))
    ...     _ = made.with_suffix(".bim").write_text(bim), made.with_suffix(".fam").write_text(fam)
    ...     prune_variants(open_genotypes(made)).tolist()
    [True, False, True, True, False, True]
    """
    window, step = checked_count(window, "window", 2), checked_count(step, "step", 1)
    if step > window:
        raise PlanError(
            f"step = {step}: give {window} at most, the window, or variants are skipped"
        )
    r2 = checked_share(r2, "r2")
    taken = genotypes if samples is None else genotypes.subset(samples=samples)
    counts = count_calls(taken, n_jobs, quiet)
    return prune_counted(taken, counts, window, step, r2, n_jobs, quiet)


def prune_counted(
    genotypes: Genotypes,
    counts: np.ndarray,
    window: int,
    step: int,
    r2: float,
    n_jobs: int,
    quiet: bool,
) -> np.ndarray:
    """Of variants whose calls (p, 4) are counted."""
    from ...kernels._bits import pack_rows
    from ...kernels.genotypes.linkage import prune_windows

    n, p = genotypes.shape
    taken = genotypes.groups_of_file(np.zeros(n, dtype=np.int64)) >= 0
    chosen = pack_rows(taken[None])[0]
    copies = copies_of(counts)
    # whole numbers divided once: alleles that are as rare are so to the last bit
    rarer = copies.min(axis=1) / np.maximum(copies.sum(axis=1), 1)
    varies = (counts[:, :3] > 0).sum(axis=1) > 1
    chunk = max(1, CHUNK_BYTES // -(-genotypes.n_file // 4))

    def prune_chromosome(columns: np.ndarray) -> np.ndarray:
        wide = min(window, len(columns))
        alive, following = varies[columns], np.zeros(len(columns), dtype=np.int64)
        windows = -(-(len(columns) - wide) // step) + 1
        several = max(1, (chunk - wide) // step + 1)
        for k in range(0, windows, several):
            first, count = k * step, min(several, windows - k)
            packed = packed_rows(genotypes, columns[first : first + wide + (count - 1) * step])
            prune_windows(
                packed, chosen, rarer[columns], alive, following, first, count, wide, step, r2
            )
        return columns[alive]

    kept = np.zeros(p, dtype=bool)
    parts = [(len(columns), columns) for columns in autosomes_in_order(genotypes.variants)]
    for left in in_threads(
        prune_chromosome, parts, sum(n for n, _ in parts), "Pruning", n_jobs, quiet
    ):
        kept[left] = True
    return kept


def frequent_pruned(
    genotypes: Genotypes, counts: np.ndarray, n_jobs: int, quiet: bool, most: int | None = None
) -> np.ndarray:
    """Autosomal, not rare, pruned, `most` at most, evenly spread: indices."""
    copies = copies_of(counts)
    frequent = copies.min(axis=1) >= MIN_FREQUENCY * copies.sum(axis=1)
    wanted = np.zeros(len(counts), dtype=bool)
    for columns in autosomes_in_order(genotypes.variants):
        wanted[columns] = frequent[columns] & (copies[columns].min(axis=1) > 0)
    columns = np.flatnonzero(wanted)
    if not len(columns):
        raise DataError(
            f"no variant of an autosome has a rarer allele of {MIN_FREQUENCY:g} or more: give "
            "those to "
            "use as variants="
        )
    if most is not None:
        columns = thinned_columns(columns, SPARE_FACTOR * most)
    kept = prune_counted(
        genotypes.subset(variants=columns),
        counts[columns],
        DEFAULT_WINDOW,
        DEFAULT_STEP,
        DEFAULT_R2,
        n_jobs,
        quiet,
    )
    return columns[kept] if most is None else thinned_columns(columns[kept], most)

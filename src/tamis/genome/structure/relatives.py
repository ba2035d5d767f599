"""Kinship of all pairs of samples by KING-robust, and who is related beyond chance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ..._core.errors import DataError
from ..._core.progress import Progress
from ..._core.settings import checked_share
from ..._core.streams import generator
from ..blocks.calls import autosomal_variants, copies_of, count_calls, thinned_columns
from ..blocks.sharing import RunTasks, TaskThreads
from ..readers.genotypes import Genotypes
from .degrees import DEGREE_BORDERS
from .relatives_result import Relatives, called_in, chance_level, errors_of, kinship_of

CHUNK_VARIANTS, CHUNK_BYTES = 1 << 15, 1 << 28  # variants, and their calls, that are there at once
# of variants, by which the error of a kinship is estimated
MAX_ERROR_BLOCKS, MIN_ERROR_BLOCKS = 32, 4
LOOKED_AT = 2000  # pairs that it is estimated from
# variance a variant of `_kinship_errors`, where both alleles are as frequent
MAX_KINSHIP_VARIANCE = 3.5
BAND_PAIRS = 1 << 24  # pairs whose counts are there at once
TASK_SAMPLES = 64  # samples of a task
MIN_QUICK_FREQUENCY = 0.05  # of the rarer allele of a variant that the quick look takes
N_QUICK_VARIANTS = 20_000  # variants of the quick look
N_BINS = 200  # of kinship, for the picture


def find_relatives(
    genotypes: Genotypes,
    *,
    samples: Any = None,
    variants: Any = None,
    least: float | None = None,
    n_jobs: int = 1,
    quiet: bool = True,
) -> Relatives:
    """Estimate the kinship of all pairs of samples (KING-robust), and list the pairs of relatives.

    ``1/2 - (4 b + c + d) / (4 (a + min(c, d)))`` over the variants called in both samples: a where
    both are heterozygous, b where they are homozygous for different alleles, c and d where the
    first or the second alone is heterozygous (Manichaikul et al. 2010). No allele frequency is
    needed, so several populations in one cohort do not look like relatives. Kinship is 1/2 for one
    person twice or for identical twins, 1/4 for parent and child or full siblings, 1/8 and 1/16 for
    the second and third degree, 0 for unrelated people of one population, and below 0 for people of
    different ones.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    samples : mask of shape (n,), or indices, or list of ids, or None
        Those that are looked at; None: all.
    variants : mask of shape (p,), or indices, or list of ids, or None
        None: all of the autosomes.
    least : float or None, default=None
        Pairs of at least this kinship are listed, -inf for all; .0442 at most, as families and the
        unrelated are by the pairs listed. None: of at least 2^-4.5 = .0442, the border of the third
        degree, where that is beyond chance: in 999 of 1000 cohorts no pair
        of unrelated people is listed. The standard error of a kinship is estimated from 32 blocks
        of neighbouring variants, so that linkage disequilibrium counts.
    n_jobs : int, default=1
        Threads; results do not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    Relatives

    Raises
    ------
    DataError
        There is one sample, or no variant to use, or no pair of samples in which both have a
        heterozygous call.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from pathlib import Path
    >>> from tamis.genome import find_relatives, open_genotypes
    >>> from tamis.kernels.genotypes.words import pack_calls
    >>> rng = np.random.default_rng(0)
    >>> first, second = (rng.random((2, 4, 3000)) < 0.4).astype(int)  # haplotypes of four people
    >>> passed_on = lambda k: np.where(rng.random(3000) < 0.5, first[k], second[k])
    >>> copies = np.vstack([first + second, passed_on(0) + passed_on(1)])  # and of a child
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = Path(folder) / "made.bed"
    ...     calls = pack_calls(np.array([3, 2, 0])[copies.T])
    ...     _ = made.write_bytes(b"\\x6c\\x1b\\x01" + calls.tobytes())
    ...     bim = "".join(f"1 rs{j} 0 {j + 1} A C\\n" for j in range(3000))
    ...     fam = "".join(f"f{k} i{k} 0 0 0 -9\\n" for k in range(5))
    ...     _ = made.with_suffix(".bim").write_text(bim), made.with_suffix(".fam").write_text(fam)
    ...     found = find_relatives(open_genotypes(made))
    >>> found.frame()[["IID1", "IID2", "RELATION"]]
      IID1 IID2          RELATION
    0   i4   i0  parent and child
    1   i4   i1  parent and child
    """
    if least is not None:
        least = checked_share(least, "least", -np.inf, DEGREE_BORDERS[-1])
    taken = genotypes if samples is None else genotypes.subset(samples=samples)
    if taken.shape[0] < 2:
        raise DataError("there is one sample: kinship needs two")
    if variants is not None:
        taken = taken.subset(variants=variants)
    elif len(columns := autosomal_variants(taken.variants)):
        taken = taken.only(columns)
    else:
        raise DataError("no variant is on an autosome: give files of autosomes")
    found = _relatives_in(taken, least, n_jobs, quiet)
    if not np.isfinite(found.standard_error):
        raise DataError(
            "no two samples have heterozygous calls, from which kinship is estimated: these "
            "variants do not vary or are not called, or the samples are inbred"
        )
    return found


def look_for_relatives(
    genotypes: Genotypes, n_jobs: int = 1, quiet: bool = True
) -> Relatives | None:
    """A quick look before another analysis: relatives by up to 20,000 frequent variants of the
    autosomes, evenly spread. They are not pruned: in a cohort of few people or of large families
    that keeps the variants by which these happen to look alike.

    Returns
    -------
    Relatives or None
        None where there is nothing to look at: one sample, no such variant, or no heterozygous
        call.
    """
    columns = thinned_columns(autosomal_variants(genotypes.variants), 2 * N_QUICK_VARIANTS)
    if genotypes.shape[0] < 2 or not len(columns):
        return None
    some = genotypes.only(columns)
    counts = count_calls(some, n_jobs, quiet)
    copies = copies_of(counts)
    rarer = copies.min(axis=1)
    frequent = np.flatnonzero((rarer > 0) & (rarer >= MIN_QUICK_FREQUENCY * copies.sum(axis=1)))
    if not len(frequent):
        return None
    found = _relatives_in(
        some.only(thinned_columns(frequent, N_QUICK_VARIANTS)), None, n_jobs, quiet
    )
    return found if np.isfinite(found.standard_error) else None


def _relatives_in(genotypes: Genotypes, least: float | None, n_jobs: int, quiet: bool) -> Relatives:
    """By all variants taken."""
    from ...kernels.genotypes.kinship import add_pair_counts, choose_pairs

    n, p = genotypes.shape
    bands = list(_pair_bands(n))
    chance = chance_level(n * (n - 1) // 2)
    histogram = np.zeros(N_BINS, dtype=np.int64)
    pairs, kept, same, apart = [], [], [], 0
    differing = np.zeros(3)  # pairs, and the sums of their shares of differing calls and squares
    with (
        Progress(p * (len(bands) + 1), "Kinship: variants", quiet) as progress,
        TaskThreads(n_jobs, n_tasks=-(-n // TASK_SAMPLES)) as run_tasks,
    ):
        variance, typical = _kinship_errors(genotypes, run_tasks, progress)
        for first, last in bands:
            start = _pairs_before(first)
            counts = np.zeros((_pairs_before(last) - start, 5), dtype=np.int32)
            for planes in _each_planes(genotypes, run_tasks, progress):
                run_tasks(
                    partial(add_pair_counts, planes, i, min(i + TASK_SAMPLES, last), start, counts)
                    # the longest rows first
                    for i in reversed(range(first, last, TASK_SAMPLES))
                )
            places, alike, far = choose_pairs(
                counts,
                variance,
                chance,
                DEGREE_BORDERS[-1],
                np.nan if least is None else least,
                histogram,
                differing,
            )
            apart += far
            every = np.union1d(places, alike)
            pairs.append(_pairs_of(every + start))
            kept.append(counts[every])
            same.append(np.stack([np.isin(every, places), np.isin(every, alike)]))
    chosen, equal = np.concatenate(same, axis=1)
    equal &= _no_difference_is_beyond(differing, chance)
    listed = chosen | equal
    return Relatives(
        genotypes.samples,
        p,
        np.concatenate(pairs)[listed],
        np.concatenate(kept)[listed],
        variance,
        typical,
        chance,
        apart,
        histogram,
        equal[listed],
    )


def _no_difference_is_beyond(sums: np.ndarray, level: float) -> bool:
    """Whether no difference in any call is so many standard deviations below the mean share, by
    the number of pairs, the sum of their shares and that of the squares."""
    n, total, squares = sums
    if n < 2:
        return False
    deviation = np.sqrt(max(squares / n - (total / n) ** 2, 0.0))
    return bool(total / n > level * deviation)


def _each_planes(
    genotypes: Genotypes, run_tasks: RunTasks, progress: Progress
) -> Iterator[np.ndarray]:
    """Planes of all samples, a chunk of the variants after the other."""
    from ...kernels.genotypes.kinship import sample_planes

    n = genotypes.shape[0]
    place = genotypes.groups_of_file(np.arange(n))
    width = min(CHUNK_VARIANTS, max(64, CHUNK_BYTES // -(-genotypes.n_file // 4) // 64 * 64))
    for piece in genotypes.pieces(width):
        yield sample_planes(np.ascontiguousarray(piece.packed()), place, n, run_tasks)
        progress.advance(len(piece))


def _kinship_errors(
    genotypes: Genotypes, run_tasks: RunTasks, progress: Progress
) -> tuple[float, float]:
    """Variance of a variant's part in the numerator of a kinship, between blocks of variants, and
    the standard error of a kinship in the middle of the pairs looked at.

    With D = sum (x - y)^2 and H the smaller count of heterozygous calls, kinship is (2 H - D) /
    (4 H). Its error follows from what 2 (1 - 2 kinship) H - D is in each block (the ratio
    estimator's, Cochran 1977, equation 6.9), H being half of both counts less half of their
    difference.
    """
    from ...kernels.genotypes.kinship import count_blocks

    n, p = genotypes.shape
    total = _pairs_before(n)
    some = np.arange(total)
    if total > LOOKED_AT:
        some = np.unique(generator(0, "genome", "pairs looked at").integers(0, total, LOOKED_AT))
    pairs = _pairs_of(some)
    words = max(1, -(-p // (64 * MAX_ERROR_BLOCKS)))
    blocks = [
        count_blocks(planes, pairs, words)
        for planes in _each_planes(genotypes, run_tasks, progress)
    ]
    counts = np.concatenate(blocks).astype(np.int64)  # (blocks, pairs, 5)
    totals = counts.sum(axis=0)
    known = np.isfinite(kinship_of(totals))
    if not known.any():
        return MAX_KINSHIP_VARIANCE, np.inf
    counts, totals = counts[:, known], totals[known]
    if len(counts) < MIN_ERROR_BLOCKS:
        return MAX_KINSHIP_VARIANCE, float(np.median(errors_of(totals, MAX_KINSHIP_VARIANCE)))
    kinship = kinship_of(totals)
    first, second = counts[:, :, 0] + counts[:, :, 2], counts[:, :, 0] + counts[:, :, 3]
    apart = 4 * counts[:, :, 1] + counts[:, :, 2] + counts[:, :, 3]
    even = ((1 - 2 * kinship) * (first + second) - apart) ** 2
    # the smaller of two has 1 - 2 / pi of the variance of their difference
    uneven = (1 - 2 / np.pi) * ((1 - 2 * kinship) * (first - second)) ** 2
    squares = (even + uneven).sum(axis=0) * len(counts) / (len(counts) - 1)
    variance = float((squares / called_in(totals)).mean())
    return variance, float(np.median(errors_of(totals, variance)))


def _pair_bands(n: int) -> Iterator[tuple[int, int]]:
    """Rows (first, last) of the triangle of pairs, in bands of about as many pairs."""
    first = 1
    while first < n:
        last = first + 1
        while last < n and _pairs_before(last + 1) - _pairs_before(first) <= BAND_PAIRS:
            last += 1
        yield first, last
        first = last


def _pairs_before(row: int) -> int:
    """Pairs (i, j < i) of the samples i before `row`."""
    return row * (row - 1) // 2


def _pairs_of(places: np.ndarray) -> np.ndarray:
    """Samples (i, j < i) of pairs i (i - 1) / 2 + j."""
    i = ((1 + np.sqrt(1 + 8 * places)) / 2).astype(np.int64)
    i += i * (i + 1) // 2 <= places
    i -= i * (i - 1) // 2 > places
    return np.stack([i, places - i * (i - 1) // 2], axis=1)

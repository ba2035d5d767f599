"""Mass transportation distance of every variant between classes, straight from packed calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, listed_names, value_text
from ..._core.settings import checked_count
from ..._core.streams import generator
from ..blocks.sharing import each_block
from ..readers.classes import Groups, groups_of
from ..readers.genotypes import BLOCK_BYTES, Genotypes
from .scan_result import MTDScan

PERMUTED_BLOCK = 1 << 12  # variants of a task that permutes
MOST_COUNTS = 1 << 20  # of variants by groups, in a task
MOST_MASKS = 1 << 32  # bytes of the samples of all permutations


def mtd_scan(
    genotypes: Genotypes,
    y: Any = None,
    samples: Any = None,
    *,
    folds: Any = None,
    strata: Any = None,
    multiclass: str = "max",
    permutations: int = 0,
    seed: int = 0,
    n_jobs: int = 1,
    width: int | None = None,
    quiet: bool = True,
) -> MTDScan:
    """Score every variant by how differently its genotypes are distributed in the classes.

    ``S = sum_w |p_a(w) - p_b(w)|`` over the three genotypes w, p_c(w) their relative frequencies
    among the called samples of class c: between 0 and 2, whichever allele is counted. Missing calls
    are left out variant by variant.

    Parameters
    ----------
    genotypes : Genotypes
    y : array-like of shape (n_samples,), or None
        Classes, two or more; samples with None, NaN or "" are left out. None: the phenotype of the
        .fam (0, -9 and NA are unknown).
    samples : mask of shape (n_samples,), or indices, or None
        Those that are looked at, such as a training set; None: all.
    folds : array-like of shape (n_samples,) of int, or None
        A number of a fold for each sample. Scores of all samples but those of a fold come from the
        same pass, as totals less the fold's: `fold_scores`.
    strata : array-like of shape (n_samples,), or None
        Such as populations. Differences are then taken inside each and averaged with the weights of
        Mantel and Haenszel, ``sum_w |sum_h v_h (p_a - p_b)|`` with v_h proportional to
        ``n_a n_b / (n_a + n_b)`` of the calls, and labels are permuted inside each.
    multiclass : {"max", "mean"}, default="max"
        Over the pairs of more than two classes.
    permutations : int, default=0
        Of the labels: each variant's own p-value, and that of the largest score (max-T, Westfall
        and Young 1993), which controls the family-wise error whatever variants have in common.
    seed : int, default=0
        Of the permutations.
    n_jobs : int, default=1
        Threads.
    width : int or None, default=None
        Variants of a task; results do not depend on it.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    MTDScan

    Raises
    ------
    DataError
        There are fewer than two classes, or labels, folds or strata do not fit the samples.
    PlanError
        A parameter is not one of those allowed.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import mtd_scan, open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=300, n_controls=300, n_variants=200,
    ...                     singles=[(17, 4.0)])
    ...     scan = mtd_scan(open_genotypes(f"{folder}/made.bed"), permutations=99)
    >>> scan.top(1).tolist(), bool(scan.p_adjusted[17] <= 0.05)
    ([17], True)
    """
    if multiclass not in ("max", "mean"):
        raise PlanError(f"multiclass = {value_text(multiclass)}: give 'max' or 'mean'")
    n_permutations = checked_count(permutations, "permutations", 0)
    checked_count(seed, "seed", 0)
    found = groups_of(genotypes, y, samples, strata)
    fold_codes, fold_names = _folds_of(folds, found)
    by_mean = multiclass == "mean"
    F, (H, C) = len(fold_names), found.sizes.shape
    groups = np.where(found.codes >= 0, (fold_codes * H + found.strata) * C + found.codes, -1)
    p = genotypes.shape[1]
    counts = np.empty((p, C, 4), dtype=np.int32)
    scores = np.empty((1 + F if F > 1 else 1, p))

    from ...kernels.genotypes.counts import count_groups
    from ...kernels.genotypes.distance import add_parts, score_parts
    from ...kernels.genotypes.words import masks_of

    masks = masks_of(genotypes.groups_of_file(groups), F * H * C)
    if width is None:  # counts of many groups take more room than the calls
        width = max(1, min(BLOCK_BYTES // -(-genotypes.n_file // 4), MOST_COUNTS // (F * H * C)))

    def count_and_score(packed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        own = count_groups(packed, masks).reshape(-1, F, H, C, 4)
        total = own[:, 0, 0]
        if F * H > 1:
            total = np.empty_like(total)
            add_parts(own.reshape(-1, F * H, C * 4), total.reshape(-1, C * 4))
        return total, score_parts(own, by_mean)

    for at, found_here in each_block(genotypes, count_and_score, "variants", n_jobs, quiet, width):
        counts[at], scores[:, at] = found_here
    reached, largest = None, None
    if n_permutations:
        usable = genotypes.variants.left_out == 0
        known = np.where(usable, scores[0], np.nan)
        reached, largest = _permute_labels(
            genotypes, found, known, n_permutations, seed, by_mean, n_jobs, width, quiet
        )
    return MTDScan(
        genotypes,
        found.classes,
        found.stratum_names,
        multiclass,
        counts,
        scores[0],
        scores[1:] if F > 1 else None,
        fold_names if F > 1 else None,
        reached,
        largest,
        n_permutations,
    )


def _folds_of(folds: Any, found: Groups) -> tuple[np.ndarray, np.ndarray]:
    """A code of a fold for each sample, and what they are called."""
    n = len(found.codes)
    if folds is None:
        return np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)
    given = np.asarray(folds)
    if given.shape != (n,) or not np.issubdtype(given.dtype, np.integer):
        raise DataError(f"folds: give a whole number for each of {counted_noun(n, 'sample')}")
    names, codes = np.unique(given, return_inverse=True)
    if len(names) < 2:
        raise DataError("folds: there is one only, and nothing is left without it")
    for k, name in enumerate(names):
        left = np.unique(found.codes[(codes != k) & (found.codes >= 0)])
        if len(left) < len(found.classes):
            gone = [c for i, c in enumerate(found.classes) if i not in left]
            raise DataError(
                f"folds: without fold {name} there is no sample of {listed_names(gone)}"
            )
    return codes.astype(np.int64), names


def _permute_labels(
    genotypes: Genotypes,
    found: Groups,
    scores: np.ndarray,
    n: int,
    seed: int,
    by_mean: bool,
    n_jobs: int,
    width: int,
    quiet: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """How often permuted labels reach each score, and the largest score of each permutation."""
    from ...kernels._bits import pack_rows
    from ...kernels.genotypes.permuted import permuted_scores

    H, C = found.sizes.shape
    known = np.flatnonzero(found.codes >= 0)
    codes, strata = found.codes[known], found.strata[known]
    order = np.argsort(strata, kind="stable")
    cuts = np.cumsum(found.sizes.sum(axis=1))[:-1]
    places = known if genotypes.rows is None else genotypes.rows[known]

    def bits_of(flags: np.ndarray) -> np.ndarray:
        """Flags (..., samples with a class) as words (..., words) of the samples of the files."""
        wide = np.zeros((*flags.shape[:-1], genotypes.n_file), dtype=bool)
        wide[..., places] = flags
        packed = pack_rows(wide.reshape(-1, genotypes.n_file))
        return packed.reshape(*flags.shape[:-1], -1)

    of_strata = strata == np.arange(H)[:, None]
    words = -(-genotypes.n_file // 64)
    if (size := n * H * (C - 1) * words * 8) > MOST_MASKS:
        raise PlanError(
            f"permutations = {n:,}: their samples, {H:,} x {C} groups of each, take "
            f"{size / 1e9:,.0f} GB: give fewer"
        )
    masks = np.empty((n, H, C - 1, words), dtype=np.uint64)
    for b in range(n):
        rng = generator(seed, "genome", "permuted labels", b)
        permuted = np.empty_like(codes)
        permuted[order] = np.concatenate(
            [rng.permutation(part) for part in np.split(codes[order], cuts)]
        )
        masks[b] = bits_of(of_strata[:, None] & (permuted == np.arange(1, C)[:, None]))
    chosen, strata_bits = bits_of(np.ones(len(codes), dtype=bool)), bits_of(of_strata)
    reached = np.zeros(len(scores), dtype=np.int64)

    sizes = found.sizes

    def permute_block(packed: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return permuted_scores(packed, chosen, masks, strata_bits, sizes, scores, by_mean)

    each = each_block(
        genotypes,
        permute_block,
        "variants, permuted",
        n_jobs,
        quiet,
        min(width, PERMUTED_BLOCK),
        along=(scores,),
    )
    largest = np.full(n, -1.0)
    for at, (times, here) in each:
        reached[at] = times
        np.maximum(largest, here, out=largest)
    return reached, largest

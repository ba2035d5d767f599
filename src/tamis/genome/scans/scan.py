"""Mass transportation distance of every variant between classes, straight from packed calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, listed_names, value_text
from ..._core.settings import checked_count
from ..._core.streams import generator
from ..blocks.sharing import each_piece
from ..readers.classes import Groups, groups_of
from ..readers.genotypes import BLOCK_BYTES, Genotypes, Piece
from .prepared import N_UNITS, Arrays, digest_of
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
    return PreparedMTD.of(
        genotypes,
        y,
        samples,
        folds=folds,
        strata=strata,
        multiclass=multiclass,
        permutations=permutations,
        seed=seed,
        n_jobs=n_jobs,
        quiet=quiet,
    ).run(width)


@dataclass(frozen=True)
class PreparedMTD:
    """A scan whose arguments are in order; a unit is some variants that lie behind each other.

    Attributes
    ----------
    genotypes : Genotypes
    groups : Groups
        Classes and strata of the samples.
    fold_codes, fold_names : ndarray
        Of each sample, and of each fold; one where there are none.
    """

    noun: ClassVar[str] = "variant block"
    genotypes: Genotypes
    groups: Groups
    fold_codes: np.ndarray
    fold_names: np.ndarray
    multiclass: str
    n_permutations: int
    seed: int
    n_jobs: int
    quiet: bool

    @classmethod
    def of(
        cls,
        genotypes: Genotypes,
        y: Any,
        samples: Any,
        *,
        folds: Any,
        strata: Any,
        multiclass: str,
        permutations: int,
        seed: int,
        n_jobs: int,
        quiet: bool,
    ) -> PreparedMTD:
        """As `mtd_scan` has it."""
        if multiclass not in ("max", "mean"):
            raise PlanError(f"multiclass = {value_text(multiclass)}: give 'max' or 'mean'")
        n_permutations = checked_count(permutations, "permutations", 0)
        checked_count(seed, "seed", 0)
        found = groups_of(genotypes, y, samples, strata)
        (H, C), words = found.sizes.shape, -(-genotypes.n_file // 64)
        if (size := n_permutations * H * (C - 1) * words * 8) > MOST_MASKS:
            raise PlanError(
                f"permutations = {n_permutations:,}: their samples, {H:,} x {C} groups of each, "
                f"take {size / 1e9:,.0f} GB: give fewer"
            )
        return cls(
            genotypes,
            found,
            *_folds_of(folds, found),
            multiclass,
            n_permutations,
            seed,
            n_jobs,
            quiet,
        )

    @property
    def _n_groups(self) -> int:
        return len(self.fold_names) * self.groups.sizes.size

    @property
    def width(self) -> int:
        """Variants of a task: counts of many groups take more room than the calls."""
        packed = BLOCK_BYTES // -(-self.genotypes.n_file // 4)
        width = max(1, min(packed, MOST_COUNTS // self._n_groups))
        return min(width, PERMUTED_BLOCK) if self.n_permutations else width

    def units(self) -> list[Piece]:
        """Blocks of which each of many parts has several."""
        return self.genotypes.pieces(min(self.width, -(-self.genotypes.shape[1] // N_UNITS)))

    def costs(self) -> list[float]:
        """Variants."""
        return [float(len(piece)) for piece in self.units()]

    def digest(self) -> str:
        """Of genotypes, classes and strata; folds are of no part."""
        return digest_of(self.genotypes, self.groups.codes, self.groups.strata)

    def compute(self, units: Sequence[Piece]) -> Iterator[Arrays]:
        """Counts, scores, and how often they are reached, of the variants of each piece; the
        largest score of each permutation."""
        if not units:
            return iter(())
        from ...kernels.genotypes.counts import count_groups
        from ...kernels.genotypes.distance import add_parts, score_parts
        from ...kernels.genotypes.words import masks_of

        found, by_mean = self.groups, self.multiclass == "mean"
        F, (H, C) = len(self.fold_names), found.sizes.shape
        groups = np.where(
            found.codes >= 0, (self.fold_codes * H + found.strata) * C + found.codes, -1
        )
        masks = masks_of(self.genotypes.groups_of_file(groups), self._n_groups)
        permute = self._permuting() if self.n_permutations else None

        def scan_block(packed: np.ndarray, usable: np.ndarray) -> Arrays:
            own = count_groups(packed, masks).reshape(-1, F, H, C, 4)
            total = own[:, 0, 0]
            if F * H > 1:
                total = np.empty_like(total)
                add_parts(own.reshape(-1, F * H, C * 4), total.reshape(-1, C * 4))
            scores = score_parts(own, by_mean)
            arrays = {"counts": total, "scores": scores}
            if permute is not None:
                arrays["reached"], arrays["largest"] = permute(
                    packed, np.where(usable, scores[0], np.nan)
                )
            return arrays

        label = "variants, permuted" if self.n_permutations else "variants"
        usable = self.genotypes.variants.left_out == 0
        return each_piece(units, scan_block, label, self.n_jobs, self.quiet, along=(usable,))

    def _permuting(self) -> Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        """How often permuted labels reach scores of packed calls, and the largest of each."""
        from ...kernels._bits import pack_rows
        from ...kernels.genotypes.permuted import permuted_scores

        genotypes, found, sizes = self.genotypes, self.groups, self.groups.sizes
        by_mean, (H, C) = self.multiclass == "mean", sizes.shape
        known = np.flatnonzero(found.codes >= 0)
        codes, strata = found.codes[known], found.strata[known]
        order = np.argsort(strata, kind="stable")
        cuts = np.cumsum(sizes.sum(axis=1))[:-1]
        places = known if genotypes.rows is None else genotypes.rows[known]

        def bits_of(flags: np.ndarray) -> np.ndarray:
            """Flags (..., samples with a class) as words (..., words) of the samples of the
            files."""
            wide = np.zeros((*flags.shape[:-1], genotypes.n_file), dtype=bool)
            wide[..., places] = flags
            packed = pack_rows(wide.reshape(-1, genotypes.n_file))
            return packed.reshape(*flags.shape[:-1], -1)

        of_strata = strata == np.arange(H)[:, None]
        masks = np.empty(
            (self.n_permutations, H, C - 1, -(-genotypes.n_file // 64)), dtype=np.uint64
        )
        for b in range(self.n_permutations):
            rng = generator(self.seed, "genome", "permuted labels", b)
            permuted = np.empty_like(codes)
            permuted[order] = np.concatenate(
                [rng.permutation(part) for part in np.split(codes[order], cuts)]
            )
            masks[b] = bits_of(of_strata[:, None] & (permuted == np.arange(1, C)[:, None]))
        chosen, strata_bits = bits_of(np.ones(len(codes), dtype=bool)), bits_of(of_strata)
        return lambda packed, scores: permuted_scores(
            packed, chosen, masks, strata_bits, sizes, scores, by_mean
        )

    def run(self, width: int | None = None) -> MTDScan:
        """All at once, in blocks of so many variants."""
        pieces = self.genotypes.pieces(self.width if width is None else width)
        return self.result(zip(pieces, self.compute(pieces), strict=True))

    def result(self, found: Iterable[tuple[Piece, Arrays]]) -> MTDScan:
        """The scan of all variants."""
        p, n, F = self.genotypes.shape[1], self.n_permutations, len(self.fold_names)
        counts = np.empty((p, len(self.groups.classes), 4), dtype=np.int32)
        scores = np.empty((1 + F if F > 1 else 1, p))
        reached, largest = np.zeros(p, dtype=np.int64), np.full(n, -1.0)
        for piece, here in found:
            at = piece.place
            counts[at], scores[:, at] = here["counts"], here["scores"]
            if n:
                reached[at] = here["reached"]
                np.maximum(largest, here["largest"], out=largest)
        return MTDScan(
            self.genotypes,
            self.groups.classes,
            self.groups.stratum_names,
            self.multiclass,
            counts,
            scores[0],
            scores[1:] if F > 1 else None,
            self.fold_names if F > 1 else None,
            reached if n else None,
            largest if n else None,
            n,
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

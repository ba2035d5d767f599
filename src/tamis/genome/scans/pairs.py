"""All pairs of variants by their exact pair score, counted from bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, nearest_hint
from ..._core.progress import Progress
from ..._core.settings import checked_count
from ...interactions.pairs.levels import LevelTable
from ...interactions.pairs.pair_mtd import PairDistance, counted_distance
from ...interactions.pairs.pair_runs import BestPairs, PairRuns, Share
from ...interactions.pairs.pair_search import ORDERS
from ...metrics.permuted_maxima import family_p_values
from ..readers.classes import groups_of
from ..readers.genotypes import Genotypes
from ..readers.variants import LEFT_OUT
from .pair_runs import Calls, GenotypePairs
from .pairs_result import PairScan
from .prepared import N_UNITS, Arrays, digest_of

N_GENOTYPES = 3
DEFAULT_LEVEL = 0.05
LEAST_PERMUTATIONS = 19  # of which the largest is exceeded by chance in 5 %
MOST_BYTES = 1 << 33  # of calls and their bits
BYTES_PER_CALL = 1.8  # of both, a call


def pair_scan(
    genotypes: Genotypes,
    y: Any = None,
    samples: Any = None,
    *,
    by: str = "interaction",
    keep: int = 100,
    permutations: int = 0,
    seed: int = 0,
    n_jobs: int = 1,
    most: int = 10_000_000_000,
    quiet: bool = True,
) -> PairScan:
    """The pairs of variants that say most together, of all there are.

    Every pair has the exact score of `tamis.interactions.pair_mtd`: twice the 1-Wasserstein
    distance between the classes on the grid of both variants' genotypes, under the Hamming
    distance, on the samples called in both; and the interaction, that score less those of the two
    variants alone. `tamis.interactions.search_pairs` on a table of the calls finds the same.

    Parameters
    ----------
    genotypes : Genotypes
        Of which `Genotypes.subset` takes a region, a chromosome or a list.
    y : array-like of shape (n_samples,), or None
        Classes, two or more; samples with None, NaN or "" are left out. None: the phenotype of the
        .fam (0, -9 and NA are unknown). Of more than two classes the two that are farthest apart
        count, pair by pair of variants, and the scan takes longer.
    samples : mask of shape (n_samples,), or indices, or None
        Those that are looked at, such as a training set; None: all.
    by : {"interaction", "score"}, default="interaction"
        What pairs are ordered by and tested in.
    keep : int, default=100
        Pairs in the result. Of equals the one of lower variants comes first.
    permutations : int, default=0
        Of the labels, 19 or more; the full scan is repeated with each, and a pair compared with
        the best pairs of all (max-T).
    seed : int, default=0
        Of the permutations.
    n_jobs : int, default=1
        Threads. The result has the same bytes with any number of them.
    most : int, default=10,000,000,000
        Pairs that are looked at, those of permuted scans too: more are refused before anything is
        begun, with the time they would take.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    PairScan
        With ``pairs``, ``score``, ``interaction``, ``singles``, ``family_p``, ``frame()``.

    Raises
    ------
    DataError
        There are fewer than two classes or two variants, or labels do not fit the samples.
    PlanError
        A parameter is not one of those allowed, or there are too many pairs.

    Notes
    -----
    Variants whose line in the file cannot be read, or whose position is negative, are left out.
    What an interaction is, and what permutations promise, is in docs/methods/pair_scan.md.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, pair_scan, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=300, n_controls=300, n_variants=100,
    ...                     pairs=[(17, 60, 6.0)], frequencies=(0.2, 0.4))
    ...     found = pair_scan(open_genotypes(f"{folder}/made.bed"), permutations=19)
    >>> found.pairs[0].tolist(), float(found.family_p[0])
    ([17, 60], 0.05)
    """
    return PreparedPairs.of(
        genotypes,
        y,
        samples,
        by=by,
        keep=keep,
        permutations=permutations,
        seed=seed,
        n_jobs=n_jobs,
        most=most,
        quiet=quiet,
    ).run()


@dataclass(frozen=True)
class PreparedPairs:
    """A scan whose arguments are in order; a unit is some blocks of first variants in a run.

    Attributes
    ----------
    genotypes : Genotypes
    calls : Calls
        Of the variants and samples taken.
    labels : ndarray
        Class codes of these samples.
    classes : ndarray
    runs : PairRuns
    """

    noun: ClassVar[str] = "pair block"
    genotypes: Genotypes
    calls: Calls
    labels: np.ndarray
    classes: np.ndarray
    runs: PairRuns
    by: str
    keep: int
    n_permutations: int
    n_jobs: int
    quiet: bool

    @classmethod
    def of(
        cls,
        genotypes: Genotypes,
        y: Any,
        samples: Any,
        *,
        by: str,
        keep: int,
        permutations: int,
        seed: int,
        n_jobs: int,
        most: int,
        quiet: bool,
    ) -> PreparedPairs:
        """As `pair_scan` has it."""
        if by not in ORDERS:
            raise PlanError(f"by={by!r}: {nearest_hint(by, ORDERS)}")
        keep = checked_count(keep, "keep", 1)
        most = checked_count(most, "most", 1)
        seed = checked_count(seed, "seed", 0)
        runs = checked_count(permutations, "permutations", 0)
        if 0 < runs < LEAST_PERMUTATIONS:
            raise PlanError(
                f"permutations={runs}: give 0, or {LEAST_PERMUTATIONS} or more, for the smallest "
                "p-value of n permutations is 1 / (n + 1)"
            )
        found = groups_of(genotypes, y, samples)
        known = np.flatnonzero(found.codes >= 0)
        variants = genotypes.variants
        columns = np.flatnonzero(variants.left_out == 0)
        p = len(columns)
        if p < 2:
            lost = len(variants) - p
            why = f" ({lost:,} left out: {' or '.join(LEFT_OUT[1:])})" if lost else ""
            raise DataError(
                f"{counted_noun(p, 'variant')}{why}: a pair takes two; take a larger part of the "
                "file"
            )
        _refuse_too_many(p, len(known), runs, most)
        calls = Calls(genotypes, columns, known)
        table = LevelTable(calls.copies, np.full(p, N_GENOTYPES), range(p))
        labels = found.codes[known]
        what = (table, labels, len(found.classes), p, by == "interaction", seed)
        scan = GenotypePairs(*what, calls) if len(found.classes) == 2 else PairRuns(*what)
        return cls(genotypes, calls, labels, found.classes, scan, by, keep, runs, n_jobs, quiet)

    def _progress(self, n_pairs: int) -> Progress:
        """Of so many pairs."""
        return Progress(n_pairs, "pairs", quiet=self.quiet)

    def units(self) -> list[Share]:
        """Blocks of which each of many parts has several, run by run."""
        runs = range(1 + self.n_permutations)
        blocks = self.runs.shares(len(runs) * self.runs.n_pairs // N_UNITS)
        return [(run, some) for run in runs for some in blocks]

    def costs(self) -> list[float]:
        """Pairs."""
        return [float(self.runs.pairs_of(unit)) for unit in self.units()]

    def digest(self) -> str:
        """Of genotypes and classes."""
        return digest_of(self.genotypes, self.calls.known, self.labels)

    def compute(self, units: Sequence[Share]) -> Iterator[Arrays]:
        """The best pairs of each share."""
        with self._progress(sum(map(self.runs.pairs_of, units))) as bar:
            for values, pairs in self.runs.scanned(units, self.keep, self.n_jobs, bar):
                yield {"values": values, "pairs": pairs}

    def run(self) -> PairScan:
        """All at once, where what is found in one share saves work in the next."""
        with self._progress(self.runs.n_pairs * (1 + self.n_permutations)) as bar:
            return self._of_best(self.runs.search(self.n_permutations, self.keep, self.n_jobs, bar))

    def result(self, found: Iterable[tuple[Share, Arrays]]) -> PairScan:
        """The scan of all shares."""
        best = BestPairs(self.keep, [0.0] * self.n_permutations)
        for (run, _), here in found:
            best.add(run, (here["values"], here["pairs"].astype(np.int64)))
        return self._of_best(best)

    def _of_best(self, best: BestPairs) -> PairScan:
        """The scan that has these pairs."""
        calls, variants = self.calls, self.genotypes.variants
        results = [
            _distance_of_copies(
                calls.copies[i], calls.copies[j], self.labels, self.classes.tolist()
            )
            for i, j in best.pairs
        ]
        pairs = calls.columns[best.pairs]
        names = [variants.take(pairs[:, k]).id.to_pylist() for k in (0, 1)]
        return PairScan(
            terms=tuple(zip(*names, strict=True)),
            score=np.array([one.score for one in results]),
            interaction=np.array([one.interaction for one in results]),
            singles=np.array([one.singles for one in results]).reshape(-1, 2),
            n=np.array([one.n for one in results], dtype=np.int64),
            classes=tuple(one.classes for one in results if one.classes is not None),
            family_p=family_p_values(best.values, best.maxima) if self.n_permutations else None,
            maxima=np.array(best.maxima),
            by=self.by,
            level=DEFAULT_LEVEL,
            n_features=self.runs.n_features,
            n_pairs=self.runs.n_pairs,
            bins=N_GENOTYPES,
            genotypes=self.genotypes,
            pairs=pairs,
        )


def _distance_of_copies(
    first: np.ndarray, second: np.ndarray, labels: np.ndarray, names: list[Any]
) -> PairDistance:
    """`pair_mtd` of two variants' copies."""
    wide = N_GENOTYPES + 1
    cells = (wide * first + second) + (wide**2 * labels + wide + 1)
    counts = np.bincount(cells, minlength=len(names) * wide**2).reshape(-1, wide, wide)
    return counted_distance(np.ascontiguousarray(counts[:, 1:, 1:]), names)


def _refuse_too_many(p: int, n: int, runs: int, most: int) -> None:
    """Say so before hours or all of the memory are spent."""
    each = p * (p - 1) // 2
    pairs = each * (1 + runs)
    if pairs > most:
        hours = pairs * (4 + 0.19 * n / 64) * 1e-9 / 3600  # as measured, docs/methods/pair_scan.md
        time = f"{hours:,.1f} hours" if hours >= 1 else f"{60 * hours:,.0f} minutes"
        again = f", {1 + runs:,} times over," if runs else ""
        raise PlanError(
            f"{p:,} variants are {each:,} pairs{again} and take about {time} of one thread: take "
            f"fewer variants, such as a region, or give most={pairs}"
        )
    if p * n * BYTES_PER_CALL > MOST_BYTES:
        raise PlanError(
            f"{p:,} variants of {n:,} samples take {p * n * BYTES_PER_CALL / 1e9:,.1f} GB of "
            "memory, more "
            f"than the {MOST_BYTES / 1e9:,.1f} GB allowed: take fewer variants, such as a region"
        )

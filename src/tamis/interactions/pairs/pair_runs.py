"""All pairs of features scanned side by side, with the classes as they are and permuted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..._core.errors import PlanError
from ..._core.progress import Progress
from ..._core.streams import generator
from .levels import LevelTable, single_scores

Best = tuple[np.ndarray, np.ndarray]  # values (k,), and pairs of columns (k, 2), the lower first
Share = tuple[int, range]  # a run, and blocks of its first features
Scan = Callable[[int, int, float], Best]
BLOCK_FEATURES = 64  # features side by side in the kernels: `pair_lanes.LANES`, which brings numba
TASK_PAIRS = 1 << 21  # a tenth of a second, next to which handing out and joining is nothing


NO_PAIRS: Best = (np.empty(0), np.empty((0, 2), dtype=np.int64))


def best_of(some: Best, others: Best, keep: int) -> Best:
    """The best of both, best first; of equal values those of lower columns."""
    values, pairs = np.append(some[0], others[0]), np.vstack([some[1], others[1]])
    order = np.lexsort((pairs[:, 1], pairs[:, 0], -values))[:keep]
    return values[order], pairs[order]


def scan_blocks(scan: Scan, blocks: range, keep: int, floor: float) -> Best:
    """The best pairs of some blocks."""
    best = NO_PAIRS
    for block in blocks:
        best = best_of(best, scan(block, keep, floor), keep)
        if len(best[0]) == keep:
            floor = max(floor, best[0][-1])
    return best


@dataclass
class BestPairs:
    """The best pairs so far.

    Attributes
    ----------
    keep : int
    maxima : list of float
        The best value of each permuted run; 0 for one in which no pair can be compared, the least
        that a pair can have.
    values : ndarray of shape (k,)
    pairs : ndarray of shape (k, 2)
        Columns, the lower first.
    """

    keep: int
    maxima: list[float]
    values: np.ndarray = field(default_factory=lambda: NO_PAIRS[0])
    pairs: np.ndarray = field(default_factory=lambda: NO_PAIRS[1])

    def floor(self, run: int) -> float:
        """What is less in a run cannot be in the result."""
        if run:
            return self.maxima[run - 1]
        return float(self.values[-1]) if len(self.values) == self.keep else 0.0

    def add(self, run: int, found: Best) -> None:
        """Pairs of a run."""
        if run:
            self.maxima[run - 1] = max(self.maxima[run - 1], float(found[0].max(initial=0.0)))
        else:
            self.values, self.pairs = best_of((self.values, self.pairs), found, self.keep)


@dataclass(frozen=True)
class PairRuns:
    """What all runs share.

    Attributes
    ----------
    table : LevelTable
    y : ndarray of shape (n,)
        Class codes.
    n_classes : int
    n_features : int
        So many features of largest single score are paired, which each run chooses for itself.
    by_interaction : bool
    random_state : int or None
    """

    table: LevelTable
    y: np.ndarray
    n_classes: int
    n_features: int
    by_interaction: bool
    random_state: int | None

    WHERE: ClassVar[dict[str, Any]] = {"backend": "threading"}  # which have the table in common

    @property
    def n_pairs(self) -> int:
        """Pairs of one run."""
        return self.n_features * (self.n_features - 1) // 2

    def pairs_before(self, block: int) -> int:
        """Pairs whose first feature, behind which the second is, is in an earlier block of 64."""
        behind = max(0, self.n_features - BLOCK_FEATURES * block)
        return self.n_pairs - behind * (behind - 1) // 2

    def shares(self, least: int = TASK_PAIRS) -> list[range]:
        """Blocks of first features by task, of at least so many pairs each but for the last."""
        found, first = [], 0
        blocks = -(-self.n_features // BLOCK_FEATURES)
        for block in range(1, blocks + 1):
            wide = self.pairs_before(block) - self.pairs_before(first) >= least
            if wide or block == blocks:
                found.append(range(first, block))
                first = block
        return found

    def pairs_of(self, share: Share) -> int:
        """How many pairs are in a share."""
        return self.pairs_before(share[1].stop) - self.pairs_before(share[1].start)

    def search(self, runs: int, keep: int, n_jobs: int | None, progress: Progress) -> BestPairs:
        """The best pairs, and the best value of each permuted run; the same for all `n_jobs`.

        Which pairs are the best does not depend on how they are shared out: values are ordered,
        equal ones by their columns.

        Parameters
        ----------
        runs : int
            With permuted classes.
        keep : int
        n_jobs : int or None
        progress : Progress
            Advanced by pairs.
        """
        shares = [(run, blocks) for run in range(runs + 1) for blocks in self.shares()]
        best = BestPairs(keep, [0.0] * runs)
        for share, found in zip(
            shares, self.scanned(shares, keep, n_jobs, progress, best.floor), strict=True
        ):
            best.add(share[0], found)
        return best

    def scanned(
        self,
        shares: Iterable[Share],
        keep: int,
        n_jobs: int | None,
        progress: Progress,
        floor: Callable[[int], float] = lambda run: 0.0,
    ) -> Iterator[Best]:
        """The best pairs of each share, in their order: of a permuted run the best, of the first
        the best `keep`. Those of less than the floor of a run may be left out."""
        from joblib import delayed

        from ..._core.workers import joblib_parallel

        waiting: deque[Share] = deque()

        def scan_tasks() -> Iterator[Any]:
            current, scan = -1, None
            for run, blocks in shares:
                if run != current:
                    current, scan = run, self.scan(run)
                waiting.append((run, blocks))
                yield delayed(scan_blocks)(scan, blocks, 1 if run else keep, floor(run))

        each = joblib_parallel(n_jobs=n_jobs, return_as="generator", batch_size=1, **self.WHERE)
        for found in each(scan_tasks()):
            yield found
            progress.advance(self.pairs_of(waiting.popleft()))

    def labels(self, run: int) -> np.ndarray:
        """Class codes of a run (n,); the first has them as they are."""
        return self._generator(run).permutation(self.y) if run else self.y

    def scan(self, run: int) -> Scan:
        """What scans a block in a run: how many pairs to keep, and a value below which none is
        requested."""
        from ...kernels.pair_bits import make_planes, order_features
        from ...kernels.pair_scan import scan_block

        y, table = self.labels(run), self.table
        columns = np.arange(len(table.levels))
        if self.n_features < len(columns):
            scores = single_scores(table, y, self.n_classes)
            columns = np.sort(np.argsort(-scores, kind="stable")[: self.n_features])
        features = order_features(table.codes[columns], table.levels[columns], columns)
        planes = make_planes(features, y, self.n_classes)

        def scan_pair_block(block: int, keep: int, floor: float) -> tuple[np.ndarray, np.ndarray]:
            return scan_block(features, planes, block, self.by_interaction, keep)

        return scan_pair_block

    def _generator(self, run: int) -> np.random.Generator:
        try:
            return generator(self.random_state, "pair_search", run)  # type: ignore[arg-type]
        except (TypeError, ValueError) as error:
            raise PlanError(
                f"random_state={self.random_state!r}: give a whole number of at least 0, or None"
            ) from error

"""All pairs of features scanned side by side, with the classes as they are and permuted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._core.errors import PlanError
from ..._core.progress import Progress
from ..._core.streams import generator
from .levels import LevelTable, single_scores

Best = tuple[np.ndarray, np.ndarray]  # values (k,), and pairs of columns (k, 2), the lower first
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

    def shares(self) -> list[range]:
        """Blocks of first features by task, of about so many pairs each."""
        found, first = [], 0
        blocks = -(-self.n_features // BLOCK_FEATURES)
        for block in range(1, blocks + 1):
            wide = self.pairs_before(block) - self.pairs_before(first) >= TASK_PAIRS
            if wide or block == blocks:
                found.append(range(first, block))
                first = block
        return found

    def search(
        self, runs: int, keep: int, n_jobs: int | None, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray, list[float]]:
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

        Returns
        -------
        values : ndarray of shape (k,)
        pairs : ndarray of shape (k, 2)
            Columns, the lower first.
        maxima : list of float
            0 for a run in which no pair can be compared, the least that a pair can have.
        """
        from joblib import delayed

        from ..._core.workers import joblib_parallel

        waiting: deque[tuple[int, int]] = deque()

        def scan_tasks() -> Iterator[Any]:
            for run in range(runs + 1):
                scan = self.scan(run)
                for blocks in self.shares():
                    pairs = self.pairs_before(blocks.stop) - self.pairs_before(blocks.start)
                    waiting.append((run, pairs))
                    known = best[0]  # as far as is yet; what is less cannot be in the result
                    floor = known[-1] if len(known) == keep else 0.0
                    yield (
                        delayed(scan_blocks)(scan, blocks, 1, maxima[run - 1])
                        if run
                        else delayed(scan_blocks)(scan, blocks, keep, floor)
                    )

        maxima = [0.0] * runs
        best = NO_PAIRS
        each = joblib_parallel(n_jobs=n_jobs, return_as="generator", batch_size=1, **self.WHERE)
        for found in each(scan_tasks()):
            run, scanned = waiting.popleft()
            if run == 0:
                best = best_of(best, found, keep)
            else:
                maxima[run - 1] = max(maxima[run - 1], float(found[0].max(initial=0.0)))
            progress.advance(scanned)
        return *best, maxima

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

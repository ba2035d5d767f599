"""All pairs of features scanned over threads, with the classes as they are and permuted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import PlanError
from .._core.progress import Progress
from .._core.streams import generator
from .levels import LevelTable, single_scores

Scan = Callable[[int, int, float], tuple[np.ndarray, np.ndarray]]


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

    @property
    def n_pairs(self) -> int:
        """Pairs of one run."""
        return self.n_features * (self.n_features - 1) // 2

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
        from joblib import Parallel, delayed

        waiting: deque[tuple[int, int]] = deque()

        def tasks() -> Iterator[Any]:
            for run in range(runs + 1):
                features, scan = self._prepared(run)
                for block in range(features.blocks):
                    waiting.append((run, features.pairs_of(block)))
                    best = values  # as far as is known yet; what is less cannot be in the result
                    floor = best[-1] if len(best) == keep else 0.0
                    yield (
                        delayed(scan)(block, 1, maxima[run - 1])
                        if run
                        else delayed(scan)(block, keep, floor)
                    )

        maxima = [0.0] * runs
        values, pairs = np.empty(0), np.empty((0, 2), dtype=np.int64)
        parallel = Parallel(n_jobs=n_jobs, backend="threading", return_as="generator", batch_size=1)
        for more, found in parallel(tasks()):
            run, scanned = waiting.popleft()
            if run == 0:
                values, pairs = np.append(values, more), np.vstack([pairs, found])
                order = np.lexsort((pairs[:, 1], pairs[:, 0], -values))[:keep]
                values, pairs = values[order], pairs[order]
            else:
                maxima[run - 1] = max(maxima[run - 1], float(more.max(initial=0.0)))
            progress.advance(scanned)
        return values, pairs, maxima

    def labels(self, run: int) -> np.ndarray:
        """Class codes of a run (n,); the first has them as they are."""
        return self._generator(run).permutation(self.y) if run else self.y

    def _prepared(self, run: int) -> tuple[Any, Scan]:
        """What has `blocks` and `pairs_of` a block, and what scans one: with how many pairs to
        keep, and a value below which none is asked for."""
        from ..kernels.pair_bits import make_planes, order_features
        from ..kernels.pair_scan import scan_block

        y, table = self.labels(run), self.table
        columns = np.arange(len(table.levels))
        if self.n_features < len(columns):
            scores = single_scores(table, y, self.n_classes)
            columns = np.sort(np.argsort(-scores, kind="stable")[: self.n_features])
        features = order_features(table.codes[columns], table.levels[columns], columns)
        planes = make_planes(features, y, self.n_classes)

        def scan(block: int, keep: int, floor: float) -> tuple[np.ndarray, np.ndarray]:
            return scan_block(features, planes, block, self.by_interaction, keep)

        return features, scan

    def _generator(self, run: int) -> np.random.Generator:
        try:
            return generator(self.random_state, "pair_search", run)  # type: ignore[arg-type]
        except (TypeError, ValueError) as error:
            raise PlanError(
                f"random_state={self.random_state!r}: give a whole number of at least 0, or None"
            ) from error

"""Runs of Monte Carlo feature selection over threads: sums over projections, and convergence."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from .._core.progress import Progress
from ._orders import order_of

TASK_VALUES = 3e7  # values looked at in one task, about 50 ms
MOST_AT_ONCE = 256  # projections in one task
# records of pairs before equal ones are added up, or as many as there are pairs
MAX_HELD_RECORDS = 1 << 19
N_TRACKED_FEATURES = 30  # features whose order is followed
LEVEL_UPDATES = 20
LEVEL_DISTANCE = 0.5  # places that a feature moves from update to update
LEVEL_SLOPE = 0.01  # places an update
SECOND_STAGE = 1 << 32  # number of its run; those of permuted classes are 1, 2, ...


@dataclass(frozen=True)
class Forest:
    """What all runs on one table share.

    Attributes
    ----------
    table : kernels.c45.TreeTable
    n_classes : int
    sizes : ndarray of shape (C,)
        Training rows of each class.
    m, t : int
        Features a projection, splits a projection.
    u, v : float
    seed : int
        64 bits.
    n_jobs : int or None
    checkpoint : Checkpoint or None
        Where finished runs are kept, and taken from.
    """

    table: Any
    n_classes: int
    sizes: np.ndarray
    m: int
    t: int
    u: float
    v: float
    seed: int
    n_jobs: int | None = None
    checkpoint: Any = None

    @property
    def p(self) -> int:
        """Columns of the table."""
        return self.table.columns.shape[0]


@dataclass(frozen=True)
class Run:
    """One pass over projections.

    Attributes
    ----------
    number : int
        Keys its random numbers: 0 is the observed run.
    y : ndarray of shape (n,)
        Class codes, perhaps permuted.
    s : int
        Projections.
    offer : kernels.mcfs.Offer
    among : ndarray of shape (p,) of bool, or None
        Record ID weights of pairs of these features; None records none.
    max_ancestors : int
        0 is all.
    """

    number: int
    y: np.ndarray
    s: int
    offer: Any
    among: np.ndarray | None = None
    max_ancestors: int = 0


@dataclass
class Pairs:
    """Sums of ID weights over projections, pairs rising."""

    keys: np.ndarray  # antecedent * p + given
    weights: np.ndarray
    squares: np.ndarray  # of a projection's weight
    counts: np.ndarray  # tree nodes

    @classmethod
    def none(cls) -> Pairs:
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    @classmethod
    def merged(cls, parts: list[Pairs]) -> Pairs:
        """Equal pairs added up, in the order of the parts."""
        if not parts:
            return cls.none()
        keys = np.concatenate([part.keys for part in parts])
        if not len(keys):
            return cls.none()
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])

        def summed_field(name: str) -> np.ndarray:
            return np.add.reduceat(np.concatenate([getattr(q, name) for q in parts])[order], first)

        return cls(
            keys[first], summed_field("weights"), summed_field("squares"), summed_field("counts")
        )


@dataclass
class Convergence:
    """How the order of the best features settles, as the package rmcfs prints it.

    Of two successive rankings (`step` projections apart): the mean over the best 30 of how many
    places a feature has moved (30 if it is new among them), and the share they have in common.
    """

    step: int
    ends: bool = False  # the run, once it has levelled off
    updates: list[dict[str, float]] = field(default_factory=list)
    _before: np.ndarray | None = None

    def update(self, projections: int, scores: np.ndarray) -> None:
        """Compare the order of the scores with that of the last update."""
        top = order_of(scores, min(N_TRACKED_FEATURES, len(scores)))
        if self._before is not None:
            _, now, then = np.intersect1d(top, self._before, return_indices=True)
            gone = len(top) - len(now)
            self.updates.append(
                {
                    "projections": projections,
                    "distance": float(
                        (np.abs(now - then).sum() + N_TRACKED_FEATURES * gone) / len(top)
                    ),
                    "common": len(now) / len(top),
                }
            )
        self._before = top

    @property
    def levelled(self) -> bool:
        """Whether the distance has been small for 20 updates and does not fall any more."""
        last = [u["distance"] for u in self.updates[-LEVEL_UPDATES:]]
        if len(last) < LEVEL_UPDATES:
            return False
        slope = np.polyfit(np.arange(LEVEL_UPDATES), last, 1)[0]
        return float(np.mean(last)) <= LEVEL_DISTANCE and slope >= -LEVEL_SLOPE


class Totals:
    """Sums over the projections of a run, added up in their order."""

    def __init__(self, p: int, t: int, run: Run, convergence: Convergence | None = None):
        self.run, self.p, self.t = run, p, t
        self.importance, self.offered = np.zeros(p), np.zeros(p, dtype=np.int64)
        self.projections, self.stopped = 0, False
        self.convergence = convergence
        self._accuracy: list[np.ndarray] = []
        self._recalls: list[np.ndarray] = []
        self._pairs: list[Pairs] = []

    def add(self, block: tuple) -> None:
        """Add the next block of projections, as `kernels.mcfs.run_projections` returns it."""
        drawn, accuracy, recalls, ends, features, importances, keys, weights, counts = block[:9]
        marks = [len(drawn)]
        if self.convergence is not None:
            step = self.convergence.step
            first = step - self.projections % step
            marks = sorted({*range(first, len(drawn) + 1, step), len(drawn)})
        before = 0
        for mark in marks:
            if self.stopped:
                return
            self._add(drawn, accuracy, recalls, ends, features, importances, before, mark)
            if self.run.among is not None:
                part = slice(ends[before - 1, 1] if before else 0, ends[mark - 1, 1])
                self._add_pairs(keys[part], weights[part], counts[part])
            before = mark
            if self.convergence is not None and self.projections % self.convergence.step == 0:
                self.convergence.update(self.projections, self.scores())
                self.stopped = self.convergence.ends and self.convergence.levelled

    def _add(self, drawn, accuracy, recalls, ends, features, importances, before, mark) -> None:
        from ..kernels.mcfs import add_in_order

        part = slice(ends[before - 1, 0] if before else 0, ends[mark - 1, 0])
        add_in_order(self.importance, features[part], importances[part])
        self.offered += np.bincount(drawn[before:mark].ravel(), minlength=self.p)
        self._accuracy.append(accuracy[before:mark])
        self._recalls.append(recalls[before:mark])
        self.projections += mark - before

    def _add_pairs(self, keys: np.ndarray, weights: np.ndarray, counts: np.ndarray) -> None:
        among = self.run.among
        assert among is not None
        kept = among[keys // self.p] & among[keys % self.p]
        weights = weights[kept]
        self._pairs.append(Pairs(keys[kept], weights, weights**2, counts[kept]))
        new = sum(len(part.keys) for part in self._pairs[1:])
        if new > max(MAX_HELD_RECORDS, len(self._pairs[0].keys)):
            self._pairs = [Pairs.merged(self._pairs)]

    def scores(self) -> np.ndarray:
        """RI: the sum divided by the trees that could have used the feature; -inf if none."""
        trees = self.offered * self.t
        return np.divide(
            self.importance, trees, out=np.full(self.p, -np.inf), where=self.offered > 0
        )

    def restore(
        self,
        importance: np.ndarray,
        offered: np.ndarray,
        projections: int,
        accuracies: np.ndarray,
        recall_sums: np.ndarray,
        pairs: Pairs,
    ) -> None:
        """Take over the sums of a finished run."""
        self.importance, self.offered, self.projections = importance, offered, projections
        self._accuracy, self._recalls = [accuracies[None]], [recall_sums[None]]
        self._pairs = [pairs]

    @property
    def accuracies(self) -> np.floating:
        """Sum of wAcc over the trees."""
        return np.concatenate(self._accuracy).sum()

    @property
    def recall_sums(self) -> np.ndarray:
        """Sums of recall over the trees (C,)."""
        return np.concatenate(self._recalls).sum(axis=0)

    @property
    def accuracy(self) -> float:
        """Mean wAcc of the trees."""
        return float(self.accuracies / (self.projections * self.t))

    @property
    def recalls(self) -> np.ndarray:
        """Mean recall of each class on the test rows (C,)."""
        return self.recall_sums / (self.projections * self.t)

    @property
    def pairs(self) -> Pairs:
        """ID weights added up."""
        return Pairs.merged(self._pairs)


def run_all(
    forest: Forest, runs: Iterable[Run], progress: Progress, convergence: Convergence | None = None
) -> Iterator[Totals]:
    """The totals of each run, in order; the same bytes whatever the number of threads.

    With a checkpoint, runs that it has are taken from it, and each is kept before it is yielded.

    Parameters
    ----------
    forest : Forest
    runs : iterable of Run
    progress : Progress
        Advanced by trees.
    convergence : Convergence, optional
        Followed in the first run.
    """
    from joblib import delayed

    from .._core.workers import joblib_parallel
    from ..kernels import c45, mcfs

    options = c45.make_options(raising=False)  # raising changes nothing measurable here
    spaces: SimpleQueue = SimpleQueue()  # one for each thread at work
    values = forest.m * forest.table.columns.shape[1] * forest.t
    size = int(min(max(TASK_VALUES / values, 1), MOST_AT_ONCE))
    waiting: deque[tuple[Totals, int]] = deque()
    runs = iter(runs)
    if forest.checkpoint is not None:
        for run in runs:
            kept = forest.checkpoint.load(forest, run, convergence)
            if kept is None:
                runs = chain([run], runs)
                break
            progress.total -= run.s * forest.t
            convergence = None
            yield kept

    def grow_block(run: Run, sample: Any, loop: Any, first: int, last: int) -> tuple:
        try:
            work = spaces.get_nowait()
        except Empty:
            work = c45.make_workspace(forest.table, forest.n_classes, forest.m)
        block = mcfs.run_projections(
            forest.table, sample, options, loop, run.offer, first, last, work
        )
        spaces.put(work)
        return block

    def run_tasks() -> Iterator[Any]:
        following = convergence
        for run in runs:
            totals = Totals(forest.p, forest.t, run, following)
            following = None
            sample, loop = mcfs.make_sample(run.y, forest.sizes), loop_of(forest, run)
            for first in range(0, run.s, size):
                if totals.stopped:
                    break
                last = min(first + size, run.s)
                waiting.append((totals, last))
                yield delayed(grow_block)(run, sample, loop, first, last)

    parallel = joblib_parallel(
        n_jobs=forest.n_jobs, backend="threading", return_as="generator", batch_size=1
    )
    for block in parallel(run_tasks()):
        totals, last = waiting.popleft()
        if totals.stopped:  # was already under way
            continue
        totals.add(block)
        progress.advance(len(block[0]) * forest.t)
        if totals.stopped or last == totals.run.s:
            if forest.checkpoint is not None:
                forest.checkpoint.save(forest, totals)
            yield totals


def loop_of(forest: Forest, run: Run) -> Any:
    """What the kernel is given of a run."""
    from ..kernels.mcfs import Loop

    return Loop(
        np.uint64(forest.seed),
        run.number,
        forest.m,
        forest.t,
        forest.u,
        forest.v,
        run.among is not None,
        run.max_ancestors,
    )

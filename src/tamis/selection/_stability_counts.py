"""How often each feature is selected on halves: along a sparse path, or among the best k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from .._core.interfaces import Ranker

_NO_FEATURES = np.zeros(0, dtype=np.int64)


class SharedPath(Protocol):
    """Sparse models of one training set, from few features to many, for any of its rows.

    Attributes
    ----------
    lambdas : ndarray of shape (n_lambdas,)
        Falling. Fixed, like any scale of the columns, from the full training set, so that
        a value means the same on every half.
    """

    @property
    def lambdas(self) -> np.ndarray:
        """Often a field."""
        ...

    def active_sets(self, rows: np.ndarray, most: int) -> list[np.ndarray]:
        """The active columns (rising) at each lambda, fitted on `rows` alone.

        The list ends before the first lambda at which more than `most` columns have been
        active at it or before. Several threads may call this at the same time.
        """
        ...


class PathRanker(Ranker):
    """A ranker that `StabilitySelector` follows along its path instead of cutting at q."""

    def shared_path(self, X: np.ndarray, y: np.ndarray) -> SharedPath:
        """The path of the training set X (n, p) with class codes y (n,)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Counts:
    """Selections on halves.

    Attributes
    ----------
    features : ndarray of shape (m,)
        Columns that any half selected at any step, rising.
    counts : ndarray of shape (n_steps, m)
        Halves that have each selected at each step.
    both : ndarray of shape (m,)
        Pairs of which both halves have it selected at one step: the most over the steps.
    n_halves : int
    """

    features: np.ndarray
    counts: np.ndarray
    both: np.ndarray
    n_halves: int


def path_counts(
    shared: SharedPath, halves: Sequence[np.ndarray], most: int, n_jobs: int | None = None
) -> Counts:
    """Follow the path on each half; past its end a path keeps its last set.

    `halves` lists the pairs one after the other. The halves are independent and their counts
    whole numbers, so the result does not depend on `n_jobs`.
    """
    from joblib import delayed, effective_n_jobs

    from .._core.workers import joblib_parallel

    def follow_paths(some: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
        return [shared.active_sets(rows, most) for rows in some]

    n_tasks = min(len(halves), 4 * effective_n_jobs(n_jobs))
    ends = np.linspace(0, len(halves), n_tasks + 1).astype(int)
    tasks = joblib_parallel(n_jobs=n_jobs, backend="threading")(
        delayed(follow_paths)(halves[a:b]) for a, b in pairwise(ends)
    )
    n_steps = len(shared.lambdas)
    paths = [
        [*sets, *[sets[-1] if sets else _NO_FEATURES] * (n_steps - len(sets))]
        for task in tasks
        for sets in task
    ]
    chosen = [np.concatenate(sets) for sets in paths]
    seen = np.bincount(np.concatenate(chosen)) > 0
    features, place = np.flatnonzero(seen), np.cumsum(seen) - 1
    m = len(features)
    # a selection is one number, step * m + position among the features
    codes = [
        np.repeat(np.arange(n_steps) * m, [len(s) for s in sets]) + place[every]
        for sets, every in zip(paths, chosen, strict=True)
    ]
    counts, both = np.zeros((2, n_steps * m), dtype=np.int64)
    first = np.zeros(n_steps * m, dtype=bool)
    for a, b in zip(codes[0::2], codes[1::2], strict=True):
        counts[a] += 1
        counts[b] += 1
        first[a] = True
        both[b[first[b]]] += 1
        first[a] = False
    most_both = both.reshape(n_steps, m).max(axis=0, initial=0)
    return Counts(features, counts.reshape(n_steps, m), most_both, len(halves))


def path_scores(found: Counts) -> np.ndarray:
    """Scores of `found.features`: the largest probability, then area, then entry.

    With H halves, L steps and counts c(k), the number to order by is

        max c, then the sum of c(k) (at most H L), then L - the first k with c(k) > 0 (at most L).

    Area and entry are one whole number below (H L + 1) (L + 1), so that equal features tie
    exactly; as a fraction of twice that it adds less than half a step of the probability.
    """
    n_steps = len(found.counts)
    area = found.counts.sum(axis=0)
    entry = n_steps - (found.counts > 0).argmax(axis=0)
    base = (found.n_halves * n_steps + 1) * (n_steps + 1)
    score = 2 * base * found.counts.max(axis=0, initial=0) + area * (n_steps + 1) + entry
    return score / (2 * base * found.n_halves)


def ranked_counts(selections: Iterable[np.ndarray], q: int, p: int) -> tuple[Counts, np.ndarray]:
    """Counts at the best k = 1..q of nested selections (best first), and the scores.

    A score is the largest probability plus the mean of the probabilities over k, as less
    than half a step of it.
    """
    counts, both, area = (np.zeros(p, dtype=np.int64) for _ in range(3))
    selected: list[np.ndarray] = []
    for chosen in selections:
        counts[chosen] += 1
        area[chosen] += q - np.arange(len(chosen))  # the k from its place up to q
        if len(selected) % 2:
            both[np.intersect1d(chosen, selected[-1])] += 1
        selected.append(chosen)
    n_halves = len(selected)
    features = np.flatnonzero(counts)
    entries = np.zeros((q, len(features)), dtype=np.int64)
    for chosen in selected:
        entries[np.arange(len(chosen)), np.searchsorted(features, chosen)] += 1
    # Whole numbers up to here, so that equal features tie exactly.
    scores = (counts + area / (2 * q * n_halves)) / n_halves
    found = Counts(features, entries.cumsum(axis=0), both[features], n_halves)
    return found, scores[features]

"""How sure a search is: thresholds, p-values and stability from searches on other rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..._core.progress import Progress
from ..._core.streams import generator, stream
from ...metrics.permuted_maxima import family_p_values
from .intersection_search import PackedClasses, Thresholds, TreeSettings
from .maximal_sets import MaximalSets, find_sets
from .number_search import NumberClasses

Rows = TypeVar("Rows", bound="PackedClasses | NumberClasses")
THRESHOLD_QUANTILE = 0.95
N_THRESHOLD_RUNS = 20  # with permuted labels, that thresholds are taken from
FEW_TREES, FEW_SETS = 5, 1000  # of each of them


def permuted_classes(table: Rows, rng: np.random.Generator) -> Rows:
    """The same rows with other labels, classes as large as before."""
    rows = rng.permutation(np.concatenate(table.members))
    return replace(table, members=np.split(rows, np.cumsum(table.sizes)[:-1]))


def resampled_classes(packed: PackedClasses, rng: np.random.Generator) -> PackedClasses:
    """As many rows of every class, drawn with replacement."""
    members = [rows[rng.integers(len(rows), size=len(rows))] for rows in packed.members]
    return replace(packed, members=members)


def chance_thresholds(
    table: PackedClasses | NumberClasses, settings: TreeSettings, seed: int, each: Callable
) -> tuple[float, ...]:
    """For each class the .95 quantile of the prevalence of leaves under permuted labels.

    Leaves as trees come to them: a set that many leaves are, counts as often. It does not look
    at the labels, so that a search with it is as exchangeable as one with a fixed number.
    """
    few = replace(settings, n_trees=max(FEW_TREES, settings.n_trees // 10), most_sets=FEW_SETS)
    sizes = table.sizes
    none = Thresholds((0.0,) * len(sizes), (1.0,) * len(sizes))

    def leaves_by_chance(k: int) -> list[tuple[np.ndarray, np.ndarray]]:
        other = permuted_classes(table, generator(seed, "intersections", "chance", k))
        found = [
            other.grow(c, none, few, stream(seed, "intersections", "chance trees", k, c))
            for c in range(len(sizes))
        ]
        return [(one.counts[:, c], one.leaves) for c, one in enumerate(found)]

    runs = each(leaves_by_chance, N_THRESHOLD_RUNS)
    thresholds = []
    for c in range(len(sizes)):
        counts, weights = (np.concatenate([run[c][i] for run in runs]) for i in (0, 1))
        if not len(counts):  # no two rows share enough items
            thresholds.append(1.0)
            continue
        order = np.argsort(counts, kind="stable")
        reached = np.cumsum(weights[order])
        at = np.searchsorted(reached, THRESHOLD_QUANTILE * reached[-1])
        thresholds.append(float(counts[order][at] / sizes[c]))
    return tuple(thresholds)


def permutation_values(found: MaximalSets, runs: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Family-wise p-values and q-values (S,) from the differences in searches on permuted labels.

    p: the share of runs, this one among them, in which some set stands out as far. q: the mean
    number of sets of a run that stand out as far, this one among them, over the number here; the
    least of any set that stands out no further.
    """
    least = found.difference - 1e-12
    p = family_p_values(least, [float(run.max(initial=-np.inf)) for run in runs])
    everything = np.sort(np.concatenate([found.difference, *runs]))
    beyond = len(everything) - np.searchsorted(everything, least)
    here = len(least) - np.searchsorted(np.sort(found.difference), least)
    q = beyond / (1 + len(runs)) / here
    return p, np.minimum(np.minimum.accumulate(q[::-1])[::-1], 1.0)


def permutation_runs(
    packed: PackedClasses,
    thresholds: Thresholds,
    settings: TreeSettings,
    seed: int,
    n: int,
    each: Callable,
) -> list[np.ndarray]:
    """Differences of the sets of each search on permuted labels."""

    def permuted_differences(k: int) -> np.ndarray:
        other = permuted_classes(packed, generator(seed, "intersections", "permuted", k))
        return find_sets(other, thresholds, settings, class_streams(seed, other, k)).difference

    return each(permuted_differences, n)


def bootstrap_shares(
    found: MaximalSets,
    packed: PackedClasses,
    thresholds: Thresholds,
    settings: TreeSettings,
    seed: int,
    n: int,
    each: Callable,
) -> np.ndarray:
    """For each set, the share of searches on bootstrap samples that give it."""

    def resampled_keys(k: int) -> list:
        other = resampled_classes(packed, generator(seed, "intersections", "resampled", k))
        return find_sets(other, thresholds, settings, class_streams(seed, other, -1 - k)).keys

    times = Counter(key for keys in each(resampled_keys, n) for key in keys)
    return np.array([times[key] / n for key in found.keys])


def class_streams(seed: int, packed: PackedClasses, *key: int):
    """A stream for the trees of each class."""
    return [stream(seed, "intersections", "trees", c, *key) for c in range(len(packed.members))]


def each_of(n_jobs: int | None, progress: Progress) -> Callable:
    """Calls a function for 0, 1, ..., n - 1 in threads; what it gives, in that order."""
    from joblib import delayed

    from ..._core.workers import joblib_parallel

    def run_each(function: Callable, n: int) -> list:
        results = []
        parallel = joblib_parallel(
            n_jobs=n_jobs, n_tasks=n, backend="threading", return_as="generator"
        )
        for result in parallel(delayed(function)(k) for k in range(n)):
            results.append(result)
            progress.advance()
        return results

    return run_each

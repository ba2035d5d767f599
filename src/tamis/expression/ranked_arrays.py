"""Arrays as their ranks, which are all that quantile normalisation leaves of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import DataError, counted_noun
from .background import corrected_signals
from .intensities import checked_width


@dataclass(frozen=True)
class RankedArrays:
    """Ranks of arrays, and the reference distribution that they are looked up in.

    Attributes
    ----------
    places : list of ndarray of shape (p,), int32
        Twice the ranks, of each array; see `kernels.quantile.rank_places`.
    target : ndarray of shape (p,)
        Mean over arrays of their sorted values.
    table : ndarray of shape (2p - 1,)
        log2 intensity at each place.
    """

    places: list[np.ndarray]
    target: np.ndarray
    table: np.ndarray

    def logs(self, columns: np.ndarray) -> np.ndarray:
        """log2 of the normalised intensities of some columns (n, columns)."""
        found = np.empty((len(self.places), len(columns)))
        for places, to in zip(self.places, found, strict=True):
            np.take(self.table, places[columns], out=to)
        return found


def rank_arrays(
    arrays: Iterable[Any], background: bool, n_jobs: int | None, names: Sequence[str] | None = None
) -> RankedArrays:
    """Correct, sort and rank each array; few are in memory at a time.

    Messages call the arrays by `names`.

    Raises
    ------
    DataError
        Arrays differ in length, there are none, or the target is not positive.
    """
    from joblib import delayed

    from .._core.workers import joblib_parallel
    from ..kernels.quantile import place_values

    def rank_tasks() -> Iterator[Any]:
        for at, row in enumerate(arrays):
            yield delayed(ranks_of)(row, background, names[at] if names else f"array {at}")

    parallel = joblib_parallel(
        n_jobs=n_jobs, backend="threading", return_as="generator", pre_dispatch="n_jobs"
    )
    places: list[np.ndarray] = []
    total = np.zeros(0)
    for at, (ranks, values) in enumerate(parallel(rank_tasks())):
        if at == 0:
            total = np.zeros(len(ranks))
        checked_width(len(ranks), len(total), f"array {at}")
        total += values
        places.append(ranks)
    if not places:
        raise DataError("there are no arrays: give at least one")
    target = total / len(places)
    if target[0] <= 0:
        raise DataError(
            f"the lowest intensities are {target[0]:g} in the mean, and have no logarithm: "
            "give intensities on their natural scale, which are positive"
        )
    return RankedArrays(places, target, np.log2(place_values(target)))


def ranks_of(row: Any, background: bool, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Places of an array's values, and its rising values, background-corrected.

    The correction keeps the order, so that the array is sorted once.
    """
    from ..kernels.quantile import rank_places

    values = np.array(row, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise DataError(f"{name} must be a list of numbers")
    if lost := int((~np.isfinite(values)).sum()):
        raise DataError(
            f"{name}: {counted_noun(lost, 'intensity', 'intensities')} missing or infinite, where "
            "RMA needs all: leave these probes out, or take log2, quantile and median_polish "
            "instead"
        )
    order = np.argsort(values)
    rising = values[order]
    places = rank_places(rising, order)
    if background:
        corrected_signals(rising, rising, values, name)
        rising = values
    return places, rising

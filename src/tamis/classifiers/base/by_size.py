"""The sizes of a ranking together: units, means and standard deviations of columns are made once.

Each column has its own, so that they do not depend on the size; neither do the leading columns that
say nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..._core.interfaces import Beliefs
from ...kernels.units import column_magnitudes, magnitude_units
from .scaling import as_standardised, column_varies, constant_model, standardised_with_scale

Levels = Mapping[int, int]


def beliefs_by_size(
    classifier: Any,
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    test: np.ndarray,
    sizes: Sequence[int],
    seed: int,
    levels: Levels | None = None,
) -> list[Beliefs]:
    """What `fit_in_units` on the leading columns of each size believes of the test rows.

    Parameters
    ----------
    classifier : Classifier or RawClassifier
    X, test : ndarray of shape (n, k), (m, k)
    y : ndarray of shape (n,)
        Class codes.
    n_classes, seed : int
    sizes : sequence of int
        Rising, 1 to k.
    levels : mapping of column to number of levels, or None
        As of `fit_in_units`.
    """
    if levels is None and classifier.scaled and len(sizes):
        from ...kernels.standardised import standardised_rows

        X, test = (
            np.ascontiguousarray(rows[:, : sizes[-1]], dtype=np.float64) for rows in (X, test)
        )
        columns, near, room = np.empty(X.shape), np.empty(test.shape), np.empty((5, X.shape[1]))
        first, ordinary = standardised_rows(X, test, columns, near, room)
        if ordinary:  # most are
            silent = 0 if classifier.takes_constants else bisect_right(sizes, first)
            found = _of_nothing(classifier, y, n_classes, test, silent)
            return found + _fitted_by_size(
                classifier, columns, near, y, n_classes, sizes[silent:], seed, None
            )
    silent = 0 if classifier.takes_constants else _silent_sizes(X, sizes, levels)
    found = _of_nothing(classifier, y, n_classes, test, silent)
    for units, some in _by_units(classifier, X, sizes[silent:], levels):
        found += _in_units(classifier, X, y, n_classes, test, some, seed, levels, units)
    return found


def _of_nothing(
    classifier: Any, y: np.ndarray, n_classes: int, test: np.ndarray, silent: int
) -> list[Beliefs]:
    """Of so many sizes whose columns are all constant."""
    if not silent:
        return []
    return [constant_model(classifier, y, n_classes).beliefs(test)] * silent


def _silent_sizes(X: np.ndarray, sizes: Sequence[int], levels: Levels | None) -> int:
    """How many sizes have nothing but constant columns."""
    for silent, k in enumerate(sizes):
        if column_varies(X[:, (0 if silent == 0 else sizes[silent - 1]) : k], levels):
            return silent
    return len(sizes)


def _by_units(
    classifier: Any, X: np.ndarray, sizes: Sequence[int], levels: Levels | None
) -> Iterator[tuple[np.ndarray, Sequence[int]]]:
    """Units of the columns (k,), and the sizes that have them: with one for all columns it is that
    of the widest, which may come late."""
    if not len(sizes):
        return
    magnitudes = column_magnitudes(X[:, : sizes[-1]])
    if classifier.one_unit:
        widest = magnitude_units(np.maximum.accumulate(magnitudes))[np.asarray(sizes) - 1]
        starts = [0, *(np.flatnonzero(np.diff(widest)) + 1).tolist(), len(sizes)]
        groups = [
            (np.full(sizes[stop - 1], widest[start]), sizes[start:stop])
            for start, stop in pairwise(starts)
        ]
    else:
        groups = [(magnitude_units(magnitudes), sizes)]
    for units, some in groups:
        units[[j for j in levels or () if j < len(units)]] = 1.0
        yield units, some


def _in_units(
    classifier: Any,
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    test: np.ndarray,
    sizes: Sequence[int],
    seed: int,
    levels: Levels | None,
    units: np.ndarray,
) -> list[Beliefs]:
    """The same for sizes whose columns have these units; the first may do without."""
    scaled, few = classifier.scaled, 0
    if not scaled:
        plain = np.logical_and.accumulate(units == 1)  # of the leading columns
        few = int(plain[np.asarray(sizes) - 1].sum())
    found = _fitted_by_size(classifier, X, test, y, n_classes, sizes[:few], seed, levels)
    if few < len(sizes):
        columns, k = X[:, : len(units)] / units, len(units)
        center, scale = np.zeros(k), np.ones(k)
        if scaled:
            columns, center, scale = standardised_with_scale(
                columns, [j for j in levels or () if j < k]
            )
        near = as_standardised(test[:, :k], units, center, scale)
        found += _fitted_by_size(classifier, columns, near, y, n_classes, sizes[few:], seed, levels)
    return found


def _fitted_by_size(
    classifier: Any,
    X: np.ndarray,
    test: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    sizes: Sequence[int],
    seed: int,
    levels: Levels | None,
) -> list[Beliefs]:
    """Those of the classifier itself: what it does not serve at once is fitted size by size."""
    found: list[Beliefs] = []
    if levels is None and len(sizes):
        k = sizes[-1]
        found = classifier.beliefs_by_size(X[:, :k], y, n_classes, test[:, :k], sizes, seed)
    for k in sizes[len(found) :]:
        more = () if levels is None else ({j: n for j, n in levels.items() if j < k},)
        own, rows = np.ascontiguousarray(X[:, :k]), np.ascontiguousarray(test[:, :k])
        found.append(classifier.fit(own, y, n_classes, seed, *more).beliefs(rows))
    return found

"""Discrete features as bits, 64 features side by side, for `pair_scan`.

Rows are ordered by class, so that a word holds rows of one class; behind the end of a class stand
zeros. A feature is one plane of words for each level but the last, and one of where it is known,
which stands for the last. In a block of 64 features all have as many planes as the one of most
levels; planes of levels that a feature lacks are empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._bits import WORD_BITS, count_ones, words_for
from ._jit import jit
from .pair_lanes import LANE_PAIRS


class Features(NamedTuple):
    """Discrete features in the order of the scan: few levels first, and those with gaps behind.

    Attributes
    ----------
    codes : (p, n) int16
        0 to levels - 1; -1 is missing.
    columns : (p,) int64
        Which column of the table each is.
    levels : (p,) int64
        0 where nothing is known.
    first : (blocks + 1,) int64
        Where the planes of each block begin.
    complete : (p,) bool
    """

    codes: np.ndarray
    columns: np.ndarray
    levels: np.ndarray
    first: np.ndarray
    complete: np.ndarray

    @property
    def blocks(self) -> int:
        return len(self.first) - 1


class Planes(NamedTuple):
    """The bits of features under one assignment of classes to rows.

    Attributes
    ----------
    words : (planes, W, 64) uint64
    counts : (planes, C, 64) int32
        Ones by class.
    starts : (C + 1,) int64
        Class c has the words starts[c] to starts[c + 1].
    """

    words: np.ndarray
    counts: np.ndarray
    starts: np.ndarray


def order_features(codes: np.ndarray, levels: np.ndarray, columns: np.ndarray) -> Features:
    """The features of `codes` (p, n) in the order of the scan, equal ones by column."""
    complete = np.all(codes >= 0, axis=1)
    order = np.lexsort((columns, np.logical_not(complete), levels))
    levels = levels[order].astype(np.int64)
    lasts = np.minimum(
        np.arange(LANE_PAIRS - 1, len(levels) + LANE_PAIRS - 1, LANE_PAIRS), len(levels) - 1
    )
    first = np.concatenate([[0], np.cumsum(np.maximum(levels[lasts], 1))])
    return Features(
        np.ascontiguousarray(codes[order], dtype=np.int16),
        columns[order].astype(np.int64),
        levels,
        first,
        complete[order],
    )


def make_planes(features: Features, y: np.ndarray, n_classes: int) -> Planes:
    """The features' bits with the class codes `y` (n,)."""
    sizes = np.bincount(y, minlength=n_classes)
    starts = np.concatenate([[0], np.cumsum([words_for(int(size)) for size in sizes])])
    rows = np.full(WORD_BITS * starts[-1], -1)  # behind each bit
    for c in range(n_classes):
        rows[WORD_BITS * starts[c] : WORD_BITS * starts[c] + sizes[c]] = np.flatnonzero(y == c)
    words = np.zeros((features.first[-1], starts[-1], LANE_PAIRS), dtype=np.uint64)
    counts = np.zeros((features.first[-1], n_classes, LANE_PAIRS), dtype=np.int32)
    _fill_planes(features.codes, features.levels, features.first, rows, starts, words, counts)
    return Planes(words, counts, starts)


@jit
def _fill_planes(codes, levels, first, rows, starts, words, counts):
    bits = np.zeros(levels.max() + 1, dtype=np.uint64)  # of a word; missing values in the last
    for f in range(len(codes)):
        block, lane = f // LANE_PAIRS, f % LANE_PAIRS
        begin, known = first[block], first[block + 1] - 1
        for c in range(len(starts) - 1):
            for w in range(starts[c], starts[c + 1]):
                for v in range(levels[f]):
                    bits[v] = 0
                for k in range(WORD_BITS):
                    row = rows[w * WORD_BITS + k]
                    if row < 0:
                        break
                    bits[codes[f, row]] |= np.uint64(1) << np.uint64(k)
                present = np.uint64(0)
                for v in range(levels[f]):
                    present |= bits[v]
                    if begin + v < known:
                        words[begin + v, w, lane] = bits[v]
                        counts[begin + v, c, lane] += np.int32(count_ones(bits[v]))
                words[known, w, lane] = present
                counts[known, c, lane] += np.int32(count_ones(present))

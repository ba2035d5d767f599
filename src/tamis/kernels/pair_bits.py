"""Discrete features as bits, 64 features side by side, for `pair_scan`.

Rows are ordered by class, so that a word holds rows of one class; after the last row of a class its
word is filled up with zeros. A feature has one plane of words for each level but the last, and one
plane of the rows where it is known, from which the last level follows. In a block of 64 features
all have as many planes as the feature with most levels; planes of levels that a feature lacks are
empty.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._bits import WORD_BITS, count_ones, words_for
from ._jit import jit
from .pair_lanes import LANE_PAIRS


class Features(NamedTuple):
    """Discrete features in the order of the scan: by levels, those with missing values later.

    Attributes
    ----------
    codes : (p, n) int16
        0 to levels - 1; -1 is missing.
    columns : (p,) int64
        Column of the table of each feature.
    levels : (p,) int64
        Rising; 0 where nothing is known.
    first : (blocks + 1,) int64
        Where the planes of each block begin, and the end.
    complete : (p,) bool
        Whether no value is missing.
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
        Ones of each plane and feature by class.
    starts : (C + 1,) int64
        Class c has the words starts[c] to starts[c + 1].
    """

    words: np.ndarray
    counts: np.ndarray
    starts: np.ndarray


def order_features(codes: np.ndarray, levels: np.ndarray, columns: np.ndarray) -> Features:
    """The features of `codes` (p, n) in the order of the scan, ties by column."""
    complete = np.all(codes >= 0, axis=1)
    # lexsort's last key counts first: levels, then complete before incomplete, then columns. So a
    # block has features of like levels, and complete features of a level stay together.
    order = np.lexsort((columns, np.logical_not(complete), levels))
    levels = levels[order].astype(np.int64)
    # the last feature of each block of 64, which has most levels, as they rise
    lasts = np.minimum(
        np.arange(LANE_PAIRS - 1, len(levels) + LANE_PAIRS - 1, LANE_PAIRS), len(levels) - 1
    )
    # L levels have L - 1 planes and that of known rows, which there is without any level too
    first = np.concatenate([[0], np.cumsum(np.maximum(levels[lasts], 1))])
    return Features(
        np.ascontiguousarray(codes[order], dtype=np.int16),
        columns[order].astype(np.int64),
        levels,
        first,
        complete[order],
    )


def make_planes(features: Features, y: np.ndarray, n_classes: int) -> Planes:
    """The bits of the features, rows ordered by the class codes `y` (n,)."""
    sizes = np.bincount(y, minlength=n_classes)
    starts = np.concatenate([[0], np.cumsum([words_for(int(size)) for size in sizes])])
    rows = np.full(WORD_BITS * starts[-1], -1)  # the row of each bit; -1 past the end of a class
    for c in range(n_classes):
        rows[WORD_BITS * starts[c] : WORD_BITS * starts[c] + sizes[c]] = np.flatnonzero(y == c)
    words = np.zeros((features.first[-1], starts[-1], LANE_PAIRS), dtype=np.uint64)
    counts = np.zeros((features.first[-1], n_classes, LANE_PAIRS), dtype=np.int32)
    _fill_planes(features.codes, features.levels, features.first, rows, starts, words, counts)
    return Planes(words, counts, starts)


@jit
def _fill_planes(codes, levels, first, rows, starts, words, counts):
    # The word of each level. A missing value has the code -1, the last place, which is one more
    # than levels need: it is never read, and the loop over rows needs no branch for it.
    bits = np.zeros(levels.max() + 1, dtype=np.uint64)
    for f in range(len(codes)):
        block, lane = f // LANE_PAIRS, f % LANE_PAIRS
        begin, known = first[block], first[block + 1] - 1
        for c in range(len(starts) - 1):
            for w in range(starts[c], starts[c + 1]):
                for v in range(levels[f]):
                    bits[v] = 0
                for k in range(WORD_BITS):
                    row = rows[w * WORD_BITS + k]
                    if row < 0:  # only at the end of a class are there none
                        break
                    bits[codes[f, row]] |= np.uint64(1) << np.uint64(k)
                present = np.uint64(0)
                for v in range(levels[f]):
                    present |= bits[v]
                    # a feature that fills its block has no plane of its own for its last level
                    if begin + v < known:
                        words[begin + v, w, lane] = bits[v]
                        counts[begin + v, c, lane] += np.int32(count_ones(bits[v]))
                words[known, w, lane] = present
                counts[known, c, lane] += np.int32(count_ones(present))

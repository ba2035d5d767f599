"""The best of all pairs of discrete features by their exact pair score.

Values become bits (`pair_bits`); tables of 64 pairs side by side are counted by AND and a count of
ones, and scored by `pair_lanes`. Where nothing is missing, margins are known and only the cells of
all levels but the last are counted.
"""

from __future__ import annotations

import numpy as np

from ._bits import count_ones
from ._jit import jit
from .pair_bits import Features, Planes
from .pair_lanes import INTERACTION_ROW, LANE_PAIRS, MAX_UNROLLED_ROWS, SCORE_ROW, score_lanes


def scan_block(
    features: Features, planes: Planes, block: int, by_interaction: bool, keep: int
) -> tuple[np.ndarray, np.ndarray]:
    """The best pairs whose first feature is in a block, and the second any later one.

    Parameters
    ----------
    features : Features
    planes : Planes
    block : int
        One of `features.blocks`, which together hold all pairs.
    by_interaction : bool
        Order by interaction, otherwise by score.
    keep : int

    Returns
    -------
    values : (k,) float64
        What the pairs are ordered by, at most `keep` of them and in no order. Pairs with fewer
        than two classes are left out.
    pairs : (k, 2) int64
        Their columns, the lower first. Of equal values those of lower columns are kept.
    """
    # a pair is one number, lower column times base plus the other: its order is that of the columns
    base = int(features.columns.max()) + 1
    values, keys = _scan_block(
        features.columns,
        features.levels,
        features.first,
        features.complete,
        planes.words,
        planes.counts,
        planes.starts,
        block,
        by_interaction,
        keep,
        base,
    )
    return values, np.column_stack(np.divmod(keys, base))


@jit
def _scan_block(
    columns, levels, first, complete, words, counts, starts, block, by_interaction, keep, base
):
    p, n_blocks, n_classes = len(levels), len(first) - 1, len(starts) - 1
    # features stand in the order of the scan, 64 a block; `left` is the first of this block
    left = block * LANE_PAIRS
    members = min(LANE_PAIRS, p - left)
    # levels do not fall in that order: the last feature of a block has the most
    rows, most = levels[left + members - 1], 1
    for b in range(block, n_blocks):
        most = max(most, first[b + 1] - first[b])
    own = copy_planes(words, first, levels, block, members, rows)
    cells = np.empty((n_classes, rows, most, LANE_PAIRS), dtype=np.int32)
    gap, found = (
        np.empty((max(rows, MAX_UNROLLED_ROWS), most, LANE_PAIRS)),
        np.empty((5, LANE_PAIRS)),
    )
    sums = np.empty((max(6, 2 * most + 1), LANE_PAIRS))
    by = INTERACTION_ROW if by_interaction else SCORE_ROW
    room = min(keep, members * (p - left))
    # a heap whose root is the worst pair kept
    values, keys, size = np.empty(room), np.empty(room, dtype=np.int64), 0
    for b in range(block, n_blocks):
        width, across = min(LANE_PAIRS, p - b * LANE_PAIRS), first[b + 1] - first[b]
        # margins are those of all samples only where neither feature lacks a value
        full = complete[b * LANE_PAIRS : b * LANE_PAIRS + width].all()
        for i in range(members):
            # within the block itself only lanes after i: each pair once. Feature f has no more
            # levels than the others, which keeps 2^rows, the time of `score_lanes`, small
            f, begin = left + i, i + 1 if b == block else 0
            if levels[f] == 0 or begin >= width:
                continue
            known = full and complete[f]
            count_cells(own, i, words, first[b], starts, levels[f], across, known, cells)
            if known:
                fill_margins(counts, first, block, i, b, levels[f], cells)
            subtract_levels(levels[f], across, cells)
            score_lanes(cells, levels[f], across, gap, sums, found)
            for j in range(begin, width):
                if found[SCORE_ROW, j] < 0.0 or (size == room and found[by, j] < values[0]):
                    continue
                # equal values are decided by the columns in the table, not by the order of the scan
                one, other = columns[f], columns[b * LANE_PAIRS + j]
                key = min(one, other) * base + max(one, other)
                if size < room:
                    size += 1
                    push_up(values, keys, size - 1, found[by, j], key)
                elif found[by, j] > values[0] or key < keys[0]:  # and not below the root's value
                    push_down(values, keys, size, found[by, j], key)
    return values[:size].copy(), keys[:size].copy()


@jit
def copy_planes(words, first, levels, block, members, rows):
    """Planes of a block feature by feature (members, rows, W) uint64, words side by side.

    A feature's last plane is where its value is known, which in `words` is the last of the block.
    """
    own = np.zeros((members, rows, words.shape[1]), dtype=np.uint64)
    for i in range(members):
        last = levels[block * LANE_PAIRS + i] - 1
        for u in range(last + 1):
            plane = first[block] + u if u < last else first[block + 1] - 1
            for w in range(words.shape[1]):
                own[i, u, w] = words[plane, w, i]
    return own


@jit
def count_cells(own, i, words, plane, starts, rows, columns, known, cells):
    """Count samples by class and cell, for feature i of a block and 64 others from `plane` on.

    In place of the last level all known values are counted; with `known` margins the last row and
    column are left out. Four words are taken at a time, since each sum is read from memory and
    written back.
    """
    rows, columns = (rows - 1, columns - 1) if known else (rows, columns)
    for c in range(len(starts) - 1):
        for u in range(rows):
            for v in range(columns):
                # words of a class: bits after its last sample are 0, so that no mask is needed
                w, z = starts[c], plane + v
                for j in range(LANE_PAIRS):
                    cells[c, u, v, j] = 0
                while w + 4 <= starts[c + 1]:
                    x0, x1 = own[i, u, w], own[i, u, w + 1]
                    x2, x3 = own[i, u, w + 2], own[i, u, w + 3]
                    for j in range(LANE_PAIRS):
                        cells[c, u, v, j] += np.int32(
                            count_ones(x0 & words[z, w, j])
                            + count_ones(x1 & words[z, w + 1, j])
                            + count_ones(x2 & words[z, w + 2, j])
                            + count_ones(x3 & words[z, w + 3, j])
                        )
                    w += 4
                while w < starts[c + 1]:  # the last one to three words
                    x0 = own[i, u, w]
                    for j in range(LANE_PAIRS):
                        cells[c, u, v, j] += np.int32(count_ones(x0 & words[z, w, j]))
                    w += 1


@jit
def fill_margins(counts, first, block, i, b, rows, cells):
    """Fill the last row and column where both features are complete: samples of each level."""
    # the plane in place of the last level is where values are known: it counts the full class
    last = first[b + 1] - first[b] - 1
    for c in range(len(cells)):
        for u in range(rows):
            plane = first[block] + u if u < rows - 1 else first[block + 1] - 1
            for j in range(LANE_PAIRS):
                cells[c, u, last, j] = counts[plane, c, i]
        for v in range(last):
            for j in range(LANE_PAIRS):
                cells[c, rows - 1, v, j] = counts[first[b] + v, c, j]


@jit
def subtract_levels(rows, columns, cells):
    """Turn the counts of known values, in the last row and column, into those of the last level."""
    # the last column in every row, the last one too; that row then has the counts of the other
    # feature's levels alone, and what the rows above leave of them is its last level
    for c in range(len(cells)):
        for u in range(rows):
            for v in range(columns - 1):
                for j in range(LANE_PAIRS):
                    cells[c, u, columns - 1, j] -= cells[c, u, v, j]
        for u in range(rows - 1):
            for v in range(columns):
                for j in range(LANE_PAIRS):
                    cells[c, rows - 1, v, j] -= cells[c, u, v, j]


@jit
def is_worse(value, key, other, other_key):
    """Whether a pair is worse than another: less, or equal with later columns."""
    return value < other or (value == other and key > other_key)


@jit
def push_up(values, keys, place, value, key):
    """Add a pair to a heap whose root is the worst kept; `place` is the first free one."""
    # `place` is a gap: better parents move down into it until the pair is no worse than its parent
    while place > 0:
        parent = (place - 1) // 2
        if not is_worse(value, key, values[parent], keys[parent]):
            break
        values[place], keys[place] = values[parent], keys[parent]
        place = parent
    values[place], keys[place] = value, key


@jit
def push_down(values, keys, size, value, key):
    """Replace the root of the heap, the worst pair kept, by a better one."""
    place = 0  # a gap: the worse child moves up while it is worse than the pair
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and is_worse(
            values[child + 1], keys[child + 1], values[child], keys[child]
        ):
            child += 1
        if not is_worse(values[child], keys[child], value, key):
            break
        values[place], keys[place] = values[child], keys[child]
        place = child
    values[place], keys[place] = value, key

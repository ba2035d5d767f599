"""The best of all pairs of discrete features by their exact pair score.

Values become bits (`pair_bits`), tables are counted by AND and a count of ones for 64 pairs side
by side, and scored by `pair_lanes`. Where nothing is missing, margins are known and only the cells
of all levels but the last are counted.
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
    """The best pairs whose first feature is one of a block, the second any behind it.

    Parameters
    ----------
    features : Features
    planes : Planes
    block : int
        Of `features.blocks`; all of them together are all pairs.
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
    left = block * LANE_PAIRS
    members = min(LANE_PAIRS, p - left)
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
    values, keys, size = np.empty(room), np.empty(room, dtype=np.int64), 0
    for b in range(block, n_blocks):
        width, across = min(LANE_PAIRS, p - b * LANE_PAIRS), first[b + 1] - first[b]
        full = complete[b * LANE_PAIRS : b * LANE_PAIRS + width].all()
        for i in range(members):
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
                one, other = columns[f], columns[b * LANE_PAIRS + j]
                key = min(one, other) * base + max(one, other)
                if size < room:
                    size += 1
                    push_up(values, keys, size - 1, found[by, j], key)
                elif found[by, j] > values[0] or key < keys[0]:
                    push_down(values, keys, size, found[by, j], key)
    return values[:size].copy(), keys[:size].copy()


@jit
def copy_planes(words, first, levels, block, members, rows):
    """The planes of each feature of a block by itself (members, rows, W), the last the known."""
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
    """Samples of each class and cell; in place of the last level all known values stand.

    With `known` margins the last row and column are left out. Four words at a time, since each
    sum is read from memory and written back.
    """
    rows, columns = (rows - 1, columns - 1) if known else (rows, columns)
    for c in range(len(starts) - 1):
        for u in range(rows):
            for v in range(columns):
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
                while w < starts[c + 1]:
                    x0 = own[i, u, w]
                    for j in range(LANE_PAIRS):
                        cells[c, u, v, j] += np.int32(count_ones(x0 & words[z, w, j]))
                    w += 1


@jit
def fill_margins(counts, first, block, i, b, rows, cells):
    """The last row and column where both features are complete: how often each level occurs."""
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
    """The last level of both features: what is known less the other levels."""
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
    return value < other or (value == other and key > other_key)


@jit
def push_up(values, keys, place, value, key):
    """Add a pair to a heap whose root is the worst kept, at `place` behind the others."""
    while place > 0:
        parent = (place - 1) // 2
        if not is_worse(value, key, values[parent], keys[parent]):
            break
        values[place], keys[place] = values[parent], keys[parent]
        place = parent
    values[place], keys[place] = value, key


@jit
def push_down(values, keys, size, value, key):
    """Put a pair in the place of the worst kept."""
    place = 0
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

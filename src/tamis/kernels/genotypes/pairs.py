"""The best of all pairs of variants by their exact pair score, between two classes.

`pair_scan` does this for any number of levels and classes. Here there are three levels and two
classes: tables are counted in registers (`pair_counts`), scores bounded in float32, and a pair is
scored exactly only if its bound can be among the best.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from ..pair_lanes import INTERACTION_ROW, LANE_PAIRS, SCORE_ROW, score_lanes
from ..pair_scan import push_down, push_up
from .pair_counts import (
    BLOCK_VARIANTS,
    COUNTED_VARIANTS,
    N_GENOTYPES,
    N_PLANES,
    TABLE_WIDTH,
    count_group,
)
from .pair_missing import count_mine, count_theirs
from .pair_planes import PairPlanes

# above the rounding of a sum of some sixty float32, none of which exceeds 2: about 1e-5
SUM_SLACK = np.float32(1e-4)


def scan_pairs(
    planes: PairPlanes, block: int, by_interaction: bool, keep: int, floor: float
) -> tuple[np.ndarray, np.ndarray]:
    """The best pairs whose first variant is in a block, and the second any later one.

    Parameters
    ----------
    planes : PairPlanes
    block : int
        One of `planes.blocks`, which together hold all pairs.
    by_interaction : bool
        Order by interaction, otherwise by score.
    keep : int
    floor : float
        Pairs of a lower value are left out.

    Returns
    -------
    values : (k,) float64
        What the pairs are ordered by, at most `keep` of them and in no order. Pairs that are not
        called in both classes are left out.
    pairs : (k, 2) int64
        Variants, the lower first. Of equal values those of lower variants are kept.
    """
    calls = planes.calls
    values, keys = _scan_block(
        planes.words,
        planes.counts,
        planes.starts,
        calls.rows,
        calls.missing,
        planes.edges,
        calls.p,
        block,
        by_interaction,
        keep,
        floor,
    )
    return values, np.column_stack(np.divmod(keys, calls.p))


@jit
def _scan_block(words, counts, starts, rows, missing, edges, p, block, by_interaction, keep, floor):
    # variants are numbered through; `left` is the first of the block, `other` the first of 16 later
    # ones, and lane j of a table belongs to `other` + j
    left = block * LANE_PAIRS
    members = min(LANE_PAIRS, p - left)
    # what margins lose by missing calls of the partner: counts by class of no copy, one, called;
    # mine_lost[i, ..., j] of variant left + i, theirs_lost[q, i, ..., j] of lane j of the 16 at
    # place q of their 64; both stay 0 where no call is missing
    mine_lost = np.zeros((LANE_PAIRS, 2, N_GENOTYPES, TABLE_WIDTH), dtype=np.int32)
    theirs_lost = np.zeros(
        (LANE_PAIRS // TABLE_WIDTH, LANE_PAIRS, 2, N_GENOTYPES, TABLE_WIDTH), dtype=np.int32
    )
    work = np.empty_like(mine_lost).reshape(-1)
    flat, mine_flat, theirs_flat = rows.reshape(-1), mine_lost.reshape(-1), theirs_lost.reshape(-1)
    # intrinsics take flat arrays; this is the length of a block of 64 variants in `rows`
    size_of = rows.shape[1] * N_GENOTYPES
    flat_words = words.reshape(-1)
    cells = np.zeros((COUNTED_VARIANTS, 2, N_PLANES, N_PLANES, TABLE_WIDTH), dtype=np.int32)
    flat_cells, about = (
        cells.reshape(-1),
        np.empty((COUNTED_VARIANTS, TABLE_WIDTH), dtype=np.float32),
    )
    # tables waiting to be scored exactly, 64 at a time; their pairs are in `buffer_keys`
    buffer, waiting = np.zeros((2, N_GENOTYPES, N_GENOTYPES, LANE_PAIRS), dtype=np.int32), 0
    buffer_keys = np.empty(LANE_PAIRS, dtype=np.int64)
    gap, found = np.empty((N_GENOTYPES, N_GENOTYPES, LANE_PAIRS)), np.empty((5, LANE_PAIRS))
    sums = np.empty((2 * N_GENOTYPES + 1, LANE_PAIRS))
    by = INTERACTION_ROW if by_interaction else SCORE_ROW
    alone = np.float32(1.0) if by_interaction else np.float32(0.0)
    room = min(keep, members * (p - left))
    # a heap whose root is the worst pair kept; keys are first variant times p plus the second
    values, keys, size = np.empty(room), np.empty(room, dtype=np.int64), 0
    for other in range(left, p, TABLE_WIDTH):  # their planes stay in the innermost cache
        width = min(TABLE_WIDTH, p - other)
        if len(missing):
            if other % LANE_PAIRS == 0:  # serves the four groups of 16 of these 64
                begin = other // LANE_PAIRS * size_of
                count_theirs(flat, begin, missing, edges, left, LANE_PAIRS, theirs_flat)
            count_mine(flat, block * size_of, missing, edges, other, work, mine_flat)
        # only first variants that have a later one among the 16
        for i in range(0, min(members, other + width - 1 - left), COUNTED_VARIANTS):
            for side in range(0, width, BLOCK_VARIANTS):
                count_group(
                    flat_words, left + i, (other + side) // BLOCK_VARIANTS, starts, flat_cells, side
                )
            _bound_scores(cells, counts, left + i, other, mine_lost, theirs_lost, alone, about)
            for a in range(min(COUNTED_VARIANTS, members - i)):
                mine = left + i + a
                # what a pair must reach; equal values may still enter, by their keys
                least = max(floor, values[0]) if size == room else floor
                if not _any_reaches(about, a, least):
                    continue
                # lanes of later variants alone
                for j in range(max(0, mine + 1 - other), width):
                    if about[a, j] < least:
                        continue
                    _take_table(
                        cells, a, counts, mine, other, mine_lost, theirs_lost, j, buffer, waiting
                    )
                    buffer_keys[waiting] = mine * p + other + j
                    waiting += 1
                    if waiting == LANE_PAIRS:
                        score_lanes(buffer, N_GENOTYPES, N_GENOTYPES, gap, sums, found)
                        size = _keep_best_pairs(
                            found, by, buffer_keys, waiting, floor, values, keys, size
                        )
                        waiting = 0
    if waiting:
        score_lanes(buffer, N_GENOTYPES, N_GENOTYPES, gap, sums, found)
        size = _keep_best_pairs(found, by, buffer_keys, waiting, floor, values, keys, size)
    return values[:size].copy(), keys[:size].copy()


@jit
def _bound_scores(cells, counts, first, other, mine_lost, theirs_lost, alone, about):
    """Upper bounds of score less `alone` times both single scores, of 4 times 16 pairs (`about`).

    The formula of `grid_transport` for three levels, in float32. The differences of shares g at the
    last level follow from the other cells, the margins of both variants, and their sum, zero.
    """
    none, two, one = np.float32(0.0), np.float32(2.0), np.int32(1)
    # places of both sides in `counts` (groups of 16, lanes) and in the corrections (lanes of 64)
    t, q = other // TABLE_WIDTH, other % LANE_PAIRS // TABLE_WIDTH
    for a in range(COUNTED_VARIANTS):
        i, m, k = (first + a) % LANE_PAIRS, (first + a) // TABLE_WIDTH, (first + a) % TABLE_WIDTH
        own00, own01, own02 = counts[m, 0, 0, k], counts[m, 0, 1, k], counts[m, 0, 2, k]
        own10, own11, own12 = counts[m, 1, 0, k], counts[m, 1, 1, k], counts[m, 1, 2, k]
        # back to int32 each time: numba makes sums of two int32 int64, which is wider and slower
        for j in range(TABLE_WIDTH):
            # samples of each class called in both; 1 instead of none, whose cells are all 0
            n0 = np.int32(max(np.int32(own02 - mine_lost[i, 0, 2, j]), one))
            n1 = np.int32(max(np.int32(own12 - mine_lost[i, 1, 2, j]), one))
            k0, k1 = np.float32(1.0) / np.float32(n0), np.float32(1.0) / np.float32(n1)
            g00 = np.float32(cells[a, 0, 0, 0, j]) * k0 - np.float32(cells[a, 1, 0, 0, j]) * k1
            g01 = np.float32(cells[a, 0, 0, 1, j]) * k0 - np.float32(cells[a, 1, 0, 1, j]) * k1
            g10 = np.float32(cells[a, 0, 1, 0, j]) * k0 - np.float32(cells[a, 1, 1, 0, j]) * k1
            g11 = np.float32(cells[a, 0, 1, 1, j]) * k0 - np.float32(cells[a, 1, 1, 1, j]) * k1
            # margins: differences of the shares of levels 0 and 1 of either variant
            row0 = np.float32(np.int32(own00 - mine_lost[i, 0, 0, j])) * k0
            row0 -= np.float32(np.int32(own10 - mine_lost[i, 1, 0, j])) * k1
            row1 = np.float32(np.int32(own01 - mine_lost[i, 0, 1, j])) * k0
            row1 -= np.float32(np.int32(own11 - mine_lost[i, 1, 1, j])) * k1
            column0 = np.float32(np.int32(counts[t, 0, 0, j] - theirs_lost[q, i, 0, 0, j])) * k0
            column0 -= np.float32(np.int32(counts[t, 1, 0, j] - theirs_lost[q, i, 1, 0, j])) * k1
            column1 = np.float32(np.int32(counts[t, 0, 1, j] - theirs_lost[q, i, 0, 1, j])) * k0
            column1 -= np.float32(np.int32(counts[t, 1, 1, j] - theirs_lost[q, i, 1, 1, j])) * k1
            g02, g12 = row0 - g00 - g01, row1 - g10 - g11
            g20, g21 = column0 - g00 - g10, column1 - g01 - g11
            row2, column2 = -(row0 + row1), -(column0 + column1)
            g22 = row2 - g20 - g21
            # sums over columns of max(d+ in R, d- outside R), R the rows named
            both, s0, s1, s2, s01, s02, s12 = none, none, none, none, none, none, none
            for x, y, z in ((g00, g10, g20), (g01, g11, g21), (g02, g12, g22)):
                more_x, more_y, more_z = max(x, none), max(y, none), max(z, none)
                less_x, less_y, less_z = more_x - x, more_y - y, more_z - z
                both += abs(x) + abs(y) + abs(z)
                s0 += max(more_x, less_y + less_z)
                s1 += max(more_y, less_x + less_z)
                s2 += max(more_z, less_x + less_y)
                s01 += max(more_x + more_y, less_z)
                s02 += max(more_x + more_z, less_y)
                s12 += max(more_y + more_z, less_x)
            # 2 W1 = max(2 TV, 2 max over R); the two single scores are the margins' 2 TV
            most = max(max(max(s0, s1), max(s2, s01)), max(s02, s12))
            single = abs(row0) + abs(row1) + abs(row2) + abs(column0) + abs(column1) + abs(column2)
            about[a, j] = max(both, two * most) - alone * single + SUM_SLACK


@jit
def _any_reaches(about, a, least):
    """Whether one of the 16 bounds reaches `least`; a sum without a branch is vector code."""
    found, limit = 0, np.float32(least)
    for j in range(TABLE_WIDTH):
        found += about[a, j] >= limit
    return found > 0


@jit
def _take_table(cells, a, counts, mine, other, mine_lost, theirs_lost, j, buffer, place):
    """Write the 2 x 3 x 3 table of variant `mine` and lane j at `place` of those to be scored."""
    i, q = mine % LANE_PAIRS, other % LANE_PAIRS // TABLE_WIDTH
    for c in range(2):
        for v in range(N_PLANES):
            buffer[c, 2, v, place] = (
                counts[other // TABLE_WIDTH, c, v, j] - theirs_lost[q, i, c, v, j]
            )
        # buffer[c, 2, v] is the margin of the other variant, and becomes its cell in the last row
        own = counts[mine // TABLE_WIDTH, c, :, mine % TABLE_WIDTH]
        buffer[c, 2, 2, place] = own[2] - mine_lost[i, c, 2, j]
        for u in range(N_PLANES):
            # margin of level u; what its cells leave is the cell of the last column
            rest = own[u] - mine_lost[i, c, u, j]
            buffer[c, 2, 2, place] -= rest
            for v in range(N_PLANES):
                cell = cells[a, c, u, v, j]
                buffer[c, u, v, place] = cell
                buffer[c, 2, v, place] -= cell
                rest -= cell
            buffer[c, u, 2, place] = rest
        # so far called in both less rows 0 and 1: the margin of the last row
        for v in range(N_PLANES):
            buffer[c, 2, 2, place] -= buffer[c, 2, v, place]


@jit
def _keep_best_pairs(found, by, candidates, n, floor, values, keys, size):
    """Enter the n scored pairs among the best; returns how many are kept then."""
    for j in range(n):
        value, key = found[by, j], candidates[j]
        if found[SCORE_ROW, j] < 0.0 or value < floor:  # -1: a class has no sample called in both
            continue
        if size < len(values):
            size += 1
            push_up(values, keys, size - 1, value, key)
        # full: the worst goes; of equal values those of lower variants stay
        elif value > values[0] or (value == values[0] and key < keys[0]):
            push_down(values, keys, size, value, key)
    return size

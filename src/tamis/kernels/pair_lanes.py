"""Scores of 64 pairs of discrete features at once, from their tables side by side.

`grid_transport` is the plain form, with the theory. Here the pairs stand in the last axis of every
array, so that the inner loops become vector code. Gaps are whole numbers in float64, exact as long
as n^2 < 2^53.
"""

from __future__ import annotations

from ._jit import jit

LANE_PAIRS = 64  # pairs side by side
SCORE_ROW, INTERACTION_ROW, UNIT_ROW, SINGLES_ROW, TRANSPORT_ROW = range(5)  # rows of `found`
MAX_UNROLLED_ROWS = 3  # rows up to which all row sets are written out


@jit
def score_lanes(cells, rows, columns, gap, sums, found):
    """Score and interaction of 64 pairs.

    Parameters
    ----------
    cells : (C, >= rows, >= columns, 64) int32
        Samples of each class and cell.
    rows, columns : int
        Few rows: the time is 2^rows * columns.
    gap : (>= max(rows, 3), >= columns, 64) float64
        Work array, as is `sums` (>= max(6, 2 columns + 1), 64).
    found : (5, 64) float64
        SCORE_ROW and INTERACTION_ROW are the result: of the pair of classes with the largest score,
        the first of equals; -1 where fewer than two classes have samples.
    """
    for j in range(LANE_PAIRS):
        found[SCORE_ROW, j], found[INTERACTION_ROW, j] = -1.0, -1.0
    for a in range(len(cells)):
        for b in range(a + 1, len(cells)):
            fill_gap(cells, a, b, rows, columns, gap, sums, found)
            add_singles(gap, rows, columns, sums, found)
            if rows <= MAX_UNROLLED_ROWS:
                transport_few(gap, columns, sums, found)
            else:
                transport_gray(gap, rows, columns, sums, found)
            for j in range(LANE_PAIRS):
                # 2 W1, and 2 (W1 - TV_x - TV_y)
                score = found[TRANSPORT_ROW, j] / found[UNIT_ROW, j]
                if score > found[SCORE_ROW, j]:  # not where a class is empty: 0 / 0
                    alone = (found[TRANSPORT_ROW, j] - found[SINGLES_ROW, j]) / found[UNIT_ROW, j]
                    found[SCORE_ROW, j], found[INTERACTION_ROW, j] = score, alone


@jit
def fill_gap(cells, a, b, rows, columns, gap, sums, found):
    """``p_a - p_b`` times the common denominator `UNIT_ROW`; rows up to the third are 0."""
    for j in range(LANE_PAIRS):
        sums[0, j], sums[1, j] = 0.0, 0.0
    for u in range(rows):
        for v in range(columns):
            for j in range(LANE_PAIRS):
                sums[0, j] += cells[a, u, v, j]
                sums[1, j] += cells[b, u, v, j]
    for u in range(rows):
        for v in range(columns):
            for j in range(LANE_PAIRS):
                # c_a n_b - c_b n_a, a whole number
                gap[u, v, j] = cells[a, u, v, j] * sums[1, j] - cells[b, u, v, j] * sums[0, j]
    for u in range(rows, MAX_UNROLLED_ROWS):  # `transport_few` always reads three rows
        for v in range(columns):
            for j in range(LANE_PAIRS):
                gap[u, v, j] = 0.0
    for j in range(LANE_PAIRS):
        found[UNIT_ROW, j] = sums[0, j] * sums[1, j]


@jit
def add_singles(gap, rows, columns, sums, found):
    """2 (TV_x + TV_y): magnitudes of the row sums and of the column sums of the gap, added up."""
    for j in range(LANE_PAIRS):
        found[SINGLES_ROW, j] = 0.0
    for u in range(rows):
        for j in range(LANE_PAIRS):
            sums[0, j] = 0.0
        for v in range(columns):
            for j in range(LANE_PAIRS):
                sums[0, j] += gap[u, v, j]
        for j in range(LANE_PAIRS):
            found[SINGLES_ROW, j] += abs(sums[0, j])
    for v in range(columns):
        for j in range(LANE_PAIRS):
            sums[0, j] = 0.0
        for u in range(rows):
            for j in range(LANE_PAIRS):
                sums[0, j] += gap[u, v, j]
        for j in range(LANE_PAIRS):
            found[SINGLES_ROW, j] += abs(sums[0, j])


@jit
def transport_few(gap, columns, sums, found):
    """Twice W1 of grids of three rows: the six row sets that are neither empty nor full."""
    for j in range(LANE_PAIRS):
        found[TRANSPORT_ROW, j] = 0.0
        for k in range(6):
            sums[k, j] = 0.0
    for v in range(columns):
        for j in range(LANE_PAIRS):
            a, b, c = gap[0, v, j], gap[1, v, j], gap[2, v, j]
            # d+ and d- of each row; d- = d+ - d
            more_a, more_b, more_c = max(a, 0.0), max(b, 0.0), max(c, 0.0)
            less_a, less_b, less_c = more_a - a, more_b - b, more_c - c
            # 2 TV, which the empty and the full set give as well
            found[TRANSPORT_ROW, j] += more_a + less_a + more_b + less_b + more_c + less_c
            # a column gives the larger of its d+ in the set and its d- outside
            sums[0, j] += max(more_a, less_b + less_c)
            sums[1, j] += max(more_b, less_a + less_c)
            sums[2, j] += max(more_c, less_a + less_b)
            sums[3, j] += max(more_a + more_b, less_c)
            sums[4, j] += max(more_a + more_c, less_b)
            sums[5, j] += max(more_b + more_c, less_a)
    for k in range(6):
        for j in range(LANE_PAIRS):
            found[TRANSPORT_ROW, j] = max(found[TRANSPORT_ROW, j], 2.0 * sums[k, j])


@jit
def transport_gray(gap, rows, columns, sums, found):
    """Twice W1 by all row sets in Gray-code order, as `grid_transport`."""
    # rows of `sums`: d+ over the rows of the set by column, d- over the other rows, their total
    total = 2 * columns
    for k in range(total):
        for j in range(LANE_PAIRS):
            sums[k, j] = 0.0
    for j in range(LANE_PAIRS):
        found[TRANSPORT_ROW, j] = 0.0
    for u in range(rows):
        for v in range(columns):
            for j in range(LANE_PAIRS):
                sums[columns + v, j] += max(-gap[u, v, j], 0.0)
                found[TRANSPORT_ROW, j] += abs(gap[u, v, j])
    chosen = 0  # bits of the rows in the set, which is empty: `sums` has all of d-, and d+ is 0
    for step in range(1, 1 << rows):
        row, bits = 0, step
        while bits & 1 == 0:  # the Gray code flips the lowest set bit of the counter
            bits >>= 1
            row += 1
        chosen ^= 1 << row
        # the row comes in, or goes out
        sign = 1.0 if chosen >> row & 1 else -1.0
        for j in range(LANE_PAIRS):
            sums[total, j] = 0.0
        for v in range(columns):
            for j in range(LANE_PAIRS):
                inside = sums[v, j] + sign * max(gap[row, v, j], 0.0)
                outside = sums[columns + v, j] - sign * max(-gap[row, v, j], 0.0)
                sums[v, j], sums[columns + v, j] = inside, outside
                sums[total, j] += max(inside, outside)
        for j in range(LANE_PAIRS):
            found[TRANSPORT_ROW, j] = max(found[TRANSPORT_ROW, j], 2.0 * sums[total, j])

"""The best of all pairs of variants by their exact pair score, between two classes.

`pair_scan` does so for features of any levels and any classes. Here there are three levels and two
classes: tables are counted in registers (`pair_counts`), and a pair is scored exactly only if an
upper bound lets it be among the best. As W1 <= 2 TV, the score is at most 4 TV, and the interaction
at most that less the scores of both variants alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._bits import WORD, count_ones, words_for
from .._jit import jit
from ..pair_lanes import INTERACTION, LANES, SCORE, score_lanes
from ..pair_scan import push_down, push_up
from .pair_counts import FOUR, PLANES, SIDE, TWO, WIDTH, count_group

LEVELS = 3
SLACK = np.float32(1e-4)  # bounds are sums of some twenty float32, of which none exceeds 1


class PairPlanes(NamedTuple):
    """Calls as bits, those of one class behind those of the other, eight variants side by side.

    Attributes
    ----------
    words : (groups, W, 3, 8) uint64
        No copy of allele 1, one, and called; as many groups as make up blocks of 64.
    counts : (2, 3, 64 blocks) int32
        Ones of each by class.
    starts : (3,) int64
        Where the words of each class begin, and the end.
    columns : (p,) int64
        Which variant each is: those without gaps come first.
    complete : (p,) bool
    """

    words: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    columns: np.ndarray
    complete: np.ndarray

    @property
    def blocks(self) -> int:
        """Of 64 variants."""
        return len(self.words) * SIDE // LANES

    def pairs_of(self, block: int) -> int:
        """Pairs whose first variant is in a block and whose second is behind it."""
        behind = len(self.columns) - LANES * block
        members = min(LANES, behind)
        return members * behind - members * (members + 1) // 2


def pair_planes(copies: np.ndarray, y: np.ndarray) -> PairPlanes:
    """Bits of variants.

    Parameters
    ----------
    copies : (p, n) int8
        Of allele 1, 0 to 2; -1 where there is no call.
    y : (n,) int64
        Class 0 or 1.
    """
    p = len(copies)
    complete = np.all(copies >= 0, axis=1)
    columns = np.argsort(~complete, kind="stable")
    sizes = np.bincount(y, minlength=2)
    starts = np.concatenate([[0], np.cumsum([words_for(int(size)) for size in sizes])])
    rows = np.concatenate([np.flatnonzero(y == c) for c in range(2)])
    groups = -(-p // LANES) * LANES // SIDE
    words = np.zeros((groups, starts[-1], PLANES, SIDE), dtype=np.uint64)
    counts = np.zeros((2, PLANES, groups * SIDE), dtype=np.int32)
    _fill_planes(copies, columns, rows, sizes, starts, words, counts)
    return PairPlanes(words, counts, starts, columns, complete[columns])


@jit
def _fill_planes(copies, columns, rows, sizes, starts, words, counts):
    for f in range(len(columns)):
        group, side, first = f // SIDE, f % SIDE, 0
        own = copies[columns[f]]
        for c in range(2):
            for w in range(starts[c], starts[c + 1]):
                before = (w - starts[c]) * WORD
                there, at = min(WORD, sizes[c] - before), first + before
                none, one, called = np.uint64(0), np.uint64(0), np.uint64(0)
                for k in range(there):
                    value, shift = own[rows[at + k]], np.uint64(k)
                    none |= np.uint64(value == 0) << shift
                    one |= np.uint64(value == 1) << shift
                    called |= np.uint64(value >= 0) << shift
                words[group, w, 0, side], words[group, w, 1, side] = none, one
                words[group, w, 2, side] = called
                counts[c, 0, f] += np.int32(count_ones(none))
                counts[c, 1, f] += np.int32(count_ones(one))
                counts[c, 2, f] += np.int32(count_ones(called))
            first += sizes[c]


def scan_pairs(
    planes: PairPlanes, block: int, by_interaction: bool, keep: int, floor: float
) -> tuple[np.ndarray, np.ndarray]:
    """The best pairs whose first variant is one of a block, the second any behind it.

    Parameters
    ----------
    planes : PairPlanes
    block : int
        Of `planes.blocks`; all of them together are all pairs.
    by_interaction : bool
        Order by interaction, otherwise by score.
    keep : int
    floor : float
        Pairs below it are not asked for.

    Returns
    -------
    values : (k,) float64
        What the pairs are ordered by, at most `keep` of them and in no order. Pairs that are not
        called in both classes are left out.
    pairs : (k, 2) int64
        Variants, the lower first. Of equal values those of lower variants are kept.
    """
    base = len(planes.columns)
    values, keys = _scan_block(
        planes.words, planes.counts, planes.starts, planes.columns, planes.complete, block,
        by_interaction, keep, floor, base,
    )  # fmt: skip
    return values, np.column_stack(np.divmod(keys, base))


@jit
def _scan_block(words, counts, starts, columns, complete, block, by_interaction, keep, floor, base):
    p, left = len(columns), block * LANES
    members = min(LANES, p - left)
    own = _copy_block(words, block)
    cells = np.zeros((FOUR, 2, LEVELS, LEVELS, WIDTH), dtype=np.int32)
    bounds = np.empty(WIDTH, dtype=np.float32)
    buffer, waiting = np.zeros((2, LEVELS, LEVELS, LANES), dtype=np.int32), 0
    buffer_keys = np.empty(LANES, dtype=np.int64)
    gap, found = np.empty((LEVELS, LEVELS, LANES)), np.empty((5, LANES))
    sums = np.empty((2 * LEVELS + 1, LANES))
    by = INTERACTION if by_interaction else SCORE
    half = np.float32(0.5) if by_interaction else np.float32(0.0)
    room = min(keep, members * (p - left))
    values, keys, size = np.empty(room), np.empty(room, dtype=np.int64), 0
    full = complete[left : left + members].all()
    for other in range(left, p, WIDTH):  # whose planes stay in the nearest cache
        width = min(WIDTH, p - other)
        known = full and complete[other : other + width].all()
        step = FOUR if known else TWO
        for i in range(0, min(members, other + width - 1 - left), step):
            for side in range(0, width, SIDE):
                count_group(own, i, words, (other + side) // SIDE, starts, known, cells, side)
            for a in range(min(step, members - i)):
                mine = left + i + a
                if known:
                    _fill_margins(counts, mine, other, cells[a])
                _bound(cells[a], half, bounds)
                least = max(floor, values[0]) if size == room else floor
                for j in range(max(0, mine + 1 - other), width):
                    if bounds[j] < least:
                        continue
                    _take(cells[a], j, buffer, waiting)
                    one, two = columns[mine], columns[other + j]
                    buffer_keys[waiting] = min(one, two) * base + max(one, two)
                    waiting += 1
                    if waiting == LANES:
                        score_lanes(buffer, LEVELS, LEVELS, gap, sums, found)
                        size = _keep(found, by, buffer_keys, waiting, floor, values, keys, size)
                        waiting = 0
    if waiting:
        score_lanes(buffer, LEVELS, LEVELS, gap, sums, found)
        size = _keep(found, by, buffer_keys, waiting, floor, values, keys, size)
    return values[:size].copy(), keys[:size].copy()


@jit
def _copy_block(words, block):
    """The planes of each variant of a block by itself (64, W, 3)."""
    own = np.empty((LANES, words.shape[1], PLANES), dtype=np.uint64)
    for i in range(LANES):
        group, side = (block * LANES + i) // SIDE, i % SIDE
        for w in range(words.shape[1]):
            for u in range(PLANES):
                own[i, w, u] = words[group, w, u, side]
    return own


@jit
def _fill_margins(counts, mine, first, cells):
    """The last row and column where nothing is missing: how often each level occurs."""
    last = LEVELS - 1
    for c in range(2):
        for u in range(LEVELS):
            for j in range(WIDTH):
                cells[c, u, last, j] = counts[c, u, mine]
        for v in range(last):
            for j in range(WIDTH):
                cells[c, last, v, j] = counts[c, v, first + j]


@jit
def _bound(cells, half, bounds):
    """What the score or interaction of each of 16 pairs does not exceed.

    `half` is 0.5 for the interaction and 0 for the score. Of the differences of shares those of the
    last level follow from the others and from those among all called, which stand in its place.
    """
    two = np.float32(2.0)
    for j in range(WIDTH):
        k0 = np.float32(1.0) / np.float32(max(cells[0, 2, 2, j], 1))
        k1 = np.float32(1.0) / np.float32(max(cells[1, 2, 2, j], 1))
        g00 = np.float32(cells[0, 0, 0, j]) * k0 - np.float32(cells[1, 0, 0, j]) * k1
        g01 = np.float32(cells[0, 0, 1, j]) * k0 - np.float32(cells[1, 0, 1, j]) * k1
        g10 = np.float32(cells[0, 1, 0, j]) * k0 - np.float32(cells[1, 1, 0, j]) * k1
        g11 = np.float32(cells[0, 1, 1, j]) * k0 - np.float32(cells[1, 1, 1, j]) * k1
        row0 = np.float32(cells[0, 0, 2, j]) * k0 - np.float32(cells[1, 0, 2, j]) * k1
        row1 = np.float32(cells[0, 1, 2, j]) * k0 - np.float32(cells[1, 1, 2, j]) * k1
        column0 = np.float32(cells[0, 2, 0, j]) * k0 - np.float32(cells[1, 2, 0, j]) * k1
        column1 = np.float32(cells[0, 2, 1, j]) * k0 - np.float32(cells[1, 2, 1, j]) * k1
        g02, g12, g20, g21 = (
            row0 - g00 - g01,
            row1 - g10 - g11,
            column0 - g00 - g10,
            column1 - g01 - g11,
        )
        row2, column2 = -(row0 + row1), -(column0 + column1)
        g22 = row2 - g20 - g21
        both = abs(g00) + abs(g01) + abs(g02) + abs(g10) + abs(g11) + abs(g12)
        both += abs(g20) + abs(g21) + abs(g22)
        alone = abs(row0) + abs(row1) + abs(row2) + abs(column0) + abs(column1) + abs(column2)
        bounds[j] = two * (both - half * alone) + SLACK


@jit
def _take(cells, j, buffer, place):
    """The whole table of one of 16 pairs to one of those that wait to be scored."""
    for c in range(2):
        for u in range(2):
            for v in range(2):
                buffer[c, u, v, place] = cells[c, u, v, j]
            buffer[c, u, 2, place] = cells[c, u, 2, j] - cells[c, u, 0, j] - cells[c, u, 1, j]
        for v in range(2):
            buffer[c, 2, v, place] = cells[c, 2, v, j] - cells[c, 0, v, j] - cells[c, 1, v, j]
        lower = buffer[c, 2, 0, place] + buffer[c, 2, 1, place]
        upper = cells[c, 0, 2, j] + cells[c, 1, 2, j]
        buffer[c, 2, 2, place] = cells[c, 2, 2, j] - upper - lower


@jit
def _keep(found, by, candidates, n, floor, values, keys, size):
    """Put scored pairs among the best; how many these are then."""
    for j in range(n):
        value, key = found[by, j], candidates[j]
        if found[SCORE, j] < 0.0 or value < floor:
            continue
        if size < len(values):
            size += 1
            push_up(values, keys, size - 1, value, key)
        elif value > values[0] or (value == values[0] and key < keys[0]):
            push_down(values, keys, size, value, key)
    return size

"""Calls of variants as bits, by sample and by variant, for counting pairs.

By sample a word holds 64 variants, which is how the few missing calls of a variant are looked up in
64 others at once. By variant a word holds 64 samples of one class; each run of permuted classes makes
these anew from those.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._bits import WORD, count_ones, lowest_one, transpose_block, words_for
from .._jit import jit
from .pair_counts import LEVELS, PLANES, SIDE, WIDTH
from .words import load_word

EIGHT = np.uint64(0x0101010101010101)  # the lowest bit of eight bytes
GATHER = np.uint64(0x0102040810204080)  # times eight such bits, these side by side in the top byte


class Calls(NamedTuple):
    """Calls of all samples.

    Attributes
    ----------
    rows : (blocks, n, 3) uint64
        By sample, 64 variants a word: no copy of allele 1, one, and called.
    missing : (m,) int64
        Samples without a call, variant after variant.
    limits : (64 blocks + 1,) int64
        Where those of each variant begin, and the end.
    p : int
        Variants.
    """

    rows: np.ndarray
    missing: np.ndarray
    limits: np.ndarray
    p: int


class PairPlanes(NamedTuple):
    """Calls by variant, those of one class behind those of the other, eight variants side by side.

    Attributes
    ----------
    calls : Calls
        Of which `missing` has the samples of class 0 before those of class 1, variant by variant.
    words : (8 blocks, W, 2, 8) uint64
        No copy of allele 1, and one.
    counts : (4 blocks, 2, 3, 16) int32
        Of 16 variants: ones by class of these, and called.
    starts : (3,) int64
        Where the words of each class begin, and the end.
    edges : (3, 64 blocks) int64
        Where in `missing` the samples of each class begin, and the end.
    """

    calls: Calls
    words: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    edges: np.ndarray

    @property
    def blocks(self) -> int:
        """Of 64 variants."""
        return len(self.calls.rows)

    def pairs_of(self, block: int) -> int:
        """Pairs whose first variant is in a block and whose second is behind it."""
        behind = self.calls.p - WORD * block
        members = min(WORD, behind)
        return members * behind - members * (members + 1) // 2


def turn_calls(copies: np.ndarray) -> Calls:
    """Calls by sample.

    Parameters
    ----------
    copies : (p, n) int8
        Of allele 1, 0 to 2; -1 where there is no call.
    """
    p, n = copies.shape
    blocks = words_for(p)
    rows = np.empty((blocks, n, LEVELS), dtype=np.uint64)
    lost = np.zeros((blocks * WORD, words_for(n)), dtype=np.uint64)
    limits = np.zeros(blocks * WORD + 1, dtype=np.int64)
    _turn(np.ascontiguousarray(copies).view(np.uint8).reshape(-1), p, n, rows, lost, limits)
    missing = np.empty(limits[-1], dtype=np.int64)
    _list_ones(lost, missing)
    return Calls(rows, missing, limits, p)


def pair_planes(calls: Calls, y: np.ndarray) -> PairPlanes:
    """Calls by variant and class.

    Parameters
    ----------
    calls : Calls
    y : (n,) int64
        Class 0 or 1.
    """
    order = np.argsort(y, kind="stable")
    sizes = np.bincount(y, minlength=2)
    starts = np.concatenate([[0], np.cumsum([words_for(int(size)) for size in sizes])])
    blocks = len(calls.rows)
    words = np.empty((blocks * WORD // SIDE, starts[-1], PLANES, SIDE), dtype=np.uint64)
    counts = np.zeros((blocks * WORD // WIDTH, 2, LEVELS, WIDTH), dtype=np.int32)
    _sort_rows(calls.rows, order, sizes, starts, words, counts)
    missing = np.empty_like(calls.missing)
    edges = np.empty((3, blocks * WORD), dtype=np.int64)
    _sort_missing(calls.missing, calls.limits, y, missing, edges)
    called = sizes[:, None] - np.diff(edges, axis=0)
    counts[:, :, 2] = called.reshape(2, -1, WIDTH).swapaxes(0, 1)
    return PairPlanes(calls._replace(missing=missing), words, counts, starts, edges)


@jit
def _turn(flat, p, n, rows, lost, limits):
    planes = np.zeros((LEVELS, WORD), dtype=np.uint64)
    for block in range(len(rows)):
        for w in range(lost.shape[1]):
            there = min(WORD, n - WORD * w)
            planes[:] = 0
            for i in range(min(WORD, p - block * WORD)):
                f = block * WORD + i
                lower, upper = _two_bits(flat, f * n + WORD * w, there)
                gone = lower & upper
                planes[0, i] = ~(lower | upper)
                planes[1, i] = lower & ~upper
                planes[2, i] = ~gone
                lost[f, w] = gone
                limits[f + 1] += count_ones(gone)
            for k in range(LEVELS):
                transpose_block(planes[k])
            for s in range(there):
                for k in range(LEVELS):
                    rows[block, WORD * w + s, k] = planes[k, s]
    for f in range(len(lost)):
        limits[f + 1] += limits[f]


@jit
def _two_bits(flat, at, there):
    """Both lowest bits of up to 64 bytes, as a word each; zero behind them."""
    lower, upper, whole = np.uint64(0), np.uint64(0), there // 8
    for k in range(whole):
        eight, shift = load_word(flat, at + 8 * k), np.uint64(8 * k)
        lower |= (((eight & EIGHT) * GATHER) >> np.uint64(56)) << shift
        upper |= ((((eight >> np.uint64(1)) & EIGHT) * GATHER) >> np.uint64(56)) << shift
    for k in range(8 * whole, there):
        one = np.uint64(flat[at + k])
        lower |= (one & np.uint64(1)) << np.uint64(k)
        upper |= ((one >> np.uint64(1)) & np.uint64(1)) << np.uint64(k)
    return lower, upper


@jit
def _list_ones(lost, missing):
    at = 0
    for f in range(len(lost)):
        for w in range(lost.shape[1]):
            word = lost[f, w]
            while word:
                missing[at] = WORD * w + lowest_one(word)
                word &= word - np.uint64(1)
                at += 1


@jit
def _sort_rows(rows, order, sizes, starts, words, counts):
    block = np.empty((PLANES, WORD), dtype=np.uint64)
    for b in range(len(rows)):
        first = 0
        for c in range(2):
            for w in range(starts[c], starts[c + 1]):
                before = (w - starts[c]) * WORD
                there = min(WORD, sizes[c] - before)
                for s in range(there):
                    for k in range(PLANES):
                        block[k, s] = rows[b, order[first + before + s], k]
                block[:, there:] = 0
                for k in range(PLANES):
                    transpose_block(block[k])
                    for i in range(WORD):
                        words[b * WORD // SIDE + i // SIDE, w, k, i % SIDE] = block[k, i]
                        f = b * WORD + i
                        counts[f // WIDTH, c, k, f % WIDTH] += np.int32(count_ones(block[k, i]))
            first += sizes[c]


@jit
def _sort_missing(given, limits, y, missing, edges):
    for f in range(edges.shape[1]):
        at = limits[f]
        for c in range(2):
            edges[c, f] = at
            for k in range(limits[f], limits[f + 1]):
                if y[given[k]] == c:
                    missing[at] = given[k]
                    at += 1
        edges[2, f] = at

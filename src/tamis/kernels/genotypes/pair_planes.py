"""Calls of variants as bits, by sample and by variant, for counting pairs.

By sample a word holds 64 variants: for each of the few missing calls of a variant, the calls of the
same sample at 64 other variants are looked up at once. By variant a word holds 64 samples of one
class: these words are made from those by sample, anew for each permutation of the classes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types

from .._bits import WORD_BITS, count_ones, lowest_one, one_instruction, transpose_block, words_for
from .._jit import jit
from .pair_counts import BLOCK_VARIANTS, N_GENOTYPES, N_PLANES, TABLE_WIDTH


class Calls(NamedTuple):
    """Calls of all samples.

    Attributes
    ----------
    rows : (blocks, n, 3) uint64
        By sample, 64 variants per word: no copy of allele 1, one copy, and called. Bits after the
        last variant are zero.
    missing : (m,) int32
        Samples without a call, variant after variant.
    limits : (64 blocks + 1,) int64
        Where the missing samples of each variant begin, then the end.
    p : int
        Number of variants.
    """

    rows: np.ndarray
    missing: np.ndarray
    limits: np.ndarray
    p: int


class PairPlanes(NamedTuple):
    """Calls by variant, class 0 before class 1, eight variants side by side.

    Attributes
    ----------
    calls : Calls
        With `missing` ordered by class within each variant, class 0 first.
    words : (8 blocks, W, 2, 8) uint64
        Planes "no copy of allele 1" and "one copy"; each class begins a new word.
    counts : (4 blocks, 2, 3, 16) int32
        For 16 variants side by side and each class: ones of both planes, and calls.
    starts : (3,) int64
        Where the words of each class begin, then the end.
    edges : (3, 64 blocks) int64
        Where in `missing` the samples of each class begin, then the end.
    """

    calls: Calls
    words: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    edges: np.ndarray

    @property
    def blocks(self) -> int:
        """Number of blocks of 64 variants."""
        return len(self.calls.rows)


def turn_calls(copies: np.ndarray) -> Calls:
    """Pack calls by sample.

    Parameters
    ----------
    copies : (p, n) int8
        Copies of allele 1, 0 to 2; -1 where there is no call.
    """
    p, n = copies.shape
    blocks = words_for(p)
    rows = np.empty((blocks, n, N_GENOTYPES), dtype=np.uint64)
    # bit s of word w of a row: sample 64 w + s has no call at the variant
    lost = np.zeros((blocks * WORD_BITS, words_for(n)), dtype=np.uint64)
    limits = np.zeros(blocks * WORD_BITS + 1, dtype=np.int64)
    # as uint8 the two lowest bits are 00, 01, 10 for 0, 1, 2 copies and 11 for no call (-1 = 0xFF)
    _turn_to_planes(
        np.ascontiguousarray(copies).view(np.uint8).reshape(-1), p, n, rows, lost, limits
    )
    missing = np.empty(limits[-1], dtype=np.int32)
    _list_ones(lost, missing)
    return Calls(rows, missing, limits, p)


def pair_planes(calls: Calls, y: np.ndarray) -> PairPlanes:
    """Pack calls by variant and class, from those by sample.

    Parameters
    ----------
    calls : Calls
    y : (n,) int64
        Class 0 or 1.
    """
    # samples of class 0, then those of class 1
    order = np.argsort(y, kind="stable")
    sizes = np.bincount(y, minlength=2)
    starts = np.concatenate([[0], np.cumsum([words_for(int(size)) for size in sizes])])
    blocks = len(calls.rows)
    words = np.empty(
        (blocks * WORD_BITS // BLOCK_VARIANTS, starts[-1], N_PLANES, BLOCK_VARIANTS),
        dtype=np.uint64,
    )
    counts = np.zeros(
        (blocks * WORD_BITS // TABLE_WIDTH, 2, N_GENOTYPES, TABLE_WIDTH), dtype=np.int32
    )
    _sort_rows(calls.rows, order, sizes, starts, words, counts)
    missing = np.empty_like(calls.missing)
    edges = np.empty((3, blocks * WORD_BITS), dtype=np.int64)
    _sort_missing(calls.missing, calls.limits, y, missing, edges)
    # the third count needs no plane: samples of the class less those without a call
    called = sizes[:, None] - np.diff(edges, axis=0)
    counts[:, :, 2] = called.reshape(2, -1, TABLE_WIDTH).swapaxes(0, 1)
    return PairPlanes(calls._replace(missing=missing), words, counts, starts, edges)


@jit
def _turn_to_planes(flat, p, n, rows, lost, limits):
    """Fill `rows`, `lost` and `limits` from the flat calls (p n,), 64 x 64 bits at a time."""
    lower, upper = np.empty(WORD_BITS, dtype=np.uint64), np.empty(WORD_BITS, dtype=np.uint64)
    for block in range(len(rows)):
        for w in range(lost.shape[1]):  # samples 64 w to 64 w + there - 1
            there = min(WORD_BITS, n - WORD_BITS * w)
            lower[:], upper[:] = ~np.uint64(0), ~np.uint64(0)  # no calls after the last variant
            for i in range(min(WORD_BITS, p - block * WORD_BITS)):
                f = block * WORD_BITS + i
                lower[i], upper[i] = _two_bits(flat, f * n + WORD_BITS * w, there)
                lost[f, w] = lower[i] & upper[i]  # 11
                limits[f + 1] += count_ones(lost[f, w])
            # word i, bit s (variant, sample) becomes word s, bit i
            transpose_block(lower)
            transpose_block(upper)
            for s in range(there):
                # 00 no copy, 01 one copy, all but 11 called
                rows[block, WORD_BITS * w + s, 0] = ~(lower[s] | upper[s])
                rows[block, WORD_BITS * w + s, 1] = lower[s] & ~upper[s]
                rows[block, WORD_BITS * w + s, 2] = ~(lower[s] & upper[s])
    # numbers of missing calls become where they begin
    for f in range(len(lost)):
        limits[f + 1] += limits[f]


@one_instruction
def _bit_of_each(context: Any, flat: Any, at: Any, bit: Any) -> Any:
    """The given bit of each of 64 bytes from `at` on, as a word; without bounds checks."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte = ir.IntType(8)
        vector = ir.VectorType(byte, WORD_BITS)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = builder.bitcast(builder.gep(data, [args[1]]), vector.as_pointer())
        # 1 << bit in all 64 bytes
        one = builder.shl(ir.Constant(byte, 1), builder.trunc(args[2], byte))
        mask = builder.insert_element(
            ir.Constant(vector, ir.Undefined), one, ir.Constant(ir.IntType(32), 0)
        )
        mask = builder.shuffle_vector(
            mask, mask, ir.Constant(ir.VectorType(ir.IntType(32), WORD_BITS), [0] * WORD_BITS)
        )
        # any address: 64 samples of a variant begin anywhere
        found = builder.and_(builder.load(place, align=1), mask)
        # 64 truth values of one bit are the word
        bits = builder.icmp_unsigned("!=", found, ir.Constant(vector, [0] * WORD_BITS))
        return builder.bitcast(bits, ir.IntType(64))

    return types.uint64(flat, types.intp, types.intp), codegen


@jit
def _two_bits(flat, at, there):
    """The two lowest bits of up to 64 bytes, as one word each; bits from `there` on are zero."""
    if there == WORD_BITS:
        return _bit_of_each(flat, at, 0), _bit_of_each(flat, at, 1)
    # the last samples of a variant: reading 64 bytes could go past the end of the array
    lower, upper = np.uint64(0), np.uint64(0)
    for k in range(there):
        one = np.uint64(flat[at + k])
        lower |= (one & np.uint64(1)) << np.uint64(k)
        upper |= ((one >> np.uint64(1)) & np.uint64(1)) << np.uint64(k)
    return lower, upper


@jit
def _list_ones(lost, missing):
    """Fill `missing` with the samples without a call, rising for each variant."""
    at = 0
    for f in range(len(lost)):
        for w in range(lost.shape[1]):
            word = lost[f, w]
            while word:
                missing[at] = WORD_BITS * w + lowest_one(word)
                word &= word - np.uint64(1)  # clears the lowest one
                at += 1


@jit
def _sort_rows(rows, order, sizes, starts, words, counts):
    """Fill `words` and `counts`, both by variant and class, from `rows` by sample."""
    block = np.empty((N_PLANES, WORD_BITS), dtype=np.uint64)
    for b in range(len(rows)):
        first = 0  # place in `order` where the samples of the class begin
        for c in range(2):
            for w in range(starts[c], starts[c + 1]):
                before = (w - starts[c]) * WORD_BITS
                there = min(WORD_BITS, sizes[c] - before)
                for s in range(there):
                    for k in range(N_PLANES):
                        block[k, s] = rows[b, order[first + before + s], k]
                block[:, there:] = 0  # zeros after the last sample of a class add to no count
                for k in range(N_PLANES):
                    transpose_block(block[k])  # word i is now variant i of the block
                    for i in range(WORD_BITS):
                        words[
                            b * WORD_BITS // BLOCK_VARIANTS + i // BLOCK_VARIANTS,
                            w,
                            k,
                            i % BLOCK_VARIANTS,
                        ] = block[k, i]
                        f = b * WORD_BITS + i
                        counts[f // TABLE_WIDTH, c, k, f % TABLE_WIDTH] += np.int32(
                            count_ones(block[k, i])
                        )
            first += sizes[c]


@jit
def _sort_missing(given, limits, y, missing, edges):
    """Fill `missing` with the samples `given`, class 0 first for each variant, and `edges`."""
    at = np.empty(2, dtype=np.int64)
    for f in range(edges.shape[1]):
        ones = 0
        for k in range(limits[f], limits[f + 1]):
            ones += y[given[k]]
        edges[0, f], edges[1, f], edges[2, f] = limits[f], limits[f + 1] - ones, limits[f + 1]
        at[:] = edges[:2, f]  # where the next sample of each class goes: their order is kept
        for k in range(limits[f], limits[f + 1]):
            c = y[given[k]]
            missing[at[c]] = given[k]
            at[c] += 1

"""Words of 64 bits: counting ones, and transposing packed rows into packed columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ._jit import jit

WORD_BITS = 64


def one_instruction(code: Any) -> Any:
    """A numba intrinsic of one uint64, from a function that returns its type and its code."""
    return intrinsic(code)


@one_instruction
def count_ones(context, word):
    """Number of ones in a uint64; loops over it are vectorised."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])  # llvm.ctpop.i64: population count

    return types.uint64(types.uint64), codegen


@one_instruction
def lowest_one(context, word):
    """Position of the lowest one of a uint64 that is not zero."""

    def codegen(context, builder, signature, args):
        # llvm.cttz.i64; the flag declares the result for 0 undefined, which saves a test for 0
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), codegen


def words_for(n: int) -> int:
    """Number of words that hold n bits."""
    return -(-n // WORD_BITS)  # rounded up


def pack_rows(X: np.ndarray) -> np.ndarray:
    """Rows of zeros and ones (n, p) as words (n, words_for(p)), the first column the lowest bit."""
    packed = np.packbits(X, axis=1, bitorder="little")
    return words_of_bytes(packed, X.shape[1])


def words_of_bytes(packed: np.ndarray, p: int) -> np.ndarray:
    """Rows of bytes from `numpy.packbits` (little) as words; bits from p on are zero."""
    wide = np.zeros((len(packed), 8 * words_for(p)), dtype=np.uint8)
    wide[:, : packed.shape[1]] = packed
    # column j is bit j % 8 of byte j // 8; read as little-endian it is bit j % 64 of word j // 64
    # on any machine, and the conversion to the machine's own order copies nothing on most
    return wide.view("<u8").astype(np.uint64, copy=False)


@jit
def pack_places(places, starts, p):
    """Rows as words; the ones of row i are in the columns places[starts[i]:starts[i + 1]]."""
    rows = np.zeros((len(starts) - 1, (p + 63) // 64), dtype=np.uint64)
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            # word j // 64, bit j % 64
            rows[i, places[k] >> 6] |= np.uint64(1) << np.uint64(places[k] & 63)
    return rows


@jit
def transpose_block(block):
    """Transpose 64 words in place: bit j of word i becomes bit i of word j.

    Source: Warren, Hacker's Delight, section 7-3.
    """
    # log2(64) = 6 rounds of 32 exchanges, instead of 64 x 64 single bits. Each round exchanges the
    # two off-diagonal quadrants, half x half bits, of every diagonal block of 2 half x 2 half bits.
    # At the top of the loop `mask` has ones in the low `half` of every 2 half bits.
    half, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while half > 0:
        shift = np.uint64(half)
        for k in range(0, 64, 2 * half):
            for i in range(k, k + half):
                # exchange by XOR: the high half of word i with the low half of word i + half
                swap = ((block[i] >> shift) ^ block[i + half]) & mask
                block[i] ^= swap << shift
                block[i + half] ^= swap
        half >>= 1
        mask ^= mask << np.uint64(half)


@jit
def columns_of_rows(rows, members, starts, words):
    """The transposed table, (64 W, V) words: bit i of word words[c] + v of column j is bit j of the
    row members[starts[c] + 64 v + i]. Every class begins with a new word; the bits after its last
    row are zeros."""
    n_words = rows.shape[1]
    columns = np.empty((64 * n_words, words[-1]), dtype=np.uint64)
    block = np.empty(64, dtype=np.uint64)
    for c in range(len(starts) - 1):
        for v in range(words[c], words[c + 1]):
            first = starts[c] + 64 * (v - words[c])
            there = min(starts[c + 1] - first, 64)  # fewer rows in the last word of a class
            for w in range(n_words):
                for i in range(there):
                    block[i] = rows[members[first + i], w]
                # zeros after the last row add nothing to counts, and AND keeps them
                for i in range(there, 64):
                    block[i] = np.uint64(0)
                transpose_block(block)
                for i in range(64):
                    columns[64 * w + i, v] = block[i]
    return columns


@jit
def count_columns(columns, words):
    """Number of ones in each column among the rows of each class: (C, number of columns)."""
    counts = np.zeros((len(words) - 1, len(columns)), dtype=np.int64)
    for j in range(len(columns)):
        for c in range(len(words) - 1):
            total = np.uint64(0)
            for v in range(words[c], words[c + 1]):
                total += count_ones(columns[j, v])
            counts[c, j] = total
    return counts

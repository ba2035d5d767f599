"""Words of 64 bits: counting ones, and turning rows into columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ._jit import jit

WORD_BITS = 64


def one_instruction(code: Any) -> Any:
    """A function of one uint64 that is one instruction of the machine."""
    return intrinsic(code)


@one_instruction
def count_ones(context, word):
    """Ones of a uint64; loops of it become vectors."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@one_instruction
def lowest_one(context, word):
    """Place of the lowest one of a uint64 that is not zero."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), codegen


def words_for(n: int) -> int:
    """Words that hold n bits."""
    return -(-n // WORD_BITS)


def pack_rows(X: np.ndarray) -> np.ndarray:
    """Rows of zeros and ones (n, p) as words (n, words_for(p)), the first column the lowest bit."""
    packed = np.packbits(X, axis=1, bitorder="little")
    return words_of_bytes(packed, X.shape[1])


def words_of_bytes(packed: np.ndarray, p: int) -> np.ndarray:
    """Rows of bytes, as `numpy.packbits` makes them (little), as words with zeros behind p."""
    wide = np.zeros((len(packed), 8 * words_for(p)), dtype=np.uint8)
    wide[:, : packed.shape[1]] = packed
    return wide.view("<u8").astype(np.uint64, copy=False)


@jit
def pack_places(places, starts, p):
    """Rows as words, of the places of their ones: places[starts[i]:starts[i + 1]] of row i."""
    rows = np.zeros((len(starts) - 1, (p + 63) // 64), dtype=np.uint64)
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            rows[i, places[k] >> 6] |= np.uint64(1) << np.uint64(places[k] & 63)
    return rows


@jit
def transpose_block(block):
    """64 words, bit j of word i to bit i of word j (Warren, Hacker's Delight, section 7-3)."""
    half, mask = 32, np.uint64(0x00000000FFFFFFFF)
    while half > 0:
        shift = np.uint64(half)
        for k in range(0, 64, 2 * half):
            for i in range(k, k + half):
                swap = ((block[i] >> shift) ^ block[i + half]) & mask
                block[i] ^= swap << shift
                block[i + half] ^= swap
        half >>= 1
        mask ^= mask << np.uint64(half)


@jit
def columns_of_rows(rows, members, starts, words):
    """The table turned: (64 W, V) words, bit i of word words[c] + v of column j is bit j of the
    row members[starts[c] + 64 v + i]. Every class begins a word, behind its end stand zeros."""
    n_words = rows.shape[1]
    columns = np.empty((64 * n_words, words[-1]), dtype=np.uint64)
    block = np.empty(64, dtype=np.uint64)
    for c in range(len(starts) - 1):
        for v in range(words[c], words[c + 1]):
            first = starts[c] + 64 * (v - words[c])
            there = min(starts[c + 1] - first, 64)
            for w in range(n_words):
                for i in range(there):
                    block[i] = rows[members[first + i], w]
                for i in range(there, 64):
                    block[i] = np.uint64(0)
                transpose_block(block)
                for i in range(64):
                    columns[64 * w + i, v] = block[i]
    return columns


@jit
def count_columns(columns, words):
    """Ones of each column among the rows of each class (C, number of columns)."""
    counts = np.zeros((len(words) - 1, len(columns)), dtype=np.int64)
    for j in range(len(columns)):
        for c in range(len(words) - 1):
            total = np.uint64(0)
            for v in range(words[c], words[c + 1]):
                total += count_ones(columns[j, v])
            counts[c, j] = total
    return counts

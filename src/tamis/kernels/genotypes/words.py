"""Words of 32 calls read from bytes at any address, and the masks that go with them.

A call is two bits, as in PLINK's .bed: 00 two copies of allele 1, 10 one, 11 none, 01 missing. The
first sample of a word has its lowest bits. A mask has a 1 at the lower bit of each of its samples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from .._bits import one_instruction
from .._jit import jit

CALLS_PER_WORD = 32  # two bits each
LOW_BITS = np.uint64(0x5555555555555555)  # the lower bit of every call


@one_instruction
def load_word(context: Any, packed: Any, at: Any) -> Any:
    """The eight bytes from `at` on of a flat array of uint8, which need not be aligned.

    A plain load, without bounds or sign of the index checked, so that loops of it become vectors.
    Callers must see to it that eight bytes are there.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        word = builder.bitcast(place, ir.IntType(64).as_pointer())
        return builder.load(word, align=1)  # rows of bytes begin anywhere

    return types.uint64(packed, types.intp), codegen


@jit
def last_word(flat, first, n_bytes):
    """The last bytes of a row, fewer than eight, as a word with zeros above them."""
    # byte by byte: a load of eight would run into the next row, or past the end of the array
    word = np.uint64(0)
    for k in range(n_bytes):
        word |= np.uint64(flat[first + k]) << np.uint64(8 * k)
    return word


def masks_of(groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Masks (G, words) of the samples of each group, by the groups of samples (n,), -1 for none.

    Examples
    --------
    >>> [hex(m) for m in masks_of(np.array([0, 1, -1, 1]), 2)[:, 0]]
    ['0x1', '0x44']
    """
    n = len(groups)
    # two bits a sample up to full words; sample s sets bit 2 s, its lower one
    bits = np.zeros((n_groups, -(-n // CALLS_PER_WORD) * 2 * CALLS_PER_WORD), dtype=np.uint8)
    taken = np.flatnonzero(groups >= 0)
    bits[groups[taken], 2 * taken] = 1
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def bytes_for(n: int) -> int:
    """Number of bytes of a row of n calls, four a byte."""
    return -(-n // 4)


def pack_calls(codes: np.ndarray) -> np.ndarray:
    """Rows of codes 0 to 3 (m, n) as bytes (m, bytes_for(n)), with zero bits past the last call.

    Examples
    --------
    >>> pack_calls(np.array([[0, 1, 2, 3, 2]])).tolist()
    [[228, 2]]
    """
    m, n = codes.shape
    wide = np.zeros((m, 4 * bytes_for(n)), dtype=np.uint8)
    wide[:, :n] = codes
    four = wide.reshape(m, -1, 4)
    return four[:, :, 0] | four[:, :, 1] << 2 | four[:, :, 2] << 4 | four[:, :, 3] << 6


def unpack_calls(packed: np.ndarray, n: int) -> np.ndarray:
    """Codes 0 to 3 (m, n) of rows of bytes (m, bytes_for(n)).

    Examples
    --------
    >>> unpack_calls(np.array([[228, 2]], dtype=np.uint8), 5).tolist()
    [[0, 1, 2, 3, 2]]
    """
    return _FOUR[packed].reshape(len(packed), 4 * packed.shape[1])[:, :n]


def unpack_copies(packed: np.ndarray, n: int, out: np.ndarray | None = None) -> np.ndarray:
    """Copies of allele 1 (m, n) int8 of rows of bytes (m, bytes_for(n)), -1 for a missing call.

    Examples
    --------
    >>> unpack_copies(np.array([[228, 2]], dtype=np.uint8), 5).tolist()
    [[2, -1, 1, 0, 1]]
    """
    if out is None:
        out = np.empty((len(packed), n), dtype=np.int8)
    _unpack_copies(packed, out)
    return out


@jit
def _unpack_copies(packed, out):
    n = out.shape[1]
    for i in range(len(packed)):
        for k in range(n // 4):  # four calls of a byte at once, which becomes vector code
            for q in range(4):
                out[i, 4 * k + q] = _copies_of(packed[i, k] >> np.uint8(2 * q))
        for s in range(n // 4 * 4, n):  # of a last byte that is not full
            out[i, s] = _copies_of(packed[i, s // 4] >> np.uint8(2 * (s % 4)))


@jit
def _copies_of(byte):
    """Copies of allele 1 by the lowest two bits of a byte: 00 is 2, 10 is 1, 11 is 0, 01 is -1."""
    # of known calls the upper bit says "fewer than two", the lower then "none": 2 - u - (l and u)
    code = byte & np.uint8(3)
    upper, lower = code >> np.uint8(1), code & np.uint8(1)
    return (
        np.int8(-1) if code == 1 else np.int8(np.int8(2) - np.int8(upper) - np.int8(lower & upper))
    )


@jit
def pack_copies(copies, packed):
    """Write copies of allele 1 (m, n) int8 as rows of bytes into `packed` (m, bytes_for(n)).

    The inverse of `unpack_copies`: negative where a call is missing.

    Examples
    --------
    >>> packed = np.empty((1, 2), dtype=np.uint8)
    >>> pack_copies(np.array([[2, -1, 1, 0, 1]], dtype=np.int8), packed)
    >>> packed.tolist()
    [[228, 2]]
    """
    n = copies.shape[1]
    for i in range(len(copies)):
        for k in range(n // 4):
            byte = np.uint8(0)
            for q in range(4):
                byte |= _code_of(copies[i, 4 * k + q]) << np.uint8(2 * q)
            packed[i, k] = byte
        if n % 4:  # the bits past the last call are 0
            byte = np.uint8(0)
            for s in range(n // 4 * 4, n):
                byte |= _code_of(copies[i, s]) << np.uint8(2 * (s % 4))
            packed[i, n // 4] = byte


@jit
def _code_of(copies):
    """Code of 0 to 2 copies of allele 1, or of a missing call (negative)."""
    if copies < 0:
        return np.uint8(1)
    # 0, 1, 2 copies are 3, 2, 0: no code is left between, as 1 means missing
    return np.uint8(3) - np.uint8(copies) - np.uint8(copies == 2)


# the four codes of every byte, the first call in the lowest bits: unpacking is one look-up a byte
_FOUR = (np.arange(256)[:, None] >> np.array([0, 2, 4, 6]) & 3).astype(np.uint8)

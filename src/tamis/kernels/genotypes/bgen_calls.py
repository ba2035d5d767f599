"""Calls and probabilities of BGEN's numbers of 1 to 32 bits.

All is decided in whole numbers: unphased a genotype's probability is k / (2^bits - 1), phased,
where the two copies are taken as independent, k / (2^bits - 1)^2; a call needs k to reach a limit.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np

from .._jit import jit
from .words import load_word

DATA_HEAD = 10  # bytes of a variant's data around those of ploidy
PADDING_BYTES = 8  # bytes that must be there behind the last variant
CALLED_VARIANT, DAMAGED_VARIANT = 0, 1  # what became of a variant


def limits_of(call: float | None) -> np.ndarray:
    """The least k that is called (2, 33) uint64: by phased or not, and by bits.

    Examples
    --------
    >>> int(limits_of(0.9)[0, 8]), int(limits_of(None)[0, 8])
    (230, 0)
    """
    found = np.zeros((2, 33), dtype=np.uint64)
    if call is None:
        return found
    for phased in (0, 1):
        for bits in range(1, 33):
            whole = (2**bits - 1) ** (1 + phased)
            k = ceil(Fraction(call) * whole)
            while k > 0 and (k - 1) / whole >= call:  # 12 of 15 are 0.8, as people divide
                k -= 1
            found[phased, bits] = min(k, whole)
    return found


def call_variants(
    flat: np.ndarray, places: np.ndarray, n: int, limits: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Rows of calls filled in, two bits each, of allele 2 as allele 1; what became of each (m,).

    Parameters
    ----------
    flat : ndarray of uint8
        Data of variants, decompressed, and `PADDING_BYTES` bytes.
    places : ndarray of shape (m, 2) of int64
        Where each begins, and its bytes.
    n : int
    limits : ndarray of shape (2, 33) of uint64
    rows : ndarray of shape (m, bytes) of uint8
    """
    state = np.empty(len(places), dtype=np.uint8)
    _call_genotypes(flat, places, n, limits, codes_of_bytes(int(limits[0, 8])), rows, state)
    return state


@lru_cache(maxsize=8)
def codes_of_bytes(limit: int) -> np.ndarray:
    """Codes (65536,) by the two bytes of a sample, unphased, which most files have."""
    none, one = np.arange(65536) & 255, np.arange(65536) >> 8
    two = 255 - none - one
    weights = np.stack([two, np.full(65536, -1), one, none])
    best = weights.max(axis=0)
    clear = ((weights == best).sum(axis=0) == 1) & (best >= limit) & (two >= 0)
    return np.where(clear, weights.argmax(axis=0), 1).astype(np.uint8)


def read_probabilities(
    flat: np.ndarray, places: np.ndarray, n: int, found: np.ndarray
) -> np.ndarray:
    """Probabilities (m, n, 3) float32 filled in: two copies of the second allele, one, none; what
    became of each (m,)."""
    state = np.empty(len(places), dtype=np.uint8)
    _read_probabilities(flat, places, n, found, state)
    return state


@jit
def _check_layout(flat, first, size, n):
    """Whether a variant's data are what n samples with two alleles have."""
    if size < DATA_HEAD + n:
        return False
    samples = flat[first] | flat[first + 1] << 8 | flat[first + 2] << 16 | flat[first + 3] << 24
    alleles = flat[first + 4] | flat[first + 5] << 8
    phased, bits = flat[first + 8 + n], flat[first + 9 + n]
    if samples != n or alleles != 2 or phased > 1 or bits < 1 or bits > 32:
        return False
    numbers = 0
    for i in range(first + 8, first + 8 + n):
        numbers += flat[i] & 63
    return size == DATA_HEAD + n + (numbers * bits + 7) // 8


@jit
def _packed_number(flat, first, k, bits, most):
    """The k-th number of some bits from `first` on."""
    at = k * bits
    return load_word(flat, first + (at >> 3)) >> np.uint64(at & 7) & most


@jit
def _weigh_genotypes(flat, first, k, bits, most, phased, ploidy):
    """k of two copies of the second allele, one and none, and of all; (0, 0, 0, 0): not known."""
    zero = np.uint64(0)
    if ploidy == 1:  # as if homozygous, which is how .bed has it
        one = _packed_number(flat, first, k, bits, most)
        if phased:
            return (most - one) * most, zero, one * most, most * most
        return most - one, zero, one, most
    if ploidy != 2:
        return zero, zero, zero, zero
    left, right = (
        _packed_number(flat, first, k, bits, most),
        _packed_number(flat, first, k + 1, bits, most),
    )
    if phased:
        whole, none, two = most * most, left * right, (most - left) * (most - right)
        return two, whole - none - two, none, whole
    if left + right > most:
        return zero, zero, zero, zero
    return most - left - right, right, left, most


@jit
def _call_bytes(flat, first, n, table, row):
    """A variant of two bytes a sample; False where a sample has other than two copies."""
    ploidy, numbers = first + 8, first + DATA_HEAD + n
    other = 0
    for i in range(n):
        other |= (flat[ploidy + i] & 127) ^ 2
    if other:
        return False
    for k in range((n + 3) // 4):
        byte = np.int64(0)
        for i in range(4 * k, min(4 * k + 4, n)):
            pair = np.int64(flat[numbers + 2 * i]) | np.int64(flat[numbers + 2 * i + 1]) << 8
            code = np.int64(table[pair]) if flat[ploidy + i] < 128 else 1
            byte |= code << (2 * (i & 3))
        row[k] = byte
    return True


@jit
def _call_genotypes(flat, places, n, limits, table, rows, state):
    for j in range(len(places)):
        first = places[j, 0]
        row = rows[j]
        state[j] = CALLED_VARIANT
        if not _check_layout(flat, first, places[j, 1], n):
            state[j] = DAMAGED_VARIANT
            continue
        phased, bits = flat[first + 8 + n], np.int64(flat[first + 9 + n])
        if bits == 8 and not phased and _call_bytes(flat, first, n, table, row):
            continue
        most = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
        limit, numbers, k = limits[phased, bits], first + DATA_HEAD + n, 0
        byte, shift = 0, 0
        for i in range(n):
            said = flat[first + 8 + i]
            ploidy = said & 63
            code = 1
            if said < 128:
                two, one, none, whole = _weigh_genotypes(
                    flat, numbers, k, bits, most, phased, ploidy
                )
                if whole > 0:
                    if two > one and two > none:
                        code = 0 if two >= limit else 1
                    elif one > two and one > none:
                        code = 2 if one >= limit else 1
                    elif none > one and none > two:
                        code = 3 if none >= limit else 1
            k += ploidy
            byte |= code << shift
            shift += 2
            if shift == 8:
                row[i >> 2] = byte
                byte, shift = 0, 0
        if shift:
            row[n >> 2] = byte


@jit
def _read_probabilities(flat, places, n, found, state):
    for j in range(len(places)):
        first = places[j, 0]
        state[j] = CALLED_VARIANT
        if not _check_layout(flat, first, places[j, 1], n):
            state[j] = DAMAGED_VARIANT
            continue
        phased, bits = flat[first + 8 + n], np.int64(flat[first + 9 + n])
        most = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
        numbers, k = first + DATA_HEAD + n, 0
        for i in range(n):
            said = flat[first + 8 + i]
            ploidy = said & 63
            found[j, i, :] = np.nan
            if said < 128:
                two, one, none, whole = _weigh_genotypes(
                    flat, numbers, k, bits, most, phased, ploidy
                )
                if whole > 0:
                    found[j, i, 0] = two / whole
                    found[j, i, 1] = one / whole
                    found[j, i, 2] = none / whole
            k += ploidy

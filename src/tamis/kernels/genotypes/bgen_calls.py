"""Calls and probabilities of BGEN's numbers of 1 to 32 bits.

All decisions are made in whole numbers: the probability of a genotype is k / (2^bits - 1) in
unphased data and k / (2^bits - 1)^2 in phased data, where the two copies are taken as independent;
a genotype is called if its k reaches a limit.

The data of a variant (layout 2 of BGEN, little-endian): number of samples (4 bytes), number of
alleles (2), least and largest ploidy (1, 1), ploidy of each sample (1 each, the top bit set if the
sample is missing), whether phased (1), bits of a number (1), the numbers. With two alleles a sample
has as many numbers as copies, phased or not, and also if it is missing.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np

from .._jit import jit
from .words import load_word

DATA_HEAD = 10  # bytes of a variant's data before and after those of ploidy: 8 and 2
PADDING_BYTES = 8  # bytes that must follow the last variant, since numbers are read by 8 bytes
CALLED_VARIANT, DAMAGED_VARIANT = 0, 1  # states of a variant


def limits_of(call: float | None) -> np.ndarray:
    """The least k that is called, (2, 33) uint64, by phased or not and by bits; without a limit 0.

    Examples
    --------
    >>> int(limits_of(0.9)[0, 8]), int(limits_of(None)[0, 8])
    (230, 0)
    """
    found = np.zeros((2, 33), dtype=np.uint64)  # (2^32 - 1)^2 is too large for int64
    if call is None:
        return found
    for phased in (0, 1):
        for bits in range(1, 33):
            denominator = (2**bits - 1) ** (1 + phased)
            k = ceil(Fraction(call) * denominator)
            # the limit is meant as rounded division has it: the double 0.8 is a little more than
            # 4/5, and yet 12 / 15 is to reach it
            while k > 0 and (k - 1) / denominator >= call:
                k -= 1
            found[phased, bits] = min(k, denominator)
    return found


def call_variants(
    flat: np.ndarray, places: np.ndarray, n: int, limits: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Fill `rows` with calls of two bits, counting the second allele; return the states (m,) uint8.

    Parameters
    ----------
    flat : ndarray of uint8
        Decompressed data of the variants, followed by `PADDING_BYTES` bytes.
    places : ndarray of shape (m, 2) of int64
        First byte of each variant, and its number of bytes.
    n : int
        Samples.
    limits : ndarray of shape (2, 33) of uint64
        From `limits_of`.
    rows : ndarray of shape (m, bytes) of uint8
    """
    state = np.empty(len(places), dtype=np.uint8)
    _call_genotypes(flat, places, n, limits, codes_of_bytes(int(limits[0, 8])), rows, state)
    return state


@lru_cache(maxsize=8)
def codes_of_bytes(limit: int) -> np.ndarray:
    """Codes (65536,) uint8 by the two bytes of an unphased sample of 8 bits, the usual case."""
    # the first byte is the k of no copy of the second allele, the second byte that of one copy
    none, one = np.arange(65536) & 255, np.arange(65536) >> 8
    two = 255 - none - one
    weights = np.stack([two, np.full(65536, -1), one, none])  # by the code; 1, no call, never wins
    best = weights.max(axis=0)
    # no call where two genotypes tie, the best is below the limit, or the bytes exceed 255 together
    clear = ((weights == best).sum(axis=0) == 1) & (best >= limit) & (two >= 0)
    return np.where(clear, weights.argmax(axis=0), 1).astype(np.uint8)


def read_probabilities(
    flat: np.ndarray, places: np.ndarray, n: int, found: np.ndarray
) -> np.ndarray:
    """Fill `found` (m, n, 3) float32 with the probabilities of two copies of the second allele, of
    one and of none, NaN where unknown; return the states (m,) uint8."""
    state = np.empty(len(places), dtype=np.uint8)
    _read_probabilities(flat, places, n, found, state)
    return state


@jit
def _check_layout(flat, first, size, n):
    """Whether the `size` bytes from `first` on are the data of n samples with two alleles."""
    if size < DATA_HEAD + n:
        return False
    samples = flat[first] | flat[first + 1] << 8 | flat[first + 2] << 16 | flat[first + 3] << 24
    alleles = flat[first + 4] | flat[first + 5] << 8
    phased, bits = flat[first + 8 + n], flat[first + 9 + n]
    if samples != n or alleles != 2 or phased > 1 or bits < 1 or bits > 32:
        return False
    # the lower six bits of a ploidy byte are the ploidy, which is as many numbers
    numbers = 0
    for i in range(first + 8, first + 8 + n):
        numbers += flat[i] & 63
    return size == DATA_HEAD + n + (numbers * bits + 7) // 8


@jit
def _packed_number(flat, first, k, bits, most):
    """The k-th number of the `bits` wide ones packed from byte `first` on; `most` is 2^bits - 1."""
    # at most 7 + 32 bits from the byte in which the number begins: they are within one word
    at = k * bits
    return load_word(flat, first + (at >> 3)) >> np.uint64(at & 7) & most


@jit
def _weigh_genotypes(flat, first, k, bits, most, phased, ploidy):
    """The k of two copies of the second allele, of one, of none, and their sum; zeros if unknown.

    The numbers of the sample begin with the k-th.
    """
    zero = np.uint64(0)  # numba would turn a mix of uint64 and int64 into floats
    if ploidy == 1:  # a haploid sample counts as homozygous, as in .bed
        one = _packed_number(flat, first, k, bits, most)
        if phased:  # in units of 1 / most^2, as the limits of phased data are
            return (most - one) * most, zero, one * most, most * most
        return most - one, zero, one, most
    if ploidy != 2:
        return zero, zero, zero, zero
    left, right = (
        _packed_number(flat, first, k, bits, most),
        _packed_number(flat, first, k + 1, bits, most),
    )
    if phased:  # probabilities of the first allele, copy by copy; the copies are independent
        total, none, two = most * most, left * right, (most - left) * (most - right)
        return two, total - none - two, none, total
    # unphased: none and one copy of the second allele; two is the rest, which must not wrap round
    if left + right > most:
        return zero, zero, zero, zero
    return most - left - right, right, left, most


@jit
def _call_bytes(flat, first, n, table, row):
    """Fill `row` with the calls of a variant with two bytes a sample.

    False, with nothing written, unless all samples are diploid.
    """
    ploidy, numbers = first + 8, first + DATA_HEAD + n
    # all samples without a branch; bit 7 only says that a sample is missing
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
    """`call_variants`, with the table of `codes_of_bytes`."""
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
        # k: the sample's first number, which follows from the ploidies of the samples before it
        limit, numbers, k = limits[phased, bits], first + DATA_HEAD + n, 0
        byte, shift = 0, 0  # four calls are gathered before they are written
        for i in range(n):
            said = flat[first + 8 + i]
            ploidy = said & 63
            code = 1  # no call
            if said < 128:  # not missing
                two, one, none, total = _weigh_genotypes(
                    flat, numbers, k, bits, most, phased, ploidy
                )
                if total > 0:
                    # the strictly largest: a tie is no call
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
        if shift:  # the last samples do not fill a byte
            row[n >> 2] = byte


@jit
def _read_probabilities(flat, places, n, found, state):
    """`read_probabilities`; as `_call_genotypes`, sample by sample."""
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
                two, one, none, total = _weigh_genotypes(
                    flat, numbers, k, bits, most, phased, ploidy
                )
                if total > 0:
                    found[j, i, 0] = two / total
                    found[j, i, 1] = one / total
                    found[j, i, 2] = none / total
            k += ploidy

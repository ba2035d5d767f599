"""Counts of all pairs of samples for the kinship of KING-robust (Manichaikul et al. 2010).

Calls are transposed: a word holds 64 variants of a sample, in two planes, "homozygous" and "has
allele 1". A pair takes five counts of ones a word, in one loop over words that becomes vector code;
64 samples stay in the cache while all others pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from .._bits import count_ones, words_for
from .._jit import jit
from .turned import CHUNK_SAMPLES, LANE_WORDS, turn_calls
from .words import CALLS_PER_WORD

TILE_SAMPLES = 64  # samples whose planes stay in the cache

Share = Callable[[Iterable[Callable[[], Any]]], Any]  # runs tasks in any order


def sample_planes(packed: np.ndarray, place: np.ndarray, n: int, share: Share) -> np.ndarray:
    """Planes "homozygous" and "has allele 1" (n, 2, words) uint64, a bit a variant; 0 if missing.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
    place : ndarray of shape (n_file,) of int64
        Row of each sample of the file, -1 of those not taken.
    n : int
    share : callable
        Runs all tasks that it is given.
    """
    planes = np.zeros((n, 2, words_for(len(packed))), dtype=np.uint64)
    flat = packed.reshape(-1)
    share(
        partial(_fill_planes, flat, packed.shape[1], len(packed), at, place, planes)
        for at in range(0, len(place), CHUNK_SAMPLES)
    )
    return planes


def add_pair_counts(
    planes: np.ndarray, first: int, last: int, start: int, counts: np.ndarray
) -> None:
    """Add the counts of samples `first` to `last` - 1, each with every sample before it.

    Parameters
    ----------
    planes : ndarray of shape (n, 2, words) of uint64
    first, last : int
    start : int
        Number of the first pair in `counts`; i and j < i are pair i (i - 1) / 2 + j.
    counts : ndarray of shape (pairs, 5) of int32
        Variants at which both are heterozygous; both homozygous, with different alleles; the
        first, i, is heterozygous and the second homozygous; the other way round; both homozygous.
    """
    _add_counts(planes, first, last, start, counts)


def count_blocks(planes: np.ndarray, pairs: np.ndarray, words: int) -> np.ndarray:
    """Counts (blocks, k, 5) of some pairs (k, 2), by blocks of `words` words of variants."""
    blocks = -(-planes.shape[2] // words)
    counts = np.zeros((blocks, len(pairs), 5), dtype=np.int32)
    _count_blocks(planes, pairs, words, counts)
    return counts


def choose_pairs(
    counts: np.ndarray,
    variance: float,
    chance: float,
    border: float,
    least: float,
    histogram: np.ndarray,
    differing: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Pairs of at least some kinship, those without any difference, and how many are as far below 0
    as to be beyond chance.

    Parameters
    ----------
    counts : ndarray of shape (k, 5) of int32
    variance : float
        Of a variant's part in the numerator of a kinship.
    chance : float
        Standard errors by which a kinship must differ from 0.
    border : float
        By which a kinship must differ from 0 whatever its error.
    least : float
        Pairs of at least this kinship are chosen, beyond chance or not; NaN: the two above decide.
    histogram : ndarray of shape (bins,) of int64
        All pairs are added, in even steps of kinship from -1/2 to 1/2.
    differing : ndarray of shape (3,) of float64
        Number of pairs with a variant called in both, sum of the shares of these at which they
        differ, and sum of the squares: all pairs are added.

    Returns
    -------
    places, alike : ndarray of int64
        Of the pairs chosen, and of those that differ at no variant and have a heterozygous call.
    apart : int
    """
    chosen, alike = np.empty((2, len(counts)), dtype=np.bool_)
    apart = _choose_relatives(
        counts, variance, chance, border, least, histogram, differing, chosen, alike
    )
    return np.flatnonzero(chosen), np.flatnonzero(alike), apart


@jit
def _fill_planes(flat, n_bytes, m, at, place, planes):
    block = np.empty((64, LANE_WORDS), dtype=np.uint64)
    for w in range(planes.shape[2]):
        there = min(m - 64 * w, 64)
        turn_calls(flat, n_bytes, 64 * w, there, at, block)
        # bits of variants there are; a shift by 64 is undefined
        valid = ~np.uint64(0) if there == 64 else (np.uint64(1) << np.uint64(there)) - np.uint64(1)
        for sample in range(at, min(at + CHUNK_SAMPLES, len(place))):
            to = place[sample]
            if to >= 0:
                # as `turn_calls` fills the block: word t, and row i with its lower bits
                t, i = (sample - at) // CALLS_PER_WORD, 2 * ((sample - at) % CALLS_PER_WORD)
                # (high, low) is 00 of two copies of allele 1, 10 of one, 11 of none, 01 if missing
                low, high = block[i, t], block[i + 1, t]
                planes[to, 0, w] = ~(low ^ high) & valid  # 00 or 11
                planes[to, 1, w] = ~low & valid  # 00 or 10


@jit
def _add_counts(planes, first, last, start, counts):
    # pairs (i, j), j < i, tile by tile of j: each once
    for low in range(0, last - 1, TILE_SAMPLES):
        for i in range(max(first, low + 1), last):
            base = i * (i - 1) // 2 - start
            for j in range(low, min(low + TILE_SAMPLES, i)):
                _add_pair(planes[i, 0], planes[i, 1], planes[j, 0], planes[j, 1], counts[base + j])


@jit
def _count_blocks(planes, pairs, words, counts):
    for k in range(len(pairs)):
        a, b = planes[pairs[k, 0]], planes[pairs[k, 1]]
        for at in range(counts.shape[0]):
            low, high = at * words, (at + 1) * words
            _add_pair(a[0, low:high], a[1, low:high], b[0, low:high], b[1, low:high], counts[at, k])


@jit
def _add_pair(same, has, other_same, other_has, counts):
    """Add the five counts of a pair to `counts`, from both planes of either sample."""
    # sums in uint64, as `count_ones` gives them: with an int64 numba would take float64
    one, opposite, first, second, none = (
        np.uint64(0),
        np.uint64(0),
        np.uint64(0),
        np.uint64(0),
        np.uint64(0),
    )
    for w in range(len(same)):
        h, g = same[w], other_same[w]
        # heterozygous: has allele 1 without being homozygous
        mixed, other_mixed = has[w] & ~h, other_has[w] & ~g
        both = h & g
        one += count_ones(mixed & other_mixed)
        # of two homozygotes one has allele 1, the other has not
        opposite += count_ones(both & (has[w] ^ other_has[w]))
        first += count_ones(mixed & g)
        second += count_ones(other_mixed & h)
        none += count_ones(both)
    counts[0] += np.int32(one)
    counts[1] += np.int32(opposite)
    counts[2] += np.int32(first)
    counts[3] += np.int32(second)
    counts[4] += np.int32(none)


@jit
def _choose_relatives(counts, variance, chance, border, least, histogram, differing, chosen, alike):
    apart = 0
    bins = len(histogram)
    for k in range(len(counts)):
        both, opposite = np.int64(counts[k, 0]), np.int64(counts[k, 1])
        first, second = np.int64(counts[k, 2]), np.int64(counts[k, 3])
        called = both + first + second + counts[k, 4]
        different = opposite + first + second
        alike[k] = different == 0 and both > 0
        if called > 0:
            share = different / called
            differing[0] += 1.0
            differing[1] += share
            differing[2] += share * share
        smaller = both + min(first, second)
        if smaller == 0:  # no kinship: listed only where all pairs are, and in no bin
            chosen[k] = least == -np.inf
            continue
        # KING-robust: 1/2 - (4 b + c + d) / (4 (a + min(c, d)))
        kinship = 0.5 - (4 * opposite + first + second) / (4.0 * smaller)
        # the variance of the numerator is in proportion to the variants called in both
        limit = max(border, chance * np.sqrt(variance * called) / (4.0 * smaller))
        chosen[k] = kinship >= (limit if np.isnan(least) else least)
        apart += kinship <= -limit
        # beyond -1/2 and 1/2: the first and last bin
        histogram[min(max(int((kinship + 0.5) * bins), 0), bins - 1)] += 1
    return apart

"""Linkage disequilibrium between near variants, and pruning by it, straight from packed calls.

Copies of an allele, less one, are -1, 0 or 1: the product of two is not zero where both samples are
homozygous, and negative where they are so of different alleles. Three planes of bits a variant
(homozygous, homozygous without allele 1, called) therefore give all sums of a pair by counts of
ones among the samples called at both; two counts are enough where no call is missing.
"""

from __future__ import annotations

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .permuted import lower_half
from .words import last_word, load_word


def prune_windows(
    packed: np.ndarray,
    chosen: np.ndarray,
    rarer: np.ndarray,
    alive: np.ndarray,
    following: np.ndarray,
    first: int,
    count: int,
    window: int,
    step: int,
    r2: float,
) -> None:
    """Windows of variants pruned in turn; what is pruned is no longer `alive`.

    In a window each variant, from the left, is compared with those to its right that are alive
    until a pair has a larger squared correlation than `r2`: the one of the rarer allele goes, the
    right one if both are as rare, and the next variant is looked at; over and over until no pair is
    left.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Variants `first` to `first` + m - 1 of p behind each other, enough for the windows.
    chosen : ndarray of shape (words,) of uint64
        Bits of the samples that count, 64 a word.
    rarer : ndarray of shape (p,)
        Frequency of the rarer allele.
    alive : ndarray of shape (p,) of bool
    following : ndarray of shape (p,) of int64
        With which each is compared next, which goes on from window to window.
    first, count : int
        Where the first window begins, and how many there are.
    window, step : int
        Variants of a window, and between two of them.
    r2 : float
    """
    planes = np.zeros((window, 3, len(chosen)), dtype=np.uint64)
    _prune_windows(
        packed.reshape(-1),
        packed.shape[1],
        chosen,
        rarer,
        alive,
        following,
        first,
        count,
        step,
        r2,
        planes,
        np.zeros(window, dtype=np.bool_),
        np.full(window, -1, dtype=np.int64),
        np.zeros((window, 3), dtype=np.int64),
    )


@jit
def _make_planes(flat, at, n_bytes, chosen, planes):
    """Homozygous, homozygous without allele 1, called; whether a call is missing."""
    missing = np.uint64(0)
    planes[:] = np.uint64(0)
    for w in range(-(-n_bytes // 8)):
        whole = 8 * w + 8 <= n_bytes
        place = at + 8 * w
        word = load_word(flat, place) if whole else last_word(flat, place, n_bytes - 8 * w)
        low, high = lower_half(word), lower_half(word >> np.uint64(1))
        v, shift = w >> 1, np.uint64(32 * (w & 1))
        mine = (chosen[v] >> shift) & np.uint64(0xFFFFFFFF)
        planes[0, v] |= (~(low ^ high) & mine) << shift
        planes[1, v] |= (low & high & mine) << shift
        planes[2, v] |= ((~low | high) & mine) << shift
        missing |= low & ~high & mine
    return missing != 0


@jit
def count_own_sums(planes, i):
    """n, sum x and sum x^2 of a variant."""
    n, homozygous, none = np.uint64(0), np.uint64(0), np.uint64(0)
    for v in range(planes.shape[2]):
        n += count_ones(planes[i, 2, v])
        homozygous += count_ones(planes[i, 0, v])
        none += count_ones(planes[i, 1, v])
    return np.int64(n), np.int64(homozygous) - 2 * np.int64(none), np.int64(homozygous)


@jit
def count_product(planes, i, j):
    """Sum xy of two variants."""
    both, apart = np.uint64(0), np.uint64(0)
    for v in range(planes.shape[2]):
        common = planes[i, 0, v] & planes[j, 0, v]
        both += count_ones(common)
        apart += count_ones(common & (planes[i, 1, v] ^ planes[j, 1, v]))
    return np.int64(both) - 2 * np.int64(apart)


@jit
def count_pair_sums(planes, i, j):
    """n, sum x, sum y, sum x^2, sum y^2 and sum xy of two variants where both are called."""
    both, apart, n = np.uint64(0), np.uint64(0), np.uint64(0)
    of_a, of_b, none_a, none_b = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for v in range(planes.shape[2]):
        a, b = planes[i, 0, v], planes[j, 0, v]
        not_a, not_b = planes[i, 1, v], planes[j, 1, v]
        called_a, called_b = planes[i, 2, v], planes[j, 2, v]
        both += count_ones(a & b)
        apart += count_ones(a & b & (not_a ^ not_b))
        n += count_ones(called_a & called_b)
        of_a += count_ones(a & called_b)
        none_a += count_ones(not_a & called_b)
        of_b += count_ones(b & called_a)
        none_b += count_ones(not_b & called_a)
    xx, yy = np.int64(of_a), np.int64(of_b)
    x, y = xx - 2 * np.int64(none_a), yy - 2 * np.int64(none_b)
    return np.int64(n), x, y, xx, yy, np.int64(both) - 2 * np.int64(apart)


@jit
def exceeds_r2(n, x, y, xx, yy, xy, r2):
    """Whether the squared correlation is larger; not where one does not vary."""
    common = float(n * xy - x * y)
    return common * common > r2 * float(n * xx - x * x) * float(n * yy - y * y)


@jit
def _prune_windows(
    flat, n_bytes, chosen, rarer, alive, following, first, count, step, r2, planes, gaps, held, own
):
    window = len(planes)
    for k in range(count):
        start = first + k * step
        end = min(start + window, len(alive))
        for j in range(start, end):
            slot = j % window
            if alive[j] and held[slot] != j:
                gaps[slot] = _make_planes(
                    flat, (j - first) * n_bytes, n_bytes, chosen, planes[slot]
                )
                own[slot, 0], own[slot, 1], own[slot, 2] = count_own_sums(planes, slot)
                held[slot] = j
        again = True
        while again:
            again = False
            for i in range(start, end):
                j = max(following[i], i + 1)
                if not alive[i] or j >= end:
                    continue
                a, b = i % window, j % window - 1
                while j < end:
                    b = b + 1 if b + 1 < window else 0
                    j += 1
                    if not alive[j - 1]:
                        continue
                    if gaps[a] or gaps[b]:
                        n, x, y, xx, yy, xy = count_pair_sums(planes, a, b)
                    else:
                        n, x, xx = own[a, 0], own[a, 1], own[a, 2]
                        y, yy, xy = own[b, 1], own[b, 2], count_product(planes, a, b)
                    if exceeds_r2(n, x, y, xx, yy, xy, r2):
                        again = True
                        if rarer[i] < rarer[j - 1]:
                            alive[i] = False
                        else:
                            alive[j - 1] = False
                        break
                following[i] = j

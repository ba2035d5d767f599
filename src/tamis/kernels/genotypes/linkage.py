"""Linkage disequilibrium between near variants, and pruning by it, straight from packed calls.

Copies of allele 1, less one, are x = -1, 0 or 1: the product of two calls is not 0 where both are
homozygous, and negative where they are homozygous for different alleles. Three planes of bits a
variant (homozygous, homozygous without allele 1, called) therefore give all sums of a pair by
counting ones among the samples called at both; two counts are enough where no call is missing.
r^2 is the same for x as for the copies.
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
    """Prune windows of variants in turn; pruned variants are no longer `alive`.

    In a window each variant, from the left, is compared with those to its right that are alive
    until a pair has a squared correlation above `r2`: the one with the rarer allele is pruned, the
    right one if both are equally rare, and the next variant is compared. This is repeated until no
    such pair is left, as `plink1.9 --indep-pairwise` does.

    Parameters
    ----------
    packed : ndarray of shape (m, n_bytes) of uint8
        Variants `first` to `first` + m - 1 of p, one after the other, enough for the windows.
    chosen : ndarray of shape (words,) of uint64
        Bits of the samples that count, 64 a word.
    rarer : ndarray of shape (p,)
        Frequency of the rarer allele.
    alive : ndarray of shape (p,) of bool
    following : ndarray of shape (p,) of int64
        The variant that each is compared with next; kept from window to window, so that no pair is
        compared twice.
    first, count : int
        Where the first window begins, and the number of windows.
    window, step : int
        Variants of a window, and from the beginning of one to that of the next.
    r2 : float
    """
    # a ring: variant j has slot j % window, so that windows that overlap share what is computed
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
        np.zeros(window, dtype=np.bool_),  # whether the variant of a slot has a missing call
        np.full(window, -1, dtype=np.int64),  # which variant a slot holds
        np.zeros((window, 3), dtype=np.int64),  # its n, sum x and sum x^2
    )


@jit
def _make_planes(flat, at, n_bytes, chosen, planes):
    """Fill the planes (3, words) of the variant at byte `at`; whether a chosen sample lacks a call.

    Planes are homozygous, homozygous without allele 1, called.
    """
    missing = np.uint64(0)
    planes[:] = np.uint64(0)
    for w in range(-(-n_bytes // 8)):
        full_word = 8 * w + 8 <= n_bytes
        place = at + 8 * w
        # the end byte by byte: eight at once could lie beyond the array
        word = load_word(flat, place) if full_word else last_word(flat, place, n_bytes - 8 * w)
        # two bits a call, high and low: 00 two copies of allele 1, 10 one, 11 none, 01 missing; a
        # word has 32 calls, which become half a word of each plane
        low, high = lower_half(word), lower_half(word >> np.uint64(1))
        v, shift = w >> 1, np.uint64(32 * (w & 1))
        # all that is inverted below is masked by this: inverting sets the upper 32 bits
        mine = (chosen[v] >> shift) & np.uint64(0xFFFFFFFF)
        planes[0, v] |= (~(low ^ high) & mine) << shift
        planes[1, v] |= (low & high & mine) << shift
        planes[2, v] |= ((~low | high) & mine) << shift
        missing |= low & ~high & mine
    return missing != 0


@jit
def count_own_sums(planes, i):
    """n, sum x and sum x^2 of the variant in slot i."""
    # x is 1 or -1 where homozygous: x^2 counts these, and x loses two for each without allele 1
    n, homozygous, none = np.uint64(0), np.uint64(0), np.uint64(0)
    for v in range(planes.shape[2]):
        n += count_ones(planes[i, 2, v])
        homozygous += count_ones(planes[i, 0, v])
        none += count_ones(planes[i, 1, v])
    return np.int64(n), np.int64(homozygous) - 2 * np.int64(none), np.int64(homozygous)


@jit
def count_product(planes, i, j):
    """Sum xy of the variants in slots i and j, if no call of them is missing."""
    # both homozygous: +1 for the same allele, -1 for different ones
    both, apart = np.uint64(0), np.uint64(0)
    for v in range(planes.shape[2]):
        common = planes[i, 0, v] & planes[j, 0, v]
        both += count_ones(common)
        apart += count_ones(common & (planes[i, 1, v] ^ planes[j, 1, v]))
    return np.int64(both) - 2 * np.int64(apart)


@jit
def count_pair_sums(planes, i, j):
    """n, sum x, sum y, sum x^2, sum y^2 and sum xy over the samples called at both variants."""
    # homozygous means called: only the sums of one variant need the mask of the other
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
    """Whether the squared correlation is above `r2`; False if a variant does not vary."""
    # r^2 = (n Sxy - Sx Sy)^2 / ((n Sxx - Sx^2) (n Syy - Sy^2)), multiplied out: the differences are
    # exact whole numbers, and nothing is divided by 0
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
        # planes of the variants that the window before did not hold
        for j in range(start, end):
            slot = j % window
            if alive[j] and held[slot] != j:
                gaps[slot] = _make_planes(
                    flat, (j - first) * n_bytes, n_bytes, chosen, planes[slot]
                )
                own[slot, 0], own[slot, 1], own[slot, 2] = count_own_sums(planes, slot)
                held[slot] = j
        # invariant: i has been compared with all that were alive between it and following[i]; the
        # passes end with one that prunes nothing
        again = True
        while again:
            again = False
            for i in range(start, end):
                j = max(following[i], i + 1)
                if not alive[i] or j >= end:
                    continue
                # b follows j round the ring without a division: below it is the slot of j - 1, the
                # variant compared with i, since j has moved on to the next
                a, b = i % window, j % window - 1
                while j < end:
                    b = b + 1 if b + 1 < window else 0
                    j += 1
                    if not alive[j - 1]:
                        continue
                    if gaps[a] or gaps[b]:  # sums over the samples called at both: seven counts
                        n, x, y, xx, yy, xy = count_pair_sums(planes, a, b)
                    else:
                        n, x, xx = own[a, 0], own[a, 1], own[a, 2]
                        y, yy, xy = own[b, 1], own[b, 2], count_product(planes, a, b)
                    if exceeds_r2(n, x, y, xx, yy, xy, r2):
                        again = True
                        if rarer[i] < rarer[j - 1]:  # of equals the right one goes
                            alive[i] = False
                        else:
                            alive[j - 1] = False
                        break  # on to the next i; this one goes on from here in the next pass
                following[i] = j

"""Draws of Monte Carlo feature selection: features of a projection, rows of a split.

The numbers of a split depend on (seed, run, projection, split) alone, so threads and blocks change
nothing: the state is hashed from this key, and then advanced as in SplitMix64.

Source of Floyd's sampling: Bentley & Floyd (1987), CACM 30, 754.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .._split_mix import GOLDEN_GAMMA, draw_below, draw_bits, mix_bits

SHIFT_11 = np.uint64(11)  # leaves 53 bits, as many as a double holds exactly


class Offer(NamedTuple):
    """The features that a projection is drawn from; made by `make_offer`."""

    top: np.ndarray  # (T,) int64, of which `n_top` are drawn, every set equally probable
    n_top: int
    # (p - T,) int64, of which the others are drawn; with weights, without those of weight 0
    rest: np.ndarray
    # (2 P,) float64, P a power of two: tree of sums over the weights of `rest`; empty = all alike
    sums: np.ndarray


def make_offer(
    p: int, top: np.ndarray | None = None, n_top: int = 0, weights: np.ndarray | None = None
) -> Offer:
    """Draw from all p features, or `n_top` from `top` and the rest from the others.

    `weights` (p,) are the relative probabilities of the others, drawn one after the other
    without replacement; a feature of weight 0 is left out.
    """
    top = np.zeros(0, dtype=np.int64) if top is None else np.asarray(top, dtype=np.int64)
    rest = np.delete(np.arange(p, dtype=np.int64), top)
    sums = np.zeros(0)
    if weights is not None:
        rest = rest[weights[rest] > 0]
        # binary tree in one array: leaves from `size` on, the sum of all in sums[1], the children
        # of node i in 2 i and 2 i + 1; leaves beyond the features weigh 0
        size = 1
        while size < len(rest):
            size *= 2
        sums = np.zeros(2 * size)
        sums[size : size + len(rest)] = weights[rest]
        for i in range(size - 1, 0, -1):
            sums[i] = sums[2 * i] + sums[2 * i + 1]
    return Offer(top, int(n_top), rest, sums)


def own_sums(offer: Offer) -> np.ndarray:
    """A copy of the sums, which draws by weight change and restore; empty without weights."""
    return offer.sums.copy()


@jit
def start_stream(state, seed, run, projection, split):
    """Set the state (1,) uint64 to the stream of a split; split 0 draws the features."""
    # each part is mixed before the next comes in: keys with equal sums have different streams
    z = mix_bits(np.uint64(seed) + GOLDEN_GAMMA)
    z = mix_bits((z ^ np.uint64(run)) + GOLDEN_GAMMA)
    z = mix_bits((z ^ np.uint64(projection)) + GOLDEN_GAMMA)
    state[0] = mix_bits((z ^ np.uint64(split)) + GOLDEN_GAMMA)


@jit
def shuffle_values(state, values):
    """Put values in random order, in place."""
    # Fisher-Yates: places from i + 1 on are final
    for i in range(len(values) - 1, 0, -1):
        j = draw_below(state, i + 1)
        values[i], values[j] = values[j], values[i]


@jit
def draw_alike(state, pool, begin, end, taken, out):
    """Draw end - begin of the pool into out[begin:end], every set equally probable.

    `taken` has a place for each of the pool; it is 0 before and after.
    """
    n = len(pool)
    # Floyd's sampling: before each step out[begin:i] is a subset of the places below `last`, every
    # such subset equally probable. A place drawn again is replaced by `last`, not in it so far
    for i in range(begin, end):
        last = n - end + i
        j = draw_below(state, last + 1)
        if taken[j]:
            j = last
        taken[j] = 1
        out[i] = j
    for i in range(begin, end):  # only the places drawn: cheaper than to clear all of `taken`
        taken[out[i]] = 0
        out[i] = pool[out[i]]


@jit
def set_weight(sums, leaf, weight):
    """Change one weight. Its sums are computed anew, not adjusted by the difference, so that
    setting it back restores every bit."""
    sums[leaf] = weight
    leaf //= 2
    while leaf > 0:
        sums[leaf] = sums[2 * leaf] + sums[2 * leaf + 1]
        leaf //= 2


@jit
def draw_weighted(state, pool, begin, sums, out):
    """Fill out[begin:] from the pool without replacement, one after the other, each by its weight.

    Leaves `sums` as they were.
    """
    size = len(sums) // 2
    kept = np.empty(len(out))
    for i in range(begin, len(out)):
        # uniform in [0, sum of the weights left)
        at = (draw_bits(state) >> SHIFT_11) * (1.0 / (1 << 53)) * sums[1]
        leaf = 1
        while leaf < size:  # `at` counts from the first weight below node `leaf`
            leaf *= 2
            # rounding may leave `at` beyond the first half though the second has no weight left
            if at >= sums[leaf] and sums[leaf + 1] > 0:
                at -= sums[leaf]
                leaf += 1
        out[i], kept[i] = leaf - size, sums[leaf]
        set_weight(sums, leaf, 0.0)  # not drawn again
    for i in range(begin, len(out)):
        set_weight(sums, out[i] + size, kept[i])
        out[i] = pool[out[i]]


@jit
def draw_features(state, offer, sums, taken, out):
    """The features of a projection, into `out` (m,), in no particular order.

    `sums` is a copy of those of the offer, empty if it has none (`own_sums`): None would be another
    type, for which every kernel that calls this would be compiled again.
    """
    draw_alike(state, offer.top, 0, offer.n_top, taken, out)
    if len(sums) == 0:
        draw_alike(state, offer.rest, offer.n_top, len(out), taken, out)
    else:
        draw_weighted(state, offer.rest, offer.n_top, sums, out)


@jit
def split_rows(state, by_class, starts, sizes, train, test):
    """Draw `sizes[c]` training rows of every class; the others are the test set.

    `by_class` (n,) lists the rows class by class, of class c from `starts[c]`; it is shuffled.
    """
    n_train, n_test = 0, 0
    for c in range(len(sizes)):
        first, end = starts[c], starts[c + 1]
        # the first steps of a shuffle are enough: by_class[first:i] are drawn, by_class[i:end] left
        for i in range(first, first + sizes[c]):
            j = i + draw_below(state, end - i)
            by_class[i], by_class[j] = by_class[j], by_class[i]
            train[n_train] = by_class[i]
            n_train += 1
        for i in range(first + sizes[c], end):
            test[n_test] = by_class[i]
            n_test += 1

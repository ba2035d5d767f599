"""Draws of Monte Carlo feature selection: features of a projection, rows of a split.

A counter-based generator: the numbers of a split depend on (seed, run, projection, split) alone,
so threads and blocks change nothing. The state is hashed from the key and advanced as in
SplitMix64.

Source: Floyd's sampling: Bentley & Floyd (1987), CACM 30, 754.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .._split_mix import GOLDEN_GAMMA, draw_below, draw_bits, mix_bits

SHIFT_11 = np.uint64(11)


class Offer(NamedTuple):
    """Which features a projection is drawn from; made by `make_offer`."""

    top: np.ndarray  # (T,) int64, of which `n_top` are drawn, all alike
    n_top: int
    rest: np.ndarray  # (p - T,) int64, of which the others are drawn
    sums: np.ndarray  # (2 P,) float64, tree of sums over the weights of `rest`; empty = all alike


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
        size = 1
        while size < len(rest):
            size *= 2
        sums = np.zeros(2 * size)
        sums[size : size + len(rest)] = weights[rest]
        for i in range(size - 1, 0, -1):
            sums[i] = sums[2 * i] + sums[2 * i + 1]
    return Offer(top, int(n_top), rest, sums)


def own_sums(offer: Offer) -> np.ndarray:
    """What draws by weight change and put back; empty without weights."""
    return offer.sums.copy()


@jit
def start_stream(state, seed, run, projection, split):
    """Set the state (1,) uint64 to the stream of a split; split 0 draws the features."""
    z = mix_bits(np.uint64(seed) + GOLDEN_GAMMA)
    z = mix_bits((z ^ np.uint64(run)) + GOLDEN_GAMMA)
    z = mix_bits((z ^ np.uint64(projection)) + GOLDEN_GAMMA)
    state[0] = mix_bits((z ^ np.uint64(split)) + GOLDEN_GAMMA)


@jit
def shuffle_values(state, values):
    """Put values in random order, in place."""
    for i in range(len(values) - 1, 0, -1):
        j = draw_below(state, i + 1)
        values[i], values[j] = values[j], values[i]


@jit
def draw_alike(state, pool, begin, end, taken, out):
    """Some of the pool into out[begin:end], every set equally probable; `taken` (len(pool),) is 0
    and is left so."""
    n = len(pool)
    for i in range(begin, end):
        last = n - end + i
        j = draw_below(state, last + 1)
        if taken[j]:
            j = last
        taken[j] = 1
        out[i] = j
    for i in range(begin, end):
        taken[out[i]] = 0
        out[i] = pool[out[i]]


@jit
def set_weight(sums, leaf, weight):
    """Change one weight. Sums are made anew, so putting it back restores every bit."""
    sums[leaf] = weight
    leaf //= 2
    while leaf > 0:
        sums[leaf] = sums[2 * leaf] + sums[2 * leaf + 1]
        leaf //= 2


@jit
def draw_weighted(state, pool, begin, sums, out):
    """Some of the pool into out[begin:], one after the other, each in proportion to its weight."""
    size = len(sums) // 2
    kept = np.empty(len(out))
    for i in range(begin, len(out)):
        at = (draw_bits(state) >> SHIFT_11) * (1.0 / (1 << 53)) * sums[1]
        leaf = 1
        while leaf < size:
            leaf *= 2
            # the second half only where there is weight left in it
            if at >= sums[leaf] and sums[leaf + 1] > 0:
                at -= sums[leaf]
                leaf += 1
        out[i], kept[i] = leaf - size, sums[leaf]
        set_weight(sums, leaf, 0.0)
    for i in range(begin, len(out)):
        set_weight(sums, out[i] + size, kept[i])
        out[i] = pool[out[i]]


@jit
def draw_features(state, offer, sums, taken, out):
    """The features of a projection, into `out` (m,), in no particular order.

    `sums` is a copy of those of the offer, empty if it has none (`own_sums`): None would be
    another type, and every kernel that calls this compiled twice.
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
        for i in range(first, first + sizes[c]):
            j = i + draw_below(state, end - i)
            by_class[i], by_class[j] = by_class[j], by_class[i]
            train[n_train] = by_class[i]
            n_train += 1
        for i in range(first + sizes[c], end):
            test[n_test] = by_class[i]
            n_test += 1

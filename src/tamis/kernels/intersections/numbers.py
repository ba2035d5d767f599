"""Random intersection trees over numbers: rows share intervals, or nearness to the root's row.

covRIT: an item is the interval from the least to the largest value of the rows on the way from the
root, or the set of their categories, and is lost when it spans too much. relRIT: an item is the
root's value, and is lost when the sum of the squared deviations of these rows from it is too large.
Columns of categories hold codes.

Items of covRIT take two words each: both ends of an interval, or the categories as bits and 0.
`values` (float64) and `bits` (uint64) are the same memory throughout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._bits import count_ones
from .._jit import jit
from .draws import child_key, children_of, children_within, draw_below, nodes_below
from .set_table import (
    SetTable,
    add_set,
    has_room,
    hash_set,
    look_up,
    met_again,
    nothing_found,
    with_room,
)
from .walk import CUT_TREES, LEFT_OUT_LEAVES, Limits

MAX_EXPONENT = 700.0  # exp(-MAX_EXPONENT), 1e-304, adds nothing to a share


class Scale(NamedTuple):
    """How far rows may be apart."""

    relaxed: bool  # relRIT, not covRIT
    categorical: np.ndarray  # (p,) bool
    used: np.ndarray  # (p,) bool
    limits: np.ndarray  # (p,) float64; covRIT: largest span, or number of categories
    means: np.ndarray  # (p,) in the class; relRIT, numeric columns
    variances: np.ndarray  # (p,)
    shares: np.ndarray  # (p, levels) in the class; relRIT, columns of categories
    epsilon: float
    radius: float


@jit
def span_of(values, bits, i, categorical):
    """Number of categories of item i of covRIT, or length of its interval."""
    if categorical:
        return np.float64(count_ones(bits[2 * i]))
    return values[2 * i + 1] - values[2 * i]


@jit
def row_is_covered(X, row, at, values, bits, m, categorical):
    """Whether a row lies inside every one of m intervals; a missing value does not."""
    for i in range(m):
        j = at[i]
        x = X[row, j]
        if categorical[j]:
            # x >= 0 is False for NaN, whose conversion to a shift would be undefined
            if not (x >= 0.0 and (bits[2 * i] >> np.uint64(x)) & np.uint64(1)):
                return False
        elif not (values[2 * i] <= x <= values[2 * i + 1]):  # NaN is in no interval
            return False
    return True


@jit
def row_nearness(X, row, at, values, m, categorical, radius):
    """exp(-sum of squared deviations / radius); a category or a missing value differs by 1."""
    total, most = 0.0, MAX_EXPONENT * radius
    for i in range(m):
        j = at[i]
        gap = X[row, j] - values[i]
        if np.isnan(gap) or (categorical[j] and gap != 0.0):
            gap = 1.0
        total += gap * gap
        if total > most:  # the sum only grows: most rows end after a few items
            return 0.0
    return np.exp(-total / radius)


@jit
def share_among(X, rows, at, values, bits, m, scale, enough):
    """Sum over rows of how much each holds the set; a partial sum once that exceeds `enough`."""
    total = 0.0
    for row in rows:
        if scale.relaxed:
            total += row_nearness(X, row, at, values, m, scale.categorical, scale.radius)
        elif row_is_covered(X, row, at, values, bits, m, scale.categorical):
            total += 1.0
        if total > enough:
            break
    return total


@jit
def exceeds_elsewhere(X, members, starts, c, caps, at, values, bits, m, scale):
    """Whether in a class other than c the set is held by more than its cap."""
    for k in range(len(caps)):
        if k != c:
            rows = members[starts[k] : starts[k + 1]]
            if share_among(X, rows, at, values, bits, m, scale, caps[k]) > caps[k]:
                return True
    return False


@jit
def take_root(X, row, scale, at, values, bits):
    """Write the items of a tree's root, a row of the class; returns how many there are."""
    m = 0
    for j in range(X.shape[1]):
        x = X[row, j]
        if scale.used[j] and not np.isnan(x):  # a value that is missing is not shared
            at[m] = j
            if scale.relaxed:
                values[m] = x
            elif scale.categorical[j]:
                bits[2 * m], bits[2 * m + 1] = np.uint64(1) << np.uint64(x), np.uint64(0)
            else:
                values[2 * m], values[2 * m + 1] = x, x  # an interval that is a point
            m += 1
    return m


@jit
def root_limits(scale, at, values, m, limits):
    """relRIT: epsilon times the mean over the class of the squared deviation from the root."""
    for i in range(m):
        j = at[i]
        if scale.categorical[j]:
            # squared deviations are 0 or 1, so their mean is the share of other categories
            limits[j] = scale.epsilon * (1.0 - scale.shares[j, np.int64(values[i])])
        else:
            # mean (x - v)^2 = var x + (mean x - v)^2
            gap = scale.means[j] - values[i]
            limits[j] = scale.epsilon * (scale.variances[j] + gap * gap)


@jit
def cover_row(X, row, scale, at, values, bits, m, at2, values2, bits2):
    """Stretch the intervals to one more row; returns how many are left, and whether any changed.

    What is left is written to at2, values2 and bits2, those of the level below.
    """
    kept, changed = 0, False
    for i in range(m):
        j = at[i]
        x = X[row, j]
        if np.isnan(x):  # the item is lost
            changed = True
            continue
        if scale.categorical[j]:
            bits2[2 * kept] = bits[2 * i] | (np.uint64(1) << np.uint64(x))
            bits2[2 * kept + 1] = np.uint64(0)
            wider = bits2[2 * kept] != bits[2 * i]
        else:
            low, high = values[2 * i], values[2 * i + 1]
            values2[2 * kept], values2[2 * kept + 1] = min(low, x), max(high, x)
            wider = x < low or x > high
        # too wide: lost, and its place is taken by the next item
        if span_of(values2, bits2, kept, scale.categorical[j]) > scale.limits[j]:
            changed = True
            continue
        changed = changed or wider
        at2[kept] = j
        kept += 1
    return kept, changed


@jit
def near_row(X, row, scale, limits, at, values, apart, m, at2, values2, apart2):
    """Keep the items to which one more row is near enough; returns how many, and if any was lost.

    `apart` holds the sums of squared deviations of the rows so far, `limits` the most each may be.
    What is left is written to at2, values2 and apart2, those of the level below.
    """
    kept = 0
    for i in range(m):
        j = at[i]
        gap = X[row, j] - values[i]
        if np.isnan(gap):
            continue
        if scale.categorical[j] and gap != 0.0:
            gap = 1.0
        total = apart[i] + gap * gap
        if total <= limits[j]:
            at2[kept], values2[kept], apart2[kept] = j, values[i], total
            kept += 1
    return kept, kept < m


class Levels(NamedTuple):
    """The nodes on the way from the root to the current one, by level (L,)."""

    at: np.ndarray  # (L, p) int32, features of the set, rising
    values: np.ndarray  # (L, p) or (L, 2 p) float64, of its items
    bits: np.ndarray  # the same memory
    apart: np.ndarray  # (L, p), relRIT: squared deviations so far
    n_at: np.ndarray  # number of items
    key: np.ndarray  # from which the keys of its children follow
    born: np.ndarray  # children tried so far
    most: np.ndarray  # children to try
    room: np.ndarray  # items that may yet be looked at below
    spared: np.ndarray  # there is room for the largest subtree: no more counting
    fruitful: np.ndarray  # has a valid child
    near: np.ndarray  # (p,), relRIT: how far rows may be from the root
    below_of: np.ndarray  # `nodes_below`: most nodes below one at each level
    begun: np.ndarray  # (2,): level at which a tree was interrupted, else -1; if it was thinned


def grow_number_trees(
    X: np.ndarray,
    members: np.ndarray,
    starts: np.ndarray,
    c: int,
    caps: np.ndarray,
    least: float,
    scale: Scale,
    keys: np.ndarray,
    limits: Limits,
) -> tuple[SetTable, np.ndarray]:
    """Sets at the leaves of trees of class c, one tree for each key.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        NaN is missing; codes of categories are below 64.
    members : ndarray of shape (m,) of int64
        Rows class by class; starts (C + 1,) says where each begins.
    caps : ndarray of shape (C,)
        A node that is held by more of another class than its cap is dropped.
    least : float
        A set stays if at least as much of the class holds it.
    scale : Scale
    keys : ndarray of shape (n_trees,) of uint64
    limits : walk.Limits

    Returns
    -------
    SetTable, with one word per item (the root's value) or two (both ends of the interval, or the
    categories and 0), and ndarray of shape (2,) of int64: `CUT_TREES` and `LEFT_OUT_LEAVES`.
    """
    p, n, per = X.shape[1], limits.depth + 1, 1 if scale.relaxed else 2
    values = np.empty((n, per * p))
    levels = Levels(
        at=np.empty((n, p), dtype=np.int32),
        values=values,
        bits=values.view(np.uint64),
        apart=np.zeros((n, p)),
        n_at=np.zeros(n, dtype=np.int64),
        key=np.zeros(n, dtype=np.uint64),
        born=np.zeros(n, dtype=np.int64),
        most=np.ones(n, dtype=np.int64),
        room=np.zeros(n, dtype=np.int64),
        spared=np.zeros(n, dtype=bool),
        fruitful=np.zeros(n, dtype=bool),
        near=np.empty(p),
        below_of=nodes_below(limits.branch, limits.depth),
        begun=np.array([-1, 0]),
    )
    mine = members[starts[c] : starts[c + 1]]
    found, missed, tree = nothing_found(), np.zeros(2, dtype=np.int64), 0
    while True:
        tree = grow_on(
            X,
            members,
            starts,
            c,
            caps,
            least,
            scale,
            keys,
            limits,
            per,
            mine,
            levels,
            found,
            missed,
            tree,
        )
        if tree == len(keys):
            return found, missed
        # the interrupted tree goes on from `levels`, with a larger table
        found = with_room(found, 1, p, per)


@jit
def grow_on(
    X, members, starts, c, caps, least, scale, keys, limits, per, mine, levels, found, missed, first
):
    """Grow trees from number `first` on; returns the one that is unfinished because the table has
    no room for another set, or the number of trees."""
    p, at, values, bits = X.shape[1], levels.at, levels.values, levels.bits
    all_at, all_bits = at.ravel(), bits.ravel()
    apart, near, n_at, key = levels.apart, levels.near, levels.n_at, levels.key
    born, most, room, spared = levels.born, levels.most, levels.room, levels.spared
    below_of, fruitful, begun = levels.below_of, levels.fruitful, levels.begun
    for tree in range(first, len(keys)):
        level, thinned = begun[0], begun[1] > 0
        begun[0], begun[1] = -1, 0
        if level < 0:  # else go on with an interrupted tree, which is all in `levels`
            row = mine[draw_below(keys[tree], len(mine))]
            m = take_root(X, row, scale, at[0], values[0], bits[0])
            if m < limits.min_size:
                continue
            if scale.relaxed:
                root_limits(scale, at[0], values[0], m, near)
                apart[0, :m] = 0.0
            if exceeds_elsewhere(X, members, starts, c, caps, at[0], values[0], bits[0], m, scale):
                continue
            n_at[0], key[0], born[0], fruitful[0] = m, keys[tree], 0, False
            room[0], spared[0], level, thinned = limits.most_work, False, 0, False
        # depth first: `level` is that of the current node, levels above hold its ancestors. A child
        # is built one level below, and becomes the current node if it has children itself. The root
        # has one child: most[0] stays 1
        while level >= 0:
            if not has_room(found, 1, p, per):
                begun[0], begun[1] = level, thinned
                return tree
            if born[level] < most[level]:
                below = level + 1
                child = child_key(key[level], born[level])
                born[level] += 1
                row = mine[draw_below(child, len(mine))]
                if scale.relaxed:
                    m, changed = near_row(
                        X,
                        row,
                        scale,
                        near,
                        at[level],
                        values[level],
                        apart[level],
                        n_at[level],
                        at[below],
                        values[below],
                        apart[below],
                    )
                else:
                    m, changed = cover_row(
                        X,
                        row,
                        scale,
                        at[level],
                        values[level],
                        bits[level],
                        n_at[level],
                        at[below],
                        values[below],
                        bits[below],
                    )
                n_at[below] = m
                if m < limits.min_size:
                    continue
                # items that stayed the same are held by as many as in the parent, which was valid
                if changed and exceeds_elsewhere(
                    X, members, starts, c, caps, at[below], values[below], bits[below], m, scale
                ):
                    continue
                fruitful[level] = True
                # at min_size a valid child cannot lose an item: in relRIT it would have the same
                # set, while intervals of covRIT may still widen
                if below < limits.depth and (m > limits.min_size or not scale.relaxed):
                    level = below
                    key[level], born[level], fruitful[level] = child, 0, False
                    most[level] = children_of(child, limits.branch)
                    spared[level] = spared[level - 1]
                    if not spared[level]:
                        # siblings share the room alike; fewer children where it is too small
                        room[level] = room[level - 1] // most[level - 1] - n_at[level]
                        spared[level] = n_at[level] * below_of[level] <= room[level]
                        few = children_within(
                            child, limits.branch, room[level], n_at[level] * (limits.depth - level)
                        )
                        thinned = thinned or few < most[level]
                        most[level] = few
                    continue
                leaf = below
            else:  # all children tried: without a valid one the node is a leaf
                leaf = level
                level -= 1
                if fruitful[leaf]:
                    continue
            m = n_at[leaf]
            # slack: sums of exponentials, and `least` itself, are rounded
            held = share_among(X, mine, at[leaf], values[leaf], bits[leaf], m, scale, least - 1e-9)
            if held < least - 1e-9:
                continue
            value = hash_set(all_at, all_bits, leaf * p, m, per)
            slot, s = look_up(found, value, all_at, all_bits, leaf * p, m, per)
            if s >= 0:
                met_again(found, s, tree)
            elif found.n[0] == limits.most_sets:
                missed[LEFT_OUT_LEAVES] += 1
            else:
                add_set(found, value, slot, all_at, all_bits, leaf * p, m, per, tree)
        missed[CUT_TREES] += thinned
    return len(keys)


@jit
def hold_numbers(X, at, values, starts, categorical, radius):
    """How much each row of X holds each set, (n, S): 0 or 1, or with a radius the nearness."""
    held = np.empty((len(X), len(starts) - 1))
    bits = values.view(np.uint64)
    for s in range(len(starts) - 1):
        first, m = starts[s], starts[s + 1] - starts[s]
        for row in range(len(X)):
            if radius > 0.0:
                held[row, s] = row_nearness(
                    X, row, at[first:], values[first:], m, categorical, radius
                )
            else:
                held[row, s] = row_is_covered(
                    X, row, at[first:], values[2 * first :], bits[2 * first :], m, categorical
                )
    return held


@jit
def sum_numbers(X, members, starts, at, values, firsts, scale):
    """How much the rows of each class hold each set, summed (S, C)."""
    n_classes, per = len(starts) - 1, 1 if scale.relaxed else 2
    held = np.empty((len(firsts) - 1, n_classes))
    bits = values.view(np.uint64)
    for s in range(len(firsts) - 1):
        first, m = firsts[s], firsts[s + 1] - firsts[s]
        for k in range(n_classes):
            held[s, k] = share_among(
                X,
                members[starts[k] : starts[k + 1]],
                at[first:],
                values[per * first :],
                bits[per * first :],
                m,
                scale,
                np.inf,  # the full sum
            )
    return held

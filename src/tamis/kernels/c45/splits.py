"""The best split of a node by C4.5's rules: gain, its penalty, gain ratio.

Entropies are multiplied by the weight n of their rows. Whole counts have ``f(n) - sum_c f(n_c)``,
f(x) = x log2 x, with f from a table; fractional weights have the opposite sign, with f computed.
Comparisons allow for rounding by VALUE_TOLERANCE, so both give the same tree.

Sources: Quinlan (1993), C4.5; Quinlan (1996), JAIR 4, 77 (the penalty for numeric cuts).
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import jit
from ..orders import order_of_values
from .tree import VALUE_TIE

VALUE_TOLERANCE = 1e-6  # numbers nearer than this are equal
GAIN_SLACK = 1e-3  # how far below the mean gain a split may be
# a nominal column with more levels than this times the rows is left out of the mean
MANY_LEVELS_SHARE = 0.3
MAX_MIN_WEIGHT = 25.0  # each side of a numeric cut need never weigh more
ONE_BIT = np.uint64(1)


@jit
def x_log2_x(x):
    """x log2 x, 0 at 0."""
    # what is left of a weight after all its shares are subtracted may be just above or below 0
    return x * math.log2(x) if x > VALUE_TOLERANCE else 0.0


@jit
def least_side(known, n_classes, min_leaf):
    """What each side of a numeric cut must weigh: a tenth of the mean class, within limits."""
    least = 0.1 * known / n_classes
    if least - min_leaf < VALUE_TOLERANCE:
        return min_leaf
    return min(least, MAX_MIN_WEIGHT)  # as J48: also where `min_leaf` is above the maximum


@jit
def drop_ranked(entries, mask, values):
    """Infinite entropy where an entry has the rank of the next; returns how many cuts are left."""
    tied = np.int64(0)
    for i in range(len(values)):
        # equal ranks cancel, and only the bits of the rows are left
        same = np.int64((entries[i] ^ entries[i + 1]) <= mask)
        tied += same
        values[i] = np.inf if same else values[i]
    return len(values) - tied


@jit
def drop_near(entries, mask, column, values):
    """Infinite entropy where neighbours are within VALUE_TIE; returns how many cuts are left."""
    cuts = 0
    for i in range(len(values)):
        apart = column[entries[i] & mask] + VALUE_TIE < column[entries[i + 1] & mask]
        cuts += apart
        values[i] = values[i] if apart else np.inf
    return cuts


@jit
def best_cut(values, bits, size, base, slack):
    """The cut of least entropy, the first of equals; -1 = none is below `base` by the slack.

    `bits` is the memory of `values` as whole numbers. The least is found first and by its bits,
    which needs no branch: doubles from 0 on have the order of their bits.
    """
    least = bits[0]
    for i in range(size):
        least = min(least, bits[i])
    bits[size] = least
    lowest = values[size]  # the same eight bytes, read as a double
    if lowest >= base - slack:
        return -1
    cut = 0
    while values[cut] > lowest + slack:  # ends at the least itself, if not before
        cut += 1
    # nearly a tie: as in J48's search from the left, each must beat the best before by the slack
    if values[cut] > lowest:
        bar, cut = base - slack, 0
        for i in range(size):
            if values[i] < bar:
                cut, bar = i, values[i] - slack
    return cut


@jit
def class_cuts(order, j, mask, start, n, least, size, y, left, right, xlog, values):
    """Entropies after each of `size` cuts, from the class counts of either side.

    Returns the entropy of all n rows. All are times their rows, so that values[k] is n_L H_L +
    n_R H_R with `least` + k rows on the left.
    """
    for c in range(len(left)):
        left[c], right[c] = 0, 0
    for i in range(start, start + n):
        right[y[order[j, i] & mask]] += 1
    inner = 0.0
    for c in range(len(right)):
        inner += xlog[right[c]]
    base = xlog[n] - inner  # `inner` is the sum of f over the classes of both sides
    for i in range(1, least + size):  # rows left of the cut
        c = y[order[j, start + i - 1] & mask]
        a, b = left[c], right[c]
        # one row of class c goes from the right to the left: two terms change
        inner += (xlog[a + 1] - xlog[a]) - (xlog[b] - xlog[b - 1])
        left[c], right[c] = a + 1, b - 1
        if i >= least:
            values[i - least] = xlog[i] + xlog[n - i] - inner
    return base


@jit
def complete_row_splits(
    features, order, table, y, weights, start, stop, quick, min_leaf, counting, found
):
    """Best cut of every numeric feature of rows of weight 1; `quick`: only of those not plain.

    `weights` is None if no value is missing; otherwise its numbers are not used.
    """
    log, xlog, values, bits = counting.log, counting.xlog, counting.values, counting.bits
    columns, mask, near = table.columns, table.mask, table.near
    gains, ratios, below, above = found.gain, found.ratio, found.below, found.above
    total = stop - start
    for j in range(len(features)):
        feature = features[j]
        if table.levels[feature] > 0 or (quick and table.plain[feature]):
            continue
        gains[j], n = -1.0, total
        if weights is not None and table.has_missing[feature]:
            n = known_rows(columns[feature], order[j, start:stop], mask)
        least = math.ceil(least_side(float(n), len(counting.left), min_leaf) - VALUE_TOLERANCE)
        # the last row left of the first cut, and the cuts with `least` rows on both sides
        first, size = start + least - 1, n - 2 * least + 1
        if size <= 0:
            continue
        base = class_cuts(
            order, j, mask, start, n, least, size, y, counting.left, counting.right, xlog, values
        )
        entries = order[j, first:stop]
        if near[feature]:
            cuts = drop_near(entries, mask, columns[feature], values[:size])
        else:
            cuts = drop_ranked(entries, mask, values[:size])
        cut = best_cut(values, bits, size, base, VALUE_TOLERANCE * total)
        if cut < 0:
            continue
        # the share of known values times their gain, n / total * (base - entropy) / n, less what
        # it takes to name one of the cuts (Quinlan 1996)
        gain = (base - values[cut] - log[cuts]) / total
        if gain < VALUE_TOLERANCE:
            continue
        left = least + cut
        # split information times the rows: missing values are a third branch
        info = xlog[total] - xlog[left] - xlog[n - left] - xlog[total - n]
        gains[j], ratios[j] = gain, gain * total / info
        below[j], above[j] = order[j, first + cut] & mask, order[j, first + cut + 1] & mask


@jit
def cut_weights(rows, column, y, weight, total, left, right, least):
    """Best cut of rows with any weights; all values are known.

    `left` must be 0 and `right` the class weights. Returns by how much the cut lowers the
    entropies, the rows left of it (0 = none), their weight and how many cuts were admissible.
    """
    n = len(rows)
    known, inner = 0.0, 0.0
    for c in range(len(right)):
        known += right[c]
        inner += x_log2_x(right[c])
    base = inner - x_log2_x(known)
    best, size, best_side, cuts, side = 0.0, 0, 0.0, 0, 0.0
    for i in range(n - 1):
        c, w = y[rows[i]], weight[rows[i]]
        # `inner` stays the sum of f over the classes of both sides
        inner -= x_log2_x(left[c]) + x_log2_x(right[c])
        left[c] += w
        right[c] -= w
        inner += x_log2_x(left[c]) + x_log2_x(right[c])
        side += w
        if column[rows[i]] + VALUE_TIE < column[rows[i + 1]]:
            if side - least <= -VALUE_TOLERANCE or known - side - least <= -VALUE_TOLERANCE:
                continue
            cuts += 1
            # n H - n_L H_L - n_R H_R; `base` is -n H
            value = inner - x_log2_x(side) - x_log2_x(known - side) - base
            if value > best + VALUE_TOLERANCE * total:
                best, size, best_side = value, i + 1, side
    return best, size, best_side, cuts


@jit
def known_rows(column, order, mask):
    """How many of the ordered rows have a value."""
    low, high = 0, len(order)  # rows before `low` have a value, none from `high` on has
    while low < high:
        middle = (low + high) // 2
        if np.isnan(column[order[middle] & mask]):
            high = middle
        else:
            low = middle + 1
    return low


@jit
def sort_node(column, order, mask, rows, weight, out):
    """A node's rows in the order of a column, NaN last; `weight` is 0 for other rows."""
    size = len(rows)
    if size * 8 > len(order):  # cheaper to filter the order of the full table
        found = 0
        for i in range(len(order)):  # no branch: a row of another node is overwritten
            out[found] = order[i] & mask
            found += weight[order[i] & mask] > 0
        return out[:found]
    values = np.empty(size)
    for i in range(size):
        values[i] = column[rows[i]]
    places = order_of_values(values)
    for i in range(size):
        out[i] = rows[places[i]]
    return out[:size]


@jit
def numeric_split(j, order, mask, column, y, weight, total, min_leaf, counting, found):
    """Gain and gain ratio of the best cut of a column, into place j of `found`."""
    found.gain[j] = -1.0
    left, right = counting.left_weight, counting.right_weight
    n = known_rows(column, order, mask)
    rows = counting.rows[:n]
    known = 0.0
    left[:] = 0.0
    right[:] = 0.0
    for i in range(n):
        rows[i] = order[i] & mask
        known += weight[rows[i]]
        right[y[rows[i]]] += weight[rows[i]]
    least = least_side(known, len(left), min_leaf)
    if known - 2 * least <= -VALUE_TOLERANCE:
        return
    raw, size, side, cuts = cut_weights(rows, column, y, weight, total, left, right, least)
    if size == 0:
        return
    gain = (raw - math.log2(cuts)) / total
    if gain < VALUE_TOLERANCE:
        return
    info = x_log2_x(total) - x_log2_x(side) - x_log2_x(known - side) - x_log2_x(total - known)
    found.gain[j], found.ratio[j] = gain, 0.0 if info < VALUE_TOLERANCE else gain * total / info
    found.below[j], found.above[j] = rows[size - 1], rows[size]


@jit
def nominal_split(j, rows, shares, column, levels, y, total, min_leaf, counting, found):
    """Gain and gain ratio of a split with one branch a level, into place j of `found`."""
    found.gain[j] = -1.0
    counts, classes = counting.levels, counting.right_weight
    for level in range(levels):
        for c in range(len(classes)):
            counts[level, c] = 0.0
    for i in range(len(rows)):
        value = column[rows[i]]
        if not np.isnan(value):
            counts[int(value), y[rows[i]]] += shares[i]
    # `inner` becomes minus the entropy after the split, `info` the split information
    known, inner, info, full = 0.0, 0.0, x_log2_x(total), 0
    classes[:] = 0.0
    for level in range(levels):
        weight = 0.0
        for c in range(len(classes)):
            count = counts[level, c]
            classes[c] += count
            weight += count
            inner += x_log2_x(count)
        inner -= x_log2_x(weight)
        info -= x_log2_x(weight)
        known += weight
        full += weight - min_leaf > -VALUE_TOLERANCE
    if full < 2:  # two levels must have the least weight of a leaf
        return
    base = -x_log2_x(known)  # becomes minus the entropy before it
    for c in range(len(classes)):
        base += x_log2_x(classes[c])
    info -= x_log2_x(total - known)  # missing values are one more branch
    # a gain that may be rounding is 0 and not invalid: it counts in the mean of `choose_split`
    gain = (inner - base) / total if (inner - base) * known / total >= VALUE_TOLERANCE else 0.0
    found.gain[j], found.ratio[j] = gain, 0.0 if info < VALUE_TOLERANCE else gain * total / info


@jit
def choose_split(features, levels, tree_weight, found):
    """The place of the largest gain ratio among splits of at least the mean gain; -1 = none.

    Equal ratios go to the first feature.
    """
    gains, ratios = found.gain, found.ratio
    # columns of many levels gain by chance, so they do not count in the mean unless all are such
    many = True  # every feature is nominal with a level for every few rows
    for j in range(len(features)):
        if (
            levels[features[j]] == 0
            or MANY_LEVELS_SHARE * tree_weight - levels[features[j]] > VALUE_TOLERANCE
        ):
            many = False
            break
    mean, valid = 0.0, 0
    for j in range(len(features)):
        few = many or MANY_LEVELS_SHARE * tree_weight - levels[features[j]] > VALUE_TOLERANCE
        if gains[j] >= 0 and (few or levels[features[j]] == 0):
            mean += gains[j]
            valid += 1
    if valid == 0:
        return -1
    mean /= valid
    best, chosen = 0.0, -1
    for j in range(len(features)):
        if gains[j] >= 0 and gains[j] >= mean - GAIN_SLACK and ratios[j] > best + VALUE_TOLERANCE:
            best, chosen = ratios[j], j
    return chosen


@jit
def threshold_at(column, order, mask, below, above, member):
    """The largest value of the tree's rows that is not above the middle of a cut."""
    middle = column[below] / 2 + column[above] / 2  # their sum may overflow
    if middle == column[above]:  # neighbouring doubles
        middle = column[below]
    low, high = 0, len(order)
    while low < high:  # values before `low` are not above the middle; NaN, which is last, is above
        half = (low + high) // 2
        if column[order[half] & mask] - middle < VALUE_TOLERANCE:
            low = half + 1
        else:
            high = half
    low -= 1
    # `below` is a row of the tree and not above the middle, so that this ends
    while not member[order[low] & mask]:
        low -= 1
    return column[order[low] & mask]

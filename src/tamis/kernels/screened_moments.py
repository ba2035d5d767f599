"""Sums of squares within and between classes of many training sets: quick ones, to screen by.

They differ from those of `kernels.moments` by rounding alone, which is bounded here: what is chosen
by them is decided on the latter. All values are taken less one number a column, x - a = d, so that
an atom's sums are those of d and d^2, and a part's sums are those of its atoms, with no anchors in
between. With S_c the sum of the d of class c and Q that of all d^2,

    within = Q - sum_c S_c^2 / n_c,    between = sum_c S_c^2 / n_c - (sum_c S_c)^2 / n

Sums of n numbers and their difference are off by at most (n + 8) eps Q. Where within is below a
hundredth of Q the column is left to `kernels.moments`; elsewhere its relative error is below
`relative_error`.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .moments import GroupedRows
from .units import EPS

BLOCK_VALUES = 1 << 15  # values of X in flight: 256 KB, which stay in L2
MIN_BLOCK_COLUMNS = 64
MIN_WITHIN_SHARE = 0.01  # of Q


def relative_error(n: int) -> float:
    """Bound of the relative error of a sum of squares within classes of n rows."""
    return 2 * (n + 8) * EPS / MIN_WITHIN_SHARE


def screened_squares(
    X: np.ndarray, shift: np.ndarray, groups: GroupedRows
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums of squares within and between classes (n_parts, p), and which columns have to be left to
    `GroupedRows.moments`, in whatever part (p,) bool.

    Parameters
    ----------
    X : (n, p) float64, C order, finite
    shift : (p,)
        A number near the values of each column, such as its mean.
    groups : GroupedRows
    """
    p = X.shape[1]
    _, n_atoms, n_classes = groups.counts.shape
    within, between = np.empty((2, len(groups.of), p))
    width = min(max(MIN_BLOCK_COLUMNS, BLOCK_VALUES // len(X)), p)
    left = np.zeros(p, dtype=np.bool_)
    _fill_squares(
        X,
        shift,
        groups.order,
        groups.ends,
        groups.counts,
        groups.member,
        groups.of,
        np.empty((n_atoms, n_classes + 1, width)),
        np.empty((n_classes + 1, width)),
        within,
        between,
        left,
    )
    return within, between, left


@jit
def _fill_squares(X, shift, order, ends, counts, member, of, sums, own, within, between, left):
    n_atoms, n_classes, p = member.shape[1], own.shape[0] - 1, X.shape[1]
    for start in range(0, p, own.shape[1]):
        width = min(own.shape[1], p - start)
        part = 0
        for k in range(len(order)):
            for a in range(n_atoms):
                for j in range(width):
                    sums[a, n_classes, j] = 0.0
                for c in range(n_classes):
                    g = a * n_classes + c
                    add_differences(
                        X,
                        order[k, ends[k, g] : ends[k, g + 1]],
                        start,
                        shift[start : start + width],
                        sums[a, c, :width],
                        sums[a, n_classes, :width],
                    )
            while part < len(of) and of[part] == k:
                for c in range(n_classes + 1):
                    row = own[c]
                    for j in range(width):
                        row[j] = 0.0
                    for a in range(n_atoms):
                        if member[part, a]:
                            atom = sums[a, c]
                            for j in range(width):
                                row[j] += atom[j]
                squares_of_part(
                    own,
                    counts[k],
                    member[part],
                    within[part, start : start + width],
                    between[part, start : start + width],
                    left[start : start + width],
                )
                part += 1


@jit
def add_differences(X, rows, start, shift, total, square):
    """The sums of d into `total`, those of d^2 added to `square`; four rows at a time."""
    width = len(shift)
    for j in range(width):
        total[j] = 0.0
    whole = len(rows) - len(rows) % 4
    for i in range(0, whole, 4):
        row0, row1 = X[rows[i], start : start + width], X[rows[i + 1], start : start + width]
        row2, row3 = X[rows[i + 2], start : start + width], X[rows[i + 3], start : start + width]
        for j in range(width):
            a = shift[j]
            d0, d1, d2, d3 = row0[j] - a, row1[j] - a, row2[j] - a, row3[j] - a
            total[j] += (d0 + d1) + (d2 + d3)
            square[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
    for i in range(whole, len(rows)):
        row = X[rows[i], start : start + width]
        for j in range(width):
            d = row[j] - shift[j]
            total[j] += d
            square[j] += d * d


@jit
def squares_of_part(own, counts, member, within, between, left):
    """From the sums of a part (C + 1, width), those of d^2 last, to its sums of squares."""
    n_classes, width, n = len(own) - 1, len(within), 0
    for j in range(width):
        between[j] = 0.0
        within[j] = 0.0  # the sum of all d, at first
    for c in range(n_classes):
        size = 0
        for a in range(len(member)):
            if member[a]:
                size += counts[a, c]
        n += size
        share, row = 1.0 / size, own[c]
        for j in range(width):
            within[j] += row[j]
            between[j] += row[j] * row[j] * share
    share, square = 1.0 / n, own[n_classes]
    for j in range(width):
        classes, all_rows = between[j], within[j] * within[j] * share
        within[j] = square[j] - classes
        between[j] = classes - all_rows
        left[j] |= not within[j] >= MIN_WITHIN_SHARE * square[j]

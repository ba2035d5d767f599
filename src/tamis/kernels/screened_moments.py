"""Sums of squares within and between classes of many training sets: quick ones, to screen by.

They differ from those of `kernels.moments` by rounding alone, which is bounded here: what is chosen
by them is decided on the latter. All values are taken less one number a column, x - a = d, so that
an atom's sums are those of d and d^2, and a part's sums are those of its atoms, with no anchors in
between. With S_c the sum of the d of class c and Q that of all d^2,

    within = Q - sum_c S_c^2 / n_c,    between = sum_c S_c^2 / n_c - (sum_c S_c)^2 / n

An inner training set lacks one atom of the outer one: its sums are those of all atoms less one. So
they are off by at most (n + 8) eps Q, with Q and n those of all atoms. Where within is below a
thousandth of that Q the column is left to `kernels.moments`; elsewhere its relative error is below
`relative_error`. So are columns whose values are all alike but for their last digits, for there the
means of `kernels.moments` are rounded, beside what lies between them.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .moments import GroupedRows
from .units import EPS

BLOCK_VALUES = 1 << 15  # d and d^2 of so many values in flight: 512 KB, which stay in L2
MIN_BLOCK_COLUMNS = 64
MIN_WITHIN_SHARE = 1e-3  # of Q
MIN_VARIATION = 2e-7  # standard deviation over mean, and over the root of the number of rows


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
        np.zeros((2, len(X) + 1, width)),
        np.empty((n_atoms + 1, n_classes + 1, width)),
        np.empty((n_classes + 1, width)),
        (len(X) * MIN_VARIATION * shift) ** 2,
        within,
        between,
        left,
    )
    return within, between, left


@jit
def _fill_squares(
    X, shift, order, ends, counts, member, of, values, sums, own, least, within, between, left
):
    # `values` holds d and d^2 of a block of columns, and a last row of zeros; `sums` those of each
    # atom, by class and of d^2, and at last of all atoms
    n, p = X.shape
    n_atoms, n_classes, size = member.shape[1], len(own) - 1, own.shape[1]
    for start in range(0, p, size):
        width = min(size, p - start)
        for i in range(n):
            row, d, square = X[i, start : start + width], values[0, i], values[1, i]
            for j in range(width):
                d[j] = row[j] - shift[start + j]
                square[j] = d[j] * d[j]
        part = 0
        for k in range(len(order)):
            sums[n_atoms] = 0.0
            for a in range(n_atoms):
                sums[a] = 0.0
                for c in range(n_classes):
                    g = a * n_classes + c
                    rows = order[k, ends[k, g] : ends[k, g + 1]]
                    add_rows(values, rows, sums[a, c], sums[a, n_classes])
                add_sums(sums[n_atoms], sums[a], 1.0)
            while part < len(of) and of[part] == k:
                at = slice(start, start + width)
                sizes = class_sizes(counts[k], member[part])
                less = left_out_atom(counts[k], member[part])
                found = least[at], within[part, at], between[part, at], left[at]
                if n_classes == 2 and less >= 0:
                    squares_of_two_classes(sums[n_atoms], sums[less], sizes, *found)
                else:
                    sums_of_part(sums, counts[k], member[part], own)
                    squares_of_part(own, sums[n_atoms, n_classes], sizes, *found)
                part += 1


@jit
def left_out_atom(counts, member):
    """The only atom with rows that is not in a part; -1 if there are none or more."""
    found = -1
    for a in range(len(member)):
        if not member[a] and counts[a].sum() > 0:
            if found >= 0:
                return -1
            found = a
    return found


@jit
def class_sizes(counts, member):
    """Rows of each class in a part (C,)."""
    found = np.zeros(counts.shape[1], dtype=np.int64)
    for a in range(len(member)):
        if member[a]:
            for c in range(len(found)):
                found[c] += counts[a, c]
    return found


@jit
def squares_of_two_classes(every, less, sizes, least, within, between, left):
    """`squares_of_part` of the sums `every` less those of one atom, all in one pass."""
    first, second = 1.0 / sizes[0], 1.0 / sizes[1]
    both = 1.0 / (sizes[0] + sizes[1])
    all0, all1, all2, less0, less1, less2 = every[0], every[1], every[2], less[0], less[1], less[2]
    for j in range(len(within)):
        s0, s1 = all0[j] - less0[j], all1[j] - less1[j]
        classes = s0 * s0 * first + s1 * s1 * second
        square = (all2[j] - less2[j]) - classes
        within[j] = square
        between[j] = classes - (s0 + s1) * (s0 + s1) * both
        left[j] |= not square >= max(MIN_WITHIN_SHARE * all2[j], least[j])


@jit
def add_rows(values, rows, total, square):
    """Add the d of some rows to `total`, and the d^2 to `square`; four rows at a time, at the end
    with some that are 0."""
    nothing = values.shape[1] - 1
    for i in range(0, len(rows), 4):
        a, b = rows[i], rows[i + 1] if i + 1 < len(rows) else nothing
        c = rows[i + 2] if i + 2 < len(rows) else nothing
        d = rows[i + 3] if i + 3 < len(rows) else nothing
        for kind in range(2):
            found = total if kind == 0 else square
            row_a, row_b, row_c, row_d = (
                values[kind, a],
                values[kind, b],
                values[kind, c],
                values[kind, d],
            )
            for j in range(len(found)):
                found[j] += (row_a[j] + row_b[j]) + (row_c[j] + row_d[j])


@jit
def add_sums(found, sums, factor):
    """Add sums (C + 1, width) times a factor."""
    for c in range(len(found)):
        out, row = found[c], sums[c]
        for j in range(len(out)):
            out[j] += factor * row[j]


@jit
def sums_of_part(sums, counts, member, own):
    """The sums of a part (C + 1, width): of its atoms, or of all less the others if these are
    fewer."""
    inside, outside = 0, 0
    for a in range(len(member)):
        if counts[a].sum() > 0:
            inside += member[a]
            outside += not member[a]
    few = inside < outside
    for c in range(len(own)):
        out, row = own[c], sums[len(member), c]
        for j in range(len(out)):
            out[j] = 0.0 if few else row[j]
    for a in range(len(member)):
        if member[a] == few and counts[a].sum() > 0:
            add_sums(own, sums[a], 1.0 if few else -1.0)


@jit
def squares_of_part(own, square_of_all, sizes, least, within, between, left):
    """From the sums of a part (C + 1, width), those of d^2 last, to its sums of squares."""
    n_classes, width, n = len(sizes), len(within), 0
    for j in range(width):
        between[j] = 0.0
        within[j] = 0.0  # the sum of all d, at first
    for c in range(n_classes):
        n += sizes[c]
        share, row = 1.0 / sizes[c], own[c]
        for j in range(width):
            within[j] += row[j]
            between[j] += row[j] * row[j] * share
    share, square = 1.0 / n, own[n_classes]
    for j in range(width):
        classes, all_rows = between[j], within[j] * within[j] * share
        within[j] = square[j] - classes
        between[j] = classes - all_rows
        left[j] |= not within[j] >= max(MIN_WITHIN_SHARE * square_of_all[j], least[j])

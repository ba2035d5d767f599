"""The columns of a huberised SVM's path: dense or sparse, and which of them must be checked.

With z = X'u the optimality conditions bound every |z_j| by l1. Between two computations of all of
z the vector u moves little, and by Cauchy-Schwarz, for any c,

    |x_j'u| <= |c| |x_j'u_ref| + |x_j| |u - c u_ref|

so that only columns whose bound exceeds l1 are multiplied out; the others satisfy their condition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit, jit_sums


@jit_sums
def dot_product(a, b):
    # `jit_sums` lets the compiler add in any order: else every addition waits for the one before,
    # and no sum is vectorised
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@jit_sums
def row_dot(rows, j, u):
    total = 0.0
    for i in range(len(u)):
        total += rows[j, i] * u[i]
    return total


@jit_sums
def row_products(rows, count, u, out):
    """out_j = rows_j'u for the first `count` rows: one stream through memory."""
    for j in range(count):
        total = 0.0
        for i in range(len(u)):
            total += rows[j, i] * u[i]
        out[j] = total


@jit_sums
def near_products(rows, count, u, out):
    """`row_products`, quicker for rows in the cache: four at a time."""
    # each u_i is loaded once for four rows. Rows from memory are better read one after the other
    grouped = count - count % 4
    for j in range(0, grouped, 4):
        t0 = t1 = t2 = t3 = 0.0
        for i in range(len(u)):
            by = u[i]
            t0 += rows[j, i] * by
            t1 += rows[j + 1, i] * by
            t2 += rows[j + 2, i] * by
            t3 += rows[j + 3, i] * by
        out[j], out[j + 1], out[j + 2], out[j + 3] = t0, t1, t2, t3
    for j in range(grouped, count):
        out[j] = row_dot(rows, j, u)


@jit_sums
def add_rows(rows, count, w, out):
    """Add sum_j w_j rows_j to out, eight rows at a time."""
    # `out` is read and written once for eight rows; the sum is a tree, whose additions overlap
    grouped = count - count % 8
    for j in range(0, grouped, 8):
        w0, w1, w2, w3 = w[j], w[j + 1], w[j + 2], w[j + 3]
        w4, w5, w6, w7 = w[j + 4], w[j + 5], w[j + 6], w[j + 7]
        for i in range(len(out)):
            low = (w0 * rows[j, i] + w1 * rows[j + 1, i]) + (
                w2 * rows[j + 2, i] + w3 * rows[j + 3, i]
            )
            high = (w4 * rows[j + 4, i] + w5 * rows[j + 5, i]) + (
                w6 * rows[j + 6, i] + w7 * rows[j + 7, i]
            )
            out[i] += low + high
    for j in range(grouped, count):
        for i in range(len(out)):
            out[i] += w[j] * rows[j, i]


@jit
def add_to(out, factor, rows, j):
    for i in range(len(out)):
        out[i] += factor * rows[j, i]


@jit
def copy_row(out, row):
    for i in range(len(out)):
        out[i] = row[i]


class ColumnTable(NamedTuple):
    """Columns as rows of `dense`, or, if that has none, compressed sparse columns.

    Sparse column j is factor_j (x_j - offset_j), which is written out for the working set only: a
    centred column has no zeros.
    """

    dense: np.ndarray  # (p, n) or (0, n)
    values: np.ndarray  # (nnz,)
    rows: np.ndarray  # (nnz,)
    starts: np.ndarray  # (p + 1,)
    offset: np.ndarray  # (p,)
    factor: np.ndarray  # (p,)


@jit
def dense_table(columns: np.ndarray) -> ColumnTable:
    """Table of dense columns (p, n), C order, which are not copied."""
    # the arrays of the sparse form are empty
    no_values, no_indices = np.empty(0), np.empty(0, np.int64)
    return ColumnTable(columns, no_values, no_indices, no_indices, no_values, no_values)


@jit
def write_column(table, j, out):
    """Write column j (n,) to out."""
    if len(table.dense):
        copy_row(out, table.dense[j])
        return
    for i in range(len(out)):  # what x_j = 0 becomes, where nothing is stored
        out[i] = -table.factor[j] * table.offset[j]
    for k in range(table.starts[j], table.starts[j + 1]):
        out[table.rows[k]] = table.factor[j] * (table.values[k] - table.offset[j])


@jit
def column_product(table, j, u, total):
    """x_j'u of column j, where `total` is the sum of u.

    Of a sparse column factor (x'u - offset sum(u)): centring costs one product, not a dense column.
    """
    if len(table.dense):
        return row_dot(table.dense, j, u)
    s = 0.0
    for k in range(table.starts[j], table.starts[j + 1]):
        s += table.values[k] * u[table.rows[k]]
    return table.factor[j] * (s - table.offset[j] * total)


class Screen(NamedTuple):
    """The last computation of all z_j, and what is known of |z_j| since."""

    norms: np.ndarray  # (p,) norms of the columns, or bounds on them from above
    z: np.ndarray  # (p,) x_j'u at the reference
    reference: np.ndarray  # (n,) u when all z_j were last computed
    upper: np.ndarray  # (p,) |z_j| now, or a bound on it that is at most l1
    place: np.ndarray  # (p,) position in the working set, or -1
    listed: np.ndarray  # (p,) the columns multiplied out
    scratch: np.ndarray  # (p,)
    doubtful: np.ndarray  # (p,) scratch
    spent: np.ndarray  # (1,) columns multiplied out one by one since all were


@jit
def open_screen(table, n):
    """A screen with the norms of all columns; its reference u = 0 has yet to be replaced."""
    p = max(len(table.dense), len(table.starts) - 1)  # one of the two tables is empty
    norms = np.empty(p)
    for j in range(p):
        if len(table.dense):
            norms[j] = np.sqrt(dot_product(table.dense[j], table.dense[j]))
        else:
            # |x - offset|^2, with offset^2 for each value that is not stored. A centred column far
            # from 0 has products of large terms that cancel: its norm gets a floor, so that
            # `rounding_bound` can be in proportion to it
            offset, first, last = table.offset[j], table.starts[j], table.starts[j + 1]
            square = (n - (last - first)) * offset * offset
            for k in range(first, last):
                square += (table.values[k] - offset) ** 2
            raw = abs(offset) * np.sqrt(n)
            norms[j] = abs(table.factor[j]) * max(np.sqrt(square), 1e-6 * raw)
    place, spent = np.empty(p, np.int64), np.empty(1, np.int64)
    for j in range(p):
        place[j] = -1
    spent[0] = p  # more than half: all columns are multiplied out at first
    return Screen(
        norms,
        np.zeros(p),
        np.zeros(n),
        np.zeros(p),
        place,
        np.empty(p, np.int64),
        np.empty(p),
        np.empty(p, np.int64),
        spent,
    )


@jit
def look_at_columns(table, screen, u, l1):
    """Fill `upper`; returns how many columns outside the working set are `listed`.

    Those listed have |z_j| itself in `upper`; |z_j| <= l1 is certain for the others outside the
    working set.
    """
    norms, z, reference, upper = screen.norms, screen.z, screen.reference, screen.upper
    listed, spent = screen.listed, screen.spent
    p, n = len(norms), len(u)
    size, length = dot_product(u, u), dot_product(reference, reference)
    c = dot_product(u, reference) / length if length > 0 else 0.0  # minimises |u - c u_ref|
    apart, total = 0.0, 0.0
    for i in range(n):
        apart += (u[i] - c * reference[i]) ** 2
        total += u[i]
    # |u - c u_ref|, the rounding of its own sum, and that of the products that are compared
    slack = np.sqrt(apart) * (1 + 1e-10)
    slack += rounding_bound(table, n) * (np.sqrt(size) + abs(c) * np.sqrt(length))
    count = bound_all(z, norms, abs(c), slack, l1, screen.place, upper, listed)
    spent[0] += count
    # by then it would have paid to compute all z_j anew, after which the bounds are tight again
    if spent[0] > p // 2:
        spent[0] = 0
        copy_row(reference, u)
        if len(table.dense):
            row_products(table.dense, p, u, z)
        else:
            for j in range(p):
                z[j] = column_product(table, j, u, total)
        return bound_all(z, norms, 1.0, 0.0, l1, screen.place, upper, listed)
    for k in range(count):
        upper[listed[k]] = abs(column_product(table, listed[k], u, total))
    return count


@jit
def rounding_bound(table, n):
    """Bound on the rounding error of x_j'u, relative to |x_j| |u|."""
    # n eps for a sum of n products, eps = 2.2e-16, with some room. Sparse columns may lose six
    # digits in centring: no more, by the floor of their norms in `open_screen`
    return n * 4e-16 * (1.0 if len(table.dense) else 1e6)


@jit
def bound_all(z, norms, c, slack, l1, place, upper, listed):
    """upper = c |z| + slack norms; list the columns over l1 that are not in the working set.

    Returns how many are listed.
    """
    count = 0
    for j in range(len(z)):  # two loops: the first is vectorised
        upper[j] = c * abs(z[j]) + norms[j] * slack
    for j in range(len(z)):
        if upper[j] > l1 and place[j] < 0:
            listed[count] = j
            count += 1
    return count


@jit
def transposed_copy(X):
    """X' (p, n) in C order, by blocks that stay in the cache."""
    # 32 rows of `out` are written side by side, each a number further every turn: their lines of
    # cache are filled before they are evicted
    n, p = X.shape
    out = np.empty((p, n))
    for start in range(0, p, 32):
        stop = min(start + 32, p)
        for i in range(n):
            for j in range(start, stop):
                out[j, i] = X[i, j]
    return out


@jit
def standardise_columns(columns, weights, centre, divide):
    """Centre and scale dense columns (p, n) in place; their means and standard deviations.

    A constant column becomes exactly 0 (if centred) and has scale 1. The scale of a column with NaN
    or infinite values, or whose squares overflow, is not finite, whether or not it is divided by.
    """
    p, n = columns.shape
    means, scale, total = np.empty(p), np.ones(p), weights.sum()
    for j in range(p):
        column = columns[j]
        mean, constant = dot_product(column, weights) / total, True
        for i in range(n):
            if column[i] != column[0]:
                constant = False
                break
        if constant:  # exactly: the weighted mean may differ from it by rounding
            mean = column[0]
        square = 0.0
        for i in range(n):
            square += weights[i] * (column[i] - mean) ** 2
        if (divide and square > 0) or not np.isfinite(square):
            scale[j] = np.sqrt(square / total)
        means[j] = mean if centre else 0.0
        for i in range(n):
            column[i] -= means[j]
        if scale[j] != 1.0:
            for i in range(n):
                column[i] /= scale[j]
    return means, scale


@jit
def standardise_sparse(values, rows, starts, weights, centre, divide):
    """Means and standard deviations of sparse columns, and the factor each has in `ColumnTable`.

    The sums of `standardise_columns`, in which values that are not stored are 0.
    """
    p, total = len(starts) - 1, weights.sum()
    means, scale, factor = np.zeros(p), np.ones(p), np.ones(p)
    for j in range(p):
        first, last = starts[j], starts[j + 1]
        mean, seen = 0.0, 0.0
        constant = last == first or last - first == len(weights)  # all values stored, or none
        for k in range(first, last):
            mean += weights[rows[k]] * values[k] / total
            seen += weights[rows[k]]
            constant = constant and values[k] == values[first]
        if constant:
            mean = values[first] if last > first else 0.0
        # the weight of the zeros, of which each is `mean` away; rounding may make it negative
        square = 0.0 if constant else max(total - seen, 0.0) * mean * mean
        for k in range(first, last):
            square += weights[rows[k]] * (values[k] - mean) ** 2
        if (divide and square > 0) or not np.isfinite(square):
            scale[j] = np.sqrt(square / total)
        if centre:
            means[j] = mean
        factor[j] = 0.0 if centre and constant else 1 / scale[j]  # 0: exactly the zero column
    return means, scale, factor


@jit
def largest_product(table, u):
    """max_j |x_j'u| over the columns for which that is more than rounding, or 0.

    At the first u of a path it is lambda_max.
    """
    p = max(len(table.dense), len(table.starts) - 1)
    total, size, largest = u.sum(), np.sqrt(dot_product(u, u)), 0.0
    for j in range(p):
        z = abs(column_product(table, j, u, total))
        # the norm before centring, which leaves nothing but rounding of a nearly constant column
        if z > largest and z > 1e-14 * size * stored_norm(table, j):
            largest = z
    return largest


@jit
def stored_norm(table, j):
    """Norm of column j as it is stored, before any implicit centring."""
    if len(table.dense):
        return np.sqrt(dot_product(table.dense[j], table.dense[j]))
    square = 0.0
    for k in range(table.starts[j], table.starts[j + 1]):
        square += table.values[k] ** 2
    return abs(table.factor[j]) * np.sqrt(square)

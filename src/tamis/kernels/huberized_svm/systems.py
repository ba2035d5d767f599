"""The linear systems of the huberised SVM's Newton steps, and the region each belongs to.

A region is a set E of rows on the elbow of phi and a set of columns that move. Its system has one
unknown for each column and one for the intercept, or, where columns outnumber E, one for each row
of E (Woodbury).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit, jit_sums
from .columns import add_rows, near_products, write_column

RIDGE_RATIO = 1e-11  # share of a column's curvature: keeps systems regular where l2 = 0
# share of the largest curvature: the system of size |E| divides by l2, and is accurate above this
BY_ROWS = 1e-9


class Problem(NamedTuple):
    """What stays fixed along a path, apart from its columns; weights are already divided by n."""

    y: np.ndarray  # (n,), -1 or 1
    v: np.ndarray  # (n,), positive
    weight: float  # sum of v
    l2: float
    delta: float
    intercept: bool


class Factor(NamedTuple):
    """Cholesky factor of the Newton system of one region."""

    columns: np.ndarray  # (k,) numbers of the columns that move
    elbow: np.ndarray  # (e,) rows on the elbow
    lower: np.ndarray  # (k + 1, k + 1), or (e, e) if by_rows
    ones: np.ndarray  # (e,) if by_rows, the solution for a right side of ones
    by_rows: bool


class Gram(NamedTuple):
    """X_C X_C' over all rows, kept up to date as columns C come and go (Woodbury's system)."""

    matrix: np.ndarray  # (n, n), lower triangle; (0, 0): never used
    member: np.ndarray  # (p,) bool
    columns: np.ndarray  # (p,), the first `state[0]` are the columns in C
    state: np.ndarray  # (2,): size of C, rank-one changes since the matrix was last set to 0


@jit
def no_factor():
    empty = np.empty(0, np.int64)
    # a factor of size 0, which `same_system` takes for none
    return Factor(empty, empty, np.empty((0, 0)), np.empty(0), False)


@jit
def same_system(factor, names, chosen, elbow):
    if len(factor.lower) == 0 or len(factor.columns) != len(chosen):
        return False
    if len(factor.elbow) != len(elbow):
        return False
    # by number: places in the working set change as columns join it
    for k in range(len(chosen)):
        if factor.columns[k] != names[chosen[k]]:
            return False
    for i in range(len(elbow)):  # noqa: SIM110
        if factor.elbow[i] != elbow[i]:
            return False
    return True


@jit
def picked_values(values, places):
    """values[places]; numba compiles the loop far quicker than the indexing."""
    out = np.empty(len(places), values.dtype)
    for k in range(len(places)):
        out[k] = values[places[k]]
    return out


@jit
def factorise_system(problem, part, names, curvature, chosen, elbow, gram, table):
    """Factor of R + Z' B Z, Z = (1, columns) on the elbow, B = diag(v / delta), R a ridge.

    Of size k + 1; or, where columns outnumber the e rows on the elbow, the factor of the e x e
    matrix X X' + l2 / B (Woodbury).
    """
    v, l2, delta = problem.v, problem.l2, problem.delta
    k, e = len(chosen), len(elbow)
    top = 0.0
    for j in chosen:
        top = max(top, curvature[1, j])
    if k > e > 0 and len(gram.matrix) and l2 > BY_ROWS * top:
        update_gram(gram, part, names, chosen, table)
        lower = np.empty((e, e))
        for i in range(e):
            row = gram.matrix[elbow[i]]
            for h in range(i + 1):  # `elbow` rises, so these are in the lower triangle of `matrix`
                lower[i, h] = row[elbow[h]]
            lower[i, i] += l2 * delta / v[elbow[i]]
        cholesky_factor(lower)
        ones = np.ones(e)
        back_solve(lower, ones)
        return Factor(picked_values(names, chosen), elbow.copy(), lower, ones, True)
    rows = np.empty((k + 1, e))  # (B^1/2 Z)', so that Z' B Z are products of its rows
    for i in range(e):
        rows[0, i] = np.sqrt(v[elbow[i]] / delta)
    for h in range(k):
        row, column = rows[h + 1], part[chosen[h]]
        for i in range(e):
            row[i] = column[elbow[i]] * rows[0, i]
    if not problem.intercept:  # its unknown is decoupled, and its solution not used
        rows[0] = 0.0
    lower = np.empty((k + 1, k + 1))
    for h in range(k + 1):  # the lower triangle alone
        near_products(rows, h + 1, rows[h], lower[h])
    lower[0, 0] += RIDGE_RATIO * problem.weight / delta
    for h in range(k):
        lower[h + 1, h + 1] += max(l2, RIDGE_RATIO * curvature[1, chosen[h]])
    cholesky_factor(lower)
    return Factor(picked_values(names, chosen), elbow.copy(), lower, np.empty(0), False)


@jit
def update_gram(gram, part, names, chosen, table):
    """Bring `gram` to the columns `chosen`, by a rank-one change for each that came or went."""
    matrix, member, columns, state = gram
    wanted = np.zeros(len(member), np.bool_)
    for j in chosen:
        wanted[names[j]] = True
    gone = 0
    for k in range(state[0]):
        gone += not wanted[columns[k]]
    come = len(chosen) - (state[0] - gone)
    # begin anew where that is no more work, and when so many changes have been summed that their
    # rounding errors may count
    if come + gone >= len(chosen) or state[1] + come + gone > len(columns):
        matrix[:] = 0.0
        member[:] = False
        state[:] = 0
    buffer = np.empty(len(matrix))
    left = 0  # columns[:left] stay
    for k in range(state[0]):
        c = columns[k]
        if wanted[c]:
            columns[left] = c
            left += 1
        else:
            member[c] = False
            # it may have left the working set, `part`, as well
            write_column(table, c, buffer)
            add_outer(matrix, -1.0, buffer)
            state[1] += 1
    for j in chosen:
        c = names[j]
        if not member[c]:
            member[c] = True
            columns[left] = c
            left += 1
            add_outer(matrix, 1.0, part[j])
            state[1] += 1
    state[0] = left


@jit
def add_outer(matrix, factor, row):
    """Add factor row row' to the lower triangle of the matrix."""
    for i in range(len(row)):
        by = factor * row[i]
        for h in range(i + 1):
            matrix[i, h] += by * row[h]


@jit
def newton_step(problem, part, chosen, factor, g0, slope, d):
    """Solve (R + Z' B Z) (d0, d) = -(g0, slope) over `chosen`; d is 0 elsewhere."""
    d[:] = 0.0
    k = len(chosen)
    if not factor.by_rows:
        x = np.empty(k + 1)
        x[0] = -g0
        for h in range(k):
            x[h + 1] = -slope[chosen[h]]
        back_solve(factor.lower, x)
        for h in range(k):
            d[chosen[h]] = x[h + 1]
        return x[0] if problem.intercept else 0.0
    # with w = B (d0 + X d), all on the elbow, the system reads
    # (X X' + l2 / B) w = l2 d0 - X slope, sum(w) + ridge0 d0 = -g0, d = -(slope + X' w) / l2
    elbow, l2 = factor.elbow, problem.l2
    full = np.zeros(part.shape[1])
    for j in chosen:
        d[j] = slope[j]
    add_rows(part, len(d), d, full)
    w = picked_values(full, elbow)  # X slope
    back_solve(factor.lower, w)
    # w of the equations is l2 d0 ones - w of the code; its sum gives d0
    d0 = 0.0
    if problem.intercept:
        ridge0 = RIDGE_RATIO * problem.weight / problem.delta
        top = bottom = 0.0
        for i in range(len(w)):
            top += w[i]
            bottom += factor.ones[i]
        d0 = (top - g0) / (l2 * bottom + ridge0)
    full[:] = 0.0  # w of the equations, 0 off the elbow
    for i in range(len(elbow)):
        full[elbow[i]] = l2 * d0 * factor.ones[i] - w[i]
    all_of = np.empty(len(d))
    near_products(part, len(d), full, all_of)
    for j in chosen:
        d[j] = -(slope[j] + all_of[j]) / l2
    return d0


@jit_sums
def cholesky_factor(matrix):
    """Lower factor in place; the upper triangle is not read.

    A pivot lost to rounding is set so high that its unknown hardly moves.
    """
    for h in range(len(matrix)):
        pivot = matrix[h, h]
        for k in range(h):
            pivot -= matrix[h, k] * matrix[h, k]
        if pivot <= 1e-15 * matrix[h, h]:  # dependent on the rows before, or a row of zeros
            pivot = max(matrix[h, h], 1e-300)
        matrix[h, h] = np.sqrt(pivot)
        for i in range(h + 1, len(matrix)):
            total = 0.0
            for k in range(h):
                total += matrix[i, k] * matrix[h, k]
            matrix[i, h] = (matrix[i, h] - total) / matrix[h, h]


@jit_sums
def back_solve(lower, x):
    """Overwrite x by the solution z of lower lower' z = x."""
    for i in range(len(x)):
        total = 0.0
        for k in range(i):
            total += lower[i, k] * x[k]
        x[i] = (x[i] - total) / lower[i, i]
    # with lower' by columns, which are rows of `lower`: contiguous in memory
    for i in range(len(x) - 1, -1, -1):
        x[i] /= lower[i, i]
        for k in range(i):
            x[k] -= x[i] * lower[i, k]

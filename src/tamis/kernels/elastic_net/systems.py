"""The linear systems of a Newton step: (Z D Z' + R) x = r, class by class and all together.

Z holds the free columns and the active ones of a class as rows, D = diag(bends), R the ridge of
the active ones. With many active columns the system is reduced to one of n unknowns (Woodbury),

    (Z D Z' + R)^-1 by T = (D^-1 + G / l2)^-1,  G = sum_j x_j x_j' / ridge_j,

where G does not depend on D: it is kept along the path and updated for the columns that come and
go. In this module q = len(free), the row of ones for the intercept included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from ..huberized_svm.columns import add_rows, copy_row, near_products, write_column
from ..huberized_svm.systems import add_outer, back_solve, cholesky_factor

# relative ridge that keeps collinear columns regular; shapes steps, not solutions
TINY_RIDGE = 1e-11
TALL_RATIO = 0.7  # active columns over rows above which the system has n unknowns
MOST_DIRECT = 160  # unknowns of all classes together up to which one factor is made
MOST_TURNS, NEAR_ENOUGH = 60, 1e-3  # conjugate gradients: most steps, residual ratio to stop at


class Gram(NamedTuple):
    """G of one class and the columns it is a sum over."""

    matrix: np.ndarray  # (n, n), lower triangle; (0, 0) where it is never used
    member: np.ndarray  # (p,) bool, whether a column is in the sum
    columns: np.ndarray  # (p,) int64, the first state[0] are the columns in the sum
    state: np.ndarray  # (2,) number of columns in the sum, changes since it was built anew


class Block(NamedTuple):
    """The factored system of one class."""

    Z: np.ndarray  # (a, n) active columns as rows
    chosen: np.ndarray  # (a,) their places in the working set
    ridge: np.ndarray  # (a,) R: l2 times their ridge
    by_rows: bool  # whether the system is the one of n unknowns
    lower: np.ndarray  # Cholesky factor, (q + a, q + a), or (n, n) of I + half G half / l2
    half: np.ndarray  # (n,) square roots of the bends
    pushed: np.ndarray  # (q, n) T times the free columns, if by rows
    corner: np.ndarray  # (q, q) Cholesky factor of free T free', if by rows


@jit
def open_gram(rows, p):
    """A Gram without columns: G = 0 (rows, rows)."""
    return Gram(
        np.zeros((rows, rows)), np.zeros(p, np.bool_), np.zeros(p, np.int64), np.zeros(2, np.int64)
    )


@jit
def update_gram(gram, part, names, ridge, all_ridge, chosen, table):
    """Bring G to the columns chosen, by a rank-one change for each that comes or goes.

    It is built anew if that takes fewer changes, or after so many that rounding has piled up.
    `chosen` are places in the working set, which `ridge` and `part` go by; `all_ridge` goes by
    the names of the columns.
    """
    matrix, member, columns, state = gram.matrix, gram.member, gram.columns, gram.state
    wanted = np.zeros(len(member), np.bool_)
    for j in chosen:
        wanted[names[j]] = True
    gone = 0
    for k in range(state[0]):
        gone += not wanted[columns[k]]
    come = len(chosen) - (state[0] - gone)  # members that stay are chosen too
    if come + gone >= len(chosen) or state[1] + come + gone > 4 * len(columns):
        matrix[:] = 0.0
        member[:] = False
        state[:] = 0
    buffer, left = np.empty(len(matrix)), 0
    # members that stay move up to columns[:left], left <= k; none are left if G was emptied
    for k in range(state[0]):
        name = columns[k]
        if wanted[name]:
            columns[left] = name
            left += 1
        else:
            member[name] = False
            # it may have left the working set too, so it is taken from the table
            write_column(table, name, buffer)
            add_outer(matrix, -1.0 / all_ridge[name], buffer)
            state[1] += 1
    for j in chosen:
        name = names[j]
        if not member[name]:
            member[name] = True
            columns[left] = name
            left += 1
            add_outer(matrix, 1.0 / ridge[j], part[j])
            state[1] += 1
    state[0] = left


@jit
def gathered_rows(part, chosen):
    """The rows `chosen` of part (a, n); part itself, without a copy, if they are all of them."""
    if len(chosen) == len(part):
        return part
    Z = np.empty((len(chosen), part.shape[1]))
    for h in range(len(chosen)):
        copy_row(Z[h], part[chosen[h]])
    return Z


@jit
def factorise_block(free, Z, part, names, ridge, all_ridge, chosen, l2, bends, gram, table):
    """The Block of the columns `chosen` of `part`, which are given as Z (a, n) too."""
    n, a, q = part.shape[1], len(chosen), len(free)
    own = np.empty(a)
    for h in range(a):
        own[h] = l2 * ridge[chosen[h]]
    half = np.sqrt(bends)
    by_rows = len(gram.matrix) > 0 and a > TALL_RATIO * n
    if by_rows:
        update_gram(gram, part, names, ridge, all_ridge, chosen, table)
        # T = half (I + half G half / l2)^-1 half: no division by D, whose bends may be 0, and
        # eigenvalues of at least 1
        lower = np.empty((n, n))
        for i in range(n):
            for h in range(i + 1):
                lower[i, h] = half[i] * half[h] * gram.matrix[i, h] / l2
            lower[i, i] += 1.0
        cholesky_factor(lower)
        # Schur complement of the active columns in the full system: free T free'
        pushed, corner = np.empty((q, n)), np.empty((q, q))
        for h in range(q):
            copy_row(pushed[h], free[h])
            push_row(lower, half, pushed[h])
            near_products(free, q, pushed[h], corner[h])
            corner[h, h] *= 1 + TINY_RIDGE
        cholesky_factor(corner)
        return Block(Z, chosen, own, True, lower, half, pushed, corner)
    # rows times D^1/2, so that their products are Z D Z'
    scaled = np.empty((q + a, n))
    for h in range(q + a):
        for i in range(n):
            scaled[h, i] = half[i] * (free[h, i] if h < q else Z[h - q, i])
    lower = np.empty((q + a, q + a))
    for h in range(q + a):
        near_products(scaled, h + 1, scaled[h], lower[h])  # lower triangle only
        lower[h, h] *= 1 + TINY_RIDGE
        if h >= q:  # free columns have no ridge
            lower[h, h] += own[h - q]
    cholesky_factor(lower)
    return Block(Z, chosen, own, False, lower, half, np.empty((0, n)), np.empty((0, 0)))


@jit
def push_row(lower, half, row):
    """row becomes T row = half (I + half G half / l2)^-1 half row."""
    row *= half
    back_solve(lower, row)
    row *= half


@jit
def solve_block(free, block, right, x):
    """x = (Z D Z' + R)^-1 right, both (q + a,): free columns first."""
    q, a, n = len(free), len(block.chosen), free.shape[1]
    if not block.by_rows:
        copy_row(x, right)
        back_solve(block.lower, x)
        return
    # With F the free columns, Z the active ones and (b, w) the solution for (r_F, r_Z):
    #   s = T Z' R^-1 r_Z,  (F T F') b = r_F - F s,  w = R^-1 (r_Z - Z (s + T F' b))
    over = np.empty(a)
    for h in range(a):
        over[h] = right[q + h] / block.ridge[h]
    s, first = np.zeros(n), np.empty(q)
    add_rows(block.Z, a, over, s)
    push_row(block.lower, block.half, s)
    near_products(free, q, s, first)
    for h in range(q):
        first[h] = right[h] - first[h]
    back_solve(block.corner, first)
    add_rows(block.pushed, q, first, s)  # s + T F' b
    near_products(block.Z, a, s, over)
    copy_row(x[:q], first)
    for h in range(a):
        x[q + h] = (right[q + h] - over[h]) / block.ridge[h]


@jit
def solve_directly(problem, Zs, ridge, chosen, starts, l2, shares, bends, right, x):
    """All classes at once by one Cholesky factor, for few unknowns; x (size,) is overwritten."""
    free, v, size = problem.free, problem.v, len(right)
    q, n = len(free), len(v)
    lower, row = np.zeros((size, size)), np.empty(n)
    for k in range(len(Zs)):
        for h in range(starts[k + 1] - starts[k]):
            out = lower[starts[k] + h]  # a row of the Hessian, up to its diagonal
            own = free[h] if h < q else Zs[k][h - q]
            for other in range(k + 1):
                for i in range(n):
                    # d2loss/deta_k deta_l: v p_k (1 - p_k) if k = l, else -v p_k p_l
                    bend = bends[k, i] if other == k else -v[i] * shares[k, i] * shares[other, i]
                    row[i] = bend * own[i]
                first, count = starts[other], starts[other + 1] - starts[other]
                if other == k:  # the block on the diagonal ends there
                    count = h + 1
                near_products(free, min(q, count), row, out[first : first + q])
                if count > q:
                    near_products(Zs[other], count - q, row, out[first + q : first + count])
            at = starts[k] + h
            lower[at, at] *= 1 + TINY_RIDGE
            if h >= q:
                lower[at, at] += l2 * ridge[chosen[k][h - q]]
    cholesky_factor(lower)
    copy_row(x, right)
    back_solve(lower, x)


@jit
def solve_together(problem, blocks, starts, shares, right, x):
    """All classes at once by conjugate gradients, preconditioned by the systems of the classes.

    Classes are coupled through d2loss/deta_k deta_l = -v p_k p_l. Adding the same to eta of all
    classes does not change the loss: a direction without curvature ends the iteration.
    """
    free, v = problem.free, problem.v
    q, classes, n = len(free), len(blocks), len(v)
    size = len(right)
    r, y, d, Hd = right.copy(), np.empty(size), np.empty(size), np.empty(size)
    moves, mean = np.empty((classes, n)), np.empty(n)
    x[:] = 0.0
    for k in range(classes):
        solve_block(free, blocks[k], r[starts[k] : starts[k + 1]], y[starts[k] : starts[k + 1]])
    copy_row(d, y)
    # residual r, y = M^-1 r, rho = r'y the squared length that convergence is measured by
    rho = float(np.sum(r * y))
    first = rho
    for _ in range(MOST_TURNS):
        # moves_k = eta of the direction d, mean = sum_k p_k moves_k
        mean[:] = 0.0
        for k in range(classes):
            own = d[starts[k] : starts[k + 1]]
            moves[k] = 0.0
            add_rows(free, q, own[:q], moves[k])
            add_rows(blocks[k].Z, len(own) - q, own[q:], moves[k])
            mean += shares[k] * moves[k]
        plain = 0.0
        for k in range(classes):
            own, out = d[starts[k] : starts[k + 1]], Hd[starts[k] : starts[k + 1]]
            # d'M d, without the coupling of the classes
            plain += float(np.sum(blocks[k].half ** 2 * moves[k] ** 2))
            # (H d)_k before the columns: v (diag(p) - p p') moves = v p_k (moves_k - mean)
            moves[k] = v * shares[k] * (moves[k] - mean)
            near_products(free, q, moves[k], out[:q])
            near_products(blocks[k].Z, len(own) - q, moves[k], out[q:])
            out[q:] += blocks[k].ridge * own[q:]
            plain += float(np.sum(blocks[k].ridge * own[q:] ** 2))
        bend = float(np.sum(d * Hd))
        if not bend > TINY_RIDGE * plain:  # curvature lost to rounding, or NaN
            break
        step = rho / bend
        x += step * d
        r -= step * Hd
        for k in range(classes):
            solve_block(free, blocks[k], r[starts[k] : starts[k + 1]], y[starts[k] : starts[k + 1]])
        before, rho = rho, float(np.sum(r * y))
        if not rho > NEAR_ENOUGH**2 * first:  # rho is a squared length
            break
        d *= rho / before
        d += y

"""The linear systems of a Newton step: (Z D Z' + R) x = r, class by class and all together.

Z holds the free columns and the active ones of a class as rows, D = diag(bends), R the ridge of
the active ones. With many active columns the system is turned to the size of the rows,

    (Z D Z' + R)^-1 by T = (D^-1 + G / l2)^-1,  G = sum_j x_j x_j' / ridge_j,

where G does not know D: it is kept along the path and changed by the columns that come and go.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from ..huberized_svm.columns import add_rows, copy_row, near_products, write_column
from ..huberized_svm.systems import back_solve, cholesky_factor

# relative ridge that keeps collinear columns regular; shapes steps, not solutions
TINY_RIDGE = 1e-11
TALL_RATIO = 0.7  # active columns over rows from which the system is turned
MOST_DIRECT = 160  # unknowns of all classes up to which their system is factored as a whole
MOST_TURNS, NEAR_ENOUGH = 60, 1e-3  # of the conjugate gradients


class Gram(NamedTuple):
    """G of one class, lower half, and the columns that are in it."""

    matrix: np.ndarray  # (n, n), or (0, 0) where it is never used
    member: np.ndarray  # (p,) bool
    columns: np.ndarray  # (p,) int64, the first state[0] are in
    state: np.ndarray  # (2,) how many are in, how many came or went since it was built


class Block(NamedTuple):
    """One class's system, factored."""

    Z: np.ndarray  # (a, n) active columns as rows
    chosen: np.ndarray  # (a,) their places in the working set
    ridge: np.ndarray  # (a,) l2 times their ridge
    by_rows: bool
    lower: np.ndarray  # Cholesky factor
    half: np.ndarray  # (n,) square roots of the bends
    pushed: np.ndarray  # (1 + q, n) T times the free columns, if by rows
    corner: np.ndarray  # (1 + q, 1 + q) factor of free T free', if by rows


@jit
def open_gram(rows, p):
    return Gram(
        np.zeros((rows, rows)), np.zeros(p, np.bool_), np.zeros(p, np.int64), np.zeros(2, np.int64)
    )


@jit
def add_outer(matrix, factor, row):
    for i in range(len(row)):
        by = factor * row[i]
        for h in range(i + 1):
            matrix[i, h] += by * row[h]


@jit
def update_gram(gram, part, names, ridge, all_ridge, chosen, table):
    """Bring G to the columns chosen; built anew when that is less work, or sums have piled up."""
    matrix, member, columns, state = gram.matrix, gram.member, gram.columns, gram.state
    wanted = np.zeros(len(member), np.bool_)
    for j in chosen:
        wanted[names[j]] = True
    gone = 0
    for k in range(state[0]):
        gone += not wanted[columns[k]]
    come = len(chosen) - (state[0] - gone)
    if come + gone >= len(chosen) or state[1] + come + gone > 4 * len(columns):
        matrix[:] = 0.0
        member[:] = False
        state[:] = 0
    buffer, left = np.empty(len(matrix)), 0
    for k in range(state[0]):
        name = columns[k]
        if wanted[name]:
            columns[left] = name
            left += 1
        else:
            member[name] = False
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
    """The rows `chosen` of part: itself if that is all of them."""
    if len(chosen) == len(part):
        return part
    Z = np.empty((len(chosen), part.shape[1]))
    for h in range(len(chosen)):
        copy_row(Z[h], part[chosen[h]])
    return Z


@jit
def factorise_block(free, Z, part, names, ridge, all_ridge, chosen, l2, bends, gram, table):
    """The Block of the columns `chosen` from `part`, Z."""
    n, a, q = part.shape[1], len(chosen), len(free)
    own = np.empty(a)
    for h in range(a):
        own[h] = l2 * ridge[chosen[h]]
    half = np.sqrt(bends)
    by_rows = len(gram.matrix) > 0 and a > TALL_RATIO * n
    if by_rows:
        update_gram(gram, part, names, ridge, all_ridge, chosen, table)
        lower = np.empty((n, n))
        for i in range(n):
            for h in range(i + 1):
                lower[i, h] = half[i] * half[h] * gram.matrix[i, h] / l2
            lower[i, i] += 1.0
        cholesky_factor(lower)
        pushed, corner = np.empty((q, n)), np.empty((q, q))
        for h in range(q):
            copy_row(pushed[h], free[h])
            push_row(lower, half, pushed[h])
            near_products(free, q, pushed[h], corner[h])
            corner[h, h] *= 1 + TINY_RIDGE
        cholesky_factor(corner)
        return Block(Z, chosen, own, True, lower, half, pushed, corner)
    scaled = np.empty((q + a, n))
    for h in range(q + a):
        for i in range(n):
            scaled[h, i] = half[i] * (free[h, i] if h < q else Z[h - q, i])
    lower = np.empty((q + a, q + a))
    for h in range(q + a):
        near_products(scaled, h + 1, scaled[h], lower[h])
        lower[h, h] *= 1 + TINY_RIDGE
        if h >= q:
            lower[h, h] += own[h - q]
    cholesky_factor(lower)
    return Block(Z, chosen, own, False, lower, half, np.empty((0, n)), np.empty((0, 0)))


@jit
def push_row(lower, half, row):
    """row becomes T row = half (1 + half G half / l2)^-1 half row."""
    row *= half
    back_solve(lower, row)
    row *= half


@jit
def solve_block(free, block, right, x):
    """x = (Z D Z' + R)^-1 right, both (1 + q + a,): free columns first."""
    q, a, n = len(free), len(block.chosen), free.shape[1]
    if not block.by_rows:
        copy_row(x, right)
        back_solve(block.lower, x)
        return
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
    add_rows(block.pushed, q, first, s)
    near_products(block.Z, a, s, over)
    copy_row(x[:q], first)
    for h in range(a):
        x[q + h] = (right[q + h] - over[h]) / block.ridge[h]


@jit
def solve_directly(problem, Zs, ridge, chosen, starts, l2, shares, bends, right, x):
    """All classes at once, by one factor: for few unknowns."""
    free, v, size = problem.free, problem.v, len(right)
    q, n = len(free), len(v)
    lower, row = np.zeros((size, size)), np.empty(n)
    for k in range(len(Zs)):
        for h in range(starts[k + 1] - starts[k]):
            out = lower[starts[k] + h]
            own = free[h] if h < q else Zs[k][h - q]
            for other in range(k + 1):
                for i in range(n):
                    bend = bends[k, i] if other == k else -v[i] * shares[k, i] * shares[other, i]
                    row[i] = bend * own[i]
                first, count = starts[other], starts[other + 1] - starts[other]
                if other == k:
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
    """All classes at once, by conjugate gradients with the classes' own systems before them.

    Classes are coupled through d2loss/deta_k deta_l = -v p_k p_l. Adding the same to all classes
    changes nothing in the loss: such directions are left alone.
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
    rho = float(np.sum(r * y))
    first = rho
    for _ in range(MOST_TURNS):
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
            plain += float(np.sum(blocks[k].half ** 2 * moves[k] ** 2))
            moves[k] = v * shares[k] * (moves[k] - mean)
            near_products(free, q, moves[k], out[:q])
            near_products(blocks[k].Z, len(own) - q, moves[k], out[q:])
            out[q:] += blocks[k].ridge * own[q:]
            plain += float(np.sum(blocks[k].ridge * own[q:] ** 2))
        bend = float(np.sum(d * Hd))
        if not bend > TINY_RIDGE * plain:
            break
        step = rho / bend
        x += step * d
        r -= step * Hd
        for k in range(classes):
            solve_block(free, blocks[k], r[starts[k] : starts[k + 1]], y[starts[k] : starts[k + 1]])
        before, rho = rho, float(np.sum(r * y))
        if not rho > NEAR_ENOUGH**2 * first:
            break
        d *= rho / before
        d += y

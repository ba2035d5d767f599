"""Newton's method for the huberised SVM on a few columns: the working set of the path.

For a fixed set E of rows on the elbow of phi and fixed signs of the active columns

    F(b0, b) = sum_i v_i phi(y_i (b0 + x_i b)) + l1 |b|_1 + (l2 / 2) |b|_2^2

is a quadratic, so its minimum is one linear solve. A step that would leave that region is cut
by an exact line search, which keeps F falling; coordinate descent takes over where Newton is
stuck. The factor of the last region is kept: along a path the next lambda mostly starts in it.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .columns import copy_row, near_products
from .search import decision_values, descend_coordinates, dual_pulls, line_search, same_region
from .systems import factorise_system, newton_step, no_factor, same_system

SOLVED_RESIDUAL = 1e-13  # residual / l1 at which a working set counts as solved
ENTERING_EXCESS = 1e-11  # excess / l1 over which a column joins the working set
MAX_STEPS, MAX_SWEEPS = 500, 100  # Newton steps; sweeps of coordinate descent in one of them


@jit
def solve_working_set(problem, part, names, curvature, l1, b0, b, f, a, u, factor, gram, table):
    """The minimum over the columns in `part` (m, n) and the intercept, from (b0, b).

    `names` (m,) are the columns' numbers, `curvature` (2, m) sum_i v_i x_i^2 / delta of the columns
    as they are and centred, f the decision values. b, f, a, u are overwritten by the solution, its
    decision values and its pulls a = -phi', u = v y a. Returns the intercept, z = part u, and the
    factor of the last region.
    """
    m, n = part.shape
    l2 = problem.l2
    # the best solution so far, of residual `best`, and whether f, a, u, z belong to it
    kept0, kept, current = b0, b.copy(), True
    sign, slope, d, z = np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    moves, elbow = np.empty(n), np.empty(n, np.int64)
    # steps without a better residual; full steps since the residual was last halved or the region
    # left; whether the Gram matrix was built anew
    best, idle_steps, full_steps, rebuilt = np.inf, 0, 0, False
    for step in range(MAX_STEPS):  # here f are the decision values of (b0, b)
        total = dual_pulls(problem, f, a, u)
        g0 = -total if problem.intercept else 0.0  # dF/db0
        e = 0
        for i in range(n):
            if 0.0 < a[i] < 1.0:  # on the elbow, where phi is curved
                elbow[e] = i
                e += 1
        # the largest violation of the optimality conditions, and that of the active columns alone
        residual, unrest = abs(g0), 0.0
        near_products(part, m, u, z)
        for j in range(m):
            g = l2 * b[j] - z[j]  # slope of all but the l1 penalty
            # a column at 0 stays there while |g| <= l1, else it moves against g
            sign[j] = 0.0
            if b[j] != 0:
                sign[j] = 1.0 if b[j] > 0 else -1.0
            elif abs(g) > l1:
                sign[j] = -1.0 if g > 0 else 1.0
            slope[j] = g + l1 * sign[j] if sign[j] != 0 else 0.0
            residual = max(residual, abs(slope[j]))
            if b[j] != 0:
                unrest = max(unrest, abs(slope[j]))
        # full steps within one region only refine; when they no longer halve the residual,
        # what is left of it is rounding
        if residual < best / 2:
            full_steps = 0
        idle_steps = 0 if residual < best else idle_steps + 1
        current = residual < best
        if current:
            best, kept0 = residual, b0
            copy_row(kept, b)
        if residual <= SOLVED_RESIDUAL * l1 or (idle_steps > 3 and best <= ENTERING_EXCESS * l1):
            break
        if full_steps > 3:
            if rebuilt or best <= ENTERING_EXCESS * l1 or not factor.by_rows:
                break
            # or rounding of the Gram matrix, which columns were added to and taken from: more
            # changes than columns make `update_gram` build it anew
            rebuilt, full_steps = True, 0
            gram.state[1] = len(gram.columns) + 1
            factor = no_factor()
        if step == 0 and unrest > ENTERING_EXCESS * l1:
            # at a new lambda the active columns move first, with the factor at hand: after that
            # many columns at 0 that violate their condition now no longer do
            for j in range(m):
                if b[j] == 0:
                    sign[j], slope[j] = 0.0, 0.0
        d0, factor = newton_direction(
            problem, part, names, curvature, elbow[:e], g0, slope, sign, b, d, factor, gram, table
        )
        decision_values(part, d0, d, moves)
        if same_region(problem, f, moves, b, d):
            # the quadratic is exact here, its minimum at t = 1. From the second full step on a
            # search: where the small ridge outweighs a flat direction, steps are far too short
            t = line_search(problem, l1, f, moves, b, d) if full_steps else 1.0
            t = 1.0 if t == 0 else t
            full_steps += 1
        else:
            t, full_steps = line_search(problem, l1, f, moves, b, d), 0
        if t == 0 or step % 50 == 49:  # no descent along d, or perhaps steps that go in circles
            b0 = descend_coordinates(problem, part, curvature, l1, b0, b, f, u, MAX_SWEEPS)
        else:
            b0 += t * d0
            for j in range(m):
                if d[j] != 0:  # a step that ends where b_j meets 0 makes it 0 to the bit
                    b[j] = 0.0 if b[j] != 0 and t == -b[j] / d[j] else b[j] + t * d[j]
        decision_values(part, b0, b, f)
    if not current:  # the last point is not the best
        decision_values(part, kept0, kept, f)
        dual_pulls(problem, f, a, u)
        near_products(part, m, u, z)
    copy_row(b, kept)
    return kept0, z, factor


@jit
def newton_direction(
    problem, part, names, curvature, elbow, g0, slope, sign, b, d, factor, gram, table
):
    """Newton direction over the columns with a sign, into d; returns d0 and the factor.

    A column that is still at 0 may only leave in the direction of its sign; those that would
    not are left out and the rest solved again. If none of them is left, the steepest one moves
    alone with the active columns, which always descends (feature-sign search, Lee, Battle, Raina
    & Ng 2006).
    """
    # places in the working set, in its order, so that `same_system` can compare them one by one
    chosen = np.empty(len(b), np.int64)
    k, steepest, alone = 0, -1, False
    for h in range(len(b)):
        if sign[h] != 0:
            chosen[k] = h
            k += 1
            if b[h] == 0 and (steepest < 0 or abs(slope[h]) > abs(slope[steepest])):
                steepest = h
    chosen = chosen[:k]
    while True:  # ends at the latest with the active columns alone, which always stay
        if not same_system(factor, names, chosen, elbow):
            factor = factorise_system(problem, part, names, curvature, chosen, elbow, gram, table)
        d0 = newton_step(problem, part, chosen, factor, g0, slope, d)
        k, new = 0, False  # columns that stay, moved to the front; whether one of them is at 0
        for j in chosen:
            if b[j] != 0 or d[j] * sign[j] > 0:
                chosen[k] = j
                k += 1
                new = new or b[j] == 0
        if k == len(chosen):  # all move as they may
            return d0, factor
        if not new:
            # the active columns, with the steepest one unless that failed too (by rounding)
            k, alone = 0, not alone
            chosen = np.empty(len(b), np.int64)
            for h in range(len(b)):
                if b[h] != 0 or (alone and h == steepest):
                    chosen[k] = h
                    k += 1
        chosen = chosen[:k]

"""What a point of the huberised SVM's path is worth: optimality conditions and duality gap.

The conjugate of phi is phi*(-a) = -a + delta a^2 / 2 for a in [0, 1], else infinite, so with
z = sum_i v_i a_i y_i x_i the dual is

    max  sum_i v_i (a_i - delta a_i^2 / 2) - sum_j (|z_j| - l1)_+^2 / (2 l2)
    over a in [0, 1] with sum_i v_i a_i y_i = 0 (if there is an intercept);

with l2 = 0 the last term becomes |z_j| <= l1. The point tried is a = -phi'(margins), the
heavier class scaled down to balance; and the same shrunk until all |z_j| <= l1, which is
feasible whatever l2 is. The better of the two counts. Columns that `look_at_columns` has found to
stay below l1 add nothing to either, so the value is exact though they are not multiplied out.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .columns import add_rows, bound_all, column_product, near_products, rounding_bound
from .systems import factorise_system, newton_step, same_system

POLISHED_GAP = 1e-11  # gap over which the dual point is worth improving


@jit
def certify_point(
    problem, part, names, curvature, l1, b0, b, f, a, u, z, listed, factor, gram, table, screen
):
    """(kkt / l1, gap / primal, primal) of (b0, b), its decision values f, a, u and z = part u.

    `look_at_columns` has been at u, and gave `listed`.
    """
    y, v, l2, delta = problem.y, problem.v, problem.l2, problem.delta
    m, n = part.shape
    primal, g0 = 0.0, 0.0
    for i in range(n):
        short = max(1.0 - y[i] * f[i], 0.0)
        primal += v[i] * (short * short / (2 * delta) if short < delta else short - delta / 2)
        g0 -= u[i]
    if not problem.intercept:
        g0 = 0.0
    kkt, missing = abs(g0), np.empty(m)
    for j in range(m):
        missing[j] = l2 * b[j] + l1 * np.sign(b[j]) - z[j]
        if b[j] != 0:
            kkt = max(kkt, abs(missing[j]))
            primal += l1 * abs(b[j]) + l2 / 2 * b[j] * b[j]
        else:
            kkt = max(kkt, abs(z[j]) - l1)
    for name in listed:
        kkt = max(kkt, screen.upper[name] - l1)
    gap = max(primal - dual_value(problem, part, names, l1, a, u, z, table, screen), 0.0) / primal
    if gap > POLISHED_GAP:
        # on a narrow elbow rounding of the margins is magnified 1 / delta times in a; any a
        # will do for the dual, so move it to where a Newton step would make the columns exact
        chosen, elbow = np.flatnonzero(b), np.flatnonzero(a * (1.0 - a))
        if not same_system(factor, names, chosen, elbow):
            factor = factorise_system(problem, part, names, curvature, chosen, elbow, gram, table)
        d, moves = np.empty(m), np.empty(n)
        moves[:] = newton_step(problem, part, chosen, factor, g0, missing, d)
        add_rows(part, m, d, moves)
        moved = a.copy()
        for row in elbow:
            moved[row] = min(max(a[row] - y[row] * moves[row] / delta, 0.0), 1.0)
        dual = dual_value(problem, part, names, l1, moved, u, z[:0], table, screen)
        gap = min(gap, max(primal - dual, 0.0) / primal)
    return max(kkt, 0.0) / l1, gap, primal


@jit
def dual_value(problem, part, names, l1, a, u, z, table, screen):
    """The dual objective at a feasible point near `a`: balanced, and shrunk where it must be.

    `u` is where the bounds in `screen.upper` hold, and z = part u. If the point is not u but for
    rounding, z had better be empty: the columns in `part` are multiplied out then. Either way
    what is returned is not above the dual objective, but for the rounding of a few sums.
    """
    y, v, l2, delta = problem.y, problem.v, problem.l2, problem.delta
    n, m = len(y), len(part)
    positive, negative = 0.0, 0.0
    for i in range(n):
        if y[i] > 0:
            positive += v[i] * a[i]
        else:
            negative += v[i] * a[i]
    up = down = 1.0
    if problem.intercept and positive > negative:
        up = negative / positive
    elif problem.intercept and negative > positive:
        down = positive / negative
    w, linear, square, apart, size, total = np.empty(n), 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        share = a[i] * (up if y[i] > 0 else down)
        w[i] = v[i] * y[i] * share
        linear += v[i] * share
        square += v[i] * share * share
        apart += (w[i] - u[i]) ** 2
        size += w[i] * w[i]
        total += w[i]
    slack = np.sqrt(apart) * (1 + 1e-10)
    if apart > 0:
        slack += rounding_bound(table, n) * np.sqrt(size)
    top, excess, near = 0.0, 0.0, slack
    if len(z) < m:
        z, near = np.empty(m), 0.0
        near_products(part, m, w, z)
    for j in range(m):
        most = abs(z[j]) + screen.norms[names[j]] * near
        top, excess = max(top, most), excess + max(most - l1, 0.0) ** 2
    doubtful = screen.doubtful
    count = bound_all(
        screen.upper, screen.norms, 1.0, slack, l1, screen.place, screen.scratch, doubtful
    )
    for k in range(count):
        other = abs(column_product(table, doubtful[k], w, total))
        top, excess = max(top, other), excess + max(other - l1, 0.0) ** 2
    shrink = 1.0 if top <= l1 else l1 / top
    value = shrink * linear - delta / 2 * shrink * shrink * square
    if l2 > 0:
        value = max(value, linear - delta / 2 * square - excess / (2 * l2))
    return value

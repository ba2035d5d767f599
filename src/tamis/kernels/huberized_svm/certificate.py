"""The certificate of a point of the huberised SVM's path: optimality conditions and duality gap.

The conjugate of phi is phi*(-a) = -a + delta a^2 / 2 for a in [0, 1], else infinite, so with
z = sum_i v_i a_i y_i x_i the dual is

    max  sum_i v_i (a_i - delta a_i^2 / 2) - sum_j (|z_j| - l1)_+^2 / (2 l2)
    over a in [0, 1] with sum_i v_i a_i y_i = 0 (if there is an intercept);

with l2 = 0 the last term becomes |z_j| <= l1. Two points are tried, and the better one counts:
a = -phi'(margins), the heavier class scaled down to balance, and the same shrunk until all
|z_j| <= l1, which is feasible for every l2. Columns that `look_at_columns` has found to stay below
l1 add nothing to either, so the value is exact although they are not multiplied out.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .columns import add_rows, bound_all, column_product, near_products, rounding_bound
from .systems import factorise_system, newton_step, same_system

POLISHED_GAP = 1e-11  # relative gap above which the dual point is improved


@jit
def certify_point(
    problem, part, names, curvature, l1, b0, b, f, a, u, z, listed, factor, gram, table, screen
):
    """(kkt / l1, gap / primal, primal) of the point (b0, b).

    f are its decision values, a = -phi'(margins), u = v a y and z = part u; `listed` is what
    `look_at_columns` gave for this u.
    """
    y, v, l2, delta = problem.y, problem.v, problem.l2, problem.delta
    m, n = part.shape
    primal, g0 = 0.0, 0.0
    # phi, with s = 1 - margin: s^2 / (2 delta) on the elbow, s < delta, and s - delta / 2 beyond
    for i in range(n):
        short = max(1.0 - y[i] * f[i], 0.0)
        primal += v[i] * (short * short / (2 * delta) if short < delta else short - delta / 2)
        g0 -= u[i]  # dF / db0 = -sum_i u_i
    if not problem.intercept:
        g0 = 0.0
    kkt, missing = abs(g0), np.empty(m)
    # columns of the working set: z_j = l2 b_j + l1 sign(b_j) where b_j is not 0, else |z_j| <= l1
    for j in range(m):
        missing[j] = l2 * b[j] + l1 * np.sign(b[j]) - z[j]
        if b[j] != 0:
            kkt = max(kkt, abs(missing[j]))
            primal += l1 * abs(b[j]) + l2 / 2 * b[j] * b[j]
        else:
            kkt = max(kkt, abs(z[j]) - l1)
    for name in listed:  # outside it: those multiplied out; |z_j| <= l1 is certain for all others
        kkt = max(kkt, screen.upper[name] - l1)
    # weak duality: a negative difference is rounding
    gap = max(primal - dual_value(problem, part, names, l1, a, u, z, table, screen), 0.0) / primal
    if gap > POLISHED_GAP:
        # on a narrow elbow rounding of the margins is magnified 1 / delta times in a; the dual may
        # be evaluated at any a, so move it to where a Newton step would make the columns exact
        chosen, elbow = np.flatnonzero(b), np.flatnonzero(a * (1.0 - a))  # elbow: 0 < a < 1
        if not same_system(factor, names, chosen, elbow):
            factor = factorise_system(problem, part, names, curvature, chosen, elbow, gram, table)
        # the step (d0, d) changes the decision values by d0 + d' part, and a = (1 - y f) / delta by
        # -y / delta times that, within [0, 1]
        d, moves = np.empty(m), np.empty(n)
        moves[:] = newton_step(problem, part, chosen, factor, g0, missing, d)
        add_rows(part, m, d, moves)
        moved = a.copy()
        for row in elbow:
            moved[row] = min(max(a[row] - y[row] * moves[row] / delta, 0.0), 1.0)
        # z is that of u, and this point is another one: empty, it is computed anew
        dual = dual_value(problem, part, names, l1, moved, u, z[:0], table, screen)
        gap = min(gap, max(primal - dual, 0.0) / primal)
    return max(kkt, 0.0) / l1, gap, primal


@jit
def dual_value(problem, part, names, l1, a, u, z, table, screen):
    """The dual objective at a feasible point near `a`: balanced, and shrunk where necessary.

    The bounds in `screen.upper` hold at `u`, and z = part u. If the point differs from u by more
    than rounding, z should be empty: the columns in `part` are then multiplied out. Either way the
    value returned is not above the dual objective, except for the rounding of a few sums.
    """
    y, v, l2, delta = problem.y, problem.v, problem.l2, problem.delta
    n, m = len(y), len(part)
    positive, negative = 0.0, 0.0
    for i in range(n):
        if y[i] > 0:
            positive += v[i] * a[i]
        else:
            negative += v[i] * a[i]
    # sum_i v_i a_i y_i = 0: the heavier class is scaled down, which keeps a within [0, 1]
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
    # Cauchy-Schwarz: |x_j'w| <= |x_j'u| + |x_j| |w - u|; a little more for the rounding of the norm
    # and of products with w
    slack = np.sqrt(apart) * (1 + 1e-10)
    if apart > 0:
        slack += rounding_bound(table, n) * np.sqrt(size)
    # top = max_j |z_j|, excess = sum_j (|z_j| - l1)_+^2, both from above where bounds stand for z_j
    top, excess, near = 0.0, 0.0, slack
    if len(z) < m:  # products with w itself: no allowance
        z, near = np.empty(m), 0.0
        near_products(part, m, w, z)
    for j in range(m):
        most = abs(z[j]) + screen.norms[names[j]] * near
        top, excess = max(top, most), excess + max(most - l1, 0.0) ** 2
    # outside the working set: only columns whose bound at w exceeds l1 are multiplied out
    doubtful = screen.doubtful
    count = bound_all(
        screen.upper, screen.norms, 1.0, slack, l1, screen.place, screen.scratch, doubtful
    )
    for k in range(count):
        other = abs(column_product(table, doubtful[k], w, total))
        top, excess = max(top, other), excess + max(other - l1, 0.0) ** 2
    # at s a with s = l1 / top all |z_j| <= l1, and the last term of the dual vanishes
    shrink = 1.0 if top <= l1 else l1 / top
    value = shrink * linear - delta / 2 * shrink * shrink * square
    if l2 > 0:  # the other point, not shrunk, is feasible too and pays for the excess
        value = max(value, linear - delta / 2 * square - excess / (2 * l2))
    return value

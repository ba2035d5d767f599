"""How far to go along a Newton direction of the huberised SVM, and what to do without one."""

from __future__ import annotations

import numpy as np

from .._jit import jit, jit_sums
from .columns import add_rows, add_to, row_dot


@jit
def decision_values(part, b0, b, f):
    """f = b0 + part' b."""
    f[:] = b0
    add_rows(part, len(b), b, f)


@jit
def dual_pulls(problem, f, a, u):
    """a = -phi'(margins) and u = v y a, both (n,), filled; returns the sum of u."""
    y, v, delta = problem.y, problem.v, problem.delta
    total = 0.0
    for i in range(len(f)):
        # -phi'(m): 0 above 1, (1 - m) / delta on the elbow, 1 below 1 - delta
        a[i] = min(max((1.0 - y[i] * f[i]) / delta, 0.0), 1.0)
        u[i] = v[i] * y[i] * a[i]
        total += u[i]
    return total


@jit
def same_region(problem, f, moves, b, d):
    """Whether the full step keeps every row on its piece of phi and every sign."""
    y, delta = problem.y, problem.delta
    for i in range(len(f)):
        # pieces of phi by (1 - m) / delta: up to 0, the elbow, from 1 on
        before, after = (1.0 - y[i] * f[i]) / delta, (1.0 - y[i] * (f[i] + moves[i])) / delta
        if (before > 0) != (after > 0) or (before < 1) != (after < 1):
            return False
    for j in range(len(b)):  # noqa: SIM110
        if b[j] * (b[j] + d[j]) < 0:  # to reach 0 exactly, or to leave it, is no change of sign
            return False
    return True


@jit_sums
def loss_slope(t, margins, dm, v, delta):
    """Derivative by t of the loss at `margins` + t `dm`: sum_i v_i phi'(m_i + t dm_i) dm_i."""
    total = 0.0
    for i in range(len(dm)):
        total -= v[i] * min(max((1.0 - margins[i] - t * dm[i]) / delta, 0.0), 1.0) * dm[i]
    return total


@jit_sums
def penalty_slope(t, right, cross_at, cross_by):
    """What the coefficients that crossed 0 before t (or at t, if `right`) add to the slope.

    A coefficient crosses at `cross_at` and adds `cross_by`. The slope jumps there: `right` takes
    its value right of t, else that left of t.
    """
    total = 0.0
    for k in range(len(cross_at)):
        if cross_at[k] < t or (right and cross_at[k] == t):
            total += cross_by[k]
    return total


@jit
def line_search(problem, l1, f, moves, b, d):
    """The exact minimiser t >= 0 of F along a direction.

    The slope rises, is linear between the points where a row meets an end of its elbow or a
    coefficient meets 0, and jumps at the latter. The piece where it turns positive is found by
    dividing the set of those points again and again.
    """
    y, v, l2, delta = problem.y, problem.v, problem.l2, problem.delta
    n, m = len(f), len(b)
    margins, dm = np.empty(n), np.empty(n)
    for i in range(n):
        margins[i], dm[i] = y[i] * f[i], y[i] * moves[i]
    knots = np.empty(2 * n + m)
    cross_at, cross_by = np.empty(m), np.empty(m)
    # the penalty's slope is level + rise t before any coefficient crosses 0
    count, crossings, level, rise = 0, 0, 0.0, 0.0
    for j in range(m):
        if d[j] == 0:
            continue
        level += l2 * b[j] * d[j]
        rise += l2 * d[j] * d[j]
        if b[j] == 0 or b[j] * d[j] > 0:  # |b_j| grows from here on
            level += l1 * abs(d[j])
        else:
            # |b_j| falls until b_j is 0, then rises: its slope goes from -l1 |d_j| to l1 |d_j|
            level -= l1 * abs(d[j])
            cross_at[crossings], cross_by[crossings] = -b[j] / d[j], 2 * l1 * abs(d[j])
            knots[count] = cross_at[crossings]
            crossings += 1
            count += 1
    cross_at, cross_by = cross_at[:crossings], cross_by[:crossings]
    for i in range(n):
        if dm[i] != 0:  # where the margin is 1, and where it is 1 - delta; t < 0 is dropped below
            knots[count] = (1.0 - margins[i]) / dm[i]
            knots[count + 1] = (1.0 - delta - margins[i]) / dm[i]
            count += 2

    # the slope right of low is negative, right of high it is not; knots[:count] may lie in between
    low, high = 0.0, np.inf
    at_low = level + loss_slope(0.0, margins, dm, v, delta)
    if at_low >= 0:  # not a direction of descent
        return 0.0
    pivot = 1.0  # the full Newton step
    while True:
        slope = level + pivot * rise + loss_slope(pivot, margins, dm, v, delta)
        slope += penalty_slope(pivot, True, cross_at, cross_by)
        if slope < 0:
            low, at_low = pivot, slope
        else:
            high = pivot
        # points outside can be forgotten: the sums above do not need them
        left = 0
        for k in range(count):
            if low < knots[k] < high:
                knots[left] = knots[k]
                left += 1
        count = left
        if count == 0:
            break
        pivot = knots[count // 2]  # in no order: any of them ends at the same piece
    # no point lies in between, so the slope is linear there: two values give its root; the last
    # piece has no end, and any second point will do
    end = high if high < np.inf else low + 1.0
    at_end = level + end * rise + loss_slope(end, margins, dm, v, delta)
    at_end += penalty_slope(end, False, cross_at, cross_by)
    if high < np.inf and at_end <= 0:  # the slope jumps over 0 at high
        return high
    return low + (end - low) * at_low / (at_low - at_end) if at_end > at_low else low


@jit
def descend_coordinates(problem, part, curvature, l1, b0, b, f, u, sweeps):
    """Coordinate descent on a quadratic that lies above F: slow, but F never rises.

    b and f are overwritten, and u is scratch; returns the intercept.
    """
    l2, delta = problem.l2, problem.delta
    a = np.empty(len(f))
    decision_values(part, b0, b, f)
    # phi'' <= 1/delta, so sum_i v_i x_ij^2 / delta bounds the curvature along column j: the
    # quadratic with this curvature lies above F, and its minimum cannot raise F
    bound0 = problem.weight / delta
    for _ in range(sweeps):
        total = dual_pulls(problem, f, a, u)
        if problem.intercept:
            b0 += total / bound0
            for i in range(len(f)):
                f[i] += total / bound0
            dual_pulls(problem, f, a, u)
        for j in range(len(b)):
            bound = curvature[0, j]
            if bound == 0:  # a column of zeros
                continue
            # b_j = S(bound b_j + x_j'u, l1) / (bound + l2), S soft thresholding
            target = bound * b[j] + row_dot(part, j, u)
            new = np.sign(target) * max(abs(target) - l1, 0.0) / (bound + l2)
            if new != b[j]:
                add_to(f, new - b[j], part, j)
                b[j] = new
                dual_pulls(problem, f, a, u)
    return b0

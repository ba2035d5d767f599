"""Coordinate descent on the working set: finds which coefficients are not 0, and their signs.

Class by class the loss is replaced by its quadratic model, a few sweeps lower the model, and the
way there is cut back until the objective itself has fallen.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit, jit_sums
from ..huberized_svm.columns import add_rows, add_to, copy_row, row_dot
from .likelihood import loss_at, penalty_at, slopes_at

# sweeps end when they change less than SETTLED_RATIO times as much as the first
MAX_SWEEPS, SETTLED_RATIO = 6, 1e-3
# least curvature of a row, over its weight: where p is near 0 or 1 the model is too flat to trust
MIN_CURVATURE = 1e-5
# relative excess of a gradient over l1 that is no reason to leave 0: duplicate columns have it
DUPLICATE_EXCESS = 1e-12
MAX_HALVINGS = 30
OBJECTIVE_SLACK = 1e-14  # relative rise of the objective that may be rounding


@jit_sums
def bend_along(rows, j, bends):
    """Curvature of the model along column j: sum_i bends_i x_ij^2."""
    total = 0.0
    for i in range(len(bends)):
        total += bends[i] * rows[j, i] * rows[j, i]
    return total


@jit
def pull_back(rows, j, step, bends, pulls):
    """Pulls of the quadratic model after coefficient j has moved by `step`."""
    for i in range(len(bends)):
        pulls[i] -= step * bends[i] * rows[j, i]


@jit
def soft_thresholded(value, by):
    """S(value, by) = sign(value) max(|value| - by, 0)."""
    return max(abs(value) - by, 0.0) * (1.0 if value > 0 else -1.0)


@jit
def descend_working_set(problem, part, ridge, l1, l2, base, c, eta, shares, pulls, bends):
    """Lower the objective at (base, c), (K, 1 + q) and (K, m), in place, with eta (K, n).

    `shares`, `pulls` and `bends` (K, n) are overwritten.
    """
    for k in range(len(c)):
        # the classes are coupled by eta: each model is made where the ones before have moved to
        value = slopes_at(problem, eta, shares, pulls, bends) + penalty_at(c, ridge, l1, l2)
        for i in range(eta.shape[1]):
            bends[k, i] = max(bends[k, i], MIN_CURVATURE * problem.v[i])
        # roughly the minimum of the model of class k; less the start it is the search direction
        new0, new = base[k].copy(), c[k].copy()
        lower_model(problem.free, part, ridge, l1, l2, new0, new, pulls[k], bends[k])
        new0 -= base[k]
        new -= c[k]
        moves, start = np.zeros(eta.shape[1]), eta[k].copy()
        add_rows(problem.free, len(new0), new0, moves)
        add_rows(part, len(new), new, moves)
        # the model need not lie above the objective: halve the step until that has not risen
        before, step = c[k].copy(), 1.0
        for _ in range(MAX_HALVINGS):
            for i in range(len(moves)):
                eta[k, i] = start[i] + step * moves[i]
            for j in range(len(new)):
                c[k, j] = before[j] + step * new[j]
            if loss_at(problem, eta) + penalty_at(c, ridge, l1, l2) <= value * (
                1 + OBJECTIVE_SLACK
            ):
                break
            step /= 2
        else:  # no step along this direction: everything as before
            step = 0.0
            copy_row(eta[k], start)
            copy_row(c[k], before)
        for h in range(len(new0)):
            base[k, h] += step * new0[h]
    # softmax does not change if all classes get the same shift: take the one of least penalty
    if len(c) > 1:
        for j in range(len(ridge)):
            if np.count_nonzero(c[:, j]) > 1:
                shift = best_shift(c[:, j], l1, l2 * ridge[j])
                if shift != 0:
                    for k in range(len(c)):
                        c[k, j] -= shift
                        add_to(eta[k], -shift, part, j)


@jit
def lower_model(free, part, ridge, l1, l2, base, c, pulls, bends):
    """Coordinate descent on one class's quadratic model: (base, c), in place.

    `pulls` (n,) are kept up to date; `bends` (n,) are the model's fixed curvatures by row.
    """
    bent, first = np.full(len(c), -1.0), 0.0  # -1: not computed, as for most columns at 0
    bent0 = np.empty(len(base))
    for h in range(len(base)):
        bent0[h] = bend_along(free, h, bends)
    for sweep in range(MAX_SWEEPS):
        most = 0.0
        for h in range(len(base)):  # no penalty: Newton's step in one dimension
            if bent0[h] > 0:
                step = row_dot(free, h, pulls) / bent0[h]
                base[h] += step
                pull_back(free, h, step, bends, pulls)
                most = max(most, bent0[h] * step * step)
        for j in range(len(c)):
            if sweep > 0 and c[j] == 0:  # only the first sweep lets columns in
                continue
            g = row_dot(part, j, pulls)
            # |g| <= l1 is the condition of optimality at 0
            if c[j] == 0 and abs(g) <= l1 * (1 + DUPLICATE_EXCESS):
                continue
            if bent[j] < 0:
                bent[j] = bend_along(part, j, bends)
            curvature = bent[j] + l2 * ridge[j]
            if curvature <= 0:  # a column of zeros without a ridge
                continue
            # S(sum_i w_i x_ij r_i, l1) / (sum_i w_i x_ij^2 + l2), r the residuals without column j
            # (Friedman, Hastie & Tibshirani 2010, eq. 5, with weights)
            new = soft_thresholded(bent[j] * c[j] + g, l1) / curvature
            step = new - c[j]
            if step != 0:
                c[j] = new
                pull_back(part, j, step, bends, pulls)
                most = max(most, curvature * step * step)  # at most twice what the step gains
        if sweep == 0:
            first = most
        if most <= SETTLED_RATIO**2 * first:  # both are squares of changes
            break


@jit
def best_shift(c, l1, l2):
    """The s of least l1 sum_k |c_k - s| + (l2 / 2) sum_k (c_k - s)^2; of several the nearest 0.

    The probabilities do not see the same amount added to a column's coefficients of all classes,
    and with l1 alone no linear system determines that amount (Friedman et al. 2010, section 4.1).
    """
    # convex in s: the slope is linear between two values and jumps by 2 l1 at each of them
    values = np.sort(c)
    best, total = np.inf, values.sum()
    for at in range(len(values)):
        s = values[at]
        if at > 0 and s == values[at - 1]:  # looked at with the first of the equal ones
            continue
        smooth = l2 * (len(values) * s - total)  # slope of the square part at s
        below, above = 0, 0
        for value in values:
            below += value < s
            above += value > s
        equal = len(values) - below - above
        # slopes left and right of s
        low, high = smooth + l1 * (below - above - equal), smooth + l1 * (below - above + equal)
        if low <= 0 <= high:  # a minimum at one of the values
            if abs(s) < abs(best):
                best = s
            if high == 0 and at + equal < len(values) and s < 0 < values[at + equal]:
                best = 0.0  # the slope is 0 up to the next value: 0 lies on a flat bottom
        elif high < 0 and at + equal < len(values):  # the slope may reach 0 before the next value
            between = s - high / (l2 * len(values)) if l2 > 0 else np.inf
            if between < values[at + equal] and abs(between) < abs(best):
                best = between
    # a shift that is rounding compared with the coefficients is none
    return (
        best if np.isfinite(best) and abs(best) > DUPLICATE_EXCESS * np.abs(values).max() else 0.0
    )

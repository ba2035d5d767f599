"""Coordinate descent on the working set: finds which coefficients are not 0, and their signs.

Class by class the loss is replaced by its quadratic model, a few sweeps lower the model, and the
way there is cut back until the objective itself has fallen.
"""

from __future__ import annotations

import numpy as np

from .._jit import jit, sums
from ..huberized_svm_columns import combine, copy, row_dot
from .likelihood import loss_at, penalty_at, slopes_at

SWEEPS, SETTLED = 6, 1e-3  # sweeps end when they change SETTLED times less than the first
FLAT = 1e-5  # least bend of a row, over its weight: a certain row's model is too flat to trust
HALVINGS = 30
SLACK = 1e-14  # relative rise of the objective that may be rounding


@sums
def bend_along(rows, j, bends):
    total = 0.0
    for i in range(len(bends)):
        total += bends[i] * rows[j, i] * rows[j, i]
    return total


@jit
def pull_back(rows, j, step, bends, pulls):
    for i in range(len(bends)):
        pulls[i] -= step * bends[i] * rows[j, i]


@jit
def shrunken(value, by):
    return max(abs(value) - by, 0.0) * (1.0 if value > 0 else -1.0)


@jit
def descend(problem, part, ridge, l1, l2, base, c, eta, shares, pulls, bends):
    """Lower the objective at (base, c), (K, 1 + q) and (K, m), in place, with eta (K, n)."""
    for k in range(len(c)):
        value = slopes_at(problem, eta, shares, pulls, bends) + penalty_at(c, ridge, l1, l2)
        for i in range(eta.shape[1]):
            bends[k, i] = max(bends[k, i], FLAT * problem.v[i])
        new0, new = base[k].copy(), c[k].copy()
        lower_model(problem.free, part, ridge, l1, l2, new0, new, pulls[k], bends[k])
        new0 -= base[k]
        new -= c[k]
        moves, start = np.zeros(eta.shape[1]), eta[k].copy()
        combine(problem.free, len(new0), new0, moves)
        combine(part, len(new), new, moves)
        before, step = c[k].copy(), 1.0
        for _ in range(HALVINGS):
            for i in range(len(moves)):
                eta[k, i] = start[i] + step * moves[i]
            for j in range(len(new)):
                c[k, j] = before[j] + step * new[j]
            if loss_at(problem, eta) + penalty_at(c, ridge, l1, l2) <= value * (1 + SLACK):
                break
            step /= 2
        else:
            step = 0.0
            copy(eta[k], start)
            copy(c[k], before)
        for h in range(len(new0)):
            base[k, h] += step * new0[h]


@jit
def lower_model(free, part, ridge, l1, l2, base, c, pulls, bends):
    """Sweeps over one class's model; `pulls` follow."""
    bent, first = np.full(len(c), -1.0), 0.0
    bent0 = np.empty(len(base))
    for h in range(len(base)):
        bent0[h] = bend_along(free, h, bends)
    for sweep in range(SWEEPS):
        most = 0.0
        for h in range(len(base)):
            if bent0[h] > 0:
                step = row_dot(free, h, pulls) / bent0[h]
                base[h] += step
                pull_back(free, h, step, bends, pulls)
                most = max(most, bent0[h] * step * step)
        for j in range(len(c)):
            if sweep > 0 and c[j] == 0:
                continue
            g = row_dot(part, j, pulls)
            if c[j] == 0 and abs(g) <= l1:
                continue
            if bent[j] < 0:
                bent[j] = bend_along(part, j, bends)
            whole = bent[j] + l2 * ridge[j]
            if whole <= 0:
                continue
            new = shrunken(bent[j] * c[j] + g, l1) / whole
            step = new - c[j]
            if step != 0:
                c[j] = new
                pull_back(part, j, step, bends, pulls)
                most = max(most, whole * step * step)
        if sweep == 0:
            first = most
        if most <= SETTLED**2 * first:
            break

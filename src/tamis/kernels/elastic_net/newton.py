"""A Newton step over the coefficients that are not 0, all classes at once, signs kept."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from ..huberized_svm.columns import add_rows, add_to, copy_row
from .descent import OBJECTIVE_SLACK
from .likelihood import loss_at, penalty_at
from .systems import (
    MOST_DIRECT,
    factorise_block,
    gathered_rows,
    solve_block,
    solve_directly,
    solve_together,
)

# once more than CLIPPED_ATTEMPTS attempts have failed, a step ends at the first change of sign
MAX_HALVINGS, CLIPPED_ATTEMPTS = 10, 3
ZERO_COEFFICIENT = 1e-12  # a coefficient that falls below this share of itself is 0
# where the model promises a relative gain below NEAR_GAIN, a relative rise of the objective by up
# to ROUNDING_GAIN may be rounding
NEAR_GAIN, ROUNDING_GAIN = 1e-10, 1e-12


@jit
def newton_step(
    problem,
    table,
    grams,
    part,
    names,
    ridge,
    all_ridge,
    l1,
    l2,
    base,
    c,
    eta,
    shares,
    bends,
    g0,
    z,
    value,
):
    """Move (base, c, eta) in place if the objective, now `value`, does not rise.

    g0 (K, 1 + q) and z (K, m) are the products of free and penalised columns with the pulls.
    A coefficient that would change its sign becomes 0. Returns whether a step was taken, and
    whether it was a full one in which no coefficient became 0.
    """
    free, classes, n = problem.free, len(c), eta.shape[1]
    q = len(free)
    # unknowns starts[k] to starts[k + 1] belong to class k: the q free columns, then its active
    # ones. With l1 = 0 every column is active, at 0 or not
    starts = np.zeros(classes + 1, np.int64)
    chosen = [np.flatnonzero(c[k] if l1 > 0 else np.ones(len(names))) for k in range(classes)]
    for k in range(classes):
        starts[k + 1] = starts[k] + q + len(chosen[k])
    # right side: minus the gradient of the objective, which is smooth as long as no sign changes:
    # z_j - l2 ridge_j c_j - l1 sign(c_j)
    right = np.empty(starts[-1])
    for k in range(classes):
        own = right[starts[k] : starts[k + 1]]
        copy_row(own[:q], g0[k])
        for h in range(len(chosen[k])):
            j = chosen[k][h]
            own[q + h] = z[k, j] - l2 * ridge[j] * c[k, j] - l1 * np.sign(c[k, j])
    Zs = [gathered_rows(part, chosen[k]) for k in range(classes)]
    x = np.empty(len(right))
    # x solves H x = right, H the Hessian on these unknowns, in which the classes are coupled. With
    # one row of eta the block of that class is all of H; with several the blocks precondition
    # conjugate gradients, unless H is small enough to be factored
    if classes > 1 and len(right) <= MOST_DIRECT:
        solve_directly(problem, Zs, ridge, chosen, starts, l2, shares, bends, right, x)
    else:
        blocks = [
            factorise_block(
                free,
                Zs[k],
                part,
                names,
                ridge,
                all_ridge,
                chosen[k],
                l2,
                bends[k],
                grams[k],
                table,
            )
            for k in range(classes)
        ]
        if classes == 1:
            solve_block(free, blocks[0], right, x)
        else:
            solve_together(problem, blocks, starts, shares, right, x)
    # right'x is twice the gain that the quadratic model promises. Where it is this small, rounding
    # of the objective may hide that it has fallen
    near = float(np.sum(right * x)) <= NEAR_GAIN * value
    allowed = value * (1 + (ROUNDING_GAIN if near else OBJECTIVE_SLACK))
    moves = np.zeros((classes, n))  # change of eta by a full step
    for k in range(classes):
        own = x[starts[k] : starts[k + 1]]
        add_rows(free, q, own[:q], moves[k])
        add_rows(Zs[k], len(chosen[k]), own[q:], moves[k])
    new_c, new_eta, step = c.copy(), np.empty((classes, n)), 1.0
    for attempt in range(MAX_HALVINGS):
        full_step = step == 1.0
        for k in range(classes):
            for i in range(n):
                new_eta[k, i] = eta[k, i] + step * moves[k, i]
            for h in range(len(chosen[k])):
                j, at = chosen[k][h], starts[k] + q + h
                new = c[k, j] + step * x[at]
                # beyond 0 the model does not hold: stop there, and take the column out of eta
                if l1 > 0 and (new * c[k, j] <= 0 or abs(new) < ZERO_COEFFICIENT * abs(c[k, j])):
                    add_to(new_eta[k], -new, part, j)
                    new, full_step = 0.0, False
                new_c[k, j] = new
        found = loss_at(problem, new_eta) + penalty_at(new_c, ridge, l1, l2)
        if found <= allowed:
            for k in range(classes):
                copy_row(eta[k], new_eta[k])
                copy_row(c[k], new_c[k])
                for h in range(q):
                    base[k, h] += step * x[starts[k] + h]
            return True, full_step
        step /= 2
        # many coefficients clipped at once bend the step away from the direction of descent; up to
        # the first crossing none is clipped
        if attempt == CLIPPED_ATTEMPTS and l1 > 0:
            step = min(step, first_crossing(c, chosen, x, starts, q))
    return False, False


@jit
def first_crossing(c, chosen, x, starts, q):
    """The least step along x at which a coefficient becomes 0; infinite if none does."""
    least = np.inf
    for k in range(len(c)):
        for h in range(len(chosen[k])):
            here, by = c[k, chosen[k][h]], x[starts[k] + q + h]
            if here * by < 0:
                least = min(least, -here / by)
    return least

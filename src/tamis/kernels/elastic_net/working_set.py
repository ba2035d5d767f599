"""The minimum over a few columns: Newton steps on the support that coordinate descent finds."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from ..huberized_svm.columns import add_rows, near_products
from .descent import descend_working_set
from .likelihood import penalty_at, slopes_at
from .newton import newton_step

SOLVED_RESIDUAL = 1e-12  # residual / lambda at which a working set counts as solved
STALLED_RESIDUAL = 1e-10  # at which it may end if steps no longer halve it: the rest is rounding
ENTERING_EXCESS = 1e-11  # excess / lambda over which a column joins the working set
MOST_STEPS = 500  # steps of either kind for one working set


@jit
def solve_working_set(
    problem, table, grams, part, names, ridge, all_ridge, l1, l2, scale, base, c, eta, pulls, z
):
    """Minimise the objective over the working set, in place, from (base, c).

    base (K, 1 + q), c (K, m), eta and pulls (K, n) and z (K, m) are overwritten by those of the
    solution: free coefficients, penalised ones, log odds, -dF/deta, and products of the columns
    with the pulls. `part` (m, n) holds the columns, `names` (m,) their numbers; `scale` is the
    lambda in units of which residuals are measured. Returns the loss and the residual / scale.
    """
    classes, n = eta.shape
    m, q = len(names), len(problem.free)
    shares, bends = np.empty((classes, n)), np.empty((classes, n))
    g0 = np.empty((classes, q))
    # log odds anew from the coefficients: the rounding of former updates does not pile up
    for k in range(classes):
        eta[k] = 0.0
        add_rows(problem.free, q, base[k], eta[k])
        add_rows(part, m, c[k], eta[k])
    best, idle = np.inf, 0  # least residual so far, and steps since one halved it
    # the last step: coordinate descent; a failed Newton step; one cut short, or with a sign lost
    descended, stuck, broken = False, False, False
    loss, residual = 0.0, 0.0
    for _ in range(MOST_STEPS):
        loss = slopes_at(problem, eta, shares, pulls, bends)
        # optimality: z0 = 0 for free columns, z - l2 r c = l1 sign(c) where c is not 0, else
        # |z| <= l1; `outside` is the largest violation of the last, by columns that want to enter
        residual, outside = 0.0, 0.0
        for k in range(classes):
            near_products(part, m, pulls[k], z[k])
            near_products(problem.free, q, pulls[k], g0[k])
            for h in range(q):
                residual = max(residual, abs(g0[k, h]))
            for j in range(m):
                if c[k, j] != 0 or l1 == 0:  # ridge alone: smooth at 0 too
                    gap = z[k, j] - l2 * ridge[j] * c[k, j] - l1 * np.sign(c[k, j])
                    residual = max(residual, abs(gap))
                else:
                    outside = max(outside, abs(z[k, j]) - l1)
        residual = max(residual, outside)
        idle = 0 if residual < best / 2 else idle + 1
        best = min(best, residual)
        if (
            residual <= SOLVED_RESIDUAL * scale
            or (idle > 2 and residual <= STALLED_RESIDUAL * scale)
            or idle > 100
        ):
            break
        # coordinate descent lets columns enter once the support is settled (after a step that lost
        # part of it, it would only bring that part back), and takes over where Newton is stuck
        if (
            l1 > 0
            and not descended
            and (stuck or (outside > ENTERING_EXCESS * scale and not broken))
        ):
            descend_working_set(problem, part, ridge, l1, l2, base, c, eta, shares, pulls, bends)
            descended, stuck, broken = True, False, False
            continue
        value = loss + penalty_at(c, ridge, l1, l2)
        taken, full_step = newton_step(
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
        )
        if not taken and l1 == 0:  # descent is for finding the support, so nothing is left to try
            break
        descended, stuck, broken = False, not taken, taken and not full_step
    return loss, residual / scale

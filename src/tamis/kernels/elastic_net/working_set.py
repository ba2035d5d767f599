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
MOST_STEPS = 500


@jit
def solve_working_set(
    problem, table, grams, part, names, ridge, all_ridge, l1, l2, scale, base, c, eta, pulls, z
):
    """Overwrite base (K, 1 + q), c (K, m) and eta, pulls (K, n), z (K, m) by the solution's.

    `part` (m, n) are the columns, `names` (m,) their numbers, `scale` the lambda that residuals
    are measured by. Returns the loss and the residual / scale.
    """
    classes, n = eta.shape
    m, q = len(names), len(problem.free)
    shares, bends = np.empty((classes, n)), np.empty((classes, n))
    g0 = np.empty((classes, q))
    for k in range(classes):  # no rounding of former steps
        eta[k] = 0.0
        add_rows(problem.free, q, base[k], eta[k])
        add_rows(part, m, c[k], eta[k])
    best, idle = np.inf, 0
    descended, stuck, broken = False, False, False  # what the last step was
    loss, residual = 0.0, 0.0
    for _ in range(MOST_STEPS):
        loss = slopes_at(problem, eta, shares, pulls, bends)
        residual, outside = 0.0, 0.0
        for k in range(classes):
            near_products(part, m, pulls[k], z[k])
            near_products(problem.free, q, pulls[k], g0[k])
            for h in range(q):
                residual = max(residual, abs(g0[k, h]))
            for j in range(m):
                if c[k, j] != 0 or l1 == 0:
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
        # others may come in once the support at hand is at rest: after a step that lost some of
        # it they would only bring those back
        if (
            l1 > 0
            and not descended
            and (stuck or (outside > ENTERING_EXCESS * scale and not broken))
        ):
            descend_working_set(problem, part, ridge, l1, l2, base, c, eta, shares, pulls, bends)
            descended, stuck, broken = True, False, False
            continue
        value = loss + penalty_at(c, ridge, l1, l2)
        taken, whole = newton_step(
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
        if not taken and l1 == 0:
            break
        descended, stuck, broken = False, not taken, taken and not whole
    return loss, residual / scale

"""Newton's method for one slope and the offsets of `recalibration_slopes`, candidate by candidate.

A study fits one for each outer training set and permuted run, to a few hundred rows: what NumPy's
calls cost is a hundred times the arithmetic.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .huberized_svm.systems import back_solve, cholesky_factor

# STEP_TOLERANCE bounds the largest change of a parameter in the last step
MAX_STEPS, MAX_HALVINGS, STEP_TOLERANCE = 100, 30, 1e-7
MAX_STEP = 1.5  # of log slope or an offset in one step, roughly
LOSS_SLACK = 1e-12  # rise of the loss that may be rounding
LEAST_CURVATURE = 1e-9  # added to the diagonal, so that no parameter is without curvature


@jit
def newton_slopes(f, y, weights, base, priors, limits, theta):
    """Fill theta (K, C) with the minimum of each candidate of `recalibration_slopes.fit_slopes`.

    Column 0 is the log slope t, column k the offset of class k less that of class 0: a softmax
    depends on differences alone, so that C offsets would leave the information singular.

    Parameters
    ----------
    f : (K, N, C) float64
        Scores less the logarithms of the class shares.
    y : (N,) int64
    weights : (N,) float64
    base : (C,) float64
        Logarithms of the class shares, with a mean of 0.
    priors : (3,) float64
        Rate of the exponential prior of the slope; precisions of log slope and of offsets.
    limits : (3,) float64
        Least and largest log slope, and the largest absolute offset.
    theta : (K, C) float64
        All 0 before.
    """
    C = len(base)
    tried, gradient, step, room = np.empty(C), np.empty(C), np.empty(C), np.empty((2, C))
    bend = np.empty((C, C))
    for k in range(len(f)):
        at = theta[k]
        value = slope_loss(f[k], y, weights, base, priors, at, gradient, bend, room)
        for _ in range(MAX_STEPS):
            newton_step(at, limits, gradient, bend, step)
            pace = 1.0
            after = value
            for _ in range(MAX_HALVINGS):
                for j in range(C):
                    low, high = limit_of(limits, j)
                    tried[j] = min(max(at[j] - pace * step[j], low), high)
                after = slope_loss(f[k], y, weights, base, priors, tried, gradient, bend, room)
                if not after > value + LOSS_SLACK:
                    break
                pace /= 2
            value, moved = after, 0.0
            for j in range(C):
                moved = max(moved, abs(tried[j] - at[j]))
                at[j] = tried[j]
            if moved <= STEP_TOLERANCE:
                break


@jit
def slope_loss(f, y, weights, base, priors, theta, gradient, bend, room):
    """The penalised loss at theta (C,); its gradient (C,) and curvature H (C, C) are filled.

    H is Fisher's information sum_i w_i Cov_i, the covariance under P_i of dz / dt = a f and the
    indicators of the classes but the first, plus the curvature of the priors, and what is convex of
    the further curvature in log slope: as z'' = z' = a f in t, that is sum_i w_i (P_i - own) a f.
    """
    C, slope, z, af = len(base), np.exp(theta[0]), room[0], room[1]
    for j in range(C):
        gradient[j] = 0.0
        for h in range(C):
            bend[j, h] = 0.0
    loss = 0.0
    for i in range(len(y)):
        top = -np.inf
        for c in range(C):
            af[c] = slope * f[i, c]
            z[c] = af[c] + base[c] + (theta[c] if c > 0 else 0.0)
            top = max(top, z[c])
        own, total = z[y[i]], 0.0
        for c in range(C):
            z[c] = np.exp(z[c] - top)
            total += z[c]
        loss += weights[i] * (top + np.log(total) - own)
        mean = 0.0  # of a f under P_i; z becomes P_i
        for c in range(C):
            z[c] /= total
            mean += z[c] * af[c]
        gradient[0] += weights[i] * (mean - af[y[i]])
        for c in range(C):
            weighed = weights[i] * z[c]
            bend[0, 0] += weighed * (af[c] - mean) ** 2
            if c > 0:
                gradient[c] += weights[i] * (z[c] - (1.0 if c == y[i] else 0.0))
                bend[c, 0] += weighed * (af[c] - mean)
                bend[c, c] += weighed
                for d in range(1, c + 1):
                    bend[c, d] -= weighed * z[d]
    pull, of_slope, of_offset = priors
    bend[0, 0] += max(gradient[0], 0.0)  # negative curvature is left out: H is positive definite
    bend[0, 0] += pull * slope + of_slope
    gradient[0] += pull * slope + theta[0] * of_slope
    loss += pull * slope + theta[0] * theta[0] * of_slope / 2
    mean = 0.0  # offsets of all classes, of which the first is 0, are penalised about their mean
    for c in range(1, C):
        mean += theta[c] / C
    loss += mean * mean * of_offset / 2
    for c in range(1, C):
        apart = theta[c] - mean
        loss += apart * apart * of_offset / 2
        gradient[c] += apart * of_offset
        for d in range(1, c + 1):
            bend[c, d] += ((1.0 if c == d else 0.0) - 1.0 / C) * of_offset
    return loss


@jit
def newton_step(theta, limits, gradient, bend, step):
    """The step (C,) to be subtracted: H^-1 gradient. H is overwritten.

    Its diagonal is raised where the gradient is steep, which shortens the step and still leads
    downhill: |step| of a parameter by itself is |g| / (h + |g| / MAX_STEP) <= MAX_STEP.
    """
    C = len(theta)
    for j in range(C):
        low, high = limit_of(limits, j)
        step[j] = gradient[j]
        if theta[j] <= low if gradient[j] > 0 else theta[j] >= high:
            # at a limit, and the step would lead beyond: the others are solved for without it
            step[j] = 0.0
            for h in range(C):
                if h != j:
                    bend[max(h, j), min(h, j)] = 0.0
        bend[j, j] += LEAST_CURVATURE + abs(step[j]) / MAX_STEP
    cholesky_factor(bend)
    back_solve(bend, step)


@jit
def limit_of(limits, j):
    """Least and largest value of a parameter: of the log slope (0), or of an offset."""
    return (limits[0], limits[1]) if j == 0 else (-limits[2], limits[2])

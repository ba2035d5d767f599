"""Support vector machines between two classes, from the kernel's values of their rows.

    max  sum_i y_i b_i - 1/2 sum_ij b_i K_ij b_j,    sum_i b_i = 0,    0 <= y_i b_i <= c_i

y_i is 1 or -1, and c_i what slack of row i costs. It is the dual of the least
|w|^2/2 + sum_i c_i max(0, 1 - y_i f(x_i)), with f(x) = sum_i b_i K(x_i, x) + intercept.
With g = y - K b, b is the maximum where no row that may rise has a larger g than one that may fall.

A step moves b of two rows by the same amount, one up and one down (sequential minimal optimisation,
Platt 1998): the row of the largest g, and the one with which an unbounded step would gain most
(Fan, Chen & Lin 2005, Journal of Machine Learning Research 6, 1889-1918), as in libsvm. libsvm ends
where g differs by 1e-3, and has K in single precision; to 1e-6 it takes about twice the steps.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ._jit import jit

MARGIN_TOLERANCE = 1e-6  # of g; f is 1 or -1 on the margin
ROUGH_TOLERANCE = 1e-3  # after ROUGH_STEPS steps
ROUGH_STEPS, MAX_STEPS = 100_000, 10_000_000  # after MAX_STEPS steps what is found is taken
LEAST_BEND = 1e-12  # of K_ii + K_jj - 2 K_ij, which is 0 for copies of a row
TILE_COLUMNS = 64  # columns added to a row of products while both are in the cache
INFINITY = float("inf")


def pair_machines(
    kernel: np.ndarray, codes: np.ndarray, n_classes: int, costs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A machine for each pair of classes, (0, 1), (0, 2), ..., (1, 2), ...: multipliers
    (C (C - 1) / 2, n) and intercepts (C (C - 1) / 2,).

    Multipliers are 0 or more of the former class, 0 or less of the latter, and 0 of others.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    codes : ndarray of shape (n,)
        Class codes.
    n_classes : int
    costs : ndarray of shape (n,)
        Cost of the slack of each row, above 0.
    """
    pairs = list(combinations(range(n_classes), 2))
    found, intercepts = np.zeros((len(pairs), len(codes))), np.empty(len(pairs))
    for p, (i, j) in enumerate(pairs):
        rows = np.flatnonzero((codes == i) | (codes == j))
        own = kernel if len(rows) == len(codes) else kernel[rows[:, None], rows]
        signs = np.where(codes[rows] == i, 1.0, -1.0)
        found[p, rows], intercepts[p], _ = solve_machine(own, signs, costs[rows])
    return found, intercepts


@jit
def add_products(left, right, products):
    """products (m, n) += L'R of columns L (k, m) and R (k, n), one column after the other: the sums
    do not depend on how many columns come at once."""
    k, m, n = len(left), left.shape[1], right.shape[1]
    for start in range(0, k, TILE_COLUMNS):
        stop = min(k, start + TILE_COLUMNS)
        for i in range(m):
            row = products[i]
            for c in range(start, stop):
                by, other = left[c, i], right[c]
                for j in range(n):
                    row[j] += by * other[j]


@jit
def solve_machine(kernel, signs, costs):
    """b (n,), the intercept, and the number of steps.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    signs : ndarray of shape (n,)
        y, float.
    costs : ndarray of shape (n,)
        c, above 0.
    """
    n, tolerance, steps, fresh = len(signs), MARGIN_TOLERANCE, 0, True
    b, g = np.zeros(n), signs.copy()
    while steps < MAX_STEPS:
        if steps > ROUGH_STEPS:
            tolerance = ROUGH_TOLERANCE
        top, bottom, i = -INFINITY, INFINITY, 0
        # b lies between min(0, y c) and max(0, y c): `top` is over rows that may rise, `bottom`
        # over rows that may fall
        for t in range(n):
            if g[t] > top and b[t] < max(0.0, signs[t] * costs[t]):
                top, i = g[t], t
            if g[t] < bottom and b[t] > min(0.0, signs[t] * costs[t]):
                bottom = g[t]
        if not top - bottom > tolerance:
            if fresh:
                break
            # rounding adds up in g, so the end is tested again with g computed anew, at the cost
            # of up to n steps
            set_slopes(kernel, signs, b, g)
            fresh, steps = True, steps + n
            continue
        j, most, row = 0, -1.0, kernel[i]
        for t in range(n):
            apart = top - g[t]
            if apart > 0 and b[t] > min(0.0, signs[t] * costs[t]):
                # twice the gain of an unbounded step, (g_i - g_t)^2 / (K_ii + K_tt - 2 K_it)
                gain = apart * apart / max(row[i] + kernel[t, t] - 2 * row[t], LEAST_BEND)
                if gain > most:
                    most, j = gain, t
        other = kernel[j]
        step = (top - g[j]) / max(row[i] + other[j] - 2 * row[j], LEAST_BEND)
        highest, lowest = max(0.0, signs[i] * costs[i]), min(0.0, signs[j] * costs[j])
        step = min(step, highest - b[i], b[j] - lowest)
        # a bound is reached exactly, so that a row at its bound is known as such
        b[i] = highest if step == highest - b[i] else b[i] + step
        b[j] = lowest if step == b[j] - lowest else b[j] - step
        for t in range(n):
            g[t] -= step * (row[t] - other[t])
        fresh, steps = False, steps + 1
    return b, intercept_of(g, signs, costs, b), steps


@jit
def set_slopes(kernel, signs, b, g):
    """g = y - K b."""
    n = len(g)
    for t in range(n):
        g[t] = signs[t]
    for i in range(n):
        if b[i] != 0:
            row = kernel[i]
            for t in range(n):
                g[t] -= b[i] * row[t]


@jit
def intercept_of(g, signs, costs, b):
    """The mean of g over rows between their bounds; without any, the middle of what is allowed."""
    total, free, top, bottom = 0.0, 0, -INFINITY, INFINITY
    for t in range(len(g)):
        rises = b[t] < max(0.0, signs[t] * costs[t])
        falls = b[t] > min(0.0, signs[t] * costs[t])
        if rises and falls:
            total += g[t]
            free += 1
        if rises:
            top = max(top, g[t])
        if falls:
            bottom = min(bottom, g[t])
    # f >= y where b may rise, that is intercept >= g, and f <= y, intercept <= g, where it may fall
    return total / free if free else (top + bottom) / 2

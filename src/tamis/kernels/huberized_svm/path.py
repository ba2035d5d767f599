"""The path of the huberised SVM with an elastic net over falling lambda1.

    min  F = sum_i v_i phi(y_i (b0 + x_i b)) + l1 |b|_1 + (l2 / 2) |b|_2^2

phi(t) is 0 for t > 1, (1 - t)^2 / (2 delta) for 1 - delta < t <= 1, 1 - t - delta / 2 below
(Wang, Zhu & Zou 2008). At each lambda: Newton steps on a working set of columns, warm-started; a
check of the columns outside it, of which those that violate the optimality conditions join it,
until none does; a certificate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit, jit_sums
from .certificate import certify_point
from .columns import (
    ColumnTable,
    copy_row,
    dense_table,
    dot_product,
    look_at_columns,
    open_screen,
    write_column,
)
from .newton import ENTERING_EXCESS, solve_working_set
from .systems import Gram, Problem, no_factor

# at most max(MIN_JOINING_COLUMNS, active columns) join the working set at once
MAX_ROUNDS, MIN_JOINING_COLUMNS = 500, 20


class Path(NamedTuple):
    """Solutions along a falling grid, as sparse rows; row k is indices[starts[k]:starts[k + 1]]."""

    starts: np.ndarray  # (done + 1,) int64
    indices: np.ndarray  # int64, rising within a row
    values: np.ndarray
    intercepts: np.ndarray  # (done,)
    kkt: np.ndarray  # largest violation of the optimality conditions, divided by lambda
    gap: np.ndarray  # (primal - dual) / primal at a feasible dual point
    objective: np.ndarray
    done: int  # number of lambdas solved


def solve_path(
    columns: np.ndarray | ColumnTable,
    y: np.ndarray,
    v: np.ndarray,
    l2: float,
    delta: float,
    intercept: bool,
    lambdas: np.ndarray,
    most: int = -1,
    certified: bool = True,
) -> Path:
    """Exact solutions at falling lambdas.

    Parameters
    ----------
    columns : (p, n) float64 in C order, or a ColumnTable of sparse columns
        Features as rows. With an intercept they should be centred, which changes no coefficient
        but makes the linear systems far better conditioned.
    y : (n,) float64, -1 or 1
    v : (n,) float64
        Positive weights, already divided by n.
    l2, delta, intercept
        lambda2, the width of the elbow, and whether there is an intercept.
    lambdas : (m,) falling
    most : int
        At least 0: stop at the first lambda at which more than `most` columns have ever been
        active; that lambda is left out.
    certified : bool
        False: kkt, gap and objective are NaN. The solutions are the same.
    """
    y, v = np.asarray(y, np.float64), np.asarray(v, np.float64)
    if isinstance(columns, ColumnTable):
        table = columns
    else:
        table = dense_table(np.ascontiguousarray(columns, np.float64))
    b0 = intercept_only(v[y > 0].sum(), v[y < 0].sum(), delta) if intercept else 0.0
    problem = Problem(y, v, float(v.sum()), float(l2), float(delta), bool(intercept))
    grid = np.asarray(lambdas, np.float64)
    starts, indices, values, intercepts, (kkt, gap, objective) = walk_path(
        table, problem, b0, grid, int(most), bool(certified)
    )
    return Path(starts, indices, values, intercepts, kkt, gap, objective, len(intercepts))


def huberized_loss(margins: np.ndarray, delta: float) -> np.ndarray:
    """phi of the margins: 0 above 1, quadratic on the elbow (1 - delta, 1], linear below."""
    # at short = delta both forms are delta / 2, with the slope 1
    short = np.maximum(1.0 - margins, 0.0)
    return np.where(short < delta, short * short / (2 * delta), short - delta / 2)


@jit
def dual_pull(margins: np.ndarray, delta: float) -> np.ndarray:
    """-phi', the dual variable of each row, from 0 (margin above 1) to 1 (below the elbow)."""
    return np.minimum(np.maximum((1.0 - margins) / delta, 0.0), 1.0)


@jit
def intercept_only(positive: float, negative: float, delta: float) -> float:
    """The exact minimiser over b0 of positive phi(b0) + negative phi(-b0).

    The slope is continuous, rising and linear between the four points where a class enters
    or leaves its elbow; where it is 0 on an interval, the middle is taken.
    """
    # margins b0 and -b0 are 1 or 1 - delta
    knots = np.unique(np.array([1.0, 1.0 - delta, -1.0, delta - 1.0]))
    slope = negative * dual_pull(-knots, delta) - positive * dual_pull(knots, delta)
    # 0 on an interval: classes of equal weight below both elbows (delta < 1), or a class without
    # weight
    flat = knots[slope == 0]
    if len(flat) > 0:
        return (flat[0] + flat[-1]) / 2
    # The slope is -positive < 0 at the first knot and negative > 0 at the last, so it changes its
    # sign. At the end of the loop slope[k - 1] < 0 < slope[k], linear in between.
    k = 1
    while slope[k] < 0:
        k += 1
    share = -slope[k - 1] / (slope[k] - slope[k - 1])
    return knots[k - 1] + share * (knots[k] - knots[k - 1])


def first_pulls(y: np.ndarray, v: np.ndarray, delta: float, intercept: bool) -> np.ndarray:
    """u = v y a (n,) at the intercept-only fit: lambda_max is the largest |x_j'u|."""
    b0 = intercept_only(v[y > 0].sum(), v[y < 0].sum(), delta) if intercept else 0.0
    return v * y * dual_pull(y * b0, delta)


@jit
def walk_path(table, problem, b0, lambdas, most, certified):
    """`solve_path` on a ColumnTable, from the intercept-only fit `b0`.

    Returns starts (done + 1,), indices and values, intercepts (done,), and kkt, gap and objective
    (3, done), as in `Path`.
    """
    n = len(problem.y)
    screen = open_screen(table, n)
    p = len(screen.norms)
    # X X' over the rows serves systems by rows (Woodbury), which need l2 > 0; n <= p: it takes no
    # more memory than the columns themselves
    rows = n if problem.l2 > 0 and n <= p else 0
    gram = Gram(
        np.zeros((rows, rows)), np.zeros(p, np.bool_), np.zeros(p, np.int64), np.zeros(2, np.int64)
    )
    factor = no_factor()
    names, b = np.empty(0, np.int64), np.empty(0)  # the working set
    # its columns, written out with room for more, and sum_i v_i x_i^2 / delta, as is and centred
    part, curvature = np.empty((2 * MIN_JOINING_COLUMNS, n)), np.empty((2, 2 * MIN_JOINING_COLUMNS))
    # decision values, dual variables -phi', u = v y a, and the working set's products X'u
    f, a, u, z = np.full(n, b0), np.empty(n), np.empty(n), np.empty(0)
    ever = np.zeros(p, np.bool_)  # active at some lambda so far
    ever_active, done = 0, 0
    size = len(lambdas)
    starts, intercepts = np.zeros(size + 1, np.int64), np.empty(size)
    diagnostics = np.full((3, size), np.nan)  # kkt, gap and objective of each lambda
    indices, values = np.empty(1024, np.int64), np.empty(1024)
    count = 0
    for l1 in lambdas:
        # The strong rule (Tibshirani et al. 2012): a column is likely to enter if |z_j| at the last
        # lambda exceeds 2 l1 - l1_last. Only for listed columns, whose |z_j| are known exactly; it
        # saves rounds, and what it misses is found below.
        if done > 0:
            likely = screen.listed[:count].copy()
            found, _ = move_to_front(likely, screen.upper, 2 * l1 - lambdas[done - 1])
            if found > 0:
                names, b, part, curvature = exchange_columns(
                    problem, names, b, part, curvature, likely[:found], table, screen
                )
        for _ in range(MAX_ROUNDS):
            m = len(names)
            b0, z, factor = solve_working_set(
                problem, part[:m], names, curvature, l1, b0, b, f, a, u, factor, gram, table
            )
            # |z_j| <= l1 is certain for the columns that are not listed
            count = look_at_columns(table, screen, u, l1)
            new = find_violators(screen, screen.listed[:count], l1, b)
            if len(new) == 0:
                break
            names, b, part, curvature = exchange_columns(
                problem, names, b, part, curvature, new, table, screen
            )
        # column by column, so that the indices of a row rise
        first = last = starts[done]
        for j in range(p):
            k = screen.place[j]
            if k < 0 or b[k] == 0:
                continue
            if last == len(indices):  # doubled, so that copies stay in proportion to what is kept
                indices = copy_with_room(indices, 2 * last)
                values = copy_with_room(values, 2 * last)
            indices[last], values[last] = j, b[k]
            last += 1
        for k in range(first, last):
            ever_active += not ever[indices[k]]
            ever[indices[k]] = True
        if 0 <= most < ever_active:  # starts[done + 1] is not set: this lambda is left out
            break
        starts[done + 1], intercepts[done] = last, b0
        if certified:
            m = len(names)
            kkt, gap, primal = certify_point(
                problem,
                part[:m],
                names,
                curvature,
                l1,
                b0,
                b,
                f,
                a,
                u,
                z,
                screen.listed[:count],
                factor,
                gram,
                table,
                screen,
            )
            diagnostics[0, done], diagnostics[1, done], diagnostics[2, done] = kkt, gap, primal
        done += 1
    last = starts[done]
    # copies, so that the room for more is freed
    return (
        starts[: done + 1].copy(),
        indices[:last].copy(),
        values[:last].copy(),
        intercepts[:done].copy(),
        diagnostics[:, :done].copy(),
    )


@jit
def copy_with_room(array, size):
    """A copy of `array` with `size` entries; those past its end are not set."""
    out = np.empty(size, array.dtype)
    copy_row(out[: len(array)], array)
    return out


@jit
def find_violators(screen, listed, l1, b):
    """Those columns listed by `look_at_columns` that violate |z_j| <= l1; of many, the worst."""
    # at most as many as are active, or MIN_JOINING_COLUMNS: later ones may not violate any more
    # when these have joined, and the systems to solve stay small
    active = 0
    for j in range(len(b)):
        active += b[j] != 0
    room, new = max(MIN_JOINING_COLUMNS, active), listed.copy()
    found, total = move_to_front(new, screen.upper, l1 + ENTERING_EXCESS * l1)
    while found > room:  # those above the mean, about half: no sort is needed
        # just below the mean, since rounding may put the mean of equal values above all of them
        left, total = move_to_front(new[:found], screen.upper, total / found * (1 - 1e-12))
        if left == found:  # all equal: all of them join
            break
        found = left
    return new[:found]


@jit
def move_to_front(names, z, limit):
    """Move the names with z over the limit to the front, in place and in their order.

    Returns the number of these names and the sum of their z.
    """
    found, total = 0, 0.0
    for k in range(len(names)):
        if z[names[k]] > limit:
            names[found] = names[k]
            total += z[names[k]]
            found += 1
    return found, total


@jit
def exchange_columns(problem, names, b, part, curvature, new, table, screen):
    """Drop the columns at 0 from the working set and add the `new` ones.

    Returns names, b, part and curvature of the new working set; `screen.place` is updated.
    """
    left, n = 0, part.shape[1]
    # the first `left` places hold the columns kept so far; left <= j, so nothing is overwritten
    # before it has been moved
    for j in range(len(names)):
        screen.place[names[j]] = -1
        if b[j] != 0:
            if left < j:
                copy_row(part[left], part[j])
                names[left], b[left] = names[j], b[j]
                curvature[0, left], curvature[1, left] = curvature[0, j], curvature[1, j]
            left += 1
    m = left + len(new)
    if m > len(part):  # room at least doubles, so that copies are few
        wider, bent = np.empty((max(m, 2 * len(part)), n)), np.empty((2, max(m, 2 * len(part))))
        for k in range(left):
            copy_row(wider[k], part[k])
            bent[0, k], bent[1, k] = curvature[0, k], curvature[1, k]
        part, curvature = wider, bent
    names, b = copy_with_room(names[:left], m), copy_with_room(b[:left], m)
    for k in range(left, m):
        names[k], b[k] = new[k - left], 0.0
        write_column(table, names[k], part[k])
        curvature[0, k] = weighted_square(problem.v, part[k], 0.0) / problem.delta
        # curvature along the column alone, and with the intercept minimised out
        mean = dot_product(problem.v, part[k]) / problem.weight
        curvature[1, k] = weighted_square(problem.v, part[k], mean) / problem.delta
    for k in range(m):
        screen.place[names[k]] = k
    return names, b, part, curvature


@jit_sums
def weighted_square(v, column, centre):
    """sum_i v_i (x_i - centre)^2."""
    total = 0.0
    for i in range(len(v)):
        total += v[i] * (column[i] - centre) ** 2
    return total

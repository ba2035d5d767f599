"""Logistic regression with a ridge penalty: Newton steps by conjugate gradients.

    min  F = sum_i w_i loss_i(eta_i) + 1/(2C) sum_jk b_jk^2,    eta_ik = b0_k + sum_j x_ij b_jk

Two classes have one column of log odds (K = 1), more have one each (K = C, the symmetric
multinomial model). Intercepts are free. It is scikit-learn's objective, divided by C.

The second derivatives of the loss never exceed `bound` X'WX, with 1/4 for two classes and 1/2 for
more (Boehning 1992). M = bound X'WX + I/C = L L' is factored once, for all steps and classes.
In u = L'b and the columns Z = X L'^-1 the Hessian is I - Z'(bound W - D)Z, D the second derivatives
of the rows' losses: at most I, and near it, so that conjugate gradients need few turns and no other
preconditioner. With the intercept first, the leading rows of L and columns of Z are those of the
leading columns of X: sizes share them. Arrays Z hold the transpose, a row for each column.

Where columns are many more than rows, at most n scores S with S S' = X X' take their place, by
pivoted Cholesky: the penalty does not change with a rotation. Coefficients come back as b = C X'r,
with r the weighted residuals, which is the condition that b is the minimum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import jit, jit_sums
from .elastic_net.likelihood import Problem, loss_at, slopes_at
from .huberized_svm.columns import add_rows, copy_row, near_products
from .huberized_svm.systems import cholesky_factor
from .logistic_steps import is_below, logistic_loss, logistic_slopes

WIDE_RATIO = 2  # columns over rows, above which scores take the columns' place
NO_SPREAD = 1e-14  # what is left of a row below this share of the largest row's square is rounding
GRADIENT_TOLERANCE = 1e-11  # gradient in u, over that of the start, at which u counts as solved
MAX_STEPS, MAX_CG_TURNS, MAX_HALVINGS = 100, 500, 30
MAX_CG_RESIDUAL = 0.1  # largest residual of a Newton system, over its right side
OBJECTIVE_SLACK = 1e-13  # relative rise of the objective that may be rounding


def ridge_logistic(
    X: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    sizes: Sequence[int],
    penalties: Sequence[float],
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Coefficients (K, k) and intercepts (K,) on the leading k columns, for each size k.

    The answer for a size does not depend on the other sizes.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        C order; in Fortran's order, if all sizes are above `WIDE_RATIO` n, it is not copied.
    codes : ndarray of shape (n,)
        Class codes. A class without weight has an intercept that falls until its share is
        rounding.
    weights : ndarray of shape (n,)
        0 or more, not all 0.
    n_classes : int
    sizes : sequence of int
        Rising, each at most p.
    penalties : sequence of float
        C of each size.
    """
    across = not X.flags.c_contiguous
    if across and not (X.flags.f_contiguous and sizes[0] > WIDE_RATIO * len(X)):
        raise ValueError("X in Fortran's order is for sizes above twice its rows")
    codes, weights = codes.astype(np.int64), np.ascontiguousarray(weights, dtype=np.float64)
    K = 1 if n_classes == 2 else n_classes  # two classes have one column of log odds
    coef = np.zeros((len(sizes), K, sizes[-1]))
    intercepts = np.zeros((len(sizes), K))
    ridge_path(
        X.T if across else X,
        across,
        codes,
        weights,
        shares_of(n_classes, len(codes)),
        np.array(sizes, dtype=np.int64),
        np.array(penalties, dtype=np.float64),
        coef,
        intercepts,
    )
    return [(own[:, :k].copy(), b) for own, b, k in zip(coef, intercepts, sizes, strict=True)]


def ridge_logistic_of_parts(
    X: np.ndarray,
    ends: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray,
    n_classes: int,
    sizes: Sequence[int],
    penalties: Sequence[float],
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (n_parts, S, K, k) and intercepts (n_parts, S, K) of many training sets, as
    `ridge_logistic` has them of each; those of a size beyond its columns are 0.

    Parameters
    ----------
    X : ndarray of shape (N, k), C order
        The rows of all training sets, one set after the other.
    ends : ndarray of shape (n_parts + 1,) of int64
        Where each begins and ends.
    codes, weights : ndarray of shape (N,)
    n_classes, sizes, penalties
        As there.
    """
    K, n_parts = 1 if n_classes == 2 else n_classes, len(ends) - 1
    coef = np.zeros((n_parts, len(sizes), K, sizes[-1]))
    intercepts = np.zeros((n_parts, len(sizes), K))
    _ridge_paths(
        X,
        ends,
        codes.astype(np.int64),
        weights,
        shares_of(n_classes, 1),
        np.array(sizes, dtype=np.int64),
        np.array(penalties, dtype=np.float64),
        coef,
        intercepts,
    )
    return coef, intercepts


@jit
def _ridge_paths(X, ends, codes, weights, shares, sizes, penalties, coef, intercepts):
    """`ridge_path` of the rows between each two ends."""
    for part in range(len(ends) - 1):
        start, stop = ends[part], ends[part + 1]
        own, y, w = X[start:stop], codes[start:stop], weights[start:stop]
        if shares is None:
            ridge_path(own, False, y, w, None, sizes, penalties, coef[part], intercepts[part])
        else:
            room = np.empty((len(shares), stop - start))
            ridge_path(own, False, y, w, room, sizes, penalties, coef[part], intercepts[part])


@jit
def ridge_path(X, across, codes, weights, shares, sizes, penalties, coef, intercepts):
    """Fill coef (S, K, p) and intercepts (S, K) with the minimum for each size and its C.

    X is (n, p), or `across` (p, n), where all sizes are wide. Many sizes of one training set take
    a few microseconds each, less than a call from Python.
    """
    n, classes, bound = len(codes), 1, 0.25
    if shares is not None:
        classes, bound = len(shares), 0.5
    # L and Z of the largest size with this C hold those of every smaller one; sizes rise, so that
    # those whose Z is of scores come last
    C, lower, Z = 0.0, np.empty((0, 0)), np.empty((0, n))
    for s in range(len(sizes)):
        k = sizes[s]
        wide, anew = k > WIDE_RATIO * n, True
        own = np.empty((0, n))
        if wide:
            own = X[:k] if across else transposed_columns(X, k)
            scores = np.empty((n, n))
            rank = fill_scores(np.dot(own.T, own), scores, np.empty((2, n)))
            rows = scores[:rank]
        elif penalties[s] != C:
            last = k
            for other in range(s + 1, len(sizes)):
                if penalties[other] == penalties[s] and sizes[other] <= WIDE_RATIO * n:
                    last = sizes[other]
            rows = transposed_columns(X, last)
        else:
            rows, anew = own, False
        if anew:
            C = penalties[s]
            lower, Z = np.zeros((len(rows) + 1, len(rows) + 1)), np.empty((len(rows) + 1, n))
            for i in range(n):
                Z[0, i] = 1.0  # the intercept comes first
            for h in range(len(rows)):
                copy_row(Z[h + 1], rows[h])
            prepare_ridge(weights, bound, C, lower, Z, np.empty(n), np.empty(len(Z)))
        size = len(Z) if wide else k + 1
        by_column, by_row = np.zeros((7, classes, size)), np.zeros((6, classes, n))
        solve_ridge(lower, Z, size, codes, weights, shares, by_column, by_row, np.empty((2, n)))
        for c in range(classes):
            intercepts[s, c] = by_column[0, c, 0]
            if wide:  # no gradient is left: X'r = b / C
                near_products(own, k, by_row[0, c], coef[s, c])
            for h in range(k):
                coef[s, c, h] = C * coef[s, c, h] if wide else by_column[0, c, h + 1]


@jit
def transposed_columns(X, k):
    """The first k columns of X, a row for each."""
    found = np.empty((k, len(X)))
    for i in range(len(X)):
        for h in range(k):
            found[h, i] = X[i, h]
    return found


def shares_of(n_classes: int, n: int) -> np.ndarray | None:
    """Room for probabilities (C, n); None for two classes.

    numba compiles for the type of None without the branches that only more classes need.
    """
    return None if n_classes == 2 else np.empty((n_classes, n))


def bound_of(n_classes: int) -> float:
    """What the second derivatives of a row's loss never exceed (Boehning 1992)."""
    # p (1 - p) <= 1/4; the eigenvalues of diag(p) - p p' are at most 1/2
    return 0.25 if n_classes == 2 else 0.5


@jit
def fill_scores(products, found, room):
    """Fill the first r rows of `found` with S (r, n), S'S = `products` (n, n) of rank r.

    Returns r. This is a Cholesky factor with pivoting: the next row is the one of which most is
    left (Higham 1990, "Analysis of the Cholesky decomposition of a semi-definite matrix"). `room`
    (2, n) is work space.
    """
    # `left` is the diagonal of products - S'S for the rows of S found so far
    n, by, left = len(products), room[0], room[1]
    for i in range(n):
        left[i] = products[i, i]
    least = NO_SPREAD * left[place_of_most(left)]
    for r in range(n):
        at = place_of_most(left)
        if not left[at] > least:
            return r
        # row `at` of products - S'S, over the root of its diagonal
        copy_row(found[r], products[at])
        for s in range(r):
            by[s] = -found[s, at]
        add_rows(found, r, by, found[r])
        scale = np.sqrt(left[at])
        for i in range(n):
            found[r, i] /= scale
            left[i] -= found[r, i] * found[r, i]
        left[at] = 0.0  # exactly, so that rounding never chooses a row again
    return n


@jit
def place_of_most(values):
    """Place of the largest value, the first of equals.

    A plain loop: numba's `argmax` would also compile its error message.
    """
    at = 0
    for i in range(1, len(values)):
        if values[i] > values[at]:
            at = i
    return at


@jit
def prepare_ridge(weights, bound, C, lower, Z, row, by):
    """Overwrite Z, the intercept and the columns (k, n), by L^-1 Z, and `lower` (k, k) by L.

    `row` (n,) and `by` (k,) are work space.
    """
    k, n = Z.shape
    for h in range(k):
        for i in range(n):
            row[i] = bound * weights[i] * Z[h, i]
        near_products(Z, h + 1, row, lower[h])
        if h > 0:  # the intercept has no penalty
            lower[h, h] += 1 / C
    cholesky_factor(lower)
    # forward substitution: the rows before h are those of L^-1 Z already
    for h in range(k):
        for j in range(h):
            by[j] = -lower[h, j]
        add_rows(Z, h, by, Z[h])
        for i in range(n):
            Z[h, i] /= lower[h, h]


@jit
def solve_ridge(lower, Z, size, codes, weights, shares, by_column, by_row, room):
    """Coefficients with the intercept, on the first `size` rows of Z, and weighted residuals.

    These are returned in by_column[0] (K, size) and by_row[0] (K, n). `by_column` (7, K, size) and
    `by_row` (6, K, n) are all 0 before; `shares` is as of `shares_of`, `room` (2, n) work space.
    """
    n, classes, bound = len(codes), 1, 0.25
    if shares is not None:
        classes, bound = len(shares), 0.5
    problem = Problem(codes, weights, Z, classes, weights[:0])
    # g = -dF/du and d the step in u; r, s and Hs of `towards_minimum` are by_column[4:]
    u, new_u, g, d = by_column[0], by_column[1], by_column[2], by_column[3]
    pulls, bends, eta, new_eta = by_row[0], by_row[1], by_row[2], by_row[3]
    moves, row = by_row[4], room[0]  # moves = Z d: the step in eta
    # The first turn has d = 0, and evaluates the start: so each function is called in one place
    # alone, and is compiled into this one once.
    gain, bend, first, before, after = 0.0, 0.0, 0.0, 0.0, 0.0
    for step in range(MAX_STEPS):
        t = 1.0
        for _ in range(MAX_HALVINGS):
            for k in range(classes):
                for i in range(n):
                    new_eta[k, i] = eta[k, i] + t * moves[k, i]
                for h in range(size):
                    new_u[k, h] = u[k, h] + t * d[k, h]
            uphill_gradient(problem, Z, size, bound, new_eta, new_u, shares, pulls, bends, row, g)
            # F has certainly fallen, by its slopes at both ends: no loss need be computed
            if is_below(gain, bend, t, total_product(g, d)):
                break
            # otherwise F itself: `before` at (eta, u), then `after` at the new point
            for new in range(2):
                there, at = (new_eta, new_u) if new else (eta, u)
                before = after
                after = penalty_of(at, there, weights, bound)
                after += loss_of(problem, there, shares)
            if after <= before + OBJECTIVE_SLACK * abs(before):
                break
            t /= 2
        for k in range(classes):
            copy_row(eta[k], new_eta[k])
            copy_row(u[k], new_u[k])
        norm = np.sqrt(total_product(g, g))
        if step == 0:
            first = norm
        if norm <= GRADIENT_TOLERANCE * first:
            break
        # A residual in proportion to norm^2 keeps Newton's quadratic convergence (Dembo, Eisenstat
        # & Steihaug 1982); far from the minimum, and below the tolerance, more would be wasted.
        enough = max(
            min(MAX_CG_RESIDUAL, norm / first) * norm, MAX_CG_RESIDUAL * GRADIENT_TOLERANCE * first
        )
        towards_minimum(
            Z, weights, bound, shares, bends, g, enough, d, moves, by_column, by_row[5], room
        )
        # -dF/dt at t = 0, and a bound of d2F/dt2, as the Hessian in u is at most I
        gain, bend = total_product(g, d), total_product(d, d)
    for k in range(classes):  # b = L'^-1 u
        upper_solve(lower, size, u[k])


@jit
def uphill_gradient(problem, Z, size, bound, eta, u, shares, pulls, bends, row, g):
    """Fill g (K, size) with -dF/du at u, whose log odds are eta; also shares, pulls and bends."""
    # the penalty is (u'u - bound eta'W eta) / 2, so that -dF/du = Z'(pulls + bound W eta) - u
    weights = problem.v
    if shares is None:
        logistic_slopes(eta[0], problem.codes, weights, pulls[0], bends[0], row)
    else:
        slopes_at(problem, eta, shares, pulls, bends)
    for k in range(problem.classes):
        for i in range(len(row)):
            row[i] = pulls[k, i] + bound * weights[i] * eta[k, i]
        near_products(Z, size, row, g[k])
        for h in range(size):
            g[k, h] -= u[k, h]
    if shares is not None:
        centre_classes(g)


@jit
def loss_of(problem, eta, shares):
    """The weighted sum of losses at log odds eta (K, n)."""
    if shares is None:
        return logistic_loss(eta[0], problem.codes, problem.v)
    return loss_at(problem, eta)


@jit_sums
def penalty_of(u, eta, weights, bound):
    """The penalty 1/(2C) sum b^2 = (u'u - bound sum_i w_i eta_i^2) / 2, without solving for b."""
    total = total_product(u, u)
    for k in range(len(eta)):
        for i in range(len(weights)):
            total -= bound * weights[i] * eta[k, i] * eta[k, i]
    return total / 2


@jit
def centre_classes(g):
    """Remove the mean over the classes, which is 0 but for rounding, from g (K, size), in place.

    The loss does not change if all intercepts grow by the same amount: in that direction the system
    is singular, and rounding would be magnified.
    """
    for h in range(g.shape[1]):
        mean = 0.0
        for k in range(len(g)):
            mean += g[k, h] / len(g)
        for k in range(len(g)):
            g[k, h] -= mean


@jit_sums
def total_product(a, b):
    """sum_kh a_kh b_kh."""
    total = 0.0
    for k in range(len(a)):
        for h in range(a.shape[1]):
            total += a[k, h] * b[k, h]
    return total


@jit
def towards_minimum(Z, weights, bound, shares, bends, g, enough, d, moves, by_column, along, room):
    """Solve (I - Z'(bound W - D)Z) d = g, to a residual of `enough`; moves = Z d.

    By conjugate gradients, from d = 0.
    """
    # r the residual g - H d, s the direction of search, Hs its product with H, along = Z s
    classes, size = g.shape
    n = len(weights)
    r, s, Hs, row, mean = by_column[4], by_column[5], by_column[6], room[0], room[1]
    for k in range(classes):
        for h in range(size):
            r[k, h] = s[k, h] = g[k, h]
            d[k, h] = 0.0
        for i in range(n):
            moves[k, i] = 0.0
    rho = total_product(r, r)
    for _ in range(MAX_CG_TURNS):
        for i in range(n):
            mean[i] = 0.0
        for k in range(classes):
            for i in range(n):
                along[k, i] = 0.0
            add_rows(Z, size, s[k], along[k])
        if shares is not None:
            for k in range(classes):
                for i in range(n):
                    mean[i] += shares[k, i] * along[k, i]
        for k in range(classes):
            for i in range(n):
                # D along: for more classes w_i (diag(p) - p p') couples them, by the mean under p
                if shares is None:
                    bent = bends[0, i] * along[0, i]
                else:
                    bent = weights[i] * shares[k, i] * (along[k, i] - mean[i])
                row[i] = bound * weights[i] * along[k, i] - bent
            near_products(Z, size, row, Hs[k])
            for h in range(size):
                Hs[k, h] = s[k, h] - Hs[k, h]
        if shares is not None:
            centre_classes(Hs)
        bend = total_product(s, Hs)
        if not bend > 0:  # the system is positive definite: lost to rounding
            break
        by = rho / bend
        for k in range(classes):
            for h in range(size):
                d[k, h] += by * s[k, h]
                r[k, h] -= by * Hs[k, h]
            for i in range(n):
                moves[k, i] += by * along[k, i]
        before, rho = rho, total_product(r, r)
        if rho <= enough * enough:
            break
        for k in range(classes):
            for h in range(size):
                s[k, h] = r[k, h] + rho / before * s[k, h]


@jit
def upper_solve(lower, size, x):
    """Overwrite x (size,) by L'^-1 x, L the first `size` rows and columns of lower."""
    # row by row of `lower`, which is contiguous: x[i] is final, and leaves the equations before it
    for i in range(size - 1, -1, -1):
        x[i] /= lower[i, i]
        for k in range(i):
            x[k] -= x[i] * lower[i, k]

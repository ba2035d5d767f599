"""The elastic net's path on columns in their own units: standardise, walk, scale back.

v_i is the weight of row i divided by n, pf_j a penalty factor, p logistic (two classes) or softmax:

    min  -sum_i v_i log p(y_i | x_i) + lambda sum_jk pf_j (alpha |b_jk| + (1 - alpha) / 2 b_jk^2)

Of a number the first sum is sum_i v_i (y_i - x_i'b)^2 / 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..huberized_svm.columns import (
    dense_table,
    largest_product,
    standardise_columns,
    transposed_copy,
)
from .likelihood import Problem
from .walk import null_loss, null_model, walk_lambdas

# lambda_max grows as 1 / alpha: below this alpha that of this alpha is taken, as in R's glmnet
LEAST_ALPHA = 1e-3
# a path ends by itself when a lambda adds less than this share of the deviance explained so far, or
# when this share of all deviance is explained: fdev and devmax of glmnet
SETTLED_CHANGE, MAX_DEVIANCE_RATIO = 1e-5, 0.999


class Path(NamedTuple):
    """Solutions along a falling grid, on the scale of the columns given.

    coefs[l] is (columns, values): int64 (m,), rising, and (K, m) with K = 1 for two classes or a
    number and K = C for more. Unpenalised (free) columns are always among them.
    """

    lambdas: np.ndarray  # (L,)
    intercepts: np.ndarray  # (L, K), of sum 0 if K > 1
    coefs: list[tuple[np.ndarray, np.ndarray]]
    kkt: np.ndarray  # (L,) largest violation of the optimality conditions, divided by lambda
    loss: np.ndarray  # (L,) negative log-likelihood, sum_i v_i loss_i
    null_loss: float  # of the intercepts alone


def solve_path(
    X: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    lambdas: np.ndarray | None = None,
    alpha: float = 0.5,
    penalty_factors: np.ndarray | None = None,
    n_lambdas: int = 100,
    min_ratio: float | None = None,
    standardize: bool = True,
    row_weights: np.ndarray | None = None,
) -> Path:
    """Exact solutions along falling lambdas.

    Parameters
    ----------
    X : (n, p) float64, finite, in C or Fortran order
    codes : (n,) int64, 0 to n_classes - 1, each at least once; or float64, a number whose standard
        deviation is near 1
    n_classes : int
        1 of a number.
    lambdas : (L,) falling, positive; all are solved. None: `n_lambdas` geometric values from the
        least lambda at which all penalised coefficients are 0 down to `min_ratio` times it (None:
        0.01 if n < p, else 1e-4), ended early once nearly all deviance is explained; no lambda
        at all if no column varies with the classes.
    alpha : float, 0 (ridge) to 1 (lasso)
    penalty_factors : (p,), at least 0, used as they are (glmnet divides by their mean); None: 1
    standardize : divide columns by their population standard deviation
    row_weights : (n,) positive; None: 1

    Returns
    -------
    Path
        Constant columns have the coefficient 0.
    """
    n, p = X.shape
    weights = np.ones(n) if row_weights is None else row_weights
    # a copy (p, n) in C order, standardised in place below; X.T of Fortran order is so already
    columns = X.T.copy() if X.flags.f_contiguous else transposed_copy(X)
    means, scale = standardise_columns(columns, weights, True, bool(standardize))
    factors = np.ones(p) if penalty_factors is None else np.asarray(penalty_factors, np.float64)
    # a column with the factor 0 is free: it joins the intercept's column of ones
    held, free = np.flatnonzero(factors > 0), np.flatnonzero(factors == 0)
    unpenalised = np.vstack([np.ones(n), columns[free]])
    own = factors[held]
    if free.size:
        columns = columns[held]
    # with c_j = pf_j b_j and the column x_j / pf_j the penalty is lambda (alpha |c_j|
    # + (1 - alpha) / 2 c_j^2 / pf_j): one threshold alpha lambda for all columns, and 1 / pf_j is
    # the ridge of each
    if (own != 1).any():
        columns /= own[:, None]
    classes = 1 if n_classes <= 2 else int(n_classes)
    numbers = np.ascontiguousarray(codes if n_classes == 1 else np.empty(0), np.float64)
    codes = np.ascontiguousarray(codes if n_classes > 1 else np.empty(0), np.int64)
    problem = Problem(codes, weights / n, unpenalised, classes, numbers)
    table = dense_table(columns)
    base, pulls = null_model(problem, table)
    alpha = float(alpha)
    if lambdas is None:
        # lambda_max = max_jk |z_jk| / alpha, z the gradient at the model of the free columns alone;
        # above it |z_jk| <= alpha lambda holds for all: every penalised coefficient is 0
        most = max(largest_product(table, row) for row in pulls) if held.size else 0.0
        ratio = (0.01 if n < p else 1e-4) if min_ratio is None else min_ratio
        steps = np.arange(n_lambdas if most > 0 else 0) / max(n_lambdas - 1, 1)
        grid = most / max(alpha, LEAST_ALPHA) * ratio**steps
        ends = SETTLED_CHANGE, MAX_DEVIANCE_RATIO
    else:
        grid, ends = np.ascontiguousarray(lambdas, np.float64), (-1.0, -1.0)  # solve all of them
    starts, indices, values, bases, (kkt, loss) = walk_lambdas(
        problem, table, 1 / own, base, grid, alpha, *ends
    )
    if numbers.size and free.size:
        # free columns that follow from others, such as all levels of a covariate, leave their
        # coefficients open: those of least norm do not depend on where the path came from
        fitted = unpenalised.T @ bases[:, 0].T
        bases[:, 0] = np.linalg.lstsq(unpenalised.T, fitted, rcond=None)[0].T
    scale[held] *= own  # b_j = c_j / (pf_j sd_j)
    coefs, intercepts = [], bases[:, :, 0].copy()
    for k in range(len(bases)):
        part = slice(starts[k], starts[k + 1])
        inside = bases[k, :, 1:]  # column 0 holds the intercepts
        # a softmax does not change when the coefficients of a column move alike in all classes;
        # without a penalty nothing else determines them, so their sum over the classes is set to 0
        if classes > 1:
            inside = inside - inside.mean(axis=0)
        chosen = np.concatenate([free, held[indices[part]]])
        found = np.hstack([inside, values[part].T]) / scale[chosen]
        order = np.argsort(chosen, kind="stable")
        chosen, found = chosen[order], np.ascontiguousarray(found[:, order])
        coefs.append((chosen, found))
        # b0 - sum_j b_j mean_j: the columns were centred; no matrix product, for which BLAS would
        # use its threads
        intercepts[k] -= (found * means[chosen]).sum(axis=1)
        if classes > 1:
            intercepts[k] -= intercepts[k].mean()
    return Path(grid[: len(bases)], intercepts, coefs, kkt, loss, float(null_loss(problem)[0]))

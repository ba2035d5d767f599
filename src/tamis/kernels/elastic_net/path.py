"""The elastic net's path on the columns as they are given: standardise, walk, scale back."""

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

LEAST_ALPHA = 1e-3  # below it lambda_max is that of this alpha, as in R's glmnet
SETTLED_CHANGE, MAX_DEVIANCE_RATIO = 1e-5, 0.999


class Path(NamedTuple):
    """Solutions along a falling grid, on the scale of the columns given.

    coefs[l] is (columns, values): int64 (m,), rising, and (K, m) with K = 1 for two classes and
    K = C for more. A free column is always in.
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
    codes : (n,) int64, 0 to n_classes - 1, each at least once
    n_classes : int
    lambdas : (L,) falling, positive; all are solved. None: `n_lambdas` geometric values from the
        least lambda at which all penalised coefficients are 0 down to `min_ratio` times it (None:
        0.01 if n < p, else 1e-4), ended early once the deviance is all but explained; no lambda
        at all if no column varies with the classes.
    alpha : float, 0 (ridge) to 1 (lasso)
    penalty_factors : (p,), at least 0, used as they are (glmnet divides by their mean); None: 1
    standardize : divide columns by their population standard deviation
    row_weights : (n,) positive; None: 1

    Returns
    -------
    Path
        What is constant has the coefficient 0.
    """
    n, p = X.shape
    weights = np.ones(n) if row_weights is None else row_weights
    columns = X.T.copy() if X.flags.f_contiguous else transposed_copy(X)
    means, scale = standardise_columns(columns, weights, True, bool(standardize))
    factors = np.ones(p) if penalty_factors is None else np.asarray(penalty_factors, np.float64)
    held, free = np.flatnonzero(factors > 0), np.flatnonzero(factors == 0)
    unpenalised = np.vstack([np.ones(n), columns[free]])
    own = factors[held]
    if free.size:
        columns = columns[held]
    if (own != 1).any():  # in units of the penalty every column has the threshold alpha lambda
        columns /= own[:, None]
    classes = 1 if n_classes == 2 else int(n_classes)
    codes = np.ascontiguousarray(codes, np.int64)
    problem = Problem(codes, weights / n, unpenalised, classes)
    table = dense_table(columns)
    base, pulls = null_model(problem, table)
    alpha = float(alpha)
    if lambdas is None:
        most = max(largest_product(table, row) for row in pulls) if held.size else 0.0
        ratio = (0.01 if n < p else 1e-4) if min_ratio is None else min_ratio
        steps = np.arange(n_lambdas if most > 0 else 0) / max(n_lambdas - 1, 1)
        grid = most / max(alpha, LEAST_ALPHA) * ratio**steps
        ends = SETTLED_CHANGE, MAX_DEVIANCE_RATIO
    else:
        grid, ends = np.ascontiguousarray(lambdas, np.float64), (-1.0, -1.0)
    starts, indices, values, bases, told = walk_lambdas(
        problem, table, 1 / own, base, grid, alpha, *ends
    )
    scale[held] *= own
    coefs, intercepts = [], bases[:, :, 0].copy()
    for k in range(len(bases)):
        part = slice(starts[k], starts[k + 1])
        inside = bases[k, :, 1:]
        if classes > 1:
            inside = inside - inside.mean(axis=0)
        chosen = np.concatenate([free, held[indices[part]]])
        found = np.hstack([inside, values[part].T]) / scale[chosen]
        order = np.argsort(chosen, kind="stable")
        chosen, found = chosen[order], np.ascontiguousarray(found[:, order])
        coefs.append((chosen, found))
        intercepts[k] -= (found * means[chosen]).sum(axis=1)  # BLAS would ask for its threads
        if classes > 1:
            intercepts[k] -= intercepts[k].mean()
    return Path(
        grid[: len(bases)], intercepts, coefs, told[0], told[1], float(null_loss(problem)[0])
    )

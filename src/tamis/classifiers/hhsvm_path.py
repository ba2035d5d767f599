"""The path of the hybrid huberised support vector machine over lambda1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, plural

KKT_LIMIT, GAP_LIMIT = 1e-8, 1e-10


@dataclass(frozen=True)
class HHSVMPath:
    """Coefficients at each lambda1, with the certificate of each.

    Attributes
    ----------
    lambdas : ndarray of shape (n_lambdas,)
        Values of lambda1, in the order asked for.
    coef : ndarray of shape (n_lambdas, n_features)
        On the scale of the columns given, also when they were standardised.
    intercept : ndarray of shape (n_lambdas,)
    kkt : ndarray of shape (n_lambdas,)
        Largest violation of the optimality conditions, divided by lambda1.
    gap : ndarray of shape (n_lambdas,)
        Duality gap at a feasible dual point, divided by the objective.
    objective : ndarray of shape (n_lambdas,)
    converged : ndarray of bool of shape (n_lambdas,)
        Whether kkt is within `tol` and gap within 1e-10.
    classes : tuple
        The two labels, the one of a positive decision value last.
    lambda2, delta : float
    """

    lambdas: np.ndarray
    coef: np.ndarray
    intercept: np.ndarray
    kkt: np.ndarray
    gap: np.ndarray
    objective: np.ndarray
    converged: np.ndarray
    classes: tuple
    lambda2: float
    delta: float

    @property
    def n_active(self) -> np.ndarray:
        """Number of coefficients that are not 0, at each lambda1."""
        return np.count_nonzero(self.coef, axis=1)

    def frame(self) -> Any:
        """One row a lambda1, as a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self._columns())

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers; coefficients as pairs of column and value."""
        paths = [[[int(j), float(row[j])] for j in np.flatnonzero(row)] for row in self.coef]
        return {
            "lambda2": self.lambda2,
            "delta": self.delta,
            "classes": [c.item() if isinstance(c, np.generic) else c for c in self.classes],
            "n_features": self.coef.shape[1],
            **{name: values.tolist() for name, values in self._columns().items()},
            "coef": paths,
        }

    def summary(self) -> str:
        """The range of the path, and whether every point of it is certified."""
        good, total = int(self.converged.sum()), len(self.lambdas)
        return (
            f"HHSVM path of {total} lambdas from {self.lambdas.max():.4g} to "
            f"{self.lambdas.min():.4g} (lambda2 {self.lambda2:g}, delta {self.delta:g}): up to "
            f"{self.n_active.max()} of {self.coef.shape[1]} columns; {good} of {total} certified, "
            f"KKT / lambda at most {self.kkt.max():.1e}, gap at most {self.gap.max():.1e}"
        )

    def _columns(self) -> dict[str, np.ndarray]:
        return {
            "lambdas": self.lambdas,
            "n_active": self.n_active,
            "intercept": self.intercept,
            "objective": self.objective,
            "kkt": self.kkt,
            "gap": self.gap,
            "converged": self.converged,
        }


def hhsvm_path(
    X,
    y,
    lambda2: float,
    delta: float = 2.0,
    lambdas=None,
    n_lambdas: int = 100,
    min_ratio: float | None = None,
    standardize: bool = False,
    sample_weight=None,
    fit_intercept: bool = True,
    tol: float = KKT_LIMIT,
) -> HHSVMPath:
    """Exact solutions of the hybrid huberised SVM over a grid of lambda1.

    Minimises ``(1/n) sum_i w_i phi(y_i f_i) + lambda1 |b|_1 + (lambda2/2) |b|_2^2`` with
    ``f = b0 + X b``, b0 without penalty, and ``phi(t)`` 0 for t > 1,
    ``(1-t)^2 / (2 delta)`` for 1 - delta < t <= 1, ``1 - t - delta/2`` below.

    Parameters
    ----------
    X : array-like or scipy sparse of shape (n_samples, n_features), finite
        A sparse table is made dense.
    y : array-like of shape (n_samples,)
        Two labels; the later one in sorted order is the positive class.
    lambda2 : float
        At least 0, in the units of a variance of the columns.
    delta : float, default=2.0
        Width of the quadratic part of the loss, in units of the margin.
    lambdas : array-like of shape (n_lambdas,) or None, default=None
        Values of lambda1, all positive. None: `n_lambdas` geometric values from lambda_max,
        the least at which no column is active, down to `min_ratio` times it.
    n_lambdas : int, default=100
    min_ratio : float or None, default=None
        Between 0 and 1. None: 0.01 if there are fewer samples than columns, else 1e-4.
    standardize : bool, default=False
        Divide each column by its (weighted) population standard deviation, so that the
        penalties act in those units. Coefficients are returned for the columns given, the
        certificate is that of the standardised problem.
    sample_weight : array-like of shape (n_samples,) or None, default=None
        w, at least 0. They are not rescaled: n is the number of rows, whatever their weights.
    fit_intercept : bool, default=True
    tol : float, default=1e-8
        KKT / lambda1 up to which a point may be called converged.

    Returns
    -------
    HHSVMPath

    Raises
    ------
    DataError
        X or y cannot be used: not finite, not two classes, lambda_max is 0.
    PlanError
        A parameter is out of range.

    References
    ----------
    Wang, Zhu & Zou (2008), Hybrid huberized support vector machines for microarray
    classification and gene selection, Bioinformatics 24, 412-419.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.classifiers import hhsvm_path
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([-1, 1], 15)
    >>> X = rng.normal(size=(30, 200))
    >>> X[:, :2] += y[:, None]
    >>> path = hhsvm_path(X, y, lambda2=0.1, n_lambdas=20)
    >>> path.coef.shape, bool(path.converged.all())
    ((20, 200), True)
    >>> np.flatnonzero(path.coef[5]).tolist()
    [0, 1]
    """
    from ..kernels.huberized_svm import Problem, certify, intercept_only, pull, solve

    lambda2, delta = _number(lambda2, "lambda2", 0.0, True), _number(delta, "delta", 0.0, False)
    tol = _number(tol, "tol", 0.0, False)
    X, signs, classes, weights = _checked(X, y, sample_weight)
    n, p = X.shape
    rows = weights > 0
    columns, means, scale = _columns(X[rows], weights[rows], standardize, fit_intercept)
    y, v = signs[rows], weights[rows] / n
    problem = Problem(columns, y, v, lambda2, delta, bool(fit_intercept))
    b0 = intercept_only(v[y > 0].sum(), v[y < 0].sum(), delta) if fit_intercept else 0.0
    b = np.zeros(p)
    if lambdas is None:
        pulls = v * y * pull(y * b0, delta)
        most = float(np.abs(columns @ pulls).max())
        if most <= 1e-14 * float((np.abs(columns) @ np.abs(pulls)).max()):  # rounding only
            most = 0.0
        grid = _grid(most, n_lambdas, min_ratio, n < p)
    else:
        grid = np.array(lambdas, dtype=np.float64).ravel()
        if not len(grid) or not (np.isfinite(grid) & (grid > 0)).all():
            raise PlanError(f"lambdas={lambdas!r}: give positive finite numbers, at least one")
    size = len(grid)
    coef, intercept = np.zeros((size, p)), np.zeros(size)
    kkt, gap, objective = np.zeros(size), np.zeros(size), np.zeros(size)
    for k in np.argsort(-grid, kind="stable"):
        b0, b = solve(problem, float(grid[k]), b0, b)
        kkt[k], gap[k], objective[k] = certify(problem, float(grid[k]), b0, b)
        coef[k] = b / scale
        intercept[k] = b0 - means @ coef[k]
    converged = (kkt <= tol) & (gap <= GAP_LIMIT)
    return HHSVMPath(grid, coef, intercept, kkt, gap, objective, converged, classes, lambda2, delta)


def _columns(
    X: np.ndarray, weights: np.ndarray, standardize: bool, fit_intercept: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns as rows, centred if there is an intercept to absorb it; their means and scale.

    Centring changes no coefficient but makes the linear systems far better conditioned.
    """
    constant = (X[0] == X).all(axis=0)
    means = np.where(constant, X[0], weights @ X / weights.sum())
    columns = np.ascontiguousarray((X - means).T)
    scale = np.ones(X.shape[1])
    if standardize:
        scale = np.sqrt(columns**2 @ weights / weights.sum())
        scale[scale == 0] = 1.0
    if not fit_intercept:
        means, columns = np.zeros(X.shape[1]), np.ascontiguousarray(X.T)
    return (columns / scale[:, None] if standardize else columns), means, scale


def _grid(most: float, n_lambdas: int, min_ratio: float | None, wide: bool) -> np.ndarray:
    """Geometric values of lambda1 from `most` down."""
    if not isinstance(n_lambdas, int | np.integer) or n_lambdas < 1:
        raise PlanError(f"n_lambdas={n_lambdas!r}: give a whole number of at least 1")
    ratio = (0.01 if wide else 1e-4) if min_ratio is None else min_ratio
    if not 0 < ratio < 1:
        raise PlanError(f"min_ratio={min_ratio!r}: give a number between 0 and 1, or None")
    if most <= 0:
        raise DataError(
            "lambda_max is 0: no column of X varies with y; give other columns, or lambdas"
        )
    return most * ratio ** (np.arange(n_lambdas) / max(n_lambdas - 1, 1))


def _number(value: Any, name: str, least: float, allowed: bool) -> float:
    """A finite number above `least`, or equal to it where that is allowed."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not (np.isfinite(number) and (number > least or (allowed and number == least))):
        words = "of at least" if allowed else "above"
        raise PlanError(f"{name}={value!r}: give a number {words} {least:g}")
    return number


def _checked(X, y, sample_weight) -> tuple[np.ndarray, np.ndarray, tuple, np.ndarray]:
    """X as floats, y as -1 and 1, the labels, and the weights of the rows."""
    try:
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError("X holds values that are not numbers: give a numeric table") from error
    y = np.asarray(y)
    if X.ndim != 2 or y.shape != (len(X),) or not X.size:
        raise DataError(f"X has shape {X.shape} and y {y.shape}: give a table (n, p) and n labels")
    if not np.isfinite(X).all():
        raise DataError("X holds NaN or infinite values: impute or drop them first")
    weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if weights.shape != y.shape or not (np.isfinite(weights) & (weights >= 0)).all():
        raise DataError(
            f"sample_weight of shape {weights.shape}: give {len(X)} finite numbers of at least 0"
        )
    classes = np.unique(y[weights > 0])
    if len(classes) != 2:
        raise DataError(
            f"y has {plural(len(classes), 'label')} among the rows of positive weight: give two"
        )
    return X, np.where(y == classes[1], 1.0, -1.0), tuple(classes.tolist()), weights

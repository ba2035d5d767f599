"""The path of the hybrid huberised support vector machine over lambda1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import DataError, counted_noun
from ..._core.first_screen import FirstScreen
from .inputs import checked_number, given_lambdas, lambda_grid, two_classes

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture


KKT_LIMIT, GAP_LIMIT = 1e-8, 1e-10


@dataclass(frozen=True)
class HHSVMPath(FirstScreen):
    """Coefficients at each lambda1, with the certificate of each.

    Attributes
    ----------
    lambdas : ndarray of shape (n_lambdas,)
        Values of lambda1, in the order requested.
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

    def __repr__(self) -> str:
        size = (
            f"{len(self.lambdas)} values of lambda1, {counted_noun(self.coef.shape[1], 'feature')}"
        )
        return f"HHSVMPath({size}; lambda2 {self.lambda2:g})"

    @property
    def n_active(self) -> np.ndarray:
        """Number of coefficients that are not 0, at each lambda1."""
        return np.count_nonzero(self.coef, axis=1)

    def frame(self) -> pd.DataFrame:
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

    def plot(self) -> Picture:
        """Coefficients over lambda1 (`tamis.plotting.coefficient_paths`)."""
        from ...plotting.coefficient_paths import coefficient_paths
        from ...plotting.picture import Picture

        coef = [[[j, row[j]] for j in np.flatnonzero(row).tolist()] for row in self.coef]
        charts = coefficient_paths(self.lambdas.tolist(), self.classes, coef)
        return Picture("coefficients", tuple(charts))

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
        A sparse table is never made dense; its columns are centred implicitly.
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
    from ...kernels.huberized_svm.columns import largest_product
    from ...kernels.huberized_svm.path import first_pulls, solve_path

    lambda2 = checked_number(lambda2, "lambda2", 0.0, True)
    delta = checked_number(delta, "delta", 0.0, False)
    tol = checked_number(tol, "tol", 0.0, False)
    X, signs, classes, weights = two_classes(X, y, sample_weight)
    n, p = X.shape
    rows = weights > 0
    if not rows.all():
        X, signs, weights = X[rows], signs[rows], weights[rows]
    table, means, scale = _kernel_table(X, weights, standardize, fit_intercept)
    v = weights / n
    if lambdas is None:
        most = largest_product(table, first_pulls(signs, v, delta, fit_intercept))
        grid = lambda_grid(most, n_lambdas, min_ratio, n < p)
    else:
        grid = given_lambdas(lambdas)
    order = np.argsort(-grid, kind="stable")
    found = solve_path(table, signs, v, lambda2, delta, bool(fit_intercept), grid[order])
    coef, intercept = np.zeros((len(grid), p)), np.zeros(len(grid))
    kkt, gap, objective = np.zeros((3, len(grid)))
    kkt[order], gap[order], objective[order] = found.kkt, found.gap, found.objective
    for k, row in enumerate(order):
        part = slice(found.starts[k], found.starts[k + 1])
        chosen = found.indices[part]
        values = found.values[part] / scale[chosen]
        coef[row, chosen] = values
        intercept[row] = found.intercepts[k] - means[chosen] @ values
    converged = (kkt <= tol) & (gap <= GAP_LIMIT)
    return HHSVMPath(grid, coef, intercept, kkt, gap, objective, converged, classes, lambda2, delta)


def _kernel_table(
    X, weights: np.ndarray, standardize: bool, fit_intercept: bool
) -> tuple[Any, Any, Any]:
    """The kernel's columns, centred if there is an intercept to absorb it; means and scale.

    Centring changes no coefficient but makes the linear systems far better conditioned.
    """
    from ...kernels.huberized_svm import columns as kernel

    centre, divide = bool(fit_intercept), bool(standardize)
    if hasattr(X, "tocsc"):
        arrays = X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)
        means, scale, factor = kernel.standardise_sparse(*arrays, weights, centre, divide)
        table = kernel.ColumnTable(np.empty((0, len(weights))), *arrays, means, factor)
    else:
        columns = X.T.copy() if X.flags.f_contiguous else kernel.transposed_copy(X)
        means, scale = kernel.standardise_columns(columns, weights, centre, divide)
        table = kernel.dense_table(columns)
    if not np.isfinite(scale).all():
        finite = np.isfinite(X.data if hasattr(X, "tocsc") else X).all()
        raise DataError(
            "X holds values too large to square: rescale its columns"
            if finite
            else "X holds NaN or infinite values: impute or drop them first"
        )
    return table, means, scale

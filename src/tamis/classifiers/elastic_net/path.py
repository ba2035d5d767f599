"""The path of logistic regression with an elastic net over lambda."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import DataError, PlanError, counted_noun, value_text
from ..._core.first_screen import FirstScreen
from ..huberized_svm.inputs import (
    checked_number,
    classes_of,
    given_lambdas,
    lambda_grid,
    table_and_labels,
)

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture


KKT_LIMIT = 1e-9
DEFAULT_ALPHA = 0.5
N_LAMBDAS = 50  # half of what looks smooth costs half
MAX_ABS_VALUE = 1e150


@dataclass(frozen=True)
class ElasticNetPath(FirstScreen):
    """Coefficients at each lambda, with the certificate of each.

    There are K = 1 rows of coefficients for two classes (log-odds of the second) and K = C for
    more. They are kept sparse: those at the l-th lambda are the entries from ``starts[l]`` to
    ``starts[l + 1]`` of `columns` and `values`.

    Attributes
    ----------
    lambdas : ndarray of shape (n_lambdas,)
        In the order requested.
    intercept : ndarray of shape (n_lambdas, K)
        Of sum 0 if K > 1.
    starts : ndarray of int of shape (n_lambdas + 1,)
    columns : ndarray of int of shape (n_entries,)
        Columns in use by any class, and those without a penalty; rising at each lambda.
    values : ndarray of shape (K, n_entries)
        On the scale of the columns given, also when they were standardised.
    kkt : ndarray of shape (n_lambdas,)
        Largest violation of the optimality conditions, divided by lambda.
    deviance : ndarray of shape (n_lambdas,)
        Minus twice the log-likelihood.
    null_deviance : float
        That of the intercepts alone.
    classes : tuple
        The labels, in sorted order.
    n_features : int
    alpha : float
    """

    lambdas: np.ndarray
    intercept: np.ndarray
    starts: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    kkt: np.ndarray
    deviance: np.ndarray
    null_deviance: float
    classes: tuple
    n_features: int
    alpha: float

    def __repr__(self) -> str:
        size = (
            f"{counted_noun(len(self.lambdas), 'lambda')}, "
            f"{counted_noun(self.n_features, 'feature')}"
        )
        return f"ElasticNetPath({size}, {len(self.classes)} classes; alpha {self.alpha:g})"

    def coef_at(self, index: int) -> np.ndarray:
        """Coefficients (K, n_features) at the lambda of this index."""
        index = range(len(self.lambdas))[index]
        part = slice(self.starts[index], self.starts[index + 1])
        out = np.zeros((len(self.values), self.n_features))
        out[:, self.columns[part]] = self.values[:, part]
        return out

    @property
    def coef(self) -> np.ndarray:
        """All coefficients written out: (n_lambdas, K, n_features)."""
        return np.stack([self.coef_at(index) for index in range(len(self.lambdas))])

    @property
    def n_active(self) -> np.ndarray:
        """Number of columns with a coefficient other than 0 in any class, at each lambda."""
        used = np.concatenate([[0], np.cumsum(self.values.any(axis=0))])
        return used[self.starts[1:]] - used[self.starts[:-1]]

    @property
    def explained(self) -> np.ndarray:
        """Share of the null deviance that is gone, at each lambda."""
        return 1 - self.deviance / self.null_deviance

    @property
    def converged(self) -> np.ndarray:
        """Whether kkt is within 1e-9, at each lambda."""
        return self.kkt <= KKT_LIMIT

    def decision(self, X: np.ndarray) -> np.ndarray:
        """Linear predictors of the rows of X, (n_lambdas, n_samples, K)."""
        found = np.empty((len(self.lambdas), len(X), len(self.values)))
        for index, out in enumerate(found):
            part = slice(self.starts[index], self.starts[index + 1])
            out[:] = X[:, self.columns[part]] @ self.values[:, part].T + self.intercept[index]
        return found

    def frame(self) -> pd.DataFrame:
        """One row a lambda, as a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self._table())

    def to_dict(self) -> dict[str, object]:
        """Plain lists and numbers; coefficients as lists of column and one value a class."""
        return {
            "alpha": self.alpha,
            "classes": [c.item() if isinstance(c, np.generic) else c for c in self.classes],
            "n_features": self.n_features,
            "null_deviance": self.null_deviance,
            **{name: values.tolist() for name, values in self._table().items()},
            "intercept": self.intercept.tolist(),
            "coef": self._entries(),
        }

    def summary(self) -> str:
        """The range of the path, and whether every point of it is certified."""
        good, total = int(self.converged.sum()), len(self.lambdas)
        return (
            f"Elastic net path of {counted_noun(total, 'lambda')} from {self.lambdas.max():.4g} to "
            f"{self.lambdas.min():.4g} (alpha {self.alpha:g}), {len(self.classes)} classes: up to "
            f"{self.n_active.max()} of {self.n_features} columns and {self.explained.max():.1%} of "
            f"the deviance; {good} of {total} certified, KKT / lambda at most {self.kkt.max():.1e}"
        )

    def plot(self) -> Picture:
        """Coefficients over lambda, a chart a class (`tamis.plotting.coefficient_paths`)."""
        from ...plotting.coefficient_paths import coefficient_paths
        from ...plotting.picture import Picture

        charts = coefficient_paths(self.lambdas.tolist(), self.classes, self._entries())
        return Picture("coefficients", tuple(charts))

    def _entries(self) -> list[list[list[float]]]:
        """At each lambda the columns with a coefficient: column and one value a class."""
        entries = [
            [int(column), *map(float, values)]
            for column, values in zip(self.columns, self.values.T, strict=True)
        ]
        return [entries[a:b] for a, b in zip(self.starts, self.starts[1:], strict=False)]

    def _table(self) -> dict[str, np.ndarray]:
        return {
            "lambdas": self.lambdas,
            "n_active": self.n_active,
            "deviance": self.deviance,
            "explained": self.explained,
            "kkt": self.kkt,
            "converged": self.converged,
        }


def elastic_net_path(
    X,
    y,
    *,
    alpha: float = DEFAULT_ALPHA,
    lambdas=None,
    n_lambdas: int = N_LAMBDAS,
    min_ratio: float | None = None,
    standardize: bool = True,
    penalty_factors=None,
) -> ElasticNetPath:
    """Exact solutions of logistic regression with an elastic net over a grid of lambda.

    Minimises ``-(1/n) sum_i log p(y_i) + lambda sum_jk pf_j (alpha |b_jk| + (1-alpha)/2 b_jk^2)``
    with intercepts without penalty: for two classes ``p = 1/(1 + exp(-b0 - X b))`` of the second,
    for more the symmetric multinomial model (a softmax with coefficients for every class), as
    R's glmnet.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), finite
    y : array-like of shape (n_samples,)
        Labels of two classes or more.
    alpha : float, default=0.5
        Between 0 (ridge) and 1 (lasso).
    lambdas : array-like of shape (n_lambdas,) or None, default=None
        All positive; each is solved. None: `n_lambdas` geometric values from lambda_max, the
        least at which every penalised coefficient is 0, down to `min_ratio` times it. The path
        then ends early once 99.9 % of the deviance is explained, or (after five lambdas) once a
        lambda adds less than 1e-5 of what is. At alpha < 0.001 lambda_max is that of 0.001.
    n_lambdas : int, default=50
    min_ratio : float or None, default=None
        Between 0 and 1. None: 0.01 if there are fewer samples than columns, else 1e-4.
    standardize : bool, default=True
        Divide each column by its population standard deviation, so that the penalties act in
        those units. Coefficients are returned for the columns given, the certificate is that of
        the standardised problem.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        pf, at least 0; 0 keeps a column in without penalty, such as a covariate. They are used as
        they are: unlike glmnet's, they are not divided by their mean. None: 1 for every column.

    Returns
    -------
    ElasticNetPath

    Raises
    ------
    DataError
        X or y cannot be used: not finite, fewer than two classes, lambda_max is 0.
    PlanError
        A parameter is out of range.

    References
    ----------
    Friedman, Hastie & Tibshirani (2010), Regularization paths for generalized linear models via
    coordinate descent, Journal of Statistical Software 33(1).

    Tibshirani, Bien, Friedman, Hastie, Simon, Taylor & Tibshirani (2012), Strong rules for
    discarding predictors in lasso-type problems, JRSS B 74, 245-266.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.classifiers import elastic_net_path
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["a", "b", "c"], 15)
    >>> X = rng.normal(size=(45, 200))
    >>> X[:15, 0] += 3
    >>> X[15:30, 1] += 3
    >>> path = elastic_net_path(X, y, n_lambdas=20)
    >>> path.coef.shape, bool(path.converged.all())
    ((20, 3, 200), True)
    >>> path.n_active[:5].tolist()
    [0, 2, 2, 3, 5]
    """
    from ...kernels.elastic_net.path import solve_path

    alpha = share_up_to_one(alpha, "alpha")
    X, codes, classes = labelled_table(X, y)
    factors = factors_of(penalty_factors, X.shape[1])
    lambda_grid(1.0, n_lambdas, min_ratio, True)  # refuses what cannot be
    grid = None if lambdas is None else given_lambdas(lambdas)
    order = None if grid is None else np.argsort(-grid, kind="stable")
    found = solve_path(
        X,
        codes,
        len(classes),
        None if grid is None else grid[order],
        alpha,
        factors,
        int(n_lambdas),
        min_ratio,
        bool(standardize),
    )
    if not len(found.lambdas):
        raise DataError(
            "lambda_max is 0: no penalised column of X varies with y; give other columns, or "
            "lambdas"
        )
    back = np.arange(len(found.lambdas)) if order is None else np.argsort(order, kind="stable")
    coefs = [found.coefs[at] for at in back]
    return ElasticNetPath(
        lambdas=found.lambdas[back],
        intercept=found.intercepts[back],
        starts=np.cumsum([0, *(len(columns) for columns, _ in coefs)]),
        columns=np.concatenate([columns for columns, _ in coefs]),
        values=np.hstack([values for _, values in coefs]),
        kkt=found.kkt[back],
        deviance=2 * len(codes) * found.loss[back],
        null_deviance=2 * len(codes) * found.null_loss,
        classes=classes,
        n_features=X.shape[1],
        alpha=alpha,
    )


def share_up_to_one(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    found = checked_number(value, name, 0.0, True)
    if found > 1:
        raise PlanError(f"{name}={value!r}: give a number from 0 to 1")
    return found


def factors_of(given: Any, p: int) -> np.ndarray:
    """One penalty factor a column, 1 if none are given."""
    if given is None:
        return np.ones(p)
    try:
        factors = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        factors = np.empty(0)
    if factors.shape != (p,) or not (np.isfinite(factors) & (factors >= 0)).all():
        raise PlanError(
            f"penalty_factors={value_text(given)}: give {p} finite numbers of at least 0, one a "
            "column"
        )
    return factors


def labelled_table(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray, tuple]:
    """X as finite floats, the codes of y, and its sorted labels."""
    X, y = table_and_labels(X, y, sparse=False)
    if not np.isfinite(X).all():
        raise DataError("X holds NaN or infinite values: impute or drop them first")
    if max(X.max(), -X.min()) > MAX_ABS_VALUE:
        raise DataError("X holds values too large to square: rescale its columns")
    classes, codes = classes_of(y)
    if len(classes) < 2:
        raise DataError(f"y has {counted_noun(len(classes), 'label')}: give at least two")
    return X, codes.astype(np.int64), tuple(classes.tolist())

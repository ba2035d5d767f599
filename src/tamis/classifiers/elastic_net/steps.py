"""The elastic net in a study: every penalty of its path is a candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.interfaces import Arrays, Beliefs, Part, Path, PathClassifier, Seeds
from ..._core.parameters import StepSettings
from ..base.constant_predictor import ONE_NUMBER
from ..base.linear_predictor import LinearPredictor
from ..base.linear_value import LinearValue
from .path import DEFAULT_ALPHA, N_LAMBDAS


@dataclass(frozen=True)
class ElasticNetSteps(Path):
    """Coefficients of one training set at falling penalties.

    Attributes
    ----------
    lambdas : ndarray of shape (L,)
    intercepts : ndarray of shape (L, K)
    coefs : sequence of (columns, values)
        Of [covariates, X]; values are (K, m), K = 1 for two classes and C for more.
    spread : ndarray of shape (q + p,)
        Standard deviations, by which coefficients compare.
    n_covariates : int
    linear : callable
        From values (K, m) and intercepts (K,) to what predicts by them.
    """

    lambdas: np.ndarray
    intercepts: np.ndarray
    coefs: Sequence[tuple[np.ndarray, np.ndarray]]
    spread: np.ndarray
    n_covariates: int
    linear: Callable[[np.ndarray, np.ndarray], LinearPredictor | LinearValue] = LinearPredictor

    @property
    def settings(self) -> list[StepSettings]:
        """The penalty of each step."""
        return [{"lambda": float(value)} for value in self.lambdas]

    @property
    def columns(self) -> list[np.ndarray]:
        """Columns with a coefficient, the largest for its standard deviation first."""
        found = []
        for columns, values in self.coefs:
            own = (columns >= self.n_covariates) & values.any(axis=0)
            weight = np.abs(values[:, own]).max(axis=0) * self.spread[columns[own]]
            order = np.argsort(-weight, kind="stable")
            found.append(columns[own][order] - self.n_covariates)
        return found

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows, at every penalty."""
        full = np.hstack([covariates, X])
        return [
            self.linear(values, intercept).beliefs(full[:, columns])
            for intercept, (columns, values) in zip(self.intercepts, self.coefs, strict=True)
        ]

    def predictor(self, step: int, columns: np.ndarray) -> LinearPredictor | LinearValue:
        """One penalty, on [covariates, X[:, columns]]."""
        used, values = self.coefs[step]
        q = self.n_covariates
        place = np.concatenate([np.arange(q), np.asarray(columns, dtype=np.int64) + q])
        full = np.zeros((len(values), len(self.spread)))
        full[:, used] = values
        return self.linear(np.ascontiguousarray(full[:, place]), self.intercepts[step].copy())


def linear_value(values: np.ndarray, intercept: np.ndarray) -> LinearValue:
    """Of a number, from (1, m) and (1,)."""
    return LinearValue(values[0], float(intercept[0]))


@dataclass(eq=False)
class ElasticNet(PathClassifier):
    """The elastic net as a `PathClassifier`; covariates are in every model, unpenalised.

    A number is learnt in units of the training set's standard deviation, so that penalties, and the
    balance of their two parts, do not depend on its unit (as R's glmnet with "gaussian").

    Parameters are those of `ElasticNetClassifier`, of which plans set `alpha`, `n_lambdas` and
    `min_ratio` alone.
    """

    alpha: float = DEFAULT_ALPHA
    lam: Any = "cv"
    n_lambdas: int = N_LAMBDAS
    min_ratio: float | None = None
    standardize: bool = True
    penalty_factors: Any = None
    cv: Any = 5
    criterion: str = "loss"
    rule: str = "min"
    random_state: Any = None
    n_jobs: int | None = None

    def follow(
        self, part: Part, settings: Sequence[StepSettings] | None, stream: Seeds
    ) -> ElasticNetSteps:
        """Solve for the part's own penalties, or those given."""
        from ...kernels.elastic_net.path import solve_path

        q = part.covariates.shape[1]
        full = np.hstack([part.covariates, part.X]) if q else part.X
        factors = np.ones(full.shape[1])
        factors[:q] = 0.0
        y, middle, unit = part.y, 0.0, 1.0
        if part.n_classes == ONE_NUMBER:
            middle, unit = float(y.mean()), float(y.std()) or 1.0
            y = (y - middle) / unit
        lambdas = None
        if settings is not None:
            lambdas = np.array([step["lambda"] for step in settings])
        found = solve_path(
            full,
            y,
            part.n_classes,
            lambdas,
            self.alpha,
            factors,
            self.n_lambdas,
            self.min_ratio,
        )
        if not len(found.lambdas):  # nothing varies with the classes: the covariates alone
            found = solve_path(full, y, part.n_classes, np.ones(1), self.alpha, factors)
        spread = full.std(axis=0)
        if part.n_classes == ONE_NUMBER:
            coefs = [(columns, values * unit) for columns, values in found.coefs]
            intercepts = found.intercepts * unit + middle
            return ElasticNetSteps(found.lambdas, intercepts, coefs, spread, q, linear_value)
        return ElasticNetSteps(found.lambdas, found.intercepts, found.coefs, spread, q)

    def count(self) -> int:
        """Penalties."""
        return self.n_lambdas

    def from_arrays(
        self, arrays: Arrays, n_columns: int, n_classes: int
    ) -> LinearPredictor | LinearValue:
        """As of the predictor."""
        if n_classes == ONE_NUMBER:
            return LinearValue.from_arrays(arrays, n_columns)
        return LinearPredictor.from_arrays(arrays, n_columns, n_classes)

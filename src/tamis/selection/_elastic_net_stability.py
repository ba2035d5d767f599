"""Stability selection along the path of the elastic net of a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._stability import StabilitySelector
from ._stability_counts import PathRanker

FIRST_STEPS = 4  # lambdas solved at first; then twice as many, until too many columns are active
LEAST_RATIO = 0.01  # of the least lambda to the largest


@dataclass(frozen=True)
class NetPath:
    """The path of one training set, for any of its rows (a `SharedPath`).

    Attributes
    ----------
    X : ndarray of shape (n, p)
        Standardised by the full training set.
    y : ndarray of shape (n,)
        In units of its standard deviation there.
    lambdas : ndarray of shape (n_lambdas,)
    alpha : float
    """

    X: np.ndarray
    y: np.ndarray
    lambdas: np.ndarray
    alpha: float

    def active_sets(self, rows: np.ndarray, most: int) -> list[np.ndarray]:
        """See `SharedPath`."""
        from ..kernels.elastic_net.path import solve_path

        X, y, L = self.X[rows], self.y[rows], len(self.lambdas)
        steps = FIRST_STEPS
        while True:
            found = solve_path(X, y, 1, self.lambdas[:steps], self.alpha, standardize=False)
            sets = [columns[values[0] != 0] for columns, values in found.coefs]
            ever = np.zeros(X.shape[1], dtype=bool)
            for step, active in enumerate(sets):
                ever[active] = True
                if ever.sum() > most:
                    return sets[:step]
            if steps >= L:
                return sets
            steps *= 2


@dataclass(eq=False)
class NetRanker(PathRanker):
    """What `StabilitySelector` follows."""

    alpha: float
    n_lambdas: int

    def shared_path(self, X: np.ndarray, y: np.ndarray) -> NetPath:
        """The grid and the scale of one training set; a column without spread stays 0."""
        from ..classifiers.base.scaling import standardised_with_scale

        Z, _, _ = standardised_with_scale(np.ascontiguousarray(X))
        r = (y - y.mean()) / (float(y.std()) or 1.0)
        most = float(np.abs(r @ Z).max(initial=0.0)) / len(r) / self.alpha
        steps = np.arange(self.n_lambdas) / max(self.n_lambdas - 1, 1)
        return NetPath(Z, r, (most or 1.0) * LEAST_RATIO**steps, self.alpha)


class ElasticNetStability(StabilitySelector):
    """`StabilitySelector` with the elastic net of a number inside, in plans.

    Halves are drawn without strata (Meinshausen & Buhlmann 2010; Shah & Samworth 2013).
    """

    def __init__(
        self,
        alpha: float = 0.5,
        n_lambdas: int = 30,
        n_pairs: int = 50,
        q: int | None = None,
        threshold: float | None = None,
        pfer: float | None = None,
        bound: str = "unimodal",
        size: int | None = 20,
        random_state: int | None = None,
        n_jobs: int | None = None,
    ):
        super().__init__(None, q, threshold, pfer, bound, n_pairs, True, random_state, size, n_jobs)
        self.alpha = alpha
        self.n_lambdas = n_lambdas

    def _ranker(self) -> Any:
        return NetRanker(self.alpha, self.n_lambdas)

"""The null model of a mixed scan: covariates, relationships, and what is left of an outcome."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..._core.errors import DataError, value_text

MAX_NEWTON_STEPS = 50  # of Newton's method
CONVERGENCE_TOLERANCE = 1e-10
SEPARATION_P = 1e-6  # probability, below which covariates as good as rule a class out
COLLINEARITY_TOLERANCE = 1e-8  # of a column's length, by which columns depend on one another
EXACT_FIT = 1e-14  # share of the variance, below which a variant leaves none
MAX_HERITABILITY = 0.95  # share of a liability


@dataclass(frozen=True)
class NullModel(ABC):
    """What covariates predict of an outcome, and a linear model of what is left of it.

    Attributes
    ----------
    mean : ndarray of shape (n,)
        Predicted outcome.
    width : ndarray of shape (n,)
        What rows of the linear model are multiplied by.
    fixed : ndarray of shape (n, c)
        Covariates times the width.
    residual : ndarray of shape (n,)
        (outcome - mean) / width.
    """

    saddle_point_from: ClassVar[float]  # |Z|, from which tails are by a saddle point
    mean: np.ndarray
    width: np.ndarray
    fixed: np.ndarray
    residual: np.ndarray

    @classmethod
    @abstractmethod
    def fitted(
        cls, covariates: np.ndarray, label: np.ndarray, names: Sequence[object] | None = None
    ) -> NullModel:
        """To covariates (n, c), of which the intercept is the first, and outcomes (n,); names of
        the others are for errors."""

    @abstractmethod
    def drawn(self, share: float, genetic: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """As `residual`, of outcomes (n, B) that have no effect of the variant tested; genetic
        values (n, B) and noise (n, B) have a mean square of 1."""

    @abstractmethod
    def information_ratio(self, z: np.ndarray) -> np.ndarray | float:
        """The variance of the null model over that of the statistic reported, at the score z."""

    @abstractmethod
    def p_values(self, statistic: np.ndarray) -> np.ndarray:
        """Two-sided, of the statistic reported."""


@dataclass(frozen=True)
class ClassModel(NullModel):
    """A logistic regression of labels on covariates: `mean` is the probability of the class,
    `width` sqrt(mean (1 - mean)), a weight that it lends to the linear model."""

    saddle_point_from = 2.0

    @classmethod
    def fitted(
        cls, covariates: np.ndarray, label: np.ndarray, names: Sequence[object] | None = None
    ) -> ClassModel:
        """To covariates (n, c), of which the intercept is the first, and labels (n,) of 0 and 1;
        names of the others are for errors.

        Raises
        ------
        DataError
            Covariates determine the class of some samples, or depend on one another.
        """
        orthogonal = _orthogonal(covariates, names)
        effects = np.zeros(covariates.shape[1])
        for _ in range(MAX_NEWTON_STEPS):
            mean = 1 / (1 + np.exp(-orthogonal @ effects))
            weights = mean * (1 - mean)
            if not SEPARATION_P < mean.min() <= mean.max() < 1 - SEPARATION_P:
                raise DataError(
                    "the covariates determine the class of some samples, so that the "
                    "logistic regression has no solution: leave out the one that does, or look for "
                    "outliers"
                )
            curve = (orthogonal.T * weights) @ orthogonal
            step = np.linalg.solve(curve, orthogonal.T @ (label - mean))
            effects += step
            if np.abs(step).max() <= CONVERGENCE_TOLERANCE * max(1.0, np.abs(effects).max()):
                break
        mean = 1 / (1 + np.exp(-orthogonal @ effects))
        width = np.sqrt(mean * (1 - mean))
        return cls(mean, width, width[:, None] * orthogonal, (label - mean) / width)

    def outcomes(self, labels: np.ndarray) -> np.ndarray:
        """As `residual`, of other labels (n, B)."""
        return np.asarray((labels - self.mean[:, None]) / self.width[:, None])

    def drawn(self, share: float, genetic: np.ndarray, noise: np.ndarray) -> np.ndarray:
        cases = round(float(self.mean.sum()))  # by the normal equation of the intercept
        return self.outcomes(labels_of(self, share, genetic, noise, cases))

    def information_ratio(self, z: np.ndarray) -> np.ndarray | float:
        return 1.0

    def p_values(self, statistic: np.ndarray) -> np.ndarray:
        from scipy.special import ndtr

        return np.asarray(2 * ndtr(-np.abs(statistic)))


@dataclass(frozen=True)
class NumberModel(NullModel):
    """A linear regression of a number on covariates. The statistic is the t of generalised least
    squares, with the share of the null model (Kang et al. 2010): of the score Z of n samples and c
    fixed effects it is Z sqrt((n - c - 1) / (n - c - Z^2))."""

    saddle_point_from = np.inf

    @classmethod
    def fitted(
        cls, covariates: np.ndarray, label: np.ndarray, names: Sequence[object] | None = None
    ) -> NumberModel:
        """To covariates (n, c), of which the intercept is the first, and numbers (n,); names of
        the others are for errors.

        Raises
        ------
        DataError
            Covariates depend on one another, or determine the number.
        """
        orthogonal = _orthogonal(covariates, names)
        largest = np.abs(label).max()
        centred = label / largest - (label / largest).mean()
        mean = orthogonal @ (orthogonal.T @ centred)
        left = centred - mean
        if not np.linalg.norm(left) > COLLINEARITY_TOLERANCE * np.linalg.norm(centred):
            raise DataError(
                "the phenotype is a linear combination of the covariates: leave out the one that "
                "determines it"
            )
        return cls(label - largest * left, np.ones(len(label)), orthogonal, largest * left)

    def drawn(self, share: float, genetic: np.ndarray, noise: np.ndarray) -> np.ndarray:
        return np.asarray(np.sqrt(share) * genetic + np.sqrt(1 - share) * noise)

    def information_ratio(self, z: np.ndarray) -> np.ndarray | float:
        n, c = self.fixed.shape
        return np.asarray((n - c - 1) / np.maximum(n - c - z**2, EXACT_FIT * (n - c)))

    def p_values(self, statistic: np.ndarray) -> np.ndarray:
        from scipy.special import stdtr

        n, c = self.fixed.shape
        return np.asarray(2 * stdtr(n - c - 1, -np.abs(statistic)))


def _orthogonal(covariates: np.ndarray, names: Sequence[object] | None) -> np.ndarray:
    """A basis (n, c) of the columns; one that depends on those before it is refused."""
    orthogonal, triangle = np.linalg.qr(covariates)
    sizes = np.abs(np.diag(triangle))
    alike = np.flatnonzero(~(sizes > COLLINEARITY_TOLERANCE * np.linalg.norm(covariates, axis=0)))
    if len(alike):
        place = int(alike[0]) - 1
        name = f"column {place + 1}" if names is None else value_text(str(names[place]))
        raise DataError(
            f"the covariate {name} is constant, or a linear combination of the others: leave it out"
        )
    return orthogonal


@dataclass(frozen=True)
class Rotated:
    """A null model in the directions of the eigenvectors of weighted relationships.

    Attributes
    ----------
    vectors : ndarray of shape (n, n)
    values : ndarray of shape (n,)
        Eigenvalues.
    fixed : ndarray of shape (n, c)
        Rotated.
    """

    vectors: np.ndarray
    values: np.ndarray
    fixed: np.ndarray

    @classmethod
    def of(cls, relationships: np.ndarray, model: NullModel) -> Rotated:
        """Of relationships (n, n), whose lower triangle is read."""
        scaled = model.width / np.sqrt((model.width**2).mean())
        values, vectors = np.linalg.eigh(relationships * scaled * scaled[:, None])
        return cls(vectors, np.maximum(values, 0.0), vectors.T @ model.fixed)

    def fit_shares(self, outcomes: np.ndarray) -> np.ndarray:
        """Shares of the variance (B,) of outcomes (n, B) that relationships explain (REML)."""
        from ...kernels.variance_share import fit_shares

        return fit_shares(self.values, self.fixed, self.vectors.T @ outcomes)

    def weights(self, shares: np.ndarray) -> np.ndarray:
        """1 / (1 - h + h s), (n, B)."""
        return 1.0 / (1.0 - shares + self.values[:, None] * shares)

    def project(self, outcomes: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """P r (n, B) of outcomes r and r'P r / (n - c) (B,), P = V^-1 - V^-1 X (X'V^-1 X)^-1 X'V^-1
        of V = (1 - h) I + h K."""
        n, c = self.fixed.shape
        rotated, weights = self.vectors.T @ outcomes, self.weights(shares)
        cross = np.einsum("ia,iB,ib->Bab", self.fixed, weights, self.fixed, optimize=True)
        right = np.einsum("ia,iB->Ba", self.fixed, weights * rotated, optimize=True)
        effects = np.linalg.solve(cross, right[:, :, None])[:, :, 0]
        left = weights * (rotated - self.fixed @ effects.T)
        return self.vectors @ left, (rotated * left).sum(axis=0) / (n - c)

    def mean_variances(self, shares: np.ndarray) -> np.ndarray:
        """tr(P K) (B,): what g'P g is of variants g in the mean, but for a factor."""
        weights = self.weights(shares)
        cross = np.einsum("ia,iB,ib->Bab", self.fixed, weights, self.fixed, optimize=True)
        among = np.einsum(
            "ia,iB,ib->Bab",
            self.fixed,
            self.values[:, None] * weights**2,
            self.fixed,
            optimize=True,
        )
        lost = np.trace(np.linalg.solve(cross, among), axis1=1, axis2=2)
        return np.asarray(self.values @ weights - lost)


def labels_of(
    model: ClassModel, share: float, genetic: np.ndarray, noise: np.ndarray, cases: int
) -> np.ndarray:
    """Labels (n, B) of 0 and 1 from the null model, `cases` of them 1 in each column.

    Liabilities are what covariates predict, genetic values (n, B) and noise (n, B), both of mean
    square 1, the former with the share of `liability_share`.
    """
    from scipy.special import ndtri

    liable = liability_share(share, cases / len(model.mean))
    liability = np.sqrt(liable) * genetic + np.sqrt(1 - liable) * noise
    liability += ndtri(model.mean)[:, None]
    labels = np.zeros_like(liability)
    order = np.argsort(-liability, axis=0, kind="stable")[:cases]
    np.put_along_axis(labels, order, 1.0, axis=0)
    return labels


def liability_share(share: float, rate: float) -> float:
    """The share of a liability by which labels of siblings or of parent and child correlate as much
    as by a share of the labels' own variance: .95 at most.

    With the correlation s of two liabilities, the covariance of labels that are 1 above t grows by
    the density of both at t (Pearson 1900, the tetrachoric correlation). Robertson's formula
    (Dempster and Lerner 1950) is its slope at 0, and too large for first-degree relatives.

    Examples
    --------
    >>> round(liability_share(0.3, 0.3), 3), round(0.3 * 0.3 * 0.7 / 0.3477**2, 3)
    (0.5, 0.521)
    """
    from scipy.special import ndtri

    s, t = np.linspace(0.0, MAX_HERITABILITY / 2, 1001), ndtri(rate)
    density = np.exp(-(t**2) / (1 + s)) / (2 * np.pi * np.sqrt(1 - s**2))
    covariance = np.append(0.0, np.cumsum((density[1:] + density[:-1]) / 2 * s[1]))
    return float(2 * np.interp(share / 2 * rate * (1 - rate), covariance, s))

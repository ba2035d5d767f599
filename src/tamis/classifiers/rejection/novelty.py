"""How unlike the training samples: the Mahalanobis distance to the nearest class mean.

The covariance is that within classes, pooled, of columns in units of their standard deviation
there, and shrunk towards a multiple of the identity (Ledoit & Wolf 2004), so that there may be
more columns than samples. A sample of a class that was never seen may be far from all means and
yet far from every border.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays


@dataclass(frozen=True)
class Distance:
    """Fitted.

    Attributes
    ----------
    means : ndarray of shape (C, p)
        Of the classes that were there.
    scale : ndarray of shape (p,)
        Standard deviations within classes; 1 where there is none.
    axes : ndarray of shape (r, p)
        Principal axes of what is left within classes, in these units.
    spread : ndarray of shape (r,)
        The shrunken variance along each.
    rest : float
        That along all other directions.
    """

    means: np.ndarray
    scale: np.ndarray
    axes: np.ndarray
    spread: np.ndarray
    rest: float

    @classmethod
    def of(cls, X: np.ndarray, codes: np.ndarray) -> Distance:
        """From training rows (n, p) and their class codes."""
        classes, place = np.unique(codes, return_inverse=True)
        means = np.stack([X[place == c].mean(axis=0) for c in range(len(classes))])
        left = X - means[place]
        free = max(len(X) - len(classes), 1)
        widest = np.abs(left).max(axis=0)
        widest[widest == 0] = 1.0
        scale = widest * np.sqrt(((left / widest) ** 2).sum(axis=0) / free)
        scale = np.where(scale > 1e-12 * np.abs(X).max(axis=0, initial=0.0), scale, 1.0)
        left = left / scale
        _, s, axes = np.linalg.svd(left, full_matrices=False)
        shrinkage = shrinkage_of(left, s)
        own = s * s / free
        middle = float(own.sum() / X.shape[1])
        rest = shrinkage * middle
        floor = 1e-9 * middle or 1.0
        spread = np.maximum((1 - shrinkage) * own + rest, floor)
        return cls(means, scale, axes, spread, max(rest, floor))

    def scores(self, X: np.ndarray) -> np.ndarray:
        """The distance of each row (m, p) to the nearest class mean (m,)."""
        nearest = np.full(len(X), np.inf)
        for mean in self.means:
            away = (X - mean) / self.scale
            along = away @ self.axes.T
            square = (along * along / self.spread).sum(axis=1)
            if len(self.axes) < self.axes.shape[1]:  # else the axes are all there is
                beyond = (away * away).sum(axis=1) - (along * along).sum(axis=1)
                square += np.maximum(beyond, 0.0) / self.rest
            nearest = np.minimum(nearest, square)
        return np.sqrt(nearest)

    def to_arrays(self) -> Arrays:
        """What was learnt."""
        return {
            "means": self.means,
            "scale": self.scale,
            "axes": self.axes,
            "spread": self.spread,
            "rest": np.array([self.rest]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> Distance:
        """Fitted again."""
        p = n_columns
        means, scale, axes, spread, rest = fitting_arrays(
            arrays, means=(None, p), scale=(p,), axes=(None, p), spread=(None,), rest=(1,)
        )
        sound = 1 <= len(means) <= n_classes and len(axes) == len(spread)
        if not (sound and (scale > 0).all() and (spread > 0).all() and rest[0] > 0):
            raise unfit_part_error("distance")
        return cls(means, scale, axes, spread, float(rest[0]))


def shrinkage_of(left: np.ndarray, s: np.ndarray) -> float:
    """Ledoit and Wolf's share of the identity for centred rows (n, p) with singular values s.

    scikit-learn's, without its p x p products: the sum of squares of the covariance is that of its
    eigenvalues, and sum_ij sum_k x_ki^2 x_kj^2 = sum_k |x_k|^4.
    """
    n, p = left.shape
    values = s * s / n
    square, mean = float((values * values).sum()), float(values.sum()) / p
    spread = square / p - mean * mean
    lengths = (left * left).sum(axis=1)
    noise = (float((lengths * lengths).sum()) / n - square) / (n * p)
    return min(max(noise, 0.0), spread) / spread if spread > 0 else 0.0


def highest_usual(scores: np.ndarray, share: float) -> float:
    """The novelty beyond which samples are declined: of n held out the order statistic that a
    further sample of the same kind exceeds with probability `share` at most (conformal); infinite
    where n is too small for that.

    Examples
    --------
    >>> highest_usual(np.arange(1.0, 100.0), 0.05), highest_usual(np.arange(10.0), 0.05)
    (95.0, inf)
    """
    place = math.ceil((len(scores) + 1) * (1 - share) - 1e-9)
    return float(np.sort(scores)[place - 1]) if place <= len(scores) else math.inf

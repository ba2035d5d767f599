"""Nearest shrunken centroids in a study: every threshold of the path is a candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._core.arrays import fitting, unfit
from .._core.interfaces import Arrays, Beliefs, Part, Path, PathClassifier, Seeds
from .shrunken_centroids import threshold_grid

NAMES = ("d", "m", "overall", "scale", "log_prior", "threshold")


@dataclass(frozen=True)
class ShrunkenPredictor:
    """Centroids shrunk by one threshold; attributes as in `kernels.shrunken_centroids`."""

    d: np.ndarray
    m: np.ndarray
    overall: np.ndarray
    scale: np.ndarray
    log_prior: np.ndarray
    threshold: np.ndarray

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        from ..kernels.shrunken_centroids import shrunken_beliefs

        proba, margin = shrunken_beliefs(
            np.ascontiguousarray(X), self.d, self.m, self.overall, self.scale, self.log_prior,
            self.threshold,
        )  # fmt: skip
        return Beliefs(proba[0], margin[0])

    def to_arrays(self) -> Arrays:
        """The centroids and the threshold."""
        return {name: getattr(self, name) for name in NAMES}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int, n_classes: int) -> ShrunkenPredictor:
        """From the centroids and the threshold."""
        C, k = (n_classes,), (n_columns,)
        d, m, overall, scale, log_prior, threshold = fitting(
            arrays, d=C + k, m=C, overall=k, scale=k, log_prior=C, threshold=(1,)
        )
        if not ((scale > 0).all() and threshold[0] >= 0):
            raise unfit("scale")
        return cls(d, m, overall, scale, log_prior, threshold)


@dataclass(frozen=True)
class ShrunkenPath(Path):
    """The centroids of one training part at falling thresholds."""

    whole: ShrunkenPredictor
    thresholds: np.ndarray

    @property
    def settings(self) -> list[Mapping[str, float]]:
        """The threshold of each step."""
        return [{"threshold": float(t)} for t in self.thresholds]

    @property
    def columns(self) -> list[np.ndarray]:
        """Columns that survive, the one that reaches furthest first."""
        from ..kernels.shrunken_centroids import surviving_columns

        return surviving_columns(self.whole.d, self.thresholds)

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows, at every threshold in one pass."""
        from ..kernels.shrunken_centroids import shrunken_beliefs

        w = self.whole
        found = shrunken_beliefs(X, w.d, w.m, w.overall, w.scale, w.log_prior, self.thresholds)
        return [Beliefs(*pair) for pair in zip(*found, strict=True)]

    def predictor(self, step: int, columns: np.ndarray) -> ShrunkenPredictor:
        """One threshold. What does not survive adds the same to every class, and is left out."""
        w = self.whole
        return ShrunkenPredictor(
            np.ascontiguousarray(w.d[:, columns]), w.m, w.overall[columns], w.scale[columns],
            w.log_prior, self.thresholds[step : step + 1],
        )  # fmt: skip


@dataclass(frozen=True)
class ShrunkenCentroids(PathClassifier):
    """PAM as a `PathClassifier`; covariates play no part.

    Parameters
    ----------
    thresholds : int
        Equally spaced, from max |d| of the outer training part down to 0.
    """

    thresholds: int = 30

    def follow(
        self, part: Part, settings: Sequence[Mapping[str, float]] | None, stream: Seeds
    ) -> ShrunkenPath:
        """Centroids of the part, at its own thresholds or those given."""
        from ..kernels.shrunken_centroids import class_centroids, log_priors

        found = class_centroids(part.X, part.y, part.n_classes)
        if settings is None:
            thresholds = threshold_grid(found.d, self.thresholds)[::-1]
        else:
            thresholds = np.array([step["threshold"] for step in settings])
        whole = ShrunkenPredictor(
            found.d, found.m, found.overall, found.scale, log_priors(found.counts), thresholds
        )
        return ShrunkenPath(whole, np.ascontiguousarray(thresholds))

    def count(self) -> int:
        """Thresholds."""
        return self.thresholds

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> ShrunkenPredictor:
        """As of the predictor."""
        return ShrunkenPredictor.from_arrays(arrays, n_columns, n_classes)

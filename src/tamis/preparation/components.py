"""Principal components: the scores of a table's columns, in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import fitting, rising_places, unfit
from .._core.interfaces import Arrays, FittedStep
from ..kernels.units import column_units, in_units, widest_unit
from .step import StepTransformer, constant_columns


@dataclass(frozen=True)
class Scores(FittedStep):
    """(x - center) @ loadings; a missing value counts as its column's mean.

    Attributes
    ----------
    center : ndarray of shape (p,)
    loadings : ndarray of shape (p, k)
        In units of the columns.
    outputs : ndarray
        Components that are given.
    """

    center: np.ndarray
    loadings: np.ndarray
    outputs: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """All are created: behind the p inputs."""
        return len(self.center) + self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The scores of the rows of X (m, p)."""
        deviations = np.where(np.isnan(X), 0.0, X - self.center)
        return np.ascontiguousarray((deviations @ self.loadings)[:, self.outputs])

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the components, which need every column."""
        less = type(self)(self.center, self.loadings, self.outputs[outputs])
        return less, np.arange(len(self.center))

    def to_arrays(self) -> Arrays:
        """Means, loadings, and which components are given."""
        outputs = self.outputs.astype(np.float64)
        return {"center": self.center, "loadings": self.loadings, "outputs": outputs}


class PrincipalComponents(StepTransformer):
    """Puts the scores on the first principal components in the place of the columns.

    Components are of the training rows' covariance; with `scale` of their correlation. A missing
    value counts as the mean of its column. The largest loading of a component is positive. There
    are fewer components than asked for where rows or columns do not give them.

    Parameters
    ----------
    n_components : int, default=5
    scale : bool, default=False
        Divide columns by their standard deviations first; those that do not vary count nothing.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> PrincipalComponents(n_components=1).fit_transform(X).ravel().round(3)
    array([-1.414,  0.   ,  1.414])
    """

    fitted_: Scores

    def __init__(self, n_components: int = 5, scale: bool = False):
        self.n_components = n_components
        self.scale = scale

    @property
    def created(self) -> list[str]:
        """Names of the components."""
        return [f"PC{k + 1}" for k in range(self.n_components)]

    def learn(self, X: np.ndarray, y: np.ndarray) -> Scores:
        """Means and loadings."""
        units = column_units(X) if self.scale else widest_unit(X)
        values = in_units(X, units)
        center, seen = np.zeros(X.shape[1]), ~np.isnan(X).all(axis=0)
        center[seen] = np.nanmean(values[:, seen], axis=0)
        deviations = np.where(np.isnan(values), 0.0, values - center)
        deviations[:, constant_columns(X)] = 0.0
        weights = np.ones(X.shape[1])
        if self.scale:
            lengths = np.sqrt((deviations**2).mean(axis=0))
            weights = np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1.0), 0.0)
        loadings = _leading_loadings(deviations * weights, self.n_components)
        if self.scale:  # without, scores have the table's unit
            loadings = loadings * (weights / units)[:, None]
        return Scores(center * units, loadings, np.arange(loadings.shape[1]))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Scores:
        """Means and loadings of so many columns."""
        center, loadings, given = fitting(
            arrays, center=(n_columns,), loadings=(n_columns, None), outputs=(None,)
        )
        if loadings.shape[1] > self.n_components:
            raise unfit("loadings")
        outputs = rising_places(given, loadings.shape[1], "outputs")
        return Scores(center, loadings, outputs)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """PC1, PC2 and so on."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return np.array(self.created, dtype=object)[: self.fitted_.loadings.shape[1]]


def _leading_loadings(deviations: np.ndarray, k: int) -> np.ndarray:
    """Of the first k components (p, k), or of as many as there are."""
    from scipy.linalg import svd

    n, p = deviations.shape
    k = min(k, n - 1, p)
    if k < 1:
        return np.zeros((p, 0))
    _, size, rows = svd(deviations, full_matrices=False)
    k = min(k, int((size > size[0] * max(n, p) * np.finfo(float).eps).sum()))
    loadings = rows[:k].T
    signs = np.sign(loadings[np.abs(loadings).argmax(axis=0), np.arange(k)])
    return loadings * signs

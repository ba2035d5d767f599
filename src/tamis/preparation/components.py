"""Principal components: the scores of a table's columns, in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places, unfit_part_error
from .._core.interfaces import Arrays, FittedStep
from ..kernels.left_out_scores import left_out_scores
from ..kernels.noise_edge import above_noise
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
    training: np.ndarray | None = None

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
    are fewer components than requested where rows or columns do not give them.

    Parameters
    ----------
    n_components : int, default=5
    scale : bool, default=False
        Divide columns by their standard deviations first; those that do not vary count nothing.
    left_out : bool, default=False
        In a study, give training rows the scores that they would have had as new ones, each left
        out with its group: on components that were fitted to themselves they are larger, the more
        so the fewer rows and the more columns there are. Of a table with more columns than rows
        components are dropped then that noise is as likely to exceed as not. The transformer itself
        leaves no row out: `fit_transform(X)` is `fit(X).transform(X)`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> PrincipalComponents(n_components=1).fit_transform(X).ravel().round(3)
    array([-1.414,  0.   ,  1.414])
    """

    fitted_: Scores

    def __init__(self, n_components: int = 5, scale: bool = False, left_out: bool = False):
        self.n_components = n_components
        self.scale = scale
        self.left_out = left_out

    @property
    def created(self) -> list[str]:
        """Names of the components."""
        return [f"PC{k + 1}" for k in range(self.n_components)]

    def learn(self, X: np.ndarray, y: np.ndarray, groups: np.ndarray | None = None) -> Scores:
        """Means and loadings; scores of the rows of X by the others, if groups (n,) are given."""
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
        vectors, sizes, loadings = _decomposed_deviations(deviations * weights)
        k, training = min(self.n_components, len(sizes)), None
        if self.left_out and k:
            values, n = sizes**2, len(X)
            if X.shape[1] > n:
                k = max(1, above_noise(values[:k], n, values.sum(), (values**2).sum()))
            if groups is not None:
                training = left_out_scores(vectors, values, k, groups)
        loadings = loadings[:, :k]
        if self.scale:
            loadings = loadings * (weights / units)[:, None]
        elif training is not None:  # scores have the table's unit
            training *= units[0]
        return Scores(center * units, loadings, np.arange(k), training)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Scores:
        """Means and loadings of so many columns."""
        center, loadings, given = fitting_arrays(
            arrays, center=(n_columns,), loadings=(n_columns, None), outputs=(None,)
        )
        if loadings.shape[1] > self.n_components:
            raise unfit_part_error("loadings")
        outputs = rising_places(given, loadings.shape[1], "outputs")
        return Scores(center, loadings, outputs)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """PC1, PC2 and so on."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return np.array(self.created, dtype=object)[: self.fitted_.loadings.shape[1]]


def _decomposed_deviations(deviations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Left vectors (n, r), singular values (r,) and loadings (p, r) of the components there are."""
    from scipy.linalg import svd

    n, p = deviations.shape
    r = max(min(n - 1, p), 0)
    if r < 1:
        return np.zeros((n, 0)), np.zeros(0), np.zeros((p, 0))
    vectors, sizes, rows = svd(deviations, full_matrices=False)
    r = min(r, int((sizes > sizes[0] * max(n, p) * np.finfo(float).eps).sum()))
    loadings = rows[:r].T
    signs = np.sign(loadings[np.abs(loadings).argmax(axis=0), np.arange(r)])
    return vectors[:, :r] * signs, sizes[:r], loadings * signs

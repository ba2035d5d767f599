"""Numbers as codes of intervals that the training rows give: the discretisers as steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import fitting, unfit, whole_numbers
from .._core.interfaces import Arrays, FittedStep
from .step import StepTransformer


@dataclass(frozen=True)
class Cut(FittedStep):
    """Codes 0, 1, ... of the intervals between rising cuts; a cut belongs to the lower one.

    Attributes
    ----------
    cuts : ndarray
        Those of all columns, one after the other.
    counts : ndarray of shape (p,)
        How many each column has.
    """

    cuts: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, cuts: list[np.ndarray]) -> Self:
        """From the cuts of each column."""
        joined = np.concatenate(cuts) if cuts else np.zeros(0)
        return cls(joined, np.array([len(c) for c in cuts], dtype=np.int64))

    @property
    def columns(self) -> np.ndarray:
        """All of them."""
        return np.arange(len(self.counts))

    def by_column(self) -> list[np.ndarray]:
        """The cuts of each column."""
        return np.split(self.cuts, np.cumsum(self.counts)[:-1]) if len(self.counts) else []

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Codes; NaN stays NaN."""
        out = np.empty_like(X)
        for j, cuts in enumerate(self.by_column()):
            out[:, j] = np.searchsorted(cuts, X[:, j], side="left")
        out[np.isnan(X)] = np.nan
        return out

    def changed(self, kind: str) -> np.ndarray:
        """All, but for the order of rows."""
        return self.columns[: 0 if kind == "order" else None]

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns."""
        each = self.by_column()
        return self.of([each[j] for j in outputs]), outputs

    def to_arrays(self) -> Arrays:
        """The cuts and their counts."""
        return {"cuts": self.cuts, "counts": self.counts.astype(np.float64)}


class CutStep(StepTransformer):
    """A discretiser of `tamis.data` as a step; subclasses say which."""

    by_column = True

    def _discretizer(self) -> Any:
        raise NotImplementedError

    def learn(self, X: np.ndarray, y: np.ndarray) -> Cut:
        """The discretiser's cuts."""
        return Cut.of(self._discretizer().fit(X, y).cuts_ if X.shape[1] else [])

    def from_arrays(self, arrays: Arrays, n_columns: int) -> Cut:
        """The cuts of so many columns."""
        cuts, given = fitting(arrays, cuts=(None,), counts=(n_columns,))
        counts = whole_numbers(given, 0, len(cuts) + 1, "counts")
        if counts.sum() != len(cuts):
            raise unfit("counts")
        found = Cut(cuts, counts)
        if any((np.diff(own) <= 0).any() for own in found.by_column()):
            raise unfit("cuts")
        return found


class MDLCuts(CutStep):
    """Fayyad and Irani's cuts (`tamis.data.MDLDiscretizer`), by the classes of the training rows.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]]
    >>> MDLCuts().fit_transform(X, list("aaaabbbb")).ravel()
    array([0., 0., 0., 0., 1., 1., 1., 1.])
    """

    supervised = True

    def _discretizer(self) -> Any:
        from ..data.mdl import MDLDiscretizer

        return MDLDiscretizer()


class AmevaCuts(CutStep):
    """Intervals by the Ameva criterion (`tamis.data.AmevaDiscretizer`).

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]]
    >>> AmevaCuts().fit_transform(X, list("aaaabbbb")).ravel()
    array([0., 0., 0., 0., 1., 1., 1., 1.])
    """

    supervised = True

    def _discretizer(self) -> Any:
        from ..data.ameva import AmevaDiscretizer

        return AmevaDiscretizer()


class CAIMCuts(CutStep):
    """Intervals by class-attribute interdependence (`tamis.data.CAIMDiscretizer`).

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]]
    >>> CAIMCuts().fit_transform(X, list("aaaabbbb")).ravel()
    array([0., 0., 0., 0., 1., 1., 1., 1.])
    """

    supervised = True

    def _discretizer(self) -> Any:
        from ..data.caim import CAIMDiscretizer

        return CAIMDiscretizer()


class ChiMergeCuts(CutStep):
    """Intervals merged until chi-square tells neighbours apart (`tamis.data.ChiMergeDiscretizer`).

    Parameters
    ----------
    alpha : float, default=0.05

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]]
    >>> ChiMergeCuts().fit_transform(X, list("aaaabbbb")).ravel()
    array([0., 0., 0., 0., 1., 1., 1., 1.])
    """

    supervised = True

    def __init__(self, alpha: float = 0.05):
        self.alpha = alpha

    def _discretizer(self) -> Any:
        from ..data.chimerge import ChiMergeDiscretizer

        return ChiMergeDiscretizer(self.alpha)


class EqualWidthCuts(CutStep):
    """Intervals of one width (`tamis.data.EqualWidthDiscretizer`).

    Parameters
    ----------
    n_bins : int, default=3

    Examples
    --------
    >>> EqualWidthCuts(n_bins=2).fit_transform([[0.0], [1.0], [9.0], [10.0]]).ravel()
    array([0., 0., 1., 1.])
    """

    def __init__(self, n_bins: int = 3):
        self.n_bins = n_bins

    def _discretizer(self) -> Any:
        from ..data.equal_bins import EqualWidthDiscretizer

        return EqualWidthDiscretizer(self.n_bins)


class EqualFrequencyCuts(CutStep):
    """Intervals of about as many training rows (`tamis.data.EqualFrequencyDiscretizer`).

    Parameters
    ----------
    n_bins : int, default=3

    Examples
    --------
    >>> EqualFrequencyCuts(n_bins=2).fit_transform([[0.0], [1.0], [9.0], [90.0]]).ravel()
    array([0., 0., 1., 1.])
    """

    def __init__(self, n_bins: int = 3):
        self.n_bins = n_bins

    def _discretizer(self) -> Any:
        from ..data.equal_bins import EqualFrequencyDiscretizer

        return EqualFrequencyDiscretizer(self.n_bins)

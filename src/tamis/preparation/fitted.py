"""The few forms that a fitted step takes; no scikit-learn, so that models open at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places
from .._core.interfaces import Arrays, FittedStep


@dataclass(frozen=True)
class ByColumn(FittedStep):
    """A step in which every column is transformed by itself, with numbers of its own.

    Subclasses hold arrays of one entry a column, and define `transform`.
    """

    @property
    def columns(self) -> np.ndarray:
        """All of them."""
        return np.arange(len(next(iter(vars(self).values()))))

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """The same for some of the columns, which need themselves alone."""
        return type(self)(**{k: v[outputs] for k, v in vars(self).items()}), outputs

    def to_arrays(self) -> Arrays:
        """The numbers."""
        return dict(vars(self))

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> Self:
        """From arrays, each of `n_columns` finite numbers."""
        names = [field.name for field in fields(cls)]
        found = fitting_arrays(arrays, **dict.fromkeys(names, (n_columns,)))
        return cls(**dict(zip(names, found, strict=True)))


@dataclass(frozen=True)
class KeptColumns(FittedStep):
    """A step that keeps some of p columns as they are."""

    columns: np.ndarray
    p: int

    @classmethod
    def where(cls, mask: np.ndarray) -> Self:
        """The columns of a mask."""
        return cls(np.flatnonzero(mask), len(mask))

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Those columns."""
        return X[:, self.columns]

    def changed(self) -> np.ndarray:
        """None."""
        return self.columns[:0]

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of those columns; nothing is left to drop."""
        return type(self)(np.arange(len(outputs)), len(outputs)), self.columns[outputs]

    def to_arrays(self) -> Arrays:
        """Their numbers."""
        return {"columns": self.columns.astype(np.float64)}

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> Self:
        """From the numbers of columns, rising."""
        (given,) = fitting_arrays(arrays, columns=(None,))
        return cls(rising_places(given, n_columns, "columns"), n_columns)

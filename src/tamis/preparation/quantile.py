"""Quantile normalisation: every sample gets the training rows' distribution of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places, unfit_part_error
from .._core.interfaces import Arrays, FittedStep
from ..kernels.quantile import mean_quantiles, to_quantiles
from .step import StepTransformer


@dataclass(frozen=True)
class FrozenQuantiles(FittedStep):
    """Samples are brought to a reference; a sample must bring all the columns it has.

    Attributes
    ----------
    reference : ndarray of shape (p,)
    outputs : ndarray
        Columns that are given.
    """

    reference: np.ndarray
    outputs: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """Those given."""
        return self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Values of the reference, by each sample's ranks."""
        return np.ascontiguousarray(to_quantiles(X, self.reference)[:, self.outputs])

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns; ranks are among all."""
        return type(self)(self.reference, self.outputs[outputs]), np.arange(len(self.reference))

    def to_arrays(self) -> Arrays:
        """The reference, and which columns are given."""
        return {"reference": self.reference, "outputs": self.outputs.astype(np.float64)}


class QuantileNormalizer(StepTransformer):
    """Gives every sample one distribution of values: the mean of the training rows' sorted ones.

    The reference is frozen: a new sample is brought to it and changes nothing. preprocessCore's
    rules for ties and missing values.

    References
    ----------
    Bolstad, Irizarry, Astrand & Speed (2003), Bioinformatics 19:185-193.

    Examples
    --------
    >>> QuantileNormalizer().fit_transform([[1.0, 2.0, 3.0], [6.0, 4.0, 5.0]])
    array([[2.5, 3.5, 4.5],
           [4.5, 2.5, 3.5]])
    """

    def learn(self, X: np.ndarray, y: np.ndarray) -> FrozenQuantiles:
        """The reference."""
        found = mean_quantiles(X)
        reference = np.where(np.isnan(found), 0.0, found)
        return FrozenQuantiles(reference, np.arange(X.shape[1]))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FrozenQuantiles:
        """The reference of so many columns, rising."""
        reference, outputs = fitting_arrays(arrays, reference=(n_columns,), outputs=(None,))
        if (np.diff(reference) < 0).any():
            raise unfit_part_error("reference")
        columns = rising_places(outputs, n_columns, "outputs")
        return FrozenQuantiles(reference, columns)

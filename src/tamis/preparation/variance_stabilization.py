"""The variance-stabilising transformation of sequencing counts of DESeq2, with a frozen trend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places, unfit_part_error
from .._core.errors import PlanError, listed_names
from .._core.interfaces import Arrays, FittedStep
from ..kernels.dispersions import dispersion_trend, genewise_dispersions
from ..kernels.size_factors import log_geometric_means, size_factors
from .count_tables import not_negative
from .step import StepTransformer

SIZE_FACTORS = ("ratio", "poscounts")
WELL_COUNTED = 5.0  # means of genes that a few stand for
MAX_MEAN = 1e308  # of a mean, and of a number of the trend
MINUS_INFINITY = -1e300  # in place of -inf in arrays, which are finite


def stabilized_counts(values: np.ndarray, a0: float, a1: float) -> np.ndarray:
    """Counts over size factors, of variance mean + (a0 + a1/mean) mean^2, brought to one variance.

    log2 of (1 + a1 + 2 a0 q + 2 sqrt(a0 q (1 + a1 + a0 q))) / (4 a0), which comes near log2(q) in
    large q. Its limit for a0 to 0, but for location and scale, is the square root: without
    overdispersion it is 2 sqrt(q / (1 + a1)), of variance 1.

    Examples
    --------
    >>> stabilized_counts(np.array([0.0, 10.0, 1000.0, 100_000.0]), 0.1, 2.0).round(2)
    array([ 2.91,  4.49,  9.99, 16.61])
    >>> stabilized_counts(np.array([0.0, 4.0, 100.0]), 0.0, 0.0)
    array([ 0.,  4., 20.])
    """
    if a0 == 0:
        return 2 * np.sqrt(values / (1 + a1))
    over = np.sqrt(a0) * np.sqrt(values)
    return 2 * np.log2(over + np.sqrt(1 + a1 + over**2)) - np.log2(4 * a0)


@dataclass(frozen=True)
class FrozenStabilization(FittedStep):
    """The transformation with its parameters; a sample must bring all the columns there are.

    Attributes
    ----------
    log_means : ndarray of shape (p,)
        Logarithms of the geometric means of the training samples' counts; -inf: no part in size
        factors.
    a0, a1 : float
        Trend of the dispersion over the mean.
    outputs : ndarray
        Columns that are given.
    """

    log_means: np.ndarray
    a0: float
    a1: float
    outputs: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """Those given."""
        return self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Transformed rows of counts (m, p); NaN stays NaN."""
        factors = size_factors(not_negative(X), self.log_means)
        return stabilized_counts(X[:, self.outputs] / factors[:, None], self.a0, self.a1)

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns; size factors are of all."""
        every = np.arange(len(self.log_means))
        return type(self)(self.log_means, self.a0, self.a1, self.outputs[outputs]), every

    def to_arrays(self) -> Arrays:
        """The means, the trend, and which columns are given."""
        return {
            "log_means": np.maximum(self.log_means, MINUS_INFINITY),
            "trend": np.array([self.a0, self.a1]),
            "outputs": self.outputs.astype(np.float64),
        }


class VarianceStabilizer(StepTransformer):
    """Brings sequencing counts to one variance whatever their mean, frozen at training samples.

    As DESeq2's ``varianceStabilizingTransformation`` with its parametric trend, blind to the class:
    counts are divided by size factors (medians of ratios to the geometric means of the training
    samples), and the trend alpha = a0 + a1/mean of the dispersion gives the formula
    (`stabilized_counts`). A sample alone, in a batch and among the training samples has the same
    values.

    Missing counts are left out of size factors and dispersions, and stay missing. A sample without
    a count in the genes that size factors use has the factor 1. A gene with a count of 0 in a
    training sample is not used for them, unless all genes have one.

    Parameters
    ----------
    size_factors : {"ratio", "poscounts"}, default="ratio"
        Geometric means of genes without a count of 0, or of all genes over their counts above 0,
        for sparse tables.
    max_genes : int, default=1000
        Where so many genes have a mean above 5, the trend is learnt from this number of them,
        evenly spaced by mean, as by DESeq2's ``vst``; where fewer have, from all genes.

    Attributes
    ----------
    fitted_ : FrozenStabilization
        With the trend's ``a0`` and ``a1``.

    References
    ----------
    Anders & Huber (2010), Genome Biology 11:R106; Love, Huber & Anders (2014), Genome Biology
    15:550.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> means = 1000 * rng.gamma(1, size=200)
    >>> counts = rng.negative_binomial(10, 10 / (10 + means), size=(20, 200))  # alpha = .1
    >>> step = VarianceStabilizer().fit(counts)
    >>> round(step.fitted_.a0, 2)
    0.1
    >>> bool(np.allclose(step.transform(counts[:1] * 4), step.transform(counts[:1])))
    True
    """

    def __init__(self, size_factors: str = "ratio", max_genes: int = 1000):
        self.size_factors = size_factors
        self.max_genes = max_genes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def learn(self, X: np.ndarray, y: np.ndarray) -> FrozenStabilization:
        """The geometric means, and the trend of the dispersion over the mean."""
        if self.size_factors not in SIZE_FACTORS:
            known = listed_names(SIZE_FACTORS)
            raise PlanError(f"size_factors {self.size_factors!r} is unknown: give {known}")
        log_means = log_geometric_means(not_negative(X), self.size_factors == "poscounts")
        factors = size_factors(X, log_means)
        known = ~np.isnan(X)
        scaled = np.where(known, X, 0.0) / factors[:, None]
        means = scaled.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        genes = _evenly_spaced(means, self.max_genes)
        a0, a1 = dispersion_trend(means[genes], genewise_dispersions(X[:, genes], factors))
        return FrozenStabilization(log_means, a0, a1, np.arange(X.shape[1]))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FrozenStabilization:
        """Of so many columns."""
        log_means, trend, outputs = fitting_arrays(
            arrays, log_means=(n_columns,), trend=(2,), outputs=(None,)
        )
        if (trend < 0).any() or (trend > MAX_MEAN).any():
            raise unfit_part_error("trend")
        log_means = np.where(log_means <= MINUS_INFINITY, -np.inf, log_means)
        if (np.abs(log_means[log_means > MINUS_INFINITY]) > np.log(MAX_MEAN)).any():
            raise unfit_part_error("log_means")
        columns = rising_places(outputs, n_columns, "outputs")
        a0, a1 = trend.tolist()
        return FrozenStabilization(log_means, a0, a1, columns)


def _evenly_spaced(means: np.ndarray, most: int) -> np.ndarray:
    """So many genes of a mean above 5, evenly spaced by it; all genes if fewer have one."""
    well = np.flatnonzero(means > WELL_COUNTED)
    if len(well) < most:
        return np.arange(len(means))
    order = well[np.argsort(means[well], kind="stable")]
    return order[np.round(np.linspace(1, len(order), most)).astype(np.int64) - 1]

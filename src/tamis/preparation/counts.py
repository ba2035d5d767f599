"""Normalisation factors and log counts per million of sequencing counts, as edgeR has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import fitting_arrays, rising_places, unfit_part_error
from .._core.errors import DataError, PlanError, listed_names
from .._core.interfaces import Arrays, FittedStep
from ..kernels.normalization_factors import (
    library_sizes,
    log_counts_per_million,
    reference_row,
    tmm_factor,
    upper_quartile_shares,
)
from .count_tables import not_negative
from .step import StepTransformer

NORMALIZATIONS = ("tmm", "upper_quartile", "none")


def normalization_factors(counts: Any, method: str = "tmm") -> np.ndarray:
    """Factors of library sizes whose geometric mean is 1, as ``calcNormFactors`` of edgeR.

    Samples of one table, relative to each other; for a factor of a new sample see `LogCPM`.

    Parameters
    ----------
    counts : array-like of shape (n_samples, n_genes)
        From 0; estimated counts may have fractions.
    method : {"tmm", "upper_quartile", "none"}, default="tmm"
        Trimmed mean of M-values to the sample whose upper quartile is nearest the mean; upper
        quartiles of the genes that any sample has; or 1.

    Returns
    -------
    ndarray of shape (n_samples,)

    Raises
    ------
    DataError
        A count is negative or missing, a sample has none, or its upper quartile is 0.

    References
    ----------
    Robinson & Oshlack (2010), Genome Biology 11:R25; Bullard et al. (2010), BMC Bioinformatics
    11:94.

    Examples
    --------
    >>> normalization_factors([[10, 20, 30, 40], [10, 20, 30, 400]], "upper_quartile").round(3)
    array([1.105, 0.905])
    """
    X, method = _full_counts(counts), _known_normalization(method)
    X = X[:, (X > 0).any(axis=0)]
    if len(X) < 2 or method == "none":
        return np.ones(len(X))
    sizes = library_sizes(X)
    if method == "tmm":
        at = reference_row(X, sizes)
        pairs = zip(X, sizes, strict=True)
        found = np.array([tmm_factor(row, size, X[at], sizes[at]) for row, size in pairs])
    else:
        found = upper_quartile_shares(X, sizes)
        if (found == 0).any():
            raise DataError(
                f"the upper quartile of sample {int(np.argmin(found))} is 0: use method='tmm', or "
                "leave out genes that hardly any sample has"
            )
    return found / np.exp(np.log(found).mean())


def log_cpm(counts: Any, normalization: str = "tmm", prior_count: float = 2.0) -> np.ndarray:
    """log2 counts per million of one table, as edgeR's ``cpm(calcNormFactors(y), log=TRUE)``.

    Every sample has a say in the values of all others, so that it is no step of a study: use
    `LogCPM`, which is frozen at training samples.

    Parameters
    ----------
    counts : array-like of shape (n_samples, n_genes)
    normalization : {"tmm", "upper_quartile", "none"}, default="tmm"
    prior_count : float, default=2.0
        Added to each count of a library of the mean size; above 0.

    Examples
    --------
    >>> log_cpm([[10, 20, 70], [100, 200, 700]], "none", prior_count=0.5).round(2)
    array([[16.62, 17.61, 19.42],
           [16.62, 17.61, 19.42]])
    """
    X = _full_counts(counts)
    sizes = library_sizes(X) * normalization_factors(X, normalization)
    return log_counts_per_million(X, sizes, float(sizes.mean()), _above_0(prior_count))


@dataclass(frozen=True)
class FrozenLogCPM(FittedStep):
    """log2 counts per million; a sample must bring all the columns there are.

    Attributes
    ----------
    normalization : str
    prior_count : float
    profile : ndarray of shape (p,)
        Mean over training samples of their shares of counts.
    total : float
        Counts of all training samples.
    log_mean : float
        Mean logarithm of their factors to the profile.
    mean_size : float
        Mean of their effective library sizes.
    outputs : ndarray
        Columns that are given.
    """

    normalization: str
    prior_count: float
    profile: np.ndarray
    total: float
    log_mean: float
    mean_size: float
    outputs: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """Those given."""
        return self.outputs

    def transform(self, X: np.ndarray) -> np.ndarray:
        """log2 counts per million of rows of counts (m, p); NaN stays NaN."""
        sizes = library_sizes(not_negative(X))
        found = _factors_to(X, sizes, self.profile, self.total, self.normalization)
        sizes = sizes * np.where(np.isnan(found), 1.0, found / np.exp(self.log_mean))
        return log_counts_per_million(X[:, self.outputs], sizes, self.mean_size, self.prior_count)

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the columns; library sizes are of all."""
        every = np.arange(len(self.profile))
        return type(self)(**{**vars(self), "outputs": self.outputs[outputs]}), every

    def to_arrays(self) -> Arrays:
        """The profile, its numbers, and which columns are given."""
        numbers = np.array([self.total, self.log_mean, self.mean_size])
        return {
            "profile": self.profile,
            "numbers": numbers,
            "outputs": self.outputs.astype(np.float64),
        }


class LogCPM(StepTransformer):
    """log2 counts per million by effective library sizes, frozen at the training samples.

    As edgeR's ``cpm(log=TRUE)`` after ``calcNormFactors``, with what that takes from the table
    learnt once: the reference is the mean of the training samples' shares of counts, nobody's own;
    so are the mean logarithm of their factors and the mean library size. A sample alone, in a batch
    and among the training samples has the same values.

    Missing counts are left out of library sizes and stay missing. A sample whose upper quartile is
    0 has the factor 1 under "upper_quartile".

    Parameters
    ----------
    normalization : {"tmm", "upper_quartile", "none"}, default="tmm"
    prior_count : float, default=2.0
        Added to each count of a library of the mean size; above 0.

    References
    ----------
    Robinson & Oshlack (2010), Genome Biology 11:R25; Bullard et al. (2010), BMC Bioinformatics
    11:94; Robinson, McCarthy & Smyth (2010), Bioinformatics 26:139-140.

    Examples
    --------
    >>> step = LogCPM().fit([[10, 20, 70, 100], [110, 190, 690, 1010]])
    >>> step.transform([[1000, 2000, 7000, 10_000]]).round(1)
    array([[15.7, 16.6, 18.4, 18.9]])
    """

    def __init__(self, normalization: str = "tmm", prior_count: float = 2.0):
        self.normalization = normalization
        self.prior_count = prior_count

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def learn(self, X: np.ndarray, y: np.ndarray) -> FrozenLogCPM:
        """The profile, and what the training samples' factors and library sizes are like."""
        method, prior = _known_normalization(self.normalization), _above_0(self.prior_count)
        sizes = library_sizes(not_negative(X))
        filled = np.where(np.isnan(X), 0.0, X)
        some = sizes > 0
        shares = filled[some] / sizes[some, None]
        seen = (~np.isnan(X[some])).sum(axis=0)
        profile, total = shares.sum(axis=0) / np.maximum(seen, 1), float(sizes.sum()) or 1.0
        found = _factors_to(X, sizes, profile, total, method)
        known = found[~np.isnan(found)]
        log_mean = float(np.log(known).mean()) if len(known) else 0.0
        sizes = sizes * np.where(np.isnan(found), 1.0, found / np.exp(log_mean))
        mean_size = float(sizes.mean()) if total > 0 and some.any() else 1.0
        outputs = np.arange(X.shape[1])
        return FrozenLogCPM(method, prior, profile, total, log_mean, mean_size, outputs)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FrozenLogCPM:
        """Of so many columns."""
        method, prior = _known_normalization(self.normalization), _above_0(self.prior_count)
        profile, numbers, outputs = fitting_arrays(
            arrays, profile=(n_columns,), numbers=(3,), outputs=(None,)
        )
        total, log_mean, mean_size = numbers.tolist()
        if (profile < 0).any() or (profile > 1).any():
            raise unfit_part_error("profile")
        if not (total > 0 and mean_size > 0 and abs(log_mean) < 100):
            raise unfit_part_error("numbers")
        columns = rising_places(outputs, n_columns, "outputs")
        return FrozenLogCPM(method, prior, profile, total, log_mean, mean_size, columns)


def _factors_to(
    X: np.ndarray, sizes: np.ndarray, profile: np.ndarray, total: float, method: str
) -> np.ndarray:
    """Factors of samples (n, p) to a frozen profile, not divided by anything (n,); NaN: unknown."""
    if method == "none":
        return np.ones(len(X))
    if method == "upper_quartile":
        found = upper_quartile_shares(X[:, profile > 0], sizes)
        return np.where(found > 0, found, np.nan)
    reference = profile * total
    return np.array(
        [tmm_factor(row, size, reference, total) for row, size in zip(X, sizes, strict=True)]
    )


def _full_counts(counts: Any) -> np.ndarray:
    """A table without gaps, of samples that have counts."""
    X = np.ascontiguousarray(counts, dtype=np.float64)
    if X.ndim != 2:
        raise DataError(f"counts have the shape {X.shape}: give samples in rows, genes in columns")
    if not np.isfinite(X).all():
        raise DataError("counts are missing or infinite: leave these genes out, or fill them")
    if (not_negative(X).sum(axis=1) == 0).any():
        empty = np.flatnonzero(X.sum(axis=1) == 0)
        raise DataError(f"no counts in samples {listed_names(empty)}: leave them out")
    return X


def _known_normalization(method: str) -> str:
    if method not in NORMALIZATIONS:
        raise PlanError(f"normalization {method!r} is unknown: give {listed_names(NORMALIZATIONS)}")
    return method


def _above_0(prior_count: float) -> float:
    if not 0 < prior_count < np.inf:
        raise PlanError(f"prior_count = {prior_count}: give a number above 0")
    return float(prior_count)

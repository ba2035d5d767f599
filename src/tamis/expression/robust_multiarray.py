"""RMA: background, quantiles and median polish; classical, and frozen for single patients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_is_fitted,
    check_non_negative,
    validate_data,
)

from .._core.errors import DataError
from .background import corrected
from .intensities import checked_intensities, checked_width
from .probe_set_values import ProbeSetValues
from .probe_sets import ProbeSets
from .summaries import frozen, polished

TYPES = (np.float64, np.float32)


def rma(
    arrays: Any, probe_sets: Any, *, background: bool = True, n_jobs: int | None = None
) -> ProbeSetValues:
    """The classical RMA value of each probe set in each array.

    Background correction, quantile normalisation of the arrays together, log2, median polish.
    Values depend on all arrays that are given: inside cross-validation, and for a patient who
    comes later, use `RMA`.

    Parameters
    ----------
    arrays : array-like of shape (n_arrays, n_probes), or iterable of arrays of shape (n_probes,)
        Perfect-match intensities on their natural scale. Of an iterable one array is held at a
        time; what is kept of each are ranks, 4 bytes a probe.
    probe_sets : array-like of shape (n_probes,)
        The name of its probe set, for each probe.
    background : bool, default=True
        Correct the background first.
    n_jobs : int or None, default=None
        Threads.

    Returns
    -------
    ProbeSetValues

    Raises
    ------
    DataError
        Intensities are no finite numbers, arrays differ in length, `probe_sets` does not fit
        them, or an array has no background that can be estimated.

    Notes
    -----
    Equal to the function of this name in Bioconductor's affy, of the same intensities.

    References
    ----------
    Irizarry et al. (2003), Biostatistics 4:249-264; Bolstad et al. (2003), Bioinformatics
    19:185-193.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(100, 10, (3, 600)) + rng.exponential(200, (3, 600))
    >>> found = rma(X, np.repeat(["1007_s_at", "117_at", "121_at"], 200))
    >>> found.values.shape, found.probe_sets.tolist()
    ((3, 3), ['1007_s_at', '117_at', '121_at'])
    """
    iterable = isinstance(arrays, Iterator) or not hasattr(arrays, "__len__")
    ranked = rank_arrays(arrays if iterable else checked_intensities(arrays), background, n_jobs)
    sets = ProbeSets.of(probe_sets, len(ranked.target))
    return polished(ranked.logs, len(ranked.places), sets, n_jobs)


class RMA(TransformerMixin, BaseEstimator):
    """RMA with what it learns frozen: a new array gets the values it would have had in training.

    `fit` learns the reference distribution of quantile normalisation and the effects of the
    probes, by median polish. An array is then background-corrected, brought to that reference,
    and its value of a probe set is the median of log2 intensities less the probe effects. So
    training arrays are treated, too: the values of `fit_transform` are those of `transform`,
    alone or in any batch, and a cross-validation that fits `RMA` to training rows sees no other.
    On the training arrays they are the values of `rma`, to rounding: each round of median polish
    ends with the samples, whose residuals then have the median 0 in each probe set.

    Parameters
    ----------
    probe_sets : array-like of shape (n_features,) or None, default=None
        The name of its probe set, for each column; None: each column is one by itself.
    background : bool, default=True
        Correct the background first.
    n_jobs : int or None, default=None
        Threads.

    Attributes
    ----------
    target_ : ndarray of shape (n_features,)
        The reference distribution, rising, in units of the intensities.
    probe_effects_ : ndarray of shape (n_features,)
        log2, in the order of the columns.
    probe_sets_ : ndarray of shape (n_probe_sets,)
        Names of the outputs, sorted.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has names.

    References
    ----------
    Irizarry et al. (2003), Biostatistics 4:249-264; McCall, Bolstad & Irizarry (2010),
    Biostatistics 11:242-253, for frozen effects (there weighted by variances of public arrays).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(100, 10, (6, 600)) + rng.exponential(200, (6, 600))
    >>> model = RMA(np.repeat(["1007_s_at", "117_at", "121_at"], 200)).fit(X[:5])
    >>> model.transform(X[5:]).shape
    (1, 3)
    >>> bool((model.transform(X)[2] == model.transform(X[2:3])[0]).all())
    True
    """

    def __init__(
        self, probe_sets: Any = None, *, background: bool = True, n_jobs: int | None = None
    ):
        self.probe_sets = probe_sets
        self.background = background
        self.n_jobs = n_jobs

    def fit(self, X, y=None) -> Self:
        """Learn the reference distribution and the probe effects.

        Parameters
        ----------
        X : array-like of shape (n_arrays, n_probes)
            Perfect-match intensities on their natural scale.
        y : ignored

        Raises
        ------
        DataError
            `probe_sets` does not fit X, or an array has no background that can be estimated.
        ValueError
            X has missing or infinite values, or negative ones without background correction.
        """
        self._learn(X)
        return self

    def fit_transform(self, X, y=None, **fit_params) -> np.ndarray:
        """`fit`, and the frozen values of the training arrays (n_arrays, n_probe_sets)."""
        ranked = self._learn(X)
        return frozen(ranked.logs, len(ranked.places), self._sets, self.probe_effects_, self.n_jobs)

    def transform(self, X) -> np.ndarray:
        """Values of probe sets, log2, each array by itself (n_arrays, n_probe_sets)."""
        from joblib import Parallel, delayed

        from ..kernels.quantile import place_values

        check_is_fitted(self)
        X = validate_data(self, X, dtype=TYPES, reset=False)
        logs = np.log2(place_values(self.target_))

        def values(row: np.ndarray, at: int) -> np.ndarray:
            places, _ = _ranks(row, self.background, at)
            return frozen(
                lambda columns: logs[places[columns]][None], 1, self._sets, self.probe_effects_, 1
            )

        tasks = (delayed(values)(row, at) for at, row in enumerate(X))
        return np.concatenate(Parallel(n_jobs=self.n_jobs, backend="threading")(tasks))

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Names of the probe sets."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return names if self.probe_sets is None else self.probe_sets_

    def _learn(self, X: Any) -> _Ranked:
        """Fit; ranks of the arrays, and the target that they are looked up in."""
        X = validate_data(self, X, dtype=TYPES)
        if not self.background:
            check_non_negative(X, type(self).__name__)
        p = X.shape[1]
        if self.probe_sets is None:
            self._sets = ProbeSets.single(_check_feature_names_in(self))
        else:
            self._sets = ProbeSets.of(self.probe_sets, p)
        ranked = rank_arrays(X, self.background, self.n_jobs)
        self.target_ = ranked.target
        self.probe_sets_ = self._sets.names
        found = polished(ranked.logs, len(X), self._sets, self.n_jobs)
        self.probe_effects_ = found.probe_effects
        return ranked

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = not self.background
        tags.transformer_tags.preserves_dtype = []
        return tags


@dataclass(frozen=True)
class _Ranked:
    """Arrays as their ranks, which are all that quantile normalisation leaves of them.

    Attributes
    ----------
    places : list of ndarray of shape (p,), int32
        Twice the ranks, of each array; see `kernels.quantile.rank_places`.
    target : ndarray of shape (p,)
        Mean over arrays of their sorted values.
    table : ndarray of shape (2p - 1,)
        log2 intensity at each place.
    """

    places: list[np.ndarray]
    target: np.ndarray
    table: np.ndarray

    def logs(self, columns: np.ndarray) -> np.ndarray:
        """log2 of the normalised intensities of some columns (n, columns)."""
        found = np.empty((len(self.places), len(columns)))
        for places, to in zip(self.places, found, strict=True):
            np.take(self.table, places[columns], out=to)
        return found


def rank_arrays(arrays: Iterable[Any], background: bool, n_jobs: int | None) -> _Ranked:
    """Correct, sort and rank each array; few are in memory at a time.

    Raises
    ------
    DataError
        Arrays differ in length, there are none, or the target is not positive.
    """
    from joblib import Parallel, delayed

    from ..kernels.quantile import place_values

    def tasks() -> Iterator[Any]:
        for at, row in enumerate(arrays):
            yield delayed(_ranks)(row, background, at)

    parallel = Parallel(
        n_jobs=n_jobs, backend="threading", return_as="generator", pre_dispatch="n_jobs"
    )
    places: list[np.ndarray] = []
    total = np.zeros(0)
    for at, (ranks, values) in enumerate(parallel(tasks())):
        if at == 0:
            total = np.zeros(len(ranks))
        checked_width(len(ranks), len(total), f"array {at}")
        total += values
        places.append(ranks)
    if not places:
        raise DataError("there are no arrays: give at least one")
    target = total / len(places)
    if target[0] <= 0:
        raise DataError(
            f"the lowest intensities are {target[0]:g} in the mean, and have no logarithm: "
            "give intensities on their natural scale, which are positive"
        )
    return _Ranked(places, target, np.log2(place_values(target)))


def _ranks(row: Any, background: bool, at: int) -> tuple[np.ndarray, np.ndarray]:
    """Places of an array's values, and its rising values, background-corrected.

    The correction keeps the order, so that the array is sorted once.
    """
    from ..kernels.quantile import rank_places

    values = np.array(row, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise DataError(f"array {at} must be a list of finite numbers")
    order = np.argsort(values)
    rising = values[order]
    places = rank_places(rising, order)
    if background:
        corrected(rising, rising, values, at)
        rising = values
    return places, rising

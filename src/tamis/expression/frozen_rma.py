"""RMA learned from training arrays: a new array gets the values it would have had among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_is_fitted,
    check_non_negative,
    validate_data,
)

from .._core.arrays import fitting_arrays, rising_places, unfit_part_error
from .._core.errors import DataError, PlanError
from .._core.interfaces import Arrays, FittedStep
from .._core.settings import checked_share
from ..preparation.step import StepTransformer
from .detection import PRESENT_P, detection_p_values
from .frozen_polish import FrozenPolish
from .probe_columns import ProbeColumns
from .probe_set_values import ProbeSetValues
from .probe_sets import ProbeSets
from .ranked_arrays import rank_arrays, ranks_of
from .reading.cdf_file import NO_CELL
from .summaries import polished_sets

FLOAT_TYPES = (np.float64, np.float32)


@dataclass(frozen=True)
class FrozenRMA(FittedStep):
    """What RMA learns: a reference distribution, and the effects of the probes.

    Attributes
    ----------
    target : ndarray of shape (q,)
        The reference distribution, rising, in units of the intensities.
    pm : ndarray of shape (q,)
        Columns of the perfect matches, rising.
    polish : FrozenPolish
        Of the log2 intensities of these.
    background : bool
        Whether the background is corrected first.
    """

    target: np.ndarray
    pm: np.ndarray
    polish: FrozenPolish
    background: bool

    @classmethod
    def learn(
        cls,
        pairs: Iterable[tuple[np.ndarray, np.ndarray]],
        columns: ProbeColumns,
        background: bool = True,
        detected: float = 0.0,
        n_jobs: int | None = None,
        names: Sequence[str] | None = None,
    ) -> tuple[Self, ProbeSetValues]:
        """From arrays, one at a time; and their own values, those of `rma`.

        Parameters
        ----------
        pairs : iterable of pairs of ndarray of shape (q,)
            Intensities of the perfect matches and their mismatches; those of a mismatch that is
            not there are not looked at.
        columns : ProbeColumns
            Of these.
        background, detected, n_jobs
            As of `RMA`.
        names : sequence of str, optional
            Of the arrays, for messages.

        Raises
        ------
        DataError
            No probe set is detected often enough, or see `RMA.fit`.
        """
        paired = np.flatnonzero(columns.mm != NO_CELL)
        sets, with_pairs = columns.sets(), ProbeSets.by_first(columns.labels[paired])
        present = np.zeros(len(with_pairs.names), dtype=np.int64)

        def perfect_matches() -> Iterator[np.ndarray]:
            for at, (pm, mm) in enumerate(pairs):
                if detected > 0:
                    p_values = detection_p_values(pm[paired], mm[paired], with_pairs, at)
                    np.add(present, p_values < PRESENT_P, out=present)
                yield pm

        ranked = rank_arrays(perfect_matches(), background, n_jobs, names)
        n = len(ranked.places)
        found = polished_sets(ranked.logs, n, sets, n_jobs)
        absent = set(with_pairs.names[present / n < detected - 1e-12])
        few = np.flatnonzero([name not in absent for name in sets.names])
        if not len(few):
            raise DataError(
                f"no probe set is present in a share of {detected:g} of the arrays: lower "
                "`detected`"
            )
        polish = FrozenPolish.of(sets, found.probe_effects).among_all(few)
        values = replace(found, values=found.values[:, few], probe_sets=found.probe_sets[few])
        return cls(ranked.target, columns.pm, polish, background), values

    @property
    def columns(self) -> np.ndarray:
        """A set stands where its first probe stood."""
        return self.pm[self.polish.columns]

    @cached_property
    def _logs(self) -> np.ndarray:
        """log2 of the reference at each place of a rank (2q - 1,), made once for all arrays."""
        from ..kernels.quantile import place_values

        return np.log2(place_values(self.target))

    def transform(self, X: np.ndarray, names: Sequence[str] | None = None) -> np.ndarray:
        """Values of probe sets, log2, of intensities (n, width); each array by itself.

        Messages call the arrays by their names.
        """
        found = np.empty((len(X), len(self.polish.starts) - 1))
        for at, row in enumerate(X):
            name = names[at] if names else f"array {at}"
            places, _ = ranks_of(row[self.pm], self.background, name)
            found[at] = self.polish.transform(self._logs[places][None])[0]
        return found

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the sets; ranks and background are of all perfect matches."""
        every = np.arange(len(self.pm))
        return replace(self, pm=every, polish=self.polish.among_all(outputs)), self.pm

    def to_arrays(self) -> Arrays:
        """Those of the polish, and the rest."""
        return {
            **self.polish.to_arrays(),
            "target": self.target,
            "pm": self.pm.astype(np.float64),
            "background": np.array([float(self.background)]),
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> Self:
        """Of a table of so many columns; `ModelError` where they do not fit together."""
        pm, background = fitting_arrays(arrays, pm=(None,), background=(1,))
        columns = rising_places(pm, n_columns, "pm")
        (target,) = fitting_arrays(arrays, target=(len(columns),))
        if not len(target) or not target[0] > 0 or (np.diff(target) < 0).any():
            raise unfit_part_error("target")
        polish = FrozenPolish.from_arrays(arrays, len(columns))
        return cls(target, columns, polish, bool(background[0]))


class RMA(StepTransformer):
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
        The name of its probe set, for each column. None: by the names of the columns,
        ``1007_s_at``, ``1007_s_at#2`` and so on, with mismatches ``1007_s_at#mm`` beside, as
        `tamis expression probes` writes them; a column without a name is a set by itself.
    background : bool, default=True
        Correct the background first.
    detected : float, default=0.0
        Leave out probe sets that MAS 5.0 calls present in less than this share of the training
        arrays (`detection_calls` of raw intensities), usually 0.25. Above 0 it needs mismatches; a
        set without any stays.
    n_jobs : int or None, default=None
        Threads.

    Attributes
    ----------
    target_ : ndarray of shape (n_perfect_matches,)
        The reference distribution, rising, in units of the intensities.
    probe_effects_ : ndarray of shape (n_perfect_matches,)
        log2, in the order of the columns; 0 of a set that was left out.
    probe_sets_ : ndarray of shape (n_probe_sets,)
        Names of the outputs, in the order of their first columns.
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
        self,
        probe_sets: Any = None,
        *,
        background: bool = True,
        detected: float = 0.0,
        n_jobs: int | None = None,
    ):
        self.probe_sets = probe_sets
        self.background = background
        self.detected = detected
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the reference distribution and the probe effects.

        Parameters
        ----------
        X : array-like of shape (n_arrays, n_probes)
            Intensities on their natural scale.
        y : ignored

        Raises
        ------
        DataError
            `probe_sets` does not fit X, or an array has no background that can be estimated.
        ValueError
            X has missing or infinite values.
        """
        X, y = self._checked(X, y)
        names = getattr(self, "feature_names_in_", None)
        self.fitted_ = found = self.learn(X, y, names)
        self.target_ = found.target
        self.probe_effects_ = np.zeros(len(found.pm))
        self.probe_effects_[found.polish.probes] = found.polish.effects
        named = _check_feature_names_in(self) if self.probe_sets is None else self.probe_sets
        self.probe_sets_ = np.asarray(named, dtype=object)[found.columns]
        return self

    def learn(self, X: np.ndarray, y: np.ndarray, names: Sequence[str] | None = None) -> FrozenRMA:
        """Of arrays X (n, p), by the names of the columns if there is no `probe_sets`."""
        least = checked_share(self.detected, "detected")
        columns = self._columns(X.shape[1], names)
        if least > 0 and (columns.mm == NO_CELL).all():
            raise PlanError(
                f"detected = {least:g} needs mismatches, columns such as '1007_s_at#mm'; the table "
                "has none: set detected = 0"
            )
        pairs = ((row[columns.pm], row[columns.mm]) for row in X)
        return FrozenRMA.learn(pairs, columns, self.background, least, self.n_jobs)[0]

    def _columns(self, p: int, names: Sequence[str] | None) -> ProbeColumns:
        """By `probe_sets`, else by names, else each by itself."""
        if self.probe_sets is not None:
            ProbeSets.of(self.probe_sets, p)  # refuses what does not fit
            return ProbeColumns.in_order(np.asarray(self.probe_sets, dtype=object))
        return ProbeColumns.in_order(np.arange(p)) if names is None else ProbeColumns.of(names)

    def transform(self, X) -> np.ndarray:
        """Values of probe sets, log2, each array by itself (n_arrays, n_probe_sets)."""
        from joblib import delayed

        from .._core.workers import joblib_parallel

        X = self._checked_again(X)
        tasks = (delayed(self.fitted_.transform)(row[None]) for row in X)
        each = joblib_parallel(n_jobs=self.n_jobs, n_tasks=len(X), backend="threading")
        return np.concatenate(each(tasks))

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FrozenRMA:
        """See `FrozenRMA`."""
        return FrozenRMA.from_arrays(arrays, n_columns)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Names of the probe sets."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return names[self.fitted_.columns] if self.probe_sets is None else self.probe_sets_

    def _checked(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        X = validate_data(self, X, dtype=FLOAT_TYPES)
        if not self.background:
            check_non_negative(X, type(self).__name__)
        return X, np.zeros(len(X), dtype=np.int64)

    def _checked_again(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=FLOAT_TYPES, reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        tags.input_tags.positive_only = not self.background
        tags.transformer_tags.preserves_dtype = []
        return tags

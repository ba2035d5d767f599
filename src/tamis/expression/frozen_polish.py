"""Median polish learned from training samples: each sample stands alone under its probe effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from .._core.arrays import checked_integers, fitting_arrays, taken_lists, unfit_part_error
from .._core.errors import DataError
from .._core.interfaces import Arrays, FittedStep
from ..preparation.step import StepTransformer
from .probe_columns import ProbeColumns
from .probe_sets import ProbeSets
from .summaries import polished_sets


@dataclass(frozen=True)
class FrozenPolish(FittedStep):
    """The value of a probe set is the median of its probes less their effects.

    Attributes
    ----------
    probes : ndarray of shape (q,)
        Columns of the probes, set after set.
    starts : ndarray of shape (m + 1,)
        Where each set begins, and q. Sets are in the order of the columns of their first probes.
    effects : ndarray of shape (q,)
        Of the probes, log2.
    width : int
        Columns of the table.
    """

    probes: np.ndarray
    starts: np.ndarray
    effects: np.ndarray
    width: int

    @classmethod
    def of(cls, sets: ProbeSets, effects: np.ndarray) -> Self:
        """Sets in that order, with effects (width,) by column."""
        return cls(sets.columns, sets.starts, effects[sets.columns], len(effects))

    @property
    def columns(self) -> np.ndarray:
        """A set stands where its first probe stood."""
        return self.probes[self.starts[:-1]]

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Values of the sets (n, m) of log2 intensities (n, width); NaN without any probe."""
        from ..kernels.median_polish import frozen_medians

        found = np.empty((len(X), len(self.starts) - 1))
        for row, to in zip(X, found, strict=True):  # so that no second table is made
            frozen_medians(row[self.probes][None], self.starts, self.effects, to[None])
        return found

    def among_all(self, outputs: np.ndarray) -> Self:
        """Some of the sets, of the same table."""
        places, starts = taken_lists(self.starts, outputs)
        return type(self)(self.probes[places], starts, self.effects[places], self.width)

    def only(self, outputs: np.ndarray) -> tuple[Self, np.ndarray]:
        """Some of the sets, which need their own probes alone."""
        few = self.among_all(outputs)
        inputs = np.sort(few.probes)
        places = np.searchsorted(inputs, few.probes)
        return type(self)(places, few.starts, few.effects, len(inputs)), inputs

    def to_arrays(self) -> Arrays:
        """Probes, starts and effects."""
        return {
            "probes": self.probes.astype(np.float64),
            "starts": self.starts.astype(np.float64),
            "effects": self.effects,
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays, n_columns: int) -> Self:
        """Of a table of so many columns; `ModelError` where they do not fit together."""
        probes, starts, effects = fitting_arrays(
            arrays, probes=(None,), starts=(None,), effects=(None,)
        )
        found = checked_integers(probes, 0, n_columns, "probes")
        borders = checked_integers(starts, 0, len(found) + 1, "starts")
        sound = len(effects) == len(found) == len(np.unique(found)) and len(borders) > 0
        if not sound or borders[0] or borders[-1] != len(found) or (np.diff(borders) < 1).any():
            raise unfit_part_error("starts")
        if (np.diff(found[borders[:-1]]) <= 0).any():
            raise unfit_part_error("probes")
        return cls(found, borders, effects, n_columns)


class MedianPolish(StepTransformer):
    """Probes to probe sets by Tukey's median polish, with the effects of probes frozen.

    As `median_polish`, but a sample is worth the median of its probes less the effects that the
    training samples had: alone, in a batch and among the training samples it has the same values.
    Missing probes are left out.

    Columns of one set are known by their names: ``1007_s_at``, ``1007_s_at#2``, ``1007_s_at#3``
    (`tamis expression probes` writes such tables). A column by itself is left as it is.

    References
    ----------
    Tukey (1977), Exploratory Data Analysis; Irizarry et al. (2003), Biostatistics 4:249-264.

    Examples
    --------
    >>> import pandas as pd
    >>> logs = pd.DataFrame(
    ...     [[5.0, 7.0, 9.0, 3.0], [6.0, 8.0, 10.0, 2.0]], columns=["a", "a#2", "a#3", "b"]
    ... )
    >>> step = MedianPolish().set_output(transform="pandas").fit(logs)
    >>> step.transform(logs[:1])
         a    b
    0  7.0  3.0
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the effects of the probes of X (n_samples, n_probes), a frame with names."""
        X, y = self._checked(X, y)
        self.fitted_ = self.learn(X, y, getattr(self, "feature_names_in_", None))
        return self

    def learn(
        self, X: np.ndarray, y: np.ndarray, names: Sequence[str] | None = None
    ) -> FrozenPolish:
        """Effects of probes; without names each column is a set."""
        p = X.shape[1]
        if names is None:
            return FrozenPolish.of(ProbeSets.single(np.arange(p)), np.zeros(p))
        columns = ProbeColumns.of(names)
        if len(columns.pm) < p:
            raise DataError(
                "a median polish has no use for mismatches (columns such as "
                f"{names[int(columns.mm.max())]!r}): leave them out"
            )
        sets = columns.sets()
        found = polished_sets(lambda columns: X[:, columns], len(X), sets, None)
        return FrozenPolish.of(sets, found.probe_effects)

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FrozenPolish:
        """See `FrozenPolish`."""
        return FrozenPolish.from_arrays(arrays, n_columns)

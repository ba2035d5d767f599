"""Counts of a table, and what they believe of rows: behind the classifier and behind plans."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError
from ..huberized_svm.inputs import checked_number

MOST_BYTES = 2 * 10**9  # of counts and their logarithms


@dataclass(eq=False)
class AODEParameters:
    """Parameters of `AODEClassifier` and `AODE`, described there."""

    min_support: float = 30
    subsumption: bool = False
    subsumption_support: float = 100
    m_estimate: float | None = None
    categorical_features: Any = None
    categories: Any = None
    cuts: Any = None
    random_state: Any = None


@dataclass(frozen=True)
class AODEModel:
    """Scores of rows of level codes by counts of pairs.

    Attributes
    ----------
    counts : kernels.aode.PairCounts
    min_support : float
    m_estimate : float or None
    subsumption_support : float or None
        None: nothing is dropped.
    """

    counts: Any
    min_support: float
    m_estimate: float | None = None
    subsumption_support: float | None = None

    @cached_property
    def _tables(self) -> Any:
        from ...kernels.aode import log_tables

        return log_tables(self.counts, self.min_support, self.m_estimate)

    def shares(self, codes: np.ndarray) -> np.ndarray:
        """Class probabilities of rows of codes (n, p), (n, C)."""
        from ...kernels.aode import softmax

        return softmax(self.joint_log(codes))

    def __getstate__(self) -> dict[str, object]:
        """Without what follows from the rest."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def joint_log(self, codes: np.ndarray) -> np.ndarray:
        """log P(y, x) of rows of codes (n, p), (n, C)."""
        from ...kernels.aode import drop_subsumed, log_scores

        if self._subsumed is None:
            return log_scores(self._tables, codes)
        return log_scores(self._tables, drop_subsumed(self.counts, codes, *self._subsumed), codes)

    @cached_property
    def _subsumed(self) -> Any:
        """Which values others imply; None if they stay."""
        from ...kernels.aode import subsumed_values

        if self.subsumption_support is None:
            return None
        return subsumed_values(self.counts, self.subsumption_support)


def model_of(settings: AODEParameters, counts: Any) -> AODEModel:
    """What counts believe by these parameters."""
    support = settings.subsumption_support if settings.subsumption else None
    return AODEModel(counts, settings.min_support, settings.m_estimate, support)


def check_settings(settings: AODEParameters) -> None:
    """Refuse numbers that are out of range.

    Raises
    ------
    PlanError
    """
    checked_number(settings.min_support, "min_support", 0, False)
    checked_number(settings.subsumption_support, "subsumption_support", 0, True)
    m_estimate = settings.m_estimate
    if m_estimate is not None and not checked_number(m_estimate, "m_estimate", 0, False) >= 1e-9:
        raise PlanError(f"m_estimate={m_estimate!r}: give a number of at least 1e-9, or None")


def empty_counts(levels: np.ndarray, n_classes: int) -> Any:
    """Counts for columns of so many levels, if they fit.

    Raises
    ------
    DataError
        There would be more of them than `MOST_BYTES`.
    """
    from ...kernels.aode import no_counts

    check_room(levels, n_classes, MOST_BYTES)
    return no_counts(levels, n_classes)


def check_room(levels: np.ndarray, n_classes: int, most: int) -> None:
    """Refuse counts of columns of so many levels that take more than so many bytes.

    Raises
    ------
    DataError
    """
    from ...kernels.aode import table_bytes

    needed = table_bytes(levels, n_classes)
    if needed > most:
        p = len(levels)
        fits = int(p * (most / needed) ** 0.5)
        raise DataError(
            f"AODE counts pairs of values: {p:,} columns of {int(levels.sum()):,} levels need "
            f"{needed / 1e9:.1f} GB, more than {most / 1e9:g}; select features first, some "
            f"{fits:,} such columns fit"
        )

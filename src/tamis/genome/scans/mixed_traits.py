"""What a mixed scan explains, two classes or a number, and the covariates of its samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ..readers.classes import groups_of
from ..readers.genotypes import Genotypes
from ..readers.numbers import numbers_of
from .mixed_model import ClassModel, NullModel, NumberModel


@dataclass(frozen=True)
class Trait:
    """A phenotype.

    Attributes
    ----------
    values : ndarray of shape (n,)
        0 and 1 of the classes, or numbers; NaN of samples without one.
    classes : ndarray of shape (2,), or (0,)
        None of a number.
    """

    values: np.ndarray
    classes: np.ndarray

    @classmethod
    def of(cls, genotypes: Genotypes, y: Any, samples: Any, regression: bool) -> Trait:
        """As `mixed_scan` has it."""
        if regression:
            return cls(numbers_of(genotypes, y, samples), np.zeros(0, dtype=object))
        found = groups_of(genotypes, y, samples)
        if len(found.classes) != 2:
            raise DataError(
                f"there are {len(found.classes)} classes ({listed_names(found.classes)}): a mixed "
                "scan compares two; take those alone, the others as missing (NA), or a number "
                "with regression=True"
            )
        return cls(np.where(found.codes >= 0, found.codes, np.nan), found.classes)

    def fitted(self, fixed: np.ndarray, known: np.ndarray, covariates: Any) -> NullModel:
        """The null model of the samples that are known, with their fixed effects (m, 1 + c).

        Raises
        ------
        DataError
            They are of one class, have one value, or are too few for the covariates.
        """
        values, (m, c) = self.values[known], fixed.shape
        having = "" if covariates is None else " that have all covariates"
        if values.min() == values.max():
            what = "are of one class: two are" if len(self.classes) else "have one value: more are"
            raise DataError(f"the {counted_noun(m, 'sample')}{having} {what} needed")
        least = c + 2 if len(self.classes) else c + 3  # a variant takes a degree of freedom
        if m < least:
            raise DataError(
                f"{counted_noun(m, 'sample')}{having}, where {least:,} are the least"
                + (": leave covariates out" if having else "")
            )
        names: Sequence[object] | None = getattr(covariates, "columns", None)
        model = ClassModel if len(self.classes) else NumberModel
        return model.fitted(fixed, values, names)


def fixed_effects(covariates: Any, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intercept and standardised covariates (m, 1 + c) of those of the samples known (n,) that have
    all, and which these are (n,)."""
    n = len(known)
    if covariates is None:
        return np.ones((int(known.sum()), 1)), known
    try:
        given = np.asarray(covariates, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("covariates: give numbers") from None
    given = given[:, None] if given.ndim == 1 else given
    if given.ndim != 2 or len(given) != n:
        raise DataError(f"covariates of shape {given.shape}: give a row for each of {n:,} samples")
    known = known & np.isfinite(given).all(axis=1)
    if not known.any():
        raise DataError("every sample with a phenotype misses a covariate")
    own = given[known]
    largest = np.abs(own).max(axis=0)
    own /= np.where(largest > 0, largest, 1.0)  # squares of them are numbers then
    spread = own.std(axis=0)
    own = (own - own.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return np.column_stack([np.ones(len(own)), own]), known

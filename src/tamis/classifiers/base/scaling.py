"""What stands before every classifier: units, standardised columns, columns that say nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._core.arrays import fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Beliefs, Classifier, Predictor
from ...kernels.column_sums import column_sums
from ...kernels.units import EPS, MAX_STANDARDISED, column_units, widest_unit
from .class_shares import ClassShares
from .constant_predictor import constant_predictor, revived_constant

COLUMNS_PREFIX = "columns."
INNER_PREFIX = "of."  # of names of the arrays of what a predictor is around


@dataclass(frozen=True)
class ScaledPredictor:
    """A predictor of (X / units - center) / scale."""

    units: np.ndarray
    center: np.ndarray
    scale: np.ndarray
    inner: Predictor

    def beliefs(self, X: np.ndarray) -> Beliefs:
        """Of the rows of X (m, k)."""
        return self.inner.beliefs(as_standardised(X, self.units, self.center, self.scale))

    @property
    def is_standardised(self) -> bool:
        """Columns are divided by standard deviations, not by units alone."""
        return bool((self.scale != 1).any() or self.center.any())

    def to_arrays(self) -> Arrays:
        """The columns' numbers, and those of the predictor itself."""
        own = {"units": self.units, "center": self.center, "scale": self.scale}
        return {**{COLUMNS_PREFIX + k: v for k, v in own.items()}, **self.inner.to_arrays()}


def fit_in_units(
    classifier: Any,
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    seed: int,
    levels: Mapping[int, int] | None = None,
    weights: np.ndarray | None = None,
) -> Predictor:
    """Fit a classifier on columns in units that keep its sums numbers, standardised if it wants.

    Columns that are all constant say nothing: the prior is the model (the class shares, or what
    the classifier declares), or what one around others makes of them (`takes_constants`).

    Parameters
    ----------
    classifier : Classifier or RawClassifier
    X : ndarray of shape (n, k)
    y : ndarray of shape (n,)
        Class codes.
    n_classes, seed : int
    levels : mapping of column to number of levels, or None
        None: the table is filled. Else it is as it is, for a `RawClassifier`, and these columns
        hold codes, which have no unit and are not scaled.
    weights : ndarray of shape (n,), or None
        For one that takes them. Columns are standardised without.
    """
    X = np.ascontiguousarray(X)  # sums have other last bits in another order of the memory
    more = () if levels is None else (levels,)
    given = {} if weights is None else {"weights": weights}
    if not classifier.takes_constants and not column_varies(X, levels):
        return constant_model(classifier, y, n_classes, weights)
    units = widest_unit(X) if classifier.one_unit else column_units(X)
    k, codes = X.shape[1], list(levels or ())
    units[codes] = 1.0
    center, scale = np.zeros(k), np.ones(k)
    plain = bool((units == 1).all())
    columns = X if plain else X / units
    if classifier.scaled:
        columns, center, scale = standardised_with_scale(columns, codes)
    elif plain:
        return classifier.fit(X, y, n_classes, seed, *more, **given)
    fitted = classifier.fit(columns, y, n_classes, seed, *more, **given)
    return ScaledPredictor(units, center, scale, fitted)


def constant_model(
    classifier: Any, y: np.ndarray, n_classes: int, weights: np.ndarray | None = None
) -> Predictor:
    """The model of columns that are all constant: the prior, or the mean of a number."""
    prior = classifier.prior_of(y, n_classes)
    return constant_predictor(y, n_classes, weights) if prior is None else ClassShares(prior)


@dataclass(frozen=True)
class AroundClassifier(Classifier):
    """A classifier around another, whose units and prior it has."""

    of: Any = None

    @property
    def one_unit(self) -> bool:
        """As of what is inside: what compares columns compares them in one unit here as well."""
        return bool(self.of.one_unit)

    def prior(self, counts: np.ndarray) -> np.ndarray | None:
        """As of what is inside."""
        return self.of.prior(counts)

    def with_shares(self) -> Any:
        """The same of what is inside."""
        return replace(self, of=self.of.with_shares())


def equal_prior(counts: np.ndarray) -> np.ndarray:
    """The same for each class that has samples (C,).

    Examples
    --------
    >>> equal_prior(np.array([9, 1, 0])).tolist()
    [0.5, 0.5, 0.0]
    """
    there = (counts > 0).astype(np.float64)
    return there / there.sum()


def weights_of_prior(prior: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """What a sample of each class counts under a prior: pi(c) / share(c), 1 of a class without
    samples (C,)."""
    return np.divide(prior * counts.sum(), counts, out=np.ones(len(counts)), where=counts > 0)


def stored_weights(arrays: Mapping[str, np.ndarray], name: str, n_classes: int) -> np.ndarray:
    """What each class counts, of a saved predictor (C,).

    Raises
    ------
    ModelError
        A weight is not positive, or vanishes beside the largest.
    """
    (weights,) = fitting_arrays(arrays, **{name: (n_classes,)})
    if not (weights > weights.max() * np.finfo(np.float64).tiny).all():
        raise unfit_part_error(name)
    return weights


def inner_arrays(inner: Any, prefix: str = INNER_PREFIX) -> Arrays:
    """The arrays of what something is around, a predictor for one."""
    return {prefix + name: array for name, array in inner.to_arrays().items()}


def of_inside(arrays: Mapping[str, np.ndarray], prefix: str = INNER_PREFIX) -> Arrays:
    """Those arrays among all."""
    return {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}


def standardised_with_scale(
    columns: np.ndarray, codes: Sequence[int] = ()
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns with mean 0 and variance 1, their means and standard deviations (k,).

    These are scikit-learn's `StandardScaler`'s to the bit (of two columns or more), without its
    checks, which take longer than the work on a table of 50 columns: the variance by two passes
    (Chan, Golub & LeVeque 1983), and a scale of 1 where it is no more than their rounding. What a
    column comes to does not depend on the others.

    Parameters
    ----------
    columns : ndarray of shape (n, k)
        Without missing values.
    codes : sequence of int
        Columns that stay as they are.
    """
    n = len(columns)
    center = column_sums(columns) / n
    found = columns - center
    variance = (column_sums(found * found) - column_sums(found) ** 2 / n) / n
    scale = np.sqrt(variance)
    scale[variance <= n * EPS * variance + (n * center * EPS) ** 2] = 1.0
    if len(codes):
        center[codes], scale[codes] = 0.0, 1.0
        found[:, codes] = columns[:, codes]
    found /= scale
    return found, center, scale


def as_standardised(
    X: np.ndarray, units: np.ndarray, center: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """Rows of columns in these units, by the means and standard deviations of others."""
    with np.errstate(over="ignore"):
        columns = (X / units - center) / scale
    return np.clip(columns, -MAX_STANDARDISED, MAX_STANDARDISED)


def column_varies(X: np.ndarray, levels: Mapping[int, int] | None = None) -> bool:
    """Whether a column has two values; missing is one of them, in a table as it is (`levels`)."""
    first = X[:1]
    other = first != X
    if levels is not None and other.any():
        other &= ~(np.isnan(first) & np.isnan(X))
    return bool(other.any())


def from_arrays(classifier: Any, arrays: Arrays, n_columns: int, n_classes: int) -> Predictor:
    """What `fit_in_units` gave, from its arrays.

    Raises
    ------
    ModelError
        They do not fit together.
    """
    if (constant := revived_constant(arrays, n_classes)) is not None:
        return constant
    own = of_inside(arrays, COLUMNS_PREFIX)
    rest = {k: v for k, v in arrays.items() if not k.startswith(COLUMNS_PREFIX)}
    inner = classifier.from_arrays(rest, n_columns, n_classes)
    if not own:
        return inner
    units, center, scale = fitting_arrays(
        own, units=(n_columns,), center=(n_columns,), scale=(n_columns,)
    )
    if not ((units > 0).all() and (scale > 0).all()):
        raise unfit_part_error(COLUMNS_PREFIX + "scale")
    return ScaledPredictor(units, center, scale, inner)

"""What every step shares: scikit-learn's manners, and the few forms that a fitted step takes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.arrays import fitting, rising_places
from .._core.interfaces import Arrays, FittedStep, Step
from ..data.class_codes import class_codes


class StepTransformer(TransformerMixin, BaseEstimator, Step):
    """A step as a scikit-learn transformer; subclasses define `learn`.

    Attributes
    ----------
    supervised : bool
        Whether `learn` looks at the classes.
    fitted : type
        What `learn` gives, where that reads itself back from arrays.
    """

    supervised: ClassVar[bool] = False
    fitted: ClassVar[Any] = None

    def from_arrays(self, arrays: Arrays, n_columns: int) -> FittedStep:
        """What `learn` gave, on so many columns; `ModelError` where the arrays do not fit."""
        return self.fitted.from_arrays(arrays, n_columns)

    def fit(self, X, y=None) -> Self:
        """Learn from X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,), optional
            Classes, for a step that looks at them.
        """
        self.fitted_ = self.learn(*self._checked(X, y))
        return self

    def transform(self, X) -> np.ndarray:
        """The columns of X that the step keeps, transformed (n_samples, n_kept)."""
        return self.fitted_.transform(self._checked_again(X))

    def _checked(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """X and class codes; zeros for a step that does not look at the classes."""
        if not self.supervised:
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
            return X, np.zeros(len(X), dtype=np.int64)
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        return X, class_codes(y, type(self).__name__)[1]

    def _checked_again(self, X: Any) -> np.ndarray:
        """X with the columns that `fit` saw."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Names of the columns that `transform` gives."""
        from sklearn.utils.validation import _check_feature_names_in

        check_is_fitted(self)
        return _check_feature_names_in(self, input_features)[self.fitted_.columns]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = self.supervised
        return tags


class ColumnFilter(StepTransformer):
    """A step that keeps some columns as they are, by numbers that each has by itself.

    Subclasses define `statistics` and `finish`, as of a `Step`.
    """

    by_column, keeps = True, True

    def learn(self, X: np.ndarray, y: np.ndarray) -> KeptColumns:
        """Both."""
        return self.finish(self.statistics(X, y), len(X))


def share_of(share: float, n: int) -> int:
    """So many of n, rounded up.

    Examples
    --------
    >>> share_of(0.07, 100), share_of(0.071, 100)
    (7, 8)
    """
    return int(np.ceil(share * n - 1e-9))


def constant_columns(X: np.ndarray) -> np.ndarray:
    """Which columns of X (n, p) have one value at most: their deviations are rounding (p,)."""
    high, low = np.fmax.reduce(X, axis=0), np.fmin.reduce(X, axis=0)
    return ~(high > low)


@dataclass(frozen=True)
class ByColumn(FittedStep):
    """A step in which every column is transformed by itself, with numbers of its own.

    Subclasses hold arrays of one entry a column, and define `transform`.
    """

    monotone: ClassVar[bool] = False  # larger values never become smaller ones

    @property
    def columns(self) -> np.ndarray:
        """All of them."""
        return np.arange(len(next(iter(vars(self).values()))))

    def changed(self, kind: str) -> np.ndarray:
        """All, but for the order of rows if larger values stay larger."""
        return self.columns[:0] if kind == "order" and self.monotone else self.columns

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
        found = fitting(arrays, **dict.fromkeys(names, (n_columns,)))
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

    def changed(self, kind: str) -> np.ndarray:
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
        (given,) = fitting(arrays, columns=(None,))
        return cls(rising_places(given, n_columns, "columns"), n_columns)

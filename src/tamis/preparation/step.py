"""What every step shares: scikit-learn's manners."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.interfaces import Arrays, FittedStep, Step
from ..data.class_codes import class_codes
from .fitted import KeptColumns


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

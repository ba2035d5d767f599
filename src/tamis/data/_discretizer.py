"""What every discretiser shares: checks, codes, labels. The cuts are the subclass's own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from .._core.errors import DataError, nearest_hint
from .._core.interfaces import Arrays, Step
from .categories import code_text, is_frame, read_text
from .class_codes import class_codes
from .interval_codes import IntervalCodes

Cutter = Callable[[np.ndarray, np.ndarray], np.ndarray]
BLOCK_COLUMNS = 512  # columns sorted at a time


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, Step):
    """Columns of numbers to codes of intervals, in a pipeline or as a step of a plan; a subclass
    defines `fit` and the cuts."""

    by_column = True

    def __init__(self, categorical_features=None):
        self.categorical_features = categorical_features

    def _read(self, X: Any, *y: Any) -> Any:
        """X in numbers, or X and y, checked; learns which columns are categories."""
        frame = is_frame(X)
        if frame:
            X, mask, categories = read_text(X, self.categorical_features)
        found = validate_data(
            self, X, *y, dtype=np.float64, order="C", ensure_all_finite="allow-nan"
        )
        if not frame:
            _, mask, categories = read_text(found[0] if y else found, self.categorical_features)
        self.is_categorical_, self.categories_ = mask, categories
        return found

    def _fit_cuts(self, X: np.ndarray, codes: np.ndarray, cutter: Cutter) -> None:
        """Cut each numeric column; `cutter` gets sorted values without NaN and their codes."""
        numeric = np.flatnonzero(~self.is_categorical_)
        self.cuts_ = [np.empty(0) for _ in range(X.shape[1])]
        for start in range(0, len(numeric), BLOCK_COLUMNS):
            block = numeric[start : start + BLOCK_COLUMNS]
            columns = np.ascontiguousarray(X[:, block].T)
            order = np.argsort(columns, axis=1)  # NaN last
            known = (~np.isnan(columns)).sum(axis=1)
            for j, column, rank, n in zip(block, columns, order, known, strict=True):
                rank = rank[:n]
                # -0.0 and 0.0 are one value, and their order is that of the rows
                self.cuts_[j] = cutter(column[rank] + 0.0, codes[rank])

    def learn(self, X: np.ndarray, y: np.ndarray) -> IntervalCodes:
        """The cuts of columns that are all numbers, as of a `Step`."""
        return IntervalCodes.of(clone(self).fit(X, y).cuts_ if X.shape[1] else [])

    def from_arrays(self, arrays: Arrays, n_columns: int) -> IntervalCodes:
        """What `learn` gave, as of a `Step`."""
        return IntervalCodes.from_arrays(arrays, n_columns)

    def transform(self, X) -> np.ndarray:
        """Codes 0, 1, ... of the intervals that hold the values of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing and stays so. Values beyond those of the training data fall
            into the outer intervals.

        Returns
        -------
        codes : ndarray of shape (n_samples, n_features), float64
            Categorical columns as they came if they are numbers; of text the place among
            ``categories_``, NaN for a category that `fit` has not seen.
        """
        check_is_fitted(self)
        frame = is_frame(X)
        if frame:
            X = code_text(X, self.categories_)
        X = validate_data(
            self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=False
        )
        if not frame:
            X = code_text(X, self.categories_)
        numeric = np.flatnonzero(~self.is_categorical_)
        cut = IntervalCodes.of([self.cuts_[j] for j in numeric])
        out = X.copy()
        out[:, numeric] = cut.transform(X[:, numeric])
        return out

    @property
    def labels_(self) -> list[tuple[str, ...]]:
        """The intervals of each feature as text, ``"(-inf, 6.5]"``; none for categories."""
        check_is_fitted(self)
        return [
            () if categorical else interval_labels(cuts)
            for cuts, categorical in zip(self.cuts_, self.is_categorical_, strict=True)
        ]

    def inverse_labels(self, feature: int | str) -> tuple[str, ...]:
        """The intervals of one feature as text, in the order of its codes.

        Parameters
        ----------
        feature : int or str
            Column number, or name if `fit` saw names.

        Raises
        ------
        DataError
            There is no such feature, or it is categorical.
        """
        check_is_fitted(self)
        j = self._column(feature)
        if self.is_categorical_[j]:
            raise DataError(f"feature {feature!r} is categorical: it has no intervals")
        return interval_labels(self.cuts_[j])

    def inverse_transform(self, X) -> np.ndarray:
        """The intervals as text for the codes that `transform` gave.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples, n_features), object
            Missing codes and categorical columns as they came, but for text, whose codes
            become text again.

        Raises
        ------
        DataError
            A value is not a code of its feature.
        """
        check_is_fitted(self)
        X = validate_data(
            self, X, dtype=np.float64, order="C", ensure_all_finite="allow-nan", reset=False
        )
        out = X.astype(object)
        for j, categories in enumerate(self.categories_):
            if self.is_categorical_[j] and categories is None:
                continue
            words = interval_labels(self.cuts_[j]) if categories is None else categories
            known = ~np.isnan(X[:, j])
            codes, last = X[known, j], len(words) - 1
            wrong = codes[(codes < 0) | (codes > last) | (codes != np.floor(codes))]
            if len(wrong):
                raise DataError(
                    f"column {j} holds {wrong[0]:g}: give the codes of transform, 0 to {last}"
                )
            labels = np.array([*words], dtype=object)
            out[known, j] = labels[codes.astype(np.int64)]
        return out

    def _column(self, feature: Any) -> int:
        """The number of a column given by number or name."""
        p = self.n_features_in_
        if isinstance(feature, str):
            names = getattr(self, "feature_names_in_", None)
            if names is None:
                raise DataError(
                    f"feature {feature!r}: fit saw no names; give a number, 0 to {p - 1}"
                )
            found = np.flatnonzero(names == feature)
            if len(found) == 0:
                raise DataError(
                    f"feature {feature!r} is not a column: {nearest_hint(feature, names)}"
                )
            return int(found[0])
        if isinstance(feature, int | np.integer) and -p <= feature < p:
            return int(feature) % p
        raise DataError(f"feature {feature!r}: X has columns 0 to {p - 1}")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class SupervisedDiscretizer(Discretizer):
    """Cuts that look at the classes."""

    def _cutter(self, n_samples: int, n_classes: int) -> Cutter:
        """The function that cuts one column, after the parameters have been checked."""
        raise NotImplementedError

    def fit(self, X, y):
        """Find the cuts of each column; missing values are left out, column by column.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels, two or more classes.

        Returns
        -------
        self

        Raises
        ------
        PlanError
            A parameter is out of range.
        DataError
            y has only one class, or a column holds text and is not categorical.
        """
        X, y = self._read(X, y)
        classes, codes = class_codes(y, type(self).__name__)
        self._fit_cuts(X, codes, self._cutter(len(X), len(classes)))
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def interval_labels(cuts: np.ndarray) -> tuple[str, ...]:
    """``(-inf, a]``, ``(a, b]``, ..., ``(z, inf)``.

    Ten digits, more where cuts would look alike; `cuts_` has the exact numbers.

    Examples
    --------
    >>> interval_labels(np.array([6.5, 12.0]))
    ('(-inf, 6.5]', '(6.5, 12]', '(12, inf)')
    """
    for digits in range(10, 18):
        ends = [f"{cut:.{digits}g}" for cut in cuts]
        if len(set(ends)) == len(ends):
            break
    if not ends:
        return ("(-inf, inf)",)
    inner = [f"({low}, {high}]" for low, high in pairwise(ends)]
    return (f"(-inf, {ends[0]}]", *inner, f"({ends[-1]}, inf)")

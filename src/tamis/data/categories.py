"""Categories of table columns, and their codes: what every `categorical_features` reads.

Classifiers learn the categories of every categorical column (`learn_categories`). What takes codes
as well as text reads a table by `read_text`: text becomes codes, numbers stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, listed_names, nearest_hint


def is_frame(X: Any) -> bool:
    """Whether X is a pandas data frame."""
    return hasattr(X, "iloc") and hasattr(X, "columns")


def learn_categories(X: Any, categorical_features: Any) -> tuple[np.ndarray, list[np.ndarray]]:
    """Which columns are categorical (p,), and the categories of each column.

    X is a data frame, or a checked array of numbers. A pandas categorical brings its declared
    categories in their order; otherwise they are the values seen, sorted.
    """
    frame = is_frame(X)
    mask = categorical_mask(X, categorical_features)
    categories = []
    for j in range(X.shape[1]):
        if not mask[j]:
            categories.append(np.empty(0))
        elif frame:
            categories.append(_frame_categories(X.iloc[:, j]))
        else:
            categories.append(np.unique(X[~np.isnan(X[:, j]), j]))
    return mask, categories


def read_text(X: Any, categorical_features: Any) -> tuple[Any, np.ndarray, list[np.ndarray | None]]:
    """A table with codes in place of text, and what another table is read by (`code_text`).

    Parameters
    ----------
    X : data frame, or checked array of numbers (n, p)
    categorical_features : None, "from_dtype", mask, or sequence of int or str

    Returns
    -------
    X : the same kind
    categorical : ndarray of shape (p,) of bool
    categories : list of p ndarrays or None
        Of a column of text its categories, in the order of their codes; of all others None.
    """
    mask = categorical_mask(X, categorical_features)
    categories: list[np.ndarray | None] = [None] * X.shape[1]
    if not is_frame(X):
        return X, mask, categories
    for j in np.flatnonzero(mask):
        if not _holds_numbers(X.dtypes.iloc[j]):
            categories[j] = _frame_categories(X.iloc[:, j])
    return code_text(X, categories), mask, categories


def code_text(X: Any, categories: Sequence[np.ndarray | None]) -> Any:
    """Another table as `read_text` gave it; a category that is not known there is NaN."""
    coded = np.array([known is not None for known in categories], dtype=bool)
    known = [np.empty(0) if one is None else one for one in categories]
    return encode_frame(X, coded, known) if is_frame(X) else encode_array(X, coded, known)


def encode_array(X: np.ndarray, mask: np.ndarray, categories: list[np.ndarray]) -> np.ndarray:
    """A checked array with codes in place of categories; one that is not known is NaN."""
    if not mask.any():
        return X
    out = X.copy()
    for j in np.flatnonzero(mask):
        if categories[j].dtype.kind not in "biuf":
            raise DataError(
                f"column {j} has the categories {listed_names(categories[j])}: give a data frame, "
                "as to fit"
            )
        out[:, j] = _category_codes(X[:, j], categories[j])
    return out


def _category_codes(values: np.ndarray, categories: np.ndarray) -> np.ndarray:
    """Places of the values among the categories, NaN where they are not."""
    order = np.argsort(categories)
    if not len(categories):
        return np.full(len(values), np.nan)
    places = np.searchsorted(categories, values, sorter=order)
    places = order[np.minimum(places, len(order) - 1)]
    return np.where(categories[places] == values, places, np.nan)


def encode_frame(X: Any, mask: np.ndarray, categories: list[np.ndarray]) -> Any:
    """A data frame of numbers, codes in place of categories.

    With another number of columns it is left for the checks that follow. A category that is not
    known is NaN.
    """
    import pandas as pd

    if X.shape[1] != len(mask) or (not mask.any() and all(map(_holds_numbers, X.dtypes))):
        return X
    columns = {}
    for j in range(X.shape[1]):
        column = X.iloc[:, j]
        if mask[j]:
            codes = pd.Index(categories[j]).get_indexer(pd.Index(np.asarray(column, dtype=object)))
            columns[j] = np.where(codes < 0, np.nan, codes)
            continue
        try:
            columns[j] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError):
            raise DataError(
                f"column {X.columns[j]!r} holds values that are not numbers: name it in "
                "categorical_features, or give categorical_features='from_dtype'"
            ) from None
    out = pd.DataFrame(columns, index=X.index)
    out.columns = X.columns
    return out


def _frame_categories(column: Any) -> np.ndarray:
    """Categories of a column of a data frame as a plain array."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        found = list(column.cat.categories)
    else:
        found = list(pd.unique(column.dropna()))
        try:
            found = sorted(found)
        except TypeError:
            raise DataError(
                f"column {column.name!r} mixes kinds of categories: give them as text"
            ) from None
    return np.array(found) if found else np.empty(0)


def categorical_mask(X: Any, given: Any) -> np.ndarray:
    """`categorical_features` (None, "from_dtype", mask, numbers or names) as a mask (p,)."""
    p = X.shape[1]
    names = [str(c) for c in X.columns] if is_frame(X) else None
    mask = np.zeros(p, dtype=bool)
    if given is None:
        return mask
    if isinstance(given, str):
        if given != "from_dtype":
            raise PlanError(
                f"categorical_features={given!r}: give None, 'from_dtype', a mask, column "
                "numbers or names"
            )
        if names is None:
            raise PlanError("categorical_features='from_dtype' needs a data frame")
        return np.array([_is_category(X.dtypes.iloc[j]) for j in range(p)], dtype=bool)
    listed = np.asarray(given)
    if listed.ndim == 1 and listed.dtype == bool and len(listed) == p:
        return listed.copy()
    if listed.ndim != 1 or listed.dtype == bool:
        raise PlanError(
            f"categorical_features={given!r}: give None, 'from_dtype', a mask of {p} booleans, "
            "column numbers or names"
        )
    for feature in listed.tolist():
        mask[column_place(feature, names, p)] = True
    return mask


def _is_category(dtype: Any) -> bool:
    import pandas as pd

    return isinstance(dtype, pd.CategoricalDtype) or not _holds_numbers(dtype)


def _holds_numbers(dtype: Any) -> bool:
    import pandas as pd

    kind = dtype.categories.dtype if isinstance(dtype, pd.CategoricalDtype) else dtype
    return bool(pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_bool_dtype(kind))


def column_place(
    feature: Any, names: list[str] | None, p: int, given: str = "categorical_features"
) -> int:
    """The number of a column given by number or name, in the parameter `given`."""
    if isinstance(feature, str):
        if names is None:
            raise PlanError(f"{given} {feature!r}: X has no names; give numbers")
        if feature not in names:
            raise PlanError(f"{given} {feature!r} is not a column: {nearest_hint(feature, names)}")
        return names.index(feature)
    if isinstance(feature, int | np.integer) and -p <= feature < p:
        return int(feature) % p
    raise PlanError(f"{given} {feature!r}: X has columns 0 to {p - 1}")

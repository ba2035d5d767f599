"""Which levels columns have: declared or seen categories, declared cuts or those of MDL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError, listed_names, value_text
from ...data.categories import column_place


def declared_columns(given: Any, name: str, X: Any) -> dict[int, np.ndarray]:
    """A mapping of columns, by number or name, to values, by number."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise PlanError(f"{name}={value_text(given)}: give a mapping of columns to values, or None")
    names = [str(c) for c in X.columns] if hasattr(X, "columns") else None
    found = {}
    for feature, values in given.items():
        array = np.asarray(values)
        if array.ndim != 1 or len({*array.tolist()}) < len(array):
            raise PlanError(f"{name}[{feature!r}]={value_text(values)}: give different values")
        found[column_place(feature, names, X.shape[1], name)] = array
    return found


def declared_cuts(given: Any, X: Any, categorical: np.ndarray) -> dict[int, np.ndarray]:
    """Of numeric columns, by number.

    Raises
    ------
    PlanError
        They are no increasing numbers, or of a column of categories.
    """
    found = declared_columns(given, "cuts", X)
    for j, values in found.items():
        number = values.dtype.kind in "iuf" or not len(values)
        if categorical[j] or not number or not np.isfinite(values).all():
            raise PlanError(f"cuts of column {j}: give finite numbers for a column of numbers")
        if (np.diff(values) <= 0).any():
            raise PlanError(f"cuts of column {j}: {listed_names(values)} do not increase")
        found[j] = values.astype(np.float64)
    return found


def mdl_cuts_of(
    X: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    columns: np.ndarray,
    weights: np.ndarray | None = None,
) -> dict[int, np.ndarray]:
    """Fayyad and Irani's cuts of some columns of X (n, p), as `MDLDiscretizer` has them.

    Rows may be weighted: one of weight 2 is a row given twice.
    """
    from ...kernels.cuts import mdl_cuts, x_log2_x
    from ...kernels.weighted_mdl import weighted_mdl_cuts

    table, found = x_log2_x(len(X)), {}
    plain = weights is None or bool((weights == 1).all())
    for j in columns:
        order = np.argsort(X[:, j])
        order = order[: len(order) - np.isnan(X[:, j]).sum()]
        values, codes = X[order, j] + 0.0, y[order]
        if plain or weights is None:
            found[int(j)] = mdl_cuts(values, codes, n_classes, table)
        else:
            found[int(j)] = weighted_mdl_cuts(values, codes, weights[order], n_classes)
    return found


def refuse_lost(given: Any, X: np.ndarray, categorical: np.ndarray, categories: Any) -> None:
    """Refuse a data frame with a category that its table X of codes does not have.

    Raises
    ------
    DataError
    """
    for j in np.flatnonzero(categorical):
        column = given.iloc[:, j]
        lost = np.isnan(X[:, j]) & ~column.isna().to_numpy()
        if lost.any():
            value = np.asarray(column, dtype=object)[lost][0]
            refuse_category(given.columns[j], value, categories[j])


def refuse_category(name: Any, value: Any, categories: np.ndarray) -> None:
    """Of a row to learn from, where levels are declared or were learned before.

    Raises
    ------
    DataError
    """
    value = value.item() if isinstance(value, np.generic) else value
    raise DataError(
        f"column {name!r} holds {value!r}, which is none of its categories "
        f"({listed_names(categories)}): declare it in categories, or leave those rows out"
    )


@dataclass(frozen=True)
class Columns:
    """What the columns of a table hold.

    Attributes
    ----------
    categorical : ndarray of shape (p,) of bool
    categories : list of p ndarrays
        Of a column of numbers empty.
    cuts : list of p ndarrays
        Of a column of categories empty; an interval holds its upper end.
    """

    categorical: np.ndarray
    categories: list[np.ndarray]
    cuts: list[np.ndarray]

    @property
    def levels(self) -> np.ndarray:
        """Categories or intervals of each column, at least one, (p,)."""
        sizes = [
            max(len(known), 1) if categorical else len(own) + 1
            for categorical, known, own in zip(
                self.categorical, self.categories, self.cuts, strict=True
            )
        ]
        return np.array(sizes, dtype=np.int64)

    def codes(self, X: np.ndarray, coded: bool) -> tuple[np.ndarray, tuple[int, int] | None]:
        """Levels of the rows of X (n, p), int32, the number of levels for what has none.

        Parameters
        ----------
        X : ndarray of shape (n, p)
        coded : bool
            It holds places of categories, not the categories.

        Returns
        -------
        codes : ndarray of shape (n, p)
        unknown : (row, column) or None
            Of the first category that is not known.
        """
        from ...kernels.aode import code_levels

        known = [
            self._numbers(int(j), coded) if self.categorical[j] else self.cuts[j]
            for j in range(X.shape[1])
        ]
        orders = [np.argsort(values) for values in known]
        ends = np.concatenate([[0], np.cumsum([len(values) for values in known])])
        flat = np.concatenate([values[order] for values, order in zip(known, orders, strict=True)])
        places = np.concatenate(orders).astype(np.int64)
        codes, row, column = code_levels(
            X, self.categorical, ends.astype(np.int64), flat.astype(np.float64), places, self.levels
        )
        return codes, None if row < 0 else (row, column)

    def _numbers(self, j: int, coded: bool) -> np.ndarray:
        categories = self.categories[j]
        if coded:
            return np.arange(len(categories))
        if categories.dtype.kind not in "biuf":
            raise DataError(
                f"column {j} has the categories {listed_names(categories)}: give a data frame"
            )
        return categories

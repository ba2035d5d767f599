"""Any learner, fitted anew to every subset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..._core.errors import PlanError
from .fold_model import FoldModel, Values


class RefittedFold(FoldModel):
    """A learner fitted to the training rows for every subset that is requested.

    Parameters
    ----------
    fit : callable
        (X, codes) -> a function of further rows that gives values (C, m).
    X : ndarray of shape (N, p)
    codes : ndarray of shape (N,)
    train, test : ndarray of shape (n,), (m,)
        Rows of the fold.
    values : str
        As of `FoldModel`.

    Attributes
    ----------
    n_fits : int
    """

    def __init__(
        self,
        fit: Callable,
        X: np.ndarray,
        codes: np.ndarray,
        train: np.ndarray,
        test: np.ndarray,
        values: Values,
    ):
        self.fit, self.X, self.codes, self.train, self.test = fit, X, codes[train], train, test
        self.values, self.n_fits = values, 0

    def of(self, columns: np.ndarray) -> np.ndarray:
        self.n_fits += 1
        X = self.X[:, columns]
        found: np.ndarray = self.fit(X[self.train], self.codes)(X[self.test])
        return found

    def with_each(self, chosen: np.ndarray, new: np.ndarray) -> np.ndarray:
        return np.stack([self.of(np.append(chosen, j)) for j in new], axis=2)

    def without_each(self, chosen: np.ndarray) -> np.ndarray:
        return np.stack([self.of(np.delete(chosen, i)) for i in range(len(chosen))], axis=2)


def fit_row(classifier: Any, n_classes: int, seed: int, raw: bool) -> Callable:
    """`RefittedFold.fit` of a plan's classifier."""
    from ...classifiers.base.scaling import fit_in_units

    def fit_classifier(X: np.ndarray, codes: np.ndarray) -> Callable:
        found = fit_in_units(classifier, X, codes, n_classes, seed, {} if raw else None)
        return lambda rows: found.beliefs(rows).proba.T

    return fit_classifier


def fit_estimator(own: Any, n_classes: int, stream: Any, values: Values) -> Callable:
    """`RefittedFold.fit` of an estimator with scikit-learn's manners."""
    from sklearn.base import clone

    from ..._core.own_code import running_own_code

    settled = own.made({}, stream)

    def fit_clone(X: np.ndarray, codes: np.ndarray) -> Callable:
        with running_own_code(own, "be fitted"):
            one = clone(settled)
            found = one.fit(X, codes)
            found = one if found is None else found
        return lambda rows: _values_of(own, found, rows, n_classes, values)

    return fit_clone


def _values_of(own: Any, fitted: Any, rows: np.ndarray, n_classes: int, values: Values) -> Any:
    from ..._core.own_code import running_own_code

    with running_own_code(own, "predict"):
        if values in ("proba", "shares"):
            found = np.asarray(fitted.predict_proba(rows), dtype=np.float64).T
        elif hasattr(fitted, "decision_function"):
            margin = np.asarray(fitted.decision_function(rows), dtype=np.float64)
            found = (margin.T if margin.ndim == 2 else np.array([-margin, margin])) / 2 + 0.5
        else:
            predicted = np.asarray(fitted.predict(rows), dtype=np.float64)
            if hasattr(fitted, "classes_"):  # labels alone
                return (np.arange(n_classes)[:, None] == predicted).astype(float)
            return np.array([1 - predicted, predicted])
    known = np.asarray(getattr(fitted, "classes_", np.arange(n_classes)), dtype=int)
    if len(known) != len(found):
        raise PlanError(
            f"{own.short} gives {len(found)} values for {len(known)} classes: give a classifier "
            "with one value a class"
        )
    if len(known) == n_classes:
        return found
    out = np.full((n_classes, len(rows)), -np.inf if values == "indicators" else 0.0)
    out[known] = found
    return out

"""Folds and samples that keep the classes' shares, and checks of what classifiers are given."""

from __future__ import annotations

import math
import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np

from ..._core.errors import PlanError, value_text

Splits = list[tuple[np.ndarray, np.ndarray]]  # training and test rows


def stratified_splits(codes: np.ndarray, cv: int, random_state: Any) -> Splits:
    """Shuffled stratified folds, no more than the smallest class has members.

    At least two; none at all if every class has a single member.
    """
    from sklearn.model_selection import StratifiedKFold

    if not isinstance(cv, int | np.integer) or cv < 2:
        raise PlanError(f"cv={cv!r}: give a whole number of folds, at least 2")
    counts = np.bincount(codes)
    if counts.max() < 2:
        return []
    folds = StratifiedKFold(
        max(2, min(int(cv), int(counts.min()))), shuffle=True, random_state=random_state
    )
    with warnings.catch_warnings():  # a class of a single member is in one fold only
        warnings.filterwarnings("ignore", "The least populated class in y has only")
        return list(folds.split(np.zeros((len(codes), 1)), codes))


def given_splits(cv: Any, X: Any, y: np.ndarray, kept: np.ndarray) -> Splits:
    """The folds of a splitter, or of a list of (train, test), as rows of X[kept].

    Raises
    ------
    PlanError
        They are not rows of X, or no fold has rows on both sides.
    """
    from sklearn.model_selection import check_cv

    place = np.full(len(y), -1)
    place[kept] = np.arange(len(kept))
    try:
        folds = [(place[a], place[b]) for a, b in check_cv(cv, y, classifier=True).split(X, y)]
    except (TypeError, ValueError, IndexError) as error:
        raise PlanError(f"cv={value_text(cv)} does not split these rows: {error}") from error
    folds = [(train[train >= 0], test[test >= 0]) for train, test in folds]
    folds = [(train, test) for train, test in folds if len(train) and len(test)]
    if not folds:
        raise PlanError(f"cv={value_text(cv)}: give at least one fold with rows on both sides")
    return folds


def splits_of(
    cv: Any, y: np.ndarray, codes: np.ndarray, kept: np.ndarray, seed: Any, X: Any = None
) -> Splits:
    """Stratified folds of the rows kept (`codes` are theirs), or those that `cv` gives, which is
    shown X."""
    if isinstance(cv, Integral):
        return stratified_splits(codes, int(cv), seed)
    return given_splits(cv, np.zeros((len(y), 1)) if X is None else X, y, kept)


def stratified_rows(codes: np.ndarray, size: int, random_state: Any) -> np.ndarray:
    """About `size` rows, rising, with the shares of the classes, and one of each at least.

    Examples
    --------
    >>> rows = stratified_rows(np.repeat([0, 1], [90, 30]), 20, 0)
    >>> np.bincount(np.repeat([0, 1], [90, 30])[rows]).tolist()
    [15, 5]
    """
    from sklearn.utils import check_random_state

    mixed = check_random_state(random_state).permutation(len(codes))
    place = np.empty(len(codes))
    for c in np.unique(codes):
        own = mixed[codes[mixed] == c]
        place[own] = (np.arange(len(own)) + 0.5) / len(own)
        place[own[0]] = 0.0
    return np.sort(np.argsort(place, kind="stable")[:size])


def class_bootstrap(rng: np.random.Generator, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Rows drawn with replacement, each class as many as it has; rising."""
    drawn = [
        rng.choice(rows, len(rows))
        for rows in (np.flatnonzero(codes == c) for c in range(n_classes))
    ]
    return np.sort(np.concatenate(drawn))


def is_finite_number(value: Any) -> bool:
    """A real number, and neither a truth value nor infinite."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)

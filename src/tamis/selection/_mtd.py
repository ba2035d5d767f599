"""Mass transportation distance (MTD) between the class distributions of each feature."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import PlanError, nearest_hint
from ._mutual_information import by_kind
from ._scored_input import scored_input

if TYPE_CHECKING:
    from ._parts import TrainingParts


def mtd(X, y, *, discrete_features: Any = False, multiclass: str = "max") -> np.ndarray:
    """Mass transportation distance of each feature between the classes.

    Discrete features: ``sum_w |p0(w) - p1(w)|`` over the values w, p_c the relative
    frequencies in class c; between 0 and 2, twice the 1-Wasserstein distance under the 0/1
    metric. Continuous features: the 1-Wasserstein distance between the class-conditional
    empirical distributions of the standardised feature (Vallender 1974), that is the area
    between the two distribution functions, in population standard deviations.

    Discrete and continuous scores are not on one scale: rank mixed tables by permutation
    p-values instead.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        NaN is missing, and left out feature by feature.
    y : array-like of shape (n_samples,)
        Class labels, two or more classes.
    discrete_features : bool, mask of shape (n_features,) or column indices, default=False
    multiclass : {"max", "mean"}, default="max"
        With more than two classes, the maximum or the mean over the class pairs.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        A constant feature has 0. Pairs with a class that has no value are left out; NaN
        if no pair is left.

    Raises
    ------
    PlanError
        A parameter is not one of those allowed.
    DataError
        y has only one class.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.selection import mtd
    >>> X = np.array([[0, 5.0], [0, 6.0], [1, 9.0], [0, 10.0]])
    >>> mtd(X, [0, 0, 1, 1], discrete_features=[0]).round(4)
    array([1.    , 1.9403])
    """
    X, codes, n_classes, discrete = scored_input(X, y, discrete_features)
    if multiclass not in ("max", "mean"):
        raise PlanError(f"multiclass={multiclass!r}: {nearest_hint(multiclass, ['max', 'mean'])}")
    return mtd_scorer(X, n_classes, discrete, multiclass == "mean")(codes)


def mtd_scorer(
    X: np.ndarray, n_classes: int, discrete: np.ndarray, mean: bool = False
) -> Callable[[np.ndarray], np.ndarray]:
    """MTD of the columns of X as a function of class codes."""
    from ..kernels.contingency import value_counts
    from ..kernels.counted import counted_distances
    from ..kernels.wasserstein import wasserstein_parts

    everyone = np.ones((1, len(X)), dtype=bool)

    def of_categories(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
        counts = value_counts(columns, codes, n_classes)
        return np.concatenate([counted_distances(block, mean) for block in counts])

    def of_numbers(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
        return wasserstein_parts(columns, codes, everyone, n_classes, mean)[0]

    return by_kind(X, discrete, of_categories, of_numbers)


def mtd_parts(parts: TrainingParts) -> np.ndarray:
    """Scores (n_parts, p) of continuous features on every training set, sorted together.

    Equal, bit for bit, to `mtd` on each part's own matrix.
    """
    from ..kernels.wasserstein import wasserstein_parts

    return parts.at_once(wasserstein_parts)


def mtd_counts(counts: np.ndarray) -> np.ndarray:
    """Scores (m,) of columns whose values are counted by class (m, C, V + 1), each a category;
    equal, bit for bit, to `mtd` of such columns."""
    from ..kernels.counted import counted_distances

    return counted_distances(counts, False)

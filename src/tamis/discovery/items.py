"""What rows can share: that a number is 1, a level of a category, an interval of a number."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError, nearest, shorten
from .._core.settings import checked_count
from ..data.dataset import Dataset

CUTS = ("equal_frequency", "equal_width")  # that do not look at the classes


@dataclass(frozen=True)
class Items:
    """A table of items.

    Attributes
    ----------
    X : ndarray of shape (n, k) of bool
        Missing values hold none.
    feature : ndarray of shape (k,) of int
    value : tuple of str
        What each says of its feature; empty where it is that it is 1.
    """

    X: np.ndarray
    feature: np.ndarray
    value: tuple[str, ...]


def check_cuts(discretizer: Any, bins: Any) -> None:
    """Refuse cuts that look at the classes: permuted classes would not test them."""
    if discretizer is not None and discretizer not in CUTS:
        raise PlanError(
            f"discretizer={discretizer!r}: {nearest(discretizer, CUTS)}; cuts that look at the "
            "classes would need new ones in every run with permuted classes"
        )
    checked_count(bins, "bins", 2)


def items_of(data: Dataset, discretizer: str | None, bins: int, signed: bool) -> Items:
    """Every level of a category, every 1 of zeros and ones (`signed`: every 0 too), every interval.

    Raises
    ------
    DataError
        A number is neither 0 nor 1, and no discretiser was named.
    """
    feature: list[int] = []
    value: list[str] = []
    columns: list[np.ndarray] = []

    def add(j: int, said: str, holds: np.ndarray) -> None:
        feature.append(j)
        value.append(said)
        columns.append(holds)

    for j, cuts in enumerate(_cuts(data, discretizer, bins)):
        x = data.matrix[:, j]
        if j in data.levels:
            for code, level in enumerate(data.levels[j]):
                add(j, f"= {level}", x == code)
        elif cuts is None:
            if signed:
                add(j, "= 0", x == 0)
            add(j, "= 1" if signed else "", x == 1)
        elif len(cuts):
            place = np.where(np.isnan(x), -1, np.searchsorted(cuts, x, side="left"))
            for k, said in enumerate(interval_words(cuts)):
                add(j, said, place == k)
    if not columns:
        raise DataError(f"{data.name!r} has no feature that can be cut into intervals")
    return Items(np.column_stack(columns), np.array(feature, dtype=np.int64), tuple(value))


def _cuts(data: Dataset, discretizer: str | None, bins: int) -> list[np.ndarray | None]:
    """Of each column: None where it is a category, or of zeros and ones."""
    from ..data.equal_bins import EqualFrequencyDiscretizer, EqualWidthDiscretizer

    X = data.matrix
    binary = ((X == 0) | (X == 1) | np.isnan(X)).all(axis=0)
    binary[list(data.levels)] = True
    if binary.all():
        return [None] * len(binary)
    if discretizer is None:
        j = int(np.flatnonzero(~binary)[0])
        x = X[:, j]
        other = x[~((x == 0) | (x == 1) | np.isnan(x))][0]
        raise DataError(
            f"random intersection trees need zeros and ones or categories, and "
            f"{shorten(data.feature_names[j])!r} holds {other:g}: give "
            "discretizer='equal_frequency', which cuts numbers into intervals"
        )
    kind = EqualFrequencyDiscretizer if discretizer == "equal_frequency" else EqualWidthDiscretizer
    numbers = np.flatnonzero(~binary)
    found: list[np.ndarray | None] = [None] * len(binary)
    for j, cuts in zip(numbers.tolist(), kind(bins).fit(X[:, numbers]).cuts_, strict=True):
        found[j] = cuts
    return found


def interval_words(cuts: np.ndarray) -> list[str]:
    """The intervals between cuts; one holds its upper end.

    Examples
    --------
    >>> interval_words(np.array([0.5, 5.5]))
    ['<= 0.5', '0.5 to 5.5', '> 5.5']
    """
    ends = [f"{cut:.4g}" for cut in cuts]
    return [
        f"<= {ends[0]}",
        *(f"{low} to {high}" for low, high in pairwise(ends)),
        f"> {ends[-1]}",
    ]

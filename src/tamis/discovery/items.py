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
        None is the same in every row.
    said : list of (int, str)
        The feature of each, and what it says of it; empty where it is that it is 1.
    cut : bool
        Whether any is an interval.
    """

    X: np.ndarray
    said: list[tuple[int, str]]
    cut: bool


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
    said: list[tuple[int, str]] = []
    columns: list[np.ndarray] = []

    def add(j: int, words: str, holds: np.ndarray) -> None:
        if 0 < holds.sum() < len(holds):
            said.append((j, words))
            columns.append(holds)

    limits = _cuts(data, discretizer, bins)
    for j, cuts in enumerate(limits):
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
            for k, words in enumerate(interval_words(cuts, x)):
                add(j, words, place == k)
    if not columns:
        raise DataError(f"{data.name!r} has nothing that some rows share and others do not")
    return Items(np.column_stack(columns), said, any(cuts is not None for cuts in limits))


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


def interval_words(cuts: np.ndarray, x: np.ndarray) -> list[str]:
    """The intervals between cuts, to so few digits as put every value of x where the cuts do.

    An interval holds its upper end.

    Examples
    --------
    >>> x = np.array([100040.0, 100050.5, 100060.0])
    >>> interval_words(np.array([100050.0, 100051.0]), x)
    ['<= 100050', '100050 to 100051', '> 100051']
    """
    known = x[~np.isnan(x)]
    place = np.searchsorted(cuts, known, side="left")
    for digits in range(4, 18):  # 17 tell any two numbers apart
        ends = [f"{cut:.{digits}g}" for cut in cuts]
        if (np.searchsorted(np.array(ends, dtype=float), known, side="left") == place).all():
            break
    return [
        f"<= {ends[0]}",
        *(f"{low} to {high}" for low, high in pairwise(ends)),
        f"> {ends[-1]}",
    ]

"""What rows can share: that a number is 1, a level of a category, an interval of a number."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._core.errors import DataError, shorten
from ..data.dataset import Dataset

# Cuts that look at the classes would have to be made anew in every permuted run.
CUTS = ("equal_frequency", "equal_width")


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


def check_cuts(data: Dataset, discretizer: str | None) -> None:
    """Refuse numbers without cuts.

    Raises
    ------
    DataError
        A number is neither 0 nor 1, and no discretiser was named.
    """
    numbers = _numbers(data)
    if discretizer is None and len(numbers):
        x = data.matrix[:, numbers[0]]
        other = x[~_zero_or_one(x)][0]
        raise DataError(
            f"random intersection trees need zeros and ones or categories, and "
            f"{shorten(data.feature_names[numbers[0]])!r} holds {other:g}: give "
            "discretizer='equal_frequency', which cuts numbers into intervals"
        )


def _zero_or_one(X: np.ndarray) -> np.ndarray:
    return (X == 0) | (X == 1) | np.isnan(X)


def _numbers(data: Dataset) -> np.ndarray:
    """Columns that are neither categories nor zeros and ones."""
    other = np.flatnonzero(~_zero_or_one(data.matrix).all(axis=0))
    return np.setdiff1d(other, list(data.levels))


def items_of(data: Dataset, discretizer: str | None, bins: int, signed: bool) -> Items:
    """Every level of a category, every 1 of zeros and ones (`signed`: every 0 too), every interval.

    Raises
    ------
    DataError
        There is none.
    """
    said: list[tuple[int, str]] = []
    columns: list[np.ndarray] = []

    def add(j: int, words: str, holds: np.ndarray) -> None:
        if 0 < holds.sum() < len(holds):
            said.append((j, words))
            columns.append(holds)

    limits = _cuts(data, discretizer, bins)
    for j in range(data.shape[1]):
        x, cuts = data.matrix[:, j], limits.get(j)
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
    return Items(np.column_stack(columns), said, bool(limits))


def _cuts(data: Dataset, discretizer: str | None, bins: int) -> dict[int, np.ndarray]:
    """Of each column that is cut."""
    from ..data.equal_bins import EqualFrequencyDiscretizer, EqualWidthDiscretizer

    numbers = _numbers(data)
    if not len(numbers):
        return {}
    kind = EqualFrequencyDiscretizer if discretizer == "equal_frequency" else EqualWidthDiscretizer
    cuts = kind(bins).fit(data.matrix[:, numbers]).cuts_
    return dict(zip(numbers.tolist(), cuts, strict=True))


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

"""A code or missing values that only one class has: how samples were handled, or filled in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._core.errors import counted_noun, listed_names
from ..checks import STAND_INS
from .interface import Suspect
from .watched import Watched

MAX_CHANCE_P = 1e-3  # by chance, in any column
MIN_CODED_SAMPLES = 3  # samples with the code
# of the class, by whether there is a code: refused; missing values never
MIN_COPY_SEPARATION = 0.95
# of the columns with a negative value as their least: several classes have it there
MIN_FLOOR_SHARE = 0.1
BLOCK_COLUMNS = 2048  # columns looked at together
WITHOUT_VALUE, WITH_VALUE = "no value", "a value"


def find_confined(table: Watched) -> list[Suspect]:
    """Missing values and codes that are all of one class, and too many to be so by chance.

    A code is the least or greatest value of a column, which several samples have and which is a
    usual stand-in for missing values (-99, -999 ...), the only negative one of many values and a
    whole number, or farther from all other values than these lie apart. A value that ends columns
    of many close values as well is a floor or ceiling of the table, and none; so is a negative one
    that samples of several classes have in some columns, as of logarithms of a count and a half.
    """
    marks: dict[str, list[tuple[int, np.ndarray]]] = {}  # columns that have it, samples by class
    negative: dict[str, list[tuple[int, np.ndarray]]] = {}  # the same of negative whole numbers
    member, bounds = np.eye(len(table.classes))[table.y], set[str]()
    few = np.isin(np.arange(len(table.names)), table.few_valued)
    for start in range(0, len(table.names), BLOCK_COLUMNS):
        block, coded = (
            table.X[:, start : start + BLOCK_COLUMNS],
            table.coded[start : start + BLOCK_COLUMNS],
        )
        missing = np.isnan(block)
        for j in np.flatnonzero(missing.any(axis=0)).tolist():
            marks.setdefault(WITHOUT_VALUE, []).append((start + j, missing[:, j] @ member))
            marks.setdefault(WITH_VALUE, []).append((start + j, ~missing[:, j] @ member))
        for sign in (1.0, -1.0):
            values, ends, low, high = _extreme_values(sign * block)
            far = low - ends > high - low
            alone = (sign > 0) & (ends < 0) & (low >= 0) & (ends == np.round(ends))
            for j in np.flatnonzero(~coded & ~np.isnan(ends)).tolist():
                code, at_end = f"the value {sign * ends[j]:.12g}", values[:, j] == ends[j]
                if far[j] or sign * ends[j] in STAND_INS:
                    marks.setdefault(code, []).append((start + j, at_end @ member))
                elif alone[j] and not few[start + j]:
                    negative.setdefault(code, []).append((start + j, at_end @ member))
                elif not few[start + j]:
                    bounds.add(code)
    for code, found in negative.items():
        if np.mean([(counts > 0).sum() > 1 for _, counts in found]) <= MIN_FLOOR_SHARE:
            marks.setdefault(code, []).extend(found)
        else:
            bounds.add(code)
    kept = {what: found for what, found in marks.items() if what not in bounds}
    tested = sum(map(len, kept.values())) * len(table.classes)
    return [
        one
        for what, found in kept.items()
        for one in _confined_suspects(what, found, tested, table)
    ]


def _extreme_values(values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Values with infinity for missing ones; the least of each column, NaN where few samples have
    it or all others are alike; the least and the greatest of the others."""
    values = np.where(np.isnan(values), np.inf, values)
    least = values.min(axis=0)
    rest = np.where(values == least, np.inf, values)
    low = rest.min(axis=0)
    high = np.where(np.isinf(rest), -np.inf, rest).max(axis=0)
    ends = ((values == least).sum(axis=0) >= MIN_CODED_SAMPLES) & (low < high)
    return values, np.where(ends, least, np.nan), low, high


def _confined_suspects(
    what: str, marks: list[tuple[int, np.ndarray]], tested: int, table: Watched
) -> Iterator[Suspect]:
    """One suspect for each class: of the columns in which it alone has this."""
    from scipy.stats import hypergeom

    columns, counts = np.array([j for j, _ in marks]), np.stack([found for _, found in marks])
    n, of_class = counts.sum(axis=1), counts.argmax(axis=1)
    p = hypergeom.sf(n - 1, len(table.y), table.sizes[of_class], n)
    confined = (counts.max(axis=1) == n) & (tested * p < MAX_CHANCE_P)
    for c in np.unique(of_class[confined]).tolist():
        own = np.flatnonzero(confined & (of_class == c))
        names = tuple(table.names[j] for j in columns[own].tolist())
        share = (n[own] / table.sizes[c]).max()
        more = f"; so have {counted_noun(len(own) - 1, 'other column')}" if len(own) > 1 else ""
        text = (
            f"only samples of {table.heading(c)} have {what} in column {listed_names(names[:1])} "
            f"({n[own[0]]:.0f} of {table.sizes[c]:.0f}, no other class){more}"
        )
        is_code = what not in (WITHOUT_VALUE, WITH_VALUE)
        grave = is_code and len(table.classes) == 2 and share >= MIN_COPY_SEPARATION
        yield Suspect("confined", names, text, bool(grave))

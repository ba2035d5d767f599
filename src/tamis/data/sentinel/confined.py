"""A code or missing values that only one class has: how samples were handled, or filled in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._core.errors import listing, plural
from ..checks import STAND_INS
from .interface import Suspect
from .separation import by_values, few_valued
from .watched import Watched

UNLIKELY = 1e-3  # by chance, in any column
FEWEST = 3  # samples with the code
COPY = 0.95  # of the class, by whether there is a code: refused; missing values never
WIDTH = 2048  # columns looked at together
NONE = "no value"


def find_confined(table: Watched) -> list[Suspect]:
    """Missing values and codes that are all of one class, and too many to be so by chance.

    A code is the least or greatest value of a column, which several samples have and which is a
    usual stand-in for missing values (-99, -999 ...), or farther from all other values than these
    lie apart. A value that ends columns of many close values as well is a floor or ceiling of the
    table, and none.
    """
    marks: dict[str, list[tuple[int, np.ndarray]]] = {}
    bounds, few = set[str](), np.isin(np.arange(len(table.names)), few_valued(table))
    for start in range(0, len(table.names), WIDTH):
        block, coded = table.X[:, start : start + WIDTH], table.coded[start : start + WIDTH]
        for j in np.flatnonzero(np.isnan(block).any(axis=0)).tolist():
            marks.setdefault(NONE, []).append((start + j, np.isnan(block[:, j])))
        for sign in (1.0, -1.0):
            values, ends, far = _ends(sign * block)
            for j in np.flatnonzero(~coded & ~np.isnan(ends)).tolist():
                code = f"the value {sign * ends[j]:.12g}"
                if far[j] or sign * ends[j] in STAND_INS:
                    marks.setdefault(code, []).append((start + j, values[:, j] == ends[j]))
                elif not few[start + j]:
                    bounds.add(code)
    kept = {what: found for what, found in marks.items() if what not in bounds}
    return [one for what, found in kept.items() for one in _told(what, found, table)]


def _ends(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values with infinity for missing ones; the least of each column, NaN where few samples have
    it or all others are alike; and whether it lies farther from the others than these lie apart."""
    values = np.where(np.isnan(values), np.inf, values)
    least = values.min(axis=0)
    rest = np.where(values == least, np.inf, values)
    low = rest.min(axis=0)
    high = np.where(np.isinf(rest), -np.inf, rest).max(axis=0)
    ends = ((values == least).sum(axis=0) >= FEWEST) & (low < high)
    with np.errstate(invalid="ignore"):
        return values, np.where(ends, least, np.nan), low - least > high - low


def _told(
    what: str,
    marks: list[tuple[int, np.ndarray]],
    table: Watched,
) -> Iterator[Suspect]:
    """One suspect for each class: of the columns in which it alone has this."""
    from scipy.stats import hypergeom

    y, sizes = table.y, np.bincount(table.y, minlength=len(table.classes))
    of_class: dict[int, list[tuple[int, int]]] = {}
    for j, where in marks:
        counts = np.bincount(y[where], minlength=len(sizes))
        n, c = int(counts.sum()), int(counts.argmax())
        if counts[c] == n and len(marks) * hypergeom.sf(n - 1, len(y), sizes[c], n) < UNLIKELY:
            of_class.setdefault(c, []).append((j, n))
    masks = dict(marks)
    for c, found in of_class.items():
        columns = tuple(table.names[j] for j, _ in found)
        grave = what != NONE and any(
            by_values(masks[j][:, None].astype(float), y, len(sizes))[0] >= COPY for j, _ in found
        )
        first, n = columns[0], found[0][1]
        more = f"; so have {plural(len(found) - 1, 'other column')}" if len(found) > 1 else ""
        text = (
            f"only samples of {table.heading(c)} have {what} in column {listing([first])} "
            f"({n} of {sizes[c]}, no other class){more}"
        )
        yield Suspect("confined", columns, text, grave)

"""Units of columns: powers of two that bring extreme magnitudes to where squares are finite and
not 0.

Dividing by a power of two is exact, so that results that do not depend on units stay the same to
the bit. Columns of ordinary magnitude keep their units.
"""

from __future__ import annotations

import numpy as np

# ordinary magnitudes, of a column's largest absolute value; scikit-learn's trees make no split
# between values nearer than 1e-7
MIN_MAGNITUDE, MAX_MAGNITUDE = 2.0**-16, 2.0**64
NOT_TOLD_APART = 1e-5  # C4.5 makes no split between nearer values
# standardised values beyond it are clipped, so that their products stay finite
MAX_STANDARDISED = 1e100
EPS = float(np.finfo(np.float64).eps)
MAX_DOUBLE = float(np.finfo(np.float64).max)
MAX_EXPONENT = 20  # magnified columns have their largest absolute value in [2^19, 2^20)
# columns of a table that are further apart are brought so near: fourth powers, of about 2^800, and
# their sums are still finite
MAX_COLUMN_RATIO = 2.0**200
BLOCK_ROWS = 64  # rows copied at a time
BLOCK_VALUES = 1 << 16  # values of a block of rows, 512 KB, which bounds temporary arrays
ANY_ROWS = 1 << 62  # more rows than any table has


def column_magnitudes(X: np.ndarray) -> np.ndarray:
    """The largest absolute value of each column (p,), NaN left out; 0 if all are missing."""
    # fmax and fmin take the number where the other is NaN; no copy of |X| is made
    high, low = np.fmax.reduce(X, axis=0), np.fmin.reduce(X, axis=0)
    return np.fmax(np.maximum(high, -low), 0.0)


def magnitudes_of_rows(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """`column_magnitudes` of some rows, without a copy of all of them (p,)."""
    found = np.zeros(X.shape[1])
    for start in range(0, len(rows), BLOCK_ROWS):
        np.fmax(found, column_magnitudes(X[rows[start : start + BLOCK_ROWS]]), out=found)
    return found


def rows_by_size(X: np.ndarray) -> np.ndarray:
    """Rows in which each column is of ordinary size, is smaller but not 0, and is so large or small
    that it may be beyond `MAX_COLUMN_RATIO` of others, (3, p) int64."""
    n, p = X.shape
    found, step = np.zeros((3, p), dtype=np.int64), max(1, BLOCK_VALUES // max(p, 1))
    for start in range(0, n, step):
        size = np.abs(X[start : start + step])
        found[0] += (size >= MIN_MAGNITUDE).sum(axis=0)
        found[1] += ((size > 0) & (size < MIN_MAGNITUDE)).sum(axis=0)
        found[2] += (
            (size > MAX_MAGNITUDE) | ((size > 0) & (size < MAX_MAGNITUDE / MAX_COLUMN_RATIO))
        ).sum(axis=0)
    return found


def is_ordinary(X: np.ndarray) -> bool:
    """Whether every value is 0, missing or of ordinary size: `steady_rows` would be `ANY_ROWS`."""
    step = max(1, BLOCK_VALUES // max(X.shape[1], 1))
    for start in range(0, len(X), step):
        size = np.abs(X[start : start + step])
        # more below the least magnitude than zeros; NaN is neither
        small = np.count_nonzero(size < MIN_MAGNITUDE) > np.count_nonzero(size == 0)
        if small or np.fmax.reduce(size, axis=None, initial=0.0) > MAX_MAGNITUDE:
            return False
    return True


def steady_rows(by_size: np.ndarray) -> int | None:
    """The number of rows, whichever they are, that a table may lack and still have `table_units` of
    1; -1 if it may not even be complete.

    None if in some subset of the rows a column may be beyond `MAX_COLUMN_RATIO` of others.

    Parameters
    ----------
    by_size : ndarray of shape (3, p)
        Its `rows_by_size`.
    """
    ordinary, small, far = by_size
    if far.any():
        return None
    if not small.any():  # whatever is not 0 is of ordinary size
        return ANY_ROWS
    # with one row less than this count left out, half of the columns or more still have a value of
    # ordinary size: so has the middle column, which decides
    return int(np.partition(ordinary, len(ordinary) // 2)[len(ordinary) // 2]) - 1


def column_units(X: np.ndarray) -> np.ndarray:
    """A unit for each column on its own (p,); 1 where the magnitude is ordinary."""
    return magnitude_units(column_magnitudes(X))


def table_units(X: np.ndarray) -> np.ndarray:
    """One unit for a table (p,), for what compares columns with each other.

    The magnitude of the middle column decides. A column beyond `MAX_COLUMN_RATIO` of that has a
    unit of its own, and stays the largest or smallest there is.
    """
    return shared_units(column_magnitudes(X))


def shared_units(size: np.ndarray) -> np.ndarray:
    """`table_units` of columns of these magnitudes (p,)."""
    seen = size[size > 0]  # columns of zeros have no magnitude
    if not len(seen):
        return np.ones(len(size))
    unit = float(magnitude_units(np.partition(seen, len(seen) // 2)[len(seen) // 2]))
    units = np.full(len(size), unit)
    with np.errstate(over="ignore", under="ignore"):
        ratio = size / unit
    far, near = ratio > MAX_COLUMN_RATIO, (ratio < 1 / MAX_COLUMN_RATIO) & (size > 0)
    # in their own units these columns have a magnitude of the ratio, or its inverse, times 1 to 2
    units[far] = _power_of_two(size[far]) / MAX_COLUMN_RATIO
    units[near] = _power_of_two(size[near]) * MAX_COLUMN_RATIO
    return units


def widest_unit(X: np.ndarray) -> np.ndarray:
    """The unit of the column with the largest magnitude, for all columns (p,)."""
    size = column_magnitudes(X)
    return np.full(len(size), magnitude_units(size.max(initial=0.0)))


def in_units(X: np.ndarray, units: np.ndarray) -> np.ndarray:
    """X in these units; X itself where all are 1."""
    if (units == 1).all():
        return X
    # rows other than those that the units were made for may overflow; NaN stays
    with np.errstate(over="ignore"):
        found = X / units
    return np.clip(found, -MAX_DOUBLE, MAX_DOUBLE, out=found)


def magnified_columns(X: np.ndarray, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X with columns of close values times a power of two, and its exponents (p,).

    Trees, like J48's, do not distinguish values nearer than 1e-5, whatever the unit. Columns with
    such values are brought to about a million, where 1e-5 is 1e-11 of the largest value; in
    the others nothing is lost, so they stay as they are.
    """
    exponents = np.zeros(X.shape[1], dtype=np.int64)
    for j in np.flatnonzero(levels == 0):
        values = np.sort(X[:, j])  # NaN last
        with np.errstate(over="ignore"):
            gaps = np.diff(values)
        if ((gaps > 0) & (gaps <= NOT_TOLD_APART)).any():
            # largest = m 2^e with 0.5 <= m < 1; columns that are larger already stay as they are
            largest = np.nanmax(np.abs(values))
            exponents[j] = max(MAX_EXPONENT - np.frexp(largest)[1], 0)
    if exponents.any():
        X = X.copy()
        some = exponents > 0
        X[:, some] = np.ldexp(X[:, some], exponents[some])
    return X, exponents


def magnitude_units(size: np.ndarray) -> np.ndarray:
    """A unit for each magnitude; 1 for an ordinary one."""
    return np.where(
        (size == 0) | ((size >= MIN_MAGNITUDE) & (size <= MAX_MAGNITUDE)), 1.0, _power_of_two(size)
    )


def _power_of_two(size: np.ndarray) -> np.ndarray:
    """The largest power of two that is at most each size; 0.5 for 0, where frexp gives 0 * 2^0."""
    return np.ldexp(1.0, np.frexp(size)[1] - 1)

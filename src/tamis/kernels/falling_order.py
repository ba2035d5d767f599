"""The order of values from the largest down."""

from __future__ import annotations

import numpy as np


def falling_order(values: np.ndarray) -> np.ndarray:
    """Indices that sort values (p,), none of them NaN, from the largest down, ties by index.

    NumPy's unstable sort takes a quarter of the time of its stable one, and gives the same order
    where all values differ.

    Examples
    --------
    >>> falling_order(np.array([1.0, 3.0, 3.0, 2.0])).tolist()
    [1, 2, 3, 0]
    """
    order = np.argsort(-values)
    # equal values are neighbours after either sort
    in_order = values[order]
    if (in_order[1:] == in_order[:-1]).any():
        return np.argsort(-values, kind="stable")
    return order

"""The order of values from the largest down."""

from __future__ import annotations

import numpy as np


def falling_order(values: np.ndarray) -> np.ndarray:
    """Places of values (p,), none of them NaN, the largest first, ties by place.

    NumPy's sort that keeps no ties in order takes a quarter of the time of the one that does, and
    values that are all different need no more.

    Examples
    --------
    >>> falling_order(np.array([1.0, 3.0, 3.0, 2.0])).tolist()
    [1, 2, 3, 0]
    """
    order = np.argsort(-values)
    in_order = values[order]
    if (in_order[1:] == in_order[:-1]).any():
        return np.argsort(-values, kind="stable")
    return order

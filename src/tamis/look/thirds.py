"""A number to predict, cut into thirds: what a look shows as classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.dataset import Dataset


def in_thirds(data: Dataset) -> Dataset:
    """`data` with classes: itself, or of a number the lowest, the middle and the highest third.

    Equal values stay together, so thirds are of unequal size, or fewer, where many are equal.

    Examples
    --------
    >>> data = Dataset(np.zeros((6, 1)), None, ("g",), target="bmi", numbers=np.arange(18.0, 24))
    >>> in_thirds(data).classes
    ('third 1, 18 to 19', 'third 2, 20 to 21', 'third 3, 22 to 23')
    """
    if data.numbers is None:
        return data
    values = data.numbers
    cuts = np.quantile(values, [1 / 3, 2 / 3], method="inverted_cdf")
    _, third = np.unique(np.searchsorted(cuts, values), return_inverse=True)
    parts = [values[third == k] for k in range(third.max() + 1)]
    names = [f"third {k}, {own.min():.4g} to {own.max():.4g}" for k, own in enumerate(parts, 1)]
    return replace(data, numbers=None, y=np.array(names, dtype=object)[third], classes=tuple(names))

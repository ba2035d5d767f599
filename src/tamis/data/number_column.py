"""A column that is no feature: a number for every sample."""

from __future__ import annotations

import numpy as np

from .._core.errors import DataError, listed_names
from .dataset import Dataset


def number_column(data: Dataset, name: str) -> np.ndarray:
    """The values (n,) of a column that has to have a number for every sample.

    Raises
    ------
    DataError
        It holds text, is a covariate, or lacks a number.
    """
    j = data.feature_names.index(name)
    wrong = "is a covariate" if j in data.covariates else ""
    if j in data.levels:
        wrong = f"holds text such as {data.levels[j][0]!r}"
    if wrong:
        raise DataError(f"column {name!r} {wrong}: give a column of numbers that is nothing else")
    values = data.column(j).astype(np.float64)
    lost = [data.sample_names[i] for i in np.flatnonzero(~np.isfinite(values))]
    if lost:
        raise DataError(
            f"column {name!r} has no number for {listed_names(lost)}: give one, or leave those "
            "samples out"
        )
    return values

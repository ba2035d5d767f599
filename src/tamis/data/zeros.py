"""Zeros far from all other values, as programs write for what was not measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .checks import Summary

MIN_ZERO_SHARE = 0.05  # of the values, from which zeros are questioned
MIN_ZERO_DISTANCE = 0.5  # from 0 to the others, in units of how far these are spread
MIN_DISTINCT_VALUES = 50  # values: fewer are doses, copies of an allele, or codes


@dataclass(frozen=True)
class FarZeros:
    """Zeros that may mean "not measured".

    Attributes
    ----------
    share : float
        Of the values of columns that vary.
    next : float
        The 1 % quantile of the values above 0.
    """

    share: float
    next: float

    @property
    def words(self) -> str:
        """What is seen, and what it asks of the user."""
        return (
            f"{self.share:.0%} of the values are 0, and the others lie far off (99 % of them above "
            f"{self.next:,.3g}): if 0 stands for what was not measured, read it as missing with "
            "missing=['0']; as a number it is the lowest value by far, and still is as a logarithm."
        )


def far_zeros(columns: Summary, values: np.ndarray) -> FarZeros | None:
    """Zeros of a table without negative values, if they are 5 % or more, and lie far off.

    Far off is half as far as the other values are spread, from their 1 % to their 99 % quantile, on
    their own scale or on that of their logarithms. Of counts, shares and logarithms of
    counts the next values are close to 0.

    Parameters
    ----------
    columns : Summary
        Of all columns; those that are 0 throughout do not count.
    values : ndarray
        Some of the values.
    """
    empty = float((columns.high == 0).mean())
    there = values[~np.isnan(values)]
    above = there[there > 0]
    if not len(above):
        return None
    share = ((there == 0).mean() - empty) / (1 - empty)
    if share < MIN_ZERO_SHARE or len(np.unique(above)) < MIN_DISTINCT_VALUES:
        return None
    low, high = np.quantile(above, [0.01, 0.99]).tolist()
    far = low >= MIN_ZERO_DISTANCE * (high - low) or np.log2(low) >= MIN_ZERO_DISTANCE * np.log2(
        high / low
    )
    return FarZeros(float(share), low) if far else None

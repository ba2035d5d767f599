"""Which strand alleles A/T or C/G are written on, which look the same on both: by frequencies."""

from __future__ import annotations

import numpy as np

AWAY = 0.2  # from 1/2, of a frequency that tells
ERRORS = 4  # standard errors that it is away, too


def agreement(
    copies: np.ndarray, calls: np.ndarray, new_copies: np.ndarray, new_calls: np.ndarray
) -> np.ndarray:
    """Whether the frequencies of one allele in two cohorts are on one side of 1/2 (1), on two (-1),
    or one of them is too near it to tell (0); each (k,).

    Parameters
    ----------
    copies, calls : ndarray of shape (k,)
        Copies of the allele among so many samples.
    new_copies, new_calls : ndarray of shape (k,)
        Of the same letter in the other cohort.

    Examples
    --------
    >>> one = np.array([1000.0])
    >>> [int(agreement(one, 4 * one, new * one, 4 * one)[0]) for new in (1.2, 6.8, 3.6)]
    [1, -1, 0]
    """
    return _side(copies, calls) * _side(new_copies, new_calls)


def _side(copies: np.ndarray, calls: np.ndarray) -> np.ndarray:
    """-1 below 1/2, 1 above, 0 near it."""
    n = np.maximum(2 * calls, 1)
    off = np.where(calls > 0, copies / n - 0.5, 0.0)
    least = np.maximum(AWAY, ERRORS * 0.5 / np.sqrt(n))
    return np.where(np.abs(off) >= least, np.sign(off), 0.0).astype(np.int64)

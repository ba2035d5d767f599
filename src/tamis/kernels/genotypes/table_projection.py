"""Sums of random signs over the columns of a table of numbers, by blocks of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from ..._core.threads import one_thread
from .signs import fill_signs

BLOCK_COLUMNS = 512  # columns of a block, whose signs are held as float64 while they are used
TASK_ROWS = 1024  # rows of a task


def project_table(
    X: np.ndarray,
    n_outputs: int,
    key: np.uint64,
    share: Callable[[Iterable[Callable[[], Any]]], Any],
) -> np.ndarray:
    """X R (n, n_outputs), R (p, n_outputs) the signs of each column.

    Blocks and tasks begin at the same columns and rows whatever runs them, each product takes one
    thread of BLAS, and blocks are added to a row in order: the number of threads does not matter.
    Sums of whole numbers below 2^53 are exact; others have the rounding errors of BLAS.

    Parameters
    ----------
    X : ndarray of shape (n, p) of float64
    n_outputs : int
    key : uint64
        From which the signs follow.
    share : callable
        Runs all tasks that it is given, before it returns.
    """
    n, p = X.shape
    found = np.zeros((n, n_outputs))
    signs = np.empty((min(p, BLOCK_COLUMNS), n_outputs))
    with one_thread():
        for first in range(0, p, BLOCK_COLUMNS):
            # the last block may have fewer columns
            block = signs[: min(p - first, BLOCK_COLUMNS)]
            fill_signs(key, first, block)
            share(
                partial(_add_projected, X, block, first, at, found) for at in range(0, n, TASK_ROWS)
            )
    return found


def _add_projected(
    X: np.ndarray, signs: np.ndarray, first: int, at: int, found: np.ndarray
) -> None:
    # rows of this task alone: no other one writes them
    found[at : at + TASK_ROWS] += X[at : at + TASK_ROWS, first : first + len(signs)] @ signs

"""Logarithms of estimated probabilities, one for each count, for scores to add up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .counts import PairCounts


class LogTables(NamedTuple):
    """The terms of a row's score; values are numbered as in `PairCounts`.

    Attributes
    ----------
    starts : ndarray of shape (p,) of int32
    prior : ndarray of shape (S, C)
        log P(y, x_i) of each value as a parent, -inf if it is no parent.
    child : ndarray of shape (S, S, C)
        log P(x_j | y, x_i) at [x_i, x_j, y]; 0 for missing children, and for the parent itself.
    bayes : ndarray of shape (S, C)
        log P(x_j | y), 0 for missing.
    classes : ndarray of shape (C,)
        log P(y).
    """

    starts: np.ndarray
    prior: np.ndarray
    child: np.ndarray
    bayes: np.ndarray
    classes: np.ndarray


def log_tables(counts: PairCounts, min_support: float, m_estimate: float | None) -> LogTables:
    """Logarithms of probabilities, by Laplace's estimate or the m-estimate.

    P = (f + 1) / (n + K) or (f + M / K) / (n + M): n rows have a known value, f of them this one
    of K possible ones.

    Parameters
    ----------
    counts : PairCounts
    min_support : float
        Least number of rows with a value that is a parent.
    m_estimate : float or None
        M; None is Laplace's estimate.
    """
    widths, starts, last = counts.widths, counts.starts[:-1], counts.starts[1:] - 1
    n_classes = len(counts.classes)
    # both estimates in one form, (f + one + every / K) / (n + K one + every)
    one, every = (1.0, 0.0) if m_estimate is None else (0.0, m_estimate)
    # K of each value's column, without "missing", the last value of a column
    levels = np.repeat(widths - 1, widths).astype(np.float64)
    f = counts.singles.T.copy()
    f[last] = 0.0  # rows without a known value do not count in n
    known = np.repeat(np.add.reduceat(f, starts), widths, axis=0)
    gone = np.zeros(len(levels), dtype=bool)
    gone[last] = True

    def log_shares(f, n, k):
        return np.log((f + one + every / k) / (n + one * k + every))

    cells = n_classes * levels[:, None]  # K of P(y, x_i), whose n is that of all classes
    prior = log_shares(f, known.sum(axis=1, keepdims=True), cells)
    bayes = log_shares(f, known, levels[:, None])
    classes = log_shares(counts.classes, counts.classes.sum(), n_classes)
    # exp(-inf) = 0 leaves what is no parent out of the mean over parents
    prior[gone | (f.sum(axis=1) < min_support)] = -np.inf
    bayes[gone] = 0.0
    # log 1 = 0: missing children, and the parent among its own children, add nothing
    child = np.ones((len(levels), len(levels), n_classes))
    _child_shares(counts, one, every, child)
    np.log(child, out=child)
    return LogTables(starts.astype(np.int32), prior, child, bayes, classes)


@jit
def _child_shares(counts, one, every, out):
    """Write P(x_j | y, x_i) to [x_i, x_j, y] of `out`, which is 1 elsewhere."""
    widths, starts, rows = counts.widths, counts.starts, counts.rows
    pairs = counts.pairs
    p, n_classes = len(widths), len(counts.classes)
    for i in range(p):
        for j in range(i + 1, p):
            # one block of counts serves both directions: x are levels of column i, z of j
            v, w = widths[i] - 1, widths[j] - 1
            more_i, more_j = one + every / v, one + every / w
            all_i, all_j = one * v + every, one * w + every
            for c in range(n_classes):
                for x in range(starts[i], starts[i] + v):
                    n = all_j  # becomes the denominator: rows with x and a known value of j
                    for z in range(starts[j], starts[j] + w):
                        n += pairs[c, rows[x] + z]
                    for z in range(starts[j], starts[j] + w):
                        out[x, z, c] = (pairs[c, rows[x] + z] + more_j) / n
                for z in range(starts[j], starts[j] + w):
                    n = all_i
                    for x in range(starts[i], starts[i] + v):
                        n += pairs[c, rows[x] + z]
                    for x in range(starts[i], starts[i] + v):
                        out[z, x, c] = (pairs[c, rows[x] + z] + more_i) / n


def subsumed_values(counts: PairCounts, support: float) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of values of which one implies the other (Zheng & Webb 2006).

    If every row with x_j has x_i, and there are more than `support` of them, x_i generalises x_j
    and is dropped. Of two values that the same rows have, that of the later column is dropped.

    Parameters
    ----------
    counts : PairCounts
    support : float

    Returns
    -------
    columns : ndarray of shape (m, 2) of int64
        Columns i < j with such pairs of values.
    dropped : ndarray of shape (T,) of uint8
        For each cell 1 where the first column's value is dropped, 2 where the second's is.
    """
    dropped = np.zeros(counts.pairs.shape[1], dtype=np.uint8)
    return np.argwhere(_mark_subsumed(counts, support, dropped)), dropped


@jit
def _mark_subsumed(counts, support, dropped):
    widths, starts, rows = counts.widths, counts.starts, counts.rows
    p, n_classes = len(widths), len(counts.classes)
    totals = np.zeros(starts[p])
    for c in range(n_classes):
        totals += counts.singles[c]
    found = np.zeros((p, p), dtype=np.bool_)
    for i in range(p):
        for j in range(i + 1, p):
            # without "missing", the last value, which neither implies nor generalises another
            for x in range(starts[i], starts[i + 1] - 1):
                for z in range(starts[j], starts[j + 1] - 1):
                    if max(totals[x], totals[z]) <= support:
                        continue
                    both = 0.0
                    for c in range(n_classes):
                        both += counts.pairs[c, rows[x] + z]
                    # if x implies z, the same weights were added in the same order: `==` is exact
                    if both == totals[x] > support:
                        dropped[rows[x] + z] = 2
                    elif both == totals[z] > support:
                        dropped[rows[x] + z] = 1
                    found[i, j] |= dropped[rows[x] + z] > 0
    return found

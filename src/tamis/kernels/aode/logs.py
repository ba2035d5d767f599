"""Logarithms of the probabilities that scores add up, one for each count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit
from .counts import PairCounts


class LogTables(NamedTuple):
    """What a row's score is added up from; values are numbered as in `PairCounts`.

    Attributes
    ----------
    starts : ndarray of shape (p,) of int32
    prior : ndarray of shape (S, C)
        log P(y, x_i) of each value as a parent, -inf if it is none.
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
    """Of counts, by Laplace's estimate or the m-estimate.

    P = (f + 1) / (n + K) or (f + M / K) / (n + M), where f of n rows with a known value have this
    one of K.

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
    # of K equally likely values: f + one each, n + all of them
    one, every = (1.0, 0.0) if m_estimate is None else (0.0, m_estimate)
    levels = np.repeat(widths - 1, widths).astype(np.float64)
    f = counts.singles.T.copy()
    f[last] = 0.0
    known = np.repeat(np.add.reduceat(f, starts), widths, axis=0)
    gone = np.zeros(len(levels), dtype=bool)
    gone[last] = True

    def log_shares(f, n, k):
        return np.log((f + one + every / k) / (n + one * k + every))

    cells = n_classes * levels[:, None]
    prior = log_shares(f, known.sum(axis=1, keepdims=True), cells)
    bayes = log_shares(f, known, levels[:, None])
    classes = log_shares(counts.classes, counts.classes.sum(), n_classes)
    prior[gone | (f.sum(axis=1) < min_support)] = -np.inf
    bayes[gone] = 0.0
    child = np.ones((len(levels), len(levels), n_classes))
    _child_shares(counts, one, every, child)
    np.log(child, out=child)
    return LogTables(starts.astype(np.int32), prior, child, bayes, classes)


@jit
def _child_shares(counts, one, every, out):
    """P(x_j | y, x_i) into out, which is 1 elsewhere."""
    widths, starts, rows = counts.widths, counts.starts, counts.rows
    pairs = counts.pairs
    p, n_classes = len(widths), len(counts.classes)
    for i in range(p):
        for j in range(i + 1, p):
            v, w = widths[i] - 1, widths[j] - 1
            more_i, more_j = one + every / v, one + every / w
            all_i, all_j = one * v + every, one * w + every
            for c in range(n_classes):
                for x in range(starts[i], starts[i] + v):
                    n = all_j  # of the rows with x those whose other value is known
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
    """Where one of two values says nothing beside the other.

    Every row with x_j has x_i, and there are more than `support` of them: x_i generalises x_j and
    is dropped. Of two values of the same rows that of the later column is.

    Parameters
    ----------
    counts : PairCounts
    support : float

    Returns
    -------
    columns : ndarray of shape (m, 2) of int64
        Columns i < j with such values.
    dropped : ndarray of shape (T,) of uint8
        Of each cell: 1 where the first column's value is dropped, 2 where the second's is.
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
            for x in range(starts[i], starts[i + 1] - 1):
                for z in range(starts[j], starts[j + 1] - 1):
                    if max(totals[x], totals[z]) <= support:
                        continue
                    both = 0.0
                    for c in range(n_classes):
                        both += counts.pairs[c, rows[x] + z]
                    if both == totals[x] > support:
                        dropped[rows[x] + z] = 2
                    elif both == totals[z] > support:
                        dropped[rows[x] + z] = 1
                    found[i, j] |= dropped[rows[x] + z] > 0
    return found

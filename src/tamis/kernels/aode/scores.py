"""Scores of rows: log-sum-exp over parents of sums of looked-up logarithms."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .counts import PairCounts
from .logs import LogTables

BLOCK_ROWS = 256  # rows that take turns with the table rows of one parent column
MAX_KEPT_LOGARITHMS = 2**17  # logarithms kept at a time: 1 MB


def log_scores(tables: LogTables, codes: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """log of the mean over parents of P(y, x_i) prod_j P(x_j | y, x_i), (n, C).

    Of a row without a parent log P(y) + sum_j log P(x_j | y).

    Parameters
    ----------
    tables : LogTables
    codes : ndarray of shape (n, p) of int32
        Levels of the rows, and the number of levels for missing.
    known : ndarray of shape (n, p) of int32, or None
        For naive Bayes, if other values are missing there.
    """
    n, p = codes.shape
    known = codes if known is None else known
    n_classes = len(tables.classes)
    out = np.empty((n, n_classes))
    at_once = max(MAX_KEPT_LOGARITHMS // (n_classes * max(p, 1)), 16)
    terms = np.empty((min(at_once, n), n_classes, max(p, 1)))
    for begin in range(0, n, at_once):
        some = slice(begin, min(begin + at_once, n))
        values = codes[some] + tables.starts
        own = terms[: len(values)]
        scale = _parent_terms(tables, values, known[some] + tables.starts, own)
        np.exp(own, out=own)
        _sum_terms(own, out[some])
        np.log(out[some], out=out[some])
        out[some] += scale
    return out


@jit
def _parent_terms(tables, values, known, out):
    """Log scores of each parent into out (n, C, p), less a class's largest, which is returned less
    the log of the number of parents (n, C)."""
    n, p = values.shape
    n_classes = len(tables.classes)
    scale = np.full((n, n_classes), -np.inf)
    for begin in range(0, n, BLOCK_ROWS):
        end = min(begin + BLOCK_ROWS, n)
        for i in range(0, p, 2):
            for c in range(0, n_classes, 2):
                _child_sums(tables, values, begin, end, i, c, out, scale)
    for r in range(n):
        parents = 0
        for i in range(p):
            parents += out[r, 0, i] > -np.inf
        if parents == 0:
            parents = 1
            for c in range(n_classes):
                scale[r, c] = tables.classes[c]
                for x in known[r]:
                    scale[r, c] += tables.bayes[x, c]
                out[r, c, 0] = scale[r, c]
        shared = np.log(parents)
        for c in range(n_classes):
            most = scale[r, c]
            for i in range(p):
                out[r, c, i] -= most
            scale[r, c] = most - shared
    return scale


@jit
def _child_sums(tables, values, begin, end, i, c, out, most):
    """Scores of two parents in two classes, which share what is looked up where.

    At the end of an odd number the second is the one before, or the first itself. Unsigned indices
    of a flat table need no check of their sign, which would cost more than the sum.
    """
    prior, child = tables.prior, tables.child.reshape(-1)
    p, n_classes = values.shape[1], prior.shape[1]
    other, c = min(i + 1, p - 1), max(min(c, n_classes - 2), 0)
    last = min(c + 1, n_classes - 1)
    width, classes, step = np.uint64(prior.size), np.uint64(n_classes), np.uint64(last - c)
    for r in range(begin, end):
        x, y = values[r, i], values[r, other]
        one, two = np.uint64(x) * width + np.uint64(c), np.uint64(y) * width + np.uint64(c)
        s, t, u, v = prior[x, c], prior[x, last], prior[y, c], prior[y, last]
        for j in range(p):
            z = np.uint64(values[r, j]) * classes
            s += child[one + z]
            t += child[one + z + step]
            u += child[two + z]
            v += child[two + z + step]
        out[r, c, i], out[r, last, i], out[r, c, other], out[r, last, other] = s, t, u, v
        most[r, c], most[r, last] = max(most[r, c], max(s, u)), max(most[r, last], max(t, v))


@jit
def _sum_terms(terms, out):
    """Sums over the last axis, one after the other whatever the number of rows."""
    n, n_classes, p = terms.shape
    for r in range(n):
        for c in range(n_classes):
            total = 0.0
            for i in range(p):
                total += terms[r, c, i]
            out[r, c] = total


def drop_subsumed(
    counts: PairCounts, codes: np.ndarray, columns: np.ndarray, dropped: np.ndarray
) -> np.ndarray:
    """Codes with missing for each value that `subsumed_values` drops beside another of its row."""
    out = codes.copy()
    _drop_values(counts, codes, columns, dropped, out)
    return out


@jit
def _drop_values(counts, codes, columns, dropped, out):
    widths, starts, rows = counts.widths, counts.starts, counts.rows
    for k in range(len(columns)):
        i, j = columns[k]
        for r in range(len(codes)):
            gone = dropped[rows[starts[i] + codes[r, i]] + starts[j] + codes[r, j]]
            if gone == 1:
                out[r, i] = widths[i] - 1
            elif gone == 2:
                out[r, j] = widths[j] - 1


@jit
def softmax(logs):
    """exp of logs (n, C) as shares of each row."""
    out = np.empty_like(logs)
    for r in range(len(logs)):
        most, total = -np.inf, 0.0
        for log in logs[r]:
            most = max(most, log)
        for c in range(logs.shape[1]):
            out[r, c] = np.exp(logs[r, c] - most)
            total += out[r, c]
        for c in range(logs.shape[1]):
            out[r, c] /= total
    return out

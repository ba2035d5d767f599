"""Scores of rows: log-sum-exp over parents of sums of looked-up logarithms."""

from __future__ import annotations

import numpy as np

from .._jit import jit
from .counts import PairCounts
from .logs import LogTables

# rows scored for one pair of parents before the next: they share the few rows of the table that
# belong to values of these two columns, which stay in the cache meanwhile
BLOCK_ROWS = 256
MAX_KEPT_LOGARITHMS = 2**17  # log scores of parents kept at a time: 1 MB


def log_scores(tables: LogTables, codes: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """log of the mean over parents of P(y, x_i) prod_j P(x_j | y, x_i), (n, C).

    The average of one-dependence estimators of Webb, Boughton & Wang (2005). A row without a parent
    gets the score of naive Bayes, log P(y) + sum_j log P(x_j | y).

    Parameters
    ----------
    tables : LogTables
    codes : ndarray of shape (n, p) of int32
        Levels of the rows; the number of levels stands for a missing value.
    known : ndarray of shape (n, p) of int32, or None
        Codes for naive Bayes, if they differ: those before `drop_subsumed`.
    """
    n, p = codes.shape
    known = codes if known is None else known
    n_classes = len(tables.classes)
    out = np.empty((n, n_classes))
    at_once = max(MAX_KEPT_LOGARITHMS // (n_classes * max(p, 1)), 16)  # rows
    terms = np.empty((min(at_once, n), n_classes, max(p, 1)))
    for begin in range(0, n, at_once):
        some = slice(begin, min(begin + at_once, n))
        values = codes[some] + tables.starts  # in the numbering of the values of all columns
        own = terms[: len(values)]
        # log (1/m) sum_i exp(t_i) = most + log sum_i exp(t_i - most) - log m, the sum at least 1:
        # products of hundreds of probabilities would underflow
        scale = _parent_terms(tables, values, known[some] + tables.starts, own)
        np.exp(own, out=own)
        _sum_terms(own, out[some])
        np.log(out[some], out=out[some])
        out[some] += scale
    return out


@jit
def _parent_terms(tables, values, known, out):
    """Fill out (n, C, p) with the log score of each parent, less the largest of row and class.

    Returns that largest score less the log of the number of parents, (n, C).
    """
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
        for i in range(p):  # a value that is no parent has a prior of -inf in every class alike
            parents += out[r, 0, i] > -np.inf
        if parents == 0:  # naive Bayes, as if it were the score of the first column as a parent
            parents = 1
            for c in range(n_classes):
                scale[r, c] = tables.classes[c]
                for x in known[r]:
                    scale[r, c] += tables.bayes[x, c]
                out[r, c, 0] = scale[r, c]
        shared = np.log(parents)
        for c in range(n_classes):
            most = scale[r, c]
            for i in range(p):  # -inf stays -inf, and exp makes it 0
                out[r, c, i] -= most
            scale[r, c] = most - shared
    return scale


@jit
def _child_sums(tables, values, begin, end, i, c, out, most):
    """Scores of two parents in two classes: four independent sums that share the children's places.

    The last of an odd number of classes is paired with the one before it, and the last of an odd
    number of parents with itself: the same sums are then written twice. Unsigned indices of a flat
    table need no check of their sign, which would cost more than the sum.
    """
    prior, child = tables.prior, tables.child.reshape(-1)
    p, n_classes = values.shape[1], prior.shape[1]
    other, c = min(i + 1, p - 1), max(min(c, n_classes - 2), 0)
    last = min(c + 1, n_classes - 1)
    # log P(x_j = z | y = c, x_i = x) is child[x * width + z * classes + c], with width the number
    # of values times that of classes
    width, classes, step = np.uint64(prior.size), np.uint64(n_classes), np.uint64(last - c)
    for r in range(begin, end):
        x, y = values[r, i], values[r, other]
        one, two = np.uint64(x) * width + np.uint64(c), np.uint64(y) * width + np.uint64(c)
        s, t, u, v = prior[x, c], prior[x, last], prior[y, c], prior[y, last]
        # no test for j = i or missing values: their entries of the table are log 1 = 0
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
    """Sums over the last axis, always in the order of the parents.

    NumPy's order of addition depends on the shape: a row alone and in a batch would differ by bits.
    """
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
    """Codes (n, p) in which each value that another of its row implies is missing.

    Which values imply which is the result of `subsumed_values` (Zheng & Webb 2006).
    """
    out = codes.copy()
    _drop_values(counts, codes, columns, dropped, out)
    return out


@jit
def _drop_values(counts, codes, columns, dropped, out):
    widths, starts, rows = counts.widths, counts.starts, counts.rows
    for k in range(len(columns)):
        i, j = columns[k]
        for r in range(len(codes)):
            # read from `codes`, not `out`: what one pair drops hides nothing from the next
            gone = dropped[rows[starts[i] + codes[r, i]] + starts[j] + codes[r, j]]
            if gone == 1:
                out[r, i] = widths[i] - 1
            elif gone == 2:
                out[r, j] = widths[j] - 1


@jit
def softmax(logs):
    """Probabilities exp(logs_c) / sum_c' exp(logs_c') of each row, (n, C)."""
    out = np.empty_like(logs)
    for r in range(len(logs)):
        most, total = -np.inf, 0.0
        for log in logs[r]:
            most = max(most, log)
        for c in range(logs.shape[1]):
            out[r, c] = np.exp(logs[r, c] - most)  # the largest is exp(0): no overflow, no 0 / 0
            total += out[r, c]
        for c in range(logs.shape[1]):
            out[r, c] /= total
    return out

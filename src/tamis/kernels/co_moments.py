"""Sums of squares and products of every training set with a number, in one pass over X.

As in `moments`, rows are split into atoms, the groups of rows that are in the same training sets.
An atom a of n_a rows has, for each column, its mean m_a, Q_a = Σ(x - m_a)² and
P_a = Σ(x - m_a)(y - y_a) with y_a its mean of y. A training set is merged from its atoms, without
reading another row (Chan, Golub & LeVeque 1983):

    M = Σ n_a m_a / n,  Sxx = Σ Q_a + Σ n_a (m_a - M)²,  Sxy = Σ P_a + Σ n_a (m_a - M)(y_a - Y)

Values are differences to the atom's first row, so that a constant column has Sxx = Sxy = 0 exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import jit
from .moments import BLOCK_COLUMNS, atoms_of, nested_sets


def part_co_moments(
    X: np.ndarray, y: np.ndarray, parts: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums about the means of each training set.

    Parameters
    ----------
    X : ndarray of shape (n, p), float64, C order
    y : ndarray of shape (n,), float64
    parts : sequence of K arrays
        Rows of each training set.

    Returns
    -------
    Sxx, Sxy : ndarray of shape (K, p)
    Syy : ndarray of shape (K,)
    """
    n, p = X.shape
    K = len(parts)
    squares, products, own = np.zeros((K, p)), np.zeros((K, p)), np.zeros(K)
    start, nothing = 0, np.zeros(n, dtype=np.int64)
    for some in nested_sets(n, parts):
        group, member = atoms_of(n, nothing, some, 1)
        used = np.flatnonzero(group >= 0)
        order = used[np.argsort(group[used], kind="stable")]
        counts = np.bincount(group[used], minlength=member.shape[1])
        ends = np.concatenate([[0], np.cumsum(counts)])
        at = slice(start, start + len(some))
        merge_co_moments(X, y, order, ends, member, squares[at], products[at], own[at])
        start += len(some)
    return squares, products, own


@jit
def merge_co_moments(X, y, order, ends, member, squares, products, own):
    """Fill the sums of some training sets.

    Parameters
    ----------
    X : (n, p) float64, C order
    y : (n,) float64
    order : (m,) int64
        The rows of each atom in turn.
    ends : (n_atoms + 1,) int64
        Where atoms begin and end there.
    member : (K, n_atoms) bool
        Which atoms make up each training set.
    squares, products : (K, p)
    own : (K,)
    """
    p = X.shape[1]
    n_atoms, K = len(ends) - 1, len(member)
    middle = np.zeros(n_atoms)  # of y
    spread = np.zeros(n_atoms)
    for a in range(n_atoms):
        first, last = ends[a], ends[a + 1]
        if first == last:
            continue
        base, total = y[order[first]], 0.0
        for i in range(first, last):
            total += y[order[i]] - base
        middle[a] = base + total / (last - first)
        for i in range(first, last):
            spread[a] += (y[order[i]] - middle[a]) ** 2
    centre = np.zeros(K)
    for k in range(K):
        n, total, base, found = 0, 0.0, 0.0, False
        for a in range(n_atoms):
            if member[k, a] and ends[a] < ends[a + 1]:
                if not found:
                    base, found = middle[a], True
                n += ends[a + 1] - ends[a]
                total += (ends[a + 1] - ends[a]) * (middle[a] - base)
        centre[k] = base + total / max(n, 1)
        for a in range(n_atoms):
            if member[k, a]:
                own[k] += spread[a] + (ends[a + 1] - ends[a]) * (middle[a] - centre[k]) ** 2
    mean, square, product = np.empty((3, n_atoms, BLOCK_COLUMNS))
    for start in range(0, p, BLOCK_COLUMNS):
        width = min(BLOCK_COLUMNS, p - start)
        for a in range(n_atoms):
            first, last = ends[a], ends[a + 1]
            if first == last:
                continue
            base = X[order[first], start : start + width]
            t, q, s = mean[a], square[a], product[a]
            for j in range(width):
                t[j] = q[j] = s[j] = 0.0
            for i in range(first + 1, last):
                row, weight = X[order[i], start : start + width], y[order[i]] - middle[a]
                for j in range(width):
                    d = row[j] - base[j]
                    t[j] += d
                    q[j] += d * d
                    s[j] += weight * d
            n_a = last - first
            for j in range(width):
                q[j] = max(q[j] - t[j] * t[j] / n_a, 0.0)
                t[j] = base[j] + t[j] / n_a
        for k in range(K):
            merge_part(
                mean,
                square,
                product,
                middle,
                centre[k],
                ends,
                member[k],
                squares[k, start : start + width],
                products[k, start : start + width],
            )


@jit
def merge_part(mean, square, product, middle, centre, ends, member, squares, products):
    """Sums of a training set for a block of columns, from those of its atoms."""
    width, n_atoms = len(squares), len(member)
    first = -1
    n = 0
    for a in range(n_atoms):
        if member[a] and ends[a] < ends[a + 1]:
            n += ends[a + 1] - ends[a]
            if first < 0:
                first = a
    if first < 0:
        return
    shift = np.zeros(width)  # of the mean, above that of the first atom
    for a in range(n_atoms):
        n_a = ends[a + 1] - ends[a]
        if member[a] and n_a > 0:
            share = n_a / n
            for j in range(width):
                shift[j] += share * (mean[a, j] - mean[first, j])
    for a in range(n_atoms):
        n_a = ends[a + 1] - ends[a]
        if member[a] and n_a > 0:
            away = n_a * (middle[a] - centre)
            for j in range(width):
                d = (mean[a, j] - mean[first, j]) - shift[j]
                squares[j] += square[a, j] + n_a * d * d
                products[j] += product[a, j] + away * d

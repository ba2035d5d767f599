"""Sums of squares and products of mid-ranks of every column and of a number, in each training set.

The rows are sorted by each column's values once; every training set then walks that one order. A
row whose mid-rank is r in a set of m rows has the weight 2 r - (m + 1), an integer of mean 0, so
that sums are exact and a part has the same bits alone and among others. Spearman's correlation is
Σ u v / sqrt(Σ u² Σ v²) of these weights, ties included.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit
from .orders import sort_columns

BLOCK_COLUMNS = 64  # columns transposed at a time: 64 x n doubles stay in the second-level cache


def rank_products(
    X: np.ndarray, y: np.ndarray, parts_mask: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums of weights in each part.

    Parameters
    ----------
    X : ndarray of shape (n, p), float64, finite in the rows of parts
    y : ndarray of shape (n,), float64, finite
    parts_mask : ndarray of shape (n_parts, n), bool
        The rows of each part.

    Returns
    -------
    squares, products : ndarray of shape (n_parts, p), int64
        Σ u² and Σ u v, u of a column and v of y.
    own : ndarray of shape (n_parts,), int64
        Σ v².
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    member = np.ascontiguousarray(parts_mask)
    shape = (len(member), X.shape[1])
    squares, products = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    weights, own = np.zeros(member.shape, np.int64), np.zeros(len(member), np.int64)
    alone = np.ascontiguousarray(y, dtype=np.float64)[:, None]
    for k, rows in enumerate(member):
        weigh_ranks(alone[:, 0], sort_columns(alone)[0], rows, weights[k])
        own[k] = (weights[k] * weights[k]).sum()
    walk_columns(X, sort_columns(X, False), member, weights, squares, products)
    return squares, products, own


@jit
def walk_columns(X, order, member, weights, squares, products):
    """Fill the sums of all columns; `order` (p, n) sorts them."""
    n, p = X.shape
    block, found = np.empty((BLOCK_COLUMNS, n)), np.zeros(n, np.int64)
    for start in range(0, p, BLOCK_COLUMNS):
        width = min(BLOCK_COLUMNS, p - start)
        for i in range(n):
            for j in range(width):
                block[j, i] = X[i, start + j]
        for j in range(width):
            for part in range(len(member)):
                weigh_ranks(block[j], order[start + j], member[part], found)
                square, product = 0, 0
                for i in range(n):
                    square += found[i] * found[i]
                    product += found[i] * weights[part, i]
                squares[part, start + j] = square
                products[part, start + j] = product


@jit
def weigh_ranks(values, order, member, found):
    """The weight of each member among the members, 0 of the others, into `found` (n,)."""
    n, m = len(order), 0
    for i in range(n):
        m += member[i]
        found[i] = 0
    low, at = 0, 0  # members below this value, and the place in the order
    while at < n:
        high, end = low, at  # one group of equal values
        while end < n and values[order[end]] == values[order[at]]:
            high += member[order[end]]
            end += 1
        if end == at:  # NaN: of a row outside the parts
            end = at + 1
        for i in range(at, end):
            if member[order[i]]:
                found[order[i]] = low + high - m  # ranks low + 1 to high: mean (low + high + 1)/2
        low, at = high, end

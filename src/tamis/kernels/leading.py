"""The largest eigenvalues of a symmetric matrix of which only products with vectors are needed.

A block of random vectors is multiplied repeatedly and orthonormalised in between, and all blocks
are kept as a basis (randomised block Lanczos; Halko, Martinsson, Shkolnisky and Tygert 2011). The
part of the last product outside the basis gives the residuals, so that iterations go on until the
wanted vectors have converged.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def leading_eigenvectors(
    multiply: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    k: int,
    tolerance: float,
    least: int = 3,
    most: int = 40,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The k largest eigenvalues, falling, their vectors, and the relative residuals of these.

    Parameters
    ----------
    multiply : callable
        The product of the matrix K (n, n) with an array (n, l).
    start : ndarray of shape (n, l)
        Random; l is somewhat larger than k.
    k : int
    tolerance : float
        Iterations end when each of the k residuals is at most this times the eigenvalue.
    least, most : int
        Least and largest number of products.

    Returns
    -------
    values : ndarray of shape (k,)
    vectors : ndarray of shape (n, k)
    residuals : ndarray of shape (k,)
        ``|K u - value u| / value``.
    """
    n, width = start.shape
    basis = np.linalg.qr(start)[0]
    inner = np.zeros((0, 0))  # Q' K Q without the last block of Q
    # invariant: Q = `basis` is orthonormal, and K times all blocks but the last lies within it
    for product in range(1, most + 1):
        old, last = len(inner), basis[:, len(inner) :]
        wide = np.zeros((basis.shape[1], basis.shape[1]))
        wide[:old, :old] = inner
        inner = wide
        rest = multiply(last)
        for _ in range(2):  # Gram-Schmidt, the second time for what rounding left of the basis
            part = basis.T @ rest
            rest = rest - basis @ part
            inner[:, old:] += part
        inner[old:, :old] = inner[:old, old:].T
        added, outside = np.linalg.qr(rest)
        # Rayleigh-Ritz: eigenpairs (theta, y) of Q' K Q give (theta, Q y); eigh has them rising
        values, turned = np.linalg.eigh((inner + inner.T) / 2)
        values, turned = values[::-1][:k], turned[:, ::-1][:, :k]
        # K Q y - theta Q y = `added` (`outside` y_last), y_last the part of y for the last block,
        # and `added` is orthonormal: residuals without another product
        left = np.sqrt(((outside @ turned[old:]) ** 2).sum(axis=0))
        residuals = left / np.maximum(np.abs(values), np.finfo(float).tiny)
        done = product >= least and bool((residuals <= tolerance).all())
        room = n - basis.shape[1]  # 0: the basis is all of R^n, and the eigenvalues exact
        if done or room == 0 or product == most:
            break
        if room < width:
            added = np.linalg.svd(rest, full_matrices=False)[0][:, :room]
        # if `rest` lacks full rank, columns of `added` are arbitrary and may lie within the basis
        for _ in range(2):
            added = np.linalg.qr(added - basis @ (basis.T @ added))[0]
        basis = np.hstack([basis, added])
    return values, basis @ turned, residuals

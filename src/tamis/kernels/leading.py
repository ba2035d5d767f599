"""The largest eigenvalues of a symmetric matrix that is only ever multiplied with.

A block of random vectors is multiplied again and again, made orthonormal between, and all that came
about is kept as a basis (randomised block Lanczos; Halko, Martinsson, Shkolnisky and Tygert 2011).
What is outside the basis is known, so that it goes on until the vectors asked for are found.
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
    """Eigenvalues, falling, their vectors, and how far these are from being ones.

    Parameters
    ----------
    multiply : callable
        The matrix times (n, l).
    start : ndarray of shape (n, l)
        Random; l is larger than k by some.
    k : int
    tolerance : float
        It ends when each of the k residuals is at most this times the eigenvalue.
    least, most : int
        Products.

    Returns
    -------
    values : ndarray of shape (k,)
    vectors : ndarray of shape (n, k)
    residuals : ndarray of shape (k,)
        ``|K u - value u| / value``.
    """
    n, width = start.shape
    basis = np.linalg.qr(start)[0]
    inner = np.zeros((0, 0))
    for product in range(1, most + 1):
        old, last = len(inner), basis[:, len(inner) :]
        wide = np.zeros((basis.shape[1], basis.shape[1]))
        wide[:old, :old] = inner
        inner = wide
        rest = multiply(last)
        for _ in range(2):  # once more for what rounding left
            part = basis.T @ rest
            rest = rest - basis @ part
            inner[:, old:] += part
        inner[old:, :old] = inner[:old, old:].T
        added, outside = np.linalg.qr(rest)
        values, turned = np.linalg.eigh((inner + inner.T) / 2)
        values, turned = values[::-1][:k], turned[:, ::-1][:, :k]
        left = np.sqrt(((outside @ turned[old:]) ** 2).sum(axis=0))
        residuals = left / np.maximum(np.abs(values), np.finfo(float).tiny)
        done = product >= least and bool((residuals <= tolerance).all())
        room = n - basis.shape[1]
        if done or room == 0 or product == most:
            break
        if room < width:
            added = np.linalg.svd(rest, full_matrices=False)[0][:, :room]
        for _ in range(2):  # columns that were nothing may be anything
            added = np.linalg.qr(added - basis @ (basis.T @ added))[0]
        basis = np.hstack([basis, added])
    return values, basis @ turned, residuals

"""Hilbert-Schmidt independence criterion (HSIC) of single features and the class.

With the labels fixed both estimates are linear in K, so each is one weighted sum over the
pairs of samples, and the weights serve every feature:

biased     tr(KHLH) = sum_ik K_ik M_ik, M = HLH;
unbiased   sum_{i != k} K_ik [L_ik + 1'L~1 / ((n-1)(n-2)) - (l_i + l_k) / (n-2)], l = L~1.
"""

from __future__ import annotations

import numpy as np

from ._jit import jit


def pair_weights(
    codes: np.ndarray, class_weights: np.ndarray, unbiased: bool
) -> tuple[np.ndarray, float]:
    """Weights of K_ik, i < k, and the share of the diagonal, for a kernel with K_ii = 1.

    Parameters
    ----------
    codes : (n,) int
        Class codes.
    class_weights : (C,)
        The label kernel: L_ik = class_weights[c] where both are of class c, else 0.
    unbiased : bool
        Needs n of at least 4.

    Returns
    -------
    weights : (n (n - 1) / 2,)
        In the order of ``numpy.triu_indices(n, 1)``.
        Each includes the factor 2 for K_ki, and what the estimate is divided by.
    constant : float
        The sum over the diagonal, K_ii M_ii = M_ii, divided likewise; 0 for the unbiased estimate,
        which leaves the diagonal out.
    """
    n = len(codes)
    first, second = np.triu_indices(n, 1)
    same = np.where(codes[first] == codes[second], class_weights[codes[first]], 0.0)
    # row sums of L: a sample of class c has n_c entries w_c in its row
    lines = (class_weights * np.bincount(codes, minlength=len(class_weights)))[codes]
    if not unbiased:
        # (H L H)_ik = L_ik - mean of row i - mean of row k + mean of all; Gretton et al. 2005:
        # tr(K H L H) / (n - 1)^2
        means = lines / n
        centre = means.mean()
        diagonal = class_weights[codes] - 2 * means + centre
        weights = same - means[first] - means[second] + centre
        return 2 * weights / (n - 1) ** 2, float(diagonal.sum()) / (n - 1) ** 2
    lines = lines - class_weights[codes]  # l = L~1, where L~ has a diagonal of 0
    # Song et al. 2012, divided by n (n - 3); 1'K~L~1 = sum_ik K_ik (l_i + l_k) / 2
    weights = same + lines.sum() / ((n - 1) * (n - 2))
    weights -= (lines[first] + lines[second]) / (n - 2)
    return 2 * weights / (n * (n - 3)), 0.0


@jit
def gaussian_hsic(X, weights, constant, bandwidth):
    """HSIC with the kernel exp(-(x - x')^2 / (2 s^2)) of every column.

    Parameters
    ----------
    X : (n, p) float64, finite
    weights, constant
        As `pair_weights` returns them.
    bandwidth : float
        s in standard deviations of the column; 0 takes the median distance between two samples
        (the median of the distances above 0, where that is 0).

    Returns
    -------
    scores : (p,)
        0 for a constant column.
    """
    n, p = X.shape
    scores = np.zeros(p)
    column = np.empty(n)
    squares = np.empty(len(weights))  # squared distances, in the order of the weights
    for j in range(p):
        # less the first value: a large common offset then costs the standard deviation no digits
        column[:] = X[:, j] - X[0, j]
        pair, largest = 0, 0.0
        for i in range(n):
            for k in range(i + 1, n):
                squares[pair] = (column[i] - column[k]) ** 2
                largest = max(largest, squares[pair])
                pair += 1
        if largest == 0.0:  # a constant column: no bandwidth, and the score stays 0
            continue
        # s grows with the column's unit, so that columns need not be standardised
        scale = bandwidth * column.std() if bandwidth > 0.0 else median_distance(squares)
        rate = -0.5 / (scale * scale)
        total = 0.0
        for pair in range(len(weights)):
            total += weights[pair] * np.exp(rate * squares[pair])
        scores[j] = total + constant
    return scores


@jit
def median_distance(squares):
    """Median of distances, from their squares; where it is 0, the median of those above 0."""
    # more than half of the pairs may be tied, as with counts that are mostly 0
    middle = np.median(np.sqrt(squares))
    return middle if middle > 0.0 else np.median(np.sqrt(squares[squares > 0.0]))

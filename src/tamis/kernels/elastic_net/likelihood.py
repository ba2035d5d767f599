"""The negative log-likelihood of two classes (one row of eta) or more (one row a class), or half
the squared errors of a number (one row)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._jit import jit


class Problem(NamedTuple):
    """The rows and free columns of a fit, the same for all lambdas of a path."""

    codes: np.ndarray  # (n,) int64
    v: np.ndarray  # (n,) weights of the rows, already divided by n
    free: np.ndarray  # (1 + q, n) ones, then the columns without a penalty
    classes: int  # K: rows of eta, 1 for two classes or a number
    values: np.ndarray = np.empty(0)  # (n,) of a number; empty where there are classes


@jit
def loss_at(problem, eta):
    """sum_i v_i loss_i at eta (K, n)."""
    codes, v, values = problem.codes, problem.v, problem.values
    total = 0.0
    if len(values) > 0:
        for i in range(len(values)):
            total += v[i] * (values[i] - eta[0, i]) ** 2 / 2
        return total
    for i in range(len(codes)):
        if problem.classes == 1:
            # log(1 + e^-m) of the margin m; exp of a number above 0 might overflow
            m = eta[0, i] if codes[i] == 1 else -eta[0, i]
            total += v[i] * (np.log1p(np.exp(-m)) if m > 0 else np.log1p(np.exp(m)) - m)
            continue
        top = 0
        for k in range(1, len(eta)):
            if eta[k, i] > eta[top, i]:
                top = k
        others = 0.0
        for k in range(len(eta)):
            if k != top:
                others += np.exp(eta[k, i] - eta[top, i])
        # -log p = log sum_k e^(eta_k - eta_top) + eta_top - eta_y
        total += v[i] * (np.log1p(others) + (eta[top, i] - eta[codes[i], i]))
    return total


@jit
def slopes_at(problem, eta, shares, pulls, bends):
    """The loss at eta; fills probabilities (0 of a number), -dF/deta and the diagonal of d2F/deta2,
    each (K, n).

    1 - p is never formed by a subtraction that cancels: where a class is all but certain both
    its pull and its bend keep their digits.
    """
    codes, v, values = problem.codes, problem.v, problem.values
    total = 0.0
    if len(values) > 0:
        for i in range(len(values)):
            rest = values[i] - eta[0, i]
            shares[0, i], pulls[0, i], bends[0, i] = 0.0, v[i] * rest, v[i]
            total += v[i] * rest**2 / 2
        return total
    for i in range(len(codes)):
        if problem.classes == 1:
            positive = codes[i] == 1
            m = eta[0, i] if positive else -eta[0, i]
            if m > 0:
                small = np.exp(-m)
                # 1 - p and p of the row's own class, each a quotient of positive numbers
                wrong, right = small / (1 + small), 1 / (1 + small)
                total += v[i] * np.log1p(small)
            else:
                small = np.exp(m)
                wrong, right = 1 / (1 + small), small / (1 + small)
                total += v[i] * (np.log1p(small) - m)
            shares[0, i] = right if positive else wrong
            pulls[0, i] = v[i] * (wrong if positive else -wrong)
            bends[0, i] = v[i] * wrong * right
            continue
        top = 0
        for k in range(1, len(eta)):
            if eta[k, i] > eta[top, i]:
                top = k
        others = 0.0
        for k in range(len(eta)):
            shares[k, i] = 1.0
            if k != top:
                shares[k, i] = np.exp(eta[k, i] - eta[top, i])
                others += shares[k, i]
        denominator = 1.0 + others
        total += v[i] * (np.log1p(others) + (eta[top, i] - eta[codes[i], i]))
        for k in range(len(eta)):
            # rest = 1 - p_k: `others` has positive terms alone, `denominator` is >= 1 + share
            rest = (others if k == top else denominator - shares[k, i]) / denominator
            shares[k, i] /= denominator
            pulls[k, i] = v[i] * (rest if k == codes[i] else -shares[k, i])
            bends[k, i] = v[i] * shares[k, i] * rest
    return total


@jit
def penalty_at(c, ridge, l1, l2):
    """l1 |c|_1 + (l2 / 2) sum_jk ridge_j c_jk^2 of coefficients c (K, m)."""
    total = 0.0
    for k in range(len(c)):
        for j in range(c.shape[1]):
            if c[k, j] != 0:
                total += l1 * abs(c[k, j]) + l2 / 2 * ridge[j] * c[k, j] * c[k, j]
    return total

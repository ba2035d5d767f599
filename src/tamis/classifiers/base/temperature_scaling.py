"""Probabilities from margins by one slope (temperature scaling).

Guo, Pleiss, Sun & Weinberger (2017), ICML: softmax of a times the margins, a >= 0 fitted to
held-out rows. Without an offset the most probable class is that of the largest margin, which
the sigmoid of Platt (1999) may contradict; his smoothed targets keep a finite where all rows
are right.
"""

from __future__ import annotations

import numpy as np

from ...kernels.recalibration_slopes import softmax_shares

# of the slope times the largest margin, where these say nothing, or the wrong:
MIN_SLOPE_MARGIN = 1e-6
# shares are all but equal, and their order is kept
MAX_SLOPE = 2.0**60  # of the slope


def logistic_function(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)); scipy.special loads longer than a linear model takes to predict."""
    with np.errstate(over="ignore"):  # of x below -709 the exponential is inf, and the share 0
        return 1 / (1 + np.exp(-x))


def one_a_class(scores: np.ndarray) -> np.ndarray:
    """Scores as one column a class: softmax of (0, f) is the logistic function of f."""
    return scores if scores.shape[1] > 1 else np.hstack([np.zeros_like(scores), scores])


def fit_slope(margins: np.ndarray, codes: np.ndarray, weights: np.ndarray, n_classes: int) -> float:
    """The a >= 0 of least sum_i w_i (log sum_k exp(a f_ik) - a sum_k t_ik f_ik).

    t is (N_k + 1)/(N_k + C) for the row's own class k and 1/(N_k + C) for each other one,
    with N_k the weight of the class: Platt's targets for C = 2. The sum is convex in a; its
    slope is brought to 0 by Newton's method inside a bracket.
    """
    size = float(np.abs(margins).max(initial=0.0)) or 1.0
    margins = margins / size
    totals = np.bincount(codes, weights, n_classes)[codes][:, None]
    own = np.arange(n_classes) == codes[:, None]
    targets = np.where(own, totals + 1.0, 1.0) / (totals + n_classes)

    def slope_and_bend(a: float) -> tuple[float, float]:
        shares = softmax_shares(a * margins)
        mean = (shares * margins).sum(axis=1)
        slope = weights @ ((shares - targets) * margins).sum(axis=1)
        bend = weights @ ((shares * margins**2).sum(axis=1) - mean**2)
        return float(slope), float(bend)

    low, high = 0.0, MAX_SLOPE
    a = 1.0 / float(np.abs(margins).mean() or 1.0)
    for _ in range(200):  # Newton's steps, no longer than fourfold, halving outside the bracket
        slope, bend = slope_and_bend(a)
        low, high = (a, high) if slope < 0 else (low, a)
        step = min(a - slope / bend, 4 * a) if bend > 0 else (4 * a if slope < 0 else low)
        last, a = a, step if low < step < high else (low + min(high, 4 * a)) / 2
        if abs(a - last) <= 1e-12 * a or a < MIN_SLOPE_MARGIN:
            break
    return max(a, MIN_SLOPE_MARGIN) / size

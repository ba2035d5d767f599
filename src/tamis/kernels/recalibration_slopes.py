"""One slope of the log odds and an offset for each class but one: logistic recalibration.

Cox (1958), Biometrika 45:562-565, with normal priors around the class shares and a slope of 1.
"""

from __future__ import annotations

import numpy as np

from .._core.interfaces import MIN_PROBABILITY

SLOPE_RATE = 1.0  # rate of the exponential factor in the prior of the slope
LOG_SLOPE_SD = 1.5  # standard deviation of log slope in the normal factor, whose mean is 0
OFFSET_SD = 0.5  # prior standard deviation of the offsets, less their mean, around 0
SLOPE_BOUNDS = (0.02, 20.0)  # never 0, so that the order of samples is kept
MOST_OFFSET = 100.0  # largest difference of an offset from that of the first class
# Larger scores are cut off here. Squares of these are still finite, and even with the least slope
# they give probabilities of 0 and 1.
MOST_SCORE = 1e100


def centred(scores: np.ndarray) -> np.ndarray:
    """Scores less their mean over the classes (last axis), which does not change a softmax."""
    return scores - scores.mean(axis=-1, keepdims=True)


def softmax_shares(scores: np.ndarray) -> np.ndarray:
    """exp(scores) over its sum along the last axis."""
    # less the largest: exp cannot overflow, and the sum is at least 1
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: np.ndarray = shares / shares.sum(axis=-1, keepdims=True)
    return found


def fit_slopes(
    scores: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    pull: float = SLOPE_RATE,
    spread: float = LOG_SLOPE_SD,
    offset: float = OFFSET_SD,
) -> tuple[np.ndarray, np.ndarray]:
    """Slopes (K,) and offsets (K, C) of K candidates' scores (K, N, C), each fitted by itself.

    The a = exp(t) and b that minimise sum_i w_i (log sum_k exp(z_ik) - z_iy) + pull a
    + t^2 / (2 spread^2) + sum_k b_k^2 / (2 offset^2), z_ik = a (f_ik - log pi_k) + log pi_k + b_k,
    with sum_k b_k = 0, by Newton's steps with Fisher's information, halved until the sum falls.

    Parameters
    ----------
    scores : ndarray of shape (K, N, C)
    y : ndarray of shape (N,)
        Class codes.
    weights : ndarray of shape (N,)
    pull : float
        Rate of the exponential prior of a. Without it a slope estimated from few rows is too large
        as often as too small, and the large ones do the harm.
    spread, offset : float
        Standard deviations of the normal priors.

    Examples
    --------
    >>> f = np.array([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0])
    >>> scores, y = np.stack([-f, f], axis=1)[None], np.array([0, 0, 1, 0, 1, 1])
    >>> fit_slopes(0.2 * scores, y, np.ones(6))[0].round(2).tolist()
    [0.73]
    """
    from .slope_newton import newton_slopes

    K, _, C = scores.shape
    f, base = _around_shares(scores, y, weights)
    theta = np.zeros((K, C))
    newton_slopes(
        f,
        y.astype(np.int64),
        np.ascontiguousarray(weights, dtype=np.float64),
        base,
        np.array([pull, spread**-2.0, offset**-2.0]),
        np.array([*np.log(SLOPE_BOUNDS), MOST_OFFSET]),
        theta,
    )
    slopes = np.exp(theta[:, 0])
    # of the scores as given: a (f - log pi) + log pi + b = a f + (1 - a) log pi + b
    offsets = (1 - slopes[:, None]) * base + np.insert(theta[:, 1:], 0, 0.0, axis=1)
    return slopes, offsets - offsets[:, :1]


def slope_information(
    scores: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    slopes: np.ndarray,
    offsets: np.ndarray,
) -> np.ndarray:
    """Fisher's information of the rows on each log slope (K,), where offsets are estimated too.

    The standard error of a slope a is a over the root of it, as that of log a is one over the root.
    """
    f, _ = _around_shares(scores, y, weights)
    P = softmax_shares(slopes[:, None, None] * centred(scores) + offsets[:, None])
    bend = _information(slopes[:, None, None] * f, P, P * weights[:, None])
    # Schur complement I_tt - I_tb I_bb^-1 I_bt; I_bb may be singular, as where a class has no share
    others = bend[:, 1:, 1:] + MIN_PROBABILITY * np.eye(bend.shape[1] - 1)
    with_others = np.linalg.solve(others, bend[:, 1:, :1])
    found: np.ndarray = bend[:, 0, 0] - (bend[:, 0, None, 1:] @ with_others)[:, 0, 0]
    return np.maximum(found, 0.0)  # below 0 by rounding alone


def _around_shares(
    scores: np.ndarray, y: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Scores less the logarithms of the class shares (K, N, C), and these logarithms (C,).

    Both have a mean of 0 over the classes.
    """
    # a class without rows keeps a finite logarithm
    shares = np.bincount(y, weights, scores.shape[2]) + MIN_PROBABILITY
    base = centred(np.log(shares / shares.sum()))
    return centred(np.clip(scores, -MOST_SCORE, MOST_SCORE)) - base, base


def _information(af: np.ndarray, P: np.ndarray, weighed: np.ndarray) -> np.ndarray:
    """Fisher's information (K, C, C) on log slope and offsets of the classes but the first.

    `af` (K, N, C) are the derivatives of z by the log slope, P the probabilities, `weighed` these
    times the weights of the rows.
    """
    # sum_i w_i Cov_i, the covariance under P_i of dz / dt = af and the indicators of the classes
    K, _, C = af.shape
    mean = (P * af).sum(axis=2, keepdims=True)
    bend = np.empty((K, C, C))
    bend[:, 0, 0] = (weighed * (af - mean) ** 2).sum(axis=(1, 2))
    bend[:, 0, 1:] = bend[:, 1:, 0] = (weighed * (af - mean)).sum(axis=1)[:, 1:]
    bend[:, 1:, 1:] = -np.einsum("knc,knd->kcd", weighed, P)[:, 1:, 1:]
    others = np.arange(1, C)
    bend[:, others, others] += weighed.sum(axis=1)[:, 1:]
    return bend

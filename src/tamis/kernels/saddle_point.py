"""Tail probabilities of weighted sums of coin flips by a saddle point (Daniels 1954; Lugannani and
Rice 1980; in association tests Dey et al. 2017)."""

from __future__ import annotations

import math

import numpy as np

from ._jit import jit

MAX_STEPS = 100  # most Newton steps
CONVERGENCE_TOLERANCE = 1e-9  # change of the saddle point relative to its size
# relative to the standard deviation of S or its largest value: what is smaller is rounding
ROUNDING_WIDTH = 1e-9


def saddle_tails(weights: np.ndarray, chances: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Two-sided p (m,) of ``S = sum a_i (y_i - mu_i)`` at scores, y_i independent, 1 with
    probability mu_i; NaN where no saddle point is found. On the side of the score p is at least
    the probability of the largest outcome, even for scores that no outcome reaches.

    Parameters
    ----------
    weights : ndarray of shape (m, n)
        The a_i.
    chances : ndarray of shape (n,)
        The mu_i, between 0 and 1.
    scores : ndarray of shape (m,)
    """
    found = np.empty(len(weights))
    _saddle_tails(np.ascontiguousarray(weights), chances, scores, found)
    return found


@jit
def _cumulant_derivatives(t, weights, chances):
    """First two derivatives of the cumulant generating function K of S at t.

    K' = sum a_i (q_i - mu_i), K'' = sum a_i^2 q_i (1 - q_i), q_i the tilted probability.
    """
    one, two = 0.0, 0.0
    for i in range(len(weights)):
        a, mu = weights[i], chances[i]
        # tilted probability, mu e^(at) / (1 - mu + mu e^(at)), without overflow
        tilted = (
            mu / (mu + (1.0 - mu) * math.exp(-a * t))
            if a * t > 0
            else (mu * math.exp(a * t) / (1.0 - mu + mu * math.exp(a * t)))
        )
        one += a * (tilted - mu)
        two += a * a * tilted * (1.0 - tilted)
    return one, two


@jit
def _cumulant_function(t, weights, chances):
    """K(t) = ln E exp(t S) = sum_i ln(1 - mu_i + mu_i e^(a_i t)) - a_i mu_i t."""
    found = 0.0
    for i in range(len(weights)):
        u, mu = weights[i] * t, chances[i]
        if u > 0:
            # ln(1 - mu + mu e^u) = u + ln(mu + (1 - mu) e^-u), without overflow
            found += u + math.log(mu + (1.0 - mu) * math.exp(-u)) - mu * u
        else:
            found += math.log(1.0 - mu + mu * math.exp(u)) - mu * u
    return found


@jit
def _largest_outcome(weights, chances, width):
    """The largest S, and its probability."""
    largest, logarithm = 0.0, 0.0
    for i in range(len(weights)):
        # y_i = 1 adds a (1 - mu), y_i = 0 adds -a mu
        largest += max(weights[i] * (1.0 - chances[i]), -weights[i] * chances[i])
        if abs(weights[i]) > ROUNDING_WIDTH * width:  # else both y_i give the same S
            logarithm += math.log(chances[i] if weights[i] > 0 else 1.0 - chances[i])
    return largest, math.exp(logarithm)


@jit
def _upper_tail(score, weights, chances, width, observed):
    """P(S >= score) for a score above 0, NaN if there is no saddle point.

    At least the probability of the largest outcome; if `observed` is false, 0 beyond that outcome.
    """
    largest, only = _largest_outcome(weights, chances, width)
    # K' tends to the largest S as t grows: no saddle point there or beyond
    if score >= largest * (1.0 - ROUNDING_WIDTH):
        return only if observed or score <= largest * (1.0 + ROUNDING_WIDTH) else 0.0
    # K'(t) = score has one root, as K' rises. Newton's method from 0 (K' = 0, K'' = width^2), kept
    # inside low <= root < high
    t, low, high = score / width**2, 0.0, np.inf
    for _ in range(MAX_STEPS):
        one, two = _cumulant_derivatives(t, weights, chances)
        if one > score:
            high = t
        else:
            low = t
        following = t - (one - score) / two if two > 0 else np.inf
        if not (low < following < high):  # bisect, or double t while nothing bounds it above
            following = 0.5 * (low + high) if high < np.inf else 2.0 * t
        if abs(following - t) <= CONVERGENCE_TOLERANCE * abs(following):
            t = following
            break
        t = following
    one, two = _cumulant_derivatives(t, weights, chances)
    # w = sqrt(2 (t s - K(t))), v = t sqrt(K''(t))
    away = 2.0 * (t * score - _cumulant_function(t, weights, chances))
    if not (away > 0.0 and two > 0.0):
        return np.nan
    w, v = math.sqrt(away), t * math.sqrt(two)
    z = w + math.log(v / w) / w  # Barndorff-Nielsen's form, always a probability
    return max(0.5 * math.erfc(z / math.sqrt(2.0)), only)


@jit
def _saddle_tails(weights, chances, scores, found):
    """Fill `found` (m,) with the p of `saddle_tails`: P(S >= |s|) + P(-S >= |s|)."""
    opposite = np.empty(weights.shape[1])
    for j in range(len(weights)):
        own, width = weights[j], 0.0
        for i in range(len(own)):
            opposite[i] = -own[i]
            # Var S = sum a^2 mu (1 - mu)
            width += own[i] * own[i] * chances[i] * (1.0 - chances[i])
        width, score = math.sqrt(width), abs(scores[j])
        if not score > 0.0:  # 0, where the saddle point t = 0 makes v / w 0 / 0, or NaN
            found[j] = np.nan
            continue
        above = _upper_tail(score, own, chances, width, scores[j] > 0.0)
        below = _upper_tail(score, opposite, chances, width, scores[j] < 0.0)
        found[j] = min(1.0, above + below)

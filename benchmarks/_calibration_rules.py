"""Recalibrations and rules for the number of features, tried on what `_calibration_parts` kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tamis.kernels.recalibration_slopes import (
    LOG_SLOPE_SD,
    OFFSET_SD,
    SLOPE_RATE,
    centred,
    fit_slopes,
    softmax_shares,
)
from tamis.study.protocol.tuning import MIN_PROBABILITY, N_USUAL_FEATURES, class_mean_weights

SPREADS = {
    "none": None,
    "likelihood": np.inf,
    "prior .5": 0.5,
    "prior 1": 1.0,
    "pulled": LOG_SLOPE_SD,
}


def recalibration(
    f: np.ndarray, y: np.ndarray, weights: np.ndarray, spread: float
) -> tuple[float, np.ndarray]:
    """Slope and offsets (C,) of log probabilities f (N, C); without priors where `spread` is
    infinite."""
    offset, pull = (
        np.inf if np.isinf(spread) else OFFSET_SD,
        SLOPE_RATE if spread == LOG_SLOPE_SD else 0.0,
    )
    slopes, offsets = fit_slopes(f[None], y, weights, pull, spread, offset)
    return float(slopes[0]), offsets[0]


def recalibrated(log_p: np.ndarray, fitted: tuple[float, np.ndarray] | None) -> np.ndarray:
    """Probabilities."""
    if fitted is None:
        return softmax_shares(log_p)
    slope, offsets = fitted
    return softmax_shares(slope * centred(log_p) + offsets)


def log_points(proba: np.ndarray, y: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Balanced logarithmic points (..., N)."""
    ratio = proba / prior
    own = np.take_along_axis(ratio, y[..., :, None].astype(int), axis=-1)[..., 0]
    return np.log(np.maximum(own / ratio.sum(axis=-1), MIN_PROBABILITY))


@dataclass
class Scored:
    """Inner scores of the sizes of one part, of one penalty a size."""

    sizes: np.ndarray
    gains: np.ndarray  # (k,)
    by_sample: np.ndarray  # (k, n): mean points of a sample over the repeats
    y: np.ndarray  # (n,)


def scored(part: dict, chosen: np.ndarray, proba: np.ndarray | None = None) -> Scored:
    """Of the penalty `chosen` for each size, or of other probabilities (sizes, N, C)."""
    y = part["y"].astype(int)
    at = np.arange(len(part["sizes"]))
    p = np.exp(part["inner"][at, chosen].astype(float)) if proba is None else proba
    points = log_points(p, np.broadcast_to(y, p.shape[:2]), part["prior"].astype(float))
    _, where = np.unique(part["samples"], return_inverse=True)
    n = where.max() + 1
    counts = np.bincount(where)
    by_sample = np.array([np.bincount(where, row) / counts for row in points])
    truth = np.zeros(n, dtype=int)
    truth[where] = y
    weights = class_mean_weights(truth)
    C = p.shape[2]
    return Scored(part["sizes"], by_sample @ weights + np.log(C), by_sample, truth)


def error_between(one: Scored, a: int, b: int) -> float:
    """Standard error of the mean balanced difference of two sizes' points."""
    gaps = one.by_sample[a] - one.by_sample[b]
    total = 0.0
    for c in np.unique(one.y):
        own = gaps[one.y == c]
        total += own.var(ddof=1) / len(own)
    return float(np.sqrt(total) / len(np.unique(one.y)))


def _within(sizes: np.ndarray, least: int) -> np.ndarray:
    return np.flatnonzero(sizes >= least)


def until_now(one: Scored, least: int = 5) -> int:
    """The best of at most fifty; more where that gains a fifth more."""
    at = _within(one.sizes, least)
    few = at[one.sizes[at] <= max(N_USUAL_FEATURES, one.sizes[at].min())]
    best = at[np.argmax(one.gains[at])]
    small = few[np.argmax(one.gains[few])]
    enough = one.gains[best] > one.gains[small] + 0.2 * max(one.gains[small], 0)
    return int(best if enough else small)


def clearly_fewer(errors: float, least: int = 5) -> Callable[[Scored], int]:
    """As until now, and fewer only where that gains more by standard errors."""

    def rule(one: Scored) -> int:
        usual, less = until_now(one, least), np.flatnonzero(one.sizes < least)
        if not len(less) or one.sizes.max() < least:
            return usual
        best = int(less[np.argmax(one.gains[less])])
        slack = errors * error_between(one, best, usual)
        return best if one.gains[best] > one.gains[usual] + slack else usual

    return rule


def _long(one: Scored, small: int) -> int:
    """The longest list in the place of a shorter one, where it gains a fifth more."""
    long = len(one.sizes) - 1
    enough = one.gains[long] > one.gains[small] + 0.2 * max(one.gains[small], 0)
    return long if one.sizes[long] > N_USUAL_FEATURES and enough else small


def fifty_unless(share: float = 0.0, errors: float = 0.0) -> Callable[[Scored], int]:
    """Fifty, unless the best of fewer gains more by a share of its gain, or by standard errors."""

    def rule(one: Scored) -> int:
        fifty = int(np.flatnonzero(one.sizes <= N_USUAL_FEATURES)[-1])
        best = int(np.argmax(one.gains[: fifty + 1]))
        slack = share * max(one.gains[fifty], 0.0)
        if errors and best != fifty:
            slack = errors * error_between(one, best, fifty)
        small = best if one.gains[best] > one.gains[fifty] + slack else fifty
        return _long(one, small)

    return rule


def fewest(one: Scored) -> int:
    """The fewest within one standard error of the best of at most fifty."""
    few = np.flatnonzero(one.sizes <= N_USUAL_FEATURES)
    best = int(few[np.argmax(one.gains[few])])
    for at in few:
        if one.gains[at] >= one.gains[best] - (error_between(one, best, at) if at != best else 0):
            return _long(one, int(at))
    return best


def fixed(size: int) -> Callable[[Scored], int]:
    return lambda one: int(np.flatnonzero(one.sizes <= size)[-1])


RULES: dict[str, Callable[[Scored], int]] = {
    "until now": until_now,
    "with 1 and 2": lambda one: until_now(one, 1),
    "50 unless 1 s.e.": fifty_unless(errors=1.0),
    "50 unless 2 s.e.": fifty_unless(errors=2.0),
    "50 unless a tenth": fifty_unless(share=0.1),
    "50 unless a fifth": fifty_unless(share=0.2),
    "fewest within 1 s.e.": fewest,
    **{f"1 and 2 if by {z:g} s.e.": clearly_fewer(z) for z in (1.0, 2.0, 3.0)},
    **{f"1, 2 and 5 if by {z:g} s.e.": clearly_fewer(z, 10) for z in (1.0, 2.0, 3.0)},
    "fixed 50": fixed(50),
}
PENALTIES = (".1", "5 / k", "chosen")


def penalties(part: dict, which: str) -> np.ndarray:
    """Index of the penalty for each size; 0 is .1, then 5 / k times .1, .3, 1, 3, 10."""
    k = len(part["sizes"])
    if which == ".1":
        return np.zeros(k, dtype=int)
    if which == "5 / k":
        return np.full(k, 3)
    found = np.empty(k, dtype=int)
    for at in range(k):
        p = np.exp(part["inner"][at, 1:].astype(float))
        y = np.broadcast_to(part["y"].astype(int), p.shape[:2])
        points = log_points(p, y, part["prior"].astype(float))
        weights = class_mean_weights(part["y"].astype(int))
        found[at] = 1 + int(np.argmax(points @ weights))
    return found


def fit_part(part: dict, size: int, penalty: int, spread: float | None):
    """The recalibration of a size, or None."""
    if spread is None:
        return None
    y = part["y"].astype(int)
    _, where = np.unique(part["samples"], return_inverse=True)
    weights = 1 / np.bincount(where)[where]
    return recalibration(part["inner"][size, penalty].astype(float), y, weights, spread)

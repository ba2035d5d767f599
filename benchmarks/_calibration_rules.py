"""Recalibrations and rules for the number of features, tried on what `_calibration_parts` kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

RARE = 0.01  # as in study/protocol/tuning.py
LONG = 50
SPREADS = {"none": None, "likelihood": np.inf, "prior .5": 0.5, "prior 1": 1.0}


def softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def recalibration(
    f: np.ndarray, y: np.ndarray, weights: np.ndarray, spread: float
) -> tuple[float, np.ndarray]:
    """Slope and offsets (C,), the first 0, of softmax(slope f + offset) for log probabilities f
    (N, C): the mode under a normal prior of log slope (`spread`)."""
    C = f.shape[1]
    own = np.eye(C)[y]
    theta = np.zeros(C)  # log slope, offsets 1 ... C - 1
    f = f - f.mean(axis=1, keepdims=True)

    def loss(theta: np.ndarray) -> float:
        z = np.exp(theta[0]) * f + np.r_[0.0, theta[1:]]
        top = z.max(axis=1)
        log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        own_z = z[np.arange(len(y)), y]
        return float(weights @ (log_sum - own_z) + theta[0] ** 2 / (2 * spread**2))

    value = loss(theta)
    for _ in range(60):
        slope = np.exp(theta[0])
        P = softmax(slope * f + np.r_[0.0, theta[1:]])
        D = np.zeros((len(f), C, C))  # d z_k / d theta_j
        D[:, :, 0] = slope * f
        for j in range(1, C):
            D[:, j, j] = 1.0
        R = (P - own) * weights[:, None]
        gradient = np.einsum("nk,nkj->j", R, D)
        mean = np.einsum("nk,nkj->nj", P, D)
        H = np.einsum("n,nk,nkj,nkl->jl", weights, P, D, D)
        H -= np.einsum("n,nj,nl->jl", weights, mean, mean)
        gradient[0] += theta[0] / spread**2
        H[0, 0] += 1 / spread**2
        step = np.linalg.solve(H + 1e-6 * np.eye(C), gradient)
        step = np.clip(step, -1.5, 1.5)
        pace = 1.0
        while loss(theta - pace * step) > value + 1e-12 and pace > 1e-6:
            pace /= 2
        moved = theta - pace * step
        moved[0] = np.clip(moved[0], np.log(0.02), np.log(20.0))
        done = np.abs(moved - theta).max() < 1e-7
        theta, value = moved, loss(moved)
        if done:
            break
    return float(np.exp(theta[0])), np.r_[0.0, theta[1:]]


def recalibrated(log_p: np.ndarray, fitted: tuple[float, np.ndarray] | None) -> np.ndarray:
    """Probabilities."""
    if fitted is None:
        return softmax(log_p)
    slope, offsets = fitted
    return softmax(slope * (log_p - log_p.mean(axis=-1, keepdims=True)) + offsets)


def log_points(proba: np.ndarray, y: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Balanced logarithmic points (..., N)."""
    ratio = proba / prior
    own = np.take_along_axis(ratio, y[..., :, None].astype(int), axis=-1)[..., 0]
    return np.log(np.maximum(own / ratio.sum(axis=-1), RARE))


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
    weights = class_weights(truth)
    C = p.shape[2]
    return Scored(part["sizes"], by_sample @ weights + np.log(C), by_sample, truth)


def class_weights(y: np.ndarray) -> np.ndarray:
    counts = np.bincount(y)
    return 1 / (counts[y] * np.count_nonzero(counts))


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
    few = at[one.sizes[at] <= max(LONG, one.sizes[at].min())]
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
    return long if one.sizes[long] > LONG and enough else small


def fifty_unless(share: float = 0.0, errors: float = 0.0) -> Callable[[Scored], int]:
    """Fifty, unless the best of fewer gains more by a share of its gain, or by standard errors."""

    def rule(one: Scored) -> int:
        fifty = int(np.flatnonzero(one.sizes <= LONG)[-1])
        best = int(np.argmax(one.gains[: fifty + 1]))
        slack = share * max(one.gains[fifty], 0.0)
        if errors and best != fifty:
            slack = errors * error_between(one, best, fifty)
        small = best if one.gains[best] > one.gains[fifty] + slack else fifty
        return _long(one, small)

    return rule


def fewest(one: Scored) -> int:
    """The fewest within one standard error of the best of at most fifty."""
    few = np.flatnonzero(one.sizes <= LONG)
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
        weights = class_weights(part["y"].astype(int))
        found[at] = 1 + int(np.argmax(points @ weights))
    return found


def fit_part(part: dict, size: int, penalty: int, spread: float | None):
    """The recalibration of a size, or None."""
    if spread is None:
        return None
    y = part["y"].astype(int)
    _, where = np.unique(part["samples"], return_inverse=True)
    weights = 1 / np.bincount(where)[where]
    scores = part["inner"][size, penalty].astype(float)
    if np.isinf(spread):
        return recalibration(scores, y, weights, spread)
    from tamis.kernels.recalibration_slopes import fit_slopes

    slopes, offsets = fit_slopes(scores[None], y, weights, spread)
    return float(slopes[0]), offsets[0]

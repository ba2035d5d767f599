"""One slope of log odds and an offset for each class but one: logistic recalibration.

Cox (1958), Biometrika 45:562-565, with normal priors around the class shares and a slope of 1.
"""

from __future__ import annotations

import numpy as np

from .._core.interfaces import MIN_PROBABILITY

SLOPE_RATE = 1.0  # rate of the exponential in the prior of the slope
LOG_SLOPE_SD = 1.5  # standard deviation of log slope in the other factor, around a slope of 1
OFFSET_SD = 0.5  # and of the offsets, less their mean, around none
SLOPE_BOUNDS = (0.02, 20.0)  # of the slope: never 0, so that the order of samples is kept
MOST_OFFSET = 100.0
MOST_SCORE = 1e100  # of which squares are numbers; the least slope makes them 0 and 1 all the same
MAX_STEPS, MAX_HALVINGS, GRADIENT_TOLERANCE = 100, 30, 1e-7
MAX_STEP = 1.5  # of a step in log slope or an offset, about


def centred(scores: np.ndarray) -> np.ndarray:
    """Less their mean over the classes, which no softmax sees."""
    return scores - scores.mean(axis=-1, keepdims=True)


def softmax_shares(scores: np.ndarray) -> np.ndarray:
    """exp(scores) over its sum along the last axis."""
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
    """Slopes (K,) and offsets (K, C) of K candidates' scores (K, N, C), each by itself.

    The a = exp(t) and b of the least sum_i w_i (log sum_k exp(z_ik) - z_iy) + pull a
    + t^2 / (2 spread^2) + sum_k b_k^2 / (2 offset^2), z_ik = a (f_ik - log pi_k) + log pi_k + b_k,
    with sum_k b_k = 0, by Newton's steps with Fisher's information, halved until the sum falls.

    Parameters
    ----------
    scores : ndarray of shape (K, N, C)
    y : ndarray of shape (N,)
        Class codes.
    weights : ndarray of shape (N,)
    pull : float
        Log odds are believed no further than the rows say: without it a slope that few rows tell
        of comes out too large as often as too small, and the large ones do the harm.
    spread, offset : float
        Standard deviations of the normal priors.

    Examples
    --------
    >>> f = np.array([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0])
    >>> scores, y = np.stack([-f, f], axis=1)[None], np.array([0, 0, 1, 0, 1, 1])
    >>> fit_slopes(0.2 * scores, y, np.ones(6))[0].round(2).tolist()
    [0.73]
    """
    K, _, C = scores.shape
    f, base = _around_shares(scores, y, weights)
    own = y[:, None] == np.arange(C)
    theta = np.zeros((K, C))  # log slope, offsets of the classes but the first, less its own

    def moved(theta: np.ndarray, f: np.ndarray) -> np.ndarray:
        z = np.exp(theta[:, :1, None]) * f + base
        z[:, :, 1:] += theta[:, None, 1:]
        return z

    def losses(theta: np.ndarray, f: np.ndarray) -> np.ndarray:
        z = moved(theta, f)
        top = z.max(axis=2)
        sums = top + np.log(np.exp(z - top[:, :, None]).sum(axis=2))
        points = sums - z[:, np.arange(len(y)), y]
        apart = centred(np.insert(theta[:, 1:], 0, 0.0, axis=1))
        prior = (
            2 * pull * np.exp(theta[:, 0])
            + theta[:, 0] ** 2 / spread**2
            + (apart**2).sum(axis=1) / offset**2
        )
        found: np.ndarray = points @ weights + prior / 2
        return found

    value, left = losses(theta, f), np.arange(K)
    for _ in range(MAX_STEPS):
        at, here = theta[left], f[left]
        step = _newton_step(at, here, moved(at, here), own, weights, (pull, spread, offset))
        pace = np.ones(len(left))
        for _ in range(MAX_HALVINGS):
            tried = np.clip(at - pace[:, None] * step, *_limits(C))
            worse = losses(tried, here) > value[left] + 1e-12
            if not worse.any():
                break
            pace[worse] /= 2
        theta[left], value[left] = tried, losses(tried, here)
        left = left[np.abs(tried - at).max(axis=1) > GRADIENT_TOLERANCE]
        if not len(left):
            break
    slopes = np.exp(theta[:, 0])
    offsets = (1 - slopes[:, None]) * base + np.insert(theta[:, 1:], 0, 0.0, axis=1)
    return slopes, offsets - offsets[:, :1]


def slope_information(
    scores: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    slopes: np.ndarray,
    offsets: np.ndarray,
) -> np.ndarray:
    """Fisher's information of the rows on each log slope (K,), the offsets unknown too; the
    standard error of a slope is a over its root."""
    f, _ = _around_shares(scores, y, weights)
    P = softmax_shares(slopes[:, None, None] * centred(scores) + offsets[:, None])
    bend = _information(slopes[:, None, None] * f, P, P * weights[:, None])
    others = bend[:, 1:, 1:] + MIN_PROBABILITY * np.eye(bend.shape[1] - 1)
    with_others = np.linalg.solve(others, bend[:, 1:, :1])
    found: np.ndarray = bend[:, 0, 0] - (bend[:, 0, None, 1:] @ with_others)[:, 0, 0]
    return np.maximum(found, 0.0)


def _around_shares(
    scores: np.ndarray, y: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Scores less the logarithms of the class shares (K, N, C), and these (C,)."""
    shares = np.bincount(y, weights, scores.shape[2]) + MIN_PROBABILITY
    base = centred(np.log(shares / shares.sum()))
    return centred(np.clip(scores, -MOST_SCORE, MOST_SCORE)) - base, base


def _information(af: np.ndarray, P: np.ndarray, weighed: np.ndarray) -> np.ndarray:
    """Fisher's information (K, C, C) on log slope and offsets of the classes but the first."""
    K, _, C = af.shape
    mean = (P * af).sum(axis=2, keepdims=True)
    bend = np.empty((K, C, C))
    bend[:, 0, 0] = (weighed * (af - mean) ** 2).sum(axis=(1, 2))
    bend[:, 0, 1:] = bend[:, 1:, 0] = (weighed * (af - mean)).sum(axis=1)[:, 1:]
    bend[:, 1:, 1:] = -np.einsum("knc,knd->kcd", weighed, P)[:, 1:, 1:]
    others = np.arange(1, C)
    bend[:, others, others] += weighed.sum(axis=1)[:, 1:]
    return bend


def _newton_step(
    theta: np.ndarray,
    f: np.ndarray,
    z: np.ndarray,
    own: np.ndarray,
    weights: np.ndarray,
    priors: tuple[float, float, float],
) -> np.ndarray:
    """The inverse of Fisher's information, and of what the sum bends more in log slope, times the
    gradient, (K, C). Where that is steep the information is raised, which shortens the step and
    still leads downhill; what is at its limit stays there."""
    K, _, C = f.shape
    pull, spread, offset = priors
    P = softmax_shares(z)
    af = np.exp(theta[:, :1, None]) * f
    rest = (P - own) * weights[:, None]
    gradient = np.empty((K, C))
    curved = (rest * af).sum(axis=(1, 2))  # what the exponential adds to Fisher's information
    pulled = pull * np.exp(theta[:, 0])
    gradient[:, 0] = curved + pulled + theta[:, 0] / spread**2
    apart = centred(np.insert(theta[:, 1:], 0, 0.0, axis=1))
    gradient[:, 1:] = rest.sum(axis=1)[:, 1:] + apart[:, 1:] / offset**2
    bend = _information(af, P, P * weights[:, None])
    bend[:, 0, 0] += pulled + 1 / spread**2 + np.maximum(curved, 0.0)
    every = np.arange(C)
    bend[:, 1:, 1:] += (np.eye(C - 1) - 1 / C) / offset**2
    least, most = _limits(C)
    held = np.where(gradient > 0, theta <= least, theta >= most)  # the others go on without
    gradient[held] = 0.0
    bend *= ~(held[:, :, None] | held[:, None, :]) | np.eye(C, dtype=bool)
    bend[:, every, every] += 1e-9 + np.abs(gradient) / MAX_STEP
    found: np.ndarray = np.linalg.solve(bend, gradient[:, :, None])[:, :, 0]
    return found


def _limits(C: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the most of the log slope and of each offset, (C,)."""
    least, most = np.log(SLOPE_BOUNDS)
    ends = np.full(C - 1, MOST_OFFSET)
    return np.r_[least, -ends], np.r_[most, ends]

"""How far probabilities mean what they say, in samples that were not learnt from."""

from __future__ import annotations

import math

import numpy as np

from .._core.interfaces import LEAST
from ..kernels.recalibration_slopes import BOUNDS, centred, fit_slopes, softmax_shares
from .held_out import Estimate

FEWEST = 50  # samples of every class below which no slope is given: of perfect probabilities of a
# weak signal (AUC .65), those of 100 samples are between .6 and 1.6 in .77 of cohorts, of 60 in .64
Z = 1.96
ALIKE = 1e-9  # log probabilities that differ less do so by rounding


def calibration_slope(codes: np.ndarray, proba: np.ndarray, units: np.ndarray) -> Estimate:
    """The slope a of softmax(a f + b), f the log probabilities, with its 95 % interval.

    1 is right; more is shy (probabilities too near the class shares), less is bold. Cox (1958).
    The interval is that of the likelihood's curvature (Wald); of perfect probabilities it held 1
    in .92 to .97 of simulated cohorts of 100 to 1,000 samples.

    Parameters
    ----------
    codes : ndarray of shape (n,)
    proba : ndarray of shape (n, C)
    units : ndarray of shape (C,)
        Independent units of each class.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> f = rng.normal(size=400)
    >>> codes = (rng.random(400) < 1 / (1 + np.exp(-2 * f))).astype(int)
    >>> proba = np.column_stack([1 / (1 + np.exp(f)), 1 / (1 + np.exp(-f))])
    >>> calibration_slope(codes, proba, np.array([200.0, 200.0]))
    Estimate(mean=2.0..., low=1.6..., high=2.4..., note='')
    """
    counts = np.bincount(codes, minlength=proba.shape[1])
    few = min(counts.min(), units.min())
    if few < FEWEST:
        return _nothing(f"too few samples of a class to tell: {few:.0f} of the {FEWEST} needed")
    scores = centred(np.log(np.maximum(proba, LEAST)))
    if np.ptp(scores, axis=0).max() < ALIKE:
        return _nothing("all samples have the same probabilities")
    (slope,), (offsets,) = fit_slopes(
        scores[None], codes, np.ones(len(codes)), spread=math.inf, offset=math.inf
    )
    nothing = _nothing("the classes are separated without an error, or not at all")
    if not BOUNDS[0] * 1.01 < slope < BOUNDS[1] / 1.01:
        return nothing
    error = _slope_error(scores, slope, offsets) * math.sqrt(counts.sum() / units.sum())
    if not slope + Z * error < BOUNDS[1]:
        return nothing
    return Estimate(float(slope), float(slope - Z * error), float(slope + Z * error))


def _nothing(note: str) -> Estimate:
    return Estimate(math.nan, math.nan, math.nan, note)


def _slope_error(scores: np.ndarray, slope: float, offsets: np.ndarray) -> float:
    """Standard error of the slope, from Fisher's information on slope and offsets."""
    C = scores.shape[1]
    P = softmax_shares(slope * scores + offsets)
    by = np.concatenate(
        [scores[:, :, None], np.broadcast_to(np.eye(C)[:, 1:], (len(scores), C, C - 1))], axis=2
    )
    mean = np.einsum("nk,nkj->nj", P, by)
    information = np.einsum("nk,nki,nkj->ij", P, by, by) - mean.T @ mean
    if np.linalg.cond(information) > 1 / LEAST:
        return math.inf
    return float(np.sqrt(np.linalg.inv(information)[0, 0]))

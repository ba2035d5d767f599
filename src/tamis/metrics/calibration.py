"""How far probabilities mean what they say, in samples that were not learnt from."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import expit, logit

from .._core.interfaces import MIN_PROBABILITY
from .._core.streams import generator
from ..kernels.recalibration_slopes import SLOPE_BOUNDS, centred, fit_slopes, slope_information
from .held_out import Estimate, HeldOut
from .intervals import VarianceInflation
from .schema import Calibration, CalibrationIndex

# samples of every class below which no slope is given: of perfect probabilities of a
MIN_CLASS_SIZE = 50
# weak signal (AUC .65), those of 100 samples are between .6 and 1.6 in .77 of cohorts, of 60 in .64
FEWEST_OF_INDEX = 25  # and no index: groups of ten samples
# groups of the index, unless every class has so many samples
N_GROUPS, MIN_SMOOTH_CLASS_SIZE = 5, 200
# quantiles (Harrell 2015, Regression Modeling Strategies, table 2.3)
KNOT_QUANTILES = 0.1, 0.5, 0.9
MIN_CURVE_PROBABILITY = 1e-6  # probabilities nearer to 0 or 1 are at one place of the curve
MAX_STEPS, STEP_TOLERANCE = 50, 1e-8
N_DRAWS = 500  # of the classes of perfect probabilities
Z_95 = 1.96
LOG_PROBABILITY_TOLERANCE = 1e-9  # log probabilities that differ less do so by rounding


def calibration_of(held: HeldOut, sampling: VarianceInflation) -> Calibration | None:
    """Slope and index of held-out predictions; None without probabilities."""
    if held.known != "proba":
        return None
    slope = calibration_slope(
        held.codes, held.proba, sampling.units, held.n_repeats, sampling.slope
    )
    found = [(held.codes[at], held.proba[at]) for at in held.repeats]
    counts = np.bincount(held.codes, minlength=held.n_classes) / held.n_repeats
    few = min(counts.min(), sampling.units.min())
    if few < FEWEST_OF_INDEX:
        nothing: CalibrationIndex = {
            "mean": None,
            "perfect": {"mean": None, "low": None, "high": None},
            "note": _few_words(few, FEWEST_OF_INDEX),
        }
        return {"slope": slope.to_dict(), "index": nothing}
    mean = float(np.mean([calibration_index(codes, proba) for codes, proba in found]))
    scale = float(np.sqrt(len(found[0][0]) / sampling.units.sum()))
    perfect = perfect_index(*found[0], scale)
    names = "mean", "low", "high"
    return {
        "slope": slope.to_dict(),
        "index": {"mean": mean, "perfect": dict(zip(names, perfect, strict=True)), "note": ""},
    }


def calibration_slope(
    codes: np.ndarray,
    proba: np.ndarray,
    units: np.ndarray,
    repeats: int = 1,
    inflation: float = 1.0,
) -> Estimate:
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
    repeats : int, default=1
        How often a sample is predicted.
    inflation : float, default=1.0
        Variance of the slope over that of independent predictions (`VarianceInflation.slope`).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> f = rng.normal(size=400)
    >>> codes = (rng.random(400) < 1 / (1 + np.exp(-2 * f))).astype(int)
    >>> proba = np.column_stack([1 / (1 + np.exp(f)), 1 / (1 + np.exp(-f))])
    >>> calibration_slope(codes, proba, np.array([200.0, 200.0]))
    Estimate(mean=2.0..., low=1.6..., high=2.4..., note='')
    """
    counts = np.bincount(codes, minlength=proba.shape[1]) / repeats
    few = min(counts.min(), units.min())
    if few < MIN_CLASS_SIZE:
        return _nothing(_few_words(few, MIN_CLASS_SIZE))
    scores = centred(np.log(np.maximum(proba, MIN_PROBABILITY)))
    if np.ptp(scores, axis=0).max() < LOG_PROBABILITY_TOLERANCE:
        return _nothing("all samples have the same probabilities")
    rows = scores[None], codes, np.ones(len(codes))
    slopes, offsets = fit_slopes(*rows, pull=0.0, spread=math.inf, offset=math.inf)
    slope = float(slopes[0])
    nothing = _nothing("the classes are separated without an error, or not at all")
    if not SLOPE_BOUNDS[0] * 1.01 < slope < SLOPE_BOUNDS[1] / 1.01:
        return nothing
    information = float(slope_information(*rows, slopes, offsets)[0])
    error = slope / math.sqrt(information) if information > 0 else math.inf
    error *= math.sqrt(repeats * inflation * counts.sum() / units.sum())
    if math.isnan(inflation):
        return Estimate(slope, math.nan, math.nan, "no interval: not simulated for this split")
    if not slope + Z_95 * error < SLOPE_BOUNDS[1]:
        return nothing
    return Estimate(slope, slope - Z_95 * error, slope + Z_95 * error)


def _few_words(few: float, needed: int) -> str:
    return f"too few independent samples in a class ({few:.0f}; {needed} are needed)"


def calibration_index(codes: np.ndarray, proba: np.ndarray) -> float:
    """Mean distance of a probability from the share observed at it, averaged over the classes.

    The share is that of one of five groups of equal size by the probability; where every class
    has 200 samples, a logistic regression on a restricted cubic spline of the log odds (the
    integrated calibration index of Austin and Steyerberg). Chance makes it positive for a perfect
    model too: see `perfect_index`.

    References
    ----------
    Austin and Steyerberg (2019), The Integrated Calibration Index (ICI) and related metrics for
    quantifying the calibration of logistic regression models. Statistics in Medicine 38, 4051-4065.

    Examples
    --------
    >>> proba = np.repeat([[0.8, 0.2], [0.4, 0.6]], 50, axis=0)
    >>> codes = np.repeat([0, 1, 0, 1], [40, 10, 15, 35])
    >>> round(calibration_index(codes, proba), 3)
    0.05
    """
    observed = _smooth_shares if _many_of_each(codes, proba) else _group_shares
    gaps = [
        np.abs(proba[:, k] - observed(codes == k, proba[:, k])).mean()
        for k in _judged_classes(proba)
    ]
    return float(np.mean(gaps))


def _many_of_each(codes: np.ndarray, proba: np.ndarray) -> bool:
    return bool(np.bincount(codes, minlength=proba.shape[1]).min() >= MIN_SMOOTH_CLASS_SIZE)


def _judged_classes(proba: np.ndarray) -> range:
    """Of two classes the latter, whose gaps are those of the former."""
    C = proba.shape[1]
    return range(1, 2) if C == 2 else range(C)


def _group_indicators(p: np.ndarray) -> np.ndarray:
    """Which of the groups (n, G) a sample is in; equal p are in one group."""
    edges = np.unique(np.quantile(p, np.arange(1, N_GROUPS) / N_GROUPS, method="lower"))
    found: np.ndarray = (np.searchsorted(edges, p)[:, None] == np.arange(len(edges) + 1)) * 1.0
    return found


def _group_shares(own: np.ndarray, p: np.ndarray) -> np.ndarray:
    """p plus what is observed less expected in its group, (n,)."""
    groups = _group_indicators(p)
    moved: np.ndarray = p + groups @ ((own - p) @ groups / np.maximum(groups.sum(axis=0), 1))
    return moved


def _spline(p: np.ndarray) -> np.ndarray:
    """1, the log odds and their restricted cubic spline with three knots (n, 3); (n, 2) where
    probabilities are too alike for it."""
    f = logit(np.clip(p, MIN_CURVE_PROBABILITY, 1 - MIN_CURVE_PROBABILITY))
    low, middle, high = np.quantile(f, KNOT_QUANTILES)
    columns = [np.ones(len(f)), f]
    if low < middle < high:
        cubes = [np.maximum(f - knot, 0.0) ** 3 for knot in (low, middle, high)]
        bend = (high - low) * cubes[1] - (middle - low) * cubes[2]
        columns.append((cubes[0] - bend / (high - middle)) / (high - low) ** 2)
    return np.column_stack(columns)


def _information(design: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Of a logistic regression, never singular."""
    weighed = design * (mean * (1 - mean))[:, None]
    found: np.ndarray = weighed.T @ design + 1e-9 * np.eye(design.shape[1])
    return found


def _smooth_shares(own: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Fitted shares (n,) of a logistic regression on the spline, by Newton's method."""
    design = _spline(p)
    beta = np.array([0.0, 1.0, 0.0])[: design.shape[1]]  # the probabilities as they are

    def loss(beta: np.ndarray) -> float:
        z = design @ beta
        return float((np.logaddexp(0, z) - own * z).sum())

    for _ in range(MAX_STEPS):
        mean = expit(design @ beta)
        step, pace = np.linalg.solve(_information(design, mean), design.T @ (own - mean)), 1.0
        while loss(beta + pace * step) > loss(beta) and pace > STEP_TOLERANCE:
            pace /= 2
        beta = beta + pace * step
        if np.abs(pace * step).max() < STEP_TOLERANCE:
            break
    fitted: np.ndarray = expit(design @ beta)
    return fitted


def perfect_index(
    codes: np.ndarray, proba: np.ndarray, scale: float = 1.0
) -> tuple[float, float, float]:
    """`calibration_index` of classes drawn from the probabilities: mean, 2.5 and 97.5 per cent.

    The curve is that of one step of Newton's method from the probabilities, which are the truth.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        The true ones: they decide between groups and a curve.
    proba : ndarray of shape (n, C)
    scale : float, default=1.0
        Root of samples over independent units, by which chance is larger.

    Examples
    --------
    >>> p = np.linspace(0.05, 0.95, 100)
    >>> mean, low, high = perfect_index((p > 0.5).astype(int), np.column_stack([1 - p, p]))
    >>> round(mean, 2), low < 0.05, high > 0.1
    (0.07, True, True)
    """
    gaps = [
        (k, proba[:, k], _gap_of_residuals(proba[:, k], _many_of_each(codes, proba)))
        for k in _judged_classes(proba)
    ]
    draw, ends = generator(0, "calibration"), proba.cumsum(axis=1)[:, :-1]
    found = np.empty(N_DRAWS)
    for at in range(N_DRAWS):
        drawn = (draw.random(len(proba))[:, None] > ends).sum(axis=1)
        found[at] = scale * np.mean([gap((drawn == k) - p) for k, p, gap in gaps])
    low, high = np.quantile(found, [0.025, 0.975])
    return float(found.mean()), float(low), float(high)


def _gap_of_residuals(p: np.ndarray, smooth: bool) -> Callable[[np.ndarray], float]:
    """The mean gap that classes less probabilities (n,) make."""
    if not smooth:
        groups = _group_indicators(p)
        return lambda rest: float(np.abs(rest @ groups).sum() / len(p))
    design = _spline(p)
    inverse = np.linalg.inv(_information(design, p))

    def gap(rest: np.ndarray) -> float:
        return float(np.abs(expit(design[:, 1] + design @ (inverse @ (rest @ design))) - p).mean())

    return gap


def _nothing(note: str) -> Estimate:
    return Estimate(math.nan, math.nan, math.nan, note)

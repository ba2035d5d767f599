"""The points of ROC, precision-recall, calibration and decision curves, for ``results.json``.

With two classes the curves are of the positive class (code 1); with more, of all (sample,
class) pairs one-vs-rest, pooled. Repeats may be stacked as (n_repeats, n, C): their
predictions are pooled too.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from .bootstrap import check_level


def roc_points(codes_true: np.ndarray, proba: np.ndarray, most: int = 200) -> list[list[float]]:
    """Points [false-positive rate, true-positive rate] of the ROC curve, from [0, 0] to [1, 1].

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C) or (n_repeats, n, C)
    most : int, default=200
        At most so many points, evenly spread along the curve.

    Returns
    -------
    list of [float, float]
        Its corners only; empty if all samples are positive or none is.

    Examples
    --------
    >>> roc_points(np.array([0, 0, 1, 1]), np.array([[.9, .1], [.6, .4], [.65, .35], [.2, .8]]))
    [[0.0, 0.0], [0.0, 0.5], [0.5, 0.5], [0.5, 1.0], [1.0, 1.0]]
    """
    true, false = _counts(codes_true, proba)
    if len(true) == 0 or true[-1] == 0 or false[-1] == 0:
        return []
    true, false = np.append(0, true), np.append(0, false)
    step_up, step_right = np.diff(true), np.diff(false)
    turns = step_up[1:] * step_right[:-1] != step_up[:-1] * step_right[1:]
    corners = np.concatenate([[True], turns, [True]])
    return _thin(false[corners] / false[-1], true[corners] / true[-1], most)


def pr_points(codes_true: np.ndarray, proba: np.ndarray, most: int = 200) -> list[list[float]]:
    """Points [recall, precision] at every distinct threshold, from the highest down.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C) or (n_repeats, n, C)
    most : int, default=200
        At most so many points, evenly spread along the curve.

    Returns
    -------
    list of [float, float]
        The first is [0, precision of the first threshold]; steps between the points enclose
        the average precision. Empty if no sample is positive.

    Examples
    --------
    >>> pr_points(np.array([0, 0, 1, 1]), np.array([[.9, .1], [.6, .4], [.65, .35], [.2, .8]]))[:3]
    [[0.0, 1.0], [0.5, 1.0], [0.5, 0.5]]
    """
    true, false = _counts(codes_true, proba)
    if len(true) == 0 or true[-1] == 0:
        return []
    whole = int(np.argmax(true == true[-1])) + 1  # past full recall nothing more is enclosed
    true, false = true[:whole], false[:whole]
    precision = true / (true + false)
    return _thin(np.append(0.0, true / true[-1]), np.append(precision[0], precision), most)


def calibration_points(
    codes_true: np.ndarray, proba: np.ndarray, n_bins: int = 10, level: float = 0.95
) -> list[dict[str, float]]:
    """Observed against predicted probability, in bins of about equal size.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C) or (n_repeats, n, C)
        Probabilities.
    n_bins : int, default=10
        Bins are cut at quantiles of the predictions; equal predictions share a bin, so there
        may be fewer.
    level : float, default=0.95
        For the Wilson intervals. Repeats predict the same samples, so an interval counts a
        bin's predictions divided by the number of repeats.

    Returns
    -------
    list of dict
        ``mean_predicted``, ``observed`` (share of positives), ``n`` (predictions in the bin),
        ``low`` and ``high``; from the lowest predictions up.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference.

    Examples
    --------
    >>> codes = np.array([0, 0, 1, 1])
    >>> proba = np.array([[.9, .1], [.9, .1], [.1, .9], [.1, .9]])
    >>> [(p["mean_predicted"], p["observed"], p["n"]) for p in calibration_points(codes, proba)]
    [(0.1, 0.0, 2), (0.9, 1.0, 2)]
    """
    check_level(level)
    positive, scores, repeats = _pool(codes_true, proba)
    if len(scores) == 0:
        return []
    edges = np.unique(np.quantile(scores, np.arange(1, n_bins) / n_bins, method="lower"))
    bins = np.searchsorted(edges, scores, side="left")  # an edge closes its bin
    counts = np.bincount(bins)
    used = np.flatnonzero(counts)
    hits = np.bincount(bins, weights=positive)[used]
    sums = np.bincount(bins, weights=scores)[used]
    low, high = wilson_interval(hits / repeats, counts[used] / repeats, level)
    rows = zip(sums / counts[used], hits / counts[used], counts[used], low, high, strict=True)
    return [
        {"mean_predicted": float(m), "observed": float(o), "n": int(n), "low": float(a),
         "high": float(b)}
        for m, o, n, a, b in rows
    ]  # fmt: skip


def decision_curve_points(codes_true: np.ndarray, proba: np.ndarray) -> list[dict[str, float]]:
    """Net benefit of acting on a prediction, by the probability from which one acts.

    At threshold pt a false positive weighs pt / (1 - pt) of a true one, so the net benefit
    is ``TP/n - FP/n * pt / (1 - pt)``, in true positives a prediction. Acting on nobody has 0.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C) or (n_repeats, n, C)
        Probabilities. The curves of repeats are averaged; with more than two classes so are
        those of the classes, each against the rest.

    Returns
    -------
    list of dict
        ``threshold`` (0.01 to 0.99), ``net_benefit`` of acting where the probability is at
        least the threshold, and ``treat_all``, that of acting on everybody. Empty without
        predictions.

    References
    ----------
    Vickers & Elkin (2006), Decision curve analysis, Medical Decision Making 26, 565-574.

    Examples
    --------
    >>> codes = np.array([0, 0, 1, 1])
    >>> proba = np.array([[.9, .1], [.4, .6], [.45, .55], [.2, .8]])
    >>> decision_curve_points(codes, proba)[49]
    {'threshold': 0.5, 'net_benefit': 0.25, 'treat_all': 0.0}
    """
    # Repeats and classes have equal numbers of predictions: the mean of curves is the pool's.
    positive, scores, _ = _pool(codes_true, proba)
    n = len(scores)
    if n == 0:
        return []
    thresholds = np.arange(1, 100) / 100
    order = np.argsort(scores, kind="stable")
    below = np.searchsorted(scores[order], thresholds, side="left")
    hits = np.append(0, np.cumsum(positive[order]))
    total = hits[-1]
    true = total - hits[below]
    false = n - below - true
    odds = np.arange(1, 100) / np.arange(99, 0, -1)
    benefit = (true - false * odds) / n
    everybody = (total - (n - total) * odds) / n
    rows = zip(thresholds, benefit, everybody, strict=True)
    return [
        {"threshold": float(t), "net_benefit": float(b), "treat_all": float(a)} for t, b, a in rows
    ]


def wilson_interval(
    hits: np.ndarray, n: np.ndarray, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's score interval of a share.

    Parameters
    ----------
    hits, n : array-like of float
        Successes and trials; n above 0.
    level : float, default=0.95

    Returns
    -------
    low, high : ndarray

    Examples
    --------
    >>> low, high = wilson_interval(8, 10)
    >>> round(float(low), 4), round(float(high), 4)
    (0.4902, 0.9433)
    """
    n = np.asarray(n, dtype=np.float64)
    share = np.asarray(hits, dtype=np.float64) / n
    z = NormalDist().inv_cdf((1.0 + level) / 2.0)
    shrink = 1.0 + z * z / n
    centre = (share + z * z / (2.0 * n)) / shrink
    reach = z / shrink * np.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    # the ends are 0 and 1 exactly for no and all hits, where rounding may pass them
    return np.maximum(centre - reach, 0.0), np.minimum(centre + reach, 1.0)


def _pool(codes: np.ndarray, proba: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Whether each pooled prediction is of a positive, its score, and the number of repeats."""
    proba = np.asarray(proba, dtype=np.float64)
    proba = proba[None] if proba.ndim == 2 else proba
    repeats, _, C = proba.shape
    own = np.asarray(codes)[:, None] == np.arange(C)
    if C == 2:
        own, proba = own[:, 1:], proba[:, :, 1:]
    return np.tile(own.ravel(), repeats), proba.ravel(), repeats


def _counts(codes: np.ndarray, proba: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positives and negatives at or above each distinct score, from the highest down."""
    positive, scores, _ = _pool(codes, proba)
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(order) else order
    true = np.cumsum(positive[order])[ends]
    return true, ends + 1 - true


def _thin(x: np.ndarray, y: np.ndarray, most: int) -> list[list[float]]:
    """At most `most` points, evenly spread along the length of the curve; both ends stay."""
    if len(x) > most:
        along = np.append(0.0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
        wanted = np.linspace(0.0, along[-1], most)
        keep = np.unique(np.searchsorted(along, wanted, side="left").clip(0, len(x) - 1))
        keep[0], keep[-1] = 0, len(x) - 1
        x, y = x[keep], y[keep]
    return [[float(a), float(b)] for a, b in zip(x, y, strict=True)]

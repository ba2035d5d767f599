"""The points of ROC, precision-recall, calibration and decision curves, for ``results.json``.

With two classes the curves are of the positive class (code 1). The ROC curve is the mean of the
folds' own curves, and with more classes the mean of theirs, each against the rest. The others are
of all predictions, with more classes of all (sample, class) pairs; those of repeats are pooled.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from .intervals import check_level


def roc_points(
    codes_true: np.ndarray,
    proba: np.ndarray,
    folds: Sequence[slice] | None = None,
    most: int = 200,
) -> list[list[float]]:
    """Points [false-positive rate, true-positive rate] of the ROC curve, from [0, 0] to [1, 1].

    Beliefs of models of different folds are not on one scale, so each fold has a curve of its
    own. The curve is their mean at each false-positive rate, weighted by the pairs of a
    positive and a negative in the fold: its area is the share of such pairs in the right
    order, the AUC of a study.

    Parameters
    ----------
    codes_true : ndarray of shape (m,) of int
    proba : ndarray of shape (m, C)
    folds : sequence of slice, optional
        Predictions that are on one scale; all of them by default.
    most : int, default=200
        At most so many points, evenly spread along the curve.

    Returns
    -------
    list of [float, float]
        Its corners only; empty where some class has no pair in any fold.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis. Pattern Recognition Letters 27, 861-874,
    section 9 (vertical averaging).

    Examples
    --------
    >>> roc_points(np.array([0, 0, 1, 1]), np.array([[.9, .1], [.6, .4], [.65, .35], [.2, .8]]))
    [[0.0, 0.0], [0.0, 0.5], [0.5, 0.5], [0.5, 1.0], [1.0, 1.0]]
    """
    slices = [slice(0, len(codes_true))] if folds is None else folds
    C = proba.shape[1]
    classes = [1] if C == 2 else list(range(C))
    own = [_fold_curves(codes_true == k, proba[:, k], slices) for k in classes]
    if not all(own):
        return []
    x = np.unique(np.concatenate([u for curves in own for _, u, _, _ in curves]))
    below, above = np.zeros(len(x)), np.zeros(len(x))
    for curves in own:
        total = sum(pairs for pairs, *_ in curves) * len(classes)
        for pairs, u, low, high in curves:
            left, right = _curve_limits(x, u, low, high)
            below += pairs / total * left
            above += pairs / total * right
    x, y = np.repeat(x, 2), np.clip(np.column_stack([below, above]).ravel(), 0.0, 1.0)
    moved = np.append(True, (np.diff(x) > 0) | (np.diff(y) > 1e-15))
    x, y = x[moved], y[moved]
    step_right, step_up = np.diff(x), np.diff(y)
    turns = np.abs(step_up[1:] * step_right[:-1] - step_up[:-1] * step_right[1:]) > 1e-15
    corners = np.concatenate([[True], turns, [True]])
    return _thin_curve(x[corners], y[corners], most)


Curve = tuple[float, np.ndarray, np.ndarray, np.ndarray]


def _fold_curves(positive: np.ndarray, scores: np.ndarray, folds: Sequence[slice]) -> list[Curve]:
    """(pairs, false-positive rates, least and largest true-positive rate there) of each fold."""
    curves = []
    for at in folds:
        true, false = _score_steps(positive[at], scores[at])
        pairs = float(true[-1] * false[-1]) if len(true) else 0.0
        if pairs:
            x = np.append(0, false) / false[-1]
            y = np.append(0, true) / true[-1]
            u, first = np.unique(x, return_index=True)
            last = np.append(first[1:], len(x)) - 1
            curves.append((pairs, u, y[first], y[last]))
    return curves


def _curve_limits(
    x: np.ndarray, u: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A fold's curve at x, approached from the left and from the right."""
    i = np.searchsorted(u, x, side="left")
    there = u[i] == x
    before = np.maximum(i - 1, 0)
    width = np.where(there, 1.0, u[i] - u[before])
    between = high[before] + (low[i] - high[before]) * (x - u[before]) / width
    return np.where(there, low[i], between), np.where(there, high[i], between)


def pr_points(codes_true: np.ndarray, proba: np.ndarray, most: int = 200) -> list[list[float]]:
    """Points [recall, precision] at every distinct threshold, from the highest down.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C)
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
    true, false = _cumulative_counts(codes_true, proba)
    if len(true) == 0 or true[-1] == 0:
        return []
    end = int(np.argmax(true == true[-1])) + 1  # past full recall nothing more is enclosed
    true, false = true[:end], false[:end]
    precision = true / (true + false)
    return _thin_curve(np.append(0.0, true / true[-1]), np.append(precision[0], precision), most)


def calibration_points(
    codes_true: np.ndarray,
    proba: np.ndarray,
    n_bins: int = 10,
    level: float = 0.95,
    inflation: float = 1.0,
) -> list[dict[str, float]]:
    """Observed against predicted probability, in bins of about equal size.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C)
        Probabilities.
    n_bins : int, default=10
        Bins are cut at quantiles of the predictions; equal predictions share a bin, so there
        may be fewer.
    level : float, default=0.95
        For the Wilson intervals.
    inflation : float, default=1
        An interval counts a bin's predictions divided by this: repeats predict the same
        samples, and predictions of one model are not independent.

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
    positive, scores = _pooled_scores(codes_true, proba)
    if len(scores) == 0:
        return []
    edges = np.unique(np.quantile(scores, np.arange(1, n_bins) / n_bins, method="lower"))
    bins = np.searchsorted(edges, scores, side="left")  # an edge closes its bin
    counts = np.bincount(bins)
    used = np.flatnonzero(counts)
    hits = np.bincount(bins, weights=positive)[used]
    sums = np.bincount(bins, weights=scores)[used]
    low, high = wilson_interval(hits / inflation, counts[used] / inflation, level)
    rows = zip(sums / counts[used], hits / counts[used], counts[used], low, high, strict=True)
    return [
        {
            "mean_predicted": float(m),
            "observed": float(o),
            "n": int(n),
            "low": float(a),
            "high": float(b),
        }
        for m, o, n, a, b in rows
    ]


def decision_curve_points(codes_true: np.ndarray, proba: np.ndarray) -> list[dict[str, float]]:
    """Net benefit of acting on a prediction, by the probability from which one acts.

    At threshold pt a false positive weighs pt / (1 - pt) of a true one, so the net benefit
    is ``TP/n - FP/n * pt / (1 - pt)``, in true positives a prediction. Acting on nobody has 0.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
    proba : ndarray of shape (n, C)
        Probabilities. With more than two classes the curves of the classes, each against the
        rest, are averaged; so are those of repeats, whose predictions stand one after the other.

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
    positive, scores = _pooled_scores(codes_true, proba)
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


def _pooled_scores(codes: np.ndarray, proba: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether each prediction is of a positive, and its score."""
    C = proba.shape[1]
    own = np.asarray(codes)[:, None] == np.arange(C)
    return (own[:, 1], proba[:, 1]) if C == 2 else (own.ravel(), proba.ravel())


def _cumulative_counts(codes: np.ndarray, proba: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positives and negatives at or above each distinct score of the pool."""
    positive, scores = _pooled_scores(codes, proba)
    return _score_steps(positive, scores)


def _score_steps(positive: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positives and negatives at or above each distinct score, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(order) else order
    true = np.cumsum(positive[order])[ends]
    return true, ends + 1 - true


def _thin_curve(x: np.ndarray, y: np.ndarray, most: int) -> list[list[float]]:
    """At most `most` points of a curve, both ends among them."""
    return [[float(x[k]), float(y[k])] for k in spread_along([x, y], most)]


def spread_along(path: Sequence[np.ndarray], most: int) -> np.ndarray:
    """At most `most` of a path's points, evenly spread along its length; both ends stay."""
    n = len(path[0])
    if n <= most:
        return np.arange(n)
    along = np.append(0.0, np.cumsum(sum(np.abs(np.diff(one)) for one in path)))
    wanted = np.linspace(0.0, along[-1], most)
    keep = np.unique(np.searchsorted(along, wanted, side="left").clip(0, n - 1))
    keep[0], keep[-1] = 0, n - 1
    return keep

"""Bootstrap intervals for the metrics of pooled out-of-fold predictions.

A resample is a column of integer weights, how often each sample was drawn, so a metric is
computed for all resamples at once instead of a thousand times on copied rows. The draw is
stratified by class: every resample has the class counts of the data, and every class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .._core.errors import DataError, PlanError
from .confusion_matrix import weighted_confusion
from .registry import Metric, get_metric, n_classes

BLOCK = 2_000_000  # weights in memory at a time: bounds it at some 100 MB for any n

Predictions = list[tuple[np.ndarray, np.ndarray | None]]


def pooled_scores(
    codes_true: np.ndarray,
    codes_pred: np.ndarray | Sequence[np.ndarray],
    proba: np.ndarray | Sequence[np.ndarray] | None,
    metrics: Iterable[str | Metric],
) -> dict[str, float]:
    """Mean over repeats of each metric of the pooled predictions.

    Parameters
    ----------
    codes_true : ndarray of shape (n,) of int
        Class codes, 0..C-1.
    codes_pred : ndarray of shape (n,) or (n_repeats, n), or a list of (n,)
        Predicted codes, each sample predicted once a repeat.
    proba : ndarray of shape (n, C) or (n_repeats, n, C), or a list of (n, C), or None
        Beliefs; None if every metric needs labels only.
    metrics : iterable of str or Metric

    Returns
    -------
    dict of str to float
        NaN where the metric is undefined.

    Examples
    --------
    >>> codes = np.array([0, 0, 1, 1])
    >>> pooled_scores(codes, [codes, np.array([0, 1, 1, 1])], None, ["bcr", "accuracy"])
    {'bcr': 0.875, 'accuracy': 0.875}
    """
    repeats = _repeats(codes_true, codes_pred, proba)
    chosen = [get_metric(m) for m in metrics]
    return {
        m.name: float(np.mean([m(codes_true, pred, beliefs) for pred, beliefs in repeats]))
        for m in chosen
    }


def bootstrap_intervals(
    codes_true: np.ndarray,
    codes_pred: np.ndarray | Sequence[np.ndarray],
    proba: np.ndarray | Sequence[np.ndarray] | None,
    metrics: Iterable[str | Metric],
    n_boot: int,
    rng: np.random.Generator,
    groups: np.ndarray | None = None,
    level: float = 0.95,
) -> dict[str, tuple[float, float]]:
    """Percentile intervals for `pooled_scores`, by resampling samples within classes.

    The same samples are drawn for every repeat, since repeats predict the same samples. They
    cover the choice of samples to predict, not that of the samples to learn from.

    Parameters
    ----------
    codes_true, codes_pred, proba, metrics
        As in `pooled_scores`.
    n_boot : int
        Number of resamples.
    rng : numpy.random.Generator
    groups : array-like of shape (n,), optional
        Whole groups are drawn, within strata of groups that hold the same set of classes.
    level : float, default=0.95
        Coverage aimed at, between 0 and 1.

    Returns
    -------
    dict of str to (low, high)
        (NaN, NaN) where the metric is undefined.

    Raises
    ------
    PlanError
        Unknown metric, `n_boot` below 1, or `level` not between 0 and 1.
    DataError
        Arrays of different lengths.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.

    Examples
    --------
    >>> codes = np.repeat([0, 1], 20)
    >>> predicted = np.where(np.arange(40) % 5 == 0, 1 - codes, codes)
    >>> rng = np.random.default_rng(0)
    >>> low, high = bootstrap_intervals(codes, predicted, None, ["bcr"], 1000, rng)["bcr"]
    >>> 0.6 < low < 0.75 and 0.85 < high < 1.0  # 0.8 +- 0.12, the binomial error of 40 samples
    True
    """
    if n_boot < 1:
        raise PlanError(f"n_boot is {n_boot}: take at least 1 resample (1000 is usual)")
    check_level(level)
    repeats = _repeats(codes_true, codes_pred, proba)
    chosen = [get_metric(m) for m in metrics]
    values = {m.name: np.empty(n_boot) for m in chosen}
    start = 0
    for weights in resample_weights(codes_true, n_boot, rng, groups):
        stop = start + weights.shape[1]
        for name, block in _resampled(codes_true, repeats, chosen, weights).items():
            values[name][start:stop] = block
        start = stop
    tails = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    ends = {name: np.quantile(v, tails) for name, v in values.items()}
    return {name: (float(low), float(high)) for name, (low, high) in ends.items()}


def resample_weights(
    codes: np.ndarray, n_boot: int, rng: np.random.Generator, groups: np.ndarray | None = None
) -> Iterator[np.ndarray]:
    """How often each sample was drawn: blocks (n, b) of `n_boot` columns in all, float64."""
    n = len(codes)
    if groups is None:
        units, strata = np.arange(n), codes
    else:
        _, units = np.unique(np.asarray(groups), return_inverse=True)
        if len(units) != n:
            raise DataError(f"groups has {len(units)} entries for {n} samples: give one a sample")
        # A class sits in some stratum all of whose groups hold it, so no resample lacks it.
        holds = np.zeros((units.max() + 1, codes.max() + 1), dtype=np.int64)
        holds[units, codes] = 1
        _, strata = np.unique(holds, axis=0, return_inverse=True)
        strata = strata.reshape(-1)
    members = [np.flatnonzero(strata == s) for s in np.unique(strata)]
    width = max(1, BLOCK // n)
    for start in range(0, n_boot, width):
        b = min(width, n_boot - start)
        drawn = np.empty((len(strata), b))
        for rows in members:
            picks = rng.integers(0, len(rows), size=(len(rows), b)) * b + np.arange(b)
            drawn[rows] = np.bincount(picks.ravel(), minlength=len(rows) * b).reshape(-1, b)
        yield drawn if groups is None else drawn[units]


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1)."""
    if not 0.0 < level < 1.0:
        raise PlanError(f"level is {level}: a confidence level lies between 0 and 1, such as 0.95")


def _resampled(
    codes: np.ndarray, repeats: Predictions, metrics: Sequence[Metric], weights: np.ndarray
) -> dict[str, np.ndarray]:
    """Each metric's mean over repeats, for every column of `weights`."""
    totals = {m.name: np.zeros(weights.shape[1]) for m in metrics}
    for pred, proba in repeats:
        matrices = weighted_confusion(codes, pred, n_classes(codes, pred, proba), weights)
        for metric in metrics:
            if metric.of_confusion is not None:
                totals[metric.name] += metric.of_confusion(matrices)
            elif metric.of_weighted_beliefs is not None and proba is not None:
                totals[metric.name] += metric.of_weighted_beliefs(codes, proba, weights)
            else:
                raise PlanError(f"metric {metric.name!r} needs class probabilities (proba)")
    return {name: total / len(repeats) for name, total in totals.items()}


def _repeats(codes_true: np.ndarray, codes_pred: Any, proba: Any) -> Predictions:
    """(predicted codes, beliefs) of every repeat."""
    n = len(codes_true)
    preds = np.asarray(codes_pred)
    preds = preds[None] if preds.ndim == 1 else preds
    if preds.ndim != 2 or preds.shape[1] != n or n == 0:
        raise DataError(
            f"predicted codes have shape {np.shape(codes_pred)}: give ({n},) or (repeats, {n})"
        )
    if proba is None:
        return [(pred, None) for pred in preds]
    beliefs = np.asarray(proba, dtype=np.float64)
    beliefs = beliefs[None] if beliefs.ndim == 2 else beliefs
    if beliefs.ndim != 3 or beliefs.shape[:2] != preds.shape:
        raise DataError(
            f"proba has shape {np.shape(proba)} for predicted codes of shape "
            f"{np.shape(codes_pred)}: give (n, C), or (repeats, n, C)"
        )
    return list(zip(preds, beliefs, strict=True))

"""Scores of an order: areas under the ROC and the precision-recall curve.

Each comes twice: for one set of samples, and for integer weights (n, B), one column a
bootstrap resample. The weighted form sorts once; a resample then costs a cumulative sum.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def binary_auc(positive: np.ndarray, scores: np.ndarray) -> float:
    """Share of (positive, negative) pairs in the right order, ties counting half.

    The same number as (sum of mid-ranks of the positives - n+(n+ + 1)/2) / (n+ n-).
    NaN without positives or without negatives.
    """
    above, below = scores[positive], np.sort(scores[~positive])
    pairs = len(above) * len(below)
    if pairs == 0:
        return float("nan")
    ends = below.searchsorted(above, "left").sum() + below.searchsorted(above, "right").sum()
    return float(ends) / (2 * pairs)


def binary_average_precision(positive: np.ndarray, scores: np.ndarray) -> float:
    """Sum over distinct scores, from the highest, of (gain in recall) x (precision there).

    NaN without positives.
    """
    order = np.argsort(-scores)
    ordered = scores[order]
    last = np.empty(len(order), dtype=bool)  # of a run of equal scores
    last[-1:] = True
    np.not_equal(ordered[1:], ordered[:-1], out=last[:-1])
    ends = last.nonzero()[0]
    found = positive[order].cumsum()[ends]
    if len(found) == 0 or found[-1] == 0:
        return float("nan")
    gained = found.copy()
    gained[1:] -= found[:-1]
    return float((gained * found / (ends + 1)).sum() / found[-1])


def weighted_binary_auc(
    positive: np.ndarray, scores: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """`binary_auc` of every column of `weights` (n, B); (B,)."""
    up, down = _runs(positive, scores, weights)
    pairs = up.sum(axis=0) * down.sum(axis=0)
    below = np.cumsum(down, axis=0)
    below -= 0.5 * down  # a tied negative counts half
    return _ratio(np.einsum("ij,ij->j", up, below), pairs)


def weighted_binary_average_precision(
    positive: np.ndarray, scores: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """`binary_average_precision` of every column of `weights` (n, B); (B,)."""
    up, down = _runs(positive, -scores, weights)
    found = np.cumsum(up, axis=0)
    taken = np.cumsum(down, axis=0)
    taken += found
    np.maximum(taken, 1.0, out=taken)  # nothing is gained where nothing was taken
    np.divide(found, taken, out=taken)
    return _ratio(np.einsum("ij,ij->j", up, taken), up.sum(axis=0))


def _runs(
    positive: np.ndarray, scores: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Weights of positives and of negatives at each distinct score, lowest first: (runs, B)."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    inside = weights[order]
    mask = positive[order][:, None]
    up, down = inside * mask, inside * ~mask
    if first.all():
        return up, down
    starts = np.flatnonzero(first)
    return np.add.reduceat(up, starts, axis=0), np.add.reduceat(down, starts, axis=0)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)


def auc_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """AUC of the positive class (code 1) of two; else the one-vs-rest AUC averaged over classes."""
    if proba.shape[1] == 2:
        return binary_auc(codes == 1, proba[:, 1])
    return _over_classes(binary_auc, codes, proba)


def auprc_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """Average precision, averaged over all classes (over both, with two)."""
    return _over_classes(binary_average_precision, codes, proba)


def weighted_auc_of(codes: np.ndarray, proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`auc_of` of every column of `weights` (n, B); (B,)."""
    if proba.shape[1] == 2:
        return weighted_binary_auc(codes == 1, proba[:, 1], weights)
    columns = range(proba.shape[1])
    total = sum(weighted_binary_auc(codes == k, proba[:, k], weights) for k in columns)
    return np.asarray(total / proba.shape[1])


def weighted_auprc_of(codes: np.ndarray, proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`auprc_of` of every column of `weights` (n, B); (B,)."""
    columns = range(proba.shape[1])
    total = sum(
        weighted_binary_average_precision(codes == k, proba[:, k], weights) for k in columns
    )
    return np.asarray(total / proba.shape[1])


def _over_classes(
    score: Callable[[np.ndarray, np.ndarray], float], codes: np.ndarray, proba: np.ndarray
) -> float:
    C = proba.shape[1]
    return sum(score(codes == k, proba[:, k]) for k in range(C)) / C

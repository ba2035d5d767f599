"""Scores of an order: areas under the ROC and the precision-recall curve."""

from __future__ import annotations

import numpy as np


def ordered_pairs(positive: np.ndarray, scores: np.ndarray) -> tuple[float, int]:
    """(positive, negative) pairs in the right order, ties counting half, and all pairs.

    The first is (sum of mid-ranks of the positives - n+(n+ + 1)/2).
    """
    above, below = scores[positive], np.sort(scores[~positive])
    ends = below.searchsorted(above, "left").sum() + below.searchsorted(above, "right").sum()
    return float(ends) / 2, len(above) * len(below)


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


def pairs_of(codes: np.ndarray, proba: np.ndarray) -> np.ndarray:
    """Pairs in the right order and all pairs, (2, C), of each class against the rest.

    They add up over folds. With two classes the order is that of the beliefs in code 1, whose
    row serves both.
    """
    C = proba.shape[1]
    if C == 2:
        own = ordered_pairs(codes == 1, proba[:, 1])
        return np.array([own, own]).T
    return np.array([ordered_pairs(codes == k, proba[:, k]) for k in range(C)]).T


def areas_of(pairs: np.ndarray) -> np.ndarray:
    """AUC of each class from its pairs (2, ..., C); NaN where there is no pair."""
    return np.divide(pairs[0], pairs[1], out=np.full(pairs[1].shape, np.nan), where=pairs[1] > 0)


def auc_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """AUC of the positive class (code 1) of two; else the one-vs-rest AUC averaged over classes."""
    return float(areas_of(pairs_of(codes, proba)).mean())


def auprc_of(codes: np.ndarray, proba: np.ndarray) -> float:
    """Average precision, averaged over all classes (over both, with two)."""
    C = proba.shape[1]
    return sum(binary_average_precision(codes == k, proba[:, k]) for k in range(C)) / C

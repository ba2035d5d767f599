"""How well the batch of a sample predicts its class, by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.dataset import Dataset
from .collect import Choice


def batch_alone(data: Dataset, codes: np.ndarray, choices: Sequence[Choice]) -> float:
    """Balanced accuracy of guessing, in the study's own folds, the class that a sample's batch is
    richest in among the training samples; among several such, or in a batch not seen, any."""
    y, C, B = data.codes, len(data.classes), int(codes.max()) + 1
    right, total = np.zeros(C), np.zeros(C)
    for choice in choices:
        train = np.ones(len(y), dtype=bool)
        train[choice.test] = False
        counts = np.zeros((B, C))
        np.add.at(counts, (codes[train], y[train]), 1)
        shares = counts / np.maximum(counts.sum(axis=0), 1)
        best = shares == shares.max(axis=1, keepdims=True)
        guess = best / best.sum(axis=1, keepdims=True)
        np.add.at(right, y[choice.test], guess[codes[choice.test], y[choice.test]])
        np.add.at(total, y[choice.test], 1)
    seen = total > 0  # a class may never be held out
    return float((right[seen] / total[seen]).mean())

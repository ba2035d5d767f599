"""What the batch of a sample tells of its class, by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.dataset import Dataset
from .collect import Choice

DRAWS = 999


def class_by_batch(data: Dataset, codes: np.ndarray) -> float:
    """p-value of independence of class and batch: chi-square, labels exchanged 999 times.

    `codes` (n,) are those of the batches. Groups are the units, each a mean of its rows.
    """
    units = np.arange(len(codes)) if data.groups is None else data.groups
    names, place = np.unique(units, return_inverse=True)
    held = np.bincount(place).astype(float)
    classes, batches = (np.zeros((len(names), int(own.max()) + 1)) for own in (data.codes, codes))
    np.add.at(classes, (place, data.codes), 1 / held[place])
    np.add.at(batches, (place, codes), 1 / held[place])
    expected = classes.sum(axis=0)[:, None] * batches.sum(axis=0) / len(names)

    def statistic(order: np.ndarray) -> float:
        return float((((classes[order].T @ batches - expected) ** 2) / expected).sum())

    rng = np.random.default_rng(0)
    observed = statistic(np.arange(len(names))) * (1 - 1e-12)
    reached = sum(statistic(rng.permutation(len(names))) >= observed for _ in range(DRAWS))
    return (1 + reached) / (1 + DRAWS)


def batch_alone(data: Dataset, codes: np.ndarray, choices: Sequence[Choice]) -> float:
    """Balanced rate of guessing, in the study's own folds, the class that a sample's batch is
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
    return float((right / total)[total > 0].mean())

"""Classes, groups, batches and blocks of the samples, counted."""

from __future__ import annotations

import numpy as np

from ..data.dataset import Dataset
from .schema import BatchSeen, GroupsSeen, Named


def classes_seen(data: Dataset) -> list[Named]:
    """Samples of each class."""
    if data.y is None:
        return []
    return [{"name": name, "n": int((data.y == name).sum())} for name in data.classes]


def split_seen(data: Dataset) -> list[Named]:
    """Samples of each predefined fold."""
    if data.split is None:
        return []
    names, counts = np.unique(data.split, return_counts=True)
    return [{"name": str(name), "n": int(n)} for name, n in zip(names, counts, strict=True)]


def groups_seen(data: Dataset) -> GroupsSeen | None:
    """How many groups, and how large they are."""
    if data.groups is None:
        return None
    names, place, counts = np.unique(data.groups, return_inverse=True, return_counts=True)
    several = 0
    if data.y is not None:
        held = np.unique(np.stack([place, data.codes], axis=1), axis=0)[:, 0]
        several = int((np.bincount(held, minlength=len(names)) > 1).sum())
    return {
        "n": len(names), "largest": int(counts.max()), "single": int((counts == 1).sum()),
        "several_classes": several,
    }  # fmt: skip


def batches_seen(data: Dataset) -> list[BatchSeen]:
    """Samples of each batch, by class."""
    if data.batches is None:
        return []
    names, place = np.unique(data.batches, return_inverse=True)
    codes = np.zeros(len(place), np.int64) if data.y is None else data.codes
    counts = np.zeros((len(names), max(len(data.classes), 1)), np.int64)
    np.add.at(counts, (place, codes), 1)
    return [
        {"name": str(name), "n": int(own.sum()), "classes": [] if data.y is None else own.tolist()}
        for name, own in zip(names, counts, strict=True)
    ]

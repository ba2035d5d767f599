"""Classes, groups, batches and blocks of the samples, counted."""

from __future__ import annotations

import numpy as np

from .. import __version__
from ..data.dataset import Dataset
from .before import suspects_in
from .schema import BatchSeen, GroupsSeen, Named, NumberSeen, Seen
from .thirds import in_thirds

SCHEMA = 1


def people_seen(data: Dataset, kind: str) -> Seen:
    """What a look begins with; what it finds is added to it. A number is counted by its thirds."""
    suspects, numbers, data = suspects_in(data), data.numbers, in_thirds(data)
    return {
        "schema": SCHEMA,
        "kind": kind,
        "versions": {"tamis": __version__},
        "settings": {},
        "command": "",
        "name": data.name,
        "samples": data.shape[0],
        "target": None if data.y is None else data.target,
        "number": None if numbers is None else number_seen(numbers),
        "positive": data.classes[-1] if numbers is None and len(data.classes) == 2 else None,
        "classes": classes_seen(data),
        "groups": groups_seen(data),
        "batches": batches_seen(data),
        "split": split_seen(data),
        "covariates": [data.feature_names[j] for j in data.covariates],
        "suspects": suspects,
        "cautions": [],
        "notes": [note for note in data.notes if note not in data.doubts],
    }


def number_seen(numbers: np.ndarray) -> NumberSeen:
    """The values of the number to predict."""
    low, median, high = np.quantile(numbers, [0.0, 0.5, 1.0]).tolist()
    return {"low": low, "median": median, "high": high}


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
        "n": len(names),
        "largest": int(counts.max()),
        "single": int((counts == 1).sum()),
        "several_classes": several,
    }


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

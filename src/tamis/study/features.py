"""Which features a study chose, how often, and what each stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.dataset import Dataset
from .collect import Choice, Collected

SHOWN = 100
NEAR = 0.9  # |r| from which two features are near-duplicates
NEIGHBOURS = 20


def frequencies(choices: Sequence[Choice], n_features: int) -> np.ndarray:
    """Share of the outer folds that chose each feature, (n_features,)."""
    counts = np.zeros(n_features)
    for choice in choices:
        counts[choice.features] += 1
    return counts / max(len(choices), 1)


@dataclass(frozen=True)
class FeatureTable:
    """Every feature of the data: shares by procedure, best first.

    Attributes
    ----------
    order : ndarray
        Features, most often chosen by the headline first; then by any method, then by
        column.
    headline : ndarray of shape (n_features,)
    by_method : dict of method to ndarray
    final : ndarray of shape (n_features,), bool
    """

    order: np.ndarray
    headline: np.ndarray
    by_method: dict[str, np.ndarray]
    final: np.ndarray


def feature_table(collected: Collected, n_features: int) -> FeatureTable:
    """Selection frequencies of all features."""
    head = frequencies(collected.headline, n_features)
    by_method = {k: frequencies(c, n_features) for k, c in collected.methods.items()}
    final = np.zeros(n_features, dtype=bool)
    if collected.final is not None:
        final[collected.final.features] = True
    anywhere = np.mean(list(by_method.values()), axis=0)
    order = np.lexsort((np.arange(n_features), -anywhere, ~final, -head))
    return FeatureTable(order, head, by_method, final)


def near_duplicates(data: Dataset, features: np.ndarray) -> list[list[dict[str, Any]]]:
    """For each feature the others with |correlation| >= 0.9 over all samples, nearest first.

    A description of the data, used by nothing that learns. Missing values count as the
    column's mean; categorical columns have no near-duplicates.
    """
    Q = _standardised(data, features)
    found: list[list[tuple[float, int]]] = [[] for _ in features]
    for start in range(0, data.shape[1], 4096):
        block = np.arange(start, min(start + 4096, data.shape[1]))
        r = Q.T @ _standardised(data, block)
        for i, j in zip(*np.nonzero(np.abs(r) >= NEAR), strict=True):
            if block[j] != features[i]:
                found[i].append((float(r[i, j]), int(block[j])))
    names = data.feature_names
    return [
        [
            {"name": names[j], "r": round(min(max(r, -1.0), 1.0), 4)}
            for r, j in sorted(group, key=lambda pair: (-abs(round(pair[0], 10)), pair[1]))
        ]
        for group in found
    ]


def _standardised(data: Dataset, columns: np.ndarray) -> np.ndarray:
    """Columns with mean 0 and length 1; constant and categorical ones are 0."""
    X = data.X[:, columns].copy()
    X[:, [int(j) in data.levels for j in columns]] = 0.0
    missing = np.isnan(X)
    counts = np.maximum((~missing).sum(axis=0), 1)
    means = np.where(missing, 0.0, X).sum(axis=0) / counts
    X = np.where(missing, 0.0, X - means)
    length = np.sqrt((X**2).sum(axis=0))
    spread = np.abs(means) * np.sqrt(len(X))
    flat = length <= 1e-12 * np.maximum(spread, np.finfo(float).tiny)
    return np.where(flat, 0.0, X / np.where(length > 0, length, 1.0))


def describe(data: Dataset, table: FeatureTable) -> list[dict[str, Any]]:
    """The `features` entry of docs/json.md: at most a hundred that anything chose."""
    chosen = (table.headline > 0) | table.final
    shown = table.order[chosen[table.order]][:SHOWN]
    groups = near_duplicates(data, shown)
    entries = []
    for j, group in zip(shown, groups, strict=True):
        column = data.X[:, j]
        means = {}
        for code, name in enumerate(data.classes):
            values = column[data.codes == code]
            values = values[~np.isnan(values)]
            means[name] = float(values.mean()) if len(values) else None
        entries.append(
            {
                "name": data.feature_names[j],
                "frequency": float(table.headline[j]),
                "by_method": {k: float(v[j]) for k, v in table.by_method.items()},
                "in_final": bool(table.final[j]),
                "group": group[:NEIGHBOURS],
                "group_size": len(group),
                "class_means": means,
                "missing": float(np.isnan(column).mean()),
            }
        )
    return entries

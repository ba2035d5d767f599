"""Which features a study chose, and how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .collect import Choice, Collected


def selection_shares(choices: Sequence[Choice], n_features: int) -> np.ndarray:
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
        Features, most often chosen by the headline first; then as the final model ranks them, then
        by any method, then by column.
    headline : ndarray of shape (n_features,)
    by_method : dict of method to ndarray
    final : ndarray of shape (n_features,), bool
    numbers : dict of title to dict of method to ndarray
        What evidence says of each feature, such as its selection probability on all rows.
    anywhere : ndarray of shape (n_features,)
        Mean share over the methods.
    chosen : list of ndarray
        Features of each outer fold's headline.
    """

    order: np.ndarray
    headline: np.ndarray
    by_method: dict[str, np.ndarray]
    final: np.ndarray
    numbers: dict[str, dict[str, np.ndarray]]
    anywhere: np.ndarray
    chosen: list[np.ndarray]


def feature_table(collected: Collected, n_features: int) -> FeatureTable:
    """Selection frequencies of all features."""
    head = selection_shares(collected.headline, n_features)
    by_method = {k: selection_shares(c, n_features) for k, c in collected.methods.items()}
    place = np.full(n_features, n_features)  # in the final model's ranking
    if collected.final is not None:
        place[collected.final.features] = np.arange(len(collected.final.features))
    final = place < n_features
    anywhere = np.mean(list(by_method.values()), axis=0)
    order = np.lexsort((np.arange(n_features), -anywhere, place, -head))
    numbers: dict[str, dict[str, np.ndarray]] = {}
    for name, shown in collected.evidence.items():
        for one in shown:
            if one.title:
                own = numbers.setdefault(one.title, {})
                own[name] = _by_feature(one.numbers, n_features)
    chosen = [choice.features for choice in collected.headline]
    return FeatureTable(order, head, by_method, final, numbers, anywhere, chosen)


def _by_feature(numbers: Mapping[int, float], n_features: int) -> np.ndarray:
    values = np.zeros(n_features)
    for feature, value in numbers.items():
        values[feature] = value
    return values

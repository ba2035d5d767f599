"""Stability selection on all rows: what the final cell keeps of it, and what the results show."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.dataset import Dataset
from ..selection._base import Ranking
from ..selection._error_bounds import inconclusive
from ..selection._stability_ranking import StabilityRanking

SHOWN = 30  # features whose paths are kept
STEPS = 100  # of a path


def kept(ranking: Ranking | None, owner: np.ndarray) -> dict[str, Any] | None:
    """Probabilities, and the paths of the best features, as JSON; None of any other ranking.

    Parameters
    ----------
    ranking : Ranking or None
    owner : ndarray of shape (P,)
        The feature (column of the Dataset) behind each column; a feature of several columns
        counts by its best.
    """
    if not isinstance(ranking, StabilityRanking) or ranking.control is None:
        return None
    order = np.argsort(-ranking.scores[ranking.features], kind="stable")
    _, first = np.unique(owner[ranking.features[order]], return_index=True)
    order = order[np.sort(first)]  # positions in `ranking.features`, one a feature, best first
    columns = ranking.features[order]
    path, lambdas = ranking.probability_path, ranking.lambdas
    steps = np.unique(np.linspace(0, len(path) - 1, min(len(path), STEPS)).round().astype(int))
    penalised = len(lambdas) > 0  # else the steps are the sizes 1 to q
    return {
        **ranking.control.to_dict(),
        "lambdas": lambdas[steps].tolist() if penalised else None,
        "sizes": None if penalised else (steps + 1).tolist(),
        "features": owner[columns].tolist(),
        "probabilities": ranking.probabilities[columns].tolist(),
        "paths": path[np.ix_(steps, order[:SHOWN])].T.tolist(),
    }


def entry(found: dict[str, Any], data: Dataset) -> dict[str, Any]:
    """The `stability_selection` entry of docs/json.md."""
    known = ("q", "threshold", "pfer", "bound", "n_pairs", "n_columns", "lambdas", "sizes")
    names = data.feature_names
    n_stable = sum(p >= found["threshold"] for p in found["probabilities"])
    shown = zip(found["features"], found["probabilities"], found["paths"], strict=False)
    return {
        **{key: found[key] for key in known},
        "n_stable": n_stable,
        "inconclusive": inconclusive(n_stable, found["pfer"]),
        "n_selected": len(found["features"]),
        "features": [
            {"name": names[j], "probability": probability, "path": path}
            for j, probability, path in shown
        ],
    }


def probabilities(found: dict[str, Any], n_features: int) -> np.ndarray:
    """Selection probability of every feature, (n_features,); 0 where no half selected it."""
    values = np.zeros(n_features)
    values[found["features"]] = found["probabilities"]
    return values

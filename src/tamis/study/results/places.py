"""Where the features are that a study chose, if its table says."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.counted import counted_table
from ...data.dataset import Dataset
from ...data.walks import table_behind
from .columns_schema import Place, Places
from .feature_table import FeatureTable

MAX_LISTED_FEATURES = 10_000  # features places


def places_of(data: Dataset, features: np.ndarray) -> list[Place | None]:
    """Of some features; None of those that are no column of the table, such as covariates."""
    table: Any = table_behind(data.X)
    own = features[features < table.shape[1]]
    places = table.places(own)
    found: dict[int, Place] = {}
    each = zip(own, places.chromosome, places.position, places.alleles, strict=True)
    for feature, chromosome, position, (copies_of, other) in each:
        known = chromosome >= 0
        found[int(feature)] = {
            "chromosome": places.chromosomes[chromosome].name if known else None,
            "position": int(position) if known else None,
            "counted": copies_of,
            "other": other,
        }
    return [found.get(int(feature)) for feature in features]


def place_columns(data: Dataset) -> dict[str, np.ndarray]:
    """The same of all features (p,) for a table of them, nothing where it is unknown."""
    table: Any = table_behind(data.X)
    own = np.arange(table.shape[1])
    places = table.places(own)
    names = np.array([*(c.name for c in places.chromosomes), None], dtype=object)
    known = places.chromosome >= 0
    alleles = np.array(places.alleles, dtype=object).reshape(-1, 2)
    found = {
        "chromosome": names[places.chromosome],
        "position": np.where(known, places.position.astype(object), None),
        "counted": alleles[:, 0],
        "other": alleles[:, 1],
    }
    rest = np.full(data.shape[1] - len(own), None)
    return {name: np.concatenate([values, rest]) for name, values in found.items()}


def tells_places(data: Dataset) -> bool:
    """Whether there are any."""
    table = counted_table(table_behind(data.X))
    return table is not None and table.has_places


def places_section(data: Dataset, features: FeatureTable) -> Places:
    """The `places` entry of docs/json.md."""
    table: Any = table_behind(data.X)
    ever = (features.headline > 0) | features.final | (features.anywhere > 0)
    ever[table.shape[1] :] = False
    chosen = features.order[ever[features.order]]
    shown = _bounded_places(chosen, features)
    places = table.places(shown)
    return {
        "chromosomes": [
            {"name": c.name, "first": c.first, "last": c.last, "n": c.n} for c in places.chromosomes
        ],
        "n_chosen": len(chosen),
        "features": {
            "name": [data.feature_names[j] for j in shown],
            "chromosome": places.chromosome.tolist(),
            "position": places.position.tolist(),
            "frequency": features.headline[shown].tolist(),
            "by_method": {k: v[shown].tolist() for k, v in features.by_method.items()},
            "in_final": features.final[shown].tolist(),
        },
    }


def _bounded_places(chosen: np.ndarray, features: FeatureTable) -> np.ndarray:
    """The first ten thousand; of those that tie with the last of these some from end to end, for
    the first of them would all be on the first chromosomes."""
    if len(chosen) <= MAX_LISTED_FEATURES:
        return chosen
    keys = np.stack([features.headline, features.final, features.anywhere])[:, chosen]
    ties = np.flatnonzero((keys == keys[:, [MAX_LISTED_FEATURES - 1]]).all(axis=0))
    free = MAX_LISTED_FEATURES - ties[0]
    spread = ties[np.arange(free) * len(ties) // free]
    return chosen[np.concatenate([np.arange(ties[0]), spread])]

"""Made-up results of searches for sets, of any size, with names that mean harm if asked."""

from __future__ import annotations

from typing import Any

import numpy as np

from report.interactions_fixture import HOSTILE
from tamis.discovery.set_result import graph_of_sets

MEASURES = [
    {"key": "share", "title": "Share", "help": "of its class", "form": "share"},
    {"key": "difference", "title": "Difference", "help": "of shares", "form": "value"},
    {"key": "samples", "title": "Samples", "help": "of its class", "form": "count"},
    {"key": "p", "title": "Family p", "help": "of the search", "form": "p"},
]


def make(
    n: int = 40,
    features: int = 25,
    passing: int = 5,
    tested: bool = True,
    hostile: bool = False,
    classes: tuple[str, ...] = ("ill", "well"),
    largest: int = 5,
    noun: str = "set",
    seed: int = 0,
) -> dict[str, Any]:
    """A dictionary as in ``interactions.json``."""
    rng = np.random.default_rng(seed)
    names = [*(HOSTILE if hostile else ()), *(f"gene {j:03d}" for j in range(features))][:features]
    values = np.sort(rng.uniform(0, 0.6, n))[::-1]
    sets = []
    for k, value in enumerate(values.tolist()):
        size = min(int(rng.integers(2, largest + 1)), features)
        few = sorted(rng.choice(features, size, replace=False).tolist())
        numbers = {"share": value + 0.1, "difference": value, "samples": 12.0}
        if tested:
            numbers["p"] = 0.05 if k < passing else 0.8
        sets.append(
            {
                "parts": [
                    {"feature": names[j], "value": ("", "= 0", "> 1.5", "high")[j % 4]} for j in few
                ],
                "label": classes[k % len(classes)] if noun == "set" else None,
                "numbers": numbers,
                "passes": k < passing if tested else None,
            }
        )
    return {
        "schema": 2,
        "kind": "interactions",
        "method": "rit",
        "name": HOSTILE[0] if hostile else "made up",
        "target": "class",
        "seed": 7,
        "versions": {"tamis": "0.1", "python": "3.12", "numpy": "2.0"},
        "data": {
            "n_samples": 80,
            "n_features": 1000,
            "n_categorical": 3,
            "missing": 0.01,
            "classes": [{"name": c, "size": 40 - i} for i, c in enumerate(classes)],
        },
        "permutation": {"p_value": 0.05 if passing and n else 1.0, "n": 19, "least": 0.05}
        if tested
        else None,
        "remarks": [HOSTILE[1]] if hostile else ["something to know"],
        "sets": {
            "title": "made up trees",
            "noun": noun,
            "sets": sets,
            "n_sets": n,
            "n_written": n,
            "n_passing": passing if tested and n else 0,
            "n_kept": 3,
            "measures": MEASURES if tested else MEASURES[:-1],
            "by": "difference",
            "level": 0.05,
            "threshold": 0.2 if tested else None,
            "maxima": [None, *rng.uniform(0.1, 0.2, 18).tolist()] if tested else [],
        },
        "graph": graph_of_sets(sets, "difference"),
        "headline": ["5 of 40 sets pass."],
        "settings": [["Trees", "100"]],
        "reading": [["Set", "Values that rows share."]],
        "text": "A paragraph.",
        "citations": ["Shah RD, Meinshausen N (2014)."],
    }

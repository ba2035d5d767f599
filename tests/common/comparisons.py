"""Made-up folders of finished studies: what a comparison reads of them, without running them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tamis._core.tsv import table_field, tsv_text
from tamis.metrics import METRICS, HeldOut
from tamis.study.results.schema import SCHEMA

METHODS = {"welch_t": 1.0, "pam": 1.4, "mtd": 0.4}  # name -> how far apart it puts the classes


ENDS = {"mean": 0.0, "low": -0.1, "high": 0.1}  # of a made-up interval, from its middle
UNKNOWN = {  # of no permuted run
    "observed": None, "values": [], "median": None, "most": None, "excess": None, "above": None,
}  # fmt: skip
STABILITY = {"mean_size": None, "nogueira": {"mean": None, "low": None, "high": None}}


def write_study(
    folder: Path,
    name: str,
    methods: dict[str, float] = METHODS,
    seed: int = 0,
    n: int = 40,
    folds: int = 5,
    repeats: int = 1,
    classes: tuple[str, ...] = ("a", "b"),
    **data: Any,
) -> Path:
    """A result folder in which each method scores as its strength lets it; `headline` is 1.2."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % len(classes)
    rows, metrics = [], {}
    for who, strength in {"headline": 1.2, **methods}.items():
        beliefs = rng.normal(size=(repeats, n, len(classes)))
        beliefs[:, np.arange(n), truth] += strength
        beliefs = np.exp(beliefs) / np.exp(beliefs).sum(axis=-1, keepdims=True)
        predicted = beliefs.argmax(axis=-1)
        where = [np.flatnonzero(np.arange(n) * folds // n == f) for f in range(folds)]
        held = HeldOut.of(
            [(at, truth[at], predicted[r, at], beliefs[r, at]) for at in where]
            for r in range(repeats)
        )
        means = {name: held.score(name) for name in METRICS}
        metrics[who] = {
            name: {end: None if np.isnan(v) else v + more for end, more in ENDS.items()}
            for name, v in means.items()
        }
        for r in range(repeats):
            for i in range(n):
                rows.append(
                    [
                        who,
                        r,
                        i * folds // n,
                        f"s{i}",
                        classes[truth[i]],
                        classes[predicted[r, i]],
                        "yes",
                        *map(float, beliefs[r, i]),
                    ]
                )
    result = {
        "schema": SCHEMA,
        "data": {
            "name": name,
            "digest": f"{seed:064x}",
            "values": f"{seed:064x}",
            "n_samples": n,
            "n_features": 100,
            "classes": list(classes),
            "n_groups": None,
            **data,
        },
        "protocol": {
            "outer": f"{folds}-fold",
            "inner": "3-fold",
            "repeats": repeats,
            "metric": "bcr",
        },
        "plan": {
            "metric": "bcr",
            "seed": 0,
            "outer": {"kind": "k-fold", "folds": folds, "repeats": repeats, "test_size": 0.3},
            "method": [{"name": m, "sizes": [2, 5]} for m in methods],
        },
        "metrics": metrics["headline"],
        "headline": {"stability": STABILITY, "folds": []},
        "permutation": {
            "metric": "bcr",
            "outer": f"{folds}-fold",
            "outer_short": f"{folds} folds",
            "observed": None,
            "values": [],
            "p_value": None,
            "n": 0,
            "stability": UNKNOWN,
        },
        "methods": [
            {
                "name": m,
                "reference": False,
                "metrics": metrics[m],
                "stability": STABILITY,
                "n_possible": 100,
            }
            for m in methods
        ],
    }
    (folder / "tables").mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(result), encoding="utf-8")
    head = ["procedure", "repeat", "fold", "sample", "true", "predicted", "accepted"]
    text = tsv_text([*head, *(f"p({table_field(c)})" for c in classes)], rows)
    (folder / "tables" / "predictions.tsv").write_text(text, encoding="utf-8")
    return folder


def write_studies(root: Path, sets: int = 6, **more: Any) -> list[Path]:
    """Several, named d0, d1, ..."""
    return [write_study(root / f"d{i}", f"d{i}", seed=i, **more) for i in range(sets)]

"""Every candidate penalty and size on a training set, once: inner and outer log probabilities,
from which rules and recalibrations are tried without another fit."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

SIZES = [1, 2, 5, 10, 20, 50, 200]
ANALYTIC = 5.0  # over k
TIMES = (0.1, 0.3, 1.0, 3.0, 10.0)


def _plan(outer: dict[str, Any], many: int) -> dict[str, Any]:
    """A method a size, since the penalties tried depend on it, and one of the penalty until now."""
    sizes = [k for k in SIZES if k <= many]
    rest = {"select": "moderated_t", "classify": "logistic"}
    methods = [{"name": "fixed", "sizes": sizes, **rest, "grid": {"C": [0.1]}}]
    methods += [
        {
            "name": f"size {k}",
            "sizes": [k],
            **rest,
            "grid": {"C": [ANALYTIC / k * t for t in TIMES]},
        }
        for k in sizes
    ]
    return {
        "method": methods,
        "outer": outer,
        "inner": {"repeats": 10},
        "permutations": 0,
        "final": False,
        "describe": False,
    }


def parts_of(data, outer: dict[str, Any]) -> list[dict[str, np.ndarray]]:
    """Of every outer part: its samples' inner and outer log probabilities by size and penalty
    (sizes, 1 + penalties, rows, C), the first penalty that of until now."""
    from tamis.study.protocol.candidates import ranker_key
    from tamis.study.results.candidates import tuned_candidates
    from tamis.study.run import _read_cell, begin_study

    found = []
    with tempfile.TemporaryDirectory() as temporary:
        study = begin_study(data, _plan(outer, data.shape[1]), Path(temporary) / "study")
        study.run(1)
        y = study.design.labels.y
        fixed, *others = study.plan.method
        for task in study.tasks:
            cell = _read_cell(study, task, ranker_key(fixed))
            tuned = tuned_candidates(study.plan, fixed, cell, y)
            by_size = [tuned_candidates(study.plan, m, cell, y) for m in others]
            inner, outer_, lists = [], [], []
            for at, one in enumerate(by_size):
                pairs = [(tuned, at), *((one, k) for k in range(len(TIMES)))]
                inner.append([_log(t.inside.beliefs[k].proba) for t, k in pairs])
                outer_.append([_log(t.beliefs(k).proba) for t, k in pairs])
                row = np.asarray(cell.features(int(tuned.rows[at])), dtype=np.int32)
                lists.append(np.pad(row, (0, SIZES[-1] - len(row)), constant_values=-1))
            found.append(
                {
                    "repeat": np.array(int(task.repeat)),
                    "y": tuned.inside.y.astype(np.int8),
                    "samples": tuned.inside.samples.astype(np.int32),
                    "folds": np.array([f.start for f in tuned.inside.folds]),
                    "shares": tuned.shares,
                    "prior": tuned.inside.prior.astype(np.float32),
                    "inner": np.array(inner, dtype=np.float32),
                    "test": cell.test,
                    "y_test": y[cell.test].astype(np.int8),
                    "outer": np.array(outer_, dtype=np.float32),
                    "lists": np.array(lists),
                    "sizes": tuned.sizes,
                }
            )
    return found


def _log(proba: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(proba, 1e-30))


def kept_parts(place: Path, make) -> list[dict[str, np.ndarray]]:
    """What a file holds, made first if there is none."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        parts = make()
        flat = {f"{k} {key}": value for k, one in enumerate(parts) for key, value in one.items()}
        beside = place.with_suffix(".part.npz")
        np.savez(beside, **flat)
        os.replace(beside, place)
    with np.load(place) as held:
        found: dict[int, dict[str, np.ndarray]] = {}
        for name in held.files:
            k, key = name.split(" ", 1)
            found.setdefault(int(k), {})[key] = held[name]
    return [found[k] for k in sorted(found)]

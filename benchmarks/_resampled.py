"""Estimates beside the headline of whole studies, computed in memory, and their truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tamis.data import Dataset
from tamis.study.prepare import prepare_study
from tamis.study.protocol import nested_cv
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.design import Design
from tamis.study.results import collect
from tamis.study.results.summary import held_out
from tamis.study.tasks import tasks_of

FEATURES, INFORMATIVE, FRESH = 200, 8, 600
METHODS = [{"select": "moderated_t", "sizes": [5, 20]}]
PLAN: dict[str, Any] = {
    "method": METHODS,
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "final": False,
    "describe": False,
}


def draw(n: int, shift: float, rng: np.random.Generator, more: int = 0) -> Dataset:
    """Samples of two classes of n/2, and as many more of each behind them."""
    y = np.concatenate([np.repeat([0, 1], n // 2), np.repeat([0, 1], more // 2)])
    X = rng.normal(size=(len(y), FEATURES))
    X[y == 1, :INFORMATIVE] += shift
    names = tuple(f"g{j}" for j in range(FEATURES))
    return Dataset(X, np.array(["a", "b"])[y], names)


def winners(plan: Any, design: Design, tasks: list[nested_cv.Task]) -> Any:
    """What the full procedure chose and decided in these tasks, collected."""
    found = []
    for task in tasks:
        content = nested_cv.run_nested_fold(design, plan, task)
        read = {key: decode_cell(one) for key, one in content.items()}
        codes = {(0, task.draw): design.labels.y}
        told = nested_cv.numbered_rows(design, plan, task, codes)
        found.append(collect.found_in(plan, task, read, *told))
    return collect.collect_choices(plan, found)


def truth(n: int, shift: float, studies: int, rng: np.random.Generator) -> float:
    """Of procedures that learn from n samples, on new ones: a predefined split tests them."""
    rates = []
    for _ in range(studies):
        data = draw(n, shift, rng, more=FRESH)
        split = np.where(np.arange(len(data.y)) < n, "train", "test")
        raw = {**PLAN, "seed": int(rng.integers(2**31)), "outer": {"kind": "predefined"}}
        plan, design, _ = prepare_study(replace(data, split=split), raw)
        found = winners(plan, design, tasks_of(plan, design))
        rates.append(held_out(found.headline, design.labels.y).score("bcr"))
    return float(np.mean(rates))

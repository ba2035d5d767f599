"""Fifteen ways to decide under costs, over eighteen tasks: who ranks best, and who costs least.

    python benchmarks/costs.py --out FOLDER [--n-jobs 2] [--only NAME ...] [--tasks NAME ...]
    python benchmarks/costs.py --out FOLDER --table        # what is there so far

Ten stratified folds a task. Numbers are cut by MDL inside each training set; an error costs the
size of the other class in the training set, and the loss is in that of the whole task. Every
(task, combination) is a file of FOLDER, written whole, so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import _harness  # noqa: F401  (one thread, before any library starts its own)
from _cost_combinations import SOURCE_AUC, SOURCE_LOSS, combinations
from _cost_tasks import Task, every_task
from _cost_units import unit_path

FOLDS = 10


def coded(task: Task, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as codes, the cuts of numbers learnt from the training rows; categories that these do
    not have are missing."""
    from tamis.data import MDLDiscretizer

    cuts = MDLDiscretizer(task.categorical).fit(task.X[train], task.y[train])
    return cuts.transform(task.X[train]), cuts.transform(task.X[test])


def measured(task: Task, name: str) -> dict[str, Any]:
    """AUC, mean cost and CPU seconds of one combination in every fold."""
    from sklearn.model_selection import StratifiedKFold

    from tamis.metrics import CostMatrix, area_under_roc

    sizes = np.bincount(task.y)
    costs = CostMatrix.of_class_sizes({0: int(sizes[0]), 1: int(sizes[1])}).values
    found: dict[str, list[float]] = {"auc": [], "loss": [], "cpu": []}
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for fold, (train, test) in enumerate(folds.split(task.X, task.y)):
        start = time.process_time()
        X, held = coded(task, train, test)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the perceptron's, of its 500 passes
            model = combinations(X.shape[1], fold)[name]().fit(X, task.y[train])
            told = np.asarray(model.predict(held), dtype=int)
            proba = model.predict_proba(held)
        found["cpu"].append(time.process_time() - start)
        found["auc"].append(area_under_roc(task.y[test], proba[:, 1]))
        found["loss"].append(float(costs[told, task.y[test]].mean()))
    return {"task": task.name, "source": task.source, "combination": name, **found}


def run_unit(folder: Path, task: Task, name: str) -> tuple[str, str, float]:
    """Compute a unit and keep it."""
    found = measured(task, name)
    path = unit_path(folder, task.name, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(found), encoding="utf-8")
    beside.replace(path)
    return task.name, name, sum(found["cpu"])


def run(folder: Path, tasks: list[Task], names: list[str], n_jobs: int) -> None:
    """Every unit that is not there yet, those of cheap combinations first."""
    from joblib import Parallel, delayed

    todo = [
        (task, name)
        for name in names
        for task in tasks
        if not unit_path(folder, task.name, name).exists()
    ]
    print(f"{len(todo)} of {len(tasks) * len(names)} units to do", file=sys.stderr, flush=True)
    began = time.perf_counter()
    work = (delayed(run_unit)(folder, task, name) for task, name in todo)
    results = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)(work)
    for done, (task, name, cpu) in enumerate(results, 1):
        left = (time.perf_counter() - began) / done * (len(todo) - done)
        print(
            f"{done}/{len(todo)} {task}: {name} {cpu:.0f} CPU s; about {left / 60:.0f} min left",
            file=sys.stderr,
            flush=True,
        )


CHEAP_FIRST = (
    "NB, weights",
    "NB, risk",
    "J48, risk",
    "J48, weights",
    "AODE, weights",
    "AODEsr, weights",
    "NB, Costing",
    "C4.4, Costing",
    "NB, SMOTE and risk",
    "J48, SMOTE and risk",
    "MLP, weights",
    "LogitBoost, weights",
    "AdaBoost C4.4, weights",
    "SVM, weights",
    "SVM, Platt and risk",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(CHEAP_FIRST))
    parser.add_argument("--tasks", nargs="*")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--figures", type=Path, help="folder for diagrams, with --table")
    options = parser.parse_args()
    tasks = every_task()
    if options.tasks:
        tasks = [task for task in tasks if task.name in options.tasks]
    if options.table:
        from _cost_tables import page

        print(page(options.out, tasks, SOURCE_AUC, SOURCE_LOSS, options.figures))
        return
    run(options.out, tasks, options.only, options.n_jobs)


if __name__ == "__main__":
    main()

"""Small data, quick plans, and a study without a result folder."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from tamis.data.dataset import Dataset


def make_data(seed=0, n=40, p=60, informative=3, classes=("a", "b"), shift=1.5, **extra):
    """Normal noise with the first features shifted by class."""
    rng = np.random.default_rng(seed)
    y = np.array(classes)[np.arange(n) % len(classes)]
    X = rng.normal(size=(n, p))
    for k, name in enumerate(classes):
        X[y == name, :informative] += shift * k
    return Dataset(X, y, tuple(f"g{j}" for j in range(p)), name="made", **extra)


QUICK = {
    "outer": {"folds": 4},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 1,
    "method": [
        {"select": "moderated_t", "sizes": [1, 2, 5]},
        {"select": "pam", "parameters": {"n_thresholds": 5}},
        {"select": "welch_t", "classify": ["knn", "tree"], "sizes": [2, 5]},
    ],
}


def offered(fold, plan, shared=None):
    """(candidates, outcomes [part][candidate]) of one method of a plan on a fold."""
    from tamis.study.protocol.methods import method_of

    method = method_of(plan)
    return method.outcomes(fold, method.shared(fold, [plan]) if shared is None else shared)


def inner_of(fold, outcomes):
    """What the candidates believe of the inner test rows, as `collect` reads it from a cell."""
    from tamis._core.interfaces import Beliefs
    from tamis.study.protocol.tuning import Inner
    from tamis.study.results.collect import training_shares

    tests = fold.tests[1:]
    ends = np.cumsum([0, *map(len, tests)])
    folds = [slice(int(a), int(b)) for a, b in pairwise(ends)]
    samples = np.concatenate(tests)
    beliefs = [
        Beliefs.joined([replace(part[c].beliefs, samples=t)
                        for part, t in zip(outcomes[1:], tests, strict=True)])
        for c in range(len(outcomes[0]))
    ]  # fmt: skip
    _, prior = training_shares(fold.y, fold.tests)
    return Inner(fold.y[samples], folds, samples, beliefs, prior)


def run_in_memory(data, plan):
    """(plan, tasks, design, cells by path, collected) of a study without a result folder."""
    from tamis.study.protocol import cells
    from tamis.study.protocol.cellfile import decode_cell
    from tamis.study.protocol.companion import observed_repeat
    from tamis.study.results import collect
    from tamis.study.run import prepare_study, tasks_of

    plan, design, _ = prepare_study(data, plan)
    tasks = tasks_of(plan, design)
    files = {}
    for task in tasks:
        for key, content in cells.compute_cells(design, plan, task).items():
            files[task.path(key)] = content
    observed = observed_repeat(plan, design.labels)
    results = []
    for task in tasks:
        read = {key: decode_cell(files[task.path(key)]) for key in task.rankers}
        y = cells.labels_of(design, plan, task.permutation, task.draw).y
        results.append(collect.found_in(plan, task, read, y, design.costs))
    found = collect.collect_choices(plan, results, observed)
    return plan, tasks, design, files, found

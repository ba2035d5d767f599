"""Small data, quick plans, and a study without a result folder."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from tamis.checks.in_memory import run_in_memory
from tamis.checks.tables import shifted_normals as make_data
from tamis.data import Dataset

__all__ = ["QUICK", "inner_of", "make_data", "number_data", "offered", "run_in_memory"]
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
    from tamis.study.results.candidates import training_shares

    tests = fold.tests[1:]
    ends = np.cumsum([0, *map(len, tests)])
    folds = [slice(int(a), int(b)) for a, b in pairwise(ends)]
    samples = np.concatenate(tests)
    beliefs = [
        Beliefs.joined(
            [
                replace(part[c].beliefs, samples=t)
                for part, t in zip(outcomes[1:], tests, strict=True)
            ]
        )
        for c in range(len(outcomes[0]))
    ]
    _, prior = training_shares(fold.y, fold.tests)
    return Inner(fold.y[samples], folds, samples, beliefs, prior)


def number_data(n=40, p=30, seed=0, signal=1.5, **more):
    """A table of which g3 and g8 carry a number."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = signal * (X[:, 3] - X[:, 8]) + rng.normal(size=n)
    names = tuple(f"g{j}" for j in range(p))
    return Dataset(X, None, names, numbers=y, target="bmi", name="made", **more)

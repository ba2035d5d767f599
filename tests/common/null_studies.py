"""Studies of data in which there is nothing to find, every method in each."""

from __future__ import annotations

import numpy as np

from common.null_methods import PRICED, every_method
from common.studies import make_data
from tamis.checks.chance import at_chance
from tamis.checks.in_memory import pooled_rates as rates_of
from tamis.checks.tables import noise_table
from tamis.data.dataset import Dataset

__all__ = [
    "PLAN",
    "SEEDS",
    "at_chance",
    "lighter_methods",
    "methods_off_chance",
    "noise_table",
    "permuted_labels",
    "pooled_rates",
]
SEEDS = range(12)


# What takes longest and has no say in any rate: the graph of mcfs; or a say, but the same one in
# all methods by sets: thresholds by chance, which rit has.
LIGHTER = {
    "mcfs": {"interactions": False},
    "covrit": {"theta": 0.2, "theta_out": 0.15},
    "discrit": {"theta": 0.2, "theta_out": 0.15},
    "relrit": {"theta": 0.2, "theta_out": 0.15},
}


def lighter_methods(own=True):
    """Every method, as light as it can be."""
    methods = every_method(own, thresholds=True)
    for method in methods:
        if method["select"] in LIGHTER:
            method["parameters"] = {**method["parameters"], **LIGHTER[method["select"]]}
    return methods


PLAN = {
    **PRICED,
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "final": False,
    "method": lighter_methods(),
}


def permuted_labels(seed):
    """Data with real structure, and labels that have nothing to do with it."""
    data = make_data(seed, n=32, p=60, informative=20, shift=3.0)
    y = np.random.default_rng([seed, 2]).permutation(data.y)
    return Dataset(data.X, y, data.feature_names)


def pooled_rates(data, methods=PLAN["method"], seed=7):
    """Pooled BCR of every method and of the headline.

    A seed for each table: of the same seed, folds hold the same ranks of each class, so that in a
    table in order of its batches training labels tell of held-out ones (knn: .511, s.e. .002).
    """
    return rates_of(data, {**PLAN, "method": methods, "seed": seed})


def methods_off_chance(make, methods=PLAN["method"]):
    """Mean rates of the methods that are not at chance over all seeds."""
    found = [pooled_rates(make(seed), methods, seed) for seed in SEEDS]
    means = {name: [f[name] for f in found] for name in found[0]}
    return {k: round(float(np.mean(v)), 3) for k, v in means.items() if not at_chance(v)}

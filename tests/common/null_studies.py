"""Studies of data in which there is nothing to find, every method in each."""

from __future__ import annotations

import numpy as np

from common.null_methods import PRICED, every_method
from common.studies import make_data, run_in_memory
from tamis.data.dataset import Dataset
from tamis.study.results.summary import held_out

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
    **PRICED, "outer": {"folds": 4}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0,
    "final": False,
    "method": lighter_methods(),
}  # fmt: skip


def noise(seed):
    rng = np.random.default_rng([seed, 1])
    y = np.array(["a", "b"])[np.arange(32) % 2]
    return Dataset(rng.normal(size=(32, 60)), y, tuple(f"g{j}" for j in range(60)))


def permuted_labels(seed):
    """Data with real structure, and labels that have nothing to do with it."""
    data = make_data(seed, n=32, p=60, informative=20, shift=3.0)
    y = np.random.default_rng([seed, 2]).permutation(data.y)
    return Dataset(data.X, y, data.feature_names)


def pooled_rates(data, methods=PLAN["method"]):
    """Pooled BCR of every method and of the headline."""
    _, _, design, _, found = run_in_memory(data, {**PLAN, "method": methods, "seed": 7})
    y = design.labels.y
    every = {**found.methods, "headline": found.headline}
    return {name: held_out(choices, y).score("bcr") for name, choices in every.items()}


def at_chance(values, chance=0.5):
    """Whether a mean lies within three standard errors of chance."""
    values = np.asarray(values)
    error = values.std(ddof=1) / np.sqrt(len(values))
    return abs(values.mean() - chance) <= 3 * error


def methods_off_chance(make, methods=PLAN["method"]):
    """Mean rates of the methods that are not at chance over all seeds."""
    found = [pooled_rates(make(seed), methods) for seed in SEEDS]
    means = {name: [f[name] for f in found] for name in found[0]}
    return {k: round(float(np.mean(v)), 3) for k, v in means.items() if not at_chance(v)}

"""Where there is nothing to find, no step finds it: each before a ranking, and several."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from common.null_studies import methods_off_chance, noise_table
from common.steps import count_steps, matrix_steps
from tamis._core.registry import find_row
from tamis._core.rows import StepRow
from tamis.checks.tables import in_counts
from tamis.data.dataset import Dataset

pytestmark = pytest.mark.longer

CHAIN = [{"name": "variance", "share": 0.5}, "quantile", "mdl"]
METHODS = [
    {
        "name": "+".join(map(str, prepare)),
        "select": "moderated_t",
        "sizes": [2, 5],
        "prepare": prepare,
    }
    for prepare in [*([name] for name in matrix_steps()), CHAIN]
]
BY_BATCH = (("raw", []), ("centred", ["center_by_batch"]), ("combat", ["combat"]))


def noise_in_batches(seed):
    return replace(noise_table(seed), batches=np.array(["x", "y"])[np.arange(32) // 2 % 2])


def uneven_batches(seed):
    """Batches that differ, and hold the classes in other shares; nothing beside."""
    rng = np.random.default_rng([seed, 5])
    batch = np.repeat([0, 1, 2], 16)
    y = np.where(np.tile(np.arange(16) / 16, 3) < np.array([0.25, 0.5, 0.75])[batch], "b", "a")
    X = rng.normal(size=(48, 60)) + 1.5 * rng.normal(size=(3, 60))[batch]
    names = tuple(f"g{j}" for j in range(60))
    return Dataset(X, y, names, batches=np.array(list("xyz"))[batch])


def batches_by_themselves(seed):
    """Batches that differ much, and that the classes have nothing to do with."""
    rng = np.random.default_rng([seed, 6])
    batch = np.repeat(np.arange(12), 8)
    y = np.array(["a", "b"])[rng.permutation(96) % 2]
    X = rng.normal(size=(96, 40)) + 2 * rng.normal(size=(12, 40))[batch]
    names = tuple(f"g{j}" for j in range(40))
    return Dataset(X, y, names, batches=np.array([f"b{b}" for b in batch]))


def test_what_knows_the_batch_is_at_chance_where_that_tells_nothing():
    """Folds that had the classes' shares of every batch would repeat what chance made of them."""
    methods = [
        {"name": name, "select": "moderated_t", "sizes": [5], "classify": ["knn"], "prepare": steps}
        for name, steps in BY_BATCH
    ]
    assert not methods_off_chance(batches_by_themselves, methods)


def test_what_the_batch_tells_is_gone_once_batches_are_adjusted():
    """Without, the batch is found: two thirds are guessed right by it."""
    raw, *adjusted = (
        {"name": name, "select": "moderated_t", "sizes": [2, 5], "prepare": steps}
        for name, steps in BY_BATCH
    )
    assert not methods_off_chance(uneven_batches, adjusted)
    assert set(methods_off_chance(uneven_batches, [raw])) == {"raw", "headline"}


def test_every_step_is_at_chance_in_noise():
    assert not methods_off_chance(noise_in_batches, METHODS)


def counts_of_unequal_depth(seed):
    """Counts of samples sequenced to other depths; the class tells nothing of either."""
    data, rng = in_counts(noise_table(seed)), np.random.default_rng([seed, 7])
    return replace(data, X=np.floor(data.X * np.exp2(rng.normal(size=(len(data.X), 1)))))


def settings_of(name):
    """A step with each value of a parameter that has few."""
    for key, (kind, _) in find_row(name, StepRow).parameters.items():
        yield from ({key: value} for value in get_args(kind))


@pytest.mark.full
def test_every_step_of_counts_is_at_chance_in_noise():
    methods = [
        {
            "name": f"{name} {at}",
            "select": "moderated_t",
            "sizes": [2, 5],
            "prepare": [{"name": name, **given}],
        }
        for name in count_steps()
        for at, given in enumerate(settings_of(name))
    ]
    assert not methods_off_chance(counts_of_unequal_depth, methods)

"""Batches that hold the classes in unequal shares, and noise: removing them before the folds with
the class in the design tells it, without the class hides it, and inside the folds does neither.

The figures, and why ComBat is below one half, stand on docs/results/leaks.md.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.null_studies import at_chance, pooled_rates
from tamis.data.dataset import Dataset
from tamis.preparation import BatchCenterer

pytestmark = pytest.mark.longer

TABLES = range(12)
SHARES = np.repeat(["a", "b", "a", "b"], [24, 6, 6, 24])
BATCHES = np.repeat(["first", "second"], 30)


def noise_in_unequal_batches(seed, p=600):
    X = np.random.default_rng([seed, 8]).normal(size=(60, p))
    return Dataset(X, SHARES, tuple(f"g{j}" for j in range(p)), batches=BATCHES)


def centred_beforehand(data, class_in_design):
    """As limma's removeBatchEffect has it, with or without the class in `design`."""
    second, b = (data.batches == "second").astype(float), (data.y == "b").astype(float)
    design = np.column_stack([np.ones(60), second, b])
    part = np.outer(b, np.linalg.lstsq(design, data.X, rcond=None)[0][2]) * class_in_design
    return replace(data, X=BatchCenterer().fit_transform(data.X - part, batch=data.batches) + part)


def permuted_inside_batches(data, seed):
    y, rng = data.y.copy(), np.random.default_rng([seed, 9])
    for name in np.unique(data.batches):
        y[data.batches == name] = rng.permutation(y[data.batches == name])
    return replace(data, y=y)


def rate(data, *steps):
    """Pooled balanced accuracy with the steps inside the folds; all columns, no choice of sizes."""
    method = {
        "select": "all",
        "prepare": list(steps),
        "classify": "diagonal_discriminant",
        "grid": {"priors": ["equal"]},
    }
    return pooled_rates(data, [method])["headline"]


def test_removal_before_the_folds_is_off_chance_and_centring_inside_is_not():
    before = [
        [rate(centred_beforehand(data, known)) for known in (True, False)]
        for data in map(noise_in_unequal_batches, TABLES[:3])
    ]
    inside = [rate(noise_in_unequal_batches(s), "center_by_batch") for s in TABLES]
    with_class, without = np.transpose(before)
    assert with_class.min() > 0.7
    assert without.max() < 0.3
    assert at_chance(inside)


def test_combat_inside_is_below_one_half_and_so_are_permuted_labels():
    """It takes off a part of the batches' means that is only error; no leak: chance, of labels
    permuted inside batches as in a study's permuted runs, lies as low."""
    found = []
    for seed in TABLES[:8]:
        data = noise_in_unequal_batches(seed)
        permuted = permuted_inside_batches(data, seed)
        found.append([rate(data, "combat"), rate(permuted, "combat")])
    own, permuted = np.transpose(found)
    assert not at_chance(own)
    assert own.mean() < 0.5
    assert at_chance(own - permuted, chance=0.0)

"""`tamis interact` on noise, as it is used: finds something at the rate that it says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from tamis.data import Dataset
from tamis.discovery import find_interactions

pytestmark = pytest.mark.slow

RUNS, LEVEL = 120, 0.1
QUICK = {
    "rit": {"n_trees": 30, "n_bootstraps": 0},
    "irf": {"n_estimators": 20, "n_bootstraps": 4, "n_trees": 30, "n_iterations": 2},
    "pairs": {},
}


def noise(kind, rng):
    """Columns that say nothing of the classes, but much of each other."""
    n, p = 50, 20
    X = rng.normal(size=(n, p)) + rng.normal(size=(n, 1))
    if kind == "binary":
        X = (rng.normal(size=p) < X).astype(float)
    y = np.array(["a", "b"])[(rng.random(n) < 0.35).astype(int)]
    return Dataset(X, y, tuple(f"x{j}" for j in range(p)), name="noise")


@pytest.mark.parametrize(
    ("method", "kind", "more"),
    [
        ("rit", "binary", {}),
        ("rit", "numbers", {"discretizer": "equal_frequency"}),
        ("irf", "numbers", {}),
        ("pairs", "numbers", {}),
        ("pairs", "binary", {"by": "score"}),
    ],
)
def test_noise_passes_at_the_level_that_is_named(tmp_path, method, kind, more):
    found = 0
    for run in range(RUNS):
        data = noise(kind, np.random.default_rng([run, len(kind)]))
        content = find_interactions(
            data,
            tmp_path / str(run),
            method=method,
            seed=run,
            n_permutations=9,
            level=LEVEL,
            **QUICK[method],
            **more,
        ).to_dict()
        found += content["sets"]["n_passing"] > 0
        test = content["permutation"]
        assert (test is not None and test["p_value"] <= LEVEL) == (content["sets"]["n_passing"] > 0)
    assert found <= binom.ppf(0.995, RUNS, LEVEL), found

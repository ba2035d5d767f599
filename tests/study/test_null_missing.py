"""Where calls are missing at random, no study may say that they are missing more in one class."""

from __future__ import annotations

import pytest
from scipy.stats import binom

from tamis.genome import genotype_dataset, open_genotypes, simulate_cohort
from tamis.study import run_study

pytestmark = pytest.mark.slow

METHODS = [
    {"select": select, "sizes": [10, 50], "classify": ["naive_bayes"]}
    for select in ("moderated_t", "mtd")  # one fills what is missing, one leaves it out
]
PLAN = {
    "permutations": 0,
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "describe": False,
    "method": METHODS,
}


def speaking(folder, n_studies, **cohort):
    """In how many studies the caution speaks."""
    spoken = 0
    for seed in range(n_studies):
        simulate_cohort(folder / f"c{seed}", seed=seed, **cohort)
        data = genotype_dataset(open_genotypes(folder / f"c{seed}.bed"))
        content = run_study(data, {**PLAN, "seed": seed}, folder / f"s{seed}").to_dict()
        spoken += any(one["code"] == "missing-unlike" for one in content["warnings"])
    return spoken


@pytest.mark.parametrize(
    "cohort",
    [
        {"n_cases": 150, "n_controls": 150, "n_variants": 1000, "missing": 0.05},
        {"n_cases": 60, "n_controls": 240, "n_variants": 1000, "missing": 0.02},
        {"n_cases": 300, "n_controls": 200, "n_variants": 300, "missing": 0.2},
    ],
    ids=["even", "uneven", "much missing"],
)
def test_it_speaks_in_at_most_one_study_of_twenty(tmp_path, cohort):
    n = 200
    assert speaking(tmp_path, n, **cohort) <= binom.isf(1e-3, n, 0.05)


def test_it_speaks_where_calls_are_missing_unlike(tmp_path):
    cohort = {"n_cases": 400, "n_controls": 400, "n_variants": 1000, "missing": 0.02}
    assert speaking(tmp_path, 10, **cohort, differential=0.3) >= 9

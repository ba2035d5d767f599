"""A small cohort with all that a page of genotypes tells, and its study.

Variants 0 to 2 are one in linkage and tell the class, 10 to 14 are called badly in cases; some are
on X, two nowhere.
"""

from __future__ import annotations

import numpy as np

from genome.sets import random_codes, write_bed
from tamis.genome import genotype_dataset, open_genotypes
from tamis.study import run_study

N, P = 160, 120
CHROMOSOMES = ["chr2"] * 40 + ["1"] * 40 + ["X"] * 38 + ["0"] * 2
BAD = slice(10, 15)
MISSING = 1
FILTER = {"name": "genotype_quality", "missing": 0.6, "hardy": None, "differential": 1e-4}
LDA = {"select": "mtd", "sizes": [3, 12], "classify": ["lda"]}
PLAN = {
    "permutations": 0,
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "parsimony": 0,
    "method": [
        LDA,
        {**LDA, "name": "filtered", "prepare": [FILTER]},
        {**LDA, "name": "pruned", "prepare": ["linkage_pruning"]},
    ],
}


def codes_of(seed=0, bad=0.35):
    rng = np.random.default_rng(seed)
    codes = random_codes(seed, P, N, missing=0.02)
    case = np.arange(N) % 2 == 1
    twice = np.flatnonzero(case & (rng.random(N) < 0.5))
    codes[0, twice] = 0
    for j in (1, 2):
        codes[j] = codes[0]
        codes[j, rng.permutation(N)[:2]] = 2
    lost = case & (rng.random((BAD.stop - BAD.start, N)) < bad)
    codes[BAD][lost & (codes[BAD] == 3)] = MISSING
    codes[BAD][lost & (codes[BAD] == 2)] = MISSING
    return codes


def cohort(folder, **more):
    """Its data set."""
    return genotype_dataset(
        open_genotypes(write_bed(folder / "made", codes_of(**more), chromosomes=CHROMOSOMES))
    )


def studied(folder, plan=PLAN, **more):
    """Data and result."""
    data = cohort(folder, **more)
    return data, run_study(data, plan, folder / "study")

"""Inputs of the fuzzer of tables: the k-th of a seed is always the same."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from fuzz.genotype_files import write_cohort
from fuzz.spoiled_genotypes import STEMS, spoil_one
from fuzz.table_files import ASKED, TABLES, how_read

QUESTIONS = "fuzz.table_questions"


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which table it was, and the file to read."""
    rng = np.random.default_rng([seed, k])
    name = list(TABLES)[k % len(TABLES)]
    stem = STEMS[rng.integers(len(STEMS))]
    more = ASKED[rng.integers(len(ASKED))] if rng.random() < 0.4 else {}
    layers, change = TABLES[name].layers, dict
    if rng.random() < 0.25:
        change = partial(spoil_one, rng)
    else:
        for _ in range(1 + (rng.random() < 0.2)):
            layers = spoil_one(rng, layers)
    path = write_cohort(TABLES[name], folder, stem, layers, change)
    (folder / "how.json").write_bytes(how_read(name, **more))
    return name, path

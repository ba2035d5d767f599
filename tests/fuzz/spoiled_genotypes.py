"""Inputs of the fuzzer of genotype readers: the k-th of a seed is always the same."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from fuzz.genotype_files import COHORTS, write_cohort
from fuzz.mutate import mutate

QUESTIONS = "fuzz.genotype_questions"
STEMS = ["made"] * 12 + ["\x1b[31mred", "\u202edeb", "a b'\"", "n" * 200]


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which cohort it was, and the file to open."""
    rng = np.random.default_rng([seed, k])
    name = list(COHORTS)[k % len(COHORTS)]
    stem = STEMS[rng.integers(len(STEMS))]
    if rng.random() < 0.25:
        return name, write_cohort(COHORTS[name], folder, stem, change=partial(spoil_one, rng))
    layers = COHORTS[name].layers
    for _ in range(1 + (rng.random() < 0.2)):
        layers = spoil_one(rng, layers)
    return name, write_cohort(COHORTS[name], folder, stem, layers)


def spoil_one(rng: np.random.Generator, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """One of some layers, or of some files, edited."""
    name = list(parts)[rng.integers(len(parts))]
    return {**parts, name: mutate(rng, parts[name], name.endswith("text"))}

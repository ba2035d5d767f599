"""Inputs of the fuzzer of tables: the k-th of a seed is always the same."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from fuzz.genotype_files import write_cohort
from fuzz.mutate import edit_field, insert_token, remove_line, repeat_line, swap_lines
from fuzz.spoiled_genotypes import STEMS, spoil_one
from fuzz.table_files import ASKED, TABLES, how_read

QUESTIONS = "fuzz.table_questions"
EDITS = [edit_field, edit_field, insert_token, remove_line, repeat_line, swap_lines]


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which table it was, and the file to read."""
    rng = np.random.default_rng([seed, k])
    name = list(TABLES)[k % len(TABLES)]
    stem = STEMS[rng.integers(len(STEMS))]
    more = ASKED[rng.integers(len(ASKED))] if rng.random() < 0.4 else {}
    layers, change = TABLES[name].layers, dict
    way = rng.random()
    if way < 0.2:
        change = partial(spoil_one, rng)
    elif way < 0.6:
        layers = edit_one(rng, layers)
    else:
        for _ in range(1 + (rng.random() < 0.2)):
            layers = spoil_one(rng, layers)
    path = write_cohort(TABLES[name], folder, stem, layers, change)
    (folder / "how.json").write_bytes(how_read(name, **more))
    return name, path


def edit_one(rng: np.random.Generator, layers: Mapping[str, bytes]) -> dict[str, bytes]:
    """One edit of a layer, so that more than the first line of a reader is reached."""
    name = list(layers)[rng.integers(len(layers))]
    return {**layers, name: EDITS[rng.integers(len(EDITS))](rng, layers[name])}

"""Inputs of the fuzzer of cells: the k-th of a seed is always the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from common.cells import in_this_process
from fuzz.mutate import mutate

QUESTIONS = "fuzz.cell_questions"
METHODS = [
    {"name": "ranked", "select": "pearson", "sizes": [2, 4], "classify": "naive_bayes"},
    {"name": "followed", "select": "pam", "parameters": {"n_thresholds": 4}},
]


@cache
def cells() -> dict[str, bytes]:
    """Those of a small study, as bytes."""
    return in_this_process("plain", METHODS)[1]


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which cell it was, and the file; what it was is beside it."""
    rng = np.random.default_rng([seed, k])
    name = sorted(cells())[k % len(cells())]
    path = folder / "cell.arrow"
    path.write_bytes(mutate(rng, cells()[name]))
    (folder / "whole").write_bytes(cells()[name])
    return Path(name).stem.partition("-")[2], path

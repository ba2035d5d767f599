"""Inputs of the fuzzer of files of arrays, series and platforms: the k-th of a seed is always the
same."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from expression.reading.annotation_files import TABLES
from expression.reading.array_files import (
    CDF_WRITERS,
    WRITERS,
    made_intensities,
    made_probe_sets,
)
from expression.reading.soft_files import family, matrix
from fuzz.mutate import mutate

QUESTIONS = "fuzz.array_questions"
SHAPE = (8, 9)
STEMS = ["made"] * 12 + ["\x1b[31mred", "\u202edeb", "a b'\"", "n" * 200]


def _valid() -> dict[str, tuple[str, dict[str, bytes]]]:
    """Parts of valid files by name, and how the name of the file ends."""
    values, rng = made_intensities(SHAPE, 0), np.random.default_rng(0)
    probe_sets = made_probe_sets(SHAPE, 3, rng)
    others = {"SNP_1": [(0, 0, "A", "T", 0), (1, 0, "A", "A", 0)]}
    cels = {
        f"cel_{name}": ("CEL", write(values, [(3, 4)], [(0, 1), (6, 2)]))
        for name, write in WRITERS.items()
    }
    cdfs = {
        f"cdf_{name}": ("CDF", write(SHAPE, probe_sets, others))
        for name, write in CDF_WRITERS.items()
    }
    tables = {f"annotation_{name}": ("annot", write()) for name, write in TABLES.items()}
    return cels | cdfs | {"soft": ("soft", family()), "matrix": ("txt", matrix())} | tables


VALID = _valid()


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which file it was, and its path."""
    rng = np.random.default_rng([seed, k])
    name = list(VALID)[k % len(VALID)]
    ending, parts = VALID[name]
    parts = dict(parts)
    if rng.random() < 0.2:
        parts = {"text" if all(p.endswith("text") for p in parts) else "all": whole(parts)}
    for _ in range(1 + (rng.random() < 0.2)):
        part = list(parts)[rng.integers(len(parts))]
        parts[part] = mutate(rng, parts[part], part.endswith("text"))
    data = whole(parts)
    if rng.random() < 0.1:
        data = gzip.compress(data, mtime=0)
        if rng.random() < 0.5:
            data = mutate(rng, data)
    return name, write_file(folder, f"{STEMS[rng.integers(len(STEMS))]}.{ending}", data)


def whole(parts: dict[str, bytes]) -> bytes:
    """The file of its parts."""
    return b"".join(parts.values())


def write_file(folder: Path, name: str, data: bytes) -> Path:
    """The only one in a folder."""
    for old in folder.iterdir():
        old.unlink()
    path = folder / name
    path.write_bytes(data)
    return path

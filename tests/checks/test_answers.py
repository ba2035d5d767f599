"""What every method of the registry answers on made-up tables is what it answered before.

`answers.tsv` has a line for each method, table and kind of answer: how many numbers, their mean
size, and their sum, weighted by their places. After a change that is meant, write it anew (`just
answers`), and read which methods changed; whether an answer is right, the method's own tests say.
"""

from __future__ import annotations

import os
import re
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tamis._core.rows import ClassifierRow
from tamis.checks.procedure import Settings
from tamis.checks.procedure_of import procedure_of
from tamis.checks.verdict import Inapplicable

from .test_registry import PARAMETERS, QUICK_SETTINGS, ROWS

TABLE = Path(__file__).with_name("answers.tsv")
WRITTEN = os.environ.get("TAMIS_ANSWERS")  # the table is then written anew
FLOAT = re.compile(r"\d+\.\d+(e[-+]\d+)?")
# Dear, or with kernels that quick tests do not compile.
LONGER = ("covrit", "discrit", "elastic_net", "irf", "median_polish", "relrit", "rit")


@cache
def known_answers() -> dict[str, tuple[float, ...]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    split = (line.rsplit("\t", 3) for line in lines)
    return {name: tuple(map(float, numbers)) for name, *numbers in split}


def answers_of(row) -> dict[str, tuple[float, ...]]:
    """Of each table and kind of answer what stands in the list; none where it does not run."""
    grid = QUICK_SETTINGS.get(row.name, {}) if isinstance(row, ClassifierRow) else {}
    procedure = procedure_of(row, Settings(PARAMETERS.get(row.name) or {}, grid))
    found = {}
    for kind in ("plain", "mixed"):
        try:
            run = procedure.kept_run(kind)
        except Inapplicable:
            raise
        except Exception:  # of a method that takes no such table: then it has no line
            continue
        for what in ("learnt", "inner", "outputs"):
            if arrays := getattr(run, what):
                found[f"{row.role} {row.name} {kind} {what}"] = summed_up(arrays)
    return found


def summed_up(arrays) -> tuple[float, ...]:
    values = np.concatenate([as_numbers(np.asarray(arrays[name])) for name in sorted(arrays)])
    there = np.nan_to_num(values, nan=-2.5, posinf=1e3, neginf=-1e3)
    weights = 1 + np.cos(np.arange(1, len(values) + 1))
    return len(values), float(np.abs(there).mean()), float((weights * there).mean())


def as_numbers(array) -> np.ndarray:
    if array.dtype.kind in "OUS":  # settings: the last digits of their numbers are of the machine
        texts = (FLOAT.sub(lambda one: f"{float(one[0]):.4g}", str(text)) for text in array.ravel())
        return np.array([zlib.crc32(text.encode()) % 1000 for text in texts], float)
    return array.ravel().astype(float)


ITEMS = [
    pytest.param(
        row, id=f"{row.role}-{row.name}", marks=[pytest.mark.longer] * (row.name in LONGER)
    )
    for row in ROWS
]


@pytest.mark.every
@pytest.mark.parametrize("row", ITEMS)
def test_a_method_answers_as_before(row):
    try:
        found = answers_of(row)
    except Inapplicable:
        pytest.skip("made-up tables have nothing for it")
    name = f"{row.role} {row.name} "
    known = {key: one for key, one in known_answers().items() if key.startswith(name)}
    if WRITTEN:
        every = {key: one for key, one in known_answers().items() if key not in known} | found
        lines = (f"{k}\t{n:.0f}\t{a:.6g}\t{b:.6g}\n" for k, (n, a, b) in sorted(every.items()))
        TABLE.write_text("".join(lines), encoding="utf-8")
        known_answers.cache_clear()
        return
    assert found.keys() == known.keys()
    for key, numbers in found.items():
        assert numbers == pytest.approx(known[key], rel=1e-4, abs=1e-5 * numbers[1]), key

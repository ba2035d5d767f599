"""Damaged cells are told from whole ones: `just fuzz` asks many more."""

from __future__ import annotations

import sys

import pytest

from fuzz.spoiled_cells import QUESTIONS, cells, spoiled
from fuzz.watched import Watched

pytestmark = [
    pytest.mark.longer,
    pytest.mark.skipif(sys.platform == "win32", reason="waits for a pipe with select"),
]
INPUTS = 400


def test_damaged_cells_are_told_in_one_line(tmp_path):
    told = 0
    with Watched(QUESTIONS) as child:
        for k in range(INPUTS):
            _, path = spoiled(0, k, tmp_path)
            said, fault = child.ask(path)
            told += "the cell is damaged" in said
            assert fault == "", f"input {k} of seed 0"
    assert told > 0.9 * INPUTS  # some edits change nothing


def test_every_kind_of_cell_is_among_them():
    assert {name.split("/")[-1] for name in cells()} == {
        "pearson.parquet",
        "pam,thresholds=4.parquet",
    }

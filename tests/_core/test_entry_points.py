"""Rows of another package: found by its entry point, in a process that has it installed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.longer

ROWS = """
import numpy as np
from tamis._core.rows import DecisionRow, SearchRow, StepRow
from tamis.selection._filters import FilterRow

def gap(X, y):
    return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))

ROWS = [
    FilterRow("other_gap", summary="distance of means, elsewhere", title="another gap", score=gap),
    StepRow("other_step", "tamis.preparation.logarithm:Logarithms", "logarithms, elsewhere"),
    DecisionRow("other_decision", "tamis.classifiers.decisions.arg_max:ArgMax", "the likeliest"),
    SearchRow("other_search", "tamis.discovery.pair_search:SEARCH", "pairs, elsewhere", "others"),
]
"""
CODE = """
from tamis.cli.main import run
run()
"""


def installed(folder, rows=ROWS, point="theirs:ROWS"):
    """The environment of a process in which such a package is installed."""
    (folder / "theirs.py").write_text(rows)
    info = folder / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[tamis.methods]\ntheirs = {point}\n")
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


def called(environment, *arguments):
    command = [sys.executable, "-c", CODE, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def test_methods_steps_and_decisions_of_a_package_are_listed(tmp_path):
    there = installed(tmp_path)
    found = called(there, "methods")
    assert found.returncode == 0, found.stderr
    for name in ("other_gap", "other_step", "other_decision", "other_search"):
        assert name in found.stdout
    assert "other_search: pairs, elsewhere" in called(there, "interact", "--help").stdout


@pytest.mark.parametrize(
    ("rows", "point", "says"),
    [
        ("ROWS = [3]", "theirs:ROWS", "gives int, not a row of the registry"),
        ("raise RuntimeError('no')", "theirs:ROWS", "cannot be had (RuntimeError: no)"),
        (ROWS.replace("other_gap", "pearson"), "theirs:ROWS", "names a method 'pearson'"),
    ],
)
def test_a_broken_package_is_told_in_one_line(tmp_path, rows, point, says):
    found = called(installed(tmp_path, rows, point), "methods")
    assert found.returncode == 2
    assert says in found.stderr
    assert found.stderr.count("\n") == 1

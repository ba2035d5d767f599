"""What commands import: rooms that they do not need stay closed, and the modules are few."""

from __future__ import annotations

import subprocess
import sys

import pytest

from common.studies import make_data
from common.tables import write_table

PLAN = """
permutations = 0
[[method]]
select = "welch_t"
sizes = [3]
classify = ["logistic"]
"""
CODE = """
import sys
from tamis.cli.main import run
try:
    run()
finally:
    print("\\n" + " ".join(sys.modules))
"""
FEW = {"study": 396, "predict": 146, "report": 183, "--help": 54}  # modules of Tamis, a few spare
CLOSED = {  # rooms of which at most the rows, or the face, are read
    "study": {"checks", "look", "ontology", "expression", "genome"},
    "predict": {
        "study",
        "report",
        "plotting",
        "selection",
        "discovery",
        "interactions",
        "ontology",
    },
    "report": {"checks", "look", "ontology", "expression", "genome", "model", "preparation"},
    "--help": {
        "data",
        "kernels",
        "metrics",
        "classifiers",
        "selection",
        "model",
        "study",
        "report",
    },
}
HEAVY = {
    "study": {"sklearn"},
    "predict": {"sklearn", "scipy", "numba", "pandas"},
    "report": {"sklearn", "scipy", "numba", "pandas"},
    "--help": {"sklearn", "scipy", "numba", "pandas", "numpy", "pyarrow", "pydantic"},
}
# names of files, which every command that reads a table knows
LIGHT = {"tamis.genome", "tamis.genome.readers", "tamis.genome.readers.endings"}


@pytest.fixture(scope="module")
def modules_of(tmp_path_factory):
    """The modules that each command has imported at its end."""
    folder = tmp_path_factory.mktemp("commands")
    write_table(folder / "made.csv", make_data())
    (folder / "plan.toml").write_text(PLAN)
    asked = {
        "study": "made.csv --target diagnosis --plan plan.toml --out made --n-jobs 1 --quiet",
        "predict": "made/model.npz made.csv",
        "report": "made --out page.html",
        "--help": "",
    }
    found = {}
    for command, words in asked.items():
        line = [sys.executable, "-c", CODE, command, *words.split()]
        done = subprocess.run(line, capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stderr
        found[command] = set(done.stdout.splitlines()[-1].split())
    return found


@pytest.mark.parametrize("command", FEW)
def test_a_command_imports_what_it_uses(command, modules_of):
    modules = modules_of[command]
    rooms = {name.split(".")[1] for name in modules - LIGHT if name.startswith("tamis.")}
    assert not rooms & CLOSED[command]
    assert not modules & HEAVY[command]
    assert sum(name.split(".")[0] == "tamis" for name in modules) <= FEW[command]

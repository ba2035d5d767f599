"""What commands import: rooms that they do not need stay closed, and the modules are few."""

from __future__ import annotations

import subprocess
import sys

import pytest

from common.studies import make_data
from common.tables import write_table
from tamis.genome import simulate_cohort

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
FEW = {
    "study": 422,
    "predict": 154,
    "report": 190,
    "genome qc": 132,
    "genome mtd": 132,
    "--help": 56,
}  # modules of Tamis, a few spare
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
    "genome qc": {"checks", "look", "ontology", "expression", "study", "model", "selection"},
    "genome mtd": {"checks", "look", "ontology", "expression", "study", "model", "selection"},
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
    # numba imports scipy itself, to look for its version; joblib comes after .3 s of work, which
    # compiling takes
    "genome qc": {"sklearn", "scipy.special", "scipy.sparse", "pandas"},
    "genome mtd": {"sklearn", "scipy.special", "scipy.sparse", "pandas"},
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
        "genome qc": "cohort.bed --out qc --quiet",
        "genome mtd": "cohort.bed --out mtd --quiet",
        "--help": "",
    }
    simulate_cohort(folder / "cohort", 60, 60, 300)
    found = {}
    for command, words in asked.items():
        line = [sys.executable, "-c", CODE, *command.split(), *words.split()]
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

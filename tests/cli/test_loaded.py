"""What the small commands load: most of their time is importing."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest

from common.studies import make_data
from common.tables import write_table
from tamis.genome import simulate_cohort
from tamis.study import run_study

pytestmark = pytest.mark.longer

CODE = """
import json, os, sys
from tamis.cli.main import run

found = []
HEAVY = {"asyncio", "joblib", "numba", "pandas", "pyarrow", "scipy", "skops", "sklearn"}
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["tamis", *arguments]
    if "--dry-run" in arguments:  # before a training set is run
        from tamis.study import tasks

        tasks.estimate_seconds = lambda *_: (1, 1, 1.0)
    try:
        run()
    except SystemExit as stop:
        assert not stop.code, arguments
    found.append(sorted(HEAVY & set(sys.modules)))
with open("loaded.json", "w") as file:
    json.dump([found, os.environ["OPENBLAS_THREAD_TIMEOUT"]], file)
"""
COMMANDS = [
    # in one process, so each loads what is before it, too
    ("report", "made"),
    ("predict", "made/model.npz", "made.parquet", "--out", "found.tsv"),
    ("predict", "made/model.npz", "made.csv", "--out", "found.tsv", "--force"),
    ("study", "made.parquet", "--target", "diagnosis", "--dry-run", "--quiet"),
    ("study", "made.csv", "--target", "diagnosis", "--dry-run", "--quiet"),
    ("genome", "mtd", "cohort.bed", "--quiet"),
]
MODEL = ["pyarrow"]
STUDY = [
    "asyncio",
    "joblib",
    "numba",
    *MODEL,
    "scipy",
]  # numba: the watch for leaks, and the first fit
LOADED = [[], MODEL, MODEL, STUDY, STUDY, STUDY]


def test_small_commands_load_what_they_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = make_data()
    method = {"select": "moderated_t", "classify": ["logistic"], "sizes": [2]}
    run_study(data, {"method": [method], "permutations": 0}, "made", n_jobs=1)
    write_table(tmp_path / "made.csv", data)
    pd.read_csv("made.csv", index_col=0).to_parquet("made.parquet")
    simulate_cohort("cohort", 20, 20, 50, missing=0.1, seed=1)
    done = subprocess.run(
        [sys.executable, "-c", CODE, json.dumps(COMMANDS)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded, cycles = json.loads((tmp_path / "loaded.json").read_text())
    assert loaded == LOADED
    assert int(cycles) < 26

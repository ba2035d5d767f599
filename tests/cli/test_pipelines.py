"""The scripts of examples/pipelines, as their workflow managers run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tamis.cli.study import command

FOLDER = Path(__file__).parents[2] / "examples" / "pipelines"
SCRIPTS = sorted(FOLDER.iterdir())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_use_options_that_are_there(script):
    known = {name for option in command.params for name in option.opts}
    lines = [line for line in script.read_text().splitlines() if not re.match(r"\s*(#|//)", line)]
    used = {name for line in lines for name in re.findall(r"(?<=[\s\"])--[a-z-]+", line)}
    used -= {"--parsable", "--requeue", "--array", "--dependency", "--cpus-per-task"}  # sbatch's
    assert {"--target", "--n-jobs", "--part", "--join"} <= used <= known


@pytest.mark.longer
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_jobs_of_the_array_and_the_last_one(tmp_path):
    from tamis.data import load_golub

    golub = load_golub()
    frame = pd.DataFrame(golub.X[:, :40], columns=golub.feature_names[:40])
    frame.assign(diagnosis=golub.y).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "bin").mkdir()
    tamis = tmp_path / "bin" / "tamis"
    tamis.write_text(f'#!/bin/sh\nexec {sys.executable} -m tamis "$@" --permutations 2\n')
    tamis.chmod(0o755)
    env = {**os.environ, "PATH": f"{tamis.parent}:{os.environ['PATH']}", "TABLE": "table.csv"}
    env |= {"TARGET": "diagnosis", "OUT": "study", "PARTS": "2", "SLURM_JOB_ID": "7"}
    for job in ({"SLURM_ARRAY_TASK_ID": "1"}, {"SLURM_ARRAY_TASK_ID": "2"}, {}):
        done = subprocess.run(
            ["bash", str(FOLDER / "slurm.sh")], env=env | job, cwd=tmp_path, capture_output=True
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "study" / "report.html").exists()
    assert not (tmp_path / "study-parts" / "1" / "results.json").exists()

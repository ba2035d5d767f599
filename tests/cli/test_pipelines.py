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

from tamis.cli.genome import mtd, pairs
from tamis.cli.genome_mixed import mixed
from tamis.cli.study import command as study

FOLDER = Path(__file__).parents[2] / "examples" / "pipelines"
SCRIPTS = sorted(FOLDER.iterdir())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_use_options_that_are_there(script):
    scan = "scan" in script.name
    commands = [mtd, mixed, pairs] if scan else [study]
    known = set.intersection(*({o for p in one.params for o in p.opts} for one in commands))
    lines = [line for line in script.read_text().splitlines() if not re.match(r"\s*(#|//)", line)]
    used = {name for line in lines for name in re.findall(r"(?<=[\s\"])--[a-z-]+", line)}
    used -= {"--parsable", "--requeue", "--array", "--dependency", "--cpus-per-task"}  # sbatch's
    needed = {"--n-jobs", "--part", "--join"} | (set() if scan else {"--target"})
    assert needed <= used <= known


def array_of_jobs(folder, script, given, more, **env):
    """What the jobs of an array of two write, and the last one."""
    (folder / "bin").mkdir()
    tamis = folder / "bin" / "tamis"
    tamis.write_text(f'#!/bin/sh\nexec {sys.executable} -m tamis "$@" {more}\n')
    tamis.chmod(0o755)
    env = {**os.environ, "PATH": f"{tamis.parent}:{os.environ['PATH']}", "PARTS": "2", **env}
    for job in ({"SLURM_ARRAY_TASK_ID": "1"}, {"SLURM_ARRAY_TASK_ID": "2"}, {}):
        done = subprocess.run(
            ["bash", str(FOLDER / script), *given],
            env=env | job | {"SLURM_JOB_ID": "7"},
            cwd=folder,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr
    out = folder / env["OUT"]
    assert (out / "report.html").exists()
    assert not (folder / f"{env['OUT']}-parts" / "1" / "results.json").exists()
    return out


@pytest.mark.longer
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_jobs_of_the_array_and_the_last_one(tmp_path):
    from tamis.data import load_golub

    golub = load_golub()
    frame = pd.DataFrame(golub.X[:, :40], columns=golub.feature_names[:40])
    frame.assign(diagnosis=golub.y).to_csv(tmp_path / "table.csv", index=False)
    named = {"TABLE": "table.csv", "TARGET": "diagnosis", "OUT": "study"}
    array_of_jobs(tmp_path, "slurm.sh", [], "--permutations 2", **named)


@pytest.mark.longer
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_jobs_of_a_scan(tmp_path):
    from tamis.genome import simulate_cohort

    simulate_cohort(tmp_path / "made", 30, 30, 200)
    given = ["mtd", "made.bed", "--permutations", "19"]
    out = array_of_jobs(tmp_path, "slurm_scan.sh", given, "--quiet", OUT="scan")
    assert (out / "mtd.tsv").exists()

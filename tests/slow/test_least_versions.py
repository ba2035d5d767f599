"""The least versions that pyproject.toml allows are enough for what users run first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from common.studies import make_data
from common.tables import write_table

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"


def run(*command, **more):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """The command in an environment of these versions, and where it may run."""
    folder = tmp_path_factory.mktemp("least")
    run(sys.executable, "-m", "venv", folder / "uv", check=True)
    if run(folder / "uv" / BIN / "pip", "install", "-q", "uv").returncode:
        pytest.skip("needs a package index with uv")
    uv, python = folder / "uv" / BIN / "uv", folder / "env" / BIN / "python"
    run(uv, "venv", "--python", sys.executable, folder / "env", check=True)
    made = run(uv, "pip", "install", "--python", python, "--resolution", "lowest-direct", ROOT)
    assert made.returncode == 0, made.stderr
    known = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "NUMBA_CACHE_DIR")}
    env = {**known, "NUMBA_CACHE_DIR": str(folder / "compiled")}
    write_table(folder / "made.csv", make_data(n=40, p=25))

    def tamis(*words):
        return run(folder / "env" / BIN / "tamis", *words, cwd=folder, env=env)

    return tamis


@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--out", "demo"),
        ("check", "welch_t"),
        ("check", "forest"),
        ("interact", "made.csv", "--target", "diagnosis", "--method", "pairs"),
        (
            "interact",
            "made.csv",
            "--target",
            "diagnosis",
            "--method",
            "rit",
            "--discretizer",
            "equal_frequency",
        ),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_the_least_versions_are_enough(least, words):
    done = least(*words)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert "Warning" not in done.stderr
    assert done.stdout.strip()

"""PLINK beside ours, where it is installed."""

from __future__ import annotations

import shutil
import subprocess

import pandas as pd
import pytest


def run_plink(program, folder, *arguments):
    """Run plink1.9 or plink2 in a folder; the test is skipped where it is not installed."""
    if shutil.which(program) is None:
        pytest.skip(f"needs {program} (Debian package {program})")
    done = subprocess.run(
        [program, *map(str, arguments), "--out", "out", "--threads", "1"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out"


def read_plink(path):
    """A table of PLINK 1.9: fields between spaces."""
    return pd.read_csv(path, sep=r"\s+", dtype={"SNP": str, "CHR": str}, keep_default_na=False)

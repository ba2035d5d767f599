"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

# Workers have a core each: threads of a library, which wait for each other busily, would share it.
if "PYTEST_XDIST_WORKER" in os.environ:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")

import pytest
from hypothesis import settings

# Exploration is for people; CI repeats the same examples, and a busy machine is no failure.
settings.register_profile("explore", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "explore")


def shared_folder() -> Path | None:
    """The folder of real data sets, if this machine has it."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    for place in (os.environ.get("TAMIS_DATA"), beside):
        if place and (Path(place) / "expression").is_dir():
            return Path(place)
    return None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The shared real data sets; the test is skipped without them."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("needs the shared real data sets: set TAMIS_DATA to their folder")
    return folder

"""The reader of .h5ad files given spoiled ones, in a process that is watched."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.spoiled_h5ad import KINDS, valid

pytestmark = pytest.mark.longer

FAMILY = "h5ad"


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, kind):
    path = tmp_path / "made.h5ad"
    path.write_bytes(valid(kind))
    assert watched.ask(path) == ("", "")


def _without(file):
    del file["X"]


def _of_text(file):
    del file["X"]
    file["X"] = np.full((8, 6), b"a")


def _of_holes(file):
    del file["X"]
    file.create_dataset("X", (10**10, 6), "f8", chunks=(1000, 6))


def _beyond(file):
    del file["X/indices"]
    file["X/indices"] = np.full(len(file["X/data"]), 1 << 40)


def _around(file):
    del file["obs/age"]
    file["obs/age"] = __import__("h5py").SoftLink("/obs")


def _of_modalities(file):
    file["mod/rna"] = file["X"]


def _of_itself(file):
    file["mod"] = __import__("h5py").SoftLink("/")


def _of_text_for_symbols(file):
    del file["var/symbol"]
    file["var/symbol"] = np.full(3, b"a")


@pytest.mark.parametrize(
    "change",
    [
        _of_modalities,
        _of_itself,
        _of_text_for_symbols,
        _without,
        _of_text,
        _of_holes,
        _beyond,
        _around,
    ],
)
def test_faults_that_were(watched, tmp_path, change):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "made.h5ad"
    path.write_bytes(valid("csr"))
    with h5py.File(path, "r+") as file:
        change(file)
    said, fault = watched.ask(path)
    assert said.startswith("'made.h5ad' ")
    assert fault == ""

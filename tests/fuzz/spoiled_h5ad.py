"""Inputs of the fuzzer of .h5ad and .h5mu files: bytes of valid ones spoiled, or what is in them.

The k-th of a seed is always the same, with the same versions of the libraries that write them.
"""

from __future__ import annotations

import functools
import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from common.h5mu_files import write_h5mu
from fuzz.mutate import mutate

QUESTIONS = "fuzz.h5ad_questions"
KINDS = ("dense", "csr", "csc", "h5mu")
# what stands in place of an array
STRANGE: list[Any] = [
    np.zeros(0),
    np.zeros((3, 2)),
    np.zeros(7),
    np.array(5),
    np.array([b"a", b"b"]),
    np.full(8, np.nan),
    np.full(8, 1 << 40),
    np.full(8, -1),
    np.array([1 + 2j]),
    np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
    np.zeros(8, bool),
    "text",
]
SAID: list[Any] = [
    "",
    "csr_matrix",
    "csc_matrix",
    "array",
    "dataframe",
    "categorical",
    "9.9.9",
    -1,
    1 << 62,
    np.array([3, 1 << 40]),
    np.zeros(0),
    b"\xff",
]


@functools.cache
def valid(kind: str) -> bytes:
    """A file of eight samples and six features."""
    import anndata
    import pandas as pd
    import scipy.sparse as sp

    X = np.round(np.arange(48.0).reshape(8, 6) % 7)
    obs = pd.DataFrame(
        {
            "class": pd.Categorical(list("uvuvuuvv")),
            "age": range(8),
            "ok": [True, False] * 4,
            "note": list("abababab"),
            "n": pd.array([1, None] * 4, dtype="Int64"),
        },
        index=[f"s{i}" for i in range(8)],
    )
    var = pd.DataFrame({"symbol": list("ABCDEF")}, index=[f"g{j}" for j in range(6)])
    matrices = {"dense": X, "csr": sp.csr_matrix(X), "csc": sp.csc_matrix(X)}
    table = anndata.AnnData(matrices.get(kind, X), obs=obs, var=var, layers={"counts": X + 1})
    if kind == "csr":
        table.raw = table.copy()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.h5ad")
        if kind == "h5mu":
            write_h5mu(path, {"rna": table, "adt": table[::-1, :2].copy()}, obs)
        else:
            table.write_h5ad(path)
        return path.read_bytes()


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which kind it was, and the file to read."""
    rng = np.random.default_rng([seed, k])
    kind = KINDS[k % len(KINDS)]
    content = valid(kind)
    content = mutate(rng, content) if rng.random() < 0.5 else rebuilt(rng, content)
    for old in folder.iterdir():
        old.unlink()
    path = folder / "made.h5ad"
    path.write_bytes(content)
    return kind, path


def rebuilt(rng: np.random.Generator, content: bytes) -> bytes:
    """An object or attribute, or two, gone or replaced."""
    import h5py

    out = io.BytesIO(content)
    with h5py.File(out, "r+") as file:
        for _ in range(1 + (rng.random() < 0.3)):
            names: list[str] = []
            file.visit(names.append)
            spoil_object(rng, file, names[rng.integers(len(names))])
    return out.getvalue()


def spoil_object(rng: np.random.Generator, file: Any, name: str) -> None:
    """One edit."""
    import h5py

    way, attributes = rng.integers(5), sorted(file[name].attrs)
    if way < 2 and attributes:
        which = attributes[rng.integers(len(attributes))]
        del file[name].attrs[which]
        if way:
            file[name].attrs[which] = SAID[rng.integers(len(SAID))]
        return
    del file[name]
    if way == 2:
        file[name] = STRANGE[rng.integers(len(STRANGE))]
    elif way == 3:  # a hole of any size takes no room
        file.create_dataset(name, (10 ** int(rng.integers(3, 12)),), "f8", chunks=(1000,))
    elif rng.random() < 0.5:
        file[name] = h5py.SoftLink("/obs" if rng.random() < 0.5 else "/nowhere")

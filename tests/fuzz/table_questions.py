"""What is asked of tables that may be wrong; answers must not contradict each other."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np

from fuzz.genotype_files import write_cohort
from fuzz.table_files import TABLES, how_read
from tamis.data import Dataset, read_table
from tamis.data.checks import MAX_ABS_VALUE


def warm() -> None:
    """Valid tables of each format, so that all is imported."""
    with tempfile.TemporaryDirectory() as folder:
        for name, made in TABLES.items():
            path = write_cohort(made, Path(folder))
            Path(folder, "how.json").write_bytes(how_read(name))
            ask(path)


def ask(path: Path) -> None:
    """Read, as the file beside says.

    Raises
    ------
    DataError
        The files are wrong.
    """
    how = json.loads((path.parent / "how.json").read_text())
    if "samples" in how:
        how["samples"] = path.parent / how["samples"]
    data = read_table(path, **how)
    check(data, how)
    assert read_table(path, **how).digest() == data.digest()


def check(data: Dataset, how: dict) -> None:
    """What is true of every table that was read."""
    n, p = data.shape
    assert (n, p) == (len(data.sample_names), len(data.feature_names)) == data.matrix.shape
    assert n > 0
    assert p > 0 or "only" in how
    assert data.matrix.dtype == np.float64
    assert data.matrix.flags.c_contiguous
    assert not (np.abs(data.matrix) > MAX_ABS_VALUE).any()
    if "only" not in how:
        assert not np.isnan(data.matrix).all(axis=0).any()
    for names in (data.sample_names, data.feature_names, data.classes):
        assert len(set(names)) == len(names)
        assert all(type(name) is str for name in names)
    assert all((*data.sample_names, *data.classes))
    for j, levels in data.levels.items():
        codes = data.matrix[:, j]
        assert len(set(levels)) == len(levels) > 0
        assert set(codes[~np.isnan(codes)]) <= set(range(len(levels)))
    assert set(data.covariates) <= set(range(p))
    for labels in (data.y, data.groups, data.split, data.batches):
        assert labels is None or labels.shape == (n,)
    assert (data.y is None) == (how.get("target") is None) or how.get("target_optional")
    if data.y is not None:
        assert set(data.y) == set(data.classes)
        assert len(data.classes) >= 2 or how.get("target_optional")
    data.name.encode()

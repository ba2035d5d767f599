"""Centring by batch: against limma, against a loop, and what happens to batches never seen."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import DataError, PlanError
from tamis.preparation import BatchCenterer

GOLDENS = Path(__file__).parents[1] / "goldens"


def golden_tables():
    """Tables of several batches: even ones, one of a single sample, gaps."""
    rng = np.random.default_rng(8)
    found = {}
    for name, sizes in {"even": (4, 4, 4), "odd": (7, 1, 3), "gaps": (5, 3, 4)}.items():
        batch = np.repeat(["x", "y", "z"], sizes)
        X = rng.normal(size=(len(batch), 6)) * 3 + np.repeat([0.0, 5.0, -2.0], sizes)[:, None]
        if name == "gaps":
            X[rng.random(X.shape) < 0.2] = np.nan
        found[name] = (batch, X)
    return found


def write_tables(folder):
    """For `make_batches.R`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (batch, X) in golden_tables().items():
        lines = [
            "\t".join([b, *("NA" if np.isnan(v) else float(v).hex() for v in row)])
            for b, row in zip(batch, X, strict=True)
        ]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n")


def as_array(rows, read=float):
    return np.array([[np.nan if v is None else read(v) for v in row] for row in rows])


@pytest.mark.parametrize("name", ["even", "odd", "gaps"])
def test_as_limma_removes_batch_effects(name):
    made = json.loads((GOLDENS / f"batches_{name}.json").read_text())
    X = as_array(made["x"], float.fromhex)
    got = BatchCenterer().fit_transform(X, batch=made["batch"])
    np.testing.assert_allclose(got, as_array(made["centered"]), rtol=0, atol=1e-13)


def slow_centering(X, batch, new, new_batch):
    """Value by value."""
    names = sorted(set(batch))
    out = new.copy()
    for j in range(X.shape[1]):
        means = {}
        for name in names:
            column = [v for v, b in zip(X[:, j], batch, strict=True) if b == name and v == v]
            if column:
                means[name] = sum(column) / len(column)
        middle = sum(means.values()) / len(means) if means else 0.0
        for i, name in enumerate(new_batch):
            if name in means:
                out[i, j] -= means[name] - middle
    return out


@given(st.integers(0, 10_000))
def test_new_rows_are_shifted_as_their_batch_was(seed):
    rng = np.random.default_rng(seed)
    batch = rng.choice(list("abc"), size=rng.integers(2, 12))
    X = rng.normal(size=(len(batch), 3)).round(2)
    X[rng.random(X.shape) < 0.3] = np.nan
    new, names = rng.normal(size=(7, 3)), rng.choice(list("abcd"), size=7)
    center = BatchCenterer(unseen="keep").fit(X, batch=batch)
    got = center.transform(new, batch=names)
    np.testing.assert_allclose(got, slow_centering(X, batch, new, names), rtol=0, atol=1e-12)
    for i in range(7):
        np.testing.assert_array_equal(center.transform(new[[i]], batch=names[[i]])[0], got[i])


def test_a_batch_never_seen_is_refused_by_name():
    center = BatchCenterer().fit([[1.0], [2.0]], batch=["a", "b"])
    with pytest.raises(DataError, match=r"'c' was not seen in training \('a', 'b' were\)"):
        center.transform([[1.0], [2.0]], batch=["a", "c"])
    with pytest.raises(DataError, match="not seen"):
        center.transform([[1.0]])


def test_without_batches_there_is_one():
    X = np.array([[1.0, 4.0], [3.0, 5.0]])
    np.testing.assert_array_equal(BatchCenterer().fit_transform(X), X)


def test_faults_are_one_line():
    with pytest.raises(PlanError, match="unseen='drop'"):
        BatchCenterer(unseen="drop").fit([[1.0]])
    with pytest.raises(DataError, match="one name for each of 2 samples"):
        BatchCenterer().fit([[1.0], [2.0]], batch=["a"])

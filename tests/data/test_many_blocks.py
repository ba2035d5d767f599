"""Frames that were made column by column, or hold many categories: pandas has nothing to warn of.

It warns of an insertion into more than 100 pieces; its third version, or its option to copy on
write, keeps the pieces.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from tamis.data import as_dataset, read_table
from tamis.data.cleaned import frame_of
from tamis.data.written import write_values

N, PAIRS = 12, 120
CLASSES = np.repeat(["x", "y"], N // 2)


@pytest.fixture(autouse=True, params=[False, True], ids=["copied", "copied on write"])
def strict(request):
    """Every warning is an error."""
    if not hasattr(pd.options.mode, "copy_on_write"):
        pytest.skip("pandas without the option")
    with warnings.catch_warnings(), pd.option_context("mode.copy_on_write", request.param):
        warnings.simplefilter("error")
        yield


@pytest.fixture
def mixed():
    """Categories and numbers by turns, each column a piece of its own."""
    g = np.random.default_rng(0)
    columns = {}
    for k in range(PAIRS):
        columns[f"c{k}"] = g.choice(["a", "b", "c"], N)
        columns[f"n{k}"] = np.round(g.normal(size=N), 3)
    frame = pd.DataFrame(columns)
    return frame.astype({name: frame[name].dtype for name in frame})


def same(data, mixed):
    assert list(data.feature_names) == list(mixed)
    assert list(data.y) == list(CLASSES)
    assert np.array_equal(data.X[:, 1::2], mixed.iloc[:, 1::2].to_numpy(float))
    assert [data.levels[0][int(k)] for k in data.X[:, 0]] == list(mixed["c0"])


@pytest.mark.parametrize("name", ["cls", None])
def test_labels_beside_a_frame(mixed, name):
    same(as_dataset(mixed, pd.Series(CLASSES, name=name)), mixed)
    grouped = as_dataset(mixed, CLASSES, group=pd.Series(np.arange(N) // 2, name="who"))
    assert list(map(str, grouped.groups)) == [str(k // 2) for k in range(N)]


def test_labels_in_the_index_of_a_frame(mixed):
    same(as_dataset(mixed.set_index(pd.Series(CLASSES, name="cls")), "cls"), mixed)


@pytest.mark.parametrize("ending", [".csv", ".tsv.gz", ".parquet"])
def test_a_table_without_its_faults_is_written(mixed, tmp_path, ending):
    path = tmp_path / "mixed.csv"
    pd.concat([pd.Series(CLASSES, name="cls"), mixed], axis=1).to_csv(path, index=False)
    data = read_table(path, target="cls")
    written = tmp_path / f"again{ending}"
    frame = frame_of(data, {"target": "cls"})
    assert list(frame.columns) == ["cls", *mixed]
    write_values(frame, written, "read")
    same(read_table(written, target="cls", id="sample"), mixed)

"""Parquet by the positions of its columns, beside those that shift them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.parquet import BLOCK_COLUMNS

N = 30
KINDS = [
    pa.float64(),
    pa.float32(),
    pa.float16(),
    pa.int64(),
    pa.uint8(),
    pa.bool_(),
    pa.decimal128(6, 2),
]


def value_of(kind: pa.DataType, x: int):
    if pa.types.is_boolean(kind):
        return x % 2 == 1
    return Decimal(x) / 4 if pa.types.is_decimal(kind) else x


@pytest.fixture
def table() -> pa.Table:
    """Three blocks of columns of all kinds, of which some lack values, and two of text."""
    rng = np.random.default_rng(1)
    columns = {}
    for j in range(2 * BLOCK_COLUMNS + 20):
        kind = KINDS[j % len(KINDS)]
        cells = [value_of(kind, x) for x in rng.integers(0, 100, N).tolist()]
        if j % 3 == 0:
            cells[j % N] = None
        columns[f"x.{j}"] = pa.array(cells, kind)
    columns["class"] = pa.array(["ill", "well"] * (N // 2))
    columns |= {f"z{j}": pa.array(rng.normal(size=N)) for j in range(5)}
    columns["site"] = pa.array([["a", "b", None][k % 3] for k in range(N)])
    return pa.table(columns)


def check(path: Path, table: pa.Table, drop: tuple[str, ...] = ()) -> None:
    data = read_table(path, target="class", drop=drop)
    numbers = [name for name in data.feature_names if name != "site"]
    assert {*data.feature_names} == {*table.column_names} - {"class"}
    assert list(data.y) == table.column("class").to_pylist()
    for name in numbers:
        cells = table.column(name).to_pylist()
        expected = np.array([np.nan if v is None else float(v) for v in cells])
        assert data.X[:, data.feature_names.index(name)].tobytes() == expected.tobytes(), name
    at = data.feature_names.index("site")
    found = [None if c != c else data.levels[at][int(c)] for c in data.X[:, at].tolist()]
    assert found == table.column("site").to_pylist()


@pytest.mark.quick
@pytest.mark.parametrize("rows", [N, 7])
def test_every_block_of_columns(tmp_path, table, rows):
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=rows)
    check(tmp_path / "t.parquet", table)


@pytest.mark.quick
def test_nested_columns_that_are_dropped_shift_no_other(tmp_path, table):
    """Such a column is several of the file, which others stand behind."""
    pair = pa.array([{"a": 1.0, "b": 2.0}] * N)
    nested = table.add_column(3, "pair", pair).add_column(1, "list", pa.array([[1.0]] * N))
    pq.write_table(nested, tmp_path / "t.parquet")
    check(tmp_path / "t.parquet", table, drop=("pair", "list"))
    with pytest.raises(DataError, match=r"column 'list' has the type list<"):
        read_table(tmp_path / "t.parquet", target="class", drop=["pair"])


@pytest.mark.parametrize("first", [True, False])
def test_the_index_of_pandas_wherever_it_is_named(tmp_path, first):
    parts = [("index_columns", ["ids"]), ("columns", [{"name": "ids"}, {"name": "g"}])]
    text = json.dumps(dict(parts if first else parts[::-1]))
    table = pa.table({"g": [1.0, 2.0], "ids": ["s1", "s2"]})
    pq.write_table(
        table.replace_schema_metadata({b"pandas": text.encode()}), tmp_path / "t.parquet"
    )
    data = read_table(tmp_path / "t.parquet")
    assert data.sample_names == ("s1", "s2")
    assert data.feature_names == ("g",)

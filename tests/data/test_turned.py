"""A file with features in rows is read as the same table with samples in rows."""

from __future__ import annotations

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError
from tamis.data import Dataset, read_table

numeral = st.one_of(
    st.floats(-1e6, 1e6).map(repr),
    st.floats(-1e6, 1e6).map(lambda v: f"{v:.5f}"),
    st.integers(-(10**6), 10**6).map(str),
)
gap = st.sampled_from(["", "NA", "?", ".", "NaN"])
N = 6
features = st.lists(
    st.one_of(
        st.lists(st.one_of(numeral, numeral, gap), min_size=N, max_size=N),
        st.lists(st.one_of(st.sampled_from(["low", "high, é"]), gap), min_size=N, max_size=N),
    ).filter(lambda cells: set(cells) - {"", "NA", "?", ".", "NaN"}),
    min_size=1,
    max_size=8,
)


def check_equal(turned: Dataset, other: Dataset) -> None:
    assert turned.feature_names == other.feature_names
    assert turned.sample_names == other.sample_names
    assert turned.classes == other.classes
    assert turned.levels == other.levels
    assert turned.covariates == other.covariates
    assert turned.X.flags.c_contiguous
    assert turned.X.dtype == np.float64
    gaps = np.isnan(other.X)
    assert np.array_equal(np.isnan(turned.X), gaps)
    assert turned.X[~gaps].tobytes() == other.X[~gaps].tobytes()


def as_text(rows: list[list[str]], quoting: int, end: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


@settings(max_examples=150, deadline=None)
@example([["low"] * 5 + ["NaN"]], csv.QUOTE_MINIMAL, "\n", False)  # no number behind descriptions
@given(
    features,
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_text(tmp_path_factory, cells, quoting, end, zipped):
    folder = tmp_path_factory.mktemp("twins")
    names = [f"g{j}" if j % 2 else f'a "{j}", b' for j in range(len(cells))]
    rows = [["id", *(f"s{i}" for i in range(N))]]
    rows += [[name, *one] for name, one in zip(names, cells, strict=True)]
    pack = gzip.compress if zipped else bytes
    (folder / "turned").write_bytes(pack(as_text(rows, quoting, end)))
    (folder / "other").write_bytes(pack(as_text([*zip(*rows, strict=True)], quoting, end)))
    check_equal(
        read_table(folder / "turned", transpose=True), read_table(folder / "other", id="id")
    )


@pytest.mark.parametrize("ending", ["csv", "csv.gz"])
def test_many_blocks(tmp_path, ending):
    """Several blocks, later rows longer or shorter than the first ones, some left out."""
    rng = np.random.default_rng(0)
    n, p = 40, 9000
    frame = pd.DataFrame(rng.normal(size=(n, p)).round(5)).add_prefix("g")
    frame.iloc[:, : p // 2] = frame.iloc[:, : p // 2].round(1)
    if ending == "csv":
        frame = frame[frame.columns[::-1]]
    frame = frame.mask(rng.random((n, p)) < 0.03)
    frame.insert(4000, "stage", rng.choice(["i", "ii"], size=n))
    frame.insert(8000, "class", rng.choice(["u", "v"], size=n))
    frame.insert(0, "id", [f"s{i}" for i in range(n)])
    frame.to_csv(tmp_path / f"other.{ending}", index=False)
    frame.set_index("id").T.to_csv(tmp_path / f"turned.{ending}")
    turned, other = tmp_path / f"turned.{ending}", tmp_path / f"other.{ending}"
    for asked in ({}, {"target": "class", "drop": ["g7*", "g30"]}, {"categorical": ["g5"]}):
        check_equal(read_table(turned, transpose=True, **asked), read_table(other, **asked))
    sheet = tmp_path / "sheet.csv"
    pd.DataFrame({"id": frame["id"], "age": np.arange(n)}).to_csv(sheet, index=False)
    asked = {"samples": sheet, "covariates": ["age"], "drop": "stage"}
    check_equal(read_table(turned, transpose=True, **asked), read_table(other, **asked))


def test_parquet(tmp_path):
    """Columns of several types with gaps, in several groups of rows."""
    rng = np.random.default_rng(0)
    p = 300
    columns = {
        "a": rng.normal(size=p),
        "b": rng.normal(size=p).astype("f4"),
        "c": rng.integers(-50, 50, p),
        "d": pd.array(rng.integers(0, 2, p).astype(bool)),
        "e": pd.array(rng.integers(0, 90, p), dtype="Int64"),
        "f": rng.normal(size=p).astype("f2"),
    }
    frame = pd.DataFrame(columns, index=pd.Index([f"g{k}" for k in range(p)], name="gene"))
    frame.loc["g7":"g90", ["a", "b", "e"]] = None
    frame.to_parquet(tmp_path / "turned.parquet", row_group_size=70)
    frame.astype(float).T.rename_axis("id").to_parquet(tmp_path / "other.parquet")
    for asked in ({}, {"drop": ["g1*"]}):
        check_equal(
            read_table(tmp_path / "turned.parquet", transpose=True, **asked),
            read_table(tmp_path / "other.parquet", **asked),
        )


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("head", ["", "Unnamed: 0", "X"])
def test_an_index_in_front_of_the_names_is_left_out(tmp_path, start, head):
    """pandas and R number the rows in a first column that has no name."""
    lines = [f"{head},gene,chr,a,b"]
    genes = ("TP53", "EGFR", "MYC")
    lines += [f"{k + start},{gene},7,{k},{k + 0.5}" for k, gene in enumerate(genes)]
    (tmp_path / "t.csv").write_text("\n".join([*lines, ""]))
    data = read_table(tmp_path / "t.csv", transpose=True)
    assert (data.feature_names, data.sample_names) == (genes, ("a", "b"))
    assert data.X.tolist() == [[0, 1, 2], [0.5, 1.5, 2.5]]
    index = "X" if head == "X" else "(row names)"
    assert f"columns that describe the features are left out: {index!r}, 'chr'" in data.notes


@pytest.mark.parametrize(
    "rows", ["10,TP53\n11,EGFR\n12,MYC\n", "0,coding\n1,coding\n2,rna\n3,coding\n"]
)
def test_numbers_that_are_no_index_stay_the_names(tmp_path, rows):
    lines = [f"{row},{k},5" for k, row in enumerate(rows.split())]
    (tmp_path / "t.csv").write_text("\n".join([",symbol,a,b", *lines, ""]))
    data = read_table(tmp_path / "t.csv", transpose=True)
    assert data.feature_names == tuple(row.partition(",")[0] for row in rows.split())


def test_a_row_without_a_name_is_left_out(tmp_path):
    (tmp_path / "t.csv").write_text("gene,a,b\nTP53,1,2\n,x,y\nMYC,3,4\n")
    data = read_table(tmp_path / "t.csv", transpose=True, drop=[""])
    assert (data.feature_names, data.X.tolist()) == (("TP53", "MYC"), [[1, 3], [2, 4]])


def test_points_beside_decimal_commas_are_no_decimals(tmp_path):
    """In a row that has no other numbers, as in a column."""
    (tmp_path / "t.csv").write_text("gene;a;b\nTP53;1.250;2.500\nMYC;1,5;2,5\n")
    with pytest.raises(DataError, match=r"'1.250', '2.500', in 1 column \('TP53'\): say thousands"):
        read_table(tmp_path / "t.csv", transpose=True, decimal=",")
    data = read_table(tmp_path / "t.csv", transpose=True, decimal=",", thousands=".")
    assert data.X.tolist() == [[1250, 1.5], [2500, 2.5]]

"""Names that look like numbers: sample ids of QIIME, Entrez ids, masses. They stay names."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table

N = 12
IDS = {
    "QIIME": [f"{10317 if k % 2 else 11710}.{4718 + k:06d}0" + "00" for k in range(N)],
    "visits of patients": [f"10{k // 6}.{k % 6 * 2 + 5:02d}" for k in range(N)],
    "wells": [f"{k % 3}E{k:02d}" for k in range(N)],
    "zeros further down": ["10", "11", "12", *(f"0{k}" for k in range(1, N - 2))],
}
ID_COLUMNS = ("sample_name", "#SampleID", "sample-id", "SampleID", "barcode", "Patient ID")


def a_frame(ids, name):
    frame = pd.DataFrame({name: ids, "class": list("ab") * (N // 2)})
    return frame.assign(g=np.arange(N) ** 2.0, h=np.arange(N)[::-1] % 5)


@pytest.mark.every
@pytest.mark.parametrize("name", ID_COLUMNS)
@pytest.mark.parametrize("kind", IDS)
def test_ids_that_look_like_numbers_are_ids_as_they_are_written(kind, name, tmp_path):
    frame = a_frame(IDS[kind], name)
    assert len({*IDS[kind]}) == N
    frame.to_csv(tmp_path / "t.tsv", sep="\t", index=False)
    data = read_table(tmp_path / "t.tsv", target="class")
    assert data.sample_names == tuple(IDS[kind])
    assert data.feature_names == ("g", "h")
    assert data.X.tolist() == frame[["g", "h"]].to_numpy().tolist()
    sheet = frame[[name, "class"]].iloc[::-1]
    sheet.to_csv(tmp_path / "s.csv", index=False)
    frame.drop(columns="class").to_csv(tmp_path / "u.csv", index=False)
    joined = read_table(tmp_path / "u.csv", samples=tmp_path / "s.csv", target="class")
    assert joined.y.tolist() == frame["class"].tolist()
    assert joined.sample_names == tuple(IDS[kind])


@pytest.mark.parametrize("name", ["host", "x"])
def test_ids_of_qiime_are_ids_whatever_their_column_is_called(name, tmp_path):
    a_frame(IDS["QIIME"], name).to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", target="class")
    assert data.sample_names == tuple(IDS["QIIME"])
    assert any("(the first, and numbers that are all different)" in note for note in data.notes)


@pytest.mark.parametrize("name", ["sample_name", "#SampleID", "host"])
def test_ids_that_are_numbers_already_are_ids(name, tmp_path):
    frame = a_frame([*map(float, IDS["QIIME"])], name)
    frame.to_parquet(tmp_path / "t.parquet")
    ids = tuple(map(repr, frame[name].tolist()))
    for data in (read_table(tmp_path / "t.parquet", target="class"), as_dataset(frame, "class")):
        assert data.sample_names == ids
        assert data.feature_names == ("g", "h")


def test_ids_that_lost_their_last_zeros_are_not_joined_and_it_is_said(tmp_path):
    frame = a_frame([*map(float, IDS["QIIME"])], "sample_name").drop(columns="class")
    frame.to_parquet(tmp_path / "t.parquet")
    a_frame(IDS["QIIME"], "sample_name")[["sample_name", "class"]].to_csv(
        tmp_path / "s.csv", index=False
    )
    with pytest.raises(DataError, match=r"'11710.004718' may be '11710.004718000' there"):
        read_table(tmp_path / "t.parquet", samples=tmp_path / "s.csv", target="class")


@pytest.mark.every
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Pt", [10.1 + k / 7 for k in range(N)]),  # platinum, or prothrombin time
        ("S", [10.1 + k / 7 for k in range(N)]),
        ("age", [30.001 + k / 7 for k in range(N)]),
        ("TP53", [round(10.123456 + k * 1.7, 6) for k in range(N)]),
        ("sample", [0.5 * (k // 2) for k in range(N)]),  # repeats
        ("sample", [3 + k for k in range(N)]),  # whole: a remark asks
        ("x", [12.0 + k for k in range(N)]),
    ],
)
def test_measurements_stay_features(name, values, tmp_path):
    frame = a_frame(values, name)
    frame.to_csv(tmp_path / "t.csv", index=False)
    for data in (read_table(tmp_path / "t.csv", target="class"), as_dataset(frame, "class")):
        assert data.feature_names == (name, "g", "h")
        assert data.X[:, 0].tolist() == values


def test_a_saved_model_has_the_column_that_it_needs(tmp_path):
    frame = a_frame([*map(float, IDS["QIIME"])], "sample_name")
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", only=["sample_name", "g"], target="class")
    assert data.feature_names == ("sample_name", "g")


HEADERS = {  # names of the columns, and what the first is called
    "QIIME": ("#OTU ID", IDS["QIIME"]),
    "QIIME, another first name": ("taxa", IDS["QIIME"]),
    "visits": ("sample_id", IDS["visits of patients"]),
    "masses": ("mass", [f"{100.25 + k * 3.5}" for k in range(N)]),
    "wavelengths": ("sample", [f"{900 + k * 0.5:.1f}" for k in range(N)]),
}


@pytest.mark.every
@pytest.mark.parametrize("kind", HEADERS)
def test_a_header_of_decimals_is_one(kind, tmp_path):
    first, names = HEADERS[kind]
    values = np.random.default_rng(0).integers(0, 9, (6, N)) / 2
    rows = [[first, *names], *([f"T{k}", *row] for k, row in enumerate(values.tolist()))]
    (tmp_path / "t.tsv").write_text("\n".join("\t".join(map(str, row)) for row in rows) + "\n")
    flipped = read_table(tmp_path / "t.tsv", transpose=True)
    assert flipped.sample_names == tuple(names)
    assert flipped.X.tolist() == values.T.tolist()
    data = read_table(tmp_path / "t.tsv")
    assert data.feature_names == tuple(names)
    assert data.X.tolist() == values.tolist()


@pytest.mark.parametrize(
    "first", ["1.5,2.25,3.5,1.5", "S0,1.125,2.375,3.5", "S0,1.5,1.5,2.5", "ill,1.123,2.234,3.345"]
)
def test_a_row_in_place_of_the_header_is_refused(first, tmp_path):
    rows = [f"S{k},1.{k}25,2.{k}35,{k}.555" for k in range(1, 6)]
    (tmp_path / "t.csv").write_text("\n".join([first, *rows]) + "\n")
    for transpose in (False, True):
        with pytest.raises(DataError, match="starts with a line of numbers; add a header"):
            read_table(tmp_path / "t.csv", transpose=transpose)


FEATURES = {
    "Entrez": ("entrez", [1017, 7157, 672]),
    "whole numbers with a point": ("ID", [1017.0, 7157.0, 672.0]),
    "masses": ("mass", [100.25 + 3.5 * k for k in range(9)]),
}


@pytest.mark.every
@pytest.mark.parametrize("kind", FEATURES)
def test_features_in_rows_that_are_named_by_numbers(kind, tmp_path):
    name, numbers = FEATURES[kind]
    values = np.random.default_rng(0).normal(size=(len(numbers), 4))
    frame = pd.DataFrame(values, columns=list("wxyz"))
    frame.insert(0, name, numbers)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    names = tuple(str(x if x % 1 else int(x)) for x in numbers)
    for data in (
        read_table(tmp_path / "t.parquet", transpose=True),
        as_dataset(frame, transpose=True),
    ):
        assert data.feature_names == names
        assert data.sample_names == ("w", "x", "y", "z")
        assert data.X.tolist() == values.T.tolist()
        assert f"features are named by the numbers of column {name!r}" in data.notes
    written = tuple(map(str, numbers))
    assert read_table(tmp_path / "t.csv", transpose=True).feature_names == written


def test_columns_that_describe_features_are_no_samples(tmp_path):
    frame = pd.DataFrame({"id": ["a", "b"], "entrez": [7, 9], "symbol": ["A", "B"]})
    frame = frame.assign(w=[0.5, 2.0], x=[1.0, 3.0])
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    ways = [read_table(tmp_path / f"t.{end}", transpose=True) for end in ("csv", "parquet")]
    for data in (*ways, as_dataset(frame, transpose=True)):
        assert data.sample_names == ("w", "x")
        assert data.X.tolist() == [[0.5, 2.0], [1.0, 3.0]]
        note = "columns that describe the features are left out: 'entrez', 'symbol'"
        assert note in data.notes


def test_an_array_in_rows_has_no_names():
    data = as_dataset(np.array([[1, 5, 7], [2, 6, 8]]), transpose=True)
    assert data.sample_names == ("x0", "x1", "x2")
    assert data.X.tolist() == [[1, 2], [5, 6], [7, 8]]


def test_numbers_that_name_no_feature_are_refused_in_a_line(tmp_path):
    pd.DataFrame({"w": [0.5, 0.25], "x": [1.0, 2.0]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match="the numbers in 'w' are none") as error:
        read_table(tmp_path / "t.parquet", transpose=True)
    assert "as a first column of text, or as the index" in str(error.value)
    named = pd.DataFrame({"w": [0.5, 0.25], "x": [1.0, 2.0]}, index=["a", "b"])
    named.to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", transpose=True).feature_names == ("a", "b")

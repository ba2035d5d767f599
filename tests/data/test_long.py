"""Tables with a row for each measurement: said, and turned into a row for each sample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table
from tamis.data.faults import Fault

LONG = ("SampleID", "Assay", "NPX")


def wide(n=10, p=6, seed=0):
    rng = np.random.default_rng(seed)
    names = [f"G{j}" for j in rng.permutation(p)]
    return pd.DataFrame(rng.normal(size=(n, p)), [f"s{k}" for k in range(n)], names)


def long_of(table, seed=1, missing=0, **more):
    """The table with a row a measurement, in any order, some of them left out."""
    rng = np.random.default_rng(seed)
    found = table.rename_axis("SampleID").reset_index().melt("SampleID", None, "Assay", "NPX")
    at = found["SampleID"].str[1:].astype(int)
    found = found.assign(**{"class": np.where(at % 2, "ill", "well"), "age": 30.5 + at, **more})
    return found.iloc[rng.permutation(len(found))[missing:]]


@pytest.fixture(params=["csv", "parquet", "frame"])
def read(request, tmp_path):
    def reading(frame, **how):
        if request.param == "frame":
            return as_dataset(frame.reset_index(drop=True), "class", **how)
        path = tmp_path / f"t.{request.param}"
        if request.param == "csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path, index=False)
        return read_table(path, target="class", **how)

    return reading


def test_it_is_said_with_the_way_to_read_it(read):
    table = wide()
    with pytest.raises(Fault, match="has a row for each measurement: 10 samples in") as fault:
        read(long_of(table).drop(columns="age"))
    assert fault.value.remedy == {"long": LONG}
    data = read(long_of(table).drop(columns="age"), **fault.value.remedy)
    found = pd.DataFrame(data.X, data.sample_names, data.feature_names)
    pd.testing.assert_frame_equal(found.loc[table.index, table.columns], table)
    assert dict(zip(data.sample_names, data.y, strict=True)) == {
        f"s{k}": "ill" if k % 2 else "well" for k in range(10)
    }
    assert "60 rows of measurements turned into 10 samples x 6 features" in data.notes


def test_what_is_the_same_for_a_sample_is_its_attribute(read):
    frame = long_of(wide(), missing=5)
    data = read(frame, long=LONG, covariates=["age"])
    age = dict(zip(data.sample_names, data.X[:, data.covariates[0]], strict=True))
    assert age == {f"s{k}": 30.5 + k for k in range(10)}
    assert np.isnan(data.X).sum() == 5
    first = list(dict.fromkeys(frame["SampleID"]))
    assert list(data.sample_names) == first  # in the order of the table
    varying = frame.assign(run=np.arange(len(frame)).astype(str))
    assert any(
        "left out that vary within a sample: 'run'" in n for n in read(varying, long=LONG).notes
    )


def test_several_values_of_one_sample_and_feature(read):
    frame = long_of(wide()).sort_values("NPX")
    again = pd.concat([frame, frame.iloc[[3]].assign(NPX=100.0)])
    sample, feature = again.iloc[-1]["SampleID"], again.iloc[-1]["Assay"]
    with pytest.raises(Fault, match="1 further value of one sample and feature") as fault:
        read(again, long=LONG)
    assert fault.value.remedy == {"duplicates": "first"}

    def value(**how):
        data = read(again, long=LONG, **how)
        return data.X[data.sample_names.index(sample), data.feature_names.index(feature)]

    assert value(duplicates="first") == frame.iloc[3]["NPX"]
    assert value(duplicates="mean") == pytest.approx((frame.iloc[3]["NPX"] + 100) / 2)


def test_of_several_columns_of_values_one_is_named(read):
    frame = long_of(wide())
    frame = frame.assign(LOD=np.random.default_rng(0).normal(size=len(frame)))
    with pytest.raises(Fault, match=r"values in one of 'NPX', 'LOD': say which") as fault:
        read(frame)
    assert fault.value.remedy == {}
    assert read(frame, long=LONG).shape == (10, 6)


def test_features_that_are_wanted(read):
    frame = long_of(wide())
    assert sorted(read(frame, long=LONG, drop="G[0-3]").feature_names) == ["G4", "G5"]
    assert sorted(
        read(frame, long=LONG, only=["G1", "G2"], target_optional=True).feature_names
    ) == [
        "G1",
        "G2",
    ]


@pytest.mark.parametrize(
    ("long", "words"),
    [
        (("SampleID", "Assay"), "name three columns, of samples, features and values"),
        (("SampleID", "Assay", "Assay"), "name three columns"),
        (("SampleID", "Assays", "NPX"), "did you mean 'Assay'"),
        (("SampleID", "NPX", "Assay"), "the column of values, 'Assay', has text"),
    ],
)
def test_columns_that_are_none(read, long, words):
    with pytest.raises(DataError, match=words):
        read(long_of(wide()), long=long)


def test_a_gap_among_samples_or_features_is_named(read):
    frame = long_of(wide()).reset_index(drop=True)
    frame.loc[4, "Assay"] = None
    with pytest.raises(DataError, match=r"long: the column 'Assay' .* is empty in row 5"):
        read(frame, long=LONG)


def test_patients_with_several_visits_are_no_long_table(read):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, 40)), columns=[f"g{j}" for j in range(40)])
    frame.insert(0, "patient", [f"p{k // 3}" for k in range(30)])
    frame.insert(1, "visit", ["first", "second", "third"] * 10)
    frame.insert(2, "class", ["ill" if k // 3 % 2 else "well" for k in range(30)])
    with pytest.raises(DataError, match="group='patient'"):
        read(frame)
    assert read(frame, group="patient").shape[0] == 30


def test_the_command_says_it_in_its_own_words(tmp_path):
    from tamis.cli._shared import as_options

    said = "say long=['Sample ID', 'As\"say', 'NPX']"
    assert as_options(said) == "say --long 'Sample ID' 'As\"say' 'NPX'"


def test_a_matrix_with_a_table_of_its_samples_is_not_long():
    anndata = pytest.importorskip("anndata")
    cells = anndata.AnnData(
        np.eye(12, 3),
        pd.DataFrame({"class": list("xy") * 6}, [f"c{k}" for k in range(12)]),
        pd.DataFrame(index=["a", "b", "c"]),
    )
    with pytest.raises(DataError, match="long is for a table; 'table' is a matrix with a row for"):
        as_dataset(cells, "class", long=["a", "b", "c"])
    assert as_dataset(cells, "class").feature_names == ("a", "b", "c")


def in_order(p=4, **more):
    """Sorted by sample, as an export has it."""
    found = long_of(wide(p=p), **more).drop(columns="age")
    return found.sort_values(["SampleID", "Assay"])[[*found.columns[[0, 3, 1, 2]], *more]]


@pytest.mark.parametrize("way", ["numbers", "an index", "row numbers", "ids of rows", "replicates"])
def test_it_is_said_wherever_the_samples_stand(way, tmp_path):
    table, path = in_order(), tmp_path / "t.csv"
    if way == "numbers":
        table["SampleID"] = table["SampleID"].str[1:].astype(int) + 101
    if way == "replicates":
        table["SampleID"] = table["SampleID"].str[1:].astype(int) + 101
        table = pd.concat([table, table.iloc[:2].assign(NPX=9.5)])
    if way == "row numbers":
        table.insert(0, "X", range(1, len(table) + 1))
    if way == "ids of rows":
        table.insert(0, "run", [f"r{k}" for k in range(len(table))])
    table.to_csv(path, index=way == "an index")
    with pytest.raises(Fault, match="has a row for each measurement: 10 samples in") as fault:
        read_table(path, target="class")
    assert fault.value.remedy == {"long": LONG}
    data = read_table(path, target="class", duplicates="first", **fault.value.remedy)
    found = pd.DataFrame(data.X, data.sample_names, data.feature_names)
    start, add = ("", 101) if way in ("numbers", "replicates") else ("s", 0)
    names = [f"{start}{k + add}" for k in range(10)]
    expected = wide(p=4).set_axis(names, axis=0)
    pd.testing.assert_frame_equal(found.loc[names, expected.columns], expected)


def test_visits_of_patients_are_no_measurements(tmp_path):
    """Rows of visits have several values; and who says group says that rows are samples."""
    table = in_order()
    table["SampleID"] = table["SampleID"].str[1:].astype(int) + 101
    table.to_csv(tmp_path / "t.csv", index=False)
    assert read_table(tmp_path / "t.csv", target="class", group="SampleID").shape == (40, 2)
    table.assign(crp=table["NPX"] * 2).to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", target="class")
    assert data.feature_names == ("SampleID", "Assay", "NPX", "crp")
    assert any("study them with group='SampleID'" in note for note in data.notes)

"""A frame, an AnnData object and arrays are what the files they could be written to are."""

from __future__ import annotations

import contextlib
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, load_golub, read_table

N = 40


def a_frame(**more):
    """Ids, classes, numbers with gaps, categories, truth values."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "pid": [f"p{i:03}" for i in range(N)],
            "state": np.repeat(["ill", "well"], N // 2),
            "age": rng.integers(20, 80, N),
            "weight": np.where(np.arange(N) % 9 == 3, np.nan, rng.normal(70, 9, N)),
            "sex": rng.choice(["m", "f"], N),
            "smokes": rng.choice([True, False], N),
            "ward": np.repeat(["a", "b", "c", "d"], N // 4),
        }
    )
    return frame.assign(**more)


def texts(*cells):
    return [cells[k % len(cells)] for k in range(N)]


def same(frame, tmp_path, kinds=("csv", "parquet"), **reading):
    """The frame, once it is what its files are."""
    found = as_dataset(frame, "state", **reading)
    for kind in kinds:
        path = tmp_path / f"table.{kind}"
        index = not frame.index.equals(pd.RangeIndex(len(frame)))
        getattr(frame, f"to_{kind}")(path, index=index)
        read = read_table(path, target="state", **reading)
        assert found.feature_names == read.feature_names
        assert found.levels == read.levels
        assert found.digest() == read.digest(), kind
        assert found.name == read.name
        assert found.doubts == read.doubts
    return found


@pytest.mark.parametrize(
    "reading",
    [
        {},
        {"group": "ward"},
        {"split": "ward", "covariates": "age"},
        {"batch": "ward"},
        {"drop": ["w*", "sex"]},
        {"categorical": "age"},
        {"positive": "ill"},
        {"id": "pid"},
        {"missing": ["ward=a", "-9", "age=50"]},
    ],
    ids=str,
)
def test_a_frame_is_its_csv_and_its_parquet(tmp_path, reading):
    same(a_frame(), tmp_path, **reading)


def test_the_index_names_the_samples(tmp_path):
    found = same(a_frame().set_index("pid"), tmp_path)
    assert found.sample_names[:2] == ("p000", "p001")
    some = a_frame().drop(columns="pid").iloc[::2]
    assert same(some, tmp_path, kinds=["csv"]).sample_names[:3] == ("0", "2", "4")
    assert as_dataset(a_frame().drop(columns="pid"), "state").sample_names[:2] == ("1", "2")


def test_an_index_can_have_a_role(tmp_path):
    frame = a_frame().drop(columns="pid").set_index("ward")
    found = as_dataset(frame, "state", group="ward")
    assert found.groups.tolist() == a_frame()["ward"].tolist()
    assert found.sample_names[:2] == ("1", "2")


def test_golub_is_itself(tmp_path):
    golub = load_golub()
    frame = pd.DataFrame(golub.X, golub.sample_names, golub.feature_names)
    assert as_dataset(frame, golub.y).digest() == golub.digest()
    assert as_dataset(frame.assign(kind=golub.y), "kind").X.tobytes() == golub.X.tobytes()
    turned = as_dataset(frame.T, golub.y, transpose=True)
    assert turned.digest() == golub.digest()


def test_a_frame_read_from_a_file_is_that_file(tmp_path):
    a_frame().to_csv(tmp_path / "t.csv", index=False)
    frame = pd.read_csv(tmp_path / "t.csv", float_precision="round_trip")
    read = read_table(tmp_path / "t.csv", target="state")
    assert as_dataset(frame, "state").digest() == read.digest()
    assert as_dataset(tmp_path / "t.csv", "state").digest() == read.digest()
    assert as_dataset(tmp_path / "t.csv", "state").name == "t"
    assert as_dataset(tmp_path / "t.csv", "state", name="mine").name == "mine"


def test_features_in_rows(tmp_path):
    rows = a_frame()[["age", "weight", "state"]].T.rename_axis("gene")
    rows.columns = a_frame()["pid"]
    rows.to_csv(tmp_path / "t.csv")
    read = read_table(tmp_path / "t.csv", target="state", transpose=True)
    assert as_dataset(rows, "state", transpose=True).digest() == read.digest()
    again = pd.read_csv(tmp_path / "t.csv")
    assert as_dataset(again, "state", transpose=True).digest() == read.digest()
    with pytest.raises(DataError, match="say transpose=True"):
        as_dataset(rows, "state")


@pytest.mark.parametrize(
    "change",
    [
        {"age": "Int64"},
        {"weight": "Float64"},
        {"smokes": "boolean"},
        {"sex": "string"},
        {"sex": "category"},
        {"state": "category"},
        {"age": "object"},
        {"weight": "object"},
        {"age": "int64[pyarrow]"},
        {"sex": "string[pyarrow]"},
        {"age": pd.SparseDtype("int64")},
        {"state": "string", "ward": "category"},
        {"smokes": "int8"},
    ],
    ids=str,
)
def test_types_of_pandas_make_no_difference(change):
    frame = a_frame()
    expected = as_dataset(frame, "state", group="ward").digest()
    assert as_dataset(frame.astype(change), "state", group="ward").digest() == expected


def test_what_is_missing_is_missing_whatever_it_is_called():
    frame = a_frame(sex=texts("m", "f", None), smokes=texts(True, False, None))
    expected = as_dataset(frame, "state")
    assert np.isnan(expected.column(3)).sum() == N // 3
    assert expected.column(3)[:2].tolist() == [1.0, 0.0]
    for gap in (np.nan, pd.NA, "", "NA"):
        other = frame.assign(sex=texts("m", "f", gap), smokes=texts(True, False, gap))
        assert as_dataset(other, "state").digest() == expected.digest()


def test_text_that_is_declared_stays_text(tmp_path):
    digits = a_frame(stage=texts("1", "2", "10"))
    found = same(digits, tmp_path, kinds=["parquet"])
    assert found.levels[5] == ("1", "2", "10")
    declared = a_frame(stage=pd.Categorical(texts(1, 2, 10), [10, 5, 2, 1]))
    assert as_dataset(declared, "state").digest() == found.digest()
    numbers = a_frame(stage=texts(1, 2, 10))
    assert as_dataset(numbers, "state", categorical="stage").digest() == found.digest()
    assert 5 not in as_dataset(numbers, "state").levels


def test_objects_that_are_numbers_are_numbers(tmp_path):
    turned = a_frame()[["age", "weight", "smokes"]].T.T
    assert set(turned.dtypes.astype(str)) == {"object"}
    turned = turned.assign(state=a_frame()["state"])
    plain = a_frame()[["age", "weight", "smokes", "state"]]
    assert as_dataset(turned, "state").digest() == as_dataset(plain, "state").digest()
    dates = a_frame(when=[pd.Timestamp("2021-01-01").to_pydatetime()] * N).astype({"when": object})
    with pytest.raises(DataError, match="'when' has the type datetime64"):
        as_dataset(dates, "state")
    frame = a_frame(dose=texts(decimal.Decimal("1.5"), 2, None, 0.25))
    assert 5 not in same(frame, tmp_path, kinds=["csv"]).levels


@pytest.mark.parametrize(
    ("cells", "reading"),
    [
        (texts("<0.5", *map(str, np.arange(1.5, 20))), {"limits": "half"}),
        (texts("<0.5", *map(str, np.arange(1.5, 20))), {"limits": "missing"}),
        (texts("5 mg", "6.5 mg", "7 mg"), {"units": "remove"}),
        (texts("1,5", "2,25", "3,75"), {"decimal": ","}),
        (texts("1'500.5", "2", "3.25"), {"thousands": "'"}),
        (texts("unk", "2", "3.5"), {"missing": "unk"}),
        (texts("unk", "2", "3.5"), {"missing": "dose=unk"}),
        (texts("low", "unk", "high"), {"missing": "unk"}),
        (texts("-9", "<2", 5, 6.5), {"missing": "-9", "limits": "value"}),
    ],
    ids=str,
)
def test_cells_are_read_as_in_a_file(tmp_path, cells, reading):
    frame = a_frame(dose=cells).drop(columns="weight")
    if reading.get("decimal") == ",":
        frame.to_csv(tmp_path / "t.csv", index=False, sep=";")
        read = read_table(tmp_path / "t.csv", target="state", **reading)
        assert as_dataset(frame, "state", **reading).digest() == read.digest()
    else:
        same(frame, tmp_path, kinds=["csv"], **reading)


@pytest.mark.parametrize(
    "cells",
    [
        texts("<0.5", *map(str, np.arange(1.5, 20))),
        texts("unk", *map(str, np.arange(1.5, 20))),
        texts("5 mg", *map(str, np.arange(1.5, 20))),
        [f"remark {k % 39}" for k in range(N)],
    ],
    ids=["limit", "text", "unit", "free"],
)
def test_faults_are_those_of_a_file(tmp_path, cells):
    frame = a_frame(dose=cells)
    frame.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(DataError) as of_file:
        read_table(tmp_path / "table.csv", target="state")
    with pytest.raises(DataError) as of_frame:
        as_dataset(frame, "state")
    assert str(of_frame.value) == str(of_file.value).replace("table.csv", "table")


@pytest.mark.parametrize("way", ["first", "mean", "suffix"])
def test_duplicate_names(tmp_path, way):
    frame = a_frame().rename(columns={"weight": "age"})
    with pytest.raises(DataError, match=r"duplicate names in 'table': 'age'; .* duplicates="):
        as_dataset(frame, "state")
    frame.to_csv(tmp_path / "t.csv", index=False)
    read = read_table(tmp_path / "t.csv", target="state", duplicates=way)
    assert as_dataset(frame, "state", duplicates=way).digest() == read.digest()


LEVELS = pd.MultiIndex.from_product([["a"], range(7)])


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (a_frame(age=np.inf), r"infinite value in column 'age', .*missing=\['inf', '-inf'\]"),
        (a_frame().set_axis(LEVELS, axis=1), "2 levels of column names: make them one"),
        (a_frame().set_index(["pid", "ward"]), r"2 levels of row names: .*reset_index\(\).*id="),
        (a_frame(age=pd.Timestamp("2021-01-01")), r"'age' has the type datetime64.*drop=\['age'\]"),
        (a_frame(age=1j), r"'age' has the type complex128.*drop=\['age'\]"),
        (a_frame(age=[[1]] * N), r"'age' holds values .*drop=\['age'\]"),
        (a_frame().set_index("ward").rename_axis(None), "say group='patient'; else"),
        (a_frame().drop(columns="pid").set_index("ward"), "study them with group='ward'"),
        (a_frame().iloc[:0], "no rows"),
        (a_frame(state=texts("ill", "well", None)), "no class label"),
        (a_frame(age=None), "no value at all: 'age'"),
    ],
    ids=range(11),
)
def test_what_cannot_be_used_is_one_line(frame, said):
    with pytest.raises(DataError, match=said) as raised:
        as_dataset(frame, "state")
    assert len(raised.value.lines) == 1


ODD = {
    "seconds": pd.to_timedelta(range(N), unit="s"),
    "months": pd.period_range("2020", periods=N),
    "ranges": pd.interval_range(0, N),
    "bytes": texts(b"a", b"b"),
    "tuples": [(1, 2)] * N,
    "functions": [len] * N,
    "zones": pd.date_range("2020", periods=N, tz="UTC"),
    "lists": pd.Series([[1]] * N, dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
    "large": [2**70] * N,
    "gone": [pd.NaT] * N,
    "pairs": pd.Categorical(texts((1, 2), (3, 4))),
    "half": np.arange(N, dtype=np.float16),
    "mixed": texts(1, "a", None, 2.5, True, b"x"),
    "lone": texts("\ud800", "b"),
    "sparse": pd.arrays.SparseArray(texts("a", "b")),
}
WAYS = (
    {},
    {"drop": "odd"},
    {"categorical": "odd"},
    {"group": "odd"},
    {"id": "odd"},
    {"covariates": "odd"},
    {"batch": "odd"},
    {"units": "remove", "missing": "a"},
)


@pytest.mark.parametrize("kind", ODD)
def test_odd_columns_are_read_or_refused(kind):
    frame = a_frame(odd=ODD[kind])
    for more in WAYS:
        for one in (frame, frame[["odd", *frame.columns[:-1]]]):
            with contextlib.suppress(DataError):
                as_dataset(one, "state", **more)
    with contextlib.suppress(DataError):
        as_dataset(frame, "odd")
    with contextlib.suppress(DataError):
        as_dataset(frame.drop(columns="odd"), ODD[kind])
    assert as_dataset(frame, "state", drop="odd").shape[1] == 5


def test_advice_works():
    dates = a_frame(age=pd.Timestamp("2021-01-01"))
    for unread in (dates, a_frame(age=[[1]] * N), a_frame(age=1j)):
        assert as_dataset(unread, "state", drop=["age"]).shape[1] == 4
    assert as_dataset(dates, "state", batch="age").batches[0] == "2021-01-01"
    infinite = as_dataset(a_frame(age=np.inf, more=1.0), "state", missing=["inf"], drop="<empty>")
    assert "age" not in infinite.feature_names
    twice = a_frame().drop(columns="pid").set_index("ward")
    assert as_dataset(twice, "state", group="ward").groups is not None


def test_names_of_columns_are_text():
    frame = a_frame().rename(columns={"age": 7, "weight": 8, "state": 0})
    found = as_dataset(frame, 0, drop=[8])
    assert found.target == "0"
    assert found.feature_names == ("7", "sex", "smokes", "ward")


def test_the_frame_is_left_as_it_was():
    frame = a_frame(weight=np.where(np.arange(N) % 2, -9.0, 1.5))[["age", "weight"]].astype(float)
    before = frame.copy()
    found = as_dataset(frame, ["a", "b"] * (N // 2), missing="-9")
    assert np.isnan(found.X).any()
    pd.testing.assert_frame_equal(frame, before)
    X = frame.to_numpy().copy()
    as_dataset(X, ["a", "b"] * (N // 2), missing="-9").X[:] = 0
    assert np.array_equal(X, before.to_numpy())


def test_other_libraries_and_arrays():
    frame = a_frame()
    expected = as_dataset(frame, "state").digest()
    assert as_dataset(pa.Table.from_pandas(frame), "state").digest() == expected
    X, y = frame[["age", "weight"]].to_numpy(), frame["state"]
    found = as_dataset(X, y, group=frame["ward"])
    assert found.feature_names == ("x0", "x1")
    assert (found.target, found.classes) == ("state", ("ill", "well"))
    assert found.groups.tolist() == frame["ward"].tolist()
    assert as_dataset(X, y.to_numpy()).target == "class"
    assert as_dataset(X.tolist(), y.tolist()).digest() == as_dataset(X, y.to_numpy()).digest()


def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    frame = a_frame()
    expected = as_dataset(frame, "state").digest()
    assert as_dataset(polars.from_pandas(frame), "state").digest() == expected


def test_labels_have_to_be_of_these_samples():
    frame = a_frame().set_index("pid")
    y, X = frame["state"], frame.drop(columns="state")
    expected = as_dataset(frame, "state").digest()
    assert as_dataset(X, y).digest() == expected
    assert as_dataset(frame, y).digest() == expected  # and no feature is the class
    assert as_dataset(X, y.reset_index(drop=True)).digest() == expected
    for other, said in [
        (y[::-1], "in another order: give target=values.loc"),
        (y.rename("no {}".format), "such as 'no p000'"),
        (y[:-1], r"has the shape \(39,\), and 'table' has 40 rows"),
        (frame[["state"]], r"has the shape \(40, 1\)"),
    ]:
        with pytest.raises(DataError, match=said):
            as_dataset(X, other)
    with pytest.raises(DataError, match="a column 'state' with other values than target="):
        as_dataset(frame, y.replace("ill", "sick"))


def test_rows_that_are_counted_have_no_names_but_an_order():
    patients = a_frame()["pid"]
    frame = a_frame().drop(columns="pid")
    y, X = frame["state"], frame.drop(columns="state")
    expected = as_dataset(frame, "state").digest()
    assert as_dataset(X, y).digest() == expected
    assert as_dataset(X, y.rename("s{}".format)).digest() == expected
    for rows, labels in ((X, y[::-1]), (X[::-1], y), (X, y.sample(frac=1, random_state=0))):
        with pytest.raises(DataError, match="target= has the rows of the table in another order:"):
            as_dataset(rows, labels)
    with pytest.raises(DataError, match="group= has the rows of the table in another order:"):
        as_dataset(frame, "state", group=patients[::-1])
    assert as_dataset(X[::-1], y.loc[X.index[::-1]]).y.tolist() == y[::-1].tolist()


def test_numbers_written_as_text_are_told_as_that():
    frame = a_frame().assign(marker=[f"{0.37 * k:.2f}" for k in range(40)])
    with pytest.raises(DataError, match="'marker' has numbers written as text, for instance"):
        as_dataset(frame, "state")
    assert as_dataset(frame, "state", categorical=["marker"])


def test_what_is_no_table():
    with pytest.raises(DataError, match="data is dict of 0 dimensions"):
        as_dataset({"a": [1]})
    with pytest.raises(DataError, match="no matrix"):
        as_dataset([[1, 2], [3]])
    with pytest.raises(DataError, match=r"target= says how .* 'golub' is a Dataset"):
        as_dataset(load_golub(), "class")
    with pytest.raises(DataError, match=r"target= names a column where the table is a file"):
        as_dataset("t.csv", ["a", "b"])
    with pytest.raises(DataError, match="layer='x' is of AnnData"):
        as_dataset(a_frame(), "state", layer="x")
    golub = load_golub()
    assert as_dataset(golub) is golub


def test_a_file_or_folder_called_like_the_data_is_no_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table").mkdir()
    assert as_dataset(a_frame(), "state").name == "table"
    assert as_dataset(a_frame(), "state", name="my.study").name == "my.study"


@pytest.fixture
def cells():
    anndata = pytest.importorskip("anndata")
    sparse = pytest.importorskip("scipy.sparse")
    frame = a_frame().set_index("pid").astype({"sex": "category"})
    X = np.random.default_rng(1).poisson(1.0, (N, 6)).astype(np.float32)
    var = pd.DataFrame({"gene_symbols": [*"ABCDE", None]}, index=[f"g{k}" for k in range(6)])
    return anndata.AnnData(
        sparse.csr_matrix(X), frame.rename_axis(None), var, layers={"log": np.log1p(X)}
    )


@pytest.mark.parametrize(
    "reading",
    [
        {},
        {"layer": "log"},
        {"covariates": ["age", "sex", "smokes"]},
        {"drop": "g[12]"},
        {"group": "ward", "batch": "sex"},
    ],
    ids=str,
)
def test_an_anndata_object_is_its_file(tmp_path, cells, reading):
    cells.write_h5ad(tmp_path / "t.h5ad")
    read = read_table(tmp_path / "t.h5ad", target="state", **reading)
    found = as_dataset(cells, "state", **reading)
    assert found.digest() == read.digest()
    assert found.labels == read.labels
    assert as_dataset(cells, cells.obs["state"], **reading).digest() == read.digest()


def test_layers_of_an_anndata_object(cells):
    assert any("layer='log' reads it" in note for note in as_dataset(cells, "state").notes)
    with pytest.raises(DataError, match="no layer 'lg'; it has 'log'"):
        as_dataset(cells, "state", layer="lg")
    with pytest.raises(DataError, match="no target column 'stat' in obs: did you mean 'state'"):
        as_dataset(cells, "stat")
    raw = cells.copy()
    raw.raw = cells
    raw.X = np.zeros(cells.shape)
    assert as_dataset(raw, "state", layer="raw").digest() == as_dataset(cells, "state").digest()

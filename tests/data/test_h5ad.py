"""AnnData files: layers, the columns of obs, symbols in var, and files that are none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.h5ad import read_h5ad
from tamis.data.raw import Wanted

h5py = pytest.importorskip("h5py")
sp = pytest.importorskip("scipy.sparse")

COUNTS = np.array([[0, 3], [2, 0], [1, 1], [0, 9.0]])
LOGS = np.log2(COUNTS + 1)
MORE = np.arange(12.0).reshape(4, 3)  # raw/X has features that were left out of X
SHEET = {"class": ["ill", "well", "ill", "well"]}


@pytest.fixture(autouse=True)
def _needs_anndata():
    pytest.importorskip("anndata")


@pytest.fixture
def write(tmp_path):
    """A file of four samples; what is given goes before X, the layers, obs and var."""
    import anndata

    def put(name="t.h5ad", obs=SHEET, **given):
        table = anndata.AnnData(
            given.pop("X", LOGS),
            obs=pd.DataFrame(obs, index=list("abcd")),
            var=pd.DataFrame(given.pop("var", None), index=["g1", "g2"]),
            layers=given.pop("layers", {"counts": COUNTS, "sparse": sp.csc_matrix(COUNTS)}),
        )
        if given.pop("raw", True):
            whole = pd.DataFrame(index=["g1", "g2", "g3"])
            table.raw = anndata.AnnData(sp.csr_matrix(MORE), obs=table.obs, var=whole)
        table.write_h5ad(tmp_path / name)
        return tmp_path / name

    return put


@pytest.mark.longer
def test_a_layer_is_read_instead_of_x(write):
    path = write()
    assert read_table(path, target="class").X.tolist() == LOGS.tolist()
    for layer in ("counts", "sparse"):
        data = read_table(path, target="class", layer=layer)
        assert data.X.tolist() == COUNTS.tolist()
        assert data.feature_names == ("g1", "g2")
    raw = read_table(path, target="class", layer="raw")
    assert raw.X.tolist() == MORE.tolist()
    assert raw.feature_names == ("g1", "g2", "g3")


@pytest.mark.longer
def test_other_layers_are_told_where_x_is_read(write):
    told = "X is read; the file has the layers 'counts', 'sparse', 'raw' too: layer='counts' reads"
    assert any(told in note for note in read_table(write(), target="class").notes)
    one = read_table(write(layers={"counts": COUNTS}, raw=False), target="class")
    assert any("has the layer 'counts' too" in note for note in one.notes)
    for read in (
        read_table(write(), target="class", layer="counts"),
        read_table(write(layers={}, raw=False), target="class"),
    ):
        assert not any("layer" in note for note in read.notes)


def test_a_layer_called_raw_goes_before_raw(write):
    data = read_table(write(layers={"raw": COUNTS}), target="class", layer="raw")
    assert data.X.tolist() == COUNTS.tolist()


@pytest.mark.longer
def test_an_unknown_layer_lists_what_is_there(write):
    path = write()
    for layer in ("X", "/X", "a\0b\ud800"):
        with pytest.raises(DataError, match=r"has no layer .*; it has 'counts', 'sparse', 'raw'$"):
            read_table(path, target="class", layer=layer)
    with pytest.raises(DataError, match="it has X alone"):
        read_table(write(layers={}, raw=False), target="class", layer="counts")


@pytest.mark.longer
def test_a_file_without_x_says_what_reads_it(write):
    path = write(X=None)
    said = r"no matrix X, but layers \('counts', 'sparse', 'raw'\): layer='counts' reads one"
    with pytest.raises(DataError, match=said):
        read_table(path, target="class")
    assert read_table(path, target="class", layer="counts").X.tolist() == COUNTS.tolist()
    with h5py.File(path, "r+") as file:  # as other programs write that there is none
        file["X"] = h5py.Empty("f4")
    with pytest.raises(DataError, match=said):
        read_table(path, target="class")


@pytest.mark.longer
def test_a_layer_that_is_no_matrix_of_the_table(write):
    path = write()
    with h5py.File(path, "r+") as file:
        file["layers/text"] = np.full((4, 2), b"a")
        file["layers/narrow"] = np.zeros((4, 1))
        file["layers/line"] = np.zeros(4)
    for layer, said in (
        ("text", "values of type .* as layer 'text', which are no numbers"),
        ("narrow", "has layer 'narrow' of 4 x 1, obs of 4 and var of 2"),
        ("line", "no matrix as layer 'line' but 4"),
    ):
        with pytest.raises(DataError, match=said):
            read_table(path, target="class", layer=layer)


def test_a_layer_is_of_no_other_format(tmp_path):
    (tmp_path / "t.csv").write_text("id,class,g1\na,x,1\nb,y,2\n")
    with pytest.raises(
        DataError, match=r"layer 'counts' is requested of 't.csv', which is neither"
    ):
        read_table(tmp_path / "t.csv", target="class", layer="counts")


@pytest.mark.longer
def test_a_layer_of_blocks(write, tmp_path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("id,class\na,ill\nb,well\nc,ill\nd,well\n")
    blocks = {"rna": write("rna.h5ad"), "adt": write("adt.h5ad")}
    data = read_table(sheet, target="class", blocks=blocks, layer="rna:counts")
    assert data.X.tolist() == np.hstack([COUNTS, LOGS]).tolist()
    assert any("block 'adt': X is read" in n and "layer='adt:counts'" in n for n in data.notes)
    with pytest.raises(DataError, match=r"'sheet.csv', which is neither .*: BLOCK:counts"):
        read_table(sheet, target="class", blocks=blocks, layer="counts")
    both = read_table(blocks["rna"], target="class", blocks=blocks, layer="counts")
    assert both.X.tolist() == np.hstack([COUNTS, COUNTS]).tolist()
    one = read_table(blocks["rna"], target="class", blocks=blocks, layer="adt:raw")
    assert one.X.tolist() == np.hstack([LOGS, MORE]).tolist()
    with pytest.raises(DataError, match=r"block 'adt': .* has no layer 'coutns'"):
        read_table(sheet, target="class", blocks=blocks, layer="adt:coutns")


# columns of obs, and what they are as classes
KINDS = {
    "categorical": (pd.Categorical(["u", "v", "u", "v"]), ["u", "v", "u", "v"]),
    "boolean": (np.array([True, False, True, False]), ["True", "False", "True", "False"]),
    "integer": (np.array([1, 0, 1, 0], np.int8), ["1", "0", "1", "0"]),
    "float": (np.array([1.0, 0, 1, 0]), ["1", "0", "1", "0"]),
    "string": (np.array(["u", "v", "u", "v"], object), ["u", "v", "u", "v"]),
    "numbers as categories": (pd.Categorical([2, 1, 2, 1]), ["2", "1", "2", "1"]),
    "nullable integer": (pd.array([1, 0, 1, 0], "Int64"), ["1", "0", "1", "0"]),
    "nullable boolean": (pd.array([True, False] * 2, "boolean"), ["True", "False"] * 2),
    "digits": (np.array(["01", "02", "01", "02"], object), ["01", "02", "01", "02"]),
}


@pytest.mark.longer
def test_columns_of_obs_have_any_role(write):
    path = write(obs={**SHEET, **{kind: values for kind, (values, _) in KINDS.items()}})
    kinds = list(KINDS)
    attributes = {"target": "y", "group": "groups", "batch": "batches", "split": "split"}
    for k in range(len(kinds)):
        asked = {role: kinds[(k + i) % len(kinds)] for i, role in enumerate(attributes)}
        data = read_table(path, **asked)
        for role, attribute in attributes.items():
            assert getattr(data, attribute).tolist() == KINDS[asked[role]][1], (role, asked[role])


# columns of obs, what they are as covariates, and their levels
COVARIATES = {
    "float": (np.array([1.5, np.nan, -2, 1e-9]), [1.5, None, -2, 1e-9], None),
    "integer": (np.array([7, 1 << 40, -3, 0]), [7, 1 << 40, -3, 0], None),
    "boolean": (np.array([True, False, True, True]), [1, 0, 1, 1], None),
    "nullable integer": (pd.array([3, None, 1, 2], "Int64"), [3, None, 1, 2], None),
    "nullable boolean": (pd.array([True, None, False, True], "boolean"), [1, None, 0, 1], None),
    "words": (pd.Categorical(["low", None, "high", "low"]), [1, None, 0, 1], ("high", "low")),
    "categories": (pd.Categorical([3, 1, 3, 1]), [1, 0, 1, 0], ("1", "3")),
    "digits": (np.array(["10", "9", "10", "9"], object), [1, 0, 1, 0], ("9", "10")),
}


def test_numbers_of_obs_stay_numbers_as_covariates(write):
    path = write(obs={**SHEET, **{kind: values for kind, (values, _, _) in COVARIATES.items()}})
    data = read_table(path, target="class", covariates=list(COVARIATES))
    assert data.feature_names == ("g1", "g2", *COVARIATES)
    assert data.covariates == tuple(range(2, 2 + len(COVARIATES)))
    for k, (kind, (_, numbers, levels)) in enumerate(COVARIATES.items(), start=2):
        np.testing.assert_array_equal(data.X[:, k], np.array(numbers, dtype=float), err_msg=kind)
        assert data.levels.get(k) == levels, kind


def test_text_of_obs_is_not_what_a_sample_sheet_tells_of_a_column(write, tmp_path):
    """Of one name in both, the sheet's is read as of any sheet."""
    (tmp_path / "sheet.csv").write_text("id,own\na,10\nb,9\nc,8\nd,7\n")
    path = write(obs={**SHEET, "own": pd.Categorical(["x", "y", "x", "y"])})
    data = read_table(path, samples=tmp_path / "sheet.csv", target="class", covariates="own")
    assert data.X[:, 2].tolist() == [10, 9, 8, 7]
    assert data.levels == {}


def test_classes_of_text_may_be_many_numbers(tmp_path):
    """Numbers that the file says are text are no measurement."""
    import anndata

    n = 60
    obs = {"label": pd.Categorical([str(k % 30) for k in range(n)]), "n": np.arange(n) % 30}
    table = anndata.AnnData(
        np.arange(2.0 * n).reshape(n, 2), obs=pd.DataFrame(obs, index=[f"s{k}" for k in range(n)])
    )
    table.write_h5ad(tmp_path / "t.h5ad")
    assert len(read_table(tmp_path / "t.h5ad", target="label").classes) == 30
    with pytest.raises(DataError, match="'n'"):
        read_table(tmp_path / "t.h5ad", target="n")


@pytest.mark.longer
def test_a_target_that_is_not_in_obs(write):
    path = write(obs={**SHEET, "g": [1, 2, 3, 4]})
    for named, said in (
        ("Clas", "target column 'Clas' in obs: did you mean 'class'"),
        ("g1", "column 'g1' in obs: did you mean 'g'"),
        ("state", "column 'state' in obs: choose from 'class', 'g'$"),
    ):
        with pytest.raises(DataError, match=said):
            read_table(path, target=named)
    with pytest.raises(DataError, match="group column 'clas' in obs: did you mean 'class'"):
        read_table(path, target="class", group="clas")
    with pytest.raises(DataError, match=r"covariates names the column 'clas', .*mean 'class'"):
        read_table(path, target="class", covariates="clas")
    with pytest.raises(DataError, match="in obs: name a table of samples with samples="):
        read_table(write(obs=None), target="class")


def test_a_target_that_is_neither_in_obs_nor_in_the_sheet(write, tmp_path):
    (tmp_path / "sheet.csv").write_text("id,state\na,x\nb,y\nc,x\nd,y\n")
    with pytest.raises(DataError, match="in obs, nor in the sample sheet: did you mean 'state'"):
        read_table(write(), samples=tmp_path / "sheet.csv", target="stat")


@pytest.mark.parametrize("column", ["gene_symbols", "feature_name", "Symbol"])
def test_symbols_of_features(write, column):
    path = write(var={column: ["TP53", "g2"], "other": ["x", "y"]})
    assert read_h5ad(path, Wanted()).labels == {"g1": "TP53"}


@pytest.mark.longer
def test_symbols_that_say_nothing_are_left_out(write):
    for values in (["", "g2"], [None, "NA"], [np.nan, "g2"]):
        assert read_h5ad(write(var={"symbol": values}), Wanted()).labels == {}
    assert read_h5ad(write(var={"gene_ids": ["x", "y"]}), Wanted()).labels == {}
    first = write(var={"symbol": ["A", "B"], "gene_symbols": ["C", "D"]})
    assert read_h5ad(first, Wanted(drop=("g1",))).labels == {"g2": "B"}


def test_columns_a_model_does_not_need_are_left_out(write):
    data = read_table(write(), target_optional=True, only=["g2"])
    assert "g2" in data.feature_names
    assert len(read_h5ad(write(), Wanted(only=frozenset(["g2"]))).columns) <= 2


def _cell_ranger_3(file):
    group = file.create_group("matrix")
    for name in ("barcodes", "data", "indices", "indptr", "shape"):
        group[name] = np.zeros(2)
    group.create_group("features")["id"] = np.array([b"ENSG1"])


def _cell_ranger_2(file):
    group = file.create_group("GRCh38")
    for name in ("barcodes", "genes", "gene_names", "data", "indices", "indptr", "shape"):
        group[name] = np.zeros(2)


def _loom(file):
    file["matrix"] = np.zeros((2, 4))
    for name in ("layers", "row_attrs", "col_attrs"):
        file.create_group(name)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_cell_ranger_3, r"10x Genomics: scanpy.read_10x_h5\(...\) reads it, then .write_h5ad"),
        (_cell_ranger_2, r"10x Genomics: scanpy.read_10x_h5\(...\) reads it, then .write_h5ad"),
        (_loom, r"loom file: anndata.io.read_loom\(...\) reads it, then .write_h5ad"),
        (lambda file: file.create_group("x"), "has no 'obs': it is not an .h5ad file"),
    ],
)
def test_other_files_of_hdf5_are_told_by_content(tmp_path, make, said):
    with h5py.File(tmp_path / "t.h5ad", "w") as file:
        make(file)
    with pytest.raises(DataError, match=said):
        read_table(tmp_path / "t.h5ad", target="class")

"""MuData files: modalities are blocks of the same samples, and obs is the sample sheet."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from common.h5mu_files import write_h5mu
from tamis._core.errors import DataError
from tamis.data import memory, read_table

pytestmark = pytest.mark.longer  # each file is read by a process that imports its library

h5py = pytest.importorskip("h5py")

RNA = np.array([[0.5, 3, 1], [2, 0, 1], [1, 1, 4], [0, 9, 7.5], [3, 2, 2]])
ADT = np.array([[5, 1], [4, 2], [3, 8], [2, 16], [1, 32.0]])
OBS = pd.DataFrame(
    {"class": pd.Categorical(list("uvuvu")), "age": [30, 40, 50, 60, 70]}, index=list("abcde")
)


@pytest.fixture(autouse=True)
def _needs_anndata():
    pytest.importorskip("anndata")


def tables():
    """Modalities with their rows in other orders than that of all samples."""
    import anndata

    rna = anndata.AnnData(
        RNA,
        obs=OBS[[]].copy(),
        var=pd.DataFrame(index=["TP53", "KRAS", "AFFX1"]),
        layers={"counts": RNA * 10},
    )
    rna.obs["n_counts"] = [9, 8, 7, 6, 5]
    adt = anndata.AnnData(
        ADT, obs=pd.DataFrame(index=list("edcba")), var=pd.DataFrame(index=["CD4", "TP53"])
    )
    adt.obs["site"] = list("xyxyx")
    return {"rna": rna, "adt": adt}


@pytest.fixture
def write(tmp_path):
    def put(modalities=None, obs=OBS, **attributes):
        write_h5mu(tmp_path / "t.h5mu", modalities or tables(), obs, **attributes)
        return tmp_path / "t.h5mu"

    return put


@pytest.fixture
def apart(tmp_path):
    """The same as separate tables."""
    OBS.to_csv(tmp_path / "sheet.csv", index_label="id")
    blocks = {}
    for name, table in tables().items():
        blocks[name] = tmp_path / f"{name}.h5ad"
        table.write_h5ad(blocks[name])

    def read(**more):
        sheet = tmp_path / "sheet.csv"
        return read_table(sheet, samples=sheet, target="class", blocks=blocks, **more)

    return read


def assert_same(one, other):
    for name in ("feature_names", "sample_names", "classes", "levels", "covariates", "target"):
        assert getattr(one, name) == getattr(other, name), name
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.y, other.y)
    assert list(one.blocks) == list(other.blocks)
    for name, columns in one.blocks.items():
        assert columns.tolist() == other.blocks[name].tolist()
    blocks = "blocks of features: rna 3, adt 2"
    assert (blocks in one.notes) == (blocks in other.notes)


def test_modalities_are_the_same_as_separate_tables(write, apart):
    data = read_table(write(), target="class")
    assert_same(data, apart())
    assert data.feature_names == ("rna:TP53", "rna:KRAS", "rna:AFFX1", "adt:CD4", "adt:TP53")
    np.testing.assert_array_equal(data.X, np.hstack([RNA, ADT[::-1]]))
    assert "blocks of features: rna 3, adt 2" in data.notes
    assert_same(
        read_table(
            write(),
            target="class",
            covariates="age",
            drop="rna:AFFX*",
            categorical=["adt:CD4", "age"],
            layer="rna:counts",
            positive="u",
        ),
        apart(
            covariates="age",
            drop="rna:AFFX*",
            categorical=["adt:CD4", "age"],
            layer="rna:counts",
            positive="u",
        ),
    )
    only = ["rna:KRAS", "age", "adt:CD4"]
    asked = {"only": only, "covariates": "age", "target_optional": True}
    assert_same(read_table(write(), target="class", **asked), apart(**asked))


def test_the_order_is_that_of_the_file(write):
    path = write()
    assert list(read_table(path, target="class").blocks) == ["rna", "adt"]
    with h5py.File(path, "r+") as file:
        del file["mod"].attrs["mod-order"]
    assert list(read_table(path, target="class").blocks) == ["adt", "rna"]


def test_columns_of_obs_of_modalities_go_by_their_names(write):
    data = read_table(write(), target="adt:site", group="rna:n_counts", covariates=["age"])
    assert data.y.tolist() == list("xyxyx")
    assert data.groups.tolist() == ["9", "8", "7", "6", "5"]
    assert data.X[:, 0].tolist() == [30, 40, 50, 60, 70]
    assert data.feature_names[data.covariates[0]] == "age"
    assert "rna:n_counts" not in data.feature_names
    coded = read_table(
        write(), target="class", covariates="rna:n_counts", categorical="rna:n_counts"
    )
    assert coded.levels == {0: ("5", "6", "7", "8", "9")}
    with pytest.raises(DataError, match="target column 'site' in obs: did you mean 'adt:site'"):
        read_table(write(), target="site")
    with pytest.raises(DataError, match="target column 'rna:TP53' in obs: "):
        read_table(write(), target="rna:TP53")


def test_columns_of_the_file_go_before_those_of_modalities(write):
    obs = OBS.assign(**{"adt:site": list("pqpqp")})
    assert read_table(write(obs=obs), target="adt:site").y.tolist() == list("pqpqp")


def test_samples_that_are_not_in_every_modality(write):
    few = tables()
    few["adt"] = few["adt"][["e", "c", "b", "d"]].copy()
    path = write(few)
    with pytest.raises(DataError, match="1 sample of 't' not in block 'adt': 'a'; add them"):
        read_table(path, target="class")
    data = read_table(path, target="class", incomplete="drop")
    assert data.sample_names == ("b", "c", "d", "e")
    np.testing.assert_array_equal(data.X, np.hstack([RNA, ADT[::-1]])[1:])
    assert "1 sample not in block 'adt', left out: 'a'" in data.notes
    with pytest.raises(DataError, match="no target column 'adt:sit' in obs"):
        read_table(path, target="adt:sit", incomplete="drop")


def test_a_layer_of_all_modalities_or_of_one(write):
    path = write()
    both = tables()
    both["adt"].layers["counts"] = ADT * 2
    with pytest.raises(DataError, match=r"block 'adt': .* has no layer 'counts'; it has X alone"):
        read_table(path, target="class", layer="counts")
    one = read_table(path, target="class", layer="rna:counts")
    np.testing.assert_array_equal(one.X, np.hstack([RNA * 10, ADT[::-1]]))
    all_of_them = read_table(write(both), target="class", layer="counts")
    np.testing.assert_array_equal(all_of_them.X, np.hstack([RNA * 10, ADT[::-1] * 2]))
    plain = read_table(path, target="class")
    assert any("block 'rna': X is read" in n and "layer='rna:counts'" in n for n in plain.notes)


def test_further_blocks_and_a_sheet_stand_beside_modalities(write, tmp_path):
    (tmp_path / "meth.csv").write_text("id,cg1\ne,5\nd,4\nc,3\nb,2\na,1\n")
    (tmp_path / "sheet.csv").write_text("id,state\na,ill\nb,well\nc,ill\nd,well\ne,ill\n")
    path, meth = write(), tmp_path / "meth.csv"
    data = read_table(path, samples=tmp_path / "sheet.csv", target="state", blocks={"meth": meth})
    assert list(data.blocks) == ["rna", "adt", "meth"]
    assert data.X[:, -1].tolist() == [1, 2, 3, 4, 5]
    assert data.y.tolist() == ["ill", "well", "ill", "well", "ill"]
    assert read_table(path, samples=path, target="class").shape == (5, 5)
    with pytest.raises(DataError, match="two blocks are named 'adt'"):
        read_table(path, target="class", blocks={"adt": meth})
    for asked in ({"samples": path, "target": "state"}, {"target": "cg1", "blocks": {"x": path}}):
        with pytest.raises(DataError, match=r"several tables .*\('rna', 'adt'\): give it as the"):
            read_table(meth, **asked)


def test_what_is_of_no_modality_is_refused(write):
    with pytest.raises(DataError, match=r"'TP53', which is of no modality: .* drop=\['rna:TP53'"):
        read_table(write(), target="class", drop="TP53")
    with pytest.raises(DataError, match="block 'rna': drop names the column 'TP5'"):
        read_table(write(), target="class", drop="rna:TP5")
    with pytest.raises(DataError, match="categorical names the column 'sit'"):
        read_table(write(), target="class", categorical="sit")


def test_rows_of_one_patient_are_asked_about(write):
    obs = OBS.assign(donor=["p1", "p1", "p2", "p3", "p3"])
    assert any("'donor'" in doubt for doubt in read_table(write(obs=obs), target="class").doubts)


def test_modalities_of_other_samples_are_refused(write):
    with pytest.raises(DataError, match=r"share features, not samples \(axis 1\)"):
        read_table(write(axis=1), target="class")
    strangers = tables()
    strangers["adt"].obs_names = list("vwxyz")
    with pytest.raises(DataError, match="block 'adt' has none of the samples"):
        read_table(write(strangers), target="class")


def test_a_hostile_number_of_modalities(write):
    path = write()
    with h5py.File(path, "r+") as file:
        for k in range(100):
            file[f"mod/m{k}"] = h5py.SoftLink("/mod/rna")
    with pytest.raises(DataError, match="has 102 modalities, and at most 100 are read"):
        read_table(path, target="class")


def test_all_modalities_together_are_held_against_the_size_of_the_file(write, monkeypatch):
    path = write()
    with h5py.File(path, "r+") as file:
        for k in range(3):
            file[f"mod/m{k}"] = h5py.SoftLink("/mod/rna")

    def check(needed, path, detail):
        if needed > 300:  # of which one has 120
            raise DataError(detail)

    monkeypatch.setattr(memory, "check_expansion", check)
    with pytest.raises(DataError, match="all modalities made dense"):
        read_table(path, target="class")


@pytest.mark.filterwarnings("ignore")
def test_equal_to_mudata(tmp_path):
    """What the package writes, and what it makes of that when it reads it."""
    mudata = pytest.importorskip("mudata")
    parts = tables()
    parts["adt"] = parts["adt"][["d", "b", "a"]].copy()
    made = mudata.MuData(parts)
    made.obs["class"] = OBS["class"]
    made.write(tmp_path / "t.h5mu")
    again = mudata.read_h5mu(tmp_path / "t.h5mu")
    assert list(again.obs_names) == list("abcde")
    data = read_table(
        tmp_path / "t.h5mu", target="class", incomplete="drop", covariates=["adt:site"]
    )
    inner = again[[name in set("abd") for name in again.obs_names]].copy()
    assert data.sample_names == tuple(inner.obs_names)
    for name, table in inner.mod.items():
        columns = data.blocks[name]
        assert [data.feature_names[j] for j in columns] == [f"{name}:{v}" for v in table.var_names]
        np.testing.assert_array_equal(
            data.X[:, columns], table[list(inner.obs_names)].X.astype(float)
        )
    assert data.y.tolist() == inner.obs["class"].astype(str).tolist()
    levels = data.levels[0]
    sites = inner.mod["adt"].obs["site"].reindex(inner.obs_names).astype(str).tolist()
    assert [levels[int(code)] for code in data.X[:, 0]] == sites

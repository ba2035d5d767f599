"""Tables of the same samples, joined: by id, by name, and refused where that cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

SHEET = "id,class,age\ns1,ill,30\ns2,well,40\ns3,ill,50\ns4,well,60\n"
RNA = "id,TP53,KRAS\ns4,1.5,2\ns2,1,4\ns1,,3\ns3,2,8\n"
METHYLATION = "probe,s1,s2,s3,s4\nTP53,.1,.2,.3,.4\ncg2,.5,.6,.7,.9\ncg3,.4,.2,.3,.1\n"


@pytest.fixture
def files(tmp_path):
    found = {}
    for name, text in {"sheet": SHEET, "rna": RNA, "meth": METHYLATION}.items():
        found[name] = tmp_path / f"{name}.csv"
        found[name].write_text(text)
    return found


def joined(files, **more):
    blocks = {"rna": files["rna"], "meth": files["meth"]}
    return read_table(files["sheet"], **{"target": "class", "blocks": blocks, **more})


def test_columns_stand_side_by_side_in_the_order_of_the_first_table(files):
    data = joined(files)
    assert data.feature_names == (
        "age",
        "rna:TP53",
        "rna:KRAS",
        "meth:TP53",
        "meth:cg2",
        "meth:cg3",
    )
    assert data.sample_names == ("s1", "s2", "s3", "s4")
    np.testing.assert_array_equal(
        data.X,
        [
            [30, np.nan, 3, 0.1, 0.5, 0.4],
            [40, 1, 4, 0.2, 0.6, 0.2],
            [50, 2, 8, 0.3, 0.7, 0.3],
            [60, 1.5, 2, 0.4, 0.9, 0.1],
        ],
    )
    assert {k: v.tolist() for k, v in data.blocks.items()} == {
        "sheet": [0],
        "rna": [1, 2],
        "meth": [3, 4, 5],
    }
    assert data.y.tolist() == ["ill", "well", "ill", "well"]
    assert "block 'meth' has features in rows" in data.notes
    assert "blocks of features: sheet 1, rna 2, meth 3" in data.notes


def test_covariates_are_of_no_block(files):
    data = joined(files, covariates="age")
    assert list(data.blocks) == ["rna", "meth"]
    assert data.covariates == (0,)
    assert data.ranked.tolist() == [1, 2, 3, 4, 5]


def test_the_first_table_may_be_a_block_with_a_sheet_beside_it(files):
    data = read_table(
        files["rna"],
        samples=files["sheet"],
        target="class",
        blocks={"rna": files["rna"], "meth": files["meth"]},
    )
    assert list(data.blocks) == ["rna", "meth"]
    assert data.sample_names == ("s4", "s2", "s1", "s3")
    assert data.feature_names[:3] == ("rna:TP53", "rna:KRAS", "meth:TP53")
    assert data.X[0].tolist() == [1.5, 2, 0.4, 0.9, 0.1]


def test_samples_that_a_block_lacks(files):
    files["rna"].write_text(RNA.replace("s2,1,4\n", "") + "s9,1,1\n")
    with pytest.raises(DataError, match="1 sample of 'sheet' not in block 'rna': 's2'"):
        joined(files)
    data = joined(files, incomplete="drop", group="age")
    assert data.sample_names == ("s1", "s3", "s4")
    assert data.groups.tolist() == ["30", "50", "60"]
    assert "1 sample not in block 'rna', left out: 's2'" in data.notes
    assert any("of block 'rna' not in 'sheet', not used: 's9'" in note for note in data.notes)
    files["rna"].write_text("id,TP53\ns1,2\ns3,1\n")
    with pytest.raises(DataError, match="all of one class, 'ill'"):
        joined(files, incomplete="drop")
    files["meth"].write_text("probe,s2,s4\ncg1,1,2\n")
    with pytest.raises(DataError, match="no sample of 'sheet' is in every block"):
        joined(files, incomplete="drop")


def test_names_within_a_block_are_named_with_it(files):
    files["rna"].write_text("id,TP53,stage,AFFX1\ns1,1,2,0\ns2,1,1,0\ns3,2,1,1\ns4,3,2,5\n")
    data = joined(files, categorical="rna:stage", drop=["rna:AFFX*", "age"])
    assert data.feature_names[:3] == ("rna:TP53", "rna:stage", "meth:TP53")
    assert data.levels == {1: ("1", "2")}
    assert list(data.blocks) == ["rna", "meth"]
    with pytest.raises(DataError, match="block 'rna': drop names the column 'AFFY1'"):
        joined(files, drop="rna:AFFY1")


def test_a_model_reads_the_columns_it_needs(files):
    data = joined(files, target=None, only=["meth:cg2", "rna:KRAS", "age"], target_optional=True)
    wanted = {"age", "rna:KRAS", "meth:cg2"}
    assert wanted <= set(data.feature_names)
    assert "meth:cg3" not in data.feature_names


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ({"a:b": "rna"}, "block name 'a:b'"),
        ({"rna": "nowhere"}, "block 'rna': there is no file"),
        ({"rna": "strangers"}, "none of the samples"),
        ({"sheet": "rna"}, "two blocks are named 'sheet'"),
    ],
)
def test_faults_are_one_line(files, tmp_path, blocks, said):
    (tmp_path / "strangers.csv").write_text("id,TP53\nx1,1\nx2,2\n")
    with pytest.raises(DataError) as error:
        joined(files, blocks={k: tmp_path / f"{v}.csv" for k, v in blocks.items()})
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_blocks_need_ids(files):
    files["sheet"].write_text("class,age\nill,30\nwell,40\n")
    with pytest.raises(DataError, match="no column of sample ids to join other tables by"):
        joined(files)


def test_rows_of_one_patient_are_asked_about_over_all_blocks(tmp_path):
    """The same measurements but for noise, in pairs of samples."""
    rng = np.random.default_rng(0)
    base = np.repeat(rng.normal(size=(10, 40)), 2, axis=0)
    X = base + 1e-3 * rng.normal(size=base.shape)
    for name, part in (("a", X[:, :20]), ("b", X[:, 20:])):
        lines = [",".join(["id", *(f"g{j}" for j in range(20))])]
        lines += [",".join([f"s{i}", *map(repr, row.tolist())]) for i, row in enumerate(part)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    sheet = "\n".join(["id,class", *(f"s{i},{'ab'[i // 2 % 2]}" for i in range(20))])
    (tmp_path / "sheet.csv").write_text(sheet)
    blocks = {k: tmp_path / f"{k}.csv" for k in "ab"}
    data = read_table(tmp_path / "sheet.csv", target="class", blocks=blocks)
    assert any("alike" in doubt or "patient" in doubt for doubt in data.doubts)


def test_a_sample_sheet_alone_has_no_features_but_covariates(files):
    blocks = {"rna": files["rna"], "meth": files["meth"]}
    data = read_table(files["sheet"], samples=files["sheet"], target="class", blocks=blocks)
    assert list(data.blocks) == ["rna", "meth"]
    assert "age" not in data.feature_names
    data = read_table(
        files["sheet"],
        samples=files["sheet"],
        target="class",
        blocks=blocks,
        covariates="age",
    )
    assert data.feature_names[data.covariates[0]] == "age"
    assert len(data.ranked) == 5


def test_a_column_with_a_role_is_no_feature_of_a_block(files):
    files["rna"].write_text("id,class,TP53\ns1,ill,1\ns2,well,2\ns3,ill,1\ns4,well,5\n")
    with pytest.raises(DataError, match=r"block 'rna' has the column 'class' too.*'rna:class'"):
        joined(files)
    assert "rna:class" not in joined(files, drop="rna:class").feature_names


def test_a_file_is_itself_however_it_is_spelt(files, monkeypatch):
    monkeypatch.chdir(files["sheet"].parent)
    blocks = {"own": "sheet.csv", "rna": files["rna"]}
    data = read_table(files["sheet"], target="class", blocks=blocks)
    assert data.feature_names == ("own:age", "rna:TP53", "rna:KRAS")
    data = read_table(
        files["sheet"], target="class", samples="sheet.csv", blocks={"rna": "rna.csv"}
    )
    assert data.feature_names == ("rna:TP53", "rna:KRAS")


def test_what_is_told_of_values_is_told_of_the_joined_ones(files):
    """Ages that repeat are no repeated rows; a column that dropped samples leave empty is named."""
    files["sheet"].write_text("id,class,age\ns1,ill,30\ns2,well,30\ns3,ill,30\ns4,well,30\n")
    assert not any("same as another row" in note for note in joined(files).notes)
    files["rna"].write_text("id,TP53,late\ns1,1,\ns2,2,4\ns3,1,\ns4,5,\n")
    files["meth"].write_text("probe,s1,s3,s4\ncg1,.1,.2,.3\n")
    with pytest.raises(DataError, match="no value at all: 'rna:late'"):
        joined(files, incomplete="drop")


@pytest.mark.parametrize("heading", ["chip", "id", "", "Patient ID"])
def test_ids_that_are_numbers_are_ids(tmp_path, heading):
    """Whatever they are called, with leading zeros, and where they count the samples."""
    for ids in (["007", "001", "030"], ["13", "2", "5"], ["3", "1", "2"]):
        told = enumerate(zip(ids, "aba", strict=True))
        sheet = ["id,class,age", *(f"{i},{y},4{k}" for k, (i, y) in told)]
        rna = [f"{heading},g1,g2", *(f"{i},{int(i)},0.5" for i in reversed(ids))]
        (tmp_path / "sheet.csv").write_text("\n".join(sheet) + "\n")
        (tmp_path / "rna.csv").write_text("\n".join(rna) + "\n")
        data = read_table(
            tmp_path / "sheet.csv", target="class", id="id", blocks={"rna": tmp_path / "rna.csv"}
        )
        assert data.feature_names == ("age", "rna:g1", "rna:g2")
        assert data.X[:, 1].tolist() == [float(i) for i in ids]


def test_a_block_is_never_joined_by_the_place_of_its_rows(files):
    files["rna"].write_text("g1,g2\n1.5,2\n2.5,3\n3.5,4\n4.5,5\n")
    with pytest.raises(DataError, match=r"none of the samples: its ids, such as '1\.5'"):
        joined(files)
    files["rna"].write_text("id,g1\n5,1\n6,2\n7,3\n8,4\n")
    with pytest.raises(DataError, match=r"such as '5', '6'.* such as 's1'"):
        joined(files)


def test_advice_names_columns_as_they_are_named_here(files):
    rows = "\n".join(f"s{k},{'abcd'[k - 1]}x remark,{k}" for k in range(1, 5))
    files["rna"].write_text(f"id,note,g1\n{rows}\n")
    with pytest.raises(DataError, match=r"drop=\['rna:note'\]") as error:
        joined(files)
    assert "id=" not in str(error.value)
    assert "rna:note" not in joined(files, drop="rna:note").feature_names

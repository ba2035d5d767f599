"""A panel: the features of a file alone are read, whatever the format, and count as all."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.panel import Panel

N, P = 24, 40
NAMES = [f"gene{j}" for j in range(P)]
WANTED = ("gene3", "gene17", "gene30")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(N, P)).round(3), columns=NAMES)
    frame.insert(0, "sample", [f"s{i}" for i in range(N)])
    frame.insert(1, "class", ["ill", "well"] * (N // 2))
    frame.insert(2, "patient", [f"P{i // 2:02d}" for i in range(N)])
    frame.insert(3, "age", rng.integers(30, 80, N))
    return frame


@pytest.fixture
def panel(tmp_path):
    def write(text="gene3\ngene17\ngene30\n"):
        path = tmp_path / "panel.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def write(frame, path, kind):
    if kind == "parquet":
        frame.to_parquet(path)
    elif kind == "pandas":
        frame.set_index("sample").to_parquet(path)
    elif kind == "flipped":
        frame.drop(columns=["patient", "class"]).set_index("sample").T.to_csv(path)
    elif kind == "h5ad":
        anndata = pytest.importorskip("anndata")
        of_samples = frame.set_index("sample")[["class", "patient", "age"]]
        X = frame[NAMES].set_index(frame["sample"])
        anndata.AnnData(X, obs=of_samples).write_h5ad(path)
    elif kind == "arff":
        text = {"sample": "string", "patient": "string", "class": "{ill,well}"}
        head = [f"@attribute {c} {text.get(c, 'numeric')}" for c in frame]
        rows = frame.to_csv(index=False, header=False)
        path.write_text("\n".join(["@relation r", *head, "@data", rows]))
    else:
        frame.to_csv(path, index=False)


@pytest.mark.parametrize("kind", ["csv", "parquet", "pandas", "arff", "flipped", "h5ad"])
def test_only_the_panel_is_read(tmp_path, frame, panel, kind):
    write(frame, tmp_path / "t", kind)
    flipped = {"transpose": True, "samples": tmp_path / "sheet.csv"} if kind == "flipped" else {}
    frame[["sample", "class", "patient"]].to_csv(tmp_path / "sheet.csv", index=False)
    data = read_table(
        tmp_path / "t", target="class", group="patient", covariates="age", keep=panel(), **flipped
    )
    assert set(data.feature_names) == {"age", *WANTED}
    assert [data.feature_names[j] for j in data.ranked] == list(WANTED)
    assert data.sample_names == tuple(frame["sample"])
    np.testing.assert_array_equal(data.X[:, data.ranked], frame[list(WANTED)].to_numpy())
    assert "3 of 40 features kept by 'panel.txt'" in data.notes
    assert not any("without a feature" in note for note in data.notes)


def test_it_is_as_a_table_of_these_features(tmp_path, frame, panel):
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame[["sample", "class", *WANTED]].to_csv(tmp_path / "few.csv", index=False)
    options = {"target": "class", "drop": ("patient", "age")}
    kept = read_table(tmp_path / "t.csv", keep=panel(), **options)
    assert kept.digest() == read_table(tmp_path / "few.csv", target="class").digest()


@pytest.mark.parametrize(
    "text",
    [
        "# of a paper\n\ngene30\r\n  gene3  \ngene17\n\n",
        "Gene,logFC,P\ngene3,1.5,0.01\ngene17,2,0.2\ngene30,-1,0.3\n",
        '"x"\t"FC"\n"gene3"\t1\n"gene17"\t2\n"gene30"\t3\n',
        b"\xef\xbb\xbfgene3\ngene17\ngene17\ngene30",
    ],
)
def test_a_list_or_the_first_column_of_a_table(tmp_path, frame, panel, text):
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", target="class", drop="age", keep=panel(text))
    assert data.feature_names == WANTED
    assert any("name of 'panel.txt' without a feature in" in note for note in data.notes) == (
        '"x"' in str(text)
    )


def test_names_may_hold_delimiters_that_are_not_in_every_line(panel):
    assert Panel.read(panel("a,b\nIL2 (human)\nc;d\n")).names == ("a,b", "IL2 (human)", "c;d")


def test_names_that_the_table_lacks_are_told(tmp_path, frame, panel):
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = read_table(
        tmp_path / "t.csv", target="class", keep=panel("gene3\nGENE-17\nTP53\nq1\nq2")
    )
    assert data.feature_names == ("gene3",)
    assert (
        "4 names of 'panel.txt' without a feature in 't.csv': 'GENE-17' ('gene17'?), 'TP53', 'q1' "
        "and 1 more" in data.notes
    )
    with pytest.raises(DataError, match=r"none of 3 names in 'panel.txt' is a feature of 't.csv'"):
        read_table(tmp_path / "t.csv", target="class", keep=panel("TP53\nclass\nBRCA1"))
    with pytest.raises(DataError, match="has no name of a feature"):
        read_table(tmp_path / "t.csv", target="class", keep=panel("# nothing\n"))
    with pytest.raises(DataError, match="not UTF-8"):
        read_table(tmp_path / "t.csv", target="class", keep=panel(b"gene\xff\n"))
    with pytest.raises(DataError, match="there is no file"):
        read_table(tmp_path / "t.csv", target="class", keep=tmp_path / "gone.txt")


@pytest.mark.parametrize("first", ["gene0", "text"])
def test_a_first_column_that_is_no_id_goes_too(tmp_path, frame, panel, first):
    frame["text"] = ["u", "v", "w"] * 8
    rest = [c for c in frame if c != first and c != "sample"]
    frame[[first, *rest]].to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", target="class", drop=["age", "patient"], keep=panel())
    assert data.feature_names == WANTED
    assert f"3 of {P + 1} features kept by 'panel.txt'" in data.notes
    data = read_table(tmp_path / "t.csv", target="class", keep=panel(f"gene3\n{first}"))
    assert data.feature_names == (first, "gene3")


def test_patients_are_asked_for_though_they_are_not_of_the_panel(tmp_path, frame, panel):
    frame.to_csv(tmp_path / "t.csv", index=False)
    notes = " ".join(read_table(tmp_path / "t.csv", target="class", keep=panel()).notes)
    assert "column 'patient' is dropped, but its values repeat" in notes


def test_categories_are_declared_and_left_out_alike(tmp_path, frame, panel):
    frame["grade"] = [1, 2, 3] * 8
    frame.to_csv(tmp_path / "t.csv", index=False)
    options = {"target": "class", "categorical": "grade"}
    assert read_table(tmp_path / "t.csv", keep=panel(), **options).feature_names == WANTED
    data = read_table(tmp_path / "t.csv", keep=panel("grade\ngene3"), **options)
    assert data.levels == {1: ("1", "2", "3")}


def test_of_several_blocks(tmp_path, frame, panel):
    frame[["sample", "class", "age"]].to_csv(tmp_path / "t.csv", index=False)
    for name in ("rna", "dna"):
        frame[["sample", *NAMES]].to_csv(tmp_path / f"{name}.csv", index=False)

    def read(text):
        blocks = {name: tmp_path / f"{name}.csv" for name in ("rna", "dna")}
        return read_table(tmp_path / "t.csv", target="class", blocks=blocks, keep=panel(text))

    data = read("rna:gene3\nage\ndna:gene5\nrna:gen9")
    assert data.feature_names == ("age", "rna:gene3", "dna:gene5")
    assert "block 'rna': 1 of 40 features kept by 'panel.txt'" in data.notes
    assert any(
        "block 'rna': 1 name of 'panel.txt' without a feature in 'rna.csv'" in n for n in data.notes
    )
    data = read("rna:gene3\nrna:gene4")
    assert data.feature_names == ("rna:gene3", "rna:gene4")
    assert list(data.blocks) == ["rna"]
    assert "block 'dna' has no feature of 'panel.txt': left out" in data.notes
    with pytest.raises(DataError, match="of a block write 'NAME:FEATURE'"):
        read("gene3\ngene4")

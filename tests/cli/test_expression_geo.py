"""`tamis expression geo`: series of GEO to a table and a sample sheet."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from expression.reading.soft_files import family, matrix
from tamis.cli._expression_geo import geo_table
from tamis.data import read_table
from tamis.expression import read_geo


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "GSE1_family.soft").write_bytes(b"".join(family().values()))
    for name in ("GPL96", "GPL570"):
        (tmp_path / f"{name}_matrix.txt").write_bytes(b"".join(matrix(name).values()))
    (tmp_path / "GPL570.csv").write_text("ID,Gene Symbol\nx_at,DDR1\ny_at,PAX8\n")
    return tmp_path


def test_several_platforms_have_the_shared_genes_and_a_batch(tamis, folder):
    code, out, err = tamis(
        "expression", "geo", "GSE1_family.soft", "--genes", "GPL570=GPL570.csv", "--out", "t.csv"
    )
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "GSE1: 4 samples of 'GPL96', 'GPL570', 1 gene that all have"
    found = pd.read_csv("t.csv", index_col="sample")
    assert found.columns.tolist() == ["platform", "DDR1"]
    assert found.loc["GSM3"].tolist() == ["GPL570", 0.5]
    sheet = pd.read_csv("t.samples.tsv", sep="\t", index_col="sample")
    assert sheet.loc["GSM1", ["platform", "title", "tissue"]].tolist() == [
        "GPL96",
        "patient 1",
        "lung",
    ]


def test_what_is_written_is_what_a_study_reads(tamis, folder):
    sheet = "GSE1_family.samples.tsv"
    code, out, err = tamis(
        "expression",
        "geo",
        "GSE1_family.soft",
        "--platform",
        "GPL96",
        "--probes",
        "--out",
        "GSE1_family.parquet",
    )
    assert (code, err) == (0, "")
    found = read_table("GSE1_family.parquet", target="title", samples=sheet, id="sample")
    assert "left out, as no sample has a value: 1" in out
    expected = read_geo("GSE1_family.soft").values("GPL96").drop(columns="b_at")
    np.testing.assert_array_equal(found.X, expected.to_numpy())
    assert list(found.feature_names) == expected.columns.tolist()
    assert found.y.tolist() == ["patient 1", "patient 2", "patient 4"]


def test_matrix_files_keep_probe_sets_unless_a_table_is_given(tamis, folder):
    run = ("expression", "geo", "GPL96_matrix.txt", "--out", "t.parquet")
    code, out, err = tamis(*run)
    assert code == 0
    assert "4 probe sets" in out
    assert pd.read_parquet("t.parquet").columns.tolist() == ["sample", "a_at", "c_at", "d_at"]
    assert "the file has no table of GPL96, so that probe sets are kept" in err
    (folder / "own.csv").write_text("probe,symbol\na_at,DDR1\nb_at,RFC2\nd_at,DDR1\n")
    code, out, err = tamis(*run, "--genes", "own.csv", "--json")
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert (said["n_genes"], said["n_unknown"]) == (2, 1)
    assert pd.read_parquet("t.parquet").columns.tolist() == ["sample", "DDR1"]
    code, out, _ = tamis(
        "expression",
        "geo",
        "GPL96_matrix.txt",
        "GPL570_matrix.txt",
        "--genes",
        "GPL96=own.csv",
        "--genes",
        "GPL570=GPL570.csv",
        "--out",
        "both.parquet",
    )
    assert code == 0
    assert "1 gene that all have" in out


def test_raw_values_are_told_and_logged_where_asked(tamis, folder):
    rng = np.random.default_rng(0)
    raw = np.round(2 ** rng.normal(8, 2, (20, 60)), 2)
    lines = ["^SERIES = GSE2", "^PLATFORM = GPL1", "!platform_table_begin", "ID\tSymbol"]
    lines += [f"p{j}\tG{j // 2}" for j in range(60)] + ["!platform_table_end"]
    for i, row in enumerate(raw):
        lines += [f"^SAMPLE = GSM{i}", "!Sample_platform_id = GPL1", "!sample_table_begin"]
        lines += ["ID_REF\tVALUE", *(f"p{j}\t{v}" for j, v in enumerate(row))]
        lines += ["!sample_table_end"]
    (folder / "raw.soft").write_text("\n".join(lines) + "\n")
    run = ("expression", "geo", "raw.soft", "--out", "t.parquet")
    code, _, err = tamis(*run)
    assert code == 0
    assert "Values of GPL1 look like raw intensities" in err
    assert "Say --log2." in err
    code, out, err = tamis(*run, "--log2")
    assert (code, err) == (0, "")
    assert "log2 of max(x, 1) was taken of 'GPL1'" in out
    found = pd.read_parquet("t.parquet").set_index("sample")
    expected = np.log2(np.maximum(raw, 1)).reshape(20, 30, 2).mean(axis=2)
    names = [f"G{j}" for j in range(30)]
    np.testing.assert_allclose(found[names], expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("GSE1_family.soft", "--probes"), "name one of GPL96, GPL570 by --platform"),
        (("GSE1_family.soft", "--platform", "GPL97"), "did you mean 'GPL96'"),
        (("GSE1_family.soft", "--genes", "GPL570.csv"), "name the platform of each table"),
        (("GSE1_family.soft",), "GPL570"),
        (("GPL570.csv",), "is no file of a series of GEO"),
        (("none.soft",), "none.soft"),
        (("GSE1_family.soft", "--sheet", "t.csv"), "'t.csv' would be written twice"),
        (("GSE1_family.soft", "--sheet", "s.xlsx"), "a table is written as"),
    ],
)
def test_what_cannot_be_is_one_line(tamis, folder, arguments, words):
    code, out, err = tamis("expression", "geo", *arguments, "--out", "t.csv")
    assert (code, out) == (2, "")
    assert words in err.splitlines()[-1]
    assert not (folder / "t.csv").exists()


def test_a_sheet_that_somebody_made_is_not_replaced(tamis, folder):
    (folder / "t.samples.tsv").write_text("mine")
    run = ("expression", "geo", "GPL96_matrix.txt", "--out", "t.parquet", "--probes")
    code, _, err = tamis(*run)
    assert code == 2
    assert "holds no sample sheet of `tamis expression geo`" in err
    (folder / "t.samples.tsv").unlink()
    assert tamis(*run)[0] == tamis(*run)[0] == 0


def test_a_table_of_another_platform_is_told(tamis, folder):
    rows = "".join(f"{p}\t{g}\n" for p, g in (("a_at", "DDR1"), ("q_at", "RFC2")))
    (folder / "own.txt").write_text(f"ID\tSymbol\n{rows}")
    run = (
        "expression",
        "geo",
        "GSE1_family.soft",
        "--out",
        "t.parquet",
        "--genes",
        "GPL96=own.txt",
    )
    says = "3 of 4 probe sets are not in the annotation"
    code, _, err = tamis(*run, "--platform", "GPL96")
    assert code == 0
    assert says in err
    code, out, err = tamis(*run, "--genes", "GPL570=GPL570.csv", "--json")
    assert code == 0
    assert f"GPL96: {says}" in err
    assert says in json.loads(out)["remarks"][0]
    code, _, err = tamis(*run, "--platform", "GPL570")
    assert code == 2
    assert "name the platform of each table once, as GPL570=FILE" in err


def test_probe_sets_without_a_value_are_left_out_and_samples_are_kept():
    values = pd.DataFrame(
        [[1.0, np.nan, 2.0], [np.nan, np.nan, np.nan]], ["s1", "s2"], ["a", "b", "c"]
    )
    series = SimpleNamespace(values=lambda name: values, platforms={})
    found = geo_table(series, ["GPL1"], {}, probes=True, log2=False)
    assert list(found.frame) == ["a", "c"]
    assert list(found.frame.index) == ["s1", "s2"]
    assert found.said == ["3 probe sets", "left out, as no sample has a value: 1"]
    assert found.content == {"log2": [], "n_empty": 1}

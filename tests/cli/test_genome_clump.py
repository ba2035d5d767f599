"""`tamis genome clump` as a user meets it."""

from __future__ import annotations

import gzip
import json

import pandas as pd
import pytest

from genome.clumped import COLUMNS, assert_same, draw_p_values, plink_clumps, write_linked
from tamis.genome import open_genotypes


@pytest.fixture
def cohort(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_linked(tmp_path, 5, ("1", "6", "22"))
    ids = open_genotypes("made").variants.id.to_pylist()
    draw_p_values(5, ids).to_csv("p.tsv", sep="\t", index=False, na_rep="NA")
    (tmp_path / "genes.bed").write_text("chr1\t1000\t900000\tONE\nchr6\t5\t90\tSIX\n")
    return tmp_path


def test_it_prints_what_it_found_and_leaves_its_files(cohort, tamis):
    code, out, err = tamis("genome", "clump", "p.tsv", "made.bed", "--p1", "0.001")
    assert code == 0, err
    folder = cohort / "tamis-clump-made"
    assert {p.name for p in folder.iterdir()} == {"clumps.tsv", "report.html", "results.json"}
    table = pd.read_csv(folder / "clumps.tsv", sep="\t", keep_default_na=False)
    assert list(table.columns) == COLUMNS
    assert_same(table, plink_clumps(cohort, "made", "p.tsv", 0.001, 0.01, 0.5, 250))
    first = table.iloc[0]
    assert f"in {len(table)} clumps (r2 > 0.5 within 250 kb" in out
    assert f"{first.SNP} ({first.CHR}:{first.BP:,})  p = {first.P:.3g}" in out
    assert "clumps.tsv" in out
    assert tamis("genome", "clump", "p.tsv", "made.bed")[0] == 0  # over its own folder


def test_genes_json_and_settings(cohort, tamis):
    asked = ("--genes", "genes.bed", "--p1", "0.01", "--p2", "0.2", "--r2", "0.3", "--kb", "500")
    code, out, err = tamis("genome", "clump", "p.tsv", "made", *asked, "--json", "--out", "x")
    assert code == 0, err
    found = json.loads(out)
    written = json.loads((cohort / "x" / "results.json").read_text())
    assert len(written.pop("picture")["dots"]) == found["n_clumps"]
    assert found == written
    assert found["settings"] == {
        "table": "p.tsv",
        "p": "P",
        "snp": "SNP",
        "test": None,
        "files": ["made"],
        "chromosome": None,
        "region": None,
        "p1": 0.01,
        "p2": 0.2,
        "r2": 0.3,
        "kb": 500,
        "genes": "genes.bed",
    }
    page = (cohort / "x" / "report.html").read_text(encoding="utf-8")
    assert "SIX" in page
    assert page.count('class="dot"') == len(found["clumps"])
    genes = {one["CHR"]: one["GENES"] for one in found["clumps"]}
    assert genes == {"1": ["ONE"], "6": ["SIX"], "22": []}
    table = pd.read_csv("x/clumps.tsv", sep="\t")
    assert table["DISTANCE"].isna().tolist() == (table["CHR"] == 22).tolist()


def test_other_columns_gzip_and_a_chromosome(cohort, tamis):
    table = pd.read_csv("p.tsv", sep="\t").rename(columns={"SNP": "rs", "P": "p_wald"})
    text = table.to_csv(sep=" ", index=False, na_rep="NA")
    (cohort / "q.txt.gz").write_bytes(gzip.compress(text.encode()))
    asked = ("--snp", "rs", "--p", "p_wald", "--chr", "chr6", "--out", "x")
    code, out, err = tamis("genome", "clump", "q.txt.gz", "made", *asked)
    assert code == 0, err
    assert "no variant of the genotypes has the id" in out
    assert set(pd.read_csv("x/clumps.tsv", sep="\t")["CHR"]) == {6}


def test_nothing_significant_is_said_plainly(cohort, tamis):
    for name, content in (("none.tsv", "SNP\tP\nv1\t0.5\n"), ("head.tsv", "SNP\tP\n")):
        (cohort / name).write_text(content)
        code, out, err = tamis("genome", "clump", name, "made", "--genes", "genes.bed")
        assert code == 0, err
        assert "no variant with p <= 0.0001: there are no clumps" in out
        folder = cohort / "tamis-clump-made"
        assert len((folder / "clumps.tsv").read_text().splitlines()) == 1
        assert "there are no clumps" in (folder / "report.html").read_text(encoding="utf-8")


def test_several_tests_of_a_variant_are_told(cohort, tamis):
    (cohort / "t.tsv").write_text("SNP\tTEST\tP\nv1\tADD\t1e-6\nv1\tDOM\t0.2\n")
    code, _, err = tamis("genome", "clump", "t.tsv", "made")
    assert code == 0
    assert "rows of several tests ('ADD', 'DOM'): those of ADD count; --test names one" in err
    assert tamis("genome", "clump", "t.tsv", "made", "--quiet")[2] == ""
    assert "those of DOM count" in tamis("genome", "clump", "t.tsv", "made", "--test", "DOM")[2]
    (cohort / "t.tsv").write_text("ID\tTEST\tLOG10P\nv1\tX\t6\nv1\tDOM\t0.2\n")
    _, out, err = tamis("genome", "clump", "t.tsv", "made")
    assert "p-values of LOG10P, variants of ID" in err
    assert "('DOM', 'X'): all count, as in PLINK" in err
    assert "1 clump" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("p.tsv", "nothing.bed"), "'nothing.bed' is missing"),
        (("none.tsv", "made"), "'none.tsv' is not there"),
        (("p.tsv", "made", "--p", "PP"), "no column --p 'PP': did you mean 'P'"),
        (("p.tsv", "made", "--snp", "SNPS"), "no column --snp 'SNPS': did you mean 'SNP'"),
        (("p.tsv", "made", "--genes", "no.gtf"), "'no.gtf' is not there"),
        (("p.tsv", "made", "--genes", "p.tsv"), "line 1: a gene has no name"),
        (("p.tsv", "made", "--p1", "2"), "--p1"),
        (("p.tsv", "made", "--kb", "0"), "--kb"),
        (("p.tsv", "made", "--out", "p.tsv"), "is a file"),
        (("p.tsv", "made", "--out", "."), "is not empty"),
        (("p.tsv",), "FILES"),
        (("bad.tsv", "made"), "'bad.tsv', line 3: a p-value of '7'"),
    ],
)
def test_faults_are_one_line(cohort, tamis, arguments, says):
    (cohort / "bad.tsv").write_text("SNP\tP\nv1\t0.5\nv2\t7\n")
    code, out, err = tamis("genome", "clump", *arguments)
    assert code == 2
    assert says in err
    assert len(err.strip().splitlines()) == 1
    assert out == ""


def test_the_same_bytes_for_any_number_of_threads(cohort, tamis):
    for jobs in ("1", "100"):
        code, _, err = tamis("genome", "clump", "p.tsv", "made", "--n-jobs", jobs, "--out", jobs)
        assert code == 0, err
    for name in ("clumps.tsv", "results.json"):
        assert (cohort / "1" / name).read_bytes() == (cohort / "100" / name).read_bytes()

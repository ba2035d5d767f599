"""`tamis compare`: a summary, a page, one JSON object, and errors in one line."""

from __future__ import annotations

import json

import pytest

from common.comparisons import write_studies, write_study
from tamis.study.results.compare import compare_studies


@pytest.fixture
def studies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_studies(tmp_path, 4)
    return ("d0", "d1", "d2", "d3")


def test_a_summary_and_a_page(tamis, studies, tmp_path):
    code, out, err = tamis("compare", *studies)
    assert (code, err) == (0, "")
    assert compare_studies(studies).summary() in out
    assert out.rstrip().endswith("tamis-comparison.html")
    page = (tmp_path / "tamis-comparison.html").read_text(encoding="utf-8")
    assert "3 methods and the headline procedure on 4 data sets" in page


def test_json_is_the_whole_comparison(tamis, studies, tmp_path):
    code, out, err = tamis(
        "compare",
        *studies,
        "--metric",
        "loss",
        "--json",
        "--out",
        "there/c.html",
        "--source",
        "s=d0,d1",
        "--alpha",
        "0.1",
    )
    assert (code, err, out.count("\n")) == (0, "", 1)
    found = compare_studies(studies, "loss", {"d0": "s", "d1": "s"}, 0.1)
    assert json.loads(out) == found.to_dict()
    assert (tmp_path / "there" / "c.html").stat().st_size > 10_000


def test_studies_of_one_table_are_compared_in_pairs(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed, name in enumerate(("few", "many", "all")):
        write_study(tmp_path / name, "cohort", seed=seed, digest="d")
    code, out, err = tamis("compare", "few", "many", "all", "--alpha", "0.1")
    assert (code, err) == (0, "")
    assert out.startswith("cohort: 40 samples, 100 features; 3 studies of this table")
    assert compare_studies(["few", "many", "all"], alpha=0.1).summary() in out
    assert "Friedman" not in out
    page = (tmp_path / "tamis-comparison.html").read_text(encoding="utf-8")
    assert "3 studies of cohort" in page
    code, out, _ = tamis("compare", "few", "many", "all", "--json", "--metric", "auc")
    assert json.loads(out) == compare_studies(["few", "many", "all"], "auc").to_dict()
    code, out, err = tamis("compare", "few", "many", "--source", "s=few")
    assert (code, out) == (2, "")
    assert err == "tamis: all studies are of one table: leave out the sources\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "0 result folder"),
        (("d0",), "1 result folder"),
        (("d0", "nix"), "not the folder of a study"),
        (("d0", "d0"), "given twice"),
        (("d0", "d1", "--metric", "bcrr"), "did you mean 'bcr'"),
        (("d0", "d1", "--source", "s"), "cannot read the sources"),
        (("d0", "d1", "--source", "s=nix"), "none of the studies"),
        (("d0", "d1", "--source", "s=d0,d1"), "all data sets come from"),
        (("d0", "d1", "--alpha", "2"), "alpha"),
        (("d0", "d1", "--out", "."), "cannot write"),
    ],
)
def test_errors_are_one_line(tamis, studies, arguments, says):
    code, out, err = tamis("compare", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("tamis: ")
    assert err.count("\n") == 1
    assert says in err

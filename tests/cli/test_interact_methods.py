"""`tamis interact --method`: one command and one layout of the folder for every search."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tamis.data import make_planted_interaction

FILES = {
    "settings.json",
    "interactions.json",
    "features.csv",
    "edges.csv",
    "graph.graphml",
    "sets.csv",
    "report.html",
}
QUICK = {
    "rit": ("--trees", 50),
    "irf": ("--forest", 20, "--bootstraps", 4, "--trees", 50, "--rounds", 2),
    "pairs": ("--by", "score"),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    data = make_planted_interaction(n_per_class=60, n_features=30, order=2)
    path = tmp_path_factory.mktemp("table") / "planted.csv"
    header = ",".join(["ill", *data.feature_names])
    codes = np.column_stack([data.codes, data.X.astype(int)])
    np.savetxt(path, codes, "%d", ",", header=header, comments="")
    return path


@pytest.fixture
def interact(tamis, table, tmp_path, monkeypatch):
    def call(*arguments):
        monkeypatch.chdir(tmp_path)
        return tamis("interact", table, "--target", "ill", *arguments)

    return call


@pytest.mark.longer
@pytest.mark.parametrize("method", QUICK)
def test_one_layout_for_every_search(interact, tmp_path, method):
    code, out, _ = interact("--method", method, *QUICK[method])
    assert code == 0
    folder = tmp_path / f"tamis-interact-planted-{method}"
    assert {path.name for path in folder.iterdir()} == FILES
    lines = out.splitlines()
    assert lines[0].startswith("planted: 120 samples, 30 features; ")
    assert lines[1].startswith("  p        ")
    assert "S1_1" in out
    assert lines[-1] == f"  report   {folder.name}/report.html"
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "S1_1" in page
    settings = json.loads((folder / "settings.json").read_text())["settings"]
    assert settings["method"] == method


def test_options_are_the_settings(interact, tmp_path):
    more = (
        "--trees",
        30,
        "--depth",
        4,
        "--branch",
        2.5,
        "--min-size",
        3,
        "--bootstraps",
        0,
        "--signed",
        "--theta",
        0.3,
        "--theta-out",
        0.2,
        "--permutations",
        0,
        "--out",
        "o",
    )
    code, out, _ = interact("--method", "rit", *more)
    assert code == 0
    assert json.loads((tmp_path / "o" / "settings.json").read_text())["settings"] == {
        "method": "rit",
        "n_trees": 30,
        "depth": 4,
        "branch": 2.5,
        "min_size": 3,
        "n_bootstraps": 0,
        "signed": True,
        "theta": 0.3,
        "theta_out": 0.2,
        "n_permutations": 0,
        "max_sets": 100_000,
        "discretizer": None,
        "bins": 3,
        "level": 0.05,
        "seed": 0,
    }
    assert "not tested" in out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--method", "rit", "--m", 3), "--m is no option of --method rit, but of mcfs"),
        (
            ("--method", "pairs", "--trees", 3),
            "--trees is no option of --method pairs",
        ),
        (("--theta", 0.3), "--theta is no option of --method mcfs, but of rit"),
        (
            ("--method", "rit", "--level", 0.01, "--permutations", 19),
            "--permutations 19: --level 0.01 needs",
        ),
        (
            ("--method", "irf", "--max-features", 0),
            "--max-features 0: give a number above 0 or 'sqrt'",
        ),
        (("--method", "rit", "--theta", "many"), "'many' is no number"),
        (("--method", "trees"), "'trees' is not one of"),
    ],
)
def test_what_is_refused_in_one_line(interact, tmp_path, more, says):
    code, out, err = interact(*more)
    assert code == 2
    assert out == ""
    assert says in err
    assert not list(tmp_path.glob("tamis-interact*"))


def test_thresholds_may_be_one_a_class(interact, tmp_path):
    code, _, _ = interact(
        "--method", "rit", "--theta", "0.3,0.35", "--theta-out", "0.4,0.3", "--out", "o"
    )
    assert code == 0
    settings = json.loads((tmp_path / "o" / "settings.json").read_text())["settings"]
    assert (settings["theta"], settings["theta_out"]) == ([0.3, 0.35], [0.4, 0.3])


def test_numbers_are_refused_with_the_option_that_cuts_them(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = np.column_stack([np.arange(40) % 2, rng.normal(size=(40, 3))])
    np.savetxt("t.csv", rows, "%.6g", ",", header="y,a,b,c", comments="")
    code, _, err = tamis("interact", "t.csv", "--target", "y", "--method", "rit")
    assert code == 2
    assert "'a' holds" in err
    assert "--discretizer 'equal_frequency'" in err
    code, _, _ = tamis(
        "interact",
        "t.csv",
        "--target",
        "y",
        "--method",
        "rit",
        "--discretizer",
        "equal_frequency",
        "--bins",
        "2",
    )
    assert code == 0


def test_another_method_is_no_resumption(interact, tmp_path):
    interact("--method", "pairs", "--out", "o")
    code, _, err = interact("--method", "rit", "--out", "o", "--resume")
    assert code == 2
    assert "the settings differ" in err
    again = (tmp_path / "o" / "interactions.json").read_bytes()
    code, _, _ = interact("--method", "pairs", "--out", "o", "--resume")
    assert code == 0
    assert (tmp_path / "o" / "interactions.json").read_bytes() == again


@pytest.mark.quick
def test_report_writes_the_page_again(interact, tamis, tmp_path):
    interact("--method", "pairs", "--out", "o")
    page = (tmp_path / "o" / "report.html").read_bytes()
    (tmp_path / "o" / "report.html").unlink()
    code, out, _ = tamis("report", "o")
    assert (code, out.strip()) == (0, "o/report.html")
    assert (tmp_path / "o" / "report.html").read_bytes() == page


def test_json_is_the_result(interact, tmp_path):
    code, out, _ = interact("--method", "pairs", "--out", "o", "--json")
    assert code == 0
    assert json.loads(out) == json.loads((tmp_path / "o" / "interactions.json").read_text())


@pytest.mark.parametrize("name", ["made.bed", "made.VCF.gz"])
def test_genotypes_are_no_table(name, tamis):
    code, _, err = tamis("interact", name, "--target", "status", "--method", "rit")
    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert "is a genotype file: use `tamis genome pairs` (--pheno is its" in err

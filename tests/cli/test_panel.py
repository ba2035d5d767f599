"""`--keep FILE`: a study and a search of a named panel; a saved model needs no panel."""

from __future__ import annotations

import json

import pytest

from common.studies import make_data
from common.tables import PLAN, write_table


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = make_data(seed=1, n=40, p=30, informative=6, shift=2.0)
    write_table(tmp_path / "t.csv", data)
    names = [data.feature_names[j] for j in (25, 3, 0, 12, 29, 1)]
    (tmp_path / "panel.txt").write_text("# panel\n" + "\n".join(names) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


STUDY = ("study", "t.csv", "--target", "diagnosis", "--plan", "plan.toml", "--keep", "panel.txt")


def test_the_panel_counts_as_the_tables_features(tamis, folder):
    code, out, err = tamis(*STUDY, "--out", "s", "--json")
    assert code == 0, err
    assert "6 of 30 features kept by 'panel.txt'" in err
    found = json.loads(out)
    assert found["data"]["n_features"] == 6
    assert all(method["n_possible"] == 6 for method in found["methods"])
    assert "6 of 30 features kept" in (folder / "s" / "report.html").read_text(encoding="utf-8")
    code, out, err = tamis("predict", "s/model.npz", "t.csv")
    assert code == 0, err
    assert len(out.splitlines()) == 41


def test_the_folder_is_not_that_of_another_panel(tamis, folder):
    tamis(*STUDY, "--out", "s")
    code, _, err = tamis(*STUDY[:-2], "--out", "s", "--resume")
    assert code == 2
    assert "data" in err
    assert tamis(*STUDY, "--out", "s", "--resume")[0] == 0


def test_a_plan_names_it_beside_its_table(tamis, folder):
    lists = '[[dataset]]\ntable = "t.csv"\ntarget = "diagnosis"\nkeep = "panel.txt"\n'
    (folder / "sub").mkdir()
    for name in ("t.csv", "panel.txt"):
        (folder / name).rename(folder / "sub" / name)
    (folder / "sub" / "sets.toml").write_text(PLAN + lists)
    code, out, err = tamis("study", "--plan", "sub/sets.toml", "--out", "many", "--json")
    assert code == 0, err
    assert json.loads(out)["sets"]["t"]["data"]["n_features"] == 6


def test_a_search_in_the_panel(tamis, folder):
    code, out, err = tamis(
        "interact",
        "t.csv",
        "--target",
        "diagnosis",
        "--keep",
        "panel.txt",
        "--method",
        "pairs",
        "--most-pairs",
        "3",
        "--out",
        "i",
        "--json",
    )
    assert code == 0, err
    assert "6 of 30 features kept by 'panel.txt'" in err
    assert len(json.loads(out)["sets"]["sets"]) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [("TP53\n", "none of 1 name in 'panel.txt' is a feature of 't.csv'"), ("", "is empty")],
)
def test_faults_are_one_line(tamis, folder, text, said):
    (folder / "panel.txt").write_text(text)
    code, _, err = tamis(*STUDY)
    assert code == 2
    assert said in err
    assert len(err.splitlines()) == 1

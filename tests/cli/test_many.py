"""Many tables: a folder, or a list in the plan; resumable, and one bad set stops no other."""

from __future__ import annotations

import csv
import json

import pytest

from common.studies import make_data
from common.tables import PLAN, write_table
from tamis._core.errors import PlanError
from tamis._core.journal import Journal
from tamis.study.multi_dataset import tables_of
from tamis.study.plan import Plan


@pytest.fixture
def sets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tables").mkdir()
    for k in range(2):
        write_table(tmp_path / "tables" / f"set{k}.csv", make_data(seed=k, n=32, p=12))
    (tmp_path / "tables" / "notes.md").write_text("not a table")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


ALL = ("study", "tables", "--target", "diagnosis", "--plan", "plan.toml", "--n-jobs", "1")


def test_a_folder_is_studied_set_by_set_with_one_line_each(tamis, sets):
    code, out, err = tamis(*ALL)
    assert code == 0
    assert [line.split(" (")[0] for line in err.splitlines()] == ["set0", "set1"]
    assert out.strip() == "tamis-tables/sets.tsv"
    with open(out.strip(), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        result = json.loads((sets / "tamis-tables" / row["set"] / "results.json").read_text())
        assert float(row["bcr"]) == result["metrics"]["bcr"]["mean"]
    assert len(rows) == 2


def test_it_resumes_and_gives_what_a_single_study_gives(tamis, sets):
    tamis(*ALL)
    first = (sets / "tamis-tables" / "set1" / "results.json").read_bytes()
    (sets / "tamis-tables" / "set1" / "results.json").unlink()
    assert tamis(*ALL)[0] == 2  # the folders are there already
    assert tamis(*ALL, "--resume")[0] == 0
    assert (sets / "tamis-tables" / "set1" / "results.json").read_bytes() == first
    tamis("study", "tables/set1.csv", *ALL[2:], "--out", "single")
    assert (sets / "single" / "results.json").read_bytes() == first


@pytest.mark.quick
def test_one_bad_set_is_told_and_the_others_are_studied(tamis, sets):
    (sets / "tables" / "broken.csv").write_text("sample,diagnosis,g1\ns1,a,1\ns2,a,2\n")
    code, _out, err = tamis(*ALL)
    assert code == 2
    assert "one class only" in err
    assert "1 of 3 sets failed: broken" in err
    assert (sets / "tamis-tables" / "set1" / "report.html").exists()


def test_a_plan_may_list_tables_each_read_in_its_own_way(tamis, sets):
    listed = PLAN.replace(
        "[[method]]",
        '[[dataset]]\ntable = "tables/set0.csv"\nname = "first"\ntarget = "diagnosis"\n'
        'positive = "a"\n[[dataset]]\ntable = "tables/set1.csv"\n'
        'target = "diagnosis"\ndrop = ["g0"]\n[[method]]',
        1,
    )
    (sets / "many.toml").write_text(listed, encoding="utf-8")
    code, out, _ = tamis("study", "--plan", "many.toml", "--n-jobs", "1", "--json")
    assert code == 0
    found = json.loads(out)["sets"]
    assert list(found) == ["first", "set1"]
    assert found["first"]["data"]["classes"] == ["b", "a"]
    assert found["set1"]["data"]["n_features"] == 11


@pytest.mark.parametrize("name", ["../esc", "/tmp/abs", ".", "..", "sets.tsv", "a/b", "x\ny"])
def test_a_data_set_cannot_be_written_elsewhere(tamis, sets, name):
    listed = f'[[dataset]]\ntable = "tables/set0.csv"\nname = {json.dumps(name)}\n{PLAN}'
    (sets / "many.toml").write_text(
        PLAN.replace("[[method]]", listed.split(PLAN)[0] + "[[method]]", 1), encoding="utf-8"
    )
    code, _, err = tamis("study", "--plan", "many.toml", "--target", "diagnosis")
    assert code == 2
    assert "cannot name a folder" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("study",), "name a table"),
        (("study", "empty"), "no tables in 'empty'"),
        (("study", "tables/set0.csv"), "--target"),
        (("study", "tables"), "no target"),
    ],
)
def test_what_is_missing_is_named(tamis, sets, arguments, says):
    (sets / "empty").mkdir()
    code, _out, err = tamis(*arguments, "--n-jobs", "1")
    assert code == 2
    assert says in err


def test_a_dry_run_of_many_runs_nothing(tamis, sets):
    code, _out, err = tamis(*ALL, "--dry-run")
    assert code == 0
    assert err.count("fits, about") == 2
    code, out, err = tamis(*ALL, "--dry-run", "--json", "--quiet")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert sorted(told["sets"]) == sorted(path.stem for path in sets.glob("tables/*.csv"))
    assert all(one["n_fits"] > 0 for one in told["sets"].values())
    assert not (sets / "tamis-tables").exists()


def test_a_dry_run_tells_by_its_code_that_a_set_failed(tamis, sets):
    next(sets.rglob("*.csv")).write_text("a,a\n1,2\n")
    code, _out, err = tamis(*ALL, "--dry-run")
    assert code != 0
    assert "sets failed" in err.splitlines()[-1]


def test_a_folder_of_studies_in_use_is_left_alone(tamis, sets):
    with Journal(sets / "o"):
        code, out, err = tamis(*ALL, "--out", "o", "--resume")
    assert (code, out) == (2, "")
    assert err.startswith("tamis: 'o' is in use by process ")
    assert list((sets / "o").iterdir()) == []


def test_thousands_of_tables_of_a_plan_are_told_apart():
    """Each name is looked at once, and not beside every other."""
    entries = [{"table": f"{k}.csv", "target": "class"} for k in range(20_000)]
    plan = Plan.resolve({"dataset": entries})
    assert len(tables_of(None, plan, None, {})) == len(entries)
    plan = Plan.resolve({"dataset": [*entries, entries[7]]})
    with pytest.raises(PlanError, match=r"several tables are named '7': give each"):
        tables_of(None, plan, None, {})

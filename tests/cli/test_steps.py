"""Steps from a plan to predictions, as the command has them."""

from __future__ import annotations

import csv
import io
import tomllib

import pytest

from common.studies import make_data
from common.tables import write_table
from tamis.study.plan import Plan

PLAN = """
permutations = 0
prepare = ["impute_median", "quantile"]
[outer]
folds = 3
[inner]
folds = 2
repeats = 1
[[method]]
select = "pearson"
sizes = [2]
[[method]]
name = "as it is"
select = "pearson"
sizes = [2]
prepare = []
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("t.csv", make_data(seed=6, n=36, p=12, shift=2.0))
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_a_model_whose_steps_need_every_column_predicts_and_is_evaluated(tamis, folder):
    study = ("study", "t.csv", "--target", "diagnosis", "--plan", "plan.toml", "--out", "s")
    assert tamis(*study)[0] == 0
    code, out, err = tamis("predict", "s/model.npz", "t.csv")
    assert code == 0, err
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert len(rows) == 36
    code, out, err = tamis("evaluate", "s/model.npz", "t.csv", "--target", "diagnosis")
    assert code == 0, err
    assert "balanced accuracy" in out
    page = (folder / "s" / "report.html").read_text(encoding="utf-8")
    assert "after medians for missing values, quantile normalisation" in page


def test_the_printed_plan_is_the_plan(tamis, folder):
    """Read back it is the same, so that a study can be resumed with it."""
    code, out, _ = tamis(
        "study", "t.csv", "--target", "diagnosis", "--plan", "plan.toml", "--dry-run"
    )
    assert code == 0
    printed = tomllib.loads(out)
    again = Plan.resolve(printed)
    stored = Plan.resolve(tomllib.loads(PLAN)).model_dump(mode="json")
    assert again.model_dump(mode="json") == stored  # which `--resume` compares
    assert [[s.name for s in m.prepare] for m in again.method] == [
        ["impute_median", "quantile"],
        [],
    ]


@pytest.mark.parametrize(
    ("steps", "method", "said"),
    [
        ('[{name = "presence", above = 1e9}]', 'select = "pearson"', "no column is left"),
        ('[{name = "variance", share = 0.3}]', 'select = "rfs"\nparameters = {q = 6}', "q=6"),
    ],
)
def test_what_filters_leave_is_told_before_the_folder_is_claimed(
    tamis, folder, steps, method, said
):
    (folder / "bad.toml").write_text(f"prepare = {steps}\n[[method]]\n{method}\n")
    study = ("study", "t.csv", "--target", "diagnosis", "--plan", "bad.toml", "--out", "s")
    code, _, err = tamis(*study)
    assert code == 2
    assert said in err.splitlines()[-1]
    assert not (folder / "s" / "plan.json").exists()


def test_many_steps_fit_into_the_name_of_a_file(tamis, folder):
    steps = ", ".join(f'{{name = "log2", least = {k + 0.123456789}}}' for k in range(12))
    text = PLAN.replace('["impute_median", "quantile"]', f"[{steps}]")
    (folder / "long.toml").write_text(text)
    study = ("study", "t.csv", "--target", "diagnosis", "--plan", "long.toml", "--out", "s")
    code, _, err = tamis(*study)
    assert code == 0, err
    names = {path.name for path in (folder / "s" / "cells").rglob("*.arrow")}
    assert max(map(len, names)) < 255
    assert len({name.partition("-")[2] for name in names}) == 2
    before = {p: p.stat().st_mtime_ns for p in (folder / "s" / "cells").rglob("*.arrow")}
    assert tamis(*study, "--resume")[0] == 0
    assert {p: p.stat().st_mtime_ns for p in before} == before

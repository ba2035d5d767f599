"""Costs on the command line."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data
from common.tables import PLAN, write_table
from tamis.model.file import load_model
from tamis.study.plan import Plan


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "made.csv", make_data())
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


STUDY = ("study", "made.csv", "--target", "diagnosis", "--n-jobs", "1", "--plan", "plan.toml")


def resolved(tamis, *more):
    code, out, err = tamis(*STUDY, "--dry-run", "--json", "--quiet", *more)
    assert code == 0, err
    return json.loads(out)["plan"]


def test_costs_of_the_command_are_those_of_a_plan(tamis, folder):
    plan = resolved(tamis, "--cost", "b=10", "--cost", "a=1.5")
    assert plan["costs"] == {"b": 10.0, "a": 1.5}
    assert (plan["metric"], plan["decide"]["name"]) == ("loss", "minimum_risk")
    assert resolved(tamis, "--cost", "class_sizes")["costs"] == "class_sizes"
    assert (
        resolved(tamis, "--cost", "b=2", "--cost", "a=1", "--decide", "youden")["decide"]["name"]
        == "youden"
    )


@pytest.mark.parametrize(
    "costs", ['costs = "class_sizes"\n', "costs = { a = { b = 6 }, b = { a = 1 } }\n"]
)
def test_the_plan_that_is_printed_is_read_back(tamis, folder, costs):
    (folder / "plan.toml").write_text(costs + PLAN, encoding="utf-8")
    code, out, _ = tamis(*STUDY, "--dry-run", "--quiet")
    assert code == 0
    (folder / "again.toml").write_text(out, encoding="utf-8")
    assert Plan.read(folder / "again.toml") == Plan.read(folder / "plan.toml")


CHARGED = """
permutations = 0
costs = { a = 1, b = 6 }
[[method]]
select = "moderated_t"
sizes = [2]
classify = { name = "%s", of = "logistic" }
"""


@pytest.mark.parametrize(
    ("name", "decide", "words"),
    [
        ("cost_weighted", "platt", "write recalibrate = 'platt'"),
        ("metacost", "minimum_risk", "needs more than classify"),
    ],
)
def test_a_decision_of_the_command_is_held_against_the_plan(tamis, folder, name, decide, words):
    (folder / "plan.toml").write_text(CHARGED % name, encoding="utf-8")
    code, out, err = tamis(*STUDY, "--decide", decide)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())
    method = resolved(tamis, "--decide", "youden")
    assert (method["decide"]["name"], method["method"][0]["decide"]) == ("youden", None)


def test_a_model_finds_the_costs_of_samples_in_their_column(tamis, folder):
    costs = 'costs = { a = { b = "amount" }, b = { a = 3 } }\n'
    (folder / "plan.toml").write_text(costs + PLAN, encoding="utf-8")
    data = make_data()
    amounts = 1 + np.abs(data.X[:, :1])
    names = (*data.feature_names, "amount")
    write_table(
        folder / "made.csv",
        replace(data, X=np.hstack([data.X, amounts]), feature_names=names, levels={}),
    )
    assert tamis(*STUDY, "--out", "s", "--quiet")[0] == 0
    code, out, err = tamis("predict", "s/model.npz", "made.csv")
    assert code == 0, err
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    alarm, miss = np.array([row[3:] for row in rows], dtype=float).T * [[3], [1]]
    expected = np.where(miss * amounts[:, 0] > alarm, "b", "a")
    assert [row[1] for row in rows] == expected.tolist()
    code, out, err = tamis("evaluate", "s/model.npz", "made.csv", "--target", "diagnosis")
    assert code == 0, err
    assert "expected loss" in out


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (("--cost", "b"), "no CLASS=NUMBER"),
        (("--cost", "b=much"), "no CLASS=NUMBER"),
        (("--cost", "class_sizes", "--cost", "b=2"), "no CLASS=NUMBER"),
        (("--cost", "b=2"), "what an error on 'a' costs"),
        (("--cost", "b=2", "--cost", "c=1"), "not a class here"),
        (("--cost", "b=2", "--cost", "a=1", "--cost", "b=3"), "'b' has two costs"),
        (("--decide", "minimum_risk"), "has to know what errors cost"),
        (("--decide", "least_loss"), "has to know what errors cost"),
    ],
)
def test_what_is_missing_or_wrong_is_one_line(tamis, folder, said, words):
    code, out, err = tamis(*STUDY, *said)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())


def test_a_model_reads_the_column_of_costs_from_new_samples(tamis, folder):
    data = make_data(n=40)
    amounts = np.random.default_rng(0).uniform(1, 9, size=40)
    amounts[0] = 0  # missing this sample costs nothing: it is called "a"
    data = replace(
        data,
        X=np.column_stack([data.X, amounts]),
        feature_names=(*data.feature_names, "amount"),
    )
    write_table(folder / "made.csv", data)
    plan = 'costs = { a = { b = "amount" }, b = { a = 1 } }\n' + PLAN
    (folder / "plan.toml").write_text(plan, encoding="utf-8")
    assert tamis(*STUDY, "--out", "own")[0] == 0
    code, out, err = tamis("predict", "own/model.npz", "made.csv")
    assert code == 0, err
    model = load_model(folder / "own" / "model.npz")
    labels = [line.split("\t")[1] for line in out.splitlines()[1:]]
    assert labels == model.predict(data).tolist()
    assert labels[0] == "a"
    assert tamis("evaluate", "own/model.npz", "made.csv", "--target", "diagnosis")[0] == 0
    for wrong, words in ((np.nan, "has no number for"), (-1.0, "costs of sample")):
        X = data.X.copy()
        X[4, -1] = wrong
        write_table(folder / "new.csv", replace(data, X=X))
        code, out, err = tamis("predict", "own/model.npz", "new.csv")
        assert (code, out) == (2, "")
        assert words in " ".join(err.split())

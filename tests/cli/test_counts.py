"""Counts from a table to predictions: one patient alone, and tables that hold no counts."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from common.steps import count_steps
from common.studies import make_data
from common.tables import write_table
from tamis.checks.tables import in_counts

PLAN = """
permutations = 0
prepare = ["log_cpm"]
[outer]
folds = 3
[inner]
folds = 2
repeats = 1
[[method]]
select = "pearson"
sizes = [2]
"""
STUDY = ("study", "t.csv", "--target", "diagnosis", "--plan", "plan.toml", "--out", "s")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = in_counts(make_data(seed=6, n=36, p=12, shift=2.0))
    depth = np.exp2(np.random.default_rng(1).normal(size=(36, 1)))
    write_table("t.csv", replace(data, X=np.floor(data.X * depth)))
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def predicted(tamis, path):
    code, out, err = tamis("predict", "s/model.npz", path)
    assert code == 0, err
    return list(csv.reader(io.StringIO(out), delimiter="\t"))[1:]


@pytest.mark.parametrize("step", count_steps())
def test_a_patient_alone_is_predicted_as_among_others(tamis, folder, step):
    (folder / "plan.toml").write_text(PLAN.replace("log_cpm", step))
    code, _, err = tamis(*STUDY)
    assert code == 0, err
    every = predicted(tamis, "t.csv")
    lines = (folder / "t.csv").read_text().splitlines()
    for at in (1, 20):
        (folder / "one.csv").write_text("\n".join([lines[0], lines[at]]) + "\n")
        assert predicted(tamis, "one.csv")[0][1:] == every[at - 1][1:]


@pytest.mark.parametrize("value", ["0.37", "-2"])
def test_a_table_of_no_counts_is_refused(tamis, folder, value):
    assert tamis(*STUDY)[0] == 0
    lines = (folder / "t.csv").read_text().splitlines()
    at = next(k for k, cell in enumerate(lines[5].split(",")) if cell.replace(".", "").isdigit())
    cells = lines[5].split(",")
    cells[at] = value
    (folder / "bad.csv").write_text("\n".join([*lines[:5], ",".join(cells), *lines[6:]]) + "\n")
    code, _, err = tamis("predict", "s/model.npz", "bad.csv")
    assert code == 2
    assert "'log_cpm' needs raw counts, whole numbers from 0; 1 of 12 columns hold others" in err
    assert f"such as {value}" in err
    code, _, err = tamis("study", "bad.csv", *STUDY[2:-1], "other")
    assert code == 2
    assert "'log_cpm' needs raw counts" in err.splitlines()[-1]


def test_a_study_of_counts_is_told_the_option_to_add(tamis, folder):
    """On the terminal and among the warnings of the page; with the option it is content."""
    rng = np.random.default_rng(2)
    data = make_data(seed=6, n=36, p=60)
    X = rng.poisson(rng.lognormal(3, 2, 60) * rng.uniform(0.5, 2, (36, 1))).astype(float)
    write_table("t.csv", replace(data, X=X))
    (folder / "plan.toml").write_text(PLAN.replace('prepare = ["log_cpm"]', ""))
    option = ("--prepare", "log_cpm")
    code, out, err = tamis(*STUDY[:-1], "bare", "--json")
    assert code == 0, err
    offered = "Values look like raw counts"
    warned = {w["code"]: w["text"] for w in json.loads(out)["warnings"]}
    for text in (err, warned["unlogged"]):
        assert offered in text
    assert "with --prepare 'log_cpm'." in err
    assert "prepare" in warned["unlogged"]
    code, out, err = tamis(*STUDY, *option, "--json")
    assert code == 0, err
    assert offered not in err
    warned = {w["code"]: w["text"] for w in json.loads(out)["warnings"]}
    assert "methods take logarithms" in warned["unlogged"]

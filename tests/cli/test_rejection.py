"""Rejection on the command line."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data
from common.tables import write_table
from tamis.model.file import load_model
from tamis.study import run_study


@pytest.mark.quick
def test_predict_prints_who_was_accepted_and_how_certain(tmp_path, tamis):
    data = make_data(n=60, p=12, informative=2, shift=0.8)
    plan = {
        "permutations": 0,
        "reject": {"name": "coverage", "at": 0.7},
        "outer": {"folds": 2},
        "method": [{"select": "moderated_t", "sizes": [2]}],
    }
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    new = replace(data, X=np.random.default_rng(5).normal(size=data.shape))
    write_table(tmp_path / "new.csv", new)
    code, out, err = tamis("predict", tmp_path / "s" / "model.npz", tmp_path / "new.csv")
    assert code == 0
    read = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    decided = model.decide(new)
    assert [float(r["certainty"]) for r in read] == pytest.approx(decided.certainty.tolist())
    assert [r["accepted"] == "yes" for r in read] == decided.accepted.tolist()
    assert all(r["predicted"] == "" for r in read if r["accepted"] == "no")
    declined = int((~decided.accepted).sum())
    assert 0 < declined < len(read)
    assert f"{declined} of {len(read)} samples declined" in err
    least = min(c for c, kept in zip(decided.certainty, decided.accepted, strict=True) if kept)
    scale = "certainty: how far a sample is from being decided otherwise"
    assert float(err.split("certainty below ")[1].split()[0]) <= least
    assert f"{scale}: 0 is undecided, no upper limit\ndeclines samples of a certainty below" in err
    model = replace(model, decision=replace(model.decision, score="posterior"))
    learnt = model.decide(new)
    assert model.decision.scale(learnt.beliefs).startswith("the probability of the class")
    assert learnt.certainty.max() <= 1


def test_reject_of_the_command_is_that_of_a_plan(tmp_path, monkeypatch, tamis):
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "made.csv", make_data())
    common = ("study", "made.csv", "--target", "diagnosis", "--dry-run", "--quiet")
    code, out, err = tamis(*common, "--reject", "fisher")
    assert code == 0, err
    assert '[reject]\nname = "fisher"' in out
    (tmp_path / "plan.toml").write_text(out, encoding="utf-8")
    code, again, _ = tamis(*common, "--plan", "plan.toml")
    assert code == 0
    assert '[reject]\nname = "fisher"' in again
    code, _, err = tamis(*common, "--reject", "fischer")
    assert code == 2
    assert "fisher" in err

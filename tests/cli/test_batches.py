"""Batches from a table to predictions: what is centred, what is refused, what is said."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from common.studies import make_data
from common.tables import write_table

PLAN = """
permutations = 19
prepare = [{0}]
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
BATCHES = ["--batch", "run"]


def add_column(path, name, values):
    lines = path.read_text().splitlines()
    lines = [f"{line},{value}" for line, value in zip(lines, [name, *values], strict=True)]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two runs, of which the second is shifted, and holds most of one class."""
    monkeypatch.chdir(tmp_path)
    data = make_data(seed=6, n=36, p=12, shift=2.0)
    rng = np.random.default_rng(1)
    second = rng.random(36) < np.where(data.codes == 1, 0.85, 0.15)
    data.X[second] += 4
    write_table("t.csv", data)
    add_column(tmp_path / "t.csv", "run", np.where(second, "late", "early"))
    (tmp_path / "plan.toml").write_text(PLAN.format('"center_by_batch"'))
    return tmp_path


@pytest.mark.parametrize(
    ("step", "called"), [("center_by_batch", "centring by batch"), ("combat", "ComBat")]
)
def test_a_study_in_batches(tamis, folder, step, called):
    (folder / "plan.toml").write_text(PLAN.format(f'"{step}"'))
    code, out, err = tamis(*STUDY, *BATCHES)
    assert code == 0, err
    assert "batch-confounded" in out
    assert "noise may score below chance: compare with permuted runs" in out
    page = (folder / "s" / "report.html").read_text(encoding="utf-8")
    assert "go together" in page
    assert "permuted inside batches" in page
    assert f"after {called}" in page
    found = json.loads((folder / "s" / "results.json").read_text())
    assert found["data"]["n_batches"] == 2
    assert "run" not in {f["name"] for f in found["features"]}
    table = (folder / "t.csv").read_text()
    code, out, err = tamis("predict", "s/model.npz", "t.csv", *BATCHES)
    assert code == 0, err
    given = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert len(given) == 36
    code, _, err = tamis("predict", "s/model.npz", "t.csv")
    assert code == 2
    assert "name the column with --batch (the model was trained on 'early', 'late')" in err
    (folder / "new.csv").write_text(table.replace("late", "later"))
    code, _, err = tamis("predict", "s/model.npz", "new.csv", *BATCHES)
    assert code == 2
    assert "batches that cannot be adjusted, 'later'" in err
    assert err.splitlines()[-1].startswith("tamis: 15 of 36 samples")


def test_batches_may_be_kept_as_they_are(tamis, folder):
    (folder / "plan.toml").write_text(PLAN.format('{name = "center_by_batch", unseen = "keep"}'))
    assert tamis(*STUDY, *BATCHES)[0] == 0
    (folder / "new.csv").write_text((folder / "t.csv").read_text().replace("late", "later"))
    code, out, err = tamis("predict", "s/model.npz", "new.csv", *BATCHES)
    assert code == 0
    assert "! unseen-batch: " in err
    assert len(out.splitlines()) == 37
    code, out, _ = tamis("evaluate", "s/model.npz", "new.csv", "--target", "diagnosis", *BATCHES)
    assert code == 0
    assert "unseen-batch" in out


def test_a_step_by_batch_asks_for_the_batches(tamis, folder):
    code, _, err = tamis(*STUDY)
    assert code == 2
    assert "'center_by_batch' needs the batch of every sample: name its column with --batch" in err
    code, _, err = tamis(*STUDY, "--batch", "rum")
    assert code == 2
    assert "did you mean 'run'" in err
    assert not (folder / "s").exists()


def test_a_batch_of_one_sample_is_told_before_anything_runs(tamis, folder):
    text = (folder / "t.csv").read_text().splitlines()
    text[5] = text[5].rsplit(",", 1)[0] + ",alone"
    (folder / "t.csv").write_text("\n".join(text) + "\n")
    code, _, err = tamis(*STUDY, *BATCHES)
    assert code == 2
    assert "fewer than two samples of batch 'alone'" in err
    assert not (folder / "s").exists()


def test_batches_of_three_samples_can_be_centred(tamis, folder):
    """Outer folds hold out one of each, their inner folds another one."""
    data = make_data(seed=6, n=36, p=12, shift=2.0)
    write_table("t.csv", data)
    add_column(folder / "t.csv", "run", [f"r{i % 12}" for i in range(36)])
    (folder / "plan.toml").write_text(PLAN.format('"center_by_batch"'))
    code, _, err = tamis(*STUDY, *BATCHES)
    assert code == 0, err


@pytest.mark.parametrize("kind", ["of one class", "of one sample"])
def test_labels_that_cannot_move_give_no_p_value(tamis, folder, kind):
    """Nothing was permuted: that says nothing against the data."""
    data = make_data(seed=6, n=36, p=12, shift=2.0)
    runs = [f"r{c}{i % 2}" for i, c in enumerate(data.codes)]
    write_table("t.csv", data)
    own = [f"r{i}" for i in range(36)]
    add_column(folder / "t.csv", "run", runs if kind == "of one class" else own)
    (folder / "plan.toml").write_text(PLAN.format(""))
    code, out, err = tamis(*STUDY, *BATCHES)
    assert code == 0, err
    assert "no-p-value: within batches labels can hardly be permuted" in out
    assert "not-above-chance" not in out
    assert "balanced accuracy 0.50 in theory" in out
    assert ("batch-confounded" in out) == (kind == "of one class")
    assert "noise may score below chance" not in out
    found = json.loads((folder / "s" / "results.json").read_text())
    assert found["permutation"]["moved"] == 0
    assert found["permutation"]["p_value"] is None
    assert "no verdict (within batches labels can hardly be permuted)" in out
    page = (folder / "s" / "report.html").read_text()
    assert "Inside batches labels can hardly be exchanged: there is no p-value." in page
    assert "no verdict on stability: inside batches labels can hardly" in page

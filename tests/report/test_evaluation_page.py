"""The page of `tamis evaluate`: what it says is what the command prints."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from tamis._core.errors import StoreError
from tamis.cli.main import main
from tamis.data import Dataset
from tamis.model import save_model
from tamis.model.evaluate import evaluate
from tamis.report import write_evaluation_page
from tamis.study import run_study

HOSTILE = "</script><b>\u202egene\n"
PLAN = {
    "seed": 1,
    "permutations": 0,
    "outer": {"folds": 3},
    "inner": {"folds": 3, "repeats": 1},
    "method": [{"select": "welch_t", "sizes": [2], "classify": "lda"}],
}


def samples(n, seed, classes=("well", "ill")):
    rng = np.random.default_rng(seed)
    y = np.array([classes[k % len(classes)] for k in range(n)])
    X = rng.normal(size=(n, 6))
    X[:, 0] += 3 * (y == classes[-1])
    names = (HOSTILE, *(f"g{j}" for j in range(1, 6)))
    return Dataset(X, y, names, tuple(f"s{k}" for k in range(n)), target="state", name="cohort")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return run_study(samples(30, 0), PLAN, tmp_path_factory.mktemp("e") / "s").model


def page_of(found, tmp_path):
    return write_evaluation_page(found, tmp_path / "p.html").read_text(encoding="utf-8")


def plain_text(page):
    main = re.search(r"<main>(.*)</main>", page, re.S)[1]
    return " ".join(re.sub(r"<[^>]+>", " ", main).replace("\u00a0", " ").split())


def test_it_answers_in_a_sentence_and_counts_people(model, tmp_path):
    found = evaluate(model, samples(40, 1))
    text = plain_text(page_of(found, tmp_path))
    share, low, high = (round(100 * found["metrics"]["bcr"][k]) for k in ("mean", "low", "high"))
    assert (
        f"This model classified {share} % of the samples correctly, averaged over the classes "
        f"(95 % interval {low} % to {high} %); chance is 50 %."
    ) in text
    for k, label in enumerate(model.classes):
        right = found["confusion"][k][k]
        least = int(100 * found["recalls"][label]["low"])
        assert f"{right} of 20 with {label} found; expect at least {least} of 100" in text
    assert "Calibration slope: undefined" in text
    assert "mean over repeats" not in text


def test_the_table_is_what_the_command_prints(model, tmp_path):
    found = evaluate(model, samples(40, 1))
    page = page_of(found, tmp_path)
    rows = json.loads(re.search(r'id="tables">(.*?)</script>', page, re.S)[1])["metrics"]["rows"]
    figures = [*found["metrics"].values(), *found["recalls"].values()]
    assert [row[1] for row in rows] == [one["mean"] for one in figures]
    assert [row[2] for row in rows[:2]] == [0.5, 0.5]  # balanced accuracy, accuracy


def test_names_are_escaped(model, tmp_path):
    named = {**evaluate(model, samples(40, 1)), "data": HOSTILE, "notes": [HOSTILE]}
    page = page_of(named, tmp_path)
    assert page.count("<script") == 2
    assert "\u202e" not in page
    assert "&lt;/script&gt;" in page


def test_of_one_class_there_is_no_balanced_accuracy(model, tmp_path):
    data = samples(40, 1)
    ill = np.flatnonzero(data.y == "ill")
    alone = Dataset(data.X[ill], data.y[ill], data.feature_names, (), target="state", name="cohort")
    text = plain_text(page_of(evaluate(model, alone), tmp_path))
    assert "No balanced accuracy: all samples are of ill: there is only its recall." in text
    assert "with ill found" in text
    assert "with well found" not in text


def test_what_is_no_evaluation_is_refused(tmp_path):
    with pytest.raises(StoreError):
        write_evaluation_page({"kind": "study"}, tmp_path / "p.html")
    assert not (tmp_path / "p.html").exists()


def test_the_command_writes_it_and_keeps_what_is_no_page(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = samples(40, 1)
    frame = pd.DataFrame(data.X, columns=[*data.feature_names]).assign(state=data.y)
    frame.to_parquet("c.parquet")
    save_model(model, "model.npz")
    line = ["evaluate", "model.npz", "c.parquet", "--target", "state", "--report", "e.html"]
    done = CliRunner().invoke(main, line)
    assert done.exit_code == 0, done.output
    assert "page written to e.html" in done.output
    (tmp_path / "e.html").write_text("mine")
    assert CliRunner().invoke(main, line).exit_code != 0
    assert (tmp_path / "e.html").read_text() == "mine"

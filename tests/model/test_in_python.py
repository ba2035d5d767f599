"""A saved model in Python predicts what `tamis predict` does."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import tamis.model
from tamis._core.errors import ModelError, TamisError
from tamis._core.tsv import tsv_text
from tamis.data import as_dataset, read_table
from tamis.model import load_model, save_model
from tamis.model.evaluate import evaluate
from tamis.study import run_study

PLAN = {
    "permutations": 0,
    "outer": {"folds": 3},
    "inner": {"folds": 3, "repeats": 1},
    "method": [{"select": "moderated_t", "sizes": [5], "classify": "logistic"}],
}


def a_cohort(n=40, seed=0):
    """Numbers, a category and a covariate of text; missing values."""
    rng = np.random.default_rng(seed)
    state = np.repeat(["ill", "well"], n // 2)
    frame = pd.DataFrame(
        rng.normal(size=(n, 12)) + 2 * (state == "ill")[:, None] * (np.arange(12) < 3),
        index=[f"p{i}" for i in range(n)],
    ).add_prefix("g")
    frame.iloc[0, 0] = np.nan
    ward, stage = rng.choice(["east", "west"], n), rng.choice([1, 2, 3], n)
    late = np.where(state == "ill", "late", "early")
    kept = rng.random(n) < 0.7  # else it would be taken for a leak
    return frame.assign(ward=ward, stage=stage, seen=np.where(kept, late, late[::-1]), state=state)


@pytest.fixture(scope="module", params=["plain", "declines", "svm"])
def model(request, tmp_path_factory):
    out = tmp_path_factory.mktemp(request.param) / "s"
    plan = dict(PLAN)
    if request.param == "declines":
        plan["reject"] = "f_beta"
    if request.param == "svm":
        plan["method"] = [{"select": "moderated_t", "sizes": [5], "classify": "svm_linear"}]
    return run_study(
        a_cohort(), plan, out, target="state", covariates="ward", categorical="stage"
    ).model


def test_predictions_are_those_of_the_command(model, tmp_path):
    new = a_cohort(20, seed=1).drop(columns="state")
    new.to_csv(tmp_path / "new.csv")
    save_model(model, tmp_path / "model.npz")
    command = [sys.executable, "-m", "tamis", "predict", tmp_path / "model.npz"]
    said = subprocess.run(
        [*command, tmp_path / "new.csv"], capture_output=True, text=True, check=True
    )
    again = load_model(tmp_path / "model.npz")
    for data in (
        new,
        tmp_path / "new.csv",
        as_dataset(new, categorical="stage", covariates="ward"),
    ):
        found = again.predict_frame(data).reset_index()
        assert tsv_text(list(found.columns), found.itertuples(index=False)) == said.stdout
    frame = again.predict_frame(new)
    assert again.predict(new).tolist() == frame["predicted"].tolist()
    assert np.array_equal(again.predict_proba(new), frame.iloc[:, -2:])


def test_labels_that_are_not_the_likeliest_are_told(tmp_path):
    """Of classes of unequal size, where the balanced accuracy decides."""
    cohort = a_cohort(90)
    few = cohort[(cohort["state"] != "ill") | (np.arange(90) % 4 == 0)]
    method = {"select": "moderated_t", "sizes": [2], "classify": ["logistic"]}
    result = run_study(few, {**PLAN, "method": [method]}, tmp_path / "s", target="state")
    few.to_csv(tmp_path / "few.csv")
    command = [sys.executable, "-m", "tamis", "predict", tmp_path / "s" / "model.npz"]
    said = subprocess.run([*command, tmp_path / "few.csv"], capture_output=True, text=True)
    frame = result.model.predict_frame(few)
    likeliest = frame.iloc[:, -2:].idxmax(axis=1).str.slice(2, -1)
    n = int((frame["predicted"] != likeliest).sum())
    assert n
    told = f"{n} of {len(few)} samples get another class than the likeliest, by the model's rule"
    assert told in said.stderr


def test_columns_are_found_by_name(model):
    new = a_cohort(20, seed=1)
    first = model.predict_frame(new)
    assert first.equals(model.predict_frame(new.iloc[:, ::-1].assign(when=pd.Timestamp(0))))
    pd.testing.assert_frame_equal(first.iloc[3:4], model.predict_frame(new.iloc[3:4]))
    lost = next(name for name in model.columns if name.startswith("g"))
    with pytest.raises(ModelError, match=f"'table' lacks 1 of the .* columns .*: '{lost}'"):
        model.predict(new.drop(columns=lost))
    with pytest.raises(TamisError, match="'ward'"):
        model.predict(new.drop(columns="ward"))
    with pytest.raises(ModelError, match=r"'ward' has 'north'; the model knows 'east', 'west'"):
        model.predict(new.assign(ward="north"))


def test_values_unlike_those_of_training_are_warned_of(model):
    new = a_cohort(20, seed=1)
    with pytest.warns(UserWarning, match="outside-range"):
        model.predict_frame(new.assign(**{f"g{j}": 1e4 * new[f"g{j}"] for j in range(12)}))


def test_a_cohort_is_judged_as_its_file_is(model, tmp_path):
    cohort = a_cohort(20, seed=2)
    cohort.to_csv(tmp_path / "table.csv")
    read = read_table(
        tmp_path / "table.csv", target="state", covariates="ward", categorical="stage"
    )
    found = evaluate(model, cohort, "state")
    assert found["metrics"] == evaluate(model, read)["metrics"]
    unlabelled = cohort.drop(columns="state")
    assert evaluate(model, unlabelled, cohort["state"])["metrics"] == found["metrics"]
    with pytest.raises(ModelError, match="true classes"):
        evaluate(model, unlabelled)


def test_a_model_of_arrays_takes_arrays(tmp_path):
    cohort = a_cohort()
    X = cohort.iloc[:, :12].to_numpy()
    model = run_study(X, PLAN, tmp_path / "s", target=cohort["state"]).model
    new = a_cohort(20, seed=1).iloc[:, :12].to_numpy()
    frame = pd.DataFrame(new).add_prefix("x")
    assert model.predict(new).tolist() == model.predict(frame).tolist()
    with pytest.raises(ModelError, match="'x2'"):
        model.predict(new[:, :2])


def test_public_names():
    assert sorted(tamis.model.__all__) == ["Model", "load_model", "save_model"]
    assert all(hasattr(tamis.model, name) for name in tamis.model.__all__)


def test_what_a_model_shows(model):
    table = model.frame()
    assert list(table.index) == list(model.columns)
    assert table.loc["ward"].tolist()[:2] == ["covariate", ("east", "west")]
    lost = next(name for name in model.columns if name.startswith("g"))
    assert table.loc[lost, "role"] == "feature"
    assert table.loc[lost, "low"] < table.loc[lost, "high"]
    assert model.summary().startswith("model of 'table': ")
    assert "<b>model of &#x27;table&#x27;" in model._repr_html_()
    assert len(repr(model)) < 160

"""A saved model against a cohort: figures, intervals, warnings of tables that do not fit."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import beta

from common.known_rows import model_of_rows
from common.studies import make_data
from tamis._core.errors import ModelError
from tamis.model import file as modelfile
from tamis.model.cohort import absent_classes, training_rows, value_misfits
from tamis.model.evaluate import evaluate, evaluation_text
from tamis.model.training import row_digests
from tamis.study import run_study

PLAN = {"outer": {"folds": 2}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0}


def fitted(data, folder, size=4):
    """A model of the four first features, which differ by class."""
    plan = {**PLAN, "method": [{"select": "pearson", "sizes": [size], "classify": "naive_bayes"}]}
    run_study(data, plan, folder)
    return modelfile.load_model(folder / "model.npz")


def logs(seed=0, n=60, **extra):
    """As expression on the log2 scale: each feature has its own level."""
    data = make_data(seed=seed, n=n, p=4, informative=4, **extra)
    return replace(data, X=0.7 * data.X + np.array([6.0, 8.0, 9.0, 11.0]))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return fitted(logs(), tmp_path_factory.mktemp("s") / "s")


@pytest.fixture(scope="module")
def raw_model(tmp_path_factory):
    return fitted(replace(logs(), X=2 ** logs().X), tmp_path_factory.mktemp("r") / "s")


def codes(found):
    return [w["code"] for w in found["warnings"]]


def test_recalls_have_the_limits_of_clopper_and_pearson(model):
    data = logs(1, n=50)
    found = evaluate(model, data)
    hits = int(np.sum(model.predict(data)[data.y == "b"] == "b"))
    recall = found["recalls"]["b"]
    assert recall["mean"] == hits / 25
    assert recall["low"] == pytest.approx(beta.ppf(0.025, hits, 26 - hits))
    assert recall["high"] == pytest.approx(beta.ppf(0.975, hits + 1, 25 - hits))
    assert found["warnings"] == []
    assert evaluate(model, data) == found


def test_rows_of_one_patient_count_as_one(model):
    data = logs(1, n=50)
    copies = np.repeat(np.arange(50), 3)
    thrice = replace(
        data, X=data.X[copies], y=data.y[copies], sample_names=(), groups=copies.astype(str)
    )
    once, grouped = evaluate(model, data), evaluate(model, thrice)
    assert grouped["n_groups"] == 50
    assert grouped["recalls"]["b"] == pytest.approx(once["recalls"]["b"])
    alone = evaluate(model, replace(thrice, groups=None))["recalls"]["b"]
    assert alone["high"] - alone["low"] < 0.7 * (
        once["recalls"]["b"]["high"] - once["recalls"]["b"]["low"]
    )


@pytest.mark.parametrize(
    ("only", "named"), [("b", "sensitivity for class = b"), ("a", "specificity")]
)
def test_of_one_class_there_is_its_recall_only(model, only, named):
    data = logs(1, n=50)
    rows = data.y == only
    found = evaluate(
        model, replace(data, X=data.X[rows], y=data.y[rows], sample_names=(), classes=())
    )
    assert {m["mean"] for m in found["metrics"].values()} == {None}
    assert (
        found["metrics"]["bcr"]["note"]
        == f"all samples are of class = {only}: there is only its recall"
    )
    assert found["recalls"][only]["low"] > 0.5
    text = evaluation_text(found)
    assert f"  {named} " in text
    assert "balanced" not in text


def standardised(data):
    return replace(data, X=(data.X - data.X.mean(axis=0)) / data.X.std(axis=0))


def test_tables_on_another_scale_are_told(model, raw_model):
    data = logs(1, n=20)
    raw = replace(data, X=2**data.X)
    assert codes(evaluate(raw_model, raw)) == []
    assert "other-scale" in codes(evaluate(raw_model, data))
    assert codes(evaluate(model, raw))[:2] == ["other-scale", "outside-range"]
    assert "other-scale" in codes(evaluate(model, standardised(data)))


@pytest.mark.parametrize("shift", [-0.35, 0.35])
@pytest.mark.parametrize("n", [1, 5, 20, 80])
def test_a_batch_shifted_by_half_a_deviation_is_no_other_scale(model, raw_model, n, shift):
    told = 0
    for seed in range(20):
        X = logs(seed + 5, n=2 * n).X[1::2] + shift  # of one class
        data = replace(logs(), X=X, y=np.full(n, "b"), sample_names=())
        told += len(value_misfits(model, data)) + len(
            value_misfits(raw_model, replace(data, X=2**X))
        )
    assert told == 0


@pytest.mark.parametrize(("there", "told"), [((0, 1), True), ((0, 1, 2), False), ((1,), False)])
def test_a_class_that_a_cohort_of_several_lacks_is_told(there, told):
    model = SimpleNamespace(classes=("well", "ill", "worse"))
    found = list(absent_classes(model, np.repeat(there, 5)))
    assert [code for code, _ in found] == ["absent-class"] * told
    assert not told or found[0][1].startswith("no sample of 'worse': ")


def test_one_prediction_for_several_classes_is_told(raw_model):
    found = evaluate(raw_model, logs(1, n=20))
    assert codes(found)[-1] == "one-prediction"
    assert "of 2 classes" in found["warnings"][-1]["text"]


def test_values_far_outside_are_told_with_their_columns(model):
    data = logs(1, n=20)
    X = data.X.copy()
    X[:, 1] *= 10
    remark = evaluate(model, replace(data, X=X))["warnings"][0]
    assert remark["code"] == "outside-range"
    assert remark["text"].startswith("25 % of the values")
    assert "'g1';" in remark["text"]


def test_missing_values_are_told(model):
    data = logs(1, n=20)
    X = data.X.copy()
    X[:, 2] = np.nan
    X[0, 0] = np.nan
    (remark,) = evaluate(model, replace(data, X=X))["warnings"]
    assert remark["code"] == "imputed"
    assert "26 % of the values" in remark["text"]
    assert "all of 'g2'" in remark["text"]


def test_training_rows_are_told(model):
    """Though the file prints fewer digits, and one row of fifty is enough with four columns."""
    data, known = logs(1, n=50), logs()
    X = data.X.copy()
    X[7] = [float(f"{v:.6g}") for v in known.X[3]]
    (remark,) = evaluate(model, replace(data, X=X))["warnings"]
    assert remark["code"] == "training-rows"
    assert "1 of 50 rows is a row the model was trained on (such as '8')" in remark["text"]


def test_copies_among_the_training_rows_leave_doubt():
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[1] = X[0]
    told = list(training_rows(*model_of_rows(X, X[[5]])))
    assert "where they are the same samples" in told[0][1]


@pytest.mark.parametrize(("columns", "levels"), [(1, 0), (1, 2), (2, 3), (10, 0), (8, 2)], ids=str)
def test_equal_rows_of_other_samples_are_not_taken_for_training_rows(columns, levels):
    rng = np.random.default_rng(columns + levels)
    told = 0
    for _ in range(50):
        draw = (
            rng.integers(levels, size=(110, columns))
            if levels
            else rng.normal(size=(110, columns)).round(3)
        )
        draw = draw.astype(float)
        told += len(list(training_rows(*model_of_rows(draw[:60], draw[60:]))))
    assert told <= 1


def test_digests_tell_missing_from_zero_and_not_the_sign_of_zero():
    a, b, c = row_digests(np.array([[0.0, 1.0], [-0.0, 1.0], [np.nan, 1.0]]))
    assert a == b
    assert a != c


@pytest.mark.parametrize(
    "change",
    [
        {"rows": np.array([1.5])},
        {"rows": np.zeros(0, dtype=np.uint64)},
        {"low": np.zeros(3)},
        {"high": np.array([np.inf, 1.0, 1.0, 1.0])},
        {"spreads": -np.ones((2, 4))},
        {"spreads": np.ones((3, 4))},
        {"ties": np.zeros(4)},
        {"high": np.array(["a"] * 4)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_is_kept_of_the_training_rows_is_checked(model, tmp_path, change):
    modelfile.save_model(replace(model, training=replace(model.training, **change)), tmp_path / "m")
    with pytest.raises(ModelError) as error:
        modelfile.load_model(tmp_path / "m")
    assert "\n" not in str(error.value)


def test_the_same_model_has_the_same_bytes(model, tmp_path):
    modelfile.save_model(model, tmp_path / "a")
    modelfile.save_model(modelfile.load_model(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_older_file_is_refused_with_what_to_do(model, tmp_path, monkeypatch):
    monkeypatch.setattr(modelfile, "FORMAT", 0)
    modelfile.save_model(model, tmp_path / "m")
    monkeypatch.undo()
    with pytest.raises(ModelError, match="format 0; this version reads 2: run its study again"):
        modelfile.load_model(tmp_path / "m")


def test_the_mean_probability_stands_beside_the_share_of_each_class(model):
    cohort = logs(seed=4, n=200)
    found = evaluate(model, cohort)
    calibration = found["calibration"]
    proba = model.predict_proba(cohort)
    shares = [np.mean(cohort.y == name) for name in model.classes]
    assert list(calibration["predicted"].values()) == pytest.approx(proba.mean(axis=0).tolist())
    assert list(calibration["observed"].values()) == pytest.approx(shares)
    assert "calibration slope  " in evaluation_text(found)
    few = evaluate(model, logs(seed=4, n=60))
    assert few["calibration"]["slope"]["mean"] is None
    assert "50 are needed" in evaluation_text(few)


def test_margins_have_no_calibration(model):
    margins = replace(model, about={**model.about, "known": "order"})
    found = evaluate(margins, logs(seed=4, n=200))
    assert found["calibration"] is None
    assert "calibration" not in evaluation_text(found)

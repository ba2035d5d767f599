"""Studies of a number: splits, permutations, results, models and refusals."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.studies import number_data
from tamis._core.errors import DataError, ModelError, PlanError
from tamis.data.dataset import Dataset
from tamis.metrics.number_metrics import NUMBER_METRICS
from tamis.model.file import load_model
from tamis.study import Plan, run_study
from tamis.study.prepare import prepare_study
from tamis.study.protocol.nested_cv import labels_of, splits_of
from tamis.study.results.compare import compare_studies
from tamis.study.run import begin_study

METHOD = {"select": "correlation", "sizes": [2, 5], "classify": "ridge"}
QUICK = {
    "method": [METHOD],
    "outer": {"folds": 4},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 2,
}


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    return run_study(number_data(), QUICK, tmp_path_factory.mktemp("number") / "study")


def test_the_features_that_carry_it_are_found(studied):
    content = studied.content
    assert content["plan"]["response"] == "number"
    assert content["plan"]["metric"] == "q2"
    assert set(studied.features) >= {"g3", "g8"}
    assert content["metrics"]["q2"]["mean"] > 0.5
    assert content["chance"]["q2"]["theory"] == 0.0
    assert set(content["metrics"]) == set(NUMBER_METRICS)
    assert content["headline"]["fit"]["n"] == 40
    assert "Q2" in studied.summary()
    assert json.loads((studied.folder / "results.json").read_text()) == content


def test_scores_are_those_of_the_predictions_that_are_written(studied):
    lines = (studied.folder / "tables/predictions.tsv").read_text().splitlines()
    assert lines[0].split("\t")[4:] == ["true", "predicted", "training_mean"]
    rows = [line.split("\t") for line in lines[1:] if line.startswith("headline\t")]
    fold = np.array([int(row[2]) for row in rows])
    y, predicted = (np.array([float(row[k]) for row in rows]) for k in (4, 5))
    mean = np.array([y[fold != k].mean() for k in fold])
    np.testing.assert_allclose(mean, [float(row[6]) for row in rows], rtol=1e-12)
    q2 = 1 - ((y - predicted) ** 2).sum() / ((y - mean) ** 2).sum()
    assert studied.metrics["q2"]["mean"] == pytest.approx(q2)
    assert studied.metrics["mae"]["mean"] == pytest.approx(np.abs(y - predicted).mean())


def test_the_model_predicts_what_scikit_learn_would_with_its_penalty(studied):
    data, model = number_data(), studied.model
    columns = [data.feature_names.index(name) for name in model.features]
    X = data.X[:, columns]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    coef = np.array(list(model.coefficients().values()))
    expected = data.numbers.mean() + Z @ coef
    np.testing.assert_allclose(model.predict(data), expected, rtol=1e-10)
    again = load_model(studied.folder / "model.npz")
    assert again.predict(data).tolist() == model.predict(data).tolist()
    with pytest.raises(ModelError, match="predicts a number and has no probabilities"):
        model.predict_proba(data)


def test_a_cohort_is_evaluated_about_the_training_mean(studied):
    cohort = number_data(seed=1)
    found = studied.model.evaluate(cohort)
    predicted, mean = studied.model.predict(cohort), number_data().numbers.mean()
    y = cohort.numbers
    q2 = 1 - ((y - predicted) ** 2).sum() / ((y - mean) ** 2).sum()
    assert found["metrics"]["q2"]["mean"] == pytest.approx(q2)
    assert found["bias"] == pytest.approx(np.mean(predicted - y))
    assert found["metrics"]["q2"]["low"] < q2 < found["metrics"]["q2"]["high"]


def test_workers_and_resuming_change_nothing(studied, tmp_path):
    again = run_study(number_data(), QUICK, tmp_path / "two", n_jobs=2)
    assert again.content == studied.content
    cells = sorted((tmp_path / "two/cells").rglob("*.arrow"))
    for cell in cells[::2]:
        cell.unlink()
    resumed = run_study(number_data(), QUICK, tmp_path / "two", if_exists="resume")
    assert resumed.content == studied.content


def test_other_values_are_another_study(studied, tmp_path):
    data = number_data()
    run_study(data, {**QUICK, "permutations": 0}, tmp_path / "one")
    other = replace(data, numbers=data.numbers + 1.0)
    with pytest.raises(Exception, match=r"other data|digest|differ"):
        run_study(other, {**QUICK, "permutations": 0}, tmp_path / "one", if_exists="resume")


@pytest.mark.parametrize(
    "outer",
    [
        {"kind": "leave-one-out"},
        {"kind": "holdout"},
        {"folds": 4, "repeats": 2},
        {"kind": "predefined"},
    ],
    ids=lambda outer: outer.get("kind", "repeated"),
)
def test_every_kind_of_split(outer, tmp_path):
    split = np.tile(["a", "b", "c", "d"], 6)
    data = number_data(n=24, split=split)
    found = run_study(data, {**QUICK, "outer": outer, "permutations": 0}, tmp_path / "s")
    assert found.metrics["rmse"]["mean"] > 0
    single = outer.get("kind") == "leave-one-out"
    assert (found.metrics["concordance"]["mean"] is None) == single


def test_folds_are_alike_in_their_values():
    data = number_data(n=60)
    plan, design, _ = prepare_study(data, QUICK)
    for permutation in (0, 1):
        y = labels_of(design, plan, permutation).learnt
        means = [y[test].mean() for test, _ in splits_of(design, plan, permutation, 0)]
        assert np.ptp(means) < y.std()


def test_groups_stay_together_and_are_permuted_as_units():
    groups = np.repeat(np.arange(12), 4).astype(str)
    data = number_data(n=48, groups=groups)
    plan, design, _ = prepare_study(data, QUICK)
    for test, inner in splits_of(design, plan, 0, 0):
        assert not set(groups[test]) & set(np.delete(groups, test))
        training = np.delete(np.arange(48), test)
        for held in inner:
            assert not set(groups[held]) & set(groups[np.setdiff1d(training, held)])
    y = labels_of(design, plan, 1).learnt
    blocks = {tuple(sorted(data.numbers[groups == g])) for g in set(groups)}
    assert {tuple(sorted(y[groups == g])) for g in set(groups)} == blocks
    assert (y != data.numbers).mean() > 0.5


def test_permuted_inside_batches():
    batches = np.repeat(["b1", "b2"], 20)
    data = number_data(batches=batches)
    plan, design, _ = prepare_study(data, QUICK)
    y = labels_of(design, plan, 1).learnt
    for name in ("b1", "b2"):
        assert sorted(y[batches == name]) == sorted(data.numbers[batches == name])


def test_covariates_and_categories_are_in_the_model(tmp_path):
    data = number_data()
    X = np.column_stack([data.X, np.arange(40) % 3])
    names = (*data.feature_names, "site")
    numbers = data.numbers + 3.0 * (X[:, -1] == 2)
    data = Dataset(
        X,
        None,
        names,
        numbers=numbers,
        target="bmi",
        levels={30: ("a", "b", "c")},
        covariates=(30,),
    )
    found = run_study(data, {**QUICK, "permutations": 0}, tmp_path / "s")
    assert [m["name"] for m in found.content["methods"]] == ["correlation", "covariates"]
    assert found.model.covariates == ("site",)


def test_gaps_are_filled_in_each_training_set(tmp_path):
    data = number_data()
    X = data.X.copy()
    X[::7, 3] = np.nan
    found = run_study(replace(data, X=X), {**QUICK, "permutations": 0}, tmp_path / "s")
    assert "imputed" in {w["code"] for w in found.content["warnings"]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"decide": "youden"}, "decide is for classes"),
        ({"recalibrate": "platt"}, "recalibrate is for classes"),
        ({"reject": "f_beta"}, "reject is for classes"),
        ({"costs": "class_sizes"}, "costs is for classes"),
        ({"bootstrap": {"repeats": 20}}, "bootstrap is for classes"),
        ({"metric": "bcr"}, "unknown metric 'bcr'"),
        ({"tune": "log_score"}, "unknown criterion tune = 'log_score'"),
        ({"method": [{"select": "pam"}]}, "select = 'pam' needs classes; for a number: "),
        (
            {"method": [{**METHOD, "classify": "lda"}]},
            "classify = 'lda' needs classes; for a number",
        ),
        ({"method": [{**METHOD, "decide": "balanced"}]}, "decide is for classes"),
    ],
    ids=str,
)
def test_what_only_classes_have_is_refused_by_name(change, words):
    with pytest.raises(PlanError) as caught:
        Plan.resolve({**QUICK, "response": "number", **change})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_methods_of_numbers_are_refused_for_classes():
    with pytest.raises(PlanError, match="select = 'correlation' needs a number; for classes: "):
        Plan.resolve({"method": [{"select": "correlation"}]})


def test_a_plan_for_classes_is_not_run_on_a_number(tmp_path):
    with pytest.raises(
        PlanError, match=r'response = "class", and .bmi. of .made. was read as a num'
    ):
        run_study(number_data(), {"response": "class"}, tmp_path / "s")


def test_the_number_under_another_unit_is_a_leak(tmp_path):
    data = number_data()
    rng = np.random.default_rng(1)
    noisy = 0.45 * data.numbers + 10 + 0.01 * rng.normal(size=40)
    data = replace(
        data, X=np.column_stack([data.X, noisy]), feature_names=(*data.feature_names, "pounds")
    )
    with pytest.raises(DataError, match="'pounds' is nearly a copy of 'bmi'"):
        begin_study(data, QUICK, tmp_path / "s")
    allowed = run_study(data, {**QUICK, "allow": ["pounds"], "permutations": 0}, tmp_path / "s")
    assert "possible-leak" in {w["code"] for w in allowed.content["warnings"]}


def test_a_logarithm_is_told_back_as_the_median(tmp_path):
    data = number_data()
    logged = replace(data, log_target=True)
    found = run_study(logged, {**QUICK, "permutations": 0}, tmp_path / "s")
    plain = found.model.decide(logged).beliefs.value
    np.testing.assert_allclose(found.model.predict(logged), np.exp(plain))
    assert found.content["data"]["outcome"]["log"]
    assert "logarithm" in found.content["methods_text"]


def test_studies_of_numbers_are_compared(studied, tmp_path):
    other = run_study(
        number_data(), {**QUICK, "method": [{**METHOD, "sizes": [20]}]}, tmp_path / "other"
    )
    found = compare_studies([studied.folder, other.folder])
    assert found.to_dict()["metric"] == "q2"
    (pair,) = found.to_dict()["pairs"]
    gap = abs(studied.metrics["q2"]["mean"] - other.metrics["q2"]["mean"])
    assert pair["mean"] == pytest.approx(gap)
    assert pair["low"] < gap < pair["high"]


def test_the_page_names_the_number(studied):
    page = studied.write_report().read_text()
    assert "Observed against predicted bmi" in page
    assert "avoid" in page
    assert "class" not in studied.summary()


@pytest.mark.slow
def test_noise_is_at_chance():
    """P(p <= .05) over many tables of noise, and Q2 below 0."""
    import tempfile

    below, scores = 0, []
    for seed in range(60):
        data = number_data(n=30, seed=seed, signal=0.0)
        with tempfile.TemporaryDirectory() as folder:
            found = run_study(data, {**QUICK, "permutations": 19}, f"{folder}/s")
        below += found.content["permutation"]["p_value"] <= 0.05
        scores.append(found.metrics["concordance"]["mean"])
    assert below <= 0.05 * 60 + 2 * np.sqrt(60 * 0.05 * 0.95)
    assert abs(np.mean(scores) - 0.5) < 3 * np.std(scores) / np.sqrt(60)

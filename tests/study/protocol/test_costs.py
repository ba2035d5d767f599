"""Costs of a study: what a plan may say, what follows from it, and what it counts once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data, run_in_memory
from tamis._core.errors import ModelError, PlanError, StoreError
from tamis.data.dataset import Dataset
from tamis.metrics import HeldOut, expected_loss
from tamis.model.evaluate import evaluate
from tamis.model.file import load_model, save_model
from tamis.study import run_study
from tamis.study.plan import Plan
from tamis.study.protocol.error_costs import costs_of
from tamis.study.results.cost_results import cost_by_class, costs_entry
from tamis.study.run import prepare_study

SHORT = {"outer": {"folds": 3}, "inner": {"folds": 3, "repeats": 1}, "permutations": 0}
ONE = {**SHORT, "method": [{"select": "moderated_t", "sizes": [2, 4]}]}
MATRIX = {"a": {"b": 6}, "b": {"a": 1}}


def with_amounts(seed=3, n=48):
    """Two classes, and a column of what missing a sample of the second costs."""
    data = make_data(seed=seed, n=n, p=12, informative=2, shift=0.8)
    amounts = np.random.default_rng(seed).uniform(1, 9, size=n)
    return replace(
        data,
        X=np.column_stack([data.X, amounts]),
        feature_names=(*data.feature_names, "amount"),
    )


def test_costs_fill_what_the_plan_leaves_open():
    plan = Plan.resolve({"costs": MATRIX})
    assert (plan.metric, plan.decide.name) == ("loss", "minimum_risk")
    plan = Plan.resolve({"costs": MATRIX, "metric": "auc", "decide": "youden"})
    assert (plan.metric, plan.decide.name) == ("auc", "youden")
    assert Plan.resolve(plan.model_dump()) == plan
    assert Plan.resolve({}).costs is None


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (3, "give a table"),
        ({}, "give a table"),
        ("sizes", "give a table"),
        ({"a": True, "b": 1}, "give a number, or the name of a column"),
        ({"a": {"b": float("inf")}}, "give a number, or the name of a column"),
        ({"a": {"b": {"c": 1}}}, "give a number, or the name of a column"),
    ],
)
def test_what_is_no_cost_is_refused_with_the_plan(costs, words):
    with pytest.raises(PlanError, match=words):
        Plan.resolve({"costs": costs})


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"a": 1, "c": 2}, "costs name 'c', not a class here"),
        ({"a": {"c": 1}, "b": {"a": 1}}, "name 'c', not a class here"),
        ({"a": 1}, "what an error on 'b' costs"),
        ({"a": {"b": 1}}, "what calling 'a' 'b' costs"),
        ({"a": {"b": -1}, "b": {"a": 1}}, "costs -1, less than 0, which being right costs"),
        ({"a": {"b": 0}, "b": {"a": 1}}, "is never an error"),
        ({"a": {"b": "amnt"}, "b": {"a": 1}}, "did you mean 'amount'"),
        ({"a": {"b": "text"}, "b": {"a": 1}}, "holds text"),
        ({"a": "1.5", "b": 1}, "write a number without quotes"),
        ({"a": 1, "b": {"a": 1}}, "where others have a table"),
    ],
)
def test_what_the_table_cannot_have_is_told_before_anything_runs(costs, words):
    data = with_amounts()
    data = replace(
        data,
        X=np.column_stack([data.X, np.arange(48) % 2]),
        feature_names=(*data.feature_names, "text"),
        levels={13: ("u", "v")},
    )
    with pytest.raises(PlanError, match=words):
        prepare_study(data, {**ONE, "costs": costs})


def test_a_column_of_costs_must_be_whole():
    data = with_amounts()
    X = data.X.copy()
    X[4, 12] = np.nan
    with pytest.raises(PlanError, match="no number for '5'"):
        costs_of({"a": {"b": "amount"}, "b": {"a": 1}}, replace(data, X=X))


@pytest.mark.parametrize("decide", ["minimum_risk", "least_loss"])
def test_a_decision_by_costs_needs_them(decide):
    with pytest.raises(PlanError, match="has to know what errors cost"):
        Plan.resolve({**ONE, "decide": decide})


def test_thresholds_are_between_two_classes():
    three = make_data(n=36, classes=("a", "b", "c"))
    with pytest.raises(PlanError, match="a threshold between two classes"):
        prepare_study(three, {**ONE, "decide": "youden"})
    prepare_study(three, {**ONE, "costs": {"a": 1, "b": 2, "c": 3}})


def test_class_sizes_weigh_the_classes_the_same():
    data = make_data(n=40)
    data = replace(data, y=np.array(["a"] * 30 + ["b"] * 10))
    costs, same = costs_of("class_sizes", data)
    assert same is data
    assert costs.matrix.tolist() == [[0.0, 30.0], [10.0, 0.0]]
    labels, all_given = prepare_study(data, ONE)[1].labels, np.ones(40, dtype=bool)
    entry = costs_entry(costs, labels, np.arange(40), all_given)
    assert "constant_given" not in entry
    assert entry["threshold"] == pytest.approx(0.25)
    assert entry["constant"]["loss"] == pytest.approx(7.5)  # either: 10 * 30 / 40
    assert entry["x"] == pytest.approx(0.5)


def test_a_constant_prediction_is_beside_the_procedure_on_the_samples_given_a_class(tmp_path):
    data = make_data(seed=5, n=60, p=8, informative=2, shift=1.0)
    plan = {**ONE, "costs": {"a": 3, "b": 1}, "reject": "cost", "outer": {"repeats": 2}}
    found = run_study(data, plan, tmp_path / "s").content
    given = np.array(found["headline"]["confusion"]).sum(axis=0)  # of the two repeats together
    least = np.array([given[1] * 1, given[0] * 3]) / given.sum()
    name = found["data"]["classes"][int(least.argmin())]
    assert 0 < found["headline"]["coverage"]["mean"] < 1
    assert found["costs"]["constant_given"] == {
        "predicted": name,
        "loss": pytest.approx(least.min()),
    }


def test_what_is_saved_is_of_the_samples_held_out(tmp_path):
    """A test set that comes with the data has class shares of its own."""
    data = make_data(n=60, p=8)
    y = np.array([*"ab"] * 20 + ["a"] * 18 + ["b"] * 2)
    split = np.repeat(["train", "test"], [40, 20])
    plan = {**ONE, "outer": {"kind": "predefined"}, "costs": {"a": 1, "b": 6}}
    found = run_study(replace(data, y=y, split=split), plan, tmp_path / "s").content
    assert found["costs"]["constant"] == {"predicted": "a", "loss": pytest.approx(2 * 6 / 20)}
    x = 2 * 6 / (2 * 6 + 18 * 1)
    assert found["costs"]["x"] == pytest.approx(x)
    (there,) = (p for p in found["headline"]["curves"]["cost"] if p["x"] == pytest.approx(x))
    assert there["threshold"] == pytest.approx(found["costs"]["threshold"])


def test_loss_is_that_of_the_predictions_and_falls_where_errors_are_priced(tmp_path):
    data = make_data(seed=2, n=60, p=20, informative=2, shift=0.8)
    result = run_study(data, {**ONE, "costs": MATRIX}, tmp_path / "s").content
    lines = (tmp_path / "s" / "tables" / "predictions.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]
    head = [r for r in rows if r["procedure"] == "headline"]
    assert len(head) == 60
    true, told = ([r[k] for r in head] for k in ("true", "predicted"))
    expected = expected_loss(true, told, [[0, 6], [1, 0]], classes=["a", "b"])
    assert result["metrics"]["loss"]["mean"] == pytest.approx(expected)
    by_class = result["headline"]["cost_by_class"]
    shares = {c: true.count(c) / len(true) for c in "ab"}
    assert sum(shares[c] * by_class[c] for c in "ab") == pytest.approx(expected)
    assert result["costs"]["matrix"] == [[0.0, 6.0], [1.0, 0.0]]
    assert result["costs"]["threshold"] == pytest.approx(1 / 7)
    plain = run_study(data, {**ONE, "costs": MATRIX, "decide": "arg_max"}, tmp_path / "p").content
    assert expected < plain["metrics"]["loss"]["mean"]
    assert result["recalls"]["b"]["mean"] > plain["recalls"]["b"]["mean"]


def test_samples_with_costs_of_their_own_are_decided_and_scored_by_them(tmp_path):
    data = with_amounts()
    plan = {**ONE, "costs": {"a": {"b": "amount"}, "b": {"a": 3}}}
    result = run_study(data, plan, tmp_path / "s").content
    assert result["data"]["n_features"] == 12  # what costs stand in is no feature
    assert result["costs"]["columns"] == ["amount"]
    assert result["costs"]["matrix"] is None
    model = load_model(tmp_path / "s" / "model.npz")
    proba = model.predict_proba(data)
    amounts = data.X[:, 12]
    expected = np.where(proba[:, 1] * amounts > proba[:, 0] * 3, "b", "a")
    assert model.predict(data).tolist() == expected.tolist()
    paid = np.where(expected == data.y, 0, np.where(data.y == "b", amounts, 3))
    found = evaluate(model, data)["metrics"]["loss"]
    assert found["mean"] == pytest.approx(paid.mean())
    assert "no interval" in found["note"]
    save_model(model, tmp_path / "again.npz")
    again = load_model(tmp_path / "again.npz")
    assert again.predict(data).tolist() == expected.tolist()
    narrow = replace(data, X=data.X[:, :12], feature_names=data.feature_names[:12])
    with pytest.raises(ModelError, match="lacks column 'amount'"):
        again.predict(narrow)
    wrong = replace(data, X=np.where(np.arange(13) == 12, -1.0, data.X))
    with pytest.raises(ModelError, match="costs -1, less than 0"):
        again.predict(wrong)
    with pytest.raises(ModelError, match="column 'amount' holds text"):
        again.predict(replace(data, X=data.X * 0, levels={12: ("u", "v")}))


@pytest.mark.quick
@pytest.mark.parametrize("decide", ["arg_max", "balanced", "least_loss", "youden"])
def test_a_model_that_decides_without_samples_own_costs_asks_for_none(tmp_path, decide):
    """They are wanted where its loss is told, and there as those of the samples."""
    data = with_amounts()
    plan = {**ONE, "costs": {"a": {"b": "amount"}, "b": {"a": 3}}, "decide": decide}
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    narrow = replace(data, X=data.X[:, :12], feature_names=data.feature_names[:12])
    told = model.predict(narrow)
    assert told.tolist() == model.predict(data).tolist()
    paid = np.where(told == data.y, 0, np.where(data.y == "b", data.X[:, 12], 3))
    assert evaluate(model, data)["metrics"]["loss"]["mean"] == pytest.approx(paid.mean())
    with pytest.raises(ModelError, match="lacks column 'amount'"):
        evaluate(model, narrow)


def test_costs_of_samples_are_those_of_their_rows_in_every_fold():
    data = with_amounts()
    plan = {**ONE, "costs": {"a": {"b": "amount"}, "b": {"a": 3}}}
    plan, _, design, _, found = run_in_memory(data, plan)
    y, amounts = design.labels.y, data.X[:, 12]
    for choice in found.headline:
        risk_a, risk_b = choice.proba[:, 1] * amounts[choice.test], choice.proba[:, 0] * 3
        assert choice.codes.tolist() == (risk_b < risk_a).astype(int).tolist()
    held = HeldOut.of([[(c.test, y[c.test], c.predicted, c.proba) for c in found.headline]])
    paid = cost_by_class(design.costs, held, design.labels.classes)
    rows, told = held.rows, held.predicted
    missed = np.where(told == 0, amounts[rows], 0.0)[held.codes == 1].mean()
    assert paid["b"] == pytest.approx(missed)


def test_the_loss_of_permuted_runs_is_of_permuted_classes_and_the_samples_own_costs():
    from tamis.study.results.held_out import held_out

    data = with_amounts()
    plan = {**ONE, "permutations": 2, "costs": {"a": {"b": "amount"}, "b": {"a": 3}}}
    plan, _, design, _, found = run_in_memory(data, plan)
    from tamis.study.protocol.nested_cv import labels_of

    y = labels_of(design, plan, 1, 0).y
    run = found.permuted[1][""]
    score = held_out(run, y, design.costs).score(design.costs.metrics["loss"])
    amounts, paid = data.X[:, 12], []
    for c in run:
        miss = np.where(y[c.test] == 1, amounts[c.test], 0.0)
        alarm = np.where(y[c.test] == 0, 3.0, 0.0)
        paid += np.where(c.predicted == 0, miss, alarm).tolist()
    assert score == pytest.approx(np.mean(paid))


def test_costs_by_class_alone_and_by_cell_are_the_same(tmp_path):
    data = Dataset(make_data().X, make_data().y, make_data().feature_names)
    one = run_study(data, {**ONE, "costs": MATRIX}, tmp_path / "one").content
    two = run_study(data, {**ONE, "costs": {"b": 6, "a": 1}}, tmp_path / "two").content
    assert one["metrics"] == two["metrics"]
    assert one["costs"] == two["costs"]


@pytest.mark.parametrize("recalibrate", ["slope", "platt", "isotonic", "temperature"])
def test_recalibration_does_not_take_charged_costs_out_again(recalibrate):
    """They are in the classifier's margins, which its labels follow."""
    charged = {"name": "cost_weighted", "of": "naive_bayes"}
    plan = {**ONE, "costs": MATRIX, "method": [{**ONE["method"][0], "classify": charged}]}
    data = make_data(seed=5, n=60, p=12, informative=2, shift=0.6)
    labels = []
    for name in (False, recalibrate):
        *_, found = run_in_memory(data, {**plan, "decide": "arg_max", "recalibrate": name})
        labels.append(np.concatenate([c.codes for c in found.headline]).tolist())
    assert labels[0] == labels[1]


def test_charged_classifiers_decide_by_arg_max_as_minimum_risk_does_by_their_beliefs():
    """Nothing is counted twice: both decide at p* of natural probabilities."""
    data = make_data(seed=5, n=60, p=12, informative=2, shift=0.6)
    labels = {}
    for of in ("naive_bayes", "logistic", "svm_linear"):
        charged = {"name": "cost_weighted", "of": of}
        method = {"select": "moderated_t", "sizes": [4], "classify": charged}
        for decide in ("arg_max", "minimum_risk"):
            plan = {**SHORT, "costs": MATRIX, "decide": decide, "method": [method]}
            plan["recalibrate"] = False
            *_, found = run_in_memory(data, plan)
            labels[of, decide] = np.concatenate([c.codes for c in found.headline])
        same = np.mean(labels[of, "arg_max"] == labels[of, "minimum_risk"])
        # a machine decides by its margin, which its sigmoid may contradict near the border
        assert same == 1 if of != "svm_linear" else same > 0.8
        assert np.mean(labels[of, "arg_max"]) > 0.5  # towards the dear class


def test_a_confidence_that_too_few_samples_allow_is_a_caution(tmp_path):
    data = make_data(seed=2, n=40, p=12)
    wish = {"name": "sensitivity", "at": 0.9, "confidence": 0.95}
    found = run_study(data, {**ONE, "decide": wish}, tmp_path / "few").content
    texts = [w["text"] for w in found["warnings"] if w["code"] == "no-statement"]
    assert len(texts) == 1
    assert "too few" in texts[0]
    assert "(the final model; likewise in 3 of 3 training sets)" in texts[0]
    assert found["final"]["decided"] == "every sample is called class = b"
    milder = run_study(data, {**ONE, "decide": {**wish, "at": 0.7}}, tmp_path / "more").content
    assert "no-statement" not in {w["code"] for w in milder["warnings"]}
    assert "further class = b samples" in milder["final"]["decided"]
    assert all(0 < fold["threshold"] < 1 for fold in milder["headline"]["folds"])


@pytest.mark.quick
@pytest.mark.parametrize("learns", [True, False])
def test_other_costs_of_samples_are_other_data_to_what_learns_of_them(tmp_path, learns):
    data = with_amounts()
    dearer = replace(data, X=np.where(np.arange(13) == 12, 30 * data.X, data.X))
    classify = {"name": "cost_weighted", "of": "logistic"} if learns else "logistic"
    method = {"select": "moderated_t", "sizes": [2], "classify": classify}
    plan = {**SHORT, "costs": {"a": {"b": "amount"}, "b": {"a": 3}}, "method": [method]}
    run_study(data, plan, tmp_path / "s")
    if learns:
        with pytest.raises(StoreError, match="the data differ"):
            run_study(dearer, plan, tmp_path / "s", if_exists="resume")
    else:
        again = run_study(dearer, plan, tmp_path / "s", if_exists="resume")
        fresh = run_study(dearer, plan, tmp_path / "t")
        assert again.metrics == fresh.metrics


def test_costs_of_held_out_samples_reach_no_classifier(monkeypatch):
    """A charged classifier is given the mean of its own training rows."""
    from tamis.study.protocol import ranked

    data, given = with_amounts(), []
    real = ranked.build_classifier
    monkeypatch.setattr(
        ranked, "build_classifier", lambda *a: given.append(a[2].copy()) or real(*a)
    )
    charged = {"name": "cost_weighted", "of": "naive_bayes"}
    method = {"select": "moderated_t", "sizes": [2], "classify": charged}
    plan = {**SHORT, "costs": {"a": {"b": "amount"}, "b": {"a": 3}}, "method": [method]}
    plan, tasks, design, *_ = run_in_memory(data, plan)
    amounts, expected = data.X[:, 12], set()
    for task in tasks:
        from tamis.study.protocol.nested_cv import fold_of

        rows = fold_of(design, plan, task).parts.rows
        expected |= {round(float(amounts[r].mean()), 9) for r in rows}
    assert {round(float(m[0, 1]), 9) for m in given} <= expected
    assert len({round(float(m[0, 1]), 9) for m in given}) > 3

"""What an empty plan comes to, what follows the metric, references, and the old default."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from common.studies import make_data, run_in_memory
from tamis._core.errors import PlanError
from tamis.data import Dataset, load_golub
from tamis.metrics import METRICS
from tamis.model.file import load_model
from tamis.study import Plan, run_study
from tamis.study.plan.ready import ready_plans
from tamis.study.prepare import prepare_study
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.splits import training_rows

HERE = Path(__file__).parent
SHORT = {"outer": {"folds": 3}, "inner": {"folds": 3, "repeats": 1}, "permutations": 0}


def test_the_default_is_one_ranking_one_classifier_and_a_reference():
    first, beside = Plan().method
    assert (first.select, first.sizes, first.classify) == (
        "moderated_t",
        [1, 2, 5, 10, 20, 50, 200],
        ["logistic"],
    )
    assert beside.reference
    assert beside.classify == first.classify
    assert Plan().compared == [first]
    assert Plan.read("default").model_dump() == Plan().model_dump()
    assert {"default", "thorough"} <= set(ready_plans())
    assert Plan.read("thorough").method[0] == first


def test_inner_folds_of_the_default_are_drawn_ten_times():
    methods = [{"select": "welch_t"}]
    assert Plan().inner.repeats == Plan(method=[]).inner.repeats == 10
    assert Plan(method=methods).inner.repeats == 3
    assert Plan(inner={"repeats": 2, "folds": 4}).inner.repeats == 2
    assert Plan(inner={"folds": 4}).inner == Plan(inner={"folds": 4, "repeats": 10}).inner
    assert Plan(inner={"kind": "leave-one-out"}).inner.repeats == 1


@pytest.mark.parametrize("metric", METRICS)
def test_what_is_left_out_follows_the_metric(metric):
    plan = Plan(metric=metric)
    assert plan.decide.name == METRICS[metric].decide
    assert plan.tune == METRICS[metric].tune
    said = Plan(metric=metric, decide="arg_max", tune="auc")
    assert (said.decide.name, said.tune) == ("arg_max", "auc")


def test_the_threshold_of_f_is_for_two_classes():
    two, three = make_data(n=40, p=60), make_data(n=60, p=60, classes=("a", "b", "c"))
    plan, *_ = prepare_study(two, {**SHORT, "metric": "f"})
    assert plan.decide.name == "best_f"
    plan, *_ = prepare_study(three, {**SHORT, "metric": "f"})
    assert plan.decide.name == "arg_max"
    plan, *_ = prepare_study(two, {**SHORT, "metric": "f", "decide": "arg_max"})
    assert plan.decide.name == "arg_max"


def test_costs_decide_by_least_risk_and_are_tuned_by_the_loss():
    plan = Plan(costs={"a": 1, "b": 5})
    assert (plan.metric, plan.decide.name, plan.tune) == ("loss", "minimum_risk", "")
    assert Plan(costs={"a": 1, "b": 5}, metric="auc").tune == "balanced_log_score"


def test_rough_probabilities_are_compared_by_the_metric():
    methods = [{"select": "welch_t", "classify": "knn"}, {"select": "welch_t"}]
    rough, smooth = Plan(method=methods).method
    assert (rough.tune, smooth.tune) == ("bcr", "")
    assert Plan(method=methods).compares_by == ""
    assert Plan(method=methods[1:]).compares_by == "balanced_log_score"
    around = {"name": "bagging", "of": "naive_bayes"}
    assert Plan(method=[{"select": "welch_t", "classify": around}]).method[0].tune == "bcr"


def test_small_tables_and_tables_of_codes_have_no_reference():
    plan, *_ = prepare_study(make_data(n=40, p=50), SHORT)
    assert plan.method == plan.compared
    for p, most in ((51, 50), (200, 50), (201, 200)):
        data = make_data(n=40, p=p)
        plan, *_ = prepare_study(data, SHORT)
        assert [m.reference for m in plan.method] == [False, True]
        assert plan.method[0].sizes[-1] == most
        assert prepare_study(data, Plan.read("default", **SHORT))[0].method == plan.method


def test_a_reference_without_inner_folds_is_fitted_again_for_a_decision_that_learns(tmp_path):
    data, out = make_data(n=40, p=60), tmp_path / "study"
    run_study(data, SHORT, out)
    (place,) = out.glob("cells/0/0/0-all*")
    before = decode_cell(place.read_bytes())
    again = run_study(data, {**SHORT, "metric": "f"}, out, if_exists="resume")
    after = decode_cell(place.read_bytes())
    assert (len(before.tests), len(after.tests)) == (1, 4)
    fresh = run_study(data, {**SHORT, "metric": "f"}, tmp_path / "fresh")
    assert again.to_dict()["methods"] == fresh.to_dict()["methods"]


@pytest.mark.parametrize(
    "more", [{"sizes": [2, 3]}, {"classify": ["lda", "knn"]}, {"grid": {"C": [0.1, 1]}}]
)
def test_a_reference_has_one_candidate(more):
    beside = {"name": "r", "select": "welch_t", "sizes": [2], "reference": True, **more}
    with pytest.raises(PlanError, match="is a reference"):
        Plan.resolve({"method": [{"select": "pearson"}, beside]})
    with pytest.raises(PlanError, match="every method is a reference"):
        Plan.resolve({"method": [{"select": "all", "reference": True}]})


def test_a_reference_is_told_and_never_chosen(tmp_path):
    """Nothing else of the study changes; it is fitted on the same outer training sets."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = make_data(seed=4, n=45, p=60)
    plan = {**SHORT, "permutations": 2, "method": [{"select": "pearson", "sizes": [2, 5]}]}
    every = {"name": "all of them", "select": "all", "reference": True}
    alone = run_study(data, plan, tmp_path / "alone").to_dict()
    found = run_study(data, {**plan, "method": [*plan["method"], every]}, tmp_path / "both")
    content = found.to_dict()
    for key in ("metrics", "headline", "permutation", "final", "recalls", "chance"):
        assert content[key] == alone[key], key
    first, beside = content["methods"]
    assert (first["reference"], beside["reference"]) == (False, True)
    assert beside["chance"]["bcr"]["permuted"] is None
    assert beside["size_curve"][0]["inner"] is None
    assert first["difference"] is None  # the best of those that can be chosen
    text = found.summary()
    sizes = ", ".join(f"{p['outer']:.2f} with {p['size']:g}" for p in first["size_curve"])
    assert f"by size   balanced accuracy {sizes} features; " in text
    assert f"{beside['metrics']['bcr']['mean']:.2f} with all 60" in text
    short = {**plan, "permutations": 0, "method": [*plan["method"], every]}
    _, _, design, _, collected = run_in_memory(data, short)
    y = design.labels.y
    for choice in collected.methods["all of them"]:
        train = training_rows(len(y), choice.test)
        peer = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, tol=1e-10, max_iter=9999))
        proba = peer.fit(data.X[train], y[train]).predict_proba(data.X[choice.test])
        np.testing.assert_allclose(choice.proba, proba, atol=1e-6)
        assert len(choice.features) == 60


def test_the_saved_model_decides_as_the_study_did(tmp_path):
    """By the class shares of all rows, of which it keeps a copy."""
    rng = np.random.default_rng(2)
    y = np.repeat(["a", "b"], [48, 12])
    X = rng.normal(size=(60, 30)) + (y == "b")[:, None] * (np.arange(30) < 3)
    data = Dataset(X, y, tuple(f"g{j}" for j in range(30)))
    run_study(data, {**SHORT, "method": [{"select": "pearson", "sizes": [4]}]}, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    shares = np.bincount(data.codes) / len(data.codes)
    np.testing.assert_allclose(model.shares, shares)
    decided = model.decide(data)
    own = decided.beliefs.own.proba  # before recalibration
    expected = np.array(model.classes)[(own / shares).argmax(axis=1)]
    assert model.predict(data).tolist() == expected.tolist()
    assert (own.argmax(axis=1) != (own / shares).argmax(axis=1)).any()
    proba = model.predict_proba(data)
    assert not np.allclose(proba, own)
    assert (np.argsort(proba[:, 1]) == np.argsort(own[:, 1])).all()


def test_lda_on_too_many_features_is_told_before_it_runs():
    data = make_data(n=40, p=60)

    def told(method):
        return prepare_study(data, {**SHORT, "method": [method]})[2]

    (text,) = told({"select": "welch_t", "sizes": [2, 20], "classify": "lda"})
    assert "LDA on up to 20 features of 26 training samples is not to be trusted" in text
    assert not told({"select": "welch_t", "sizes": [2, 13], "classify": "lda"})
    assert not told({"select": "welch_t", "sizes": [20]})
    assert not told({"select": "mtfc"})  # by its definition
    around = {"name": "bagging", "of": "lda"}
    assert told({"select": "welch_t", "sizes": [20], "classify": around})


@pytest.mark.longer
def test_the_old_default_gives_its_old_numbers(tmp_path):
    """As it was when it was the default: tests/study/make_old_default.py."""
    old = json.loads((HERE / "old_default.json").read_text(encoding="utf-8"))
    path = HERE.parents[1] / "benchmarks" / "old_default.toml"
    plan = Plan.read(path, permutations=0, final=False, describe=False)
    content = run_study(load_golub(), plan, tmp_path / "s", n_jobs=2).to_dict()
    folds = content["headline"]["folds"]
    assert content["metrics"]["bcr"]["mean"] == pytest.approx(old["bcr"], abs=1e-12)
    assert content["metrics"]["auc"]["mean"] == pytest.approx(old["auc"], abs=1e-12)
    assert [fold["size"] for fold in folds] == old["sizes"]
    assert [fold["method"] for fold in folds] == old["methods"]


@pytest.mark.parametrize(
    "given", [{"metric": "f", "permutations": 1}, {"reject": {"name": "cost", "at": 0.3}}]
)
def test_a_reference_with_inner_folds_is_not_chosen_either(given, tmp_path):
    """A decision that learns, and a rule that declines, ask for the inner folds of a reference."""
    data = make_data(seed=9, n=45, p=60, informative=20)
    few = {"select": "pearson", "sizes": [1]}
    every = {"name": "all of them", "select": "pearson", "sizes": [60], "reference": True}
    plan = {**SHORT, **given, "choose": "best"}
    alone = run_study(data, {**plan, "method": [few]}, tmp_path / "alone").to_dict()
    both = run_study(data, {**plan, "method": [few, every]}, tmp_path / "both").to_dict()
    beside = both["methods"][1]["metrics"]["auc"]["mean"]
    assert beside > alone["metrics"]["auc"]["mean"] + 0.1  # it would have been chosen
    for key in ("metrics", "headline", "final"):
        assert both[key] == alone[key], key


def test_the_final_model_declines_samples_unlike_those_of_training(tmp_path):
    data = make_data(seed=4, n=60, p=30)
    plan = {
        **SHORT,
        "method": [
            {
                "select": "pearson",
                "sizes": [3],
                "classify": [{"name": "with_novelty", "of": "logistic"}],
            }
        ],
        "reject": {"name": "coverage", "at": 0.9, "novelty": 0.1},
    }
    run_study(data, plan, tmp_path / "s")
    model = load_model(tmp_path / "s" / "model.npz")
    assert model.decide(data).accepted.mean() > 0.7
    far = Dataset(data.X + 1000.0, None, data.feature_names)
    assert not model.decide(far).accepted.any()

"""Classifiers of plans that are charged costs: labels by margins, probabilities as they are."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from classifiers.costs.cost_problems import COSTS, gaussian, levels
from common.folds import same_beliefs
from common.studies import make_data
from tamis._core.errors import ModelError, PlanError
from tamis._core.interfaces import Beliefs
from tamis._core.own_code import own_given
from tamis._core.registry import find_row, row_names
from tamis._core.rows import ClassifierRow
from tamis.classifiers import CostWeightedClassifier
from tamis.classifiers.base.class_shares import ClassShares
from tamis.classifiers.base.natural_scale import fit_natural
from tamis.classifiers.base.scaling import fit_in_units, from_arrays
from tamis.classifiers.classifier_labels import beliefs_of, build_classifier, parts_of
from tamis.classifiers.costs.charged import ChargedPredictor
from tamis.classifiers.costs.minimum_risk import MinimumRisk
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.model.file import load_model
from tamis.study import run_study
from tamis.study.plan import Plan

CHARGED = [name for name in row_names(ClassifierRow) if find_row(name, ClassifierRow).takes.costs]
THREE = np.array([[0, 1, 9.0], [1, 0, 1], [3, 1, 0]])  # whole copies: 2, 1 and 5 times
charged = pytest.mark.parametrize("name", CHARGED)
quick = {"costing": {"n_estimators": 5}, "metacost": {"n_estimators": 5}}


def fitted(label, X, y, costs, seed=0, levels=None):
    settings = quick.get(label.partition("(")[0], {})
    built = build_classifier(label, settings, costs)
    return built, fit_in_units(built, X, y, len(costs), seed, levels)


def labels_of(beliefs):
    return ArgMax().decide(beliefs).codes


def test_who_charges_costs():
    assert CHARGED == [
        "cost_weighted",
        "cost_resampled",
        "cost_smote",
        "costing",
        "metacost",
        "data_space_expansion",
    ]
    for name in CHARGED:
        row = find_row(name, ClassifierRow)
        assert row.takes.is_meta_estimator


@charged
@pytest.mark.parametrize("costs", [COSTS, THREE], ids=["two", "three"])
def test_read_back_row_by_row_and_by_seed_the_same(name, costs):
    X, y = levels(len(costs), 200)
    X = np.column_stack([X, np.random.default_rng(0).normal(size=200)])
    built, one = fitted(f"{name}(naive_bayes)", X, y, costs)
    found = one.beliefs(X)
    np.testing.assert_allclose(found.proba.sum(axis=1), 1)
    assert found.margin.shape == found.proba.shape
    same_beliefs(fit_in_units(built, X, y, len(costs), 0).beliefs(X), found)
    reader = build_classifier(f"{name}(naive_bayes)", quick.get(name, {}))  # a model has no costs
    again = from_arrays(reader, one.to_arrays(), 2, len(costs))
    same_beliefs(again.beliefs(X), found)
    for i in range(0, 200, 17):
        same_beliefs(one.beliefs(X[i : i + 1]), found.take(np.array([i])), 1e-12)


@pytest.mark.parametrize("name", ["cost_weighted", "cost_resampled", "data_space_expansion"])
@pytest.mark.parametrize("costs", [COSTS, THREE], ids=["two", "three"])
def test_the_margin_is_charged_and_the_probabilities_are_not(name, costs):
    """A full tree on eight values knows the shares; decisions at p* and at 0.5 then agree."""
    X, y = levels(len(costs))
    _, plain = fitted("tree", X, y, costs)
    natural = plain.beliefs(X).proba
    _, one = fitted(f"{name}(tree)", X, y, costs)
    found = one.beliefs(X)
    by_risk = MinimumRisk(costs).decide(Beliefs(natural)).codes
    np.testing.assert_allclose(found.proba, natural, atol=1e-12)
    np.testing.assert_array_equal(MinimumRisk(costs).decide(found).codes, by_risk)
    assert (labels_of(found) != natural.argmax(axis=1)).mean() > 0.1
    if len(costs) == 2 or name == "data_space_expansion":
        np.testing.assert_array_equal(labels_of(found), by_risk)
    else:
        weighted = (natural * costs.sum(axis=0)).argmax(axis=1)
        np.testing.assert_array_equal(labels_of(found), weighted)


@charged
def test_labels_at_half_and_at_the_threshold_nearly_agree(name):
    X, y = gaussian(3000)
    _, one = fitted(f"{name}(logistic)", X, y, COSTS)
    found = one.beliefs(X)
    if name == "metacost":
        assert beliefs_of(f"{name}(logistic)") == "order"
        plain = fit_natural(build_classifier("logistic", {}), X, y, 2, 0)
        assert labels_of(found).mean() == pytest.approx(
            MinimumRisk(COSTS).decide(plain.beliefs(X)).codes.mean(),
            abs=0.03,
        )
        return
    np.testing.assert_array_equal(labels_of(found), MinimumRisk(COSTS).decide(found).codes)
    assert abs(found.proba[:, 1].mean() - y.mean()) < 0.03


def test_plans_have_the_estimator_they_are_named_after():
    X, y = gaussian(300)
    _, ours = fitted("cost_weighted(naive_bayes)", X, y, COSTS)
    peer = CostWeightedClassifier(GaussianNB(), COSTS).fit(X, y)
    found = ours.beliefs(X)
    np.testing.assert_allclose(found.proba, peer.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(labels_of(found), peer.predict(X))
    np.testing.assert_allclose(np.diff(found.margin)[:, 0], peer.decision_function(X))


@charged
def test_where_columns_say_nothing_costs_decide(name):
    """The shares of a part of constants are natural, the label is the one of least cost."""
    y = (np.arange(40) % 4 == 0).astype(int)
    for costs, told in ((COSTS, 1), (COSTS.T, 0)):
        built, one = fitted(f"{name}(tree)", np.ones((40, 2)), y, costs)
        found = one.beliefs(np.zeros((3, 2)))
        assert labels_of(found).tolist() == [told] * 3
        again = from_arrays(built, one.to_arrays(), 2, 2)
        same_beliefs(again.beliefs(np.zeros((3, 2))), found)
        if beliefs_of(f"{name}(tree)") == "proba" and name != "costing":
            assert found.proba[0, 1] == pytest.approx(0.25, abs=0.03)


@pytest.mark.longer
@pytest.mark.parametrize("name", [n for n in CHARGED if find_row(n, ClassifierRow).takes.raw])
def test_tables_as_they_are_stay_so(name):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 2
    X = np.column_stack([rng.normal(size=90) + y, np.where(rng.random(90) < 0.7, y, 2)])
    X[::9, 0] = np.nan
    built, one = fitted(f"{name}(c45)", X, y, COSTS, levels={1: 3})
    found = one.beliefs(X)
    assert labels_of(found).mean() > 0.5
    same_beliefs(from_arrays(built, one.to_arrays(), 2, 2).beliefs(X), found)


def test_margins_of_machines_are_kept():
    X, y = gaussian(120)
    for name in ("cost_resampled", "metacost"):
        _, one = fitted(f"{name}(svm_linear)", X, y, COSTS)
        inner = one.inner.beliefs(X)
        np.testing.assert_array_equal(one.beliefs(X).margin, inner.margin)


def test_relabelled_to_fewer_classes():
    X, y = levels(3, 300)
    costs = np.array([[0, 1, 1], [1e6, 0, 1e6], [1, 1, 0.0]])
    built, one = fitted("metacost(naive_bayes)", X, y, costs)
    found = one.beliefs(X)
    assert not found.proba[:, 1].any()
    assert (labels_of(found) != 1).all()
    same_beliefs(from_arrays(built, one.to_arrays(), 1, 3).beliefs(X), found)


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("bagging(cost_weighted(naive_bayes))", "write 'cost_weighted' outermost"),
        ("costing(cost_resampled(lda))", "lost or counted twice"),
        ("cost_weighted(lda)", "'lda' takes no weights, which 'cost_weighted' gives"),
        ("cost_weighted(bagging(tree))", "draw samples (cost_resampled, costing)"),
        ("metacost(own)", "'metacost' weighs costs by probabilities"),
        ("cost_weighted", "is one around another"),
    ],
)
def test_what_cannot_be_around_what(label, told):
    label = label.replace("own", own_given(LinearSVC).name)
    with pytest.raises(PlanError) as error:
        parts_of(label)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"grid": {"class_weight": ["balanced"]}}, "class_weight would be counted beside"),
        ({"C": 3}, "given as grid = { C = [...] }"),
    ],
)
def test_what_is_said_of_the_one_inside(more, told):
    method = {"select": "all", "classify": {"name": "cost_weighted", "of": "logistic", **more}}
    with pytest.raises(PlanError) as error:
        Plan.resolve({"costs": "class_sizes", "method": [method]})
    assert told in str(error.value)


def test_a_class_whose_errors_cost_nothing_is_refused():
    X, y = levels(3, 90)
    costs = np.array([[0, 0, 1], [1, 0, 1], [1, 0, 0.0]])
    with pytest.raises(PlanError, match="errors on class number 1 cost nothing"):
        fitted("cost_weighted(tree)", X, y, costs)


def test_own_estimators_get_the_weights():
    X, y = gaussian(200)
    label = f"cost_weighted({own_given(LogisticRegression).name})"
    assert not find_row(
        own_given(KNeighborsClassifier).name, ClassifierRow
    ).takes.accepts_sample_weight
    _, ours = fitted(label, X, y, COSTS)
    peer = CostWeightedClassifier(LogisticRegression(), COSTS).fit(X, y)
    found = ours.beliefs(X)
    np.testing.assert_allclose(found.proba, peer.predict_proba(X), atol=1e-6)
    np.testing.assert_array_equal(labels_of(found), peer.predict(X))


@charged
def test_in_a_study_its_own_labels_cost_less(name, tmp_path):
    data = make_data(n=60, p=10, shift=1.0)
    loss = {}
    for by in (name, "logistic"):
        classify = {"name": by, "of": "logistic"} if by == name else by
        grid = {key: [value] for key, value in quick.get(by, {}).items()}
        method = {"select": "moderated_t", "sizes": [3], "classify": classify, "grid": grid}
        plan = {
            "outer": {"folds": 3},
            "inner": {"folds": 2, "repeats": 1},
            "permutations": 0,
            "final": by == name,
            "metric": "bcr",
            "decide": "arg_max",
            "costs": {"a": 1, "b": 9},
            "method": [method],
        }
        loss[by] = run_study(data, plan, tmp_path / by).metrics["loss"]["mean"]
    assert loss[name] < loss["logistic"]
    assert load_model(tmp_path / name / "model.npz").predict(data).shape == (60,)


@pytest.mark.parametrize("weights", [[0.0, 1.0], [-1.0, -2.0], [5e-324, 1.0]])
def test_weights_of_a_file_that_no_probability_survives_are_refused(weights):
    inner = ClassShares(np.array([0.5, 0.5]))
    with pytest.raises(ModelError, match="class_weights"):
        ChargedPredictor.from_arrays({"class_weights": np.array(weights)}, 2, inner)
    found = ChargedPredictor.from_arrays({"class_weights": np.array([1e-300, 1e7])}, 2, inner)
    assert found.beliefs(np.zeros((1, 1))).proba.tolist() == [[1.0, pytest.approx(1e-307)]]

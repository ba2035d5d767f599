"""Manners of the wrappers: what they fit and what they leave alone, weights, refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from classifiers.costs.cost_problems import COSTS, Knowing, gaussian, levels
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Beliefs
from tamis.classifiers import (
    C45Classifier,
    CostingClassifier,
    CostMatrix,
    CostResampledClassifier,
    CostWeightedClassifier,
    DataSpaceExpansionClassifier,
    MetaCostClassifier,
    MinimumRiskClassifier,
)
from tamis.classifiers.costs.meta_cost import RelabelledPredictor

EVERY = {
    "risk": MinimumRiskClassifier,
    "weighted": CostWeightedClassifier,
    "resampled": CostResampledClassifier,
    "costing": CostingClassifier,
    "meta": MetaCostClassifier,
    "expansion": DataSpaceExpansionClassifier,
}
every = pytest.mark.parametrize("wrapper", EVERY.values(), ids=EVERY)


class Spy(ClassifierMixin, BaseEstimator):
    """Keeps the weights and labels of its last fit."""

    given = None

    def fit(self, X, y, sample_weight=None):
        type(self).given = (np.array(y), None if sample_weight is None else sample_weight.copy())
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


@every
@pytest.mark.parametrize(
    ("costs", "told"),
    [
        ("sizes", '"class_sizes" or None'),
        ({"a": 1, "c": 1}, "costs name 'c', not a class here"),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "for the 2 classes 'a', 'b'"),
        ([[1, 1], [0, 0]], "costs less than being right"),
    ],
)
def test_costs_that_cannot_be_used_are_refused(wrapper, costs, told):
    X, y = gaussian(40)
    with pytest.raises(PlanError) as error:
        wrapper(GaussianNB(), costs).fit(X, np.array(["a", "b"])[y])
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@every
def test_costs_may_be_written_by_class(wrapper):
    X, y = gaussian(200)
    names = np.array(["well", "sick"])[y]
    spelled = {"sick": 6, "well": 1}
    model, other = (
        wrapper(GaussianNB(), costs)
        for costs in (spelled, CostMatrix.of(spelled, ["well", "sick"]))
    )
    for one in (model, other):
        if hasattr(one, "random_state"):
            one.set_params(random_state=0)
        one.fit(X, names)
    assert model.classes_.tolist() == ["sick", "well"]
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))
    plain = wrapper(GaussianNB()).fit(X, names)
    assert (model.predict(X) == "sick").sum() > (plain.predict(X) == "sick").sum()


@every
def test_nothing_is_believed_before_a_fit(wrapper):
    for call in ("predict", "predict_proba", "decision_function"):
        with pytest.raises((NotFittedError, AttributeError)):
            getattr(wrapper(GaussianNB()), call)(np.zeros((2, 1)))


@pytest.mark.parametrize(
    "wrapper",
    [
        CostWeightedClassifier,
        CostResampledClassifier,
        CostingClassifier,
        DataSpaceExpansionClassifier,
    ],
)
def test_a_class_whose_errors_cost_nothing_is_refused(wrapper):
    X, y = levels(3, 90)
    costs = [[0, 0, 1], [1, 0, 1], [1, 0, 0]]
    with pytest.raises(PlanError, match="errors on class 1 cost nothing"):
        wrapper(GaussianNB(), costs).fit(X, y)
    assert len(MinimumRiskClassifier(GaussianNB(), costs).fit(X, y).predict(X)) == 90


CHARGING = [wrapper for wrapper in EVERY.values() if wrapper is not MinimumRiskClassifier]


@pytest.mark.parametrize("wrapper", CHARGING)
def test_costs_are_charged_in_one_place(wrapper):
    X, y = gaussian(60)
    for inner in (CostWeightedClassifier(GaussianNB()), MinimumRiskClassifier(GaussianNB())):
        with pytest.raises(PlanError, match="would count costs twice"):
            wrapper(inner).fit(X, y)
    balanced = LogisticRegression(class_weight="balanced")
    for inner in (balanced, make_pipeline(StandardScaler(), balanced)):
        with pytest.raises(PlanError, match="class_weight = 'balanced' inside"):
            wrapper(inner).fit(X, y)
    MinimumRiskClassifier(wrapper(GaussianNB())).fit(X, y)
    MinimumRiskClassifier(balanced).fit(X, y)


def test_other_costs_are_another_decision_and_no_fit():
    X, y = gaussian(300)
    Knowing.fits = 0
    model = MinimumRiskClassifier(Knowing(), COSTS).fit(X, y)
    one = model.predict(X)
    two = model.set_params(costs=[[0, 1], [20, 0]]).predict(X)
    assert Knowing.fits == 1
    assert one.sum() > two.sum()
    even = model.set_params(costs=None).predict(X)
    np.testing.assert_array_equal(even, model.estimator_.predict(X))
    sizes = model.set_params(costs="class_sizes").predict_proba(X)[:, 1]
    np.testing.assert_array_equal(model.predict(X), (sizes > y.mean()).astype(int))


def test_a_frozen_estimator_stays_as_it_is():
    X, y = gaussian(300)
    fitted = GaussianNB().fit(X[:100], y[:100])
    model = MinimumRiskClassifier(FrozenEstimator(fitted), COSTS).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))
    calibrated = MinimumRiskClassifier(FrozenEstimator(fitted), COSTS, "sigmoid").fit(X, y)
    np.testing.assert_array_equal(fitted.theta_, GaussianNB().fit(X[:100], y[:100]).theta_)
    assert (calibrated.predict_proba(X) != fitted.predict_proba(X)).any()


@pytest.mark.parametrize("calibration", ["sigmoid", "isotonic", "temperature"])
def test_calibration_is_that_of_scikit_learn(calibration):
    X, y = gaussian(300)
    model = MinimumRiskClassifier(LinearSVC(), COSTS, calibration, cv=3).fit(X, y)
    peer = CalibratedClassifierCV(LinearSVC(), method=calibration, cv=3, ensemble=False).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), peer.predict_proba(X))
    np.testing.assert_array_equal(
        model.predict(X), CostMatrix(COSTS, [0, 1]).predict(peer.predict_proba(X))
    )


def test_probabilities_are_asked_for():
    X, y = gaussian(60)
    with pytest.raises(PlanError, match="LinearSVC gives no probabilities to weigh costs by"):
        MinimumRiskClassifier(LinearSVC()).fit(X, y)
    with pytest.raises(PlanError, match="calibration = 'platt': give one of"):
        MinimumRiskClassifier(LinearSVC(), calibration="platt").fit(X, y)


def test_a_sample_may_have_costs_of_its_own():
    X, y = gaussian(200)
    own = COSTS * np.random.default_rng(0).uniform(0.2, 5, (200, 2, 2))
    model = MinimumRiskClassifier(GaussianNB()).fit(X, y)
    proba = model.predict_proba(X)
    slow = [int((table @ p).argmin()) for table, p in zip(own, proba, strict=True)]
    np.testing.assert_array_equal(model.predict(X, sample_costs=own), slow)
    with pytest.raises(DataError, match=r"give \(200, 2, 2\)"):
        model.predict(X, sample_costs=COSTS)
    with pytest.raises(PlanError, match="for the 2 classes"):
        model.predict(X, sample_costs=np.ones((200, 3, 3)))


def test_weights_are_what_errors_on_a_class_cost():
    X, y = gaussian(50)
    CostWeightedClassifier(Spy(), COSTS + [2, 7]).fit(X, y)
    labels, weights = Spy.given
    np.testing.assert_array_equal(labels, y)
    np.testing.assert_allclose(weights, np.where(y == 1, 6, 1) / np.where(y == 1, 6, 1).mean())
    own = np.random.default_rng(0).uniform(0, 3, 50)
    CostWeightedClassifier(Spy(), COSTS).fit(X, y, sample_weight=own)
    expected = own * np.where(y == 1, 6, 1)
    np.testing.assert_allclose(Spy.given[1], expected * own.sum() / expected.sum())
    DataSpaceExpansionClassifier(Spy(), COSTS).fit(X, y, sample_weight=own)
    np.testing.assert_allclose(Spy.given[1], Spy.given[1].sum() * expected / expected.sum())
    assert Spy.given[1].sum() == pytest.approx(own.sum())


@pytest.mark.parametrize("wrapper", [CostWeightedClassifier, DataSpaceExpansionClassifier])
def test_who_takes_no_weights_is_refused_with_what_to_do(wrapper):
    X, y = gaussian(50)
    pipe = make_pipeline(StandardScaler(), GaussianNB())
    for inner, name in ((KNeighborsClassifier(), "KNeighborsClassifier"), (pipe, "Pipeline")):
        with pytest.raises(PlanError, match=f"{name} takes no sample_weight: use CostResampled"):
            wrapper(inner, COSTS).fit(X, y)
    inside = make_pipeline(StandardScaler(), wrapper(GaussianNB(), COSTS)).fit(X, y)
    assert inside.predict(X).mean() > y.mean()


def test_weights_come_by_metadata_routing():
    X, y = gaussian(90)
    weights = np.random.default_rng(0).uniform(0.5, 2, 90)
    with sklearn.config_context(enable_metadata_routing=True):
        for model in (
            CostWeightedClassifier(Spy()),
            MinimumRiskClassifier(Spy()),
            MinimumRiskClassifier(Spy(), calibration="sigmoid", cv=3),
        ):
            model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
            cross_validate(
                model,
                X,
                y,
                cv=[(np.arange(60), np.arange(60, 90))],
                params={"sample_weight": weights},
            )
            np.testing.assert_allclose(Spy.given[1], weights[:60])
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipe = make_pipeline(scaler, Spy().set_fit_request(sample_weight=True))
        CostWeightedClassifier(pipe, COSTS).fit(X, y)
        expected = np.where(y == 1, 6, 1)
        np.testing.assert_allclose(Spy.given[1], expected / expected.mean())
        MinimumRiskClassifier(pipe, calibration="sigmoid", cv=3).fit(X, y, weights)
        np.testing.assert_allclose(Spy.given[1], weights)


def test_costs_of_samples_come_by_metadata_routing():
    X, y = gaussian(120)
    own = np.tile(COSTS, (120, 1, 1))
    with sklearn.config_context(enable_metadata_routing=True):
        model = CostingClassifier(GaussianNB(), n_estimators=5, random_state=0)
        model.set_fit_request(sample_costs=True)
        found = cross_val_predict(model, X, y, cv=3, params={"sample_costs": own})
    same = CostingClassifier(GaussianNB(), COSTS, n_estimators=5, random_state=0)
    np.testing.assert_array_equal(found, cross_val_predict(same, X, y, cv=3))


@pytest.mark.parametrize(
    "bad", [-np.ones(50), np.zeros(50), np.ones(3), np.full(50, np.nan), ["x"] * 50]
)
def test_weights_that_are_none_are_refused(bad):
    X, y = gaussian(50)
    for wrapper in (CostWeightedClassifier, CostingClassifier, MinimumRiskClassifier):
        with pytest.raises(DataError, match="sample_weight"):
            wrapper(GaussianNB()).fit(X, y, sample_weight=bad)


def test_costing_is_the_mean_of_its_members_whatever_the_number_of_jobs():
    X, y = gaussian(300)
    one = CostingClassifier(DecisionTreeClassifier(), COSTS, 6, random_state=0).fit(X, y)
    two = CostingClassifier(DecisionTreeClassifier(), COSTS, 6, n_jobs=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    charged = np.mean([member.predict_proba(X) for member in one.estimators_], axis=0)
    np.testing.assert_array_equal(one.predict(X), charged.argmax(axis=1))
    odds = charged[:, 1] / 6 / (charged[:, 1] / 6 + charged[:, 0])
    np.testing.assert_allclose(one.predict_proba(X)[:, 1], odds)
    assert not np.allclose(*(m.predict_proba(X) for m in one.estimators_[:2]))
    assert one.kept_ == pytest.approx(np.where(y == 1, 1, 1 / 6).mean())


def test_costing_keeps_what_its_draws_keep_on_average():
    """A class of costs near 0 is drawn until a row of it is there: one of these twenty."""
    X, y = np.arange(30.0)[:, None], np.repeat([0, 1], [20, 10])
    model = CostingClassifier(GaussianNB(), {0: 1e-4, 1: 1}, 40, random_state=0).fit(X, y)
    sizes = [member.class_count_.sum() for member in model.estimators_]
    assert model.kept_ == pytest.approx(11 / 30, abs=1e-4)
    assert model.kept_ == pytest.approx(np.mean(sizes) / 30, abs=1e-3)


def test_costing_counts_weights_as_samples_and_costs_as_costs():
    """A weight is part of the natural scale, a cost is not."""
    X, y = levels()
    weights = np.where(y == 1, 3.0, 1.0)
    tree = DecisionTreeClassifier(random_state=0)
    charged = CostingClassifier(tree, [[0, 3], [1, 0]], 30, random_state=0).fit(X, y)
    weighed = CostingClassifier(tree, None, 30, random_state=0).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(charged.predict(X), weighed.predict(X))
    np.testing.assert_array_equal(charged.class_weights_, [1, 3])
    np.testing.assert_array_equal(weighed.class_weights_, [1, 1])
    assert weighed.predict_proba(X)[:, 1].mean() > charged.predict_proba(X)[:, 1].mean() + 0.1
    own = np.tile(COSTS, (len(y), 1, 1)) * np.linspace(1, 2, len(y))[:, None, None]
    model = CostingClassifier(tree, None, 30, random_state=0).fit(X, y, sample_costs=own)
    assert model.class_weights_[1] == pytest.approx(6 * np.linspace(1, 2, len(y))[y == 1].mean())


def test_those_that_decide_by_margins_keep_them():
    X, y = gaussian(200)
    model = CostWeightedClassifier(SVC(tol=1e-8), COSTS).fit(X, y)
    peer = SVC(tol=1e-8).fit(X, y, np.where(y == 1, 6, 1) / np.where(y == 1, 6, 1).mean())
    np.testing.assert_allclose(
        model.decision_function(X), peer.decision_function(X), rtol=0, atol=1e-6
    )
    np.testing.assert_array_equal(model.predict(X), peer.predict(X))
    assert not hasattr(model, "predict_proba")
    votes = CostingClassifier(LinearSVC(), COSTS, 10, random_state=0).fit(X, y)
    assert votes.predict(X).mean() > y.mean()


def test_metacost_relabels_and_may_be_left_with_one_class():
    X, y = gaussian(300)
    model = MetaCostClassifier(GaussianNB(), COSTS, 20, random_state=0).fit(X, y)
    assert (model.relabelled_ == 1).sum() > (y == 1).sum()
    np.testing.assert_array_equal(
        model.predict(X), GaussianNB().fit(X, model.relabelled_).predict(X)
    )
    again = MetaCostClassifier(GaussianNB(), COSTS, 20, n_jobs=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(again.relabelled_, model.relabelled_)
    one = MetaCostClassifier(GaussianNB(), {"sick": 1e9, "well": 1e-9}, 5, random_state=0)
    with pytest.warns(UserWarning, match="every training sample is called 'sick'"):
        one.fit(X, np.array(["sick", "well"])[y])
    assert set(one.predict(X[:3])) == {"sick"}
    np.testing.assert_array_equal(one.predict_proba(X[:3].tolist()), [[1, 0]] * 3)


def test_metacost_with_a_class_that_nothing_is_called():
    X, y = levels(3, 600)
    costs = [[0, 1, 1], [1e6, 0, 1e6], [1, 1, 0]]
    model = MetaCostClassifier(GaussianNB(), costs, 10, random_state=0).fit(X, y)
    assert set(model.relabelled_) == {0, 2}
    assert not model.predict_proba(X)[:, 1].any()
    np.testing.assert_array_equal(
        model.predict(X), model.classes_[model.decision_function(X).argmax(axis=1)]
    )


def test_out_of_bag_judges_otherwise_than_all():
    """A full tree believes the label it has learnt."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.arange(200) % 2
    changed = {
        oob: (
            MetaCostClassifier(DecisionTreeClassifier(), None, 20, oob, random_state=0)
            .fit(X, y)
            .relabelled_
            != y
        ).mean()
        for oob in (True, False)
    }
    assert changed[False] < 0.05
    assert changed[True] > 0.3


def test_frames_with_categories_go_through():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"])[np.arange(120) % 2]
    words = np.where(rng.random(120) < 0.8, y, rng.choice(["a", "b", "c"], 120))
    frame = pd.DataFrame({"x": rng.normal(size=120), "kind": words})
    frame.loc[::7, "x"] = np.nan
    tree = C45Classifier(categorical_features="from_dtype")
    for model in (
        MinimumRiskClassifier(tree),
        CostWeightedClassifier(tree, {"a": 3, "b": 1}),
        CostResampledClassifier(tree, {"a": 3, "b": 1}, random_state=0),
        CostResampledClassifier(tree, {"a": 3, "b": 1}, "under", random_state=0),
        CostingClassifier(tree, {"a": 3, "b": 1}, 5, random_state=0),
        MetaCostClassifier(tree, {"a": 3, "b": 1}, 5, random_state=0),
        DataSpaceExpansionClassifier(tree, {"a": 3, "b": 1}),
    ):
        assert model.fit(frame, y).score(frame, y) > 0.7
        assert model.feature_names_in_.tolist() == ["x", "kind"]
    with pytest.raises(ValueError, match="convert"):
        CostResampledClassifier(tree, {"a": 3, "b": 1}, "smote").fit(frame, y)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"method": "oversample"}, "method = 'oversample'"),
        ({"k_neighbors": 0}, "k_neighbors = 0: give 1 or more"),
    ],
)
def test_settings_of_resampling_are_checked(settings, told):
    X, y = gaussian(50)
    with pytest.raises(PlanError, match=told):
        CostResampledClassifier(GaussianNB(), **settings).fit(X, y)
    for wrapper in (CostingClassifier, MetaCostClassifier):
        with pytest.raises(PlanError, match="n_estimators = 0"):
            wrapper(GaussianNB(), n_estimators=0).fit(X, y)


def test_resampled_classes_have_the_sizes_told():
    X, y = gaussian(300)
    counts = np.bincount(y)
    for method in ("over", "under", "smote"):
        model = CostResampledClassifier(Spy(), COSTS, method, random_state=0).fit(X, y)
        sizes = np.bincount(Spy.given[0])
        np.testing.assert_array_equal(model.resampled_counts_, sizes)
        np.testing.assert_allclose(model.class_weights_, sizes / counts)
        ratio = (sizes[1] / sizes[0]) / (counts[1] / counts[0])
        assert ratio == pytest.approx(6, rel=0.02)
    smaller = CostResampledClassifier(LogisticRegression(), COSTS, "smote", 50, random_state=0)
    few = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:4]]  # fewer than 50 neighbours
    assert smaller.fit(X[few], y[few]).resampled_counts_[1] == 24


def test_a_class_that_nothing_is_called_has_the_least_margin_and_no_probability():
    class Inner:
        def beliefs(self, X):
            return Beliefs(np.tile([0.3, 0.7], (len(X), 1)), np.array([[2.0, -1.0], [0.5, 4.0]]))

    found = RelabelledPredictor(Inner(), np.array([0, 2]), 3).beliefs(np.zeros((2, 1)))
    assert found.proba.tolist() == [[0.3, 0.0, 0.7]] * 2
    assert found.scores.tolist() == [[2.0, -2.0, -1.0], [0.5, -0.5, 4.0]]

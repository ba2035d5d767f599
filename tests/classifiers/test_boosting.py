"""LogitBoost and AdaBoost as classifiers: how rounds are chosen, what weights and labels mean."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from tamis.classifiers import (
    AdaBoostC44Classifier,
    C45Classifier,
    CostWeightedClassifier,
    LogitBoostClassifier,
)
from tamis.classifiers.base.boosting_rounds import rounds_to_try
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier
from tamis.classifiers.recalibrations.platt import fit_sigmoid

BOTH = {
    "logitboost": LogitBoostClassifier(max_rounds=60, cv=3, random_state=0),
    "adaboost": AdaBoostC44Classifier(max_rounds=60, cv=3, random_state=0),
}
both = pytest.mark.parametrize("name", BOTH)
classes = pytest.mark.parametrize("C", [2, 3])


def samples(C=2, seed=0, n=120):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.minimum(np.arange(n) % (C + 1), C - 1))  # unequal classes
    return rng.normal(size=(n, 5)) + y[:, None] * [1.0, 0, 0.6, 0, 0], y


def with_params(name, **parameters):
    return type(BOTH[name])(**{**BOTH[name].get_params(), **parameters})


def test_rounds_that_are_tried():
    assert rounds_to_try("cv", 1000).tolist() == [10, 18, 32, 56, 100, 178, 316, 562, 1000]
    assert rounds_to_try("cv", 2000)[-2:].tolist() == [1778, 2000]
    assert rounds_to_try("cv", 7).tolist() == [7]
    assert rounds_to_try(40, 7).tolist() == [40]


@both
@classes
def test_rounds_are_those_of_the_best_held_out_score(name, C):
    """Every number of rounds fitted anew, each fold by itself."""
    X, y = samples(C)
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    model = with_params(name).fit(X, y, weights)
    assert model.tried_rounds_.tolist() == [10, 18, 32, 56, 60]
    scores = []
    for rounds in model.tried_rounds_:
        wrong = np.empty(len(y))
        for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
            one = with_params(name, rounds=int(rounds)).fit(X[train], y[train], weights[train])
            if name == "logitboost":
                wrong[test] = -np.log(one.predict_proba(X[test])[np.arange(len(test)), y[test]])
            else:
                wrong[test] = one.predict(X[test]) != y[test]
        scores.append(np.average(wrong, weights=weights))
    told = model.cv_log_loss_ if name == "logitboost" else model.cv_error_
    np.testing.assert_allclose(told, scores, rtol=1e-9)
    best = int(model.tried_rounds_[np.argmin(scores)])
    assert model.n_rounds_ <= best  # fewer where boosting ends before
    alone = with_params(name, rounds=best).fit(X, y, weights)
    np.testing.assert_array_equal(model.decision_function(X), alone.decision_function(X))


@both
@classes
def test_stages_end_in_the_model_and_begin_with_shorter_ones(name, C):
    X, y = samples(C)
    model = with_params(name, rounds=20).fit(X, y)
    if name == "logitboost":
        stages = list(model.staged_predict_proba(X))
        assert np.array_equal(stages[-1], model.predict_proba(X))
        shorter = with_params(name, rounds=7).fit(X, y)
        assert np.array_equal(stages[6], shorter.predict_proba(X))
    else:
        stages = list(model.staged_predict(X))
        assert np.array_equal(stages[-1], model.predict(X))
        assert np.array_equal(stages[6], with_params(name, rounds=7).fit(X, y).predict(X))
    assert len(stages) == model.n_rounds_ <= 20


@classes
def test_decisions_and_probabilities_of_logitboost_agree(C):
    X, y = samples(C)
    model = LogitBoostClassifier(rounds=15).fit(X, y)
    F, proba = model.decision_function(X), model.predict_proba(X)
    if C == 2:
        np.testing.assert_allclose(F, np.log(proba[:, 1] / proba[:, 0]), rtol=1e-9)
    else:
        np.testing.assert_allclose(F.sum(axis=1), 0, atol=1e-9)
        np.testing.assert_allclose(F - F[:, :1], np.log(proba / proba[:, :1]), atol=1e-9)


def test_adaboost_votes_as_c44_trees_and_tells_platts_probabilities():
    X, y = samples()
    model = AdaBoostC44Classifier(rounds=1, cv=3, random_state=4).fit(X, y)
    tree = C45Classifier(prune=False, collapse=False, laplace=True).fit(X, y)
    assert np.array_equal(model.predict(X), tree.predict(X))
    model = AdaBoostC44Classifier(rounds=25, cv=3, random_state=4).fit(X, y)
    held_out = np.empty(len(y))
    for train, test in StratifiedKFold(3, shuffle=True, random_state=4).split(X, y):
        one = AdaBoostC44Classifier(rounds=25, cv=2).fit(X[train], y[train])
        held_out[test] = one.decision_function(X[test])
    a, b = fit_sigmoid(held_out, y == 1)
    np.testing.assert_allclose(model.sigmoid_, [[a, b]], rtol=1e-9)
    expected = 1 / (1 + np.exp(-(a * model.decision_function(X) + b)))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected, rtol=1e-12)


@pytest.mark.slow
@both
def test_weights_of_costs_are_in_labels_and_probabilities_and_can_be_taken_out(name):
    """On the natural scale the mean probability is the share of the class."""
    X, y = samples(n=400)
    share = y.mean()
    heavy = np.where(y == 0, 8.0, 1.0)
    heavy /= heavy.mean()  # C4.5 counts weights as rows
    plain = with_params(name).fit(X, y)
    dear = with_params(name).fit(X, y, heavy)
    new, _ = samples(seed=7, n=400)
    assert (dear.predict(new) == 0).mean() > (plain.predict(new) == 0).mean() + 0.02
    assert dear.predict_proba(new)[:, 1].mean() < share - 0.2
    charged = CostWeightedClassifier(with_params(name), {0: 8.0, 1: 1.0}).fit(X, y)
    assert (charged.predict(new) == dear.predict(new)).mean() > 0.95
    for model in (plain, charged):
        assert abs(model.predict_proba(new)[:, 1].mean() - share) < 0.08


@both
def test_rows_of_weight_zero_play_no_part(name):
    X, y = samples()
    weights = np.where(np.arange(120) % 3, 1.0, 0.0)
    kept = weights > 0
    one = with_params(name).fit(X, y, weights)
    other = with_params(name).fit(X[kept], y[kept])
    assert np.array_equal(one.predict_proba(X), other.predict_proba(X))


@both
@classes
def test_in_a_plan_it_is_the_classifier(name, C):
    X, y = samples(C)
    X[::7, 1] = np.nan
    weights = np.random.default_rng(2).uniform(0.5, 2, len(y))
    ours = build_classifier(name, {"max_rounds": 30})
    found = fit_in_units(ours, X, y, C, 5, {}, weights).beliefs(X)
    model = with_params(name, max_rounds=30, cv=5, random_state=5).fit(X, y, weights)
    np.testing.assert_allclose(found.proba, model.predict_proba(X), rtol=1e-9)
    assert (found.margin is None) == (name == "logitboost")
    if found.margin is not None:
        assert np.array_equal(found.margin.argmax(axis=1), model.predict(X))
    again = ours.from_arrays(fit_in_units(ours, X, y, C, 5, {}, weights).to_arrays(), 5, C)
    assert np.array_equal(again.beliefs(X).proba, found.proba)


@both
@pytest.mark.parametrize("far", [2.0**-40, 2.0**40])
def test_units_do_not_matter_in_plans(name, far):
    X, y = samples()
    ours = build_classifier(name, {"max_rounds": 20})
    here, there = (fit_in_units(ours, one, y, 2, 0, {}).beliefs(one).proba for one in (X, X * far))
    np.testing.assert_array_equal(here, there)


@both
@pytest.mark.parametrize("counts", [(11, 1), (1, 1), (6, 5, 1), (2, 2)])
def test_classes_too_small_for_folds(name, counts):
    y = np.repeat(np.arange(len(counts)), counts)
    X = np.random.default_rng(4).normal(size=(len(y), 3)) + 3 * y[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        proba = with_params(name).fit(X, y).predict_proba(X)
    assert proba.shape == (len(y), len(counts))
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)


@both
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"rounds": 0}, "rounds=0"),
        ({"rounds": "best"}, "rounds='best'"),
        ({"rounds": True}, "True"),
        ({"max_rounds": 2.5}, "max_rounds=2.5"),
        ({"cv": 1}, "cv=1"),
    ],
)
def test_bad_parameters_are_refused(name, wrong, words):
    X, y = samples()
    with pytest.raises(ValueError, match=words):
        with_params(name, **wrong).fit(X, y)
    with pytest.raises(ValueError, match="one class"):
        with_params(name).fit(X, np.zeros(120))


def test_own_bad_parameters_are_refused():
    X, y = samples()
    with pytest.raises(ValueError, match=r"z_limit=0\.5"):
        LogitBoostClassifier(z_limit=0.5).fit(X, y)
    with pytest.raises(ValueError, match="min_samples_leaf=0"):
        AdaBoostC44Classifier(min_samples_leaf=0).fit(X, y)

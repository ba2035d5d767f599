"""The grid of the Gaussian support vector machine, and what weights do to machines."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from tamis.classifiers import CostWeightedClassifier, SVMGridClassifier
from tamis.classifiers.base.folds import stratified_rows
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier
from tamis.classifiers.support_vectors import PlattSVC
from tamis.classifiers.svm_grid import around_best, best_of, first_level

classes = pytest.mark.parametrize("C", [2, 3])


def samples(C=2, seed=0, n=90):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.minimum(np.arange(n) % (C + 1), C - 1))
    return rng.normal(size=(n, 4)) * [1, 20, 1, 0.1] + y[:, None] * [1.2, 0, 0.6, 0], y


def test_levels_of_the_grid():
    points = first_level(3.0)
    assert sorted({c for c, _ in points}) == [-22, -19, -16, -13, -10, -7, -4, -1, 2, 5, 7]
    assert sorted({g for _, g in points}) == [-10, -7, -4, -1, 2, 3]
    assert len(points) == 66
    near = around_best((5.0, -1.0), 1.0)
    assert sorted({c for c, _ in near}) == [3, 4, 5, 6, 7]
    assert sorted({g for _, g in near}) == [-3, -2, -1, 0, 1]
    assert sorted({c for c, _ in around_best((7.0, 3.0), 1.0)}) == [5, 6, 7]
    assert best_of({(2.0, 1.0): 0.2, (1.0, 3.0): 0.1, (1.0, 2.0): 0.1}) == (1.0, 2.0)


@classes
def test_every_point_is_scored_as_by_a_machine_of_its_own(C):
    X, y = samples(C)
    weights = np.random.default_rng(1).uniform(0.5, 3, len(y))
    model = SVMGridClassifier(step=6.0, levels=2, random_state=3).fit(X, y, weights)
    columns = StandardScaler().fit_transform(X)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=3).split(X, y))
    for (c, gamma), error in zip(model.points_, model.cv_error_, strict=True):
        wrong = np.empty(len(y))
        for train, test in folds:
            machine = SVC(C=2.0**c, gamma=2.0**gamma).fit(columns[train], y[train], weights[train])
            wrong[test] = machine.predict(columns[test]) != y[test]
        assert error == pytest.approx(np.average(wrong, weights=weights), abs=0.02)
    best = model.points_[model.cv_error_ == model.cv_error_.min()].tolist()
    assert [np.log2(model.C_), np.log2(model.gamma_)] == min(best)
    assert len(model.points_) == len({tuple(point) for point in model.points_})
    machine = PlattSVC("rbf", model.C_, model.gamma_, random_state=3).fit(columns, y, weights)
    np.testing.assert_allclose(model.predict_proba(X), machine.predict_proba(columns), rtol=1e-12)
    assert np.array_equal(model.predict(X), machine.predict(columns))


def test_the_second_level_is_around_the_best_of_the_first():
    X, y = samples()
    one, two = (SVMGridClassifier(levels=n, random_state=0).fit(X, y) for n in (1, 2))
    n = len(one.points_)
    np.testing.assert_array_equal(two.points_[:n], one.points_)
    np.testing.assert_array_equal(two.cv_error_[:n], one.cv_error_)
    centre = np.log2([one.C_, one.gamma_])
    assert (np.abs(two.points_[n:] - centre).max(axis=1) <= 2 + 1e-9).all()
    assert two.cv_error_.min() <= one.cv_error_.min()


def test_few_rows_choose_the_point():
    codes = np.repeat([0, 1, 2], [300, 99, 1])
    rows = stratified_rows(codes, 80, 0)
    assert np.abs(np.bincount(codes[rows]) - [60, 19, 1]).max() <= 1
    assert codes[rows].max() == 2
    assert not np.array_equal(rows, stratified_rows(codes, 80, 1))
    X, y = samples(n=300)
    settings = {"step": 14.0, "levels": 1, "random_state": 2}
    few = SVMGridClassifier(tune_on=60, **settings).fit(X, y)
    rows = stratified_rows(y, 60, 2)
    columns = StandardScaler().fit(X).transform(X)
    wrong = np.empty(60)
    splits = StratifiedKFold(3, shuffle=True, random_state=2).split(columns[rows], y[rows])
    for train, test in splits:
        c, gamma = 2.0 ** few.points_[-1]
        machine = SVC(C=c, gamma=gamma).fit(columns[rows[train]], y[rows[train]])
        wrong[test] = machine.predict(columns[rows[test]]) != y[rows[test]]
    assert few.cv_error_[-1] == pytest.approx(wrong.mean(), abs=0.02)
    everything = PlattSVC("rbf", few.C_, few.gamma_, random_state=2).fit(columns, y)
    np.testing.assert_array_equal(few.predict_proba(X), everything.predict_proba(columns))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@classes
def test_machines_with_weights_are_those_of_repeated_rows(kernel, C):
    X, y = samples(C, n=60)
    X = StandardScaler().fit_transform(X)
    times = np.random.default_rng(2).integers(0, 4, 60)
    rows = np.repeat(np.arange(60), times)
    one = PlattSVC(kernel, gamma=0.2, random_state=0).fit(X, y, times)
    other = PlattSVC(kernel, gamma=0.2, random_state=0).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), atol=2e-2)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@classes
def test_without_weights_the_sigmoid_is_scikit_learns(kernel, C):
    X, y = samples(C)
    X = StandardScaler().fit_transform(X)
    cv = StratifiedKFold(3, shuffle=True, random_state=1)
    peer = CalibratedClassifierCV(SVC(kernel=kernel, tol=1e-9), cv=cv, ensemble=False).fit(X, y)
    for weights in (None, np.ones(len(y))):
        ours = PlattSVC(kernel, random_state=1).fit(X, y, weights)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    "make",
    [
        lambda: PlattSVC("rbf", random_state=0),
        lambda: SVMGridClassifier(step=6.0, levels=1, random_state=0),
    ],
)
def test_weights_of_costs_are_in_labels_and_probabilities_and_can_be_taken_out(make):
    X, y = samples(n=400)
    heavy = np.where(y == 0, 8.0, 1.0)
    new, _ = samples(seed=7, n=400)
    plain, dear = make().fit(X, y), make().fit(X, y, heavy)
    assert (dear.predict(new) == 0).mean() > (plain.predict(new) == 0).mean() + 0.1
    assert dear.predict_proba(new)[:, 1].mean() < y.mean() - 0.2
    charged = CostWeightedClassifier(make(), {0: 8.0, 1: 1.0}).fit(X, y)
    assert (charged.predict(new) == dear.predict(new)).mean() > 0.95
    for model in (plain, charged):
        assert abs(model.predict_proba(new)[:, 1].mean() - y.mean()) < 0.08


@pytest.mark.parametrize("label", ["svm_linear", "svm_rbf", "svm_grid"])
@classes
def test_plans_hand_weights_on(label, C):
    X, y = samples(C)
    settings = {"step": 14.0, "levels": 1} if label == "svm_grid" else {}
    weights = np.where(y == 0, 5.0, 1.0)
    found = fit_in_units(build_classifier(label, settings), X, y, C, 1, weights=weights).beliefs(X)
    columns = StandardScaler().fit_transform(X)
    if label == "svm_grid":
        peer = SVMGridClassifier(**settings, random_state=1).fit(X, y, weights)
        columns = X
    else:
        peer = PlattSVC(label[4:], random_state=1).fit(columns, y, weights)
    np.testing.assert_allclose(found.proba, peer.predict_proba(columns), rtol=0, atol=1e-9)


@pytest.mark.parametrize("counts", [(11, 1), (1, 1), (6, 5, 1), (2, 2)])
def test_classes_too_small_for_folds(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    X = np.random.default_rng(4).normal(size=(len(y), 3)) + 3 * y[:, None]
    model = SVMGridClassifier(step=14.0, levels=1, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-12)
    if counts == (1, 1):
        assert (model.C_, model.gamma_) == (1.0, 1 / 3)


@pytest.mark.parametrize(
    "wrong", [{"step": 0}, {"levels": 0}, {"tune_on": True}, {"step": np.inf}, {"cv": 1}]
)
def test_bad_parameters_are_refused(wrong):
    X, y = samples()
    (name,) = wrong
    with pytest.raises(ValueError, match=f"{name}="):
        SVMGridClassifier(**wrong).fit(X, y)

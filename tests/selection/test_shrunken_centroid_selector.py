"""ShrunkenCentroidSelector: order, its own size, and scikit-learn's manners."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from tamis._core.interfaces import Part
from tamis.classifiers import ShrunkenCentroidClassifier
from tamis.kernels.shrunken_centroids import class_centroids
from tamis.selection._shrunken_centroid_selector import ShrunkenCentroidSelector


def planted(seed=0, n=40, p=150, n_classes=2, shift=2.5):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, p))
    X[:, :4] += shift * y[:, None]
    return X, y


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("size", [None, 3])
def test_check_estimator(size):
    results = check_estimator(ShrunkenCentroidSelector(size=size), on_fail=None)
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 30


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_the_thresholds_at_which_features_vanish(n_classes):
    X, y = planted(n_classes=n_classes)
    selector = ShrunkenCentroidSelector(size=4).fit(X, y)
    d = class_centroids(X, y, n_classes).d
    assert np.array_equal(selector.scores_, np.abs(d).max(axis=0))
    assert selector.get_support(indices=True).tolist() == [0, 1, 2, 3]
    for threshold in (0.2, 1.0, 3.0):
        model = ShrunkenCentroidClassifier(threshold=threshold).fit(X, y)
        assert np.array_equal(
            np.sort(model.selected_), np.flatnonzero(selector.scores_ > threshold)
        )


def test_own_size_is_the_number_of_survivors_at_the_best_threshold():
    X, y = planted(1)
    stream = np.random.SeedSequence(7)
    ranking = ShrunkenCentroidSelector().rank(Part.of(X, y), [10], stream)
    seed = int(np.random.SeedSequence(7).generate_state(1)[0])
    model = ShrunkenCentroidClassifier(random_state=seed).fit(X, y)
    assert ranking.chosen == len(model.selected_) > 0
    assert np.array_equal(ranking.path[ranking.chosen], model.selected_)
    assert np.array_equal(ranking.path[10][: ranking.chosen], model.selected_[:10])
    assert ShrunkenCentroidSelector(size=5).rank(Part.of(X, y), [5], stream).chosen is None


def test_at_least_one_feature_without_any_signal():
    sizes = []
    for seed in range(8):
        X, y = planted(seed, p=30, shift=0)
        sizes.append(ShrunkenCentroidSelector(random_state=seed).fit(X, y).support_.sum())
    assert min(sizes) >= 1


def test_ties_go_to_the_lower_column_and_fit_twice_equals_once():
    X, y = planted(2)
    X[:, 9] = X[:, 0]
    selector = ShrunkenCentroidSelector(random_state=3).fit(X, y)
    ranks, support = selector.ranking_.copy(), selector.support_.copy()
    assert ranks[9] == ranks[0] + 1
    selector.fit(X, y)
    assert np.array_equal(selector.ranking_, ranks)
    assert np.array_equal(selector.support_, support)

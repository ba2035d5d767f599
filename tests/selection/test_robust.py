"""Robust feature selection: what it finds, and that it is what it says it is."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import DataError, PlanError
from tamis.selection import HuberizedSVMSelector, RobustFeatureSelector, StabilitySelector


def planted(seed, n=40, p=200, n_classes=2, true=3, shift=1.5):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % n_classes)
    X = rng.normal(size=(n, p))
    X[:, :true] += shift * y[:, None]
    return X, y


def test_it_is_stability_selection_along_the_path_of_the_huberised_svm():
    X, y = planted(0)
    path = {"lambda2": 0.3, "delta": 1.0, "n_lambdas": 12, "standardize": False}
    halves = {"n_pairs": 9, "q": 12, "threshold": 0.8, "bound": "r_concave", "random_state": 4}
    inner = HuberizedSVMSelector(**path)
    for size in (5, None):
        ours = RobustFeatureSelector(**path, **halves, stratified=False, size=size).fit(X, y)
        theirs = StabilitySelector(inner, **halves, stratified=False, size=size).fit(X, y)
        for name in ("scores_", "ranking_", "support_", "probability_path_", "simultaneous_"):
            assert (getattr(ours, name) == getattr(theirs, name)).all()
        assert (ours.q_, ours.threshold_, ours.pfer_) == (
            theirs.q_,
            theirs.threshold_,
            theirs.pfer_,
        )


def test_the_best_k_give_up_error_control():
    X, y = planted(1)
    best = RobustFeatureSelector(n_pairs=10, random_state=0).fit(X, y)
    assert best.support_.sum() == 20
    assert (best.ranking_[best.support_] <= 20).all()
    assert best.pfer_ is best.threshold_ is None
    kept = RobustFeatureSelector(n_pairs=10, random_state=0, size=None).fit(X, y)
    assert (kept.scores_ == best.scores_).all()
    assert kept.pfer_ <= 1
    assert (kept.support_ == (kept.probabilities_ >= kept.threshold_)).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_planted_features_are_found(n_classes):
    for seed in range(3):
        X, y = planted(seed, n=60, n_classes=n_classes)
        found = RobustFeatureSelector(n_pairs=20, random_state=seed).fit(X, y)
        assert set(np.argsort(found.ranking_)[:3]) == {0, 1, 2}


def test_a_class_of_its_own_is_found():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 4
    X = rng.normal(size=(60, 100))
    for c in range(4):
        X[:, c] += 3 * (y == c)
    found = RobustFeatureSelector(n_pairs=10, random_state=0).fit(X, y)
    assert set(np.argsort(found.ranking_)[:4]) == {0, 1, 2, 3}


def test_noise_prefers_no_column():
    """The best 5 of 40 columns without effect lie anywhere, and few reach the threshold."""
    best, false = [], []
    for seed in range(60):
        X, y = planted(seed, n=30, p=40, true=0)
        found = RobustFeatureSelector(n_pairs=6, n_lambdas=12, size=None, random_state=seed)
        found.fit(X, y)
        best.append(np.argsort(found.ranking_)[:5])
        false.append(found.support_.sum())
    counts = np.bincount(np.concatenate(best), minlength=40)
    # each column is expected 7.5 times; the seeds are fixed, the limits 4 standard errors
    assert abs(np.concatenate(best).mean() - 19.5) < 4 * 40 / np.sqrt(12 * 300)
    assert counts.max() < 7.5 + 4 * np.sqrt(7.5)
    assert np.mean(false) <= found.pfer_


def test_constant_and_duplicate_columns():
    X, y = planted(2)
    X[:, 50] = X[:, 1]
    X[:, 60:80] = 0.1
    found = RobustFeatureSelector(n_pairs=10, random_state=0).fit(X, y)
    assert found.scores_[50] == found.scores_[1] > 0
    assert found.ranking_[50] == found.ranking_[1] + 1
    assert not found.probabilities_[60:80].any()


def test_units_and_offsets_do_not_matter():
    X, y = planted(3)
    selector = RobustFeatureSelector(n_pairs=8, random_state=0)
    scores = selector.fit(X, y).scores_
    scale = np.random.default_rng(0).uniform(0.1, 10, 200)
    assert (selector.fit(X * scale + 5, y).scores_ == scores).all()
    assert (selector.fit(X, np.array(["a", "b"])[y]).scores_ == scores).all()


def test_errors():
    X, y = planted(4)
    with pytest.raises(PlanError, match="lambda2=-1"):
        RobustFeatureSelector(lambda2=-1).fit(X, y)
    with pytest.raises(PlanError, match="give two"):
        RobustFeatureSelector(q=3, threshold=0.8, pfer=1).fit(X, y)
    with pytest.raises(DataError, match="at least 2"):
        RobustFeatureSelector().fit(X, np.arange(40) == 0)
    with pytest.raises(DataError, match="too large to square"):
        RobustFeatureSelector().fit(X * 1e200, y)


def test_where_nothing_varies_with_the_class_nothing_is_selected():
    """A training set of a study may be like that; it must not end the study."""
    y = np.arange(40) % 2
    X = np.column_stack([np.ones(40), np.full(40, 0.1)])
    selector = RobustFeatureSelector(n_pairs=5, size=None, threshold=0.9, random_state=0)
    assert not selector.fit(X, y).probabilities_.any()
    assert not selector.support_.any()
    alike = np.column_stack([X, np.arange(40) // 2 % 2])  # varies with y on halves alone
    assert not selector.fit(alike, y).probabilities_[:2].any()
    assert (np.diff(selector.lambdas_) < 0).all()

"""Classifiers by sets where no feature says anything alone, and where nothing does."""

from __future__ import annotations

import numpy as np
import pytest

from classifiers.set_classifiers import KINDS
from tamis.classifiers import CovRITClassifier, DiscRITClassifier
from tamis.classifiers.base.folds import stratified_splits
from tamis.data import EqualFrequencyDiscretizer


def exclusive_or(seed, n, features=32):
    rng = np.random.default_rng(seed)
    X = rng.random((n, features))
    return X, (X[:, 0] > 0.5) != (X[:, 1] > 0.5)


@pytest.mark.parametrize("rule", ["matched", "bernoulli"])
@pytest.mark.parametrize("seed", [0, 1])
def test_exclusive_or_of_halves(seed, rule):
    """discRIT on halves, whichever cuts them; 1,000 new rows are right in half by chance."""
    X, y = exclusive_or(seed, 300)
    new, truth = exclusive_or(seed + 100, 1000)
    halves = EqualFrequencyDiscretizer(2).fit(X)
    model = DiscRITClassifier(
        theta=0.35, theta_out=0.1, rule=rule, categorical_features=range(32), random_state=0
    ).fit(halves.transform(X), y)
    assert set(model.selected_[:2]) == {0, 1}
    assert model.score(halves.transform(new), truth) > 0.8


@pytest.mark.parametrize("seed", [0, 1])
def test_exclusive_or_of_intervals(seed):
    X, y = exclusive_or(seed, 300)
    new, truth = exclusive_or(seed + 100, 1000)
    model = CovRITClassifier(0.5, theta=0.3, theta_out=0.1, random_state=0).fit(X, y)
    assert set(model.selected_[:2]) == {0, 1}
    assert model.score(new, truth) > 0.5 + 5 * 0.5 / np.sqrt(1000)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [(kind, rule) for kind in KINDS for rule in ("matched", "bernoulli")]
    + [("covrit-cv", "bernoulli")],
)
def test_shuffled_labels_are_told_no_better_than_by_chance(kind, rule):
    right, told, n_sets = [], [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(48, 12)), rng.permutation(np.repeat([0, 1], 24))
        X[:, :6] += rng.normal(size=(48, 1))  # rows are alike whatever their class
        plan = {"rule": rule, "theta": 0.2, "theta_out": 0.5, "n_trees": 10, "random_state": seed}
        if kind == "covrit-cv":
            plan.update(epsilon=None, n_trees=3)
        if kind == "discrit":
            plan["discretizer"] = "equal_frequency"
        for train, test in stratified_splits(y, 4, seed):
            model = KINDS[kind.removesuffix("-cv")](**plan).fit(X[train], y[train])
            told += model.predict(X[test]).tolist()
            right += (model.predict(X[test]) == y[test]).tolist()  # as many of either class
            n_sets.append(len(model.rules_))
    assert abs(np.mean(right) - 0.5) < 4 * 0.5 / np.sqrt(len(right))
    assert set(told) == {0, 1}
    assert np.median(n_sets) >= 1  # or there would be nothing to be wrong about

"""Rules of sets as a saved model has them: the same after reading, and no damaged array is used."""

from __future__ import annotations

import numpy as np
import pytest

from classifiers.set_classifiers import KINDS, numeric_rules
from tamis._core.errors import ModelError
from tamis.classifiers import DiscRITClassifier
from tamis.classifiers.intersection_trees.rules import SetRules

kinds = pytest.mark.parametrize("kind", KINDS)


@kinds
@pytest.mark.parametrize("rule", ["matched", "bernoulli"])
def test_saved_arrays_predict_the_same(kind, rule):
    rules, X = numeric_rules(kind, rule=rule)
    assert len(rules) > 3
    back = SetRules.from_arrays(rules.to_arrays(), X.shape[1], 3)
    for name in ("proba", "scores"):
        np.testing.assert_array_equal(
            getattr(back.beliefs(X), name), getattr(rules.beliefs(X), name)
        )
    for name, array in back.to_arrays().items():
        np.testing.assert_array_equal(array, rules.to_arrays()[name])


def test_no_sets_are_saved_too():
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.repeat([0, 1], 10)
    rules = DiscRITClassifier("mdl").fit(X, y).rules_
    back = SetRules.from_arrays(rules.to_arrays(), 3, 2)
    assert len(back) == len(rules) == 0
    np.testing.assert_array_equal(back.beliefs(X).proba, np.full((20, 2), 0.5))


def changed(array, place, value):
    other = array.copy()
    other[place] = value
    return other


DAMAGE = {
    "at": [lambda a: changed(a, 0, 6), lambda a: changed(a, 0, -1), lambda a: changed(a, 0, 0.5)],
    "starts": [
        lambda a: changed(a, 0, 1),
        lambda a: changed(a, -1, a[-1] - 1),
        lambda a: changed(a, 1, a[2] + 1),
        lambda a: changed(a, 1, 0.5),
        lambda a: a[:0],
        lambda a: changed(a, 1, -1),
    ],
    "sizes": [lambda a: changed(a, 0, 0), lambda a: changed(a, 0, 9.5)],
    "values": [lambda a: a[:, :0], lambda a: np.hstack([a, a])],
    "counts": [lambda a: changed(a, (0, 0), -1), lambda a: changed(a, (0, 0), 1e6)],
    "low": [],
    "span": [lambda a: changed(a, 0, 0), lambda a: changed(a, 0, -1)],
    "rule": [lambda a: changed(a, 0, -1), lambda a: changed(a, 1, 0.5)],
}


@kinds
@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_arrays_are_refused(kind, name):
    rules, X = numeric_rules(kind)
    whole = rules.to_arrays()
    assert set(whole) == set(DAMAGE)
    of_any = [
        lambda a: a[:-1],
        lambda a: a[None],
        lambda a: a.astype(object),
        lambda a: a.tolist(),
        lambda a: changed(a, (0,) * a.ndim, np.nan),
        lambda a: changed(a, (0,) * a.ndim, np.inf),
    ]
    for damage in [*of_any, *DAMAGE[name]]:
        with pytest.raises(ModelError) as error:
            SetRules.from_arrays({**whole, name: damage(whole[name])}, X.shape[1], 3)
        assert "\n" not in str(error.value)
    with pytest.raises(ModelError, match=name):
        SetRules.from_arrays({k: a for k, a in whole.items() if k != name}, X.shape[1], 3)
    with pytest.raises(ModelError):
        SetRules.from_arrays(whole, X.shape[1] + 1, 3)
    with pytest.raises(ModelError):
        SetRules.from_arrays(whole, X.shape[1], 4)


def test_nearness_is_no_interval():
    """The two kinds of values are not taken for each other."""
    for kind, radius in [("covrit", 1.0), ("relrit", 0.0)]:
        rules, X = numeric_rules(kind)
        whole = rules.to_arrays()
        with pytest.raises(ModelError, match="values"):
            SetRules.from_arrays({**whole, "rule": np.array([radius, 0.0])}, X.shape[1], 3)

"""SVM-RFE against scikit-learn's RFE at equal steps, and against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.data import load_golub
from tamis.selection import EliminationSelector

TOLERANCE = 1e-9  # of libsvm: at its default of 1e-3 other features go, and the next rounds differ


def planted(seed, n_classes=2, n=36, p=30):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, p)) * rng.choice([0.1, 1, 100], p)
    X[:, :4] += X[:, :4].std(axis=0) * y[:, None]
    return X, y


@given(
    st.integers(0, 1000), st.sampled_from([2, 3]), st.sampled_from([1, 3, 7]), st.integers(1, 12)
)
@settings(max_examples=25, deadline=None)
def test_equals_scikit_learn_at_equal_steps(seed, n_classes, step, size):
    X, y = planted(seed, n_classes)
    ours = EliminationSelector(size=size, step=step).fit(X, y)
    peer = RFE(SVC(kernel="linear", tol=TOLERANCE), n_features_to_select=size, step=step)
    peer.fit(StandardScaler().fit_transform(X), y)
    # RFE's last round stops at the size; ours goes on and cuts by weight, which is the same
    # only where the rounds end at the size
    if (30 - size) % step == 0:
        assert ours.get_support().tolist() == peer.support_.tolist()


def plain_elimination(Z, y, step):
    """Every round its own machine by libsvm, on the columns left."""
    left, gone = list(range(Z.shape[1])), []
    while len(left) > 1:
        machine = SVC(kernel="linear", tol=TOLERANCE).fit(Z[:, left], y)
        drop = min(max(int(step * len(left)), 1), len(left) - 1)
        weights = (machine.coef_**2).sum(axis=0)
        worst = set(np.argsort(weights, kind="stable")[:drop])
        gone += sorted((left[k] for k in worst), key=lambda c: weights[left.index(c)])
        left = [c for k, c in enumerate(left) if k not in worst]
    return [*gone, *left][::-1]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("step", [0.1, 0.5])
def test_a_fraction_is_one_of_what_is_left(step, n_classes):
    X, y = planted(3, n_classes)
    found = EliminationSelector(size=None, step=step).fit(X, y)
    expected = plain_elimination(StandardScaler().fit_transform(X), y, step)
    assert np.argsort(found.ranking_).tolist() == expected


@pytest.mark.parametrize("permuted", [False, True])
def test_thousands_of_columns_go_in_the_order_of_exact_machines(permuted):
    golub = load_golub()
    y = np.random.default_rng(1).permutation(golub.y) if permuted else golub.y
    found = EliminationSelector(size=None, step=0.3).fit(golub.X, y)
    expected = plain_elimination(StandardScaler().fit_transform(golub.X), y, 0.3)
    # of the first to go some weights are as near as libsvm's single precision
    assert np.argsort(found.ranking_)[:1000].tolist() == expected[:1000]


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(C=0.3),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.5),
        DecisionTreeClassifier(random_state=0),
    ],
    ids=["logistic", "discriminant", "tree"],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_any_estimator_with_weights_equals_scikit_learn(estimator, n_classes):
    """A tree's seed is ours, so that it gets the one that `column_weights` draws."""
    X, y = planted(5, n_classes)
    Z = StandardScaler().fit_transform(X)
    if hasattr(estimator, "random_state"):
        estimator = SameSeed(random_state=0)
    ours = EliminationSelector(size=9, step=7, estimator=estimator).fit(X, y)
    peer = RFE(estimator, n_features_to_select=9, step=7).fit(Z, y)
    assert ours.get_support().tolist() == peer.support_.tolist()


class SameSeed(DecisionTreeClassifier):
    """A tree that forgets the seed it is given."""

    def fit(self, X, y):
        self.random_state = 0
        return super().fit(X, y)


def test_a_forest_is_seeded_and_left_as_it_is():
    X, y = planted(6)
    forest = RandomForestClassifier(5)
    pipeline = make_pipeline(StandardScaler(), forest)
    found = [
        EliminationSelector(size=3, step=0.5, estimator=pipeline, random_state=s).fit(X, y).ranking_
        for s in (1, 1, 2)
    ]
    assert found[0].tolist() == found[1].tolist() != found[2].tolist()
    assert forest.random_state is None
    assert not hasattr(forest, "estimators_")


@pytest.mark.parametrize("estimator", [GaussianNB(), KNeighborsClassifier()])
def test_an_estimator_without_weights_is_refused(estimator):
    X, y = planted(6)
    with pytest.raises(PlanError, match="has no `coef_` or `feature_importances_`"):
        EliminationSelector(estimator=estimator).fit(X, y)


def test_constant_columns_go_first():
    X, y = planted(4)
    X[:, 20:] = 7.0
    ranking = EliminationSelector(step=1).fit(X, y).ranking_
    assert set(np.argsort(ranking)[-10:]) == set(range(20, 30))


@pytest.mark.parametrize("step", [0, -1, True, 0.0, 1.5, float("inf"), float("nan"), "a"])
def test_bad_steps_are_named(step):
    with pytest.raises(PlanError, match="step="):
        EliminationSelector(step=step).fit(*planted(0))

"""Scores of subsets by updating, against scikit-learn's own cross-validation of each subset."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.classifiers import DiagonalDiscriminantClassifier
from tamis.selection.subset_scores import LEARNERS, SubsetScores, find_learner
from tamis.selection.subset_scores.criteria import CRITERIA, find_criterion

SEED = np.random.SeedSequence(0)


def table(seed, n_classes=2, n=60, p=12):
    """Columns of several units, two of them copies, one constant, one of far-off mean."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, p)), np.arange(n) % n_classes
    X[:, 0] += y
    X[:, 3] *= 1e3
    X[:, 5] += 1e3
    X[:, 10] = X[:, 0]
    X[:, 11] = 4.0
    return X, y


def folds_of(X, y, seed=0):
    return list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))


def scores_of(estimator, scoring, X, y, folds):
    learner = find_learner(estimator, int(y.max()) + 1, SEED)
    criterion = find_criterion(scoring, learner.values, learner.regresses)
    return SubsetScores(X, y, folds, learner, criterion)


CASES = [
    (LinearDiscriminantAnalysis(), "neg_log_loss"),
    (LinearDiscriminantAnalysis(), "accuracy"),
    (LinearDiscriminantAnalysis(), "f1_macro"),
    (DiagonalDiscriminantClassifier(), "neg_log_loss"),
    (GaussianNB(), "neg_log_loss"),
    (GaussianNB(), "balanced_accuracy"),
    (RidgeClassifier(), "accuracy"),
    (make_pipeline(StandardScaler(), RidgeClassifier(3.0)), "balanced_accuracy"),
    (KNeighborsClassifier(), "accuracy"),
    (KNeighborsClassifier(3, p=1), "balanced_accuracy"),
    (make_pipeline(StandardScaler(), KNeighborsClassifier()), "accuracy"),
]
OF_TWO = [
    (LinearDiscriminantAnalysis(), "neg_brier_score"),
    (LinearDiscriminantAnalysis(), "roc_auc"),
    (LinearDiscriminantAnalysis(priors=[0.3, 0.7]), "neg_log_loss"),
    (Ridge(2.0), "neg_mean_squared_error"),
    (LinearRegression(), "neg_mean_squared_error"),
]


@pytest.mark.parametrize(
    ("estimator", "scoring", "n_classes"),
    [(*case, C) for C in (2, 3) for case in CASES] + [(*case, 2) for case in OF_TWO],
    ids=lambda value: "" if not isinstance(value, str) else value,
)
def test_equals_cross_validation_of_every_subset(estimator, scoring, n_classes):
    X, y = table(1, n_classes)
    folds = folds_of(X, y)
    ours = scores_of(estimator, scoring, X, y, folds)
    assert ours.learner.updates
    target = y.astype(float) if ours.learner.regresses else y

    def peer(columns):
        one = X[:, np.sort(columns)]
        return cross_val_score(estimator, one, target, cv=folds, scoring=scoring).mean()

    chosen, new = np.array([1, 4, 7]), np.array([0, 2, 3, 5, 6, 8, 10])
    for base in (chosen, chosen[:0]):
        expected = [peer(np.append(base, j)) for j in new]
        np.testing.assert_allclose(ours.with_each(base, new), expected, rtol=1e-7, atol=1e-9)
    expected = [peer(np.delete(chosen, i)) for i in range(3)]
    np.testing.assert_allclose(ours.without_each(chosen), expected, rtol=1e-7, atol=1e-9)
    assert ours.mean_of(chosen) == pytest.approx(peer(chosen), rel=1e-9)
    assert ours.n_fits == 0


@pytest.mark.parametrize("name", LEARNERS)
@given(seed=st.integers(0, 10**6), n_classes=st.sampled_from([2, 3]), data=st.data())
@settings(max_examples=15, deadline=None)
def test_updates_equal_direct_evaluation(name, seed, n_classes, data):
    """Whatever is chosen: copies and constant columns among it, too."""
    X, y = table(seed, n_classes, n=36)
    chosen = np.array(sorted(data.draw(st.sets(st.integers(0, 11), max_size=6))), dtype=np.int64)
    new = np.setdiff1d(np.arange(12), chosen)
    scores = scores_of(name, "squared_error", X, y, folds_of(X, y, 1))
    direct = [scores.mean_of(np.append(chosen, j)) for j in new]
    np.testing.assert_allclose(scores.with_each(chosen, new), direct, rtol=1e-6, atol=1e-9)
    if len(chosen) > 1:
        direct = [scores.mean_of(np.delete(chosen, i)) for i in range(len(chosen))]
        np.testing.assert_allclose(scores.without_each(chosen), direct, rtol=1e-6, atol=1e-9)


def test_what_is_nearly_singular_is_fitted():
    """A copy of a chosen column, and a column that separates the classes without any spread."""
    X, y = table(2)
    X[:, 2] = y
    scores = scores_of("lda", None, X, y, folds_of(X, y))
    found = scores.with_each(np.array([0, 1]), np.array([10, 2]))
    assert scores.n_fits == 10  # both, in every fold
    assert found[0] == pytest.approx(scores.mean_of(np.array([0, 1])), rel=1e-6)
    assert found[1] > -1e-3  # the plan's discriminant uses what scikit-learn's drops


def test_a_class_that_a_fold_lacks():
    X, y = table(3, n_classes=3, n=31)
    y = np.where(y == 2, 0, y)
    y[7] = 2  # a single sample of the class
    folds = [(np.arange(31) % 5 != k, np.arange(31) % 5 == k) for k in range(5)]
    folds = [(np.flatnonzero(a), np.flatnonzero(b)) for a, b in folds]
    for name in LEARNERS:
        scores = scores_of(name, "accuracy", X, y, folds)
        found = scores.with_each(np.array([1]), np.array([0, 2, 4]))
        direct = [
            scores.mean_of(np.array([1, j]) if j > 1 else np.array([j, 1])) for j in (0, 2, 4)
        ]
        np.testing.assert_allclose(found, direct, rtol=1e-9)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_the_discriminant_has_no_units(scale):
    X, y = table(4)
    X = X[:, :9]
    chosen, new = np.array([0, 2]), np.array([1, 4, 5])
    plain = scores_of("lda", None, X, y, folds_of(X, y)).with_each(chosen, new)
    far = scores_of("lda", None, X * scale, y, folds_of(X, y)).with_each(chosen, new)
    np.testing.assert_allclose(far, plain, rtol=1e-8)


def test_the_true_best_among_near_ties():
    """Scores that rounding may have exchanged are compared by direct evaluation."""
    X, y = table(5)
    scores = scores_of("lda", None, X, y, folds_of(X, y))
    subsets = [np.array([1]), np.array([0])]
    told = np.array([scores.mean_of(s) for s in subsets])
    # pretend that an update misjudged the better one by a hair
    wrong = np.full(2, told.max()) * np.array([1.0, 1.0 + 1e-10])
    assert scores.best(wrong, lambda i: subsets[i]) == int(told.argmax())
    assert scores.best(np.array([0.5, 0.5]), lambda i: subsets[i]) == 0


@pytest.mark.quick
def test_any_other_estimator_is_fitted_and_counted():
    X, y = table(6)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    folds = folds_of(X, y)
    scores = scores_of(tree, "balanced_accuracy", X, y, folds)
    found = scores.with_each(np.array([1]), np.array([0, 2]))
    told = find_learner(tree, 2, SEED)
    assert not told.updates
    assert scores.n_fits == 10
    for j, score in zip((0, 2), found, strict=True):
        columns = sorted((1, j))
        peer = cross_val_score(tree, X[:, columns], y, cv=folds, scoring="balanced_accuracy")
        assert score == pytest.approx(peer.mean())
    assert tree.get_params()["random_state"] == 0
    assert not hasattr(tree, "tree_")


def test_a_scorer_of_ones_own():
    X, y = table(7)

    def own(estimator, X, y):
        return -((estimator.predict_proba(X)[:, 1] - y) ** 2).mean()

    folds, columns = folds_of(X, y), np.array([0, 1])
    mine = scores_of("lda", own, X, y, folds).mean_of(columns)
    assert mine == pytest.approx(scores_of("lda", "squared_error", X, y, folds).mean_of(columns))


def test_the_area_is_that_of_scikit_learn_with_ties():
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    codes = np.arange(20) % 2
    values = np.stack([np.zeros((20, 6)), rng.integers(0, 3, (20, 6)).astype(float)])
    expected = [roc_auc_score(codes, values[1, :, k]) for k in range(6)]
    found = CRITERIA["auc"].of(values, "log_joint", codes)
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(
    ("estimator", "scoring", "words"),
    [
        ("ldaa", None, "did you mean 'lda'"),
        ("bagging", None, "around no other"),
        (7, None, "give a name such as 'lda'"),
        ("ridge", "log_score", "needs probabilities"),
        ("lda", "acuracy", "did you mean 'accuracy'"),
        ("lda", 3, "give a name or a scorer"),
    ],
)
def test_what_is_refused(estimator, scoring, words):
    with pytest.raises(PlanError, match=words):
        scores_of(estimator, scoring, *table(8), [])


def test_a_regression_is_for_two_classes():
    with pytest.raises(PlanError, match="a regression"):
        find_learner(Ridge(), 3, SEED)


@pytest.mark.parametrize("name", ["knn", "lda", "naive_bayes"])
def test_updates_agree_with_the_definition_where_rows_tie(name):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, size=(100, 12)).astype(float), rng.integers(0, 2, 100)
    learner = find_learner(name, 2, np.random.SeedSequence(0))
    folds = list(StratifiedKFold(5).split(X, y))
    scores = SubsetScores(X, y, folds, learner, CRITERIA["accuracy"])
    chosen, new = np.arange(5), np.arange(5, 12)
    more = [scores.mean_of(np.append(chosen, j)) for j in new]
    fewer = [scores.mean_of(np.delete(chosen, i)) for i in range(5)]
    assert scores.with_each(chosen, new).tolist() == pytest.approx(more, abs=1e-12)
    assert scores.without_each(chosen).tolist() == pytest.approx(fewer, abs=1e-12)

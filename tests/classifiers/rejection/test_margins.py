"""Distances to the nearest border against weights written out."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC, NuSVC

from tamis._core.errors import PlanError
from tamis.classifiers import RejectingClassifier
from tamis.classifiers.rejection.margins import binary_norm, border_distance, estimator_output


def problem(C=2, seed=0, n=90):
    X, y = make_classification(
        n, 6, n_informative=4, n_redundant=0, n_classes=C, class_sep=0.7, random_state=seed
    )
    return X * [1, 5, 0.2, 1, 1, 3], y


def distance_of(fitted, X):
    return estimator_output(fitted, X, fitted.classes_).distance


BINARY = [
    LogisticRegression(),
    LinearSVC(),
    RidgeClassifier(),
    LinearDiscriminantAnalysis(),
    SVC(kernel="linear"),
]


@pytest.mark.parametrize("estimator", BINARY, ids=lambda e: type(e).__name__)
def test_of_two_classes_it_is_the_value_over_the_norm(estimator):
    X, y = problem()
    fitted = estimator.fit(X, y)
    w = fitted.coef_.ravel()
    found = distance_of(fitted, X)
    np.testing.assert_allclose(found, abs(fitted.decision_function(X)) / np.sqrt(w @ w))
    border = X - (fitted.decision_function(X) / (w @ w))[:, None] * w
    np.testing.assert_allclose(np.linalg.norm(X - border, axis=1), found)
    np.testing.assert_allclose(fitted.decision_function(border), 0, atol=1e-9)


def test_the_weights_of_a_linear_machine_are_those_of_its_support_vectors():
    X, y = problem()
    fitted = SVC(kernel="linear").fit(X, y)
    w = fitted.dual_coef_ @ fitted.support_vectors_
    np.testing.assert_allclose(
        distance_of(fitted, X), abs(fitted.decision_function(X)) / np.linalg.norm(w)
    )


@pytest.mark.parametrize("kind", [SVC, NuSVC])
def test_of_a_kernel_it_is_that_in_its_space(kind):
    X, y = problem()
    fitted = kind(gamma=0.2).fit(X, y)
    a, vectors = fitted.dual_coef_[0], fitted.support_vectors_
    norm = np.sqrt(a @ rbf_kernel(vectors, gamma=0.2) @ a)
    np.testing.assert_allclose(distance_of(fitted, X), abs(fitted.decision_function(X)) / norm)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csr_array])
def test_sparse_rows_are_as_far(kernel, kind):
    X, y = problem()
    dense = SVC(kernel=kernel, gamma=0.2).fit(X, y)
    fitted = SVC(kernel=kernel, gamma=0.2).fit(kind(X), y)
    np.testing.assert_allclose(distance_of(fitted, kind(X)), distance_of(dense, X), rtol=1e-6)


@pytest.mark.parametrize("estimator", [LogisticRegression(), SVC(gamma=0.2)], ids=str)
def test_a_pipeline_and_a_search_are_as_far_as_what_decides_in_them(estimator):
    X, y = problem()
    scaler = StandardScaler().fit(X)
    alone = distance_of(estimator.fit(scaler.transform(X), y), scaler.transform(X))
    pipeline = make_pipeline(StandardScaler(), estimator).fit(X, y)
    np.testing.assert_allclose(distance_of(pipeline, X), alone)
    search = GridSearchCV(pipeline, {}, cv=2).fit(X, y)
    np.testing.assert_allclose(distance_of(search, X), alone)


@pytest.mark.parametrize("estimator", [LogisticRegression(C=0.3), LinearDiscriminantAnalysis()])
def test_of_several_classes_it_is_that_to_the_nearest_border(estimator):
    X, y = problem(C=3)
    fitted = estimator.fit(X, y)
    found, told = distance_of(fitted, X), fitted.predict(X)
    f, w = fitted.decision_function(X), fitted.coef_
    for i, c in enumerate(told):
        others = [(f[i, c] - f[i, r]) / np.linalg.norm(w[c] - w[r]) for r in range(3) if r != c]
        assert found[i] == pytest.approx(min(others))
    assert (found >= 0).all()


def test_two_classes_of_one_weight_have_no_border_between_them():
    X, y = problem(C=3)
    fitted = LogisticRegression().fit(X, y)
    fitted.coef_[1] = fitted.coef_[0]
    fitted.intercept_[1] = fitted.intercept_[0] - 1
    found = distance_of(fitted, X)
    assert not np.isnan(found).any()
    f, w = fitted.decision_function(X), fitted.coef_
    for i in np.flatnonzero(fitted.predict(X) == 0):
        assert found[i] == pytest.approx((f[i, 0] - f[i, 2]) / np.linalg.norm(w[0] - w[2]))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_machines_of_several_classes_have_no_single_norm(kernel):
    """Their decision values are votes of pairs; certainty is the lead over the runner-up."""
    X, y = problem(C=3)
    fitted = SVC(kernel=kernel).fit(X, y)
    assert distance_of(fitted, X) is None
    model = RejectingClassifier(SVC(kernel=kernel), random_state=0).fit(X, y)
    f = np.sort(model.decision_function(X), axis=1)
    agree = model.predict_all(X) == model.decision_function(X).argmax(axis=1)
    assert agree.mean() > 0.9
    np.testing.assert_allclose(model.certainty(X)[agree], (f[:, 2] - f[:, 1])[agree])


@pytest.mark.parametrize("estimator", [GaussianNB(), KNeighborsClassifier()], ids=str)
def test_without_decision_values_there_is_none(estimator):
    X, y = problem()
    said = estimator_output(estimator.fit(X, y), X, np.array([0, 1]))
    assert said.distance is None
    assert said.margin is None


def test_without_weights_the_lead_is_what_is_known():
    X, y = problem()
    fitted = HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    assert distance_of(fitted, X) is None
    model = RejectingClassifier(HistGradientBoostingClassifier(max_iter=5), cv=2).fit(X, y)
    np.testing.assert_allclose(model.certainty(X), abs(model.decision_function(X)))


@pytest.mark.parametrize("C", [3, 4])
@pytest.mark.parametrize("wrap", [lambda e: e, lambda e: make_pipeline(StandardScaler(), e)])
def test_decision_values_of_pairs_are_refused(C, wrap):
    """Of three classes there are as many pairs as classes."""
    X, y = problem(C=C)
    model = RejectingClassifier(wrap(SVC(decision_function_shape="ovo")))
    with pytest.raises(PlanError, match='decision_function_shape="ovr"') as error:
        model.fit(X, y)
    assert "\n" not in str(error.value)
    two = y < 2
    pairs = RejectingClassifier(SVC(decision_function_shape="ovo"), random_state=0)
    assert pairs.fit(X[two], y[two]).predict(X).shape == y.shape


def test_a_classifier_that_has_not_seen_a_class():
    X, y = problem(C=3)
    fitted = LogisticRegression().fit(X[y != 1], y[y != 1])
    said = estimator_output(fitted, X, np.arange(3))
    assert set(said.codes) == {0, 2}
    assert (said.proba[:, 1] == 0).all()
    assert (said.margin[:, 1] < said.margin[:, [0, 2]].min(axis=1)).all()
    gap = abs(fitted.decision_function(X))
    np.testing.assert_allclose(said.distance, gap / np.linalg.norm(fitted.coef_))


def test_a_norm_is_known_of_one_row_of_weights_alone():
    """Of several rows, of none and of the machines of several pairs it is 0, which is no norm."""
    one = SimpleNamespace(coef_=np.array([[3.0, 4.0]]))
    assert binary_norm(one) == 5.0
    assert binary_norm(SimpleNamespace(coef_=np.array([3.0, 4.0]))) == 5.0
    assert binary_norm(SimpleNamespace(coef_=sparse.csr_array([[3.0, 4.0]]))) == 5.0
    pairs = SimpleNamespace(support_vectors_=np.ones((2, 2)), dual_coef_=np.ones((2, 2)))
    empty = SimpleNamespace(support_vectors_=np.ones((0, 2)), dual_coef_=np.ones((1, 0)))
    rows = SimpleNamespace(coef_=np.array([[3.0, 4.0], [0.0, 0.0]]))
    scores, codes = np.array([[-1.0, 1.0], [2.0, -2.0], [0.5, -0.5]]), np.array([1, 0, 1])
    for without in (rows, SimpleNamespace(coef_=np.zeros((1, 0))), pairs, empty, object()):
        assert binary_norm(without) == 0.0
        assert border_distance(without, scores, codes) is None
    assert border_distance(one, scores, codes).tolist() == [0.4, 0.8, -0.2]
    assert border_distance(one, scores, codes, 2.0).tolist() == [1.0, 2.0, -0.5]

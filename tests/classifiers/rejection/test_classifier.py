"""The classifier that declines, in scikit-learn's manners: parameters, labels, inputs, costs."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from tamis._core.errors import DataError, PlanError
from tamis.classifiers import RejectingClassifier

CRITERIA = ["f_beta", "fisher", "coverage", "cost", "risk", "conformal"]
criteria = pytest.mark.parametrize("criterion", CRITERIA)


def problem(C=2, n=200, sep=0.8, seed=0):
    return make_classification(
        n, 8, n_informative=4, n_classes=C, class_sep=sep, flip_y=0.02, random_state=seed
    )


def rejecting(estimator=None, **given):
    given = {"random_state": 0, **given}
    return RejectingClassifier(estimator or LogisticRegression(), **given)


def same_model(a, b, X):
    assert a.threshold_ == b.threshold_ or np.isnan([a.threshold_, b.threshold_]).all()
    assert a.p_value_ == b.p_value_
    assert a.predict_mask(X).tolist() == b.predict_mask(X).tolist()
    assert a.predict_all(X).tolist() == b.predict_all(X).tolist()


def test_the_parameter_score_and_the_method_go_side_by_side():
    X, y = problem()
    model = rejecting(score="posterior", criterion="coverage")
    for one in (model, clone(model), pickle.loads(pickle.dumps(model))):
        assert one.get_params()["score"] == "posterior"
        assert one.get_params(deep=False)["score"] == "posterior"
    assert clone(model).set_params(score="margin").get_params()["score"] == "margin"
    assert "score='posterior'" in repr(model)
    model.fit(X, y)
    kept = ~model.predict_mask(X)
    right = model.predict_all(X) == y
    assert model.score(X, y) == pytest.approx(right[kept].mean())
    weights = np.arange(len(y), dtype=float)
    expected = np.average(right[kept], weights=weights[kept])
    assert model.score(X, y, sample_weight=weights) == pytest.approx(expected)
    again = pickle.loads(pickle.dumps(model))
    same_model(again, model, X)
    assert again.score(X, y) == model.score(X, y)
    assert (model.certainty(X) <= 1).all()
    assert (model.set_params(score="margin").fit(X, y).certainty(X) > 1).any()


def test_a_search_may_choose_score_and_criterion():
    X, y = problem(n=120)
    model = rejecting(criterion="coverage", at=0.7, cv=3)
    assert cross_val_score(model, X, y, cv=3).shape == (3,)
    grid = {
        "score": ["margin", "posterior"],
        "criterion": ["coverage", "conformal"],
        "estimator__C": [0.1, 1.0],
    }
    search = GridSearchCV(model, grid, cv=2).fit(X, y)
    assert search.best_params_ == {k: search.best_estimator_.get_params()[k] for k in grid}
    assert {p["score"] for p in search.cv_results_["params"]} == {"margin", "posterior"}
    assert search.score(X, y) == search.best_estimator_.score(X, y)
    inside = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2)
    assert rejecting(inside, cv=2).fit(X, y).certainty(X).shape == (120,)


def test_nobody_accepted_has_no_score():
    X, y = problem(n=40, sep=0.1)
    model = rejecting(criterion="risk", at=0.01).fit(X, y)
    assert model.predict_mask(X).all()
    assert np.isnan(model.score(X, y))
    assert "all samples" in model.rule_.report_text()


@criteria
@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC(), GaussianNB()], ids=str)
def test_every_criterion_around_every_kind(criterion, C, estimator):
    X, y = problem(C)
    names = np.array(["wolf", "bear", "lynx"])
    model = rejecting(estimator, criterion=criterion, at=None if criterion != "cost" else 0.3)
    model.fit(X, names[y])
    assert model.classes_.tolist() == sorted(names[:C])
    mask = model.predict_mask(X)
    single = [model.predict_mask(row[None])[0] for row in X[:25]]
    assert single == mask[:25].tolist()
    assert model.predict(X).tolist() == model.estimator_.predict(X).tolist()
    if criterion in ("f_beta", "fisher", "coverage", "risk"):
        assert mask.tolist() == (model.certainty(X) < model.threshold_).tolist()
    else:
        assert np.isnan(model.threshold_)
    assert 0 <= model.p_value_ <= 1
    assert model.rejections_.n == len(X)
    assert model.risk_coverage_.coverage[-1] == 1.0
    assert hasattr(model, "predict_proba") == hasattr(estimator, "predict_proba")
    assert hasattr(model, "decision_function") == hasattr(estimator, "decision_function")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("labels", "uncertain", "kind"),
    [
        (["a", "b"], "uncertain", "U"),
        (["a", "b"], -1, "O"),
        ([0, 1], -1, "i"),
        ([0, 1], np.int64(-1), "i"),
        ([0, 1], "?", "O"),
        ([0.0, 1.0], np.nan, "f"),
        ([False, True], "?", "O"),
    ],
)
def test_what_is_said_of_uncertain_samples(labels, uncertain, kind):
    X, y = problem()
    y = np.array(labels)[y]
    model = rejecting(criterion="coverage", at=0.5, uncertain_label=uncertain).fit(X, y)
    mask, told = model.predict_mask(X), model.predict(X)
    assert 0 < mask.sum() < len(X)
    assert told.dtype.kind == kind
    assert told[~mask].tolist() == model.predict_all(X)[~mask].tolist()
    assert all(a == uncertain or a != a for a in told[mask].tolist())
    assert model.predict_all(X).dtype == y.dtype
    assert rejecting(criterion="coverage").fit(X, y).predict(X).dtype == y.dtype


def test_frames_and_sparse_rows():
    X, y = problem()
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(8)], index=range(7, 207))
    plain = rejecting(criterion="coverage", novelty=0.1).fit(X, y)
    named = rejecting(criterion="coverage", novelty=0.1).fit(frame, pd.Series(y))
    assert named.feature_names_in_.tolist() == list(frame.columns)
    assert named.predict_mask(frame).tolist() == plain.predict_mask(X).tolist()
    assert named.threshold_ == plain.threshold_
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        thin = rejecting(criterion="coverage", novelty=0.1).fit(kind(X), y)
        assert thin.threshold_ == pytest.approx(plain.threshold_)
        assert thin.predict_mask(sparse.csr_array(X)).shape == y.shape
    listed = rejecting(criterion="coverage", novelty=0.1).fit(X.tolist(), y.tolist())
    assert listed.predict_mask(X.tolist()).tolist() == plain.predict_mask(X).tolist()
    assert len(plain.predict(X[:1])) == 1


def test_missing_values_go_to_an_estimator_that_takes_them():
    X, y = problem()
    X[::7, 2] = np.nan
    inner = HistGradientBoostingClassifier(max_iter=10)
    model = rejecting(inner, criterion="coverage", cv=2).fit(X, y)
    assert 0 < model.predict_mask(X).sum() < len(X)
    with pytest.raises(DataError, match="fill missing values"):
        rejecting(inner, novelty=0.1, cv=2).fit(X, y)


def test_weights_are_the_estimators_and_the_criterion_counts_rows():
    X, y = problem(seed=3)
    rng = np.random.default_rng(0)
    weights = rng.uniform(0.1, 5.0, len(y))
    folds = list(StratifiedKFold(4).split(X, y))
    model = rejecting(cv=folds).fit(X, y, sample_weight=weights)
    wrong = np.zeros(len(y), dtype=bool)
    sure = np.zeros(len(y))
    for train, test in folds:
        one = LogisticRegression().fit(X[train], y[train], weights[train])
        wrong[test] = one.predict(X[test]) != y[test]
        sure[test] = abs(one.decision_function(X[test])) / np.linalg.norm(one.coef_)
    assert model.rejections_.errors == wrong.sum()
    for threshold, declined, failed in zip(
        model.rejections_.thresholds,
        model.rejections_.declined,
        model.rejections_.wrong,
        strict=True,
    ):
        assert (declined, failed) == ((sure < threshold).sum(), wrong[sure < threshold].sum())
    final = LogisticRegression().fit(X, y, weights)
    np.testing.assert_allclose(model.estimator_.coef_, final.coef_)
    assert rejecting(cv=folds).fit(X, y, np.ones(len(y))).threshold_ == pytest.approx(
        rejecting(cv=folds).fit(X, y).threshold_
    )


def test_groups_are_given_as_folds():
    X, y = problem(n=90)
    groups = np.arange(90) // 3
    folds = list(GroupKFold(3).split(X, y, groups))
    listed = rejecting(Recording(), cv=folds, criterion="coverage").fit(X, y)
    assert listed.rejections_.n == 90
    half = rejecting(criterion="coverage", cv=folds[:1]).fit(X, y)
    assert half.rejections_.n == len(folds[0][1])


def test_rows_held_out_twice_would_be_counted_twice():
    X, y = problem(n=60)
    with pytest.raises(PlanError, match="holds rows out more than once") as error:
        rejecting(cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2)).fit(X, y)
    assert "\n" not in str(error.value)


@criteria
def test_workers_do_not_matter_and_a_seed_repeats(criterion):
    X, y = problem(3)
    given = {"criterion": criterion, "novelty": 0.1, "at": 0.3}
    one = rejecting(**given).fit(X, y)
    same_model(rejecting(**given).fit(X, y), one, X)
    if criterion == "f_beta":
        with parallel_config(backend="threading"):
            same_model(rejecting(**given, n_jobs=2).fit(X, y), one, X)
    other = rejecting(random_state=np.random.RandomState(3), **given).fit(X, y)
    same_model(rejecting(random_state=np.random.RandomState(3), **given).fit(X, y), other, X)


class Recording(ClassifierMixin, BaseEstimator):
    """The nearest row's class; keeps how many rows it was fitted to and shown again."""

    fits: list[int] = []
    known: list[int] = []

    def fit(self, X, y):
        self.classes_, self.X_, self.y_ = np.unique(y), X, y
        self.fits.append(len(X))
        return self

    def _away(self, X):
        return ((X[:, None] - self.X_[None]) ** 2).sum(axis=2)

    def predict(self, X):
        away = self._away(X)
        self.known.append(int((away.min(axis=1) == 0).sum()))
        return self.y_[away.argmin(axis=1)]

    def decision_function(self, X):
        away = self._away(X)
        first, second = (np.where(self.y_ == c, away, np.inf).min(axis=1) for c in self.classes_)
        return np.sqrt(first) - np.sqrt(second)


@pytest.mark.parametrize("cv", [2, 5])
@criteria
def test_it_costs_one_cross_validation_and_one_fit(criterion, cv):
    """And no row is predicted by a model of itself: memory of random labels is of no use."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 3)), rng.permutation(np.arange(100) % 2)
    Recording.fits.clear()
    Recording.known.clear()
    model = rejecting(Recording(), criterion=criterion, cv=cv).fit(X, y)
    assert Recording.fits == [100 - 100 // cv] * cv + [100]
    assert Recording.known == [0] * cv
    assert (model.estimator_.predict(X) == y).all()
    assert 30 < model.rejections_.errors < 70


@pytest.mark.parametrize("criterion", ["f_beta", "fisher"])
def test_memory_of_random_labels_sets_hardly_a_threshold(criterion):
    """On its own rows it is never wrong, and surest there: five of 20 would be one in 400."""
    fitted = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 3)), rng.permutation(np.arange(100) % 2)
        fitted.append(rejecting(Recording(), criterion=criterion).fit(X, y))
    assert sum(model.threshold_ > -np.inf for model in fitted) < 5
    for model in fitted:
        assert (model.threshold_ > -np.inf) == (model.p_value_ <= model.significance)
        assert bool(model.rule_.doubt()) == (model.p_value_ > model.significance)


class Labels(ClassifierMixin, BaseEstimator):
    """Says labels and nothing else."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)


@pytest.mark.parametrize("score", ["auto", "margin", "posterior"])
@pytest.mark.parametrize("criterion", ["f_beta", "conformal"])
def test_labels_alone_are_not_enough(score, criterion):
    with pytest.raises(PlanError, match="neither decision_function nor predict_proba") as error:
        rejecting(Labels(), score=score, criterion=criterion).fit(*problem())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["at", "significance", "most", "novelty", "confidence"])
def test_shares_are_between_0_and_1(name):
    """All in between are taken, neither end is."""
    for value in (0.01, 0.99):
        rejecting(criterion="coverage", **{name: value})._rule()
    for value in (0.0, 1.0):
        with pytest.raises(PlanError, match=f"{name} = {value:g}"):
            rejecting(criterion="coverage", **{name: value})._rule()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"score": "entropy"}, "score = 'entropy'"),
        ({"criterion": "best"}, "criterion = 'best'"),
        ({"criterion": "coverage", "at": 1.5}, "at = 1.5: give a number between 0 and 1"),
        ({"at": 0}, "at = 0"),
        ({"criterion": "cost", "at": -1}, "at = -1: give a number above 0"),
        ({"at": "half"}, "at = 'half'"),
        ({"beta": 0}, "beta = 0"),
        ({"beta": None}, "beta = None"),
        ({"significance": 2}, "significance = 2"),
        ({"significance": True}, "significance = True"),
        ({"most": 0.0}, "most = 0.0"),
        ({"confidence": None}, "confidence = None"),
        ({"novelty": np.nan}, "novelty = nan"),
        ({"cv": 1}, "cv=1"),
        ({"criterion": "cost", "costs": "sizes"}, "costs = 'sizes'"),
    ],
)
def test_parameters_that_cannot_be_used_are_told_in_one_line(given, words):
    with pytest.raises(PlanError, match=words) as error:
        rejecting(**given).fit(*problem())
    assert "\n" not in str(error.value)


def test_probabilities_have_no_margin():
    with pytest.raises(PlanError, match="no decision_function: give score='posterior'"):
        rejecting(GaussianNB(), score="margin").fit(*problem())


def test_novelty_is_asked_for():
    X, y = problem()
    with pytest.raises(PlanError, match="give novelty="):
        rejecting().fit(X, y).novelty_scores(X)


def test_costs_are_chows():
    X, y = problem(3)
    table = {0: {1: 1, 2: 5}, 1: {0: 2, 2: 1}, 2: {0: 9, 1: 1}}
    model = rejecting(GaussianNB(), criterion="cost", at=0.5, costs=table).fit(X, y)
    proba, told = model.predict_proba(X), model.predict_all(X)
    costs = model._matrix.values
    expected = [sum(proba[m, j] * costs[told[m], j] for j in range(3)) for m in range(len(X))]
    assert model.predict_mask(X).tolist() == [cost > 0.5 for cost in expected]
    without = rejecting(GaussianNB(), criterion="cost", at=0.2).fit(X, y)
    assert without.predict_mask(X).tolist() == (proba.max(axis=1) < 0.8).tolist()


@pytest.mark.parametrize("pipe", [False, True])
def test_rows_of_a_class_never_seen_are_novel(pipe):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 5)), np.arange(150) % 2
    X[:, 0] += 3 * y
    inner = make_pipeline(StandardScaler(), SVC()) if pipe else SVC()
    model = rejecting(inner, novelty=0.05).fit(X, y)
    far = rng.normal(size=(50, 5)) + [1.5, 12, 0, 0, 0]
    assert model.predict_mask(far).all()
    usual = rng.normal(size=(400, 5)) + np.outer(np.arange(400) % 2, [3, 0, 0, 0, 0])
    assert (model.novelty_scores(usual) > model.novelty_threshold_).mean() < 0.12
    few = rejecting(inner, novelty=0.05).fit(X[:18], y[:18])
    assert few.novelty_threshold_ == np.inf
    assert not (few.novelty_scores(far) > few.novelty_threshold_).any()


def test_classes_that_are_far_apart_leave_nobody_uncertain():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = np.arange(80) % 2
        X = rng.normal(size=(80, 4)) + 12 * y[:, None]
        for inner in (LogisticRegression(), SVC(), GaussianNB()):
            for criterion in ("f_beta", "fisher"):
                model = rejecting(inner, criterion=criterion).fit(X, y)
                assert model.rejections_.errors == 0
                assert model.threshold_ == -np.inf
                assert not model.predict_mask(X).any()
                assert "was predicted wrong" in model.rule_.doubt()


def test_errors_are_caught_where_classes_overlap():
    """In mean of five tables the rows accepted are wrong less often, and not by chance."""
    errors = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = np.arange(1200) % 2
        X = rng.normal(size=(1200, 2)) + 1.5 * y[:, None]
        model = rejecting().fit(X[:200], y[:200])
        wrong, mask = model.predict_all(X[200:]) != y[200:], model.predict_mask(X[200:])
        assert model.p_value_ < 0.05
        errors.append((wrong.mean(), wrong[~mask].mean()))
    before, after = np.mean(errors, axis=0)
    assert after < 0.8 * before


def test_its_score_is_the_accuracy_of_the_samples_it_decides(monkeypatch):
    model = RejectingClassifier(LogisticRegression())
    labels, right = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    monkeypatch.setattr(type(model), "predict_all", lambda self, X: right)
    for declined, weights, score in (
        ([False, True, False, False], None, 2 / 3),
        ([False, True, False, False], [1, 9, 2, 1], 0.5),
        ([False] * 4, None, 0.75),
        ([True] * 4, None, np.nan),
    ):
        mask = np.array(declined)
        monkeypatch.setattr(type(model), "predict_mask", lambda self, X, mask=mask: mask)
        assert model.score(np.zeros((4, 1)), labels, weights) == pytest.approx(score, nan_ok=True)

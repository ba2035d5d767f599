"""Rules that promise something of further samples, held to it by simulation; and Chow's rule."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import beta as beta_distribution
from scipy.stats import binomtest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC

from tamis._core.interfaces import RuleInput
from tamis.classifiers import RejectingClassifier
from tamis.classifiers.rejection.conformal import Conformal, class_conformity
from tamis.classifiers.rejection.cost import Cost
from tamis.classifiers.rejection.margins import binary_norm
from tamis.classifiers.rejection.novelty import highest_usual
from tamis.classifiers.rejection.risk import N_COVERAGES, Risk


def beliefs(rng, n, C=3, skill=1.0):
    """Probabilities that are too sure of themselves, the likeliest classes, and true ones."""
    y = rng.integers(0, C, n)
    scores = rng.normal(size=(n, C)) + skill * np.eye(C)[y]
    proba = np.exp(3 * scores)
    proba /= proba.sum(axis=1, keepdims=True)
    codes = proba.argmax(axis=1)
    return RuleInput(proba[np.arange(n), codes], codes, proba), y


@pytest.mark.parametrize(("n", "alpha"), [(9, 0.1), (12, 0.2), (40, 0.1), (200, 0.05)])
def test_the_true_class_conforms_as_often_as_was_promised(n, alpha):
    """1,500 draws of n samples held out and 20 further ones; five standard errors."""
    rng = np.random.default_rng(n)
    inside, lost = [], []
    for _ in range(1500):
        rule = Conformal(alpha).fit(*beliefs(rng, n))
        told, y = beliefs(rng, 20)
        inside.append(np.mean(told.proba[np.arange(20), y] >= rule.least))
        lost.append(np.mean(rule.accepts(told) & (told.codes != y)))
    error = 5 * np.std(inside) / np.sqrt(1500)
    assert 1 - alpha - error < np.mean(inside) < 1 - alpha + 1 / (n + 1) + error
    assert np.mean(lost) < alpha + 5 * np.std(lost) / np.sqrt(1500)


@given(st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([0.05, 0.1, 0.2, 0.3, 0.5]))
def test_the_least_probability_is_an_order_statistic(seed, n, alpha):
    told, y = beliefs(np.random.default_rng(seed), n)
    rule = Conformal(alpha).fit(told, y)
    strange = sorted(1 - told.proba[i, y[i]] for i in range(n))
    place = next(k for k in range(1, n + 2) if k >= (n + 1) * (1 - alpha) - 1e-9)
    if place > n:
        assert rule.least == 0.0
        assert not rule.accepts(told).any()
        assert "all samples are declined" in rule.doubt()
        need = int(rule.doubt().split("(")[1].split()[0])
        assert n < need
        more, true = beliefs(np.random.default_rng(seed), need)
        assert Conformal(alpha).fit(more, true).least > 0
        return
    assert 1 - rule.least == pytest.approx(strange[place - 1])
    assert rule.doubt() == ""
    for i in range(n):
        fits = [c for c in range(3) if told.proba[i, c] >= rule.least]
        assert rule.accepts(told)[i] == (fits == [told.codes[i]])


def test_a_class_decided_on_that_does_not_conform_is_declined():
    told = RuleInput(
        np.zeros(3), np.array([1, 0, 0]), np.array([[0.7, 0.3], [0.7, 0.3], [0.5, 0.5]])
    )
    assert Conformal(least=0.6).accepts(told).tolist() == [False, True, False]
    assert Conformal(least=0.4).accepts(told).tolist() == [False, True, False]


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("score", ["auto", "posterior"])
def test_margins_alone_conform_by_the_distance_to_the_border(C, score):
    """More than a fifth is wrong, so that what is accepted at 0.2 is further from the border than
    the order statistic of how far rows held out were on the wrong side."""
    rng = np.random.default_rng(C)
    X, y = rng.normal(size=(120, 4)), np.arange(120) % C
    X[:, :C] += np.eye(C)[y]
    train, test = np.arange(60), np.arange(60, 120)
    model = RejectingClassifier(LinearSVC(), score, "conformal", at=0.2, cv=[(train, test)])
    model.fit(X, y)

    def distances(fitted, X):
        f, w, rows = fitted.decision_function(X), fitted.coef_, range(len(X))
        if C == 2:
            return np.abs(f) / np.linalg.norm(w)
        best = f.argmax(axis=1)
        return np.array(
            [
                min(
                    (f[i, best[i]] - f[i, r]) / np.linalg.norm(w[best[i]] - w[r])
                    for r in range(C)
                    if r != best[i]
                )
                for i in rows
            ]
        )

    inside = LinearSVC().fit(X[train], y[train])
    wrong = inside.predict(X[test]) != y[test]
    beyond = np.sort(np.where(wrong, 1, -1) * distances(inside, X[test]))
    least = beyond[math.ceil(61 * 0.8) - 1]
    assert least > 0
    found = ~model.predict_mask(X)
    assert found.tolist() == (distances(model.estimator_, X) > least).tolist()
    assert 0 < found.mean() < 1


def test_conformity_rises_with_the_gap_however_wide():
    ahead = np.array([0.0, 1e-3, 1.0, 1e3, 1e9])
    found = class_conformity(ahead, np.full(5, 1), 3)
    assert (np.diff(found[:, 1]) > 0).all()
    assert (np.diff(found[:, 0]) < 0).all()
    assert found[:, 0].tolist() == found[:, 2].tolist()
    assert found[0].tolist() == [0.5, 0.5, 0.5]
    assert found.min() > 0
    assert found.max() <= 1


class FirstColumn(ClassifierMixin, BaseEstimator):
    """Margins of which nothing is learnt: those of all folds are exchangeable."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return X[:, 0]

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0).astype(int)]


def lost_by(estimator, n, p, draws, cv=2, whole=True):
    """P(accepted and wrong) of each draw, by the model of all rows or of that of one split."""
    lost = []
    for draw in range(draws):
        rng = np.random.default_rng([draw, n])
        y = rng.permutation(np.arange(n + 500) % 2)
        X = rng.normal(size=(n + 500, p))
        X[:, 0] += 1.5 * y - 0.75
        a = np.arange(n // 2)
        split = cv if whole else [(a, np.arange(n // 2, n))]
        model = RejectingClassifier(estimator, criterion="conformal", cv=split, random_state=0)
        model.fit(X[:n], y[:n])
        if not whole:
            model.estimator_ = clone(estimator).fit(X[a], y[a])
            model.norm_ = binary_norm(model.estimator_)
        wrong = model.predict_all(X[n:]) != y[n:]
        lost.append(np.mean(wrong & ~model.predict_mask(X[n:])))
    return np.array(lost)


def test_margins_of_few_rows_held_out_are_wrong_no_more_often_than_was_promised():
    """Of the last 19 of 21 rows; a sigmoid of these would make it .12."""
    lost = []
    for draw in range(800):
        rng = np.random.default_rng(draw)
        y = np.r_[0, 1, rng.integers(0, 2, 519)]
        X = rng.normal(0.8 * y - 0.4)[:, None]
        split = [(np.arange(2), np.arange(2, 21))]
        model = RejectingClassifier(FirstColumn(), criterion="conformal", cv=split)
        model.fit(X[:21], y[:21])
        wrong = model.predict_all(X[21:]) != y[21:]
        lost.append(np.mean(wrong & ~model.predict_mask(X[21:])))
    assert 0.08 < np.mean(lost) < 0.1 + 3 * np.std(lost) / np.sqrt(800)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "n", "p", "whole"),
    [
        (FirstColumn(), 19, 1, True),
        (FirstColumn(), 29, 1, True),
        (SVC(kernel="linear"), 39, 20, False),
        (GaussianNB(), 39, 5, False),
    ],
    ids=str,
)
def test_one_model_is_wrong_no_more_often_than_was_promised(estimator, n, p, whole):
    lost = lost_by(estimator, n, p, 1500, whole=whole)
    assert np.mean(lost) < 0.1 + 3 * np.std(lost) / np.sqrt(len(lost))


@pytest.mark.slow
def test_folds_and_few_rows_are_wrong_a_little_more_often():
    lost = lost_by(SVC(kernel="linear"), 39, 20, 600, cv=5)
    assert np.mean(lost) < 0.14


def plain_risk(certainty, wrong, at, confidence):
    """Whom the rule declines, written out; None: everybody."""
    n = len(wrong)
    for step in range(N_COVERAGES, 0, -1):
        wished = math.ceil(n * step / N_COVERAGES - 1e-9)
        sets = [certainty >= t for t in np.unique(certainty)]
        kept = [s for s in sets if s.sum() >= wished][-1]
        k, failed = kept.sum(), wrong[kept].sum()
        level = 1 - (1 - confidence) / N_COVERAGES
        upper = 1.0 if failed == k else beta_distribution.ppf(level, failed + 1, k - failed)
        if upper <= at:
            return ~kept
    return np.ones(n, dtype=bool)


@given(
    st.integers(0, 10**6),
    st.sampled_from([0.1, 0.2, 0.4]),
    st.sampled_from([0.5, 0.9]),
    st.booleans(),
)
def test_risk_takes_the_largest_coverage_whose_limit_holds(seed, at, confidence, tied):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 150))
    certainty = rng.random(n)
    if tied:
        certainty = np.round(certainty, 1)
    wrong = rng.random(n) < 0.4 * (1 - certainty)
    told = RuleInput(certainty, wrong.astype(int), np.eye(2)[wrong.astype(int)])
    rule = Risk(at=at, confidence=confidence).fit(told, np.zeros(n, dtype=int))
    expected = plain_risk(certainty, wrong, at, confidence)
    assert (~rule.accepts(told)).tolist() == expected.tolist()
    assert rule.n == n
    assert bool(rule.doubt()) == expected.all()
    assert ("all samples" in rule.report_text()) == expected.all()


def test_without_an_error_it_takes_as_many_as_it_says():
    def kept(n):
        told = RuleInput(
            np.arange(float(n)), np.zeros(n, dtype=int), np.eye(2)[np.zeros(n, dtype=int)]
        )
        return Risk(at=0.1).fit(told, np.zeros(n, dtype=int))

    need = int(kept(3).doubt().split("it takes ")[1].split(")")[0])
    assert kept(need - 1).threshold == math.inf
    assert kept(need).threshold < math.inf


@pytest.mark.parametrize(("n", "at"), [(120, 0.2), (400, 0.1)])
def test_the_true_risk_is_seldom_above_the_one_promised(n, at):
    """P(wrong | certainty c) = expit(0.7 - 6 c), c uniform: the risk above t is an integral."""
    rng = np.random.default_rng(n)
    grid = (np.arange(4000) + 0.5) / 4000
    chance = expit(0.7 - 6 * grid)
    above = np.cumsum(chance[::-1])[::-1] / np.arange(4000, 0, -1)  # of certainty t and more
    broken = fitted = 0
    for _ in range(600):
        certainty = rng.random(n)
        wrong = (rng.random(n) < expit(0.7 - 6 * certainty)).astype(int)
        rule = Risk(at=at, confidence=0.8).fit(
            RuleInput(certainty, wrong, np.eye(2)[wrong]), np.zeros(n, dtype=int)
        )
        if rule.threshold == math.inf:
            continue
        fitted += 1
        true = above[min(3999, max(0, int(max(rule.threshold, 0.0) * 4000)))]
        broken += true > at
    assert fitted > 300
    assert binomtest(broken, 600, 0.2, alternative="greater").pvalue > 0.001


@pytest.mark.parametrize(("n", "share"), [(19, 0.05), (40, 0.1), (500, 0.05)])
def test_the_highest_usual_novelty_is_exceeded_as_often_as_was_promised(n, share):
    """2,000 draws of n samples and 20 further ones; five standard errors."""
    rng = np.random.default_rng(n)
    beyond = []
    for _ in range(2000):
        most = highest_usual(rng.gamma(2.0, size=n), share)
        beyond.append(np.mean(rng.gamma(2.0, size=20) > most))
    error = 5 * np.std(beyond) / np.sqrt(2000)
    assert share - 1 / (n + 1) - error < np.mean(beyond) < share + error


@pytest.mark.parametrize(("n", "share"), [(0, 0.1), (8, 0.1), (18, 0.05)])
def test_too_few_for_a_highest_usual_novelty(n, share):
    assert highest_usual(np.arange(float(n)), share) == math.inf
    assert highest_usual(np.arange(float(n + 1 + (n == 0) * 8)), share) < math.inf


@given(st.integers(0, 10**6), st.sampled_from([0.05, 0.3, 1.0]), st.booleans(), st.booleans())
def test_chows_rule_is_that_of_expected_costs(seed, at, by_class, by_sample):
    """Of class costs and of costs that each sample brings, one sample and class at a time."""
    rng = np.random.default_rng(seed)
    told, y = beliefs(rng, 30, skill=0.5)
    costs = None
    if by_sample:
        costs = rng.uniform(0, 4, (30, 3, 3)) * (1 - np.eye(3))
    elif by_class:
        costs = rng.uniform(0, 4, (3, 3)) * (1 - np.eye(3))
    given_ = RuleInput(told.certainty, told.codes, told.proba, costs)
    found = Cost(at).fit(given_, y).accepts(given_)
    for m in range(30):
        expected = 0.0
        for j in range(3):
            if by_sample:
                cost = costs[m, told.codes[m], j]
            elif by_class:
                cost = costs[told.codes[m], j]
            else:
                cost = float(told.codes[m] != j)
            expected += told.proba[m, j] * cost
        assert found[m] == (expected <= at) or expected == pytest.approx(at)


def test_chows_rule_keeps_a_sample_at_the_cost():
    proba = np.array([[0.9, 0.1], [0.7, 0.3], [0.9 - 1e-9, 0.1 + 1e-9]])
    told = RuleInput(proba[:, 0], np.zeros(3, dtype=int), proba)
    assert Cost(0.1).accepts(told).tolist() == [True, False, False]

"""Thresholds between two classes and minimum risk, against the same written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from common.examples import settings
from tamis._core.errors import PlanError
from tamis._core.interfaces import Beliefs
from tamis.classifiers.costs.minimum_risk import MinimumRisk
from tamis.classifiers.decisions.best_f import BestF
from tamis.classifiers.decisions.least_loss import LeastLoss
from tamis.classifiers.decisions.target_rate import (
    TargetSensitivity,
    TargetSpecificity,
    order_statistic,
)
from tamis.classifiers.decisions.threshold import OperatingPoints
from tamis.classifiers.decisions.youden import Youden
from tamis.classifiers.recalibrations.layer import Recalibrated
from tamis.classifiers.recalibrations.platt import Platt
from tamis.metrics.confusion_matrix import confusion, f_of

COSTS = np.array([[-1.0, 7.0], [2.0, 0.0]])
scores_and_classes = st.lists(
    st.tuples(st.integers(-6, 6), st.booleans()), min_size=4, max_size=40
).filter(lambda rows: len({c for _, c in rows}) == 2)


def margins(scores):
    """Beliefs whose score of the positive class is given."""
    f = np.asarray(scores, dtype=float)
    return Beliefs(np.column_stack([1 / (1 + np.exp(f)), 1 / (1 + np.exp(-f))]))


def split(rows):
    return np.array([float(s) for s, _ in rows]), np.array([int(c) for _, c in rows])


def every_cut(scores):
    """One threshold below, between and above all different scores."""
    points = np.unique(scores)
    return [-np.inf, *(points[1:] + points[:-1]) / 2, np.inf]


@given(scores_and_classes)
@settings(deadline=None, max_examples=100)
def test_operating_points_are_counts_at_each_threshold(rows):
    scores, y = split(rows)
    points = OperatingPoints.of(scores, y == 1)
    assert sorted(points.thresholds) == pytest.approx(every_cut(scores))
    for t, hits, alarms in zip(
        points.thresholds, points.true_positives, points.false_positives, strict=True
    ):
        assert hits == ((scores >= t) & (y == 1)).sum()
        assert alarms == ((scores >= t) & (y == 0)).sum()


def youden(y, told):
    return told[y == 1].mean() + (1 - told[y == 0]).mean()


def paid(y, told):
    return -COSTS[told, y].sum()


def f_measure(beta):
    def value(y, told):
        hits, wrong = (told & y).sum(), (told != y)
        double = (1 + beta**2) * hits
        total = double + beta**2 * (wrong & (y == 1)).sum() + (wrong & (y == 0)).sum()
        return double / total if total else 0.0

    return value


@pytest.mark.parametrize(
    ("decision", "value"),
    [
        (Youden(), youden),
        (LeastLoss(costs=COSTS), paid),
        (BestF(), f_measure(1)),
        (BestF(beta=3.0), f_measure(3.0)),
    ],
    ids=["youden", "loss", "f", "f3"],
)
@given(rows=scores_and_classes)
@settings(deadline=None, max_examples=60)
def test_no_other_threshold_is_better_where_it_was_learnt(decision, value, rows):
    scores, y = split(rows)
    fitted = decision.fit(margins(scores), y)
    told = fitted.decide(margins(scores)).codes
    best = max(value(y, (scores >= t).astype(int)) for t in every_cut(scores))
    assert value(y, told) == pytest.approx(best)


def test_a_threshold_between_neighbouring_numbers_keeps_them_apart():
    low = 1.0
    for _ in range(4):  # the middle is rounded to even, up or down
        high = np.nextafter(low, 2)
        points = OperatingPoints.of(np.array([low, high]), np.array([False, True]))
        assert low < points.thresholds[1] <= high
        low = high


@given(rows=scores_and_classes, seed=st.integers(0, 99), unit=st.sampled_from([1.0, 1e-15, 1e9]))
@settings(deadline=None, max_examples=60)
def test_the_empirical_threshold_is_of_least_loss_under_samples_own_costs(rows, seed, unit):
    scores, y = split(rows)
    own = np.random.default_rng(seed).integers(1, 9, size=(len(y), 2, 2)) * unit
    own[:, [0, 1], [0, 1]] = -unit  # what being right gains
    own[:, 1, 1] = 0

    def loss(told):
        return own[np.arange(len(y)), told, y].mean()

    fitted = LeastLoss(costs=COSTS).fit(replace(margins(scores), costs=own), y)
    told = fitted.decide(margins(scores)).codes
    least = min(loss((scores >= t).astype(int)) for t in every_cut(scores))
    assert loss(told) == pytest.approx(least, rel=1e-9, abs=1e-9 * unit)


def test_the_f_of_the_rule_is_that_of_the_metric():
    y, told = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0])
    assert f_measure(1)(y, told) == pytest.approx(f_of(confusion(y, told, 2)))


@given(scores_and_classes, st.sampled_from([0.5, 0.75, 0.9, 0.99]))
@settings(deadline=None, max_examples=100)
def test_a_wished_rate_is_reached_and_no_stricter_threshold_reaches_it(rows, at):
    scores, y = split(rows)
    for kind, own, sign in ((TargetSensitivity, 1, 1), (TargetSpecificity, 0, -1)):
        fitted = kind(at=at).fit(margins(scores), y)
        told = fitted.decide(margins(scores)).codes
        assert np.mean(told[y == own] == own) >= at - 1e-9
        stricter = [t for t in every_cut(scores) if sign * t > sign * fitted.threshold + 1e-9]
        for t in stricter:
            rate = np.mean((scores >= t).astype(int)[y == own] == own)
            same = np.array_equal((scores >= t).astype(int), told)
            assert rate < at - 1e-9 or same


@pytest.mark.parametrize("n", [10, 28, 29, 60, 200])
@pytest.mark.parametrize("at", [0.8, 0.9])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_with_confidence_the_order_statistic_is_the_last_whose_beta_law_allows_it(
    n, at, confidence
):
    """The share of further positives below the k-th of n is Beta(k, n - k + 1)."""
    k = order_statistic(n, at, confidence)
    exceeds = [beta.sf(1 - at, j, n - j + 1) for j in range(1, n + 1)]
    allowed = [j for j in range(1, n + 1) if exceeds[j - 1] <= 1 - confidence + 1e-12]
    assert k == max(allowed, default=0)


def test_too_few_for_a_statement_calls_everybody_positive_or_nobody():
    scores = np.arange(20.0)
    y = np.arange(20) % 2
    for kind, code in ((TargetSensitivity, 1), (TargetSpecificity, 0)):
        fitted = kind(at=0.9, confidence=0.95).fit(margins(scores), y)
        assert set(fitted.decide(margins(scores)).codes.tolist()) == {code}


@pytest.mark.parametrize("n", [40, 100])
def test_the_statement_holds_for_scores_that_are_exchangeable(n):
    """Of 2,000 draws, the true sensitivity falls short in no more than 5 %."""
    rng = np.random.default_rng(n)
    short = 0
    for _ in range(2000):
        y = np.r_[np.zeros(30, dtype=int), np.ones(n, dtype=int)]
        scores = rng.normal(size=len(y)) + y
        t = TargetSensitivity(at=0.9, confidence=0.95).fit(margins(scores), y).threshold
        from scipy.special import ndtr

        short += ndtr(t - 1.0) > 0.1
    assert short / 2000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_minimum_risk_takes_the_costs_of_a_sample_before_those_of_all():
    proba = np.array([[0.8, 0.2], [0.8, 0.2]])
    own = np.array([[[0.0, 1.0], [1.0, 0.0]], [[0.0, 10.0], [1.0, 0.0]]])
    same = MinimumRisk(costs=np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert same.decide(Beliefs(proba)).codes.tolist() == [0, 0]
    assert same.decide(Beliefs(proba, costs=own)).codes.tolist() == [0, 1]


def test_minimum_risk_looks_at_probabilities_and_not_at_margins():
    """Margins of a classifier that charges costs already would count them twice."""
    proba = np.array([[0.7, 0.3]])
    charged = np.log(np.array([[0.3, 0.7]]))
    decided = MinimumRisk(costs=np.array([[0.0, 2.0], [1.0, 0.0]])).decide(Beliefs(proba, charged))
    assert decided.codes.tolist() == [0]
    assert decided.beliefs.margin is None


def test_a_calibration_is_fitted_and_risks_are_of_what_it_says():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    f = rng.normal(size=60) + y
    given = Beliefs(np.full((60, 2), 0.5), np.column_stack([-f, f]))
    fitted = Recalibrated(Platt(), MinimumRisk(costs=COSTS)).fit(given, y)
    proba = Platt().fit(given, y).recalibrated(given)
    found = fitted.decide(given)
    np.testing.assert_array_equal(found.beliefs.proba, proba)
    np.testing.assert_array_equal(found.codes, (proba @ COSTS.T).argmin(axis=1))
    assert fitted.learns
    assert not MinimumRisk(costs=COSTS).learns


def test_without_costs_there_is_nothing_to_decide_by():
    with pytest.raises(PlanError, match="what errors cost"):
        MinimumRisk().decide(Beliefs(np.full((1, 2), 0.5)))
    with pytest.raises(PlanError, match="what errors cost"):
        LeastLoss().fit(margins([0.0, 1.0]), np.array([0, 1]))


def test_what_was_learnt_is_told_in_words_and_what_does_not_hold_is_doubted():
    scores, y = np.arange(40.0) - 20, np.arange(40) % 2
    names = ["well", "sick"]
    fitted = TargetSensitivity(at=0.8, confidence=0.9).fit(margins(scores), y)
    k = order_statistic(20, 0.8, 0.9)
    assert fitted.threshold == pytest.approx(np.sort(scores[y == 1])[k - 1])
    assert fitted.probability == pytest.approx(1 / (1 + np.exp(-fitted.threshold)))
    told = fitted.report_text(names)
    assert told.startswith("sick from a probability of")
    assert "at least 0.8 of further sick samples" in told
    assert "the 20 held out" in told
    assert fitted.doubt(names, grouped=False) == ""
    assert "come in groups" in fitted.doubt(names, grouped=True)
    few = TargetSpecificity(at=0.9, confidence=0.95).fit(margins(scores), y)
    assert few.report_text(names) == "every sample is called well"
    assert "20 samples of well are too few" in few.doubt(names, grouped=False)
    assert "(29 are needed)" in few.doubt(names, grouped=False)
    by_margin = Beliefs(margins(scores).proba, np.column_stack([-scores, scores]))
    for rule in (Youden(), BestF(), LeastLoss(costs=COSTS), TargetSensitivity()):
        learnt = rule.fit(by_margin, y)
        assert learnt.probability is None
        assert learnt.report_text(names).startswith("sick from a margin of")
        assert learnt.doubt(names, grouped=True) == ""

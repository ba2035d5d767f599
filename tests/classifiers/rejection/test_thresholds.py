"""Rules by a threshold of certainty, against slow references: every subset they could decline."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from common.examples import settings
from tamis._core.interfaces import RuleInput
from tamis.classifiers.rejection.accept_all import AcceptAll
from tamis.classifiers.rejection.coverage import Coverage
from tamis.classifiers.rejection.f_beta import FBeta
from tamis.classifiers.rejection.fisher import Fisher

INF = math.inf


def told(certainty, wrong):
    """What is said of samples that are all called 0, some of which are 1; and their classes."""
    y = np.asarray(wrong, dtype=np.int64)
    codes = np.zeros(len(y), dtype=np.int64)
    return RuleInput(np.asarray(certainty, dtype=float), codes, np.eye(2)[codes]), y


def fitted(rule, certainty, wrong):
    """The rule fitted, and whom of those samples it declines."""
    given_, y = told(certainty, wrong)
    found = rule.fit(given_, y)
    return found, ~found.accepts(given_)


def groups_declined(certainty, most=None):
    """Every set of samples that a threshold declines, the fewest first; never all."""
    sets = [certainty < point for point in np.unique(certainty)]
    return [s for s in sets if most is None or s.mean() <= most + 1e-9]


@st.composite
def samples(draw):
    """Certainties, some equal, and whether each prediction was wrong."""
    values = st.integers(0, 9) | st.floats(0, 9)
    pairs = draw(st.lists(st.tuples(values, st.booleans()), min_size=1, max_size=20))
    return np.array([c for c, _ in pairs], dtype=float), np.array([w for _, w in pairs])


def f_value(declined, wrong, beta):
    hits = (declined & wrong).sum()
    total = beta**2 * wrong.sum() + declined.sum()
    return (1 + beta**2) * hits / total if total else 0.0


def tail(declined, wrong):
    """The logarithm of Fisher's tail, its sign turned."""
    a = (declined & wrong).sum()
    return -hypergeom.logsf(a - 1, len(wrong), wrong.sum(), declined.sum())


def first_best(sets, values):
    """The first whose value no other exceeds by more than rounding."""
    most = max(values)
    return next(s for s, v in zip(sets, values, strict=True) if v >= most - 1e-9)


caps = st.sampled_from([None, 0.2, 0.5])


@settings(max_examples=80)
@given(samples(), st.sampled_from([0.5, 1.0, 2.0]), caps)
def test_the_largest_f_wins_and_of_equal_ones_the_fewest(drawn, beta, most):
    certainty, wrong = drawn
    rule, declined = fitted(FBeta(significance=None, most=most, beta=beta), certainty, wrong)
    sets = groups_declined(certainty, most)
    values = [f_value(s, wrong, beta) for s in sets]
    assert declined.tolist() == first_best(sets, values).tolist()
    assert rule.errors == wrong.sum()
    if not wrong.any():
        assert rule.threshold == -INF


@settings(max_examples=80)
@given(samples(), caps)
def test_the_least_tail_wins_and_of_equal_ones_the_fewest(drawn, most):
    certainty, wrong = drawn
    _, declined = fitted(Fisher(significance=None, most=most), certainty, wrong)
    sets = groups_declined(certainty, most)
    expected = first_best(sets, [tail(s, wrong) for s in sets]) if wrong.any() else sets[0]
    assert declined.tolist() == expected.tolist()


@pytest.mark.parametrize("kind", [FBeta, Fisher])
@given(drawn=samples(), most=caps, seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_without_significance_nobody_is_declined(kind, drawn, most, seed):
    certainty, wrong = drawn
    tested, declined = fitted(kind(most=most), certainty, wrong)
    free, always = fitted(kind(significance=None, most=most), certainty, wrong)
    assert tested.p_value == free.p_value
    if tested.p_value <= tested.significance and wrong.any():
        assert declined.tolist() == always.tolist()
        assert tested.threshold == free.threshold
    else:
        assert tested.threshold == -INF
        assert not declined.any()
    if not declined.any():
        assert "no sample is declined" in tested.doubt()
    order = np.random.default_rng(seed).permutation(len(wrong))
    again, _ = fitted(kind(most=most), certainty[order], wrong[order])
    assert (again.threshold, again.p_value) == (tested.threshold, tested.p_value)


@pytest.mark.parametrize("kind", [FBeta, Fisher])
def test_errors_that_gather_are_declined(kind):
    certainty = np.arange(60.0)
    wrong = (certainty < 8) | (certainty == 40)
    rule, declined = fitted(kind(), certainty, wrong)
    assert rule.p_value < 1e-5
    assert rule.threshold == 7.5
    assert declined.sum() == 8
    assert rule.doubt() == ""
    assert rule.report_text() == "declines samples of a certainty below 7.5"


@pytest.mark.parametrize("kind", [FBeta, Fisher])
def test_errors_among_the_most_certain_are_not(kind):
    certainty = np.arange(60.0)
    rule, declined = fitted(kind(), certainty, certainty > 50)
    assert not declined.any()
    assert rule.p_value > 0.5
    assert "not shown to gather" in rule.doubt()


@pytest.mark.parametrize("kind", [FBeta, Fisher])
@pytest.mark.parametrize("significance", [0.05, None])
def test_no_error_and_nothing_but_errors(kind, significance):
    rule = kind(significance=significance)
    clean, declined = fitted(rule, np.arange(9.0), np.zeros(9, dtype=bool))
    assert not declined.any()
    assert clean.doubt() == "no sample held out inside was predicted wrong: no sample is declined"
    assert clean.report_text() == "declines no sample"
    all_wrong, declined = fitted(rule, np.arange(9.0), np.ones(9, dtype=bool))
    assert all_wrong.p_value == 1.0
    if significance:
        assert not declined.any()


def test_a_cap_leaves_the_best_threshold_below_it():
    certainty = np.arange(100.0)
    wrong = certainty < 30
    _, free = fitted(FBeta(), certainty, wrong)
    _, capped = fitted(FBeta(most=0.1), certainty, wrong)
    assert (free.sum(), capped.sum()) == (30, 10)


@settings(max_examples=50)
@given(samples(), st.sampled_from([0.1, 0.5, 0.8, 0.95, 1.0]))
def test_coverage_declines_the_most_that_it_may(drawn, at):
    certainty, wrong = drawn
    rule, declined = fitted(Coverage(at=at), certainty, wrong)
    expected = groups_declined(certainty, 1 - at)[-1]
    assert declined.tolist() == expected.tolist()
    assert (~declined).mean() >= at - 1e-9
    assert fitted(Coverage(at=at), certainty, ~wrong)[0] == rule  # labels have no say


@given(samples())
def test_nobody(drawn):
    rule, declined = fitted(AcceptAll(), *drawn)
    assert not declined.any()
    assert rule.report_text() == "declines no sample"
    assert rule.doubt() == ""


def test_the_sample_at_the_threshold_keeps_its_label():
    given_, _ = told([0.5, 0.5 - 1e-12, -INF, INF], [0, 0, 0, 0])
    assert Coverage(threshold=0.5).accepts(given_).tolist() == [True, False, False, True]
    assert Coverage(threshold=-INF).accepts(given_).all()
    assert Coverage(threshold=INF).accepts(given_).tolist() == [False, False, False, True]

"""What declining comes to at every threshold, against plain loops over the samples."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom
from sklearn.metrics import fbeta_score, precision_score, recall_score

from common.examples import settings
from tamis.metrics.rejection import Rejections, gathering_p_value

INF = math.inf
COARSE = st.sampled_from([-INF, -1e308, -2.0, -0.0, 0.0, 5e-324, 0.1, 0.5, 1.0, 1e308, INF])
FINE = st.floats(allow_nan=False)


@st.composite
def samples(draw, values=COARSE | FINE):
    """Certainties and whether each prediction was wrong."""
    pairs = draw(st.lists(st.tuples(values, st.booleans()), min_size=1, max_size=25))
    return np.array([c for c, _ in pairs]), np.array([w for _, w in pairs])


@settings(max_examples=100)
@given(samples())
def test_a_threshold_declines_those_below_it(drawn):
    certainty, wrong = drawn
    found = Rejections.of(certainty, wrong)
    assert (found.n, found.errors) == (len(wrong), wrong.sum())
    assert len(found.thresholds) == len(set(certainty.tolist()))
    assert found.thresholds[0] == -INF
    assert np.all(np.diff(found.declined) > 0)
    assert found.declined[-1] < found.n
    for t, declined, failed in zip(found.thresholds, found.declined, found.wrong, strict=True):
        below = certainty < t
        assert below.sum() == declined
        assert (below & wrong).sum() == failed


@given(samples(st.floats(-100, 100)))
def test_thresholds_are_half_way(drawn):
    certainty, wrong = drawn
    points = sorted(set(certainty.tolist()))
    expected = [(a + b) / 2 for a, b in pairwise(points)]
    found = Rejections.of(certainty, wrong).thresholds[1:]
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-300)


def test_neighbours_among_numbers_are_kept_apart():
    below = np.nextafter(1.0, 0.0)
    found = Rejections.of([below, 1.0], [True, False])
    assert found.thresholds.tolist() == [-INF, 1.0]


@pytest.mark.parametrize("value", [0.0, 3.5, INF, -INF])
def test_equal_certainties_leave_no_candidate(value):
    found = Rejections.of(np.full(4, value), [True, False, True, True])
    assert found.thresholds.tolist() == [-INF]
    assert found.declined.tolist() == [0]
    assert found.p_value == 1.0
    assert math.isnan(found.declined_error[0])


@settings(max_examples=40)
@given(samples(), st.sampled_from([0.3, 1.0, 2.5]))
def test_shares_are_those_of_the_samples(drawn, beta):
    """Declining is a prediction of being wrong: its precision, recall and F are scikit-learn's."""
    certainty, wrong = drawn
    found = Rejections.of(certainty, wrong)
    scores = found.f(beta)
    for k, t in enumerate(found.thresholds):
        below = certainty < t
        kept = ~below
        assert found.coverage[k] == pytest.approx(kept.mean())
        assert found.error[k] == pytest.approx(wrong[kept].mean())
        if below.any():
            assert found.declined_error[k] == pytest.approx(precision_score(wrong, below))
        assert found.recall[k] == pytest.approx(recall_score(wrong, below, zero_division=0))
        expected = fbeta_score(wrong, below, beta=beta, zero_division=0)
        assert scores[k] == pytest.approx(expected)
        precision, recall = found.declined_error[k], found.recall[k]
        if below.any() and precision + recall > 0:
            square = beta * beta
            ratio = (1 + square) * precision * recall / (square * precision + recall)
            assert scores[k] == pytest.approx(ratio)


@given(samples(COARSE))
def test_tails_are_fishers(drawn):
    certainty, wrong = drawn
    found = Rejections.of(certainty, wrong)
    expected = hypergeom.logsf(found.wrong - 1, found.n, found.errors, found.declined)
    np.testing.assert_allclose(found.log_tails, expected, rtol=1e-9, atol=1e-11)
    assert 0 <= found.p_value <= 1
    if len(found.declined) > 1:
        assert found.p_value >= np.exp(found.log_tails.min()) * (1 - 1e-6)


@given(samples(COARSE), st.floats(0, 1))
def test_up_to_a_share(drawn, share):
    found = Rejections.of(*drawn)
    kept = found.up_to(share)
    expected = [
        t
        for t, d in zip(found.thresholds, found.declined, strict=True)
        if d <= share * found.n + 1e-9
    ]
    assert kept.thresholds.tolist() == expected
    assert (kept.n, kept.errors) == (found.n, found.errors)
    assert found.up_to(None) is found


def test_fewer_candidates_make_the_same_tail_rarer():
    rng = np.random.default_rng(1)
    certainty = rng.permutation(60)
    wrong = (certainty < 6) | (certainty % 6 == 0)
    found = Rejections.of(certainty, wrong)
    assert found.up_to(0.2).p_value < found.p_value < 1e-2


def test_of_equal_values_the_fewest_are_declined():
    found = Rejections.of(np.arange(5.0), [False, True, False, True, False])
    assert found.best(np.array([0.1, 0.5, 0.5 + 1e-15, 0.5, 0.2])) == 1
    assert found.best(np.zeros(5)) == 0
    # as good is what is below by 1e-12, of values over 1 by that share of them
    assert found.best(np.array([0.0, 1e-3 - 5e-13, 1e-3])) == 1
    assert found.best(np.array([0.0, 1e3 - 5e-10, 1e3])) == 1
    assert found.best(np.array([0.0, 1e-3 - 2e-12, 1e-3])) == 2
    assert found.best(np.array([0.0, 1e3 - 2e-9, 1e3])) == 2


def test_the_p_value_is_uniform_at_most_where_errors_have_no_place():
    """2,000 orders of 12 errors among 50: five standard errors of a share."""
    rng = np.random.default_rng(2)
    certainty = np.round(rng.normal(size=50), 1)
    flags = np.arange(50) < 12
    values = np.array(
        [Rejections.of(certainty, rng.permutation(flags)).p_value for _ in range(2000)]
    )
    for level in (0.01, 0.05, 0.2, 0.5):
        assert np.mean(values <= level) < level + 5 * np.sqrt(level * (1 - level) / 2000)


def test_each_predicted_class_is_asked_by_itself():
    """Errors of the rarer class, all of them less certain, gather nowhere inside it."""
    rng = np.random.default_rng(3)
    codes = np.repeat([0, 1], [80, 20])
    certainty = np.where(codes == 0, 10.0, 0.0) + rng.random(100)
    wrong = np.where(codes == 0, rng.random(100) < 0.1, rng.random(100) < 0.7)
    assert Rejections.of(certainty, wrong).p_value < 1e-5
    assert gathering_p_value(certainty, wrong, codes) > 0.05
    inside = (codes == 1) & (certainty < np.median(certainty[codes == 1]))
    assert gathering_p_value(certainty, inside, codes) < 1e-3


def test_classes_without_an_error_or_without_a_hit_say_nothing():
    certainty, codes = np.arange(30.0), np.repeat([0, 1, 2], 10)
    wrong = (codes == 0) & (certainty < 4) | (codes == 1)
    alone = Rejections.of(certainty[:10], wrong[:10]).p_value
    assert gathering_p_value(certainty, wrong, codes) == pytest.approx(alone)
    assert gathering_p_value(certainty, codes == 1, codes) == 1.0


def test_by_classes_the_p_value_is_uniform_at_most():
    """Errors in random order inside each predicted class, which differ in size and error rate."""
    rng = np.random.default_rng(4)
    codes = np.repeat([0, 1], [60, 25])
    certainty = rng.random(85) + codes
    values = []
    for _ in range(2000):
        parts = [rng.permutation(np.arange(n) < w) for n, w in ((60, 9), (25, 11))]
        wrong = np.concatenate(parts)
        values.append(gathering_p_value(certainty, wrong, codes))
    for level in (0.01, 0.03, 0.05, 0.2):
        share = np.mean(np.array(values) <= level)
        assert share <= level + 3 * np.sqrt(level * (1 - level) / 2000)
    assert np.mean(np.array(values) <= 0.05) > 0.02

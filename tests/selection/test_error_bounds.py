"""Error bounds of stability selection: published figures, and what the theorems say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.selection._error_bounds import BOUND_CHOICES, bounds_at, r_concave_tails, solve_control

FIGURES = {  # p = 12000, B = 50, threshold .75: PFER at q = 50, and q at PFER = 1
    "meinshausen_buhlmann": (0.417, 77),
    "unimodal": (0.213, 108),
    "r_concave": (0.049, 222),
}


@pytest.mark.parametrize("bound", BOUND_CHOICES)
def test_known_figures(bound):
    pfer, q = FIGURES[bound]
    assert round(solve_control(q=50, threshold=0.75, p=12000, bound=bound).pfer, 3) == pfer
    assert solve_control(threshold=0.75, pfer=1, p=12000, bound=bound).q == q


@given(st.integers(1, 60), st.integers(100, 5000), st.integers(1, 60), st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_closed_forms(q, p, n_pairs, k):
    assume(k <= n_pairs)
    B, theta = n_pairs, q / p
    pi = 0.5 + k / (2 * B)
    mb = solve_control(q=q, threshold=pi, p=p, n_pairs=B, bound="meinshausen_buhlmann")
    assert mb.threshold == pytest.approx(pi, abs=1e-12)
    assert mb.pfer == pytest.approx(min(q**2 / ((2 * pi - 1) * p), p))
    least = 0.5 + min(theta**2, 1 / (2 * B) + 3 * theta**2 / 4)
    assume(abs(pi - least) > 1e-9 and theta <= 1 / math.sqrt(3))
    if pi < least:
        with pytest.raises(PlanError, match="does not hold"):
            solve_control(q=q, threshold=pi, p=p, n_pairs=B)
        return
    low, high = 2 * (2 * pi - 1 - 1 / (2 * B)), (1 + 1 / B) / (4 * (1 - pi + 1 / (2 * B)))
    C = low if k <= B / 2 else high
    assert solve_control(q=q, threshold=pi, p=p, n_pairs=B).pfer == pytest.approx(
        min(q**2 / (p * C), p)
    )


def plain_tails(eta, steps, r):
    """One end of the support at a time, by a library's root finder."""
    tails = [1.0] * (steps + 1)
    for k in range(steps + 1):
        if k <= 2 * eta * steps + 1e-9:
            continue
        best = 0.0
        for end in range(k, steps + 1):
            i = np.arange(end + 1)

            def weights(log_a, i=i):
                f = (np.exp(log_a) + i) ** (1 / r)
                return f / f.sum()

            root = brentq(lambda u, i=i: weights(u) @ i - eta * steps, -40, 20, xtol=1e-13)
            best = max(best, weights(root)[k:].sum())
        tails[k] = best
    return np.array(tails)


@pytest.mark.parametrize("r", [-1 / 2, -1 / 4])
@pytest.mark.parametrize("eta", [0.001, 0.03, 0.2, 0.45, 0.49, 0.6])
def test_r_concave_tails_equal_the_plain_ones(eta, r):
    np.testing.assert_allclose(r_concave_tails(eta, 12, r), plain_tails(eta, 12, r), rtol=1e-6)


@given(
    st.lists(st.floats(0, 3), min_size=2, max_size=12),
    st.integers(0, 11),
    st.sampled_from([-1 / 2, -1 / 4]),
    st.floats(0.001, 5),
    st.floats(0, 3),
    st.integers(0, 3),
)
@settings(max_examples=400, deadline=None)
def test_no_r_concave_distribution_has_a_larger_tail(bends, turn, r, floor, slope, start):
    # f^r convex: slopes that rise, falling before `turn`
    slopes = np.cumsum(bends)
    slopes -= slopes[min(turn, len(slopes) - 1)] - slope
    convex = np.concatenate([[0.0], np.cumsum(slopes)])
    f = (convex - convex.min() + floor) ** (1 / r)
    f = np.concatenate([np.zeros(start), f])  # a support that need not begin at 0
    f /= f.sum()
    steps = len(f) - 1
    eta = f @ np.arange(steps + 1) / steps
    upper = f[::-1].cumsum()[::-1]
    assert (upper <= r_concave_tails(eta, steps, r) * (1 + 1e-6) + 1e-12).all()


@pytest.mark.parametrize("r", [-1 / 2, -1 / 4])
@pytest.mark.parametrize(("steps", "eta", "k"), [(5, 0.08, 2), (6, 0.2, 3), (6, 0.35, 6)])
def test_an_optimiser_finds_the_same_largest_tail(steps, eta, k, r):
    """Over all convex g = f^r, with no word of what the extreme ones look like."""
    rng = np.random.default_rng(0)
    i = np.arange(steps + 1)

    def shape(g):
        f = np.maximum(g, 1e-9) ** (1 / r)
        return f / f.sum()

    rules = [
        {"type": "ineq", "fun": lambda g: np.diff(g, 2)},
        {"type": "ineq", "fun": lambda g: 10 * (eta * steps - shape(g) @ i)},
        {"type": "eq", "fun": lambda g: g[0] - 1},
    ]
    best = 0.0
    for scale in [0.05, 0.5, 3.0] * 3:
        start = 1 + scale * np.cumsum(np.cumsum(rng.exponential(size=steps + 1)))
        found = minimize(
            lambda g: -np.log(shape(g)[k:].sum()),
            start / start[0],
            constraints=rules,
            bounds=[(1e-3, 1e4)] * (steps + 1),
            options={"maxiter": 300},
        ).x
        f = shape(found)
        if np.diff(found, 2).min() > -1e-6 and f @ i <= eta * steps + 1e-6:
            best = max(best, f[k:].sum())
    assert best == pytest.approx(r_concave_tails(eta, steps, r)[k], rel=1e-3)


@given(
    st.sampled_from(BOUND_CHOICES),
    st.integers(50, 3000),
    st.floats(0.01, 20),
    st.sampled_from([5, 20]),
)
@settings(max_examples=40, deadline=None)
def test_solved_thirds_are_the_best_under_the_bound(bound, p, pfer, n_pairs):
    try:
        found = solve_control(threshold=0.8, pfer=pfer, p=p, n_pairs=n_pairs, bound=bound)
    except PlanError:
        level = round(0.8 * 2 * n_pairs)
        assert bounds_at(1, p, 2 * n_pairs, bound)[level] > pfer
        return
    assert found.pfer <= pfer * (1 + 1e-9)
    if found.q < p:
        after = bounds_at(found.q + 1, p, 2 * n_pairs, bound)
        assert after[round(found.threshold * 2 * n_pairs)] > pfer
    back = solve_control(q=found.q, pfer=pfer, p=p, n_pairs=n_pairs, bound=bound)
    assert back.threshold <= found.threshold
    level = round(back.threshold * 2 * n_pairs)
    assert bounds_at(found.q, p, 2 * n_pairs, bound)[level - 1] > pfer


@pytest.mark.parametrize("bound", BOUND_CHOICES)
def test_bounds_fall_with_the_threshold_and_rise_with_q(bound):
    table = np.array([bounds_at(q, 400, 40, bound) for q in range(1, 200)])
    with np.errstate(invalid="ignore"):
        assert not (np.diff(table, axis=1) > 1e-12).any()
        assert not (np.diff(table, axis=0) < -1e-12).any()


def test_where_the_unimodal_bound_holds():
    # theta = 1/2, B = 50: above 0.5 + min(0.25, 0.01 + 0.1875) = 0.6975
    with pytest.raises(PlanError, match="does not hold"):
        solve_control(q=50, threshold=0.69, p=100)
    assert solve_control(q=50, threshold=0.7, p=100).threshold == 0.7
    # theta = 0.3: above 0.5 + min(0.09, 0.01 + 0.0675) = 0.5775; theta = 0.1: above 0.51
    assert np.flatnonzero(np.isfinite(bounds_at(30, 100, 100, "unimodal")))[0] == 58
    assert np.flatnonzero(np.isfinite(bounds_at(10, 100, 100, "unimodal")))[0] == 52
    assert np.isinf(bounds_at(58, 100, 100, "unimodal")).all()  # 1/sqrt 3 is 0.577


@pytest.mark.parametrize("bound", BOUND_CHOICES)
@pytest.mark.parametrize("p", [2, 3, 5])
def test_no_more_features_are_false_than_there_are(p, bound):
    for q in range(1, p + 1):
        table = bounds_at(q, p, 100, bound)
        finite = table[np.isfinite(table)]
        assert ((finite > 0) & (finite <= p)).all()
        if bound == "unimodal" and q > p / math.sqrt(3):
            with pytest.raises(PlanError, match=f"give a q of at most {int(p / math.sqrt(3))}"):
                solve_control(q=q, threshold=1.0, p=p, bound=bound)
        else:
            assert solve_control(q=q, threshold=1.0, p=p, bound=bound).pfer == finite[-1]
    assert solve_control(threshold=0.9, pfer=1, p=p, bound=bound).q >= 1


@pytest.mark.parametrize("bound", BOUND_CHOICES)
@pytest.mark.parametrize(
    "two", [{"threshold": 0.75, "pfer": 1}, {"q": 1, "threshold": 1.0}, {"q": 1, "pfer": 5.0}]
)
def test_one_feature_cannot_be_selected(two, bound):
    """theta is 1: every bound would be 1, or hold nowhere."""
    with pytest.raises(PlanError, match="n_features=1: every half selects the only feature"):
        solve_control(p=1, bound=bound, **two)


def test_the_threshold_is_rounded_up_to_the_grid():
    assert solve_control(q=5, threshold=0.61, p=1000, n_pairs=10).threshold == 0.65
    for k in range(51, 101):  # k/100 is not exact in binary
        assert solve_control(
            q=1, threshold=k / 100, p=1000, bound="meinshausen_buhlmann"
        ).threshold == (k / 100)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"q": 5}, "give two"),
        ({"q": 5, "threshold": 0.8, "pfer": 1}, "give two"),
        ({"q": 0, "threshold": 0.8}, "q=0"),
        ({"q": 101, "threshold": 0.8}, "100"),
        ({"q": 2.5, "threshold": 0.8}, "whole number"),
        ({"q": 5, "threshold": 0.5}, "above 0.5"),
        ({"q": 5, "threshold": float("nan")}, "above 0.5"),
        ({"q": 5, "pfer": -1}, "above 0"),
        ({"q": 50, "pfer": 0.01}, "no threshold"),
        ({"threshold": 0.8, "pfer": 1e-6}, "not even q=1"),
        ({"q": 70, "threshold": 0.9}, "does not hold"),
        ({"q": 5, "threshold": 0.8, "n_pairs": 0}, "n_pairs=0"),
        ({"q": 5, "threshold": 0.8, "bound": "unimodel"}, "did you mean 'unimodal'"),
    ],
)
def test_errors_say_what_to_do(given, words):
    with pytest.raises(PlanError, match=words):
        solve_control(**{"p": 100, **given})

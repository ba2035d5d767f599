"""Detection p-values against plain references: affy's rules word by word, and all signs tried."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, wilcoxon

from common.examples import settings
from tamis.kernels.detection import MAX_EXACT_PAIRS, _signed_ranks, detection_p, null_tables

tables = functools.cache(null_tables)


def p_values(pm, mm, sizes, exact, tau=0.015):
    found = np.empty(len(sizes))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    detection_p(np.asarray(pm), np.asarray(mm), starts, tau, exact, tables(), found)
    return found


def scores(pm, mm):
    keep = mm <= 46000 if (mm <= 46000).any() else np.ones(len(mm), dtype=bool)
    found = (pm[keep] - mm[keep]) / (pm[keep] + mm[keep]) - 0.015
    return found[found != 0]


def pairs(seed, k, coarse):
    rng = np.random.default_rng(seed)
    mm = rng.gamma(2, 200, k) + 30
    pm = mm * np.exp(rng.normal(0.2, 0.5, k))
    mm[rng.random(k) < 0.1] = 46001.0
    return (np.ceil(pm / coarse) * coarse, np.ceil(mm / coarse) * coarse) if coarse else (pm, mm)


@given(st.integers(0, 10**6), st.integers(1, 10), st.sampled_from([0, 1, 150]))
@settings(deadline=None, max_examples=60)
def test_exact_is_the_share_of_all_signs(seed, k, coarse):
    pm, mm = pairs(seed, k, coarse)
    x = scores(pm, mm)
    ranks = rankdata(np.abs(x))
    least = ranks[x > 0].sum()
    signs = itertools.product([0, 1], repeat=len(x))
    share = np.mean([np.dot(s, ranks) >= least - 1e-9 for s in signs])
    assert p_values(pm, mm, [k], True)[0] == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("k", [11, 20, 40, 50, 90, 200, 250, 400])
def test_exact_as_scipy(k):
    pm, mm = pairs(k, k, 0)
    x = scores(pm, mm)
    method = "exact" if len(x) <= MAX_EXACT_PAIRS else "approx"
    expected = wilcoxon(x, alternative="greater", method=method).pvalue
    assert p_values(pm, mm, [k], True)[0] == pytest.approx(expected, rel=1e-9)


def plain_affy(x):
    """Without ties."""
    n = len(x)
    w = rankdata(np.abs(x))[x > 0].sum()
    z = (w - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return 0.5 * math.erfc(z / math.sqrt(2))


@pytest.mark.parametrize("k", [1, 2, 11, 16, 60])
def test_affy_is_the_normal_approximation(k):
    """To what its polynomial is good for; its very figures are in the goldens."""
    pm, mm = pairs(k, k, 0)
    assert p_values(pm, mm, [k], False)[0] == pytest.approx(plain_affy(scores(pm, mm)), abs=1e-6)


def test_sets_do_not_know_of_each_other():
    sizes = [3, 1, 30, 11, 60]
    pm, mm = pairs(1, sum(sizes), 100)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for exact in (False, True):
        alone = [
            p_values(pm[a:b], mm[a:b], [b - a], exact)[0] for a, b in itertools.pairwise(starts)
        ]
        np.testing.assert_array_equal(p_values(pm, mm, sizes, exact), alone)


def test_ranks_are_of_the_scores_of_this_set_alone():
    """Behind them the room has what an earlier set left."""
    sizes, order, ranks = np.array([0.0, 0.0, 0.2]), np.zeros(3, int), np.zeros(3, int)
    assert not _signed_ranks(np.array([-0.2, 0.1, 0.2]), 2, sizes, order, ranks)
    assert ranks.tolist() == [2, -4, 0]


@pytest.mark.parametrize("exact", [False, True])
def test_pairs_that_say_nothing(exact):
    assert p_values([70.0, 90.0], [70.0, 90.0], [2], exact, tau=0.0)[0] == 1.0
    most = p_values([50000.0] * 5, [47000.0] * 5, [5], exact)[0]  # all saturated: all count
    assert most < 0.06

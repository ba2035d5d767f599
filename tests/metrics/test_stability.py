"""Stability measures against exact fractions, their identities, and their limits."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis.metrics import (
    common_feature_stability,
    common_features,
    kuncheva_index,
    lustgarten_stability,
    nogueira_stability,
    stability_summary,
)

quick = settings(max_examples=80, deadline=None)


@st.composite
def collections(draw, least=2):
    n = draw(st.integers(1, 12))
    sets = draw(
        st.lists(st.sets(st.integers(0, n - 1)), min_size=least, max_size=7).map(
            lambda found: [sorted(s) for s in found]
        )
    )
    return sets, n


@st.composite
def equal_sizes(draw):
    n = draw(st.integers(2, 12))
    k = draw(st.integers(1, n - 1))
    one = st.permutations(range(n)).map(lambda order: sorted(order[:k]))
    return draw(st.lists(one, min_size=2, max_size=7)), n


def plain_lustgarten(sets, n):
    values, undefined = [], 0
    for a, b in combinations(map(set, sets), 2):
        above = len(a & b) - Fraction(len(a) * len(b), n)
        below = min(len(a), len(b)) - max(0, len(a) + len(b) - n)
        if below == 0:
            undefined += 1
        else:
            values.append(above / below)
    return (float(sum(values) / len(values)) if values else math.nan), undefined


def plain_nogueira(sets, n):
    """Definition 4 and theorem 7 on the dense 0/1 matrix, in fractions."""
    M = len(sets)
    Z = [[int(f in s) for f in range(n)] for s in sets]
    p = [Fraction(sum(row[f] for row in Z), M) for f in range(n)]
    kbar = sum(p)
    if kbar in (0, n):
        return math.nan, math.nan
    spread = kbar / n * (1 - kbar / n)
    value = 1 - sum(Fraction(M, M - 1) * q * (1 - q) for q in p) / n / spread
    phi = []
    for row in Z:
        k = sum(row)
        inner = sum(z * q for z, q in zip(row, p, strict=True)) / n - k * kbar / n**2
        phi.append(
            (inner + value / 2 * (2 * k * kbar / n**2 - Fraction(k, n) - kbar / n + 1)) / spread
        )
    mean = sum(phi) / M
    return float(value), float(Fraction(4, M**2) * sum((f - mean) ** 2 for f in phi))


@quick
@given(collections())
def test_lustgarten_equals_exact_fractions(case):
    sets, n = case
    value, undefined = plain_lustgarten(sets, n)
    assert lustgarten_stability(sets, n) == pytest.approx(value, abs=1e-12, nan_ok=True)
    assert stability_summary(sets, n).undefined_pairs == undefined


@pytest.mark.parametrize(("k", "n"), [(1, 2), (2, 10), (20, 60_000), (5, 10)])
def test_identical_sets_do_not_reach_one(k, n):
    assert lustgarten_stability([range(k)] * 4, n) == 1 - k / n


@pytest.mark.parametrize(("a", "b", "n"), [(2, 3, 10), (1, 1, 2), (20, 40, 60_000)])
def test_disjoint_sets_do_not_reach_minus_one(a, b, n):
    sets = [range(a), range(a, a + b)]
    assert lustgarten_stability(sets, n) == pytest.approx(-max(a, b) / n, abs=1e-15)


def test_lustgarten_is_zero_on_average_for_random_sets():
    rng = np.random.default_rng(0)
    sets = [rng.choice(40, rng.integers(5, 30), replace=False) for _ in range(300)]
    assert lustgarten_stability(sets, 40) == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("odd", [[], range(10)])
def test_empty_and_full_sets_are_left_out_and_counted(odd):
    found = stability_summary([[0, 1], odd, [0, 1], odd], 10)
    assert found.undefined_pairs == 5
    assert found.asm == 0.8
    alone = stability_summary([odd, odd], 10)
    assert math.isnan(alone.asm)
    assert alone.undefined_pairs == 1
    assert math.isnan(lustgarten_stability([odd, [0]], 10))


@quick
@given(collections())
def test_nogueira_equals_exact_fractions(case):
    sets, n = case
    value, variance = plain_nogueira(sets, n)
    found = nogueira_stability(sets, n)
    assert found.value == pytest.approx(value, abs=1e-9, nan_ok=True)
    assert found.variance == pytest.approx(variance, abs=1e-9, nan_ok=True)
    if not math.isnan(value):
        assert found.low == pytest.approx(value - 1.959964 * variance**0.5, abs=1e-6)
        assert found.high == pytest.approx(min(value + 1.959964 * variance**0.5, 1), abs=1e-6)
        assert float(found) == found.value


@quick
@given(equal_sizes())
def test_nogueira_equals_kuncheva_at_equal_sizes(case):
    sets, n = case
    assert nogueira_stability(sets, n).value == pytest.approx(kuncheva_index(sets, n), abs=1e-9)


def test_nogueira_variance_is_that_of_the_jackknife():
    rng = np.random.default_rng(1)
    shares = rng.uniform(0, 1, 30) ** 3
    Z = rng.uniform(size=(400, 30)) < shares
    sets = [np.flatnonzero(row) for row in Z]
    left_out = [nogueira_stability(sets[:i] + sets[i + 1 :], 30).value for i in range(len(sets))]
    jackknife = (len(sets) - 1) * np.var(left_out)
    assert nogueira_stability(sets, 30).variance == pytest.approx(jackknife, rel=0.02)


def test_nogueira_of_identical_sets_is_one():
    found = nogueira_stability([[3, 5]] * 5, 100)
    assert found.value == pytest.approx(1.0)
    assert found.low == pytest.approx(1.0)
    assert found.high == 1.0
    narrow = nogueira_stability([[0, 1], [0, 2], [1, 2]], 9, level=0.5)
    wide = nogueira_stability([[0, 1], [0, 2], [1, 2], [0, 1]], 9, level=0.99)
    assert narrow.high - narrow.low < wide.high - wide.low


def test_kuncheva_by_hand_and_its_limits():
    # overlaps 1, 2, 1 of k = 2 in n = 8: (r 8 - 4) / 12
    assert kuncheva_index([[0, 1], [0, 2], [2, 0]], 8) == pytest.approx((4 + 12 + 4) / 12 / 3)
    with pytest.raises(ValueError, match="sets of one size, these have 1 to 2"):
        kuncheva_index([[0], [0, 1]], 8)
    assert math.isnan(kuncheva_index([[], []], 8))
    assert math.isnan(kuncheva_index([[0, 1], [0, 1]], 2))


@quick
@given(collections(least=1))
def test_jaccard_and_common_features_equal_plain_sets(case):
    sets, n = case
    pairs = [(set(a), set(b)) for a, b in combinations(sets, 2)]
    values = [len(a & b) / len(a | b) for a, b in pairs if a | b]
    found = stability_summary(sets, n)
    expected = sum(values) / len(values) if values else math.nan
    assert found.jaccard == pytest.approx(expected, abs=1e-12, nan_ok=True)
    common = [f for f in range(n) if 2 * sum(f in s for s in sets) >= len(sets)]
    assert common_features(sets).tolist() == common
    assert found.common == len(common)
    assert found.mean_size == pytest.approx(np.mean([len(s) for s in sets]))
    assert found.n_sets == len(sets)


@pytest.mark.parametrize(("share", "M"), [(0.7, 10), (0.1, 30), (0.6, 5), (1.0, 3)])
def test_a_share_is_met_at_equality(share, M):
    needed = round(share * M)
    sets = [[0] if i < needed else [1] for i in range(M)]
    assert 0 in common_features(sets, share)
    if needed > 1:
        assert 0 not in common_features([[1], *sets[1:]], share)


def test_common_feature_stability():
    assert common_feature_stability([[0, 1, 2]] * 3) == 1.0
    assert common_feature_stability([[0, 1], [0, 2], [0, 3]], share=1) == 1 / 2
    assert common_feature_stability([[0], [1], [2]]) == 0.0
    assert math.isnan(common_feature_stability([[], []]))


@quick
@given(collections(), st.randoms(use_true_random=False))
def test_order_repetition_and_type_of_the_sets_do_not_matter(case, random):
    sets, n = case
    shuffled = [np.array(s + s[:1], dtype=np.int32) for s in sets]
    random.shuffle(shuffled)
    a, b = stability_summary(sets, n), stability_summary((iter(s) for s in shuffled), n)
    assert b.asm == pytest.approx(a.asm, abs=0, nan_ok=True)
    assert b.nogueira.value == pytest.approx(a.nogueira.value, abs=1e-12, nan_ok=True)
    assert (b.common, b.undefined_pairs) == (a.common, a.undefined_pairs)


def test_one_set_or_none_has_no_stability():
    for sets in ([], [[1, 2]]):
        found = stability_summary(sets, 5)
        plain = found.to_dict()
        assert plain["asm"] is plain["jaccard"] is plain["nogueira"]["mean"] is None
        assert plain["n_sets"] == len(sets)
        assert math.isnan(kuncheva_index(sets, 5))


def test_the_summary_is_the_object_of_results_json():
    found = stability_summary([[0, 1], [0, 1, 2], [0, 3]], 20)
    keys = ["asm", "nogueira", "jaccard", "common", "mean_size", "n_sets", "undefined_pairs"]
    plain = found.to_dict()
    assert list(plain) == keys
    assert set(plain["nogueira"]) == {"mean", "low", "high"}
    assert found.frame().loc[0, "nogueira"] == plain["nogueira"]["mean"]
    assert f"{plain['asm']:.3f}" in found.summary()


@pytest.mark.parametrize(
    ("sets", "n", "words"),
    [
        ([[0, 12]], 10, "column 12 is not among 0 to 9"),
        ([[-1, 2]], 10, "column -1 is not among"),
        ([np.array([True, False])], 2, "np.flatnonzero"),
        ([["g1"]], 2, "column numbers"),
        ([[0.5]], 2, "column numbers"),
        ([[0]], 0, "n_features is 0"),
    ],
)
def test_refusals(sets, n, words):
    with pytest.raises(DataError, match=words):
        stability_summary(sets, n)


def test_options_are_checked():
    with pytest.raises(PlanError, match="share is 0"):
        common_features([[0]], share=0)
    with pytest.raises(PlanError, match="level is 1"):
        nogueira_stability([[0], [1]], 5, level=1)


def test_a_hundred_small_random_sets_of_a_wide_table_agree_by_chance():
    rng = np.random.default_rng(0)
    sets = [rng.choice(60_000, 20, replace=False) for _ in range(100)]
    found = stability_summary(sets, 60_000)
    assert found.asm == pytest.approx(0, abs=0.01)

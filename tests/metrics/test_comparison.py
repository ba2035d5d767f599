"""Methods over many data sets: against published numbers, scipy, and slow references."""

from __future__ import annotations

import json
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from common.examples import settings
from tamis._core.errors import DataError
from tamis.metrics import (
    compare_methods,
    friedman_chi2,
    friedman_tests,
    iman_davenport,
    nemenyi_critical_difference,
    nemenyi_quantile,
    win_loss_table,
)
from tamis.metrics.rank_tests import rank_cliques, row_midranks, signed_rank

AVERAGE = [3.143, 2.000, 2.893, 1.964]  # Demsar (2006), section 3.2.3, of 14 data sets

tables = st.tuples(st.integers(2, 9), st.integers(2, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.8]))
)


def test_the_published_example():
    chi2 = friedman_chi2(AVERAGE, 14)
    assert chi2 == pytest.approx(9.28, abs=0.005)
    assert iman_davenport(chi2, 4, 14) == pytest.approx(3.69, abs=0.005)
    assert nemenyi_quantile(4) == pytest.approx(2.569, abs=5e-4)
    assert nemenyi_quantile(4, 0.10) == pytest.approx(2.291, abs=5e-4)
    assert nemenyi_critical_difference(4, 14) == pytest.approx(1.254, abs=5e-4)
    assert nemenyi_critical_difference(4, 14, 0.10) == pytest.approx(1.118, abs=5e-4)


def test_the_published_groups():
    """Section 3.2.4: at 0.10 the ends differ, at 0.05 nothing does."""
    R = np.array(AVERAGE)
    assert rank_cliques(R, nemenyi_critical_difference(4, 14, 0.10)) == [(3, 1, 2), (2, 0)]
    assert rank_cliques(R, nemenyi_critical_difference(4, 14)) == [(3, 1, 2, 0)]


@given(tables)
def test_ranks_are_scipys(table):
    expected = stats.rankdata(-table, axis=1)
    np.testing.assert_array_equal(row_midranks(table), expected)


def test_scores_equal_but_for_rounding_are_tied():
    np.testing.assert_array_equal(row_midranks(np.array([[0.3, 0.1 + 0.2, 0.2]])), [[1.5, 1.5, 3]])
    np.testing.assert_array_equal(row_midranks(np.array([[3e-14, 2e-14, 1e-14]])), [[1, 2, 3]])


@settings(max_examples=60)
@given(tables)
def test_friedman_against_scipy_and_the_plain_formula(table):
    N, k = table.shape
    found = compare_methods(table)
    R = stats.rankdata(-table, axis=1).mean(axis=0)
    plain = 12 * N / (k * (k + 1)) * (sum(r * r for r in R) - k * (k + 1) ** 2 / 4)
    assert found.friedman.chi2 == pytest.approx(plain, abs=1e-8)
    assert found.friedman.p_value == pytest.approx(stats.chi2.sf(plain, k - 1), abs=1e-8)
    if k >= 3 and (np.ptp(table, axis=1) > 0).any():  # scipy wants three, and no 0/0
        theirs = stats.friedmanchisquare(*table.T)
        assert found.friedman_corrected.chi2 == pytest.approx(theirs.statistic, abs=1e-8)
        assert found.friedman_corrected.p_value == pytest.approx(theirs.pvalue, abs=1e-8)
    for test in (found.friedman, found.friedman_corrected):
        assert (test.df, test.df1, test.df2) == (k - 1, k - 1, (k - 1) * (N - 1))
        if not np.isinf(test.F):
            expected = (N - 1) * test.chi2 / (N * (k - 1) - test.chi2)
            np.testing.assert_allclose(test.F, expected)
            tail = stats.f.sf(expected, k - 1, (k - 1) * (N - 1))
            assert test.F_p_value == pytest.approx(tail)


def test_iman_davenport_of_corrected_ranks_is_the_anova_of_ranks():
    """F of the corrected chi-squared equals the two-way analysis of variance of the ranks."""
    ranks = row_midranks(np.random.default_rng(0).integers(0, 4, (12, 5)).astype(float))
    N, k = ranks.shape
    between = N * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    within = ((ranks - (k + 1) / 2) ** 2).sum() - between
    expected = (between / (k - 1)) / (within / ((N - 1) * (k - 1)))
    np.testing.assert_allclose(friedman_tests(ranks)[1].F, expected)


@pytest.mark.parametrize("pattern", [[1, 2, 3], [1, 2.5, 2.5]])
def test_sets_that_all_rank_alike_have_the_chance_of_that(pattern):
    """Enumerated: the share of arrangements of three sets' ranks that give this chi-squared."""
    ranks = np.tile(pattern, (3, 1))
    ways = sorted(set(permutations(pattern)))
    every = [friedman_chi2(np.mean(rows, axis=0), 3) for rows in product(ways, repeat=3)]
    observed = friedman_chi2(ranks.mean(axis=0), 3)
    expected = np.mean([value >= observed - 1e-9 for value in every])
    _, corrected = friedman_tests(ranks)
    assert np.isinf(corrected.F)
    assert corrected.F_p_value == pytest.approx(expected)
    assert corrected.to_dict()["F"] is None


@given(tables)
def test_pairs_groups_and_counts_against_loops(table):
    names = [f"m{j}" for j in range(table.shape[1])]
    found = compare_methods(table, names=names)
    cd = found.critical_differences[0.05]
    R = dict(zip(names, found.average_ranks, strict=True))
    together = {(a, b) for g in found.groups for a in g for b in g if a != b}
    for pair in found.pairs():
        a, b = pair["first"], pair["second"]
        x, y = table[:, names.index(a)], table[:, names.index(b)]
        assert pair["above"] == sum(x > y)
        assert pair["on"] == sum(x == y)
        assert pair["below"] == sum(x < y)
        assert R[a] <= R[b]
        assert pair["different"] == (R[b] - R[a] >= cd)
        assert pair["different"] != ((a, b) in together)
    for group in found.groups:
        assert not any(set(group) < set(other) for other in found.groups)


@given(tables)
def test_lower_is_better_turns_everything_round(table):
    up = compare_methods(table, higher_is_better=False)
    down = compare_methods(-table)
    np.testing.assert_array_equal(up.ranks, down.ranks)
    np.testing.assert_array_equal(up.above, down.above)
    assert up.groups == down.groups


def test_all_tied_says_nothing():
    found = compare_methods(np.full((5, 3), 0.7))
    for test in (found.friedman, found.friedman_corrected):
        assert (test.chi2, test.p_value, test.F, test.F_p_value) == (0, 1, 0, 1)
    assert found.groups == (("method 1", "method 2", "method 3"),)
    assert compare_methods(np.full((5, 2), 0.7)).wilcoxon == (7.5, 1.0)


def test_two_methods_have_the_signed_rank_test_beside():
    rng = np.random.default_rng(1)
    table = np.column_stack([rng.uniform(size=14), rng.uniform(size=14) + 0.2])
    found = compare_methods(table)
    theirs = stats.wilcoxon(table[:, 0], table[:, 1], method="exact")
    assert found.wilcoxon == pytest.approx((theirs.statistic, theirs.pvalue))
    assert compare_methods(np.column_stack([table, table[:, 0]])).wilcoxon is None


@given(st.lists(st.sampled_from([-0.3, -0.1, 0.0, 0.1, 0.2, 0.3]), min_size=1, max_size=8))
def test_the_signed_rank_test_counts_signs(values):
    d = np.array(values)
    ranks = stats.rankdata(np.abs(d))
    zero, there = ranks[d == 0].sum() / 2, ranks[d != 0]
    up, down = (float(ranks[side].sum()) + zero for side in (d > 0, d < 0))
    sums = [np.dot(signs, there) + zero for signs in product([0, 1], repeat=len(there))]
    share = np.mean([s <= min(up, down) + 1e-9 for s in sums])
    assert signed_rank(d) == pytest.approx((min(up, down), min(1.0, 2 * share)))


def test_many_differences_are_nearly_normal():
    d = np.random.default_rng(3).normal(0.1, 1, 150)
    theirs = stats.wilcoxon(d, method="asymptotic", correction=False)
    assert signed_rank(d) == pytest.approx((theirs.statistic, theirs.pvalue))
    exact = stats.wilcoxon(d[:100], method="exact")
    assert signed_rank(d[:100])[1] == pytest.approx(exact.pvalue)


def test_sets_of_one_source_count_once():
    table = np.array([[0.9, 0.8], [0.6, 0.9], [0.7, 0.6], [0.8, 0.5]])
    sets = ["a", "b1", "b2", "c"]
    found = compare_methods(table, ["x", "y"], sets, sources={"b1": "b", "b2": "b"})
    assert found.datasets == tuple(sets)
    once = found.by_source
    assert once.datasets == ("a", "b", "c")
    np.testing.assert_allclose(once.scores[1], [0.65, 0.75])
    np.testing.assert_array_equal(once.average_ranks, [4 / 3, 5 / 3])
    np.testing.assert_array_equal(found.average_ranks, [1.25, 1.75])
    assert "each source counted once" in found.summary()
    listed = compare_methods(table, ["x", "y"], sets, sources=[None, "b", "b", None])
    np.testing.assert_array_equal(listed.by_source.scores, once.scores)
    assert compare_methods(table, sources=[None] * 4).by_source is None


def test_frames_dictionaries_and_arrays_agree():
    import pandas as pd

    values = {"s": {"a": 0.5, "b": 0.7}, "t": {"a": 0.6, "b": 0.4}}
    one = compare_methods(values)
    two = compare_methods(pd.DataFrame(values).T)
    three = compare_methods([[0.5, 0.7], [0.6, 0.4]], ["a", "b"], ["s", "t"])
    assert one.to_dict() == two.to_dict() == three.to_dict()
    assert one.frame().loc["average"].tolist() == [1.5, 1.5]
    named = compare_methods([[0.5, 0.7], [0.6, 0.4]], ["a", "b"], ["average", "t"]).frame()
    assert named.index.tolist() == ["average", "t", "average"]
    assert named["a"].tolist() == [2.0, 1.0, 1.5]
    assert json.loads(json.dumps(one.to_dict(), allow_nan=False))["methods"] == ["a", "b"]


def test_levels_go_from_one_in_a_million_million_to_below_1():
    scores = [[0.8, 0.7, 0.6], [0.9, 0.6, 0.6], [0.7, 0.8, 0.5]]
    for alpha in (1e-12, 0.05, 0.999):
        assert compare_methods(scores, alpha=alpha).average_ranks == pytest.approx(
            [4 / 3, 11 / 6, 17 / 6]
        )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([[0.5], [0.6]],), "1 method"),
        (([[0.5, 0.6]],), "1 data set"),
        (([[0.5, 0.6], [0.5, np.nan]], ["a", "b"], ["s", "t"]), "method 'b' on data set 't'"),
        (({"s": {"a": 1, "b": 2}, "t": {"a": 1}},), "method 'b' on data set 't'"),
        (([[1, 2], [3, 4]], ["a"]), "names has 1"),
        (([[1, 2], [3, 4]], ["a", "a"]), "repeats 'a'"),
        (([1, 2],), "shape"),
        (([["x", 2], [3, 4]],), "numbers"),
        (({},), "empty"),
        (([[1, 2], [3, 4]], None, None, {"q": "z"}), "sources names 'q'"),
        (([[1, 2], [3, 4]], None, None, ["z"]), "sources has 1"),
        (([[1, 2], [3, 4]], None, None, ["z", "z"]), "all data sets come from"),
        (([[1, 2], [3, 4]], None, None, None, 1.5), "alpha is 1.5"),
        (([[1, 2], [3, 4]], None, None, None, 1.0), "alpha is 1.0"),
        (([[1, 2], [3, 4]], None, None, None, 9e-13), "alpha is 9e-13"),
    ],
)
def test_what_cannot_be_compared_is_named(arguments, says):
    with pytest.raises(DataError, match=says) as caught:
        compare_methods(*arguments)
    assert "\n" not in str(caught.value)


def test_the_figure_has_a_line_for_every_method():
    table = np.random.default_rng(0).uniform(size=(6, 4))
    (chart,) = compare_methods(table, names=["$a", "b", "c", "d"]).plot().charts
    assert chart.count("<circle") == 4
    assert "Average rank on 6 data sets" in chart


def test_wins_and_losses_are_scipys_paired_tests():
    scores = np.random.default_rng(0).uniform(size=(6, 3, 10))
    scores[:, 1] += 0.3
    found = win_loss_table(scores, ["a", "b", "c"])
    wins = np.zeros((3, 3), dtype=int)
    for block in scores:
        for i, j in product(range(3), repeat=2):
            if i != j:
                t, p = stats.ttest_rel(block[i], block[j])
                wins[i, j] += t > 0 and p <= 0.05
    np.testing.assert_array_equal(found.wins, wins)
    assert wins[1, 0] > 0
    assert (found.wins + found.wins.T + found.ties == 6).all()
    frame = found.frame().set_index(["first", "second"])
    assert frame.loc[("b", "a"), "wins"] == wins[1, 0] == frame.loc[("a", "b"), "losses"]
    assert found.summary().splitlines()[1].strip().startswith("b")
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_the_corrected_test_finds_less():
    scores = np.random.default_rng(4).uniform(size=(40, 2, 10))
    scores[:, 1] += 0.25
    plain = win_loss_table(scores)
    corrected = win_loss_table(scores, corrected=True, n_train=90, n_test=10)
    J, share = 10, 10 / 90
    expected = 0
    for a, b in scores:
        d = b - a
        t = d.mean() / np.sqrt((1 / J + share) * d.var(ddof=1))
        expected += t > 0 and 2 * stats.t.sf(t, J - 1) <= 0.05
    assert corrected.wins[1, 0] == expected
    assert corrected.wins[1, 0] < plain.wins[1, 0]


def test_a_loss_is_won_by_the_lower():
    d = {"s": {"a": [0.1, 0.2, 0.15], "b": [0.5, 0.7, 0.6]}}
    assert win_loss_table(d).wins.tolist() == [[0, 0], [1, 0]]
    assert win_loss_table(d, higher_is_better=False).wins.tolist() == [[0, 1], [0, 0]]


def test_folds_without_a_score_are_left_out_and_undefined_tests_are_ties():
    nan = float("nan")
    found = win_loss_table(
        {
            "s": {"a": [0.1, nan, 0.3, 0.2], "b": [0.9, 0.2, 0.8, 0.9]},
            "t": {"a": [0.5, nan], "b": [nan, 0.9]},
            "u": {"a": [0.5, 0.6], "b": [0.7, 0.8]},
        }
    )
    assert found.wins.tolist() == [[0, 0], [1, 0]]
    assert found.ties.tolist()[0][1] == 2
    assert found.undefined == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"scores": np.ones((2, 2))}, "shape"),
        ({"scores": np.ones((2, 1, 3))}, "1 method"),
        ({"scores": {"s": {"a": [1, 2], "b": [1]}}}, "'b' has 1 folds on data set 's'"),
        ({"scores": {"s": {"a": [], "b": []}}}, "'a' on data set 's'"),
        ({"scores": np.ones((2, 2, 3)), "corrected": True}, "n_train and n_test"),
        ({"scores": np.ones((2, 2, 3)), "alpha": 0}, "alpha is 0"),
    ],
)
def test_what_has_no_win_loss_table_is_named(arguments, says):
    with pytest.raises(DataError, match=says):
        win_loss_table(**arguments)

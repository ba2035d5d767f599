"""C4.5 against a plain recursion, worked examples of Quinlan's book, and its own invariances."""

from __future__ import annotations

from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from kernels.c45.reference import Reference, fit, same, size_of
from tamis.kernels.c45 import (
    build_tree,
    make_options,
    make_workspace,
    predict_columns,
    prepare_table,
)
from tamis.kernels.c45.prune import extra_errors


@st.composite
def problems(draw, holes=True, weighted=True, nominal=True, most_rows=40):
    """Small tables with ties, categories, missing values and weights; options."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p, C = draw(st.integers(2, most_rows)), draw(st.integers(1, 5)), draw(st.integers(2, 4))
    y = rng.integers(0, C, n)
    levels = rng.choice([0, 2, 3, 5], p) if nominal else np.zeros(p, dtype=int)
    grain = rng.choice([1, 4, 1000], p)
    X = np.empty((n, p))
    for j in range(p):
        signal = y * rng.choice([0, 1, 1]) + 2 * rng.random(n)
        whole = np.minimum(signal * rng.choice([0.8, 2]), max(levels[j] - 1, 0))
        X[:, j] = np.floor(whole) if levels[j] else np.round(signal * grain[j]) / grain[j]
    if holes and draw(st.booleans()):
        X[rng.random((n, p)) < rng.choice([0.05, 0.3])] = np.nan
    weights = np.ones(n)
    if weighted and draw(st.booleans()):
        weights = rng.choice([0.25, 1.0, 1.5, 3.0], n)
    opts = make_options(
        prune=draw(st.booleans()),
        collapse=draw(st.booleans()),
        raising=draw(st.booleans()),
        min_leaf=draw(st.sampled_from([1, 2, 3.5])),
        max_depth=draw(st.sampled_from([0, 0, 2])),
        confidence=draw(st.sampled_from([0.25, 0.1, 0.5])),
    )
    return X, y, levels.astype(np.int64), weights, opts, C, rng


@settings(max_examples=150)
@given(problems())
def test_trees_are_those_of_the_plain_recursion(problem):
    X, y, levels, weights, opts, C, rng = problem
    rows = np.unique(rng.integers(0, len(y), 2 * len(y)))  # about 86 % of them
    features = rng.permutation(X.shape[1])
    plain = Reference(X, y, C, levels, features, opts)
    expected = plain.fit([(i, weights[i]) for i in rows])
    found, tree, table = fit(X, y, levels, rows, weights, features, opts, C)
    same(found, expected)
    for laplace in (False, True):
        out = np.empty((len(y), C))
        predict_columns(tree, table.columns, levels, np.arange(len(y)), out, laplace)
        slow = [plain.distribution(expected, x, laplace) for x in X]
        np.testing.assert_allclose(out, slow, rtol=1e-9, atol=1e-9)


def test_the_last_of_two_branches_of_equal_weight_is_raised():
    """Columns that tell much the same, the first in two halves: a branch often does for both."""
    raised = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n, hidden = 2 * int(rng.integers(15, 41)), rng.normal(size=80)
        X = np.round(hidden[:n, None] + rng.normal(size=(n, 4)), 1)
        X[:, 0] = np.argsort(np.argsort(X[:, 0])) >= n // 2
        y = (hidden[:n] + 0.6 * rng.normal(size=n) > 0).astype(int)
        levels, rows = np.zeros(4, dtype=np.int64), [(i, 1.0) for i in range(n)]
        found, without = (fit(X, y, levels, opts=make_options(raising=r))[0] for r in (True, False))
        same(found, Reference(X, y, 2, levels, range(4), make_options()).fit(rows))
        raised += size_of(found) != size_of(without)
    assert raised > 10


@settings(max_examples=60)
@given(problems(holes=False, weighted=False))
def test_whole_counts_and_weights_give_the_same_tree(problem):
    """Weights a hair from 1 go the general way, a column with a hole the way between."""
    X, y, levels, ones, opts, C, _ = problem
    quick, _, _ = fit(X, y, levels, opts=opts, n_classes=C)
    general, _, _ = fit(X, y, levels, weights=ones * (1 + 1e-13), opts=opts, n_classes=C)
    same(quick, general)
    more = [np.column_stack([X, np.full(len(y), value)]) for value in (0.0, np.nan)]
    constant, holed = (fit(Z, y, np.append(levels, 0), opts=opts, n_classes=C)[0] for Z in more)
    same(constant, holed)


@pytest.mark.longer
@settings(max_examples=60)
@given(problems())
def test_only_the_rows_given_count(problem):
    X, y, levels, weights, opts, C, rng = problem
    rows = rng.permutation(len(y))[: max(2, len(y) // 2)]
    alone, _, _ = fit(X[rows], y[rows], levels, weights=weights[rows], opts=opts, n_classes=C)
    times = rng.choice([1, 300])  # with over 256 rows the orders have 32 bits
    X, y, weights = np.tile(X, (times, 1)), np.tile(y, times), np.tile(weights, times)
    inside, _, _ = fit(X, y, levels, rows, weights, opts=opts, n_classes=C)
    same(inside, alone)


@settings(max_examples=60)
@given(problems())
def test_columns_of_the_table_may_stand_in_any_order(problem):
    """The order in `features` decides between equal splits, not the place in the table."""
    X, y, levels, weights, opts, C, rng = problem
    moved = rng.permutation(X.shape[1])
    place = np.argsort(moved)  # column j of X is column place[j] of the other table
    here, _, _ = fit(X, y, levels, weights=weights, opts=opts, n_classes=C)
    there, _, _ = fit(
        X[:, moved], y, levels[moved], weights=weights, features=place, opts=opts, n_classes=C
    )
    same(here, there, rename=moved)


@settings(max_examples=60)
@given(problems(weighted=False))
def test_a_weight_of_two_is_a_row_given_twice(problem):
    X, y, levels, _, opts, C, rng = problem
    times = rng.integers(1, 4, len(y))
    weighted, _, _ = fit(X, y, levels, weights=times.astype(float), opts=opts, n_classes=C)
    again = np.repeat(np.arange(len(y)), times)
    repeated, _, _ = fit(X[again], y[again], levels, opts=opts, n_classes=C)
    same(weighted, repeated)


def test_a_workspace_remembers_nothing():
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    X[:, :3] += y[:, None]
    X[rng.random(X.shape) < 0.1] = np.nan
    levels, opts = np.zeros(8, dtype=np.int64), make_options()
    table = prepare_table(X, levels)
    work = make_workspace(table, 2, 8)
    trees = []
    for seed in (1, 2, 1):
        rng = np.random.default_rng(seed)
        rows, features = rng.permutation(60)[:40], rng.permutation(8)[:5]
        n_nodes = build_tree(table, y, rows, np.ones(60), features, opts, work)
        trees.append([part[:n_nodes].copy() for part in work.tree])
    assert len(trees[0][0]) > 3
    for once, again in zip(trees[0], trees[2], strict=True):
        np.testing.assert_array_equal(once, again)


@pytest.mark.parametrize("before", [(8, 20), (28, 8), (20, 28)])
def test_the_table_of_entropies_is_made_anew_for_other_class_counts(before):
    """Also if one class has as many rows as in the tree before."""
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1], 30)
    X = np.round(rng.normal(size=(60, 6)) + 0.7 * y[:, None], 1)
    levels = np.zeros(6, dtype=np.int64)
    work = make_workspace(prepare_table(X, levels), 2, 6)

    def rows(first, second):
        return np.r_[:first, 30 : 30 + second]

    fit(X, y, levels, rows(*before), work=work)
    again, _, _ = fit(X, y, levels, rows(28, 20), work=work)
    fresh, _, _ = fit(X, y, levels, rows(28, 20))
    assert size_of(fresh) > 5
    same(again, fresh)


@pytest.mark.longer
def test_large_tables_of_two_classes_need_no_table_of_entropies():
    """More class counts than fit: the same tree as with weights a hair from 1."""
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 700)
    X = np.round(rng.normal(size=(700, 6)) + 0.7 * y[:, None], 2)
    levels = np.zeros(6, dtype=np.int64)
    quick, _, _ = fit(X, y, levels)
    assert len(make_workspace(prepare_table(X, levels), 2, 6).counting.half) < 300 * 300
    assert size_of(quick) > 20
    general, _, _ = fit(X, y, levels, weights=np.full(700, 1 + 1e-13))
    same(quick, general)


GOLF = """
sunny 75 70 1 play|sunny 80 90 1 no|sunny 85 85 0 no|sunny 72 95 0 no|sunny 69 70 0 play
overcast 72 90 1 play|overcast 83 78 0 play|overcast 64 65 1 play|overcast 81 75 0 play
rain 71 80 1 no|rain 65 70 1 no|rain 75 80 0 play|rain 68 80 0 play|rain 70 96 0 play
"""


def golf():
    """Quinlan's training set: outlook, temperature, humidity, windy."""
    rows = [row.split() for row in GOLF.replace("\n", "|").split("|") if row]
    outlook = {"sunny": 0, "overcast": 1, "rain": 2}
    X = np.array([[outlook[r[0]], float(r[1]), float(r[2]), float(r[3])] for r in rows])
    return X, np.array([int(r[4] == "play") for r in rows]), np.array([3, 0, 0, 2])


def test_quinlans_example():
    """C4.5 (1993), sections 2.2 and 2.3: gain .246, split information 1.577, ratio .156."""
    X, y, levels = golf()
    found, _, _ = fit(X, y, levels, features=np.array([0]), opts=make_options(prune=False))
    assert found["ratio"] == pytest.approx(0.246 / 1.577, abs=1e-3)
    tree, _, _ = fit(X, y, levels)
    assert tree["feature"] == 0
    sunny, overcast, rain = tree["children"]
    assert (sunny["feature"], sunny["threshold"]) == (2, 75)
    assert overcast == {"counts": [0, 4], "children": []}
    assert rain["feature"] == 3
    assert [leaf["counts"] for leaf in rain["children"]] == [[0, 3], [2, 0]]


def test_quinlans_example_with_a_missing_value():
    """Section 3.1: outlook of the first overcast case unknown; gain .199, information 1.809.

    Section 3.2: that case goes on with 5/13, 3/13 and 5/13.
    """
    X, y, levels = golf()
    X[5, 0] = np.nan
    opts = make_options(prune=False, collapse=False)
    found, _, _ = fit(X, y, levels, features=np.array([0]), opts=opts)
    assert found["ratio"] == pytest.approx(0.199 / 1.809, abs=1e-3)
    weights = [child["counts"] for child in found["children"]]
    np.testing.assert_allclose(weights, [[3, 2 + 5 / 13], [0, 3 + 3 / 13], [2, 3 + 5 / 13]])


def test_quinlans_estimates_of_errors():
    """Section 4.2: U.25(0, 6) = .206, U.25(0, 9) = .143, U.25(0, 1) = .750."""
    z = NormalDist().inv_cdf(0.75)
    for n, share in [(6, 0.206), (9, 0.143), (1, 0.750)]:
        assert extra_errors(float(n), 0.0, 0.25, z) / n == pytest.approx(share, abs=5e-4)


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_estimated_errors_are_near_the_exact_binomial_limit(confidence):
    from scipy.stats import beta

    z = NormalDist().inv_cdf(1 - confidence)
    for n, e in [(40, 3), (40, 20), (200, 10), (200, 150)]:
        limit = (e + extra_errors(float(n), float(e), confidence, z)) / n
        assert limit == pytest.approx(beta.ppf(1 - confidence, e + 1, n - e), rel=0.08)


def test_estimated_errors_rise_with_the_errors_and_the_confidence():
    for n in (1.0, 2.5, 10.0, 300.0):
        errors = np.linspace(0, n, 50)
        for confidence in (0.05, 0.25, 0.5):
            z = NormalDist().inv_cdf(1 - confidence)
            total = [e + extra_errors(n, e, confidence, z) for e in errors]
            assert all(b >= a - 1e-9 for a, b in pairwise(total))
            assert total[-1] == pytest.approx(n)
            wider = NormalDist().inv_cdf(1 - confidence / 2)
            assert extra_errors(n, 0.0, confidence / 2, wider) > extra_errors(n, 0.0, confidence, z)


@pytest.mark.longer
def test_cuts_leave_enough_on_both_sides():
    """A tenth of the mean class size, at least min_leaf and at most 25."""
    opts = make_options(prune=False, collapse=False)
    for n, few, least in [(60, 2, 3), (400, 12, 20), (1000, 10, 25), (60000, 20, 25)]:
        y = (np.arange(n) >= few).astype(int)
        found, _, _ = fit(np.arange(float(n))[:, None], y, np.array([0]), opts=opts)
        assert found["children"][0]["counts"] == [few, least - few]
    X, y = np.arange(60.0)[:, None], (np.arange(60) >= 20).astype(int)
    assert fit(X, y, np.array([0]), opts=make_options(min_leaf=30))[0]["threshold"] == 29
    assert fit(X, y, np.array([0]), opts=make_options(min_leaf=31))[0]["children"] == []


def test_values_nearer_than_the_tie_are_not_parted():
    y = np.repeat([0, 1], 10)
    near = np.repeat([0.0, 9e-6], 10)[:, None]
    far = np.repeat([0.0, 1.1e-5], 10)[:, None]
    assert fit(near, y, np.array([0]))[0]["children"] == []
    assert fit(far, y, np.array([0]))[0]["threshold"] == 0.0


def test_the_threshold_is_a_value_of_the_trees_rows():
    """The middle of 2 and 10 is 6; the largest value below it is 5, of a row of the other node."""
    X = np.array([[0, 0], [0, 1], [0, 2], [0, 10], [0, 11], [0, 12], [1, 5], [1, 5.5], [1, 4.0]])
    y = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    opts = make_options(prune=False, collapse=False)
    found, _, _ = fit(X, y, np.array([2, 0]), features=np.array([0, 1]), opts=opts)
    assert found["feature"] == 0
    assert found["children"][0]["threshold"] == 5.5
    fewer, _, _ = fit(X, y, np.array([2, 0]), rows=np.array([0, 1, 2, 3, 4, 5, 6, 8]), opts=opts)
    assert fewer["children"][0]["threshold"] == 5.0


@pytest.mark.longer
def test_a_column_may_have_more_values_than_there_is_room_for_ranks():
    """Beside 17 bits for one of 70,000 rows, 15 are left: ranks 2^15 apart would look equal."""
    n, apart, levels = 70_000, 2**15, np.zeros(1, dtype=np.int64)
    X = np.random.default_rng(8).permutation(n).astype(float)[:, None]
    for last in (9, 1000, 30_000):
        wanted = np.r_[last - 9 : last + 1, last + apart : last + apart + 10]
        rows, y = np.flatnonzero(np.isin(X[:, 0], wanted)), (X[:, 0] > last).astype(int)
        expected = Reference(X, y, 2, levels, [0], make_options()).fit([(i, 1.0) for i in rows])
        assert expected["threshold"] == last
        for weights in (np.ones(n), np.full(n, 1 + 1e-13)):
            same(fit(X, y, levels, rows, weights)[0], expected)


@pytest.mark.parametrize("few", [9, 10])
def test_neighbouring_doubles_are_parted(few):
    """Those from 2^37 on are further apart than the tie; the middle may round to the upper one."""
    X = 2.0**37 + np.arange(20.0)[:, None] * 2.0**-15
    y, levels, opts = (np.arange(20) >= few).astype(int), np.array([0]), make_options(max_depth=1)
    expected = Reference(X, y, 2, levels, [0], opts).fit([(i, 1.0) for i in range(20)])
    assert expected["threshold"] == X[few - 1, 0]
    for weights in (np.ones(20), np.full(20, 1 + 1e-13)):
        same(fit(X, y, levels, weights=weights, opts=opts)[0], expected)

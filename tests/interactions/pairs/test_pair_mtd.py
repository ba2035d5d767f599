"""Pair MTD against a linear program, its bounds, and what it makes of codes and gaps."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from common.examples import settings
from tamis._core.errors import DataError
from tamis.interactions import pair_mtd
from tamis.kernels.pair_transport import grid_transport
from tamis.selection import mtd


def transport_program(p0, p1):
    """The least cost of moving p0 to p1 under Hamming distance, as a linear program."""
    cells = list(product(range(p0.shape[0]), range(p0.shape[1])))
    cost = np.array([[(a[0] != b[0]) + (a[1] != b[1]) for b in cells] for a in cells])
    m = len(cells)
    leave = np.kron(np.eye(m), np.ones(m))
    arrive = np.kron(np.ones(m), np.eye(m))
    program = linprog(
        cost.ravel(),
        A_eq=np.vstack([leave, arrive]),
        b_eq=np.concatenate([p0.ravel(), p1.ravel()]),
        method="highs",
    )
    assert program.status == 0
    return program.fun


def samples(counts):
    """x1, x2, y whose class-by-grid table is `counts` (2, rows, columns)."""
    y, x1, x2 = (
        np.repeat(axis, counts.ravel()) for axis in (i.ravel() for i in np.indices(counts.shape))
    )
    return x1, x2, y


def grids(number, seed=0):
    """Random grids from 2x2 to 5x5, empty cells among them, classes of unequal size."""
    rng = np.random.default_rng(seed)
    while number:
        rows, columns = rng.integers(2, 6, 2)
        counts = rng.poisson(rng.uniform(0.3, 6, size=(2, 1, 1)), size=(2, rows, columns))
        counts[rng.random(counts.shape) < rng.choice([0, 0.5])] = 0
        if (counts.sum(axis=(1, 2)) > 0).all():
            number -= 1
            yield counts


def parts_of(counts):
    p0, p1 = counts[0] / counts[0].sum(), counts[1] / counts[1].sum()
    d = p0 - p1
    return p0, p1, *(np.abs(v).sum() / 2 for v in (d, d.sum(axis=1), d.sum(axis=0)))


def test_equals_the_linear_program_on_200_grids():
    above = 0
    for counts in grids(200):
        p0, p1, tv, tv_x, tv_y = parts_of(counts)
        found = pair_mtd(*samples(counts))
        expected = 2 * transport_program(p0, p1)
        assert found.score == pytest.approx(expected, abs=1e-9)
        assert found.singles == pytest.approx((2 * tv_x, 2 * tv_y), abs=1e-12)
        assert found.interaction == pytest.approx(expected - 2 * (tv_x + tv_y), abs=1e-9)
        assert found.n == counts.sum()
        above += found.score > 2 * max(tv, tv_x + tv_y) + 1e-9
    assert above >= 10  # grids on which the easy bound is not the answer


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_bounds(seed):
    counts = next(grids(1, seed))
    _, _, tv, tv_x, tv_y = parts_of(counts)
    found = pair_mtd(*samples(counts))
    assert found.interaction >= 0
    assert 2 * max(tv, tv_x + tv_y) <= found.score + 1e-12
    assert found.score <= 4 * tv + 1e-12


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_order_of_features_classes_levels_and_samples_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    x1, x2, y = samples(next(grids(1, seed)))
    expected = pair_mtd(x1, x2, y)
    swapped = pair_mtd(x2, x1, 1 - y)
    assert (swapped.score, swapped.interaction) == (expected.score, expected.interaction)
    assert swapped.singles == expected.singles[::-1]
    shuffled = rng.permutation(len(y))
    recoded = rng.permutation(5)[x1]
    assert pair_mtd(recoded[shuffled], x2[shuffled], y[shuffled]) == expected


def brute_force(gap):
    """The closed form over every pair of a row set and a column set."""
    rows, columns = gap.shape
    best = np.abs(gap).sum()
    for R in product([False, True], repeat=rows):
        for C in product([False, True], repeat=columns):
            r, c = np.array(R), np.array(C)
            inside = np.maximum(gap, 0)[np.ix_(r, c)].sum()
            best = max(best, 2 * (inside + np.maximum(-gap, 0)[np.ix_(~r, ~c)].sum()))
    return best


def test_kernel_equals_brute_force_and_does_not_mind_turning():
    rng = np.random.default_rng(4)
    for _ in range(60):
        gap = rng.integers(-9, 10, rng.integers(1, 6, 2))
        gap[0, 0] -= gap.sum()
        variation, transport = grid_transport(gap)
        assert variation == np.abs(gap).sum()
        assert transport == brute_force(gap)
        assert grid_transport(np.ascontiguousarray(gap.T)) == (variation, transport)


def test_singles_are_the_features_own_scores():
    x1, x2, y = samples(next(grids(1, 5)))
    own = mtd(np.column_stack([x1, x2]), y, discrete_features=True)
    np.testing.assert_allclose(pair_mtd(x1, x2, y).singles, own, rtol=1e-12)


def test_exclusive_or_and_a_copy():
    rng = np.random.default_rng(6)
    a, b = np.repeat([0, 1], 40), np.tile([0, 1], 40)
    both = pair_mtd(a, b, a ^ b)
    assert (float(both), both.interaction, both.singles) == (2, 2, (0, 0))
    copy = pair_mtd(a, a, rng.permutation(a))
    assert copy.interaction == 0
    assert copy.score == pytest.approx(sum(copy.singles))
    constant = pair_mtd(a, np.zeros(80), b)
    assert (constant.interaction, constant.singles[1]) == (0, 0)


def test_missing_values_are_left_out_of_all_three_terms():
    x1, x2, y = samples(next(grids(1, 7)))
    words1 = ["ab"[v % 2] + str(v) for v in x1]
    labels = np.where(y == 1, "sick", "healthy")
    expected = pair_mtd(x1, x2, y)
    more1 = [*words1, None, "a0", "unseen"]
    more2 = np.concatenate([x2.astype(float), [1.0, np.nan, np.nan]])
    found = pair_mtd(more1, more2, [*labels, "sick", "sick", "healthy"])
    for name in ("score", "interaction", "singles", "n"):
        assert getattr(found, name) == getattr(expected, name)
    assert found.classes == ("healthy", "sick")
    nullable = pd.Series([*x1, None, 0, 1], dtype="Int64")
    other = pd.Series([*x2, 1, None, None], dtype="category")
    assert pair_mtd(nullable, other, [*y, 1, 1, 0]) == expected
    mixed = [(v, "x") if v else "zero" for v in x1]  # hashable, and without an order
    assert pair_mtd(mixed, x2, y) == expected


def test_several_classes_take_the_pair_farthest_apart():
    rng = np.random.default_rng(8)
    x1, x2, y = rng.integers(0, 3, 90), rng.integers(0, 4, 90), rng.integers(0, 3, 90)
    x1[y == 2] = 2
    by_pair = [
        pair_mtd(*(v[np.isin(y, pair)] for v in (x1, x2, y))) for pair in ([0, 1], [0, 2], [1, 2])
    ]
    found = pair_mtd(x1, x2, y)
    best = max(by_pair, key=float)
    assert (found.score, found.singles, found.classes) == (best.score, best.singles, best.classes)
    assert found.n == 90


def test_a_class_without_a_complete_sample():
    found = pair_mtd([1.0, np.nan, 2.0], [1, 1, 2], [0, 1, 0])
    assert np.isnan([found.score, found.interaction, *found.singles]).all()
    assert (found.n, found.classes) == (2, None)
    three = pair_mtd([1.0, np.nan, 2.0], [1, 1, 2], [0, 1, 2])
    assert (three.score, three.classes) == (4, (0, 2))


def test_up_to_twenty_levels_of_the_smaller_side():
    rng = np.random.default_rng(9)
    x1, x2, y = np.arange(400) % 20, rng.integers(0, 30, 400), rng.integers(0, 2, 400)
    found = pair_mtd(x1, x2, y)
    assert found.score >= sum(found.singles)
    with pytest.raises(DataError, match=r"x1 has 21 levels and x2 has 30: .* up to 20 levels"):
        pair_mtd(np.arange(400) % 21, x2, y)
    # levels seen in incomplete samples only do not count
    half = np.where(np.arange(400) < 20, x1.astype(float), np.nan)
    assert pair_mtd(half, np.arange(400), y).n == 20


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0, 1], [0, 1, 1], [0, 1]), "2, 3 and 2 entries"),
        (([0, 1], [0, 1], [1, 1]), "only one class, '1'"),
        (([0, 1, 1], [0, 1, 1], ["a", None, "b"]), r"y\[1\] is missing"),
        (([], [], []), "compares two or more"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(DataError, match=words):
        pair_mtd(*arguments)


def test_the_result_tells_the_same_in_every_form():
    x1, x2, y = samples(next(grids(1, 10)))
    found = pair_mtd(x1, x2, y)
    plain, row = found.to_dict(), found.frame().iloc[0]
    assert plain["score"] == row["score"] == float(found)
    assert plain["singles"] == [row["single_1"], row["single_2"]]
    assert plain["classes"] == row["classes"].split(" / ") == ["0", "1"]
    assert f"interaction {found.interaction:.3f}" in found.summary()
    with pytest.raises(AttributeError):
        found.score = 1.0


@pytest.mark.parametrize(
    ("x1", "says"), [([[1], [2]], "one value a sample"), (np.eye(2), "x1 must be one column")]
)
def test_what_is_no_column_is_named(x1, says):
    with pytest.raises(DataError, match=says):
        pair_mtd(x1, [0, 1], ["a", "b"])


def factors(rng, classes, levels):
    """Whole numbers: random weights of each level in each class, some of them 0 in all."""
    weights = rng.integers(0, 6, (classes, levels)) * (rng.random(levels) < 0.9)
    weights[:, rng.integers(levels)] += 1
    return weights


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6))
def test_no_interaction_where_anything_is_independent(seed):
    """Of two features and the class, two given the third: all three ways, whatever the effects."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(k) for k in rng.integers(2, 6, 2))
    by_class, own = factors(rng, 2, rows), factors(rng, 2, columns)
    joint = rng.integers(0, 6, (rows, columns)) + np.eye(rows, columns, dtype=int)
    given_class = by_class[:, :, None] * own[:, None, :]
    given_first = by_class[:, :, None] * joint
    given_second = own[:, None, :] * joint
    for counts in (given_class, given_first, given_second):
        if counts.any(axis=(1, 2)).all():
            assert pair_mtd(*samples(counts)).interaction == 0


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6))
def test_interaction_of_two_levels_each(seed):
    """Only what contradicts the features one by one: the larger of two opposite corners.

    With levels named so that class 0 has more of the first of both, it is four times by how much
    the cell of both first has less of class 0, or that of both second more.
    """
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 8, (2, 2, 2))
    counts[:, 0, 0] += 1
    d = counts[0] / counts[0].sum() - counts[1] / counts[1].sum()
    d = d if d[0].sum() >= 0 else d[::-1]
    d = d if d[:, 0].sum() >= 0 else d[:, ::-1]
    found = pair_mtd(*samples(counts))
    assert found.interaction == pytest.approx(4 * max(0, -d[0, 0], d[1, 1]), abs=1e-12)


@pytest.mark.parametrize("rule", [np.minimum, np.maximum])
def test_both_and_either_are_no_interaction(rule):
    a, b = np.repeat([0, 1], 40), np.tile([0, 1], 40)
    found = pair_mtd(a, b, rule(a, b))
    assert found.interaction == 0
    assert found.score == sum(found.singles) > 2

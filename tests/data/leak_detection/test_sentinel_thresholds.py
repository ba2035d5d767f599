"""From where on each detector of leaks speaks, and a study refuses: just below and just above the
bounds that docs/leaks.md describes, by p-values that scipy gives."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from tamis.data.leak_detection.alone import find_alone
from tamis.data.leak_detection.circumstance import (
    few_changes,
    find_circumstances,
    uneven_spread_p,
)
from tamis.data.leak_detection.confined import find_confined
from tamis.data.leak_detection.follow_up import class_p_value, find_follow_up
from tamis.data.leak_detection.pairs import Pair, _pair_far_ahead, find_pairs
from tamis.data.leak_detection.separation import (
    Separations,
    by_chance,
    by_values,
    class_separations,
    on_open_scale,
)
from tamis.data.leak_detection.watched import Watched


def watched(sizes, X=None, k=1, names=None, target="arm") -> Watched:
    """Samples of classes of some sizes, in order; k columns of noise if no others are given."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = np.random.default_rng(0).normal(size=(len(y), k)) if X is None else np.asarray(X, float)
    names = tuple(f"x{j}" for j in range(X.shape[1])) if names is None else names
    classes = tuple("abcd"[: len(sizes)])
    return Watched(X, y, names, np.zeros(X.shape[1], dtype=bool), target, classes)


def below(separation: float, gap: float) -> float:
    """A separation so far below another one on Fisher's scale, where .995 is the best there is."""
    return math.tanh(math.atanh(min(separation, 0.995)) - gap)


def told_alone(sizes, separations):
    y = np.repeat(np.arange(len(sizes)), sizes)
    far = 10 * y[:, None] + np.random.default_rng(0).normal(size=(len(y), len(separations)))
    table, found = watched(sizes, far), np.array(separations)
    return find_alone(table, Separations(found, np.zeros(len(found), dtype=bool)))


@pytest.mark.every
@pytest.mark.parametrize(
    ("best", "gap", "told", "grave"),
    [
        (0.951, 1.2, True, False),
        (0.95, 1.2, True, False),
        (0.949, 1.2, False, False),
        (0.97, 1.02, True, False),
        (0.97, 0.98, False, False),
        (0.991, 1.52, True, True),
        (0.99, 1.52, True, True),
        (0.991, 1.48, True, False),
        (0.989, 1.52, True, False),
        (1.0, 1.52, True, True),  # as good as .995
        (1.0, 1.48, True, False),
    ],
)
def test_a_column_alone_is_told_from_an_auc_of_975_and_refused_from_995(best, gap, told, grave):
    found = told_alone((100, 100), [0.1, best, below(best, gap), 0.2])
    assert [(one.columns, one.grave) for one in found] == ([(("x1",), grave)] if told else [])


@pytest.mark.parametrize("copies", [5, 6])
def test_up_to_five_columns_may_be_copies_of_one_another(copies):
    found = told_alone((100, 100), [0.99] * copies + [0.3, 0.2])
    assert [len(one.columns) for one in found] == ([5] if copies == 5 else [])


@pytest.mark.every
@pytest.mark.parametrize(
    ("sizes", "columns", "told"), [((5, 5), 1, True), ((4, 6), 1, False), ((5, 5), 2, False)]
)
def test_a_column_alone_is_told_if_chance_gives_one_in_fewer_than_a_hundred_tables(
    sizes, columns, told
):
    """P-values .0090 and .0105 of a perfect separation, times the columns."""
    ranks = np.split(np.arange(10), [sizes[0]])
    p = columns * stats.kruskal(*ranks).pvalue
    assert (p <= 0.01) == told
    found = told_alone(sizes, [1.0] + [0.0] * (columns - 1))
    assert len(found) == told


@pytest.mark.every
@pytest.mark.parametrize(
    ("sizes", "columns", "told"),
    [((5, 5), 1, True), ((4, 5), 1, False), ((3, 3, 3), 2, True), ((3, 3, 3), 3, False)],
)
def test_a_copy_is_told_if_labels_in_random_order_are_one_in_fewer_than_a_hundred_tables(
    sizes, columns, told
):
    """One of all orders of the labels, times the names that the values may have, .0079 to .0159."""
    orders = math.factorial(sum(sizes)) / math.prod(map(math.factorial, sizes))
    assert (columns * math.factorial(len(sizes)) / orders <= 0.01) == told
    y = np.repeat(np.arange(len(sizes)), sizes)
    others = [np.arange(len(y)) % 2] * (columns - 1)
    table = watched(sizes, np.column_stack([y, *others]))
    found = find_alone(table, class_separations(table))
    assert ("copy" in [one.kind for one in found]) == told


@pytest.mark.parametrize(("sizes", "grave"), [((10, 10), True), ((9, 10), False)])
def test_a_copy_is_refused_from_twenty_samples_on(sizes, grave):
    y = np.repeat([0.0, 1.0], sizes)
    table = watched(sizes, y[:, None])
    (found,) = find_alone(table, class_separations(table))
    assert (found.kind, found.grave) == ("copy", grave)


@pytest.mark.every
@pytest.mark.parametrize(
    ("sizes", "pairs"), [((5, 5), 25), ((14, 14), 196), ((14, 15), 210), ((3, 4, 5), 47)]
)
def test_perfection_is_half_a_pair_below_1_or_995(sizes, pairs):
    """|2 AUC - 1| is 1 - 1 / pairs if half a pair is in the wrong order."""
    best = min(0.995, 1 - 1 / pairs)
    found = on_open_scale(np.array([1.0, 0.9]), np.array(sizes, dtype=float))
    assert found == pytest.approx([math.atanh(best), math.atanh(min(0.9, best))])


def test_a_plane_of_two_columns_has_a_degree_of_freedom_more_by_chance():
    sizes = np.array([8.0, 12.0])
    most = (20**3 - 20 - (8**3 - 8) - (12**3 - 12)) / (20**3 - 20)
    for columns in (1, 2):
        expected = stats.chi2.sf(19 * most * 0.7**2, columns)
        assert by_chance(0.7, sizes, columns) == pytest.approx(expected)


@pytest.mark.parametrize(("missing", "found"), [(5, True), (6, False)])
def test_half_of_a_class_has_to_have_a_value(missing, found):
    x = np.arange(20.0)
    x[:missing] = np.nan
    told = class_separations(watched((10, 10), x[:, None])).found
    assert told.tolist() == [1.0 if found else 0.0]


@pytest.mark.parametrize(("values", "few"), [(12, True), (13, False)])
def test_numbers_of_up_to_twelve_values_may_be_codes(values, few):
    x = np.arange(130.0) % values
    assert (watched((65, 65), x[:, None]).few_valued.tolist() == [0]) == few


def pair(together=0.99, alone=0.3, rival=0.3, sizes=(40, 40)) -> Pair:
    return Pair((0, 1), together, alone, rival, np.array(sizes, dtype=float), False)


@pytest.mark.every
@pytest.mark.parametrize(
    ("pairs", "told", "grave"),
    [
        ([pair(0.981)], True, True),
        ([pair(0.98)], True, True),
        ([pair(0.979)], False, False),
        ([pair(0.99, alone=0.799)], True, True),
        ([pair(0.99, alone=0.8)], False, False),
        ([pair(0.99, rival=below(0.99, 1.02))], True, True),
        ([pair(0.99, rival=below(0.99, 0.98))], False, False),
        ([pair(below(0.99, 1.02)), pair(0.99)], True, True),
        ([pair(below(0.99, 0.98)), pair(0.99)], False, False),
        ([pair(sizes=(30, 30))], True, True),
        ([pair(sizes=(30, 29))], True, False),
    ],
)
def test_a_pair_is_told_from_an_auc_of_99_if_no_column_and_no_other_pair_is_near(
    pairs, told, grave
):
    found = list(_pair_far_ahead(pairs, ["u", "v", "w"]))
    assert [one.grave for one in found] == ([grave] if told else [])


@pytest.mark.every
@pytest.mark.parametrize(("sizes", "k", "told"), [((8, 8), 2, True), ((7, 8), 2, False)])
def test_a_pair_is_told_if_chance_gives_one_in_fewer_than_a_hundred_tables(sizes, k, told):
    """.0071 and .0105: of k^2 / 2 pairs that separate perfectly, with two degrees of freedom."""
    n = sum(sizes)
    statistic = stats.kruskal(*np.split(np.arange(n), [sizes[0]])).statistic
    assert (k**2 / 2 * stats.chi2.sf(statistic, 2) < 0.01) == told
    assert len(list(_pair_far_ahead([pair(1.0, sizes=sizes)], ["u", "v"][:k]))) == told


@pytest.mark.parametrize(("shift", "told"), [(0.035, True), (0.025, False)])
def test_columns_that_correlate_at_9999_are_one(shift, told):
    """Their difference is the class: r^2 = 1 / (1 + shift^2 / 4)."""
    y, rng = np.repeat([0, 1], 50), np.random.default_rng(3)
    z = rng.normal(size=100)
    z = (z - z[y == 0].mean() * (y == 0) - z[y == 1].mean() * (y == 1)) / z.std()
    X = np.column_stack([z, z + shift * y, rng.normal(size=(100, 4))])
    assert (np.corrcoef(X[:, 0], X[:, 1])[0, 1] < 0.9999) == told
    table = watched((50, 50), X)
    found = find_pairs(table, class_separations(table))
    assert [set(one.columns) for one in found] == ([{"x0", "x1"}] if told else [])


@pytest.mark.every
@pytest.mark.parametrize(
    ("sizes", "k", "told"), [((55, 39), 14, True), ((24, 37), 8, True), ((48, 30), 15, False)]
)
def test_missing_values_of_one_class_are_told_below_one_in_a_thousand(sizes, k, told):
    """P that k samples without a value are all of the first class, times the two columns (no value,
    a value) and the two classes: .000999 and .001001."""
    p = 4 * math.comb(sizes[0], k) / math.comb(sum(sizes), k)
    assert p == pytest.approx(1e-3, rel=2e-3)
    assert (p < 1e-3) == told
    x = np.random.default_rng(0).normal(size=sum(sizes))
    x[:k] = np.nan
    found = find_confined(watched(sizes, x[:, None]))
    assert [(one.columns, one.grave) for one in found] == ([(("x0",), False)] if told else [])


@pytest.mark.parametrize(("n", "told"), [(3, True), (2, False)])
def test_a_code_has_three_samples_or_more(n, told):
    x = np.random.default_rng(0).normal(size=n + 120)
    x[:n] = -99.0
    assert 2 / math.comb(n + 120, n) < 1e-3  # chance gives neither
    assert len(find_confined(watched((n, 120), x[:, None]))) == told


@pytest.mark.parametrize(("n", "grave"), [(38, True), (37, False)])
def test_a_code_that_is_the_class_in_95_of_100_samples_is_refused(n, grave):
    x = np.random.default_rng(0).normal(size=90)
    x[:n] = 999.0
    (found,) = find_confined(watched((40, 50), x[:, None]))
    assert found.grave == grave
    x[:n] = np.nan
    assert not any(one.grave for one in find_confined(watched((40, 50), x[:, None])))


@pytest.mark.parametrize(
    ("code", "told"), [(-0.3, True), (-0.1, False), (30.3, False), (30.5, True)]
)
def test_a_code_lies_farther_from_other_values_than_these_lie_apart(code, told):
    """Others from 10 to 20.2: 10.2 below and above them."""
    x = np.full(90, float(code))
    x[30:] = np.linspace(10, 20.2, 60)
    assert len(find_confined(watched((40, 50), x[:, None]))) == told


@pytest.mark.every
@pytest.mark.parametrize(
    ("n", "first", "second", "told"),
    [(25, 11, 1, True), (20, 12, 2, True), (25, 14, 3, False), (30, 16, 4, False)],
)
def test_plates_are_told_below_one_in_a_thousand(n, first, second, told):
    """Plate 1 has so many of either class of n: the chi-squared test, .00092 to .00104."""
    counts = [[first, second], [n - first, n - second]]
    p = stats.chi2_contingency(counts, correction=False).pvalue
    assert p == pytest.approx(1e-3, rel=0.09)
    assert (p < 1e-3) == told
    plate = np.concatenate([np.arange(n) < first, np.arange(n) < second])
    found = find_circumstances(watched((n, n), plate[:, None], names=("plate",)))
    assert [one.kind for one in found] == ["circumstance"] * told
    both = watched((n, n), np.column_stack([plate, np.ones(2 * n)]), names=("plate", "run"))
    assert not find_circumstances(both)  # of two columns half as much each


@pytest.mark.parametrize(("share", "told"), [(66, True), (64, False)])
def test_plates_have_to_predict_the_class_at_a_balanced_rate_of_65(share, told):
    plate = np.concatenate([np.arange(100) < share, np.arange(100) < 100 - share])
    y = np.repeat([0, 1], 100)
    rate = (1 + by_values(plate[:, None].astype(float), y, 2)[0]) / 2
    assert rate == pytest.approx(share / 100)
    assert stats.chi2_contingency([[share, 100 - share], [100 - share, share]]).pvalue < 1e-3
    found = find_circumstances(watched((100, 100), plate[:, None], names=("plate",)))
    assert len(found) == told


@pytest.mark.parametrize("different", [10, 11])
def test_numbers_are_in_an_order_if_more_than_a_third_are_different(different):
    """Of 30, in the order of two classes: else the chi-squared test of their values."""
    y, values = np.repeat([0, 1], 15), np.arange(30) * different // 30
    values[15:] = np.maximum(values[15:], values[14] + 1)
    assert len(np.unique(values)) == different
    # each value is of one class, so that chi-square is n; none of 19,999 orders has one change
    expected = {10: stats.chi2.sf(30.0, 9), 11: 1 / 20_000}[different]
    assert uneven_spread_p(values.astype(float), y, True) == pytest.approx(expected)


@pytest.mark.parametrize(("sizes", "told"), [((4, 4, 4), True), ((4, 4, 3), False)])
def test_an_order_of_rows_takes_twelve_samples(sizes, told):
    """Classes one after the other are one of 5775 orders, and one of 1925: both rare enough."""
    n = sum(sizes)
    orders = math.factorial(n) / math.prod(map(math.factorial, sizes)) / 6
    assert 1 / orders < 1e-3
    found = find_circumstances(watched(sizes, np.arange(n)[:, None]))
    assert len(found) == told


def test_few_changes_in_an_order_are_as_rare_as_random_orders_say():
    """One change: two of the 495 orders of 8 and 4. None of 19,999 orders: p is 1 / 20,000."""
    n, changes = 12, []
    for places in combinations(range(n), 4):
        changes.append(np.count_nonzero(np.diff(np.isin(np.arange(n), places).astype(int))))
    exact = np.mean(np.array(changes) <= 1)
    assert exact == 2 / 495
    found = few_changes(np.repeat([0, 1], [8, 4]))
    assert abs(found - exact) < 4 * math.sqrt(exact / 19_999)
    assert few_changes(np.repeat([0, 1], 25)) == 1 / 20_000


def blocks_of(n: int, m: int, changes: int) -> np.ndarray:
    """An order of n and m samples of two classes with so many neighbours of unlike class."""
    runs = [(changes + 2) // 2, (changes + 1) // 2]
    parts = [[1] * (k - 1) + [size - (k - 1)] for size, k in zip((n, m), runs, strict=True)]
    y, turn = [], 0
    while parts[turn % 2]:
        y += [turn % 2] * parts[turn % 2].pop(0)
        turn += 1
    return np.array(y)


@pytest.mark.parametrize(
    ("n", "m", "changes", "normal"), [(20, 16, 11, True), (22, 21, 14, True), (24, 24, 16, False)]
)
def test_the_normal_distribution_of_changes_holds_above_one_in_a_hundred(n, m, changes, normal):
    """Wald and Wolfowitz (1940): .0101 and .0104 as they are, .0098 by 19,999 random orders."""
    y = blocks_of(n, m, changes)
    assert (np.bincount(y).tolist(), np.count_nonzero(np.diff(y))) == ([n, m], changes)
    both, all_of = 2 * n * m, n + m
    variance = both * (both - all_of) / (all_of**2 * (all_of - 1))
    p = stats.norm.cdf((changes - both / all_of) / math.sqrt(variance))
    assert (p > 0.01) == normal
    found = few_changes(y)
    assert (found == pytest.approx(p, rel=1e-9)) == normal
    assert normal or found * 20_000 == pytest.approx(round(found * 20_000), abs=1e-6)


def ranked(n: int, m: int, swapped: int) -> np.ndarray:
    """Numbers of n and m samples, so many pairs of which are in the wrong order."""
    order = np.concatenate([np.zeros(n, int), np.ones(m, int)])
    for _ in range(swapped):  # the first neighbours in order change places: one pair more
        k = int(np.flatnonzero(np.diff(order) == 1)[0])
        order[k], order[k + 1] = 1, 0
    values = np.empty(n + m)
    values[:n], values[n:] = np.flatnonzero(order == 0), np.flatnonzero(order == 1)
    return values


@pytest.mark.every
@pytest.mark.parametrize(
    ("n", "m", "swapped", "goes"), [(12, 12, 15, True), (14, 15, 29, True), (14, 15, 30, False)]
)
def test_follow_up_is_refused_below_one_in_a_thousand(n, m, swapped, goes):
    """Kruskal and Wallis's p of .00100, .00091 and .00106."""
    x = ranked(n, m, swapped)
    p = stats.kruskal(x[:n], x[n:]).pvalue
    assert p == pytest.approx(1e-3, rel=0.1)
    assert (p < 1e-3) == goes
    (found,) = find_follow_up(watched((n, m), x[:, None], names=("OS_MONTHS",)))
    assert found.grave == goes
    two = np.column_stack([x, np.random.default_rng(1).normal(size=n + m)])
    several = find_follow_up(watched((n, m), two, names=("OS_MONTHS", "PFS_MONTHS")))
    assert not any(one.grave for one in several)  # corrected for both
    short = watched((n, m), x[:, None], names=("time",), target="status")
    assert len(find_follow_up(short)) == goes


def test_p_values_of_follow_up_are_the_lesser_of_two_doubled():
    y = np.repeat([0, 1], 20)
    x = np.random.default_rng(2).normal(size=40) + 0.5 * y
    alone = stats.kruskal(x[:20], x[20:]).pvalue
    assert class_p_value(x, y, False) == pytest.approx(alone)
    x[:9] = x[20:24] = np.nan
    there = ~np.isnan(x)
    values = stats.kruskal(x[there & (y == 0)], x[there & (y == 1)]).pvalue
    lost = stats.chi2_contingency([[9, 4], [11, 16]], correction=False).pvalue
    assert class_p_value(x, y, False) == pytest.approx(2 * min(values, lost))

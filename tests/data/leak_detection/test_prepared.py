"""From where on a table is said to have been made with the classes: just below and just above the
bounds that docs/leaks.md describes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from tamis.data.leak_detection.alone import _is_class
from tamis.data.leak_detection.confined import find_confined
from tamis.data.leak_detection.gaps import find_gaps
from tamis.data.leak_detection.prepared import find_prepared
from tamis.data.leak_detection.separation import rank_p_values
from tamis.data.leak_detection.watched import Watched, class_rank_sums


def watched(sizes, X) -> Watched:
    y = np.repeat(np.arange(len(sizes)), sizes)
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Watched(
        X, y, names, np.zeros(X.shape[1], dtype=bool), "arm", tuple("abcd"[: len(sizes)])
    )


def noise(sizes, k, seed=0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(sum(sizes), k))


def shared_values(sizes, own, mixed, m=3) -> np.ndarray:
    """So many columns in which m samples of the first class, other ones in each, share a value, and
    so many in which these are of two classes; the value is neither least nor greatest."""
    X = noise(sizes, own + mixed)
    rng = np.random.default_rng(1)
    for j in range(own + mixed):
        order = np.argsort(X[:, j])[1:-1]
        first, second = order[order < sizes[0]], order[order >= sizes[0]]
        rows = rng.choice(first, m, replace=False)
        if j >= own:
            rows[0] = rng.choice(second)
        X[rows, j] = X[rows, j].mean()
    return X


def kinds(table) -> list[str]:
    return [one.kind for one in find_prepared(table)]


def neighbours_of_one_class(x, first, m) -> float:
    """Share of windows of m values, the repeated ones left out, that are of one class."""
    values, counts = np.unique(x, return_counts=True)
    rest = [i for i in np.argsort(x) if counts[values == x[i]] == 1]
    windows = [rest[k : k + m] for k in range(len(rest) - m + 1)]
    return float(np.mean([len({i < first for i in own}) == 1 for own in windows]))


@pytest.mark.parametrize(("own", "mixed", "told"), [(10, 0, True), (9, 0, False)])
def test_values_of_one_class_are_told_in_ten_columns(own, mixed, told):
    """By chance four neighbouring values are of one class in one of nine, as in random order."""
    X = shared_values((30, 30), own, mixed, m=4)
    chance = np.mean([neighbours_of_one_class(x, 30, 4) for x in X.T])
    assert chance == pytest.approx(2 * math.comb(30, 4) / math.comb(60, 4), abs=0.05)
    assert stats.binom.sf(own - 1, own, chance) < 1e-6
    table = watched((30, 30), X)
    (found,) = find_prepared(table) if told else (None,)
    assert ("class-filled" in kinds(table)) == told
    if told:
        assert f"in {own} of {own} columns" in found.text
        assert f"({chance:.0%} by chance)" in found.text


@pytest.mark.parametrize(("own", "mixed", "told"), [(24, 6, True), (23, 7, False)])
def test_values_of_one_class_are_told_in_four_of_five_columns(own, mixed, told):
    assert kinds(watched((30, 30), shared_values((30, 30), own, mixed))) == ["class-filled"] * told


def test_samples_that_are_alike_fill_nothing_in():
    """Pairs of one class, equal in all columns: 30 pairs, of which any column shows one first."""
    X = noise((30, 30), 200)
    X[1::2] = X[::2]
    assert not find_prepared(watched((30, 30), X))


def test_a_floor_is_no_value_that_was_filled_in():
    X = noise((30, 30), 40)
    X[:30] += 2
    table = watched((30, 30), np.maximum(X, 0.5))
    assert (table.X[30:] == 0.5).mean() > 0.5 > 5 * (table.X[:30] == 0.5).mean()
    assert "class-filled" not in kinds(table)


@pytest.mark.every
@pytest.mark.parametrize(("gap", "told"), [(0.9, True), (1.1, False)])
def test_means_are_equal_from_a_p_value_of_99(gap, told):
    """Class means so far apart that the analysis of variance has p = .99, times `gap`."""
    X = noise((30, 30), 12)
    X[:30] -= X[:30].mean(axis=0)
    X[30:] -= X[30:].mean(axis=0)
    t = stats.t.isf(0.99 / 2, 58)
    within = np.sqrt((X**2).sum(axis=0) / 58 * (2 / 30))
    X[30:] += gap * t * within
    p = stats.ttest_ind(X[:30, 0], X[30:, 0]).pvalue
    assert (p > 0.99) == told
    assert kinds(watched((30, 30), X)) == ["class-centred"] * told


@pytest.mark.parametrize(("centred", "told"), [(20, True), (19, False)])
def test_means_are_equal_in_half_of_the_columns(centred, told):
    X = noise((30, 30, 20), 40)
    for rows in (slice(0, 30), slice(30, 60), slice(60, 80)):
        X[rows, :centred] -= X[rows, :centred].mean(axis=0)
    assert kinds(watched((30, 30, 20), X)) == ["class-centred"] * told


def by_p_value(sizes, X) -> np.ndarray:
    """Columns in the order of their p-values."""
    table = watched(sizes, X)
    return np.argsort(rank_p_values(*table.rank_sums), kind="stable")


@pytest.mark.parametrize(("bound", "told"), [(0.3, True), (0.33, False)])
def test_columns_seem_to_be_chosen_if_no_p_value_is_above_three_tenths(bound, told):
    """But for one in fifty, which are left out."""
    X = noise((40, 40), 1000)
    p = rank_p_values(*watched((40, 40), X).rank_sums)
    kept = np.append(np.flatnonzero(p < bound), p.argmax())
    largest = np.sort(p[kept])[len(kept) - 1 - len(kept) // 50]
    assert (largest < 0.3) == told
    assert kinds(watched((40, 40), X[:, kept])) == ["preselected"] * told


@pytest.mark.parametrize(("k", "told"), [(20, True), (19, False)])
def test_twenty_columns_may_be_chosen(k, told):
    X = noise((40, 40), 400)
    assert kinds(watched((40, 40), X[:, by_p_value((40, 40), X)[:k]])) == ["preselected"] * told


def test_strong_signal_and_copies_are_not_chosen():
    """Signal in every column has rare large p-values, and copies of one column one p-value."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 40)
    strong = noise((40, 40), 300) + np.abs(rng.normal(1.0, 0.4, 300)) * y[:, None]
    assert not find_prepared(watched((40, 40), strong))
    copies = (rng.normal(size=80) + 0.8 * y)[:, None] + 0.2 * noise((40, 40), 50)
    p = rank_p_values(*watched((40, 40), copies).rank_sums)
    assert p.max() < 0.3
    assert not find_prepared(watched((40, 40), copies))


def test_p_values_are_those_of_kruskal_and_wallis():
    X, y = noise((9, 7, 5), 3), np.repeat([0, 1, 2], [9, 7, 5])
    X[2, 1] = np.nan
    found = rank_p_values(*class_rank_sums(X, y, 3))
    for j in range(3):
        groups = [own[~np.isnan(own)] for own in (X[y == c, j] for c in range(3))]
        assert found[j] == pytest.approx(stats.kruskal(*groups).pvalue)


@pytest.mark.parametrize(("columns", "told"), [(5, True), (4, False)])
def test_a_panel_has_five_columns(columns, told):
    X = noise((30, 30), 20)
    X[:15, :columns] = np.nan
    found = [one for one in find_gaps(watched((30, 30), X)) if one.kind == "gaps"]
    assert [one.columns for one in found] == [tuple(f"x{j}" for j in range(columns))] * told
    if told:
        assert "the same 15 samples: 15 of 30 of arm = a, 0 of 30 of arm = b" in found[0].text


@pytest.mark.parametrize(("first", "second", "told"), [(12, 2, True), (11, 2, False)])
def test_a_panel_is_told_below_one_in_a_hundred(first, second, told):
    """Fisher's exact probability, of one class against the other and either way: 4 p."""
    p = 4 * stats.hypergeom.sf(first - 1, 60, 30, first + second)
    assert (p < 0.01) == told
    X = noise((30, 30), 20)
    X[:first, :6] = X[30 : 30 + second, :6] = np.nan
    assert [one.kind for one in find_gaps(watched((30, 30), X))].count("gaps") == told


@pytest.mark.parametrize(("other", "told"), [(7, True), (6, False)])
def test_columns_are_of_one_panel_if_they_share_half_of_their_gaps(other, told):
    """Ten samples lack the first four, of which the fifth lacks so many, and 4 others: 7 of 14."""
    X = noise((30, 30), 20)
    X[:10, :4] = np.nan
    X[:other, 4] = X[10:14, 4] = np.nan
    assert bool([one for one in find_gaps(watched((30, 30), X)) if one.kind == "gaps"]) == told


def test_samples_that_lack_more_values_are_told():
    rng = np.random.default_rng(5)
    X = noise((40, 40), 300)
    X[:40][rng.random((40, 300)) < 0.10] = np.nan
    X[40:][rng.random((40, 300)) < 0.05] = np.nan
    (found,) = find_gaps(watched((40, 40), X))
    assert (found.kind, found.columns) == ("class-gaps", ())
    assert "samples of arm = a lack 10" in found.text
    X[40:][rng.random((40, 300)) < 0.05] = np.nan
    assert not find_gaps(watched((40, 40), X))


@pytest.mark.parametrize(
    ("code", "others", "told"),
    [(-9.0, 0.0, True), (-9.5, 0.0, False), (-9.0, -0.1, False)],
)
def test_a_code_is_the_only_negative_value_and_a_whole_number(code, others, told):
    """Among values up to 40, from which neither is far."""
    x = np.full(90, code)
    x[20:] = np.linspace(others, 40, 70)
    assert bool(find_confined(watched((40, 50), x[:, None]))) == told


@pytest.mark.parametrize(("distance", "told"), [(6.1, True), (5.9, False)])
def test_a_number_is_the_class_from_six_standard_deviations(distance, told):
    x = noise((40, 40), 1)
    x[:40] -= x[:40].mean()
    x[40:] -= x[40:].mean()
    x /= np.sqrt((x**2).sum() / 78)
    x[40:] += distance
    assert _is_class(watched((40, 40), x), 0) == told
    assert _is_class(watched((40, 40), np.arange(80.0)[:, None]), 0)  # a number a row


def two_classes(n: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
    return np.repeat([0, 1], n), np.random.default_rng(seed)


def test_ties_within_classes_that_lie_apart_are_not_filled_in():
    """Two species in whole numbers: any repeated value is of one of them."""
    for seed in range(5):
        y, rng = two_classes(25, seed)
        X = (rng.normal(60, 5, (50, 20)) + 40 * y[:, None]).round()
        assert "class-filled" not in kinds(watched((25, 25), X))


def test_logarithms_of_a_count_and_a_half_have_a_floor():
    """-1 is the only negative value and whole; of genes that one class has not, only it has it."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        mu = rng.uniform(1, 60, 300)
        C = rng.negative_binomial(2, 2 / (2 + mu), (40, 300))
        C[:20, :8], C[20:, :8] = 0, rng.negative_binomial(3, 3 / 203, (20, 8))
        table = watched((20, 20), np.log2(C + 0.5))
        assert not [one for one in find_confined(table) if "-1 " in one.text]


def test_ranks_of_a_column_do_not_number_the_rows():
    y, rng = two_classes(30, 0)
    X = rng.normal(size=(60, 5))
    X[:, 0] += 5 * y
    ranks = X.argsort(axis=0).argsort(axis=0) + 1.0
    assert not _is_class(watched((30, 30), ranks), 0)


@pytest.mark.parametrize(("p", "n"), [(20, 40), (20, 80), (30, 80), (60, 80)])
def test_panels_of_honest_markers_are_not_asked_about(p, n):
    """Effects of .8 standard deviations or so in every column."""
    told = 0
    for seed in range(40):
        y, rng = two_classes(n, seed)
        X = rng.normal(size=(2 * n, p)) + rng.normal(0.8, 0.3, p) * y[:, None]
        told += "preselected" in kinds(watched((n, n), X))
    assert told == 0


def test_the_p_value_of_perfect_separation_is_no_edge():
    y, rng = two_classes(10, 0)
    assert not kinds(watched((10, 10), rng.normal(size=(20, 60)) + 6 * y[:, None]))


def test_values_measured_once_of_each_pair_are_not_centred():
    """Before and after in a row each, with the same baseline."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=(25, 16))
    X = np.hstack([np.vstack([base, base]), rng.normal(size=(50, 12))])
    assert not kinds(watched((25, 25), X))


@pytest.mark.parametrize("scale", [1.0, 1e-170, 1e120])
def test_values_centred_and_rounded_are_told_on_any_scale(scale):
    y, rng = two_classes(40, 0)
    X = rng.normal(size=(80, 30))
    for c in (0, 1):
        X[y == c] = (X[y == c] - X[y == c].mean(axis=0)) / X[y == c].std(axis=0)
    assert kinds(watched((40, 40), scale * X.round(2))) == ["class-centred"]


def test_one_column_with_gaps_is_no_matter_of_the_table():
    X = noise((30, 30), 20)
    X[:14, 5] = np.nan
    X[:, 10:15] = np.nan
    X[np.arange(4), np.arange(15, 19)] = np.nan
    assert not find_gaps(watched((30, 30), X))

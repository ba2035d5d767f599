"""The search among all pairs against a loop of `pair_mtd`, and what its permuted runs promise."""

from __future__ import annotations

import json
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis._core.streams import generator
from tamis.data import EqualFrequencyDiscretizer
from tamis.interactions import pair_mtd, search_pairs
from tamis.interactions.pairs.levels import read_levels
from tamis.interactions.pairs.pair_runs import BLOCK_FEATURES, PairRuns
from tamis.kernels.pair_lanes import LANE_PAIRS
from tamis.selection import mtd

NS = "{http://www.w3.org/2000/svg}"


def mixed_table(seed, n, classes):
    """Numbers with gaps and side by side, counts, words, a constant, and labels in words."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["ill", "so-so", "well"][:classes], n)
    numbers = rng.normal(size=(n, 3)) + 0.8 * (y == "ill")[:, None]
    numbers[rng.random((n, 3)) < 0.1] = np.nan
    frame = pd.DataFrame(numbers, columns=["a", "b", "c"])
    frame["counts"] = rng.poisson(2, n)
    frame["near"] = 1 + 2.0**-52 * rng.integers(0, 9, n)  # cuts are values, for want of others
    frame["few"] = rng.integers(0, 2, n)
    frame["words"] = rng.choice(["x", "y", "z", "w", "v"], n)
    frame["same"] = 7.0
    frame.loc[rng.random(n) < 0.2, "words"] = None
    return frame, y


def cut_by_hand(column, bins):
    """What a column is to be scored as."""
    if column.dtype == object or column.nunique() <= bins:
        return column
    coded = EqualFrequencyDiscretizer(bins).fit_transform(column.to_numpy()[:, None])
    return pd.Series(coded[:, 0])


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(12, 90),
    classes=st.integers(2, 3),
    bins=st.integers(2, 5),
    by=st.sampled_from(["interaction", "score"]),
)
def test_equals_a_loop_of_pair_mtd(seed, n, classes, bins, by):
    frame, y = mixed_table(seed, n, classes)
    if len(set(y)) < 2:
        return
    found = search_pairs(
        frame, y, bins=bins, by=by, n_permutations=0, categorical_features="from_dtype"
    )
    expected = {}
    for a, b in combinations(frame.columns, 2):
        one = pair_mtd(cut_by_hand(frame[a], bins), cut_by_hand(frame[b], bins), y)
        if one.classes is not None:
            expected[a, b] = one
    place = {name: j for j, name in enumerate(frame.columns)}
    ordered = sorted(
        expected, key=lambda pair: (-getattr(expected[pair], by), [place[name] for name in pair])
    )
    assert list(found.terms) == ordered
    for k, pair in enumerate(found.terms):
        told = expected[pair]
        assert (found.score[k], found.interaction[k]) == (told.score, told.interaction)
        assert tuple(found.singles[k]) == told.singles
        assert (found.n[k], found.classes[k]) == (told.n, told.classes)
    assert found.n_pairs == len(frame.columns) * (len(frame.columns) - 1) // 2


def exclusive_or(n, noise, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, noise + 2))
    y = X[:, 100] ^ X[:, 350] ^ (rng.random(n) < 0.1)
    return X, y


def test_exclusive_or_among_500_features_is_first_and_alone():
    X, y = exclusive_or(120, 500)
    found = search_pairs(X, y, n_jobs=2)
    assert found.terms[0] == (100, 350)
    assert found.significant.tolist() == [True] + [False] * 999
    assert found.family_p[0] == 1 / 20
    # numbers behind the values are found as well
    smeared = X + np.random.default_rng(1).uniform(-0.4, 0.4, X.shape)
    assert search_pairs(smeared, y, bins=2, n_permutations=0).terms[0] == (100, 350)


@pytest.mark.parametrize("by", ["interaction", "score"])
@pytest.mark.parametrize("best", [None, 90])
def test_threads_change_no_byte(by, best):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(70, 200))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 50:120] = np.round(X[:, 50:120])
    y = rng.integers(0, 3, 70)
    alone, *others = (
        search_pairs(X, y, by=by, best=best, keep=150, n_jobs=n_jobs) for n_jobs in (1, 2, 5)
    )
    for other in others:
        assert other.terms == alone.terms
        for name in ("score", "interaction", "singles", "n", "family_p", "maxima"):
            assert getattr(other, name).tobytes() == getattr(alone, name).tobytes()


@pytest.mark.parametrize("by", ["interaction", "score"])
@pytest.mark.parametrize("best", [None, 6])
def test_permuted_runs_are_searches_with_permuted_classes(by, best):
    """Among the best features too, which every run has to choose for itself."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (50, 14)).astype(float), rng.permutation(np.arange(50) % 2)
    X[:, 3] += y
    found = search_pairs(X, y, by=by, best=best, n_permutations=29, random_state=5)
    assert len(found.maxima) == 29
    for run, maximum in enumerate(found.maxima, 1):
        permuted = generator(5, "pair_search", run).permutation(y)
        again = search_pairs(X, permuted, by=by, best=best, n_permutations=0)
        assert again.value[0] == maximum
    reached = (found.maxima >= found.value[:, None]).sum(axis=1)
    assert found.family_p.tolist() == ((1 + reached) / 30).tolist()
    # of 30 runs with the true one, the largest alone may be exceeded at .05
    assert found.threshold == found.maxima.max()
    assert np.array_equal(found.significant, found.family_p <= 0.05)


def test_the_best_features_are_those_of_mtd():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 3, (60, 40)).astype(float), rng.integers(0, 3, 60)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 7] = X[:, 20]  # equals: the lower column
    X[:, 9] = np.nan
    order = np.argsort(-np.nan_to_num(mtd(X, y, discrete_features=True), nan=-1), kind="stable")
    for best in (2, 7, 30, 400):
        found = search_pairs(X, y, best=best, n_permutations=0)
        expected = combinations(sorted(set(order[:best]) - {9}), 2)
        assert sorted(found.terms) == list(expected)
        assert found.n_features == min(best, 40)


def test_keeping_fewer_pairs_changes_nothing_else():
    X, y = exclusive_or(60, 400, seed=3)
    many = search_pairs(X, y, keep=5000, n_permutations=19)
    for keep in (1, 30, 1000):
        few = search_pairs(X, y, keep=keep, n_permutations=19)
        assert len(few.terms) == keep
        assert few.terms == many.terms[:keep]
        assert np.array_equal(few.maxima, many.maxima)
    # equal values, of which there are many, stand in the order of their columns
    rows = list(zip(-many.value, many.terms, strict=True))
    assert rows == sorted(rows)
    assert len(set(many.value)) < len(many.value) / 10


def test_numbers_are_cut_without_a_look_at_the_classes():
    """Exclusive or of tails: a cut that parts the classes best does not exist."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 20))
    y = (X[:, 2] > 0.43) ^ (X[:, 11] > 0.43)
    found = search_pairs(X, y)
    assert found.terms[0] == (2, 11)
    assert found.significant[0]
    coded = EqualFrequencyDiscretizer(3).fit_transform(X)
    for labels in (y, rng.permutation(y)):
        by_hand = search_pairs(coded, labels, categorical_features=range(20), n_permutations=0)
        by_itself = search_pairs(X, labels, n_permutations=0)
        assert by_itself.terms == by_hand.terms
        assert np.array_equal(by_itself.score, by_hand.score)
    # three values are not cut, so their numbers do not matter
    few = rng.integers(0, 3, (80, 6))
    labels = rng.integers(0, 2, 80)
    far = np.array([-5.0, 0.1, 1e6])[few]
    assert search_pairs(few, labels).terms == search_pairs(far, labels).terms


def test_constant_and_empty_columns():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(40, 5)), np.arange(40) % 2
    X[:, 1], X[:, 3] = 2.5, np.nan
    found = search_pairs(X, y)
    assert not any(3 in pair for pair in found.terms)  # no sample is complete
    assert len(found.terms) == 6
    with_constant = found.frame()[[1 in pair for pair in found.terms]]
    assert (with_constant["interaction"] == 0).all()
    nothing = search_pairs(np.full((6, 3), np.nan), [0, 1] * 3)
    assert nothing.terms == ()
    assert nothing.summary() == "3 pairs of 3 features"
    assert nothing.frame().empty
    assert nothing.to_dict()["pairs"] == []
    assert nothing.plot() is not None
    assert search_pairs(np.full((6, 3), np.nan), [0, 1] * 3, best=2).terms == ()


def test_a_pair_goes_by_its_complete_samples():
    """One class has no sample complete in both: the pair is not told, the others are."""
    X = np.array([[0, 0, 1], [1, np.nan, 0], [0, np.nan, 1], [1, 1, 1.0]])
    found = search_pairs(X, [0, 1, 1, 0], n_permutations=0)
    assert found.terms == ((0, 2),)
    X[1, 1] = 0
    found = search_pairs(X, [0, 1, 1, 0], n_permutations=0)
    assert dict(zip(found.terms, found.n.tolist(), strict=True)) == {
        (0, 1): 3,
        (0, 2): 4,
        (1, 2): 3,
    }


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"y": [1] * 6}, DataError, "search_pairs needs at least two classes"),
        ({"y": [0, 1, 0]}, DataError, "X has 6 samples and y 3 labels"),
        ({"X": np.zeros((6, 1))}, DataError, "X has 1 feature: a pair takes two"),
        ({"bins": 1}, PlanError, "bins=1: give a whole number of 2 to 20"),
        ({"bins": True}, PlanError, "bins=True"),
        ({"keep": 0}, PlanError, "keep=0: give a whole number of at least 1"),
        ({"best": 1}, PlanError, "best=1: give a whole number of at least 2"),
        ({"by": "scores"}, PlanError, "did you mean 'score'?"),
        ({"level": 0}, PlanError, "level=0"),
        ({"level": 2, "n_permutations": 0}, PlanError, "level=2"),
        ({"n_permutations": 18}, PlanError, "at least 19"),
        ({"random_state": "x"}, PlanError, "random_state='x'"),
        ({"random_state": -1}, PlanError, "random_state=-1"),
    ],
)
def test_what_is_wrong_is_named(changes, error, words):
    given = {"X": np.arange(12.0).reshape(6, 2), "y": [0, 1] * 3, **changes}
    with pytest.raises(error) as caught:
        search_pairs(given.pop("X"), given.pop("y"), **given)
    assert words in str(caught.value)


def test_categories_have_at_most_twenty_levels():
    X, y = np.arange(42.0).reshape(21, 2), np.arange(21) % 2
    assert search_pairs(X, y).n_pairs == 1
    with pytest.raises(DataError, match=r"column 1 has 21 levels: .* up to 20"):
        search_pairs(X, y, categorical_features=[1])
    frame = pd.DataFrame({"a": range(21), "site": [f"s{k}" for k in range(21)]})
    with pytest.raises(DataError, match="column 'site' has 21 levels"):
        search_pairs(frame, y, categorical_features="from_dtype")
    with pytest.raises(DataError, match="categorical_features"):
        search_pairs(frame, y)
    most = search_pairs(X[:20], y[:20], categorical_features=[0, 1], n_permutations=0)
    assert most.score[0] == pair_mtd(X[:20, 0], X[:20, 1], y[:20]).score


def test_the_result_tells_the_same_in_every_form():
    X, y = exclusive_or(100, 400, seed=7)
    names = [f"$f_{j}$" for j in range(402)]
    found = search_pairs(pd.DataFrame(X, columns=names), np.where(y, "ill", "well"), keep=30)
    frame, plain = found.frame(), found.to_dict(most=10)
    assert frame["features"].iloc[0] == found.terms[0] == ("$f_100$", "$f_350$")
    assert (len(frame), len(plain["pairs"])) == (30, 10)
    for row, one in zip(frame.to_dict("records"), plain["pairs"], strict=False):
        assert list(row["features"]) == one["features"]
        assert [row["single_1"], row["single_2"]] == one["singles"]
        assert row["classes"] == " / ".join(one["classes"]) == "ill / well"
        for name in ("score", "interaction", "n", "family_p"):
            assert row[name] == one[name]
    assert json.loads(json.dumps(plain)) == plain
    assert plain["threshold"] == max(plain["maxima"]) == found.threshold
    assert plain["n_significant"] == found.significant.sum() == 1
    assert "; 1 at level 0.05" in found.summary()
    assert f"interaction {found.interaction[0]:.3f}, family p 0.05" in found.summary()
    assert repr(found).startswith("PairSearch(80,601 pairs of 402 features; best $f_100$ x $f_350$")
    assert len(repr(found)) < 160
    untested = search_pairs(X, y, keep=3, n_permutations=0)
    assert untested.family_p is None
    assert "family_p" not in untested.frame()
    assert not untested.significant.any()
    assert "level" not in untested.summary()


def test_all_that_are_kept_may_be_significant():
    """Then there may be more, and the summary says so."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 30)), np.arange(60) % 2
    X[:, 0] += 5 * y
    found = search_pairs(X, y, by="score", keep=4)
    assert found.significant.all()
    assert "; 4 or more at level 0.05" in found.summary()
    assert "or more" not in search_pairs(X, y, by="score").summary()


@pytest.mark.parametrize("by", ["interaction", "score"])
def test_the_picture_shows_pairs_runs_and_threshold(by):
    X, y = exclusive_or(100, 400, seed=9)
    found = search_pairs(X, y, by=by, keep=40)
    (chart,) = found.plot(12).charts
    root = ElementTree.fromstring(chart)
    rows = [g for g in root.iter(f"{NS}g") if g.find(f"{NS}rect") is not None]
    assert rows[0].find(f"{NS}text").text == "100 × 350"
    bars = [g.findall(f"{NS}rect") for g in rows]
    lengths = np.array([sum(float(bar.get("width")) for bar in three) for three in bars])
    scale = lengths[0] / found.score[0]
    np.testing.assert_allclose(lengths / scale, found.score[:12], atol=0.2 / scale)
    compared = [three[0] if by == "interaction" else three[-1] for three in bars]
    ends = np.array([float(bar.get("x")) + float(bar.get("width")) - 14 for bar in compared])
    np.testing.assert_allclose(ends / scale, found.value[:12], atol=0.2 / scale)
    lines = list(root.iter(f"{NS}line"))
    marks = [float(e.get("x1")) - 14 for e in lines if e.get("class") == "s0"][:-1]  # and its key
    np.testing.assert_allclose(np.array(marks) / scale, found.maxima, atol=0.1 / scale)
    dashed = next(float(e.get("x1")) - 14 for e in lines if e.get("class") == "chance")
    assert dashed / scale == pytest.approx(found.threshold, abs=0.1 / scale)
    assert "to exceed at level 0.05" in chart


def test_progress_counts_every_pair_of_every_run(monkeypatch, capsys):
    told = []

    class Counter:
        def __init__(self, total, label, quiet):
            told.append((total, quiet))

        def __enter__(self):
            return self

        def __exit__(self, *ended):
            pass

        def advance(self, steps):
            told.append(steps)

    monkeypatch.setattr("tamis.interactions.pairs.pair_search.Progress", Counter)
    X, y = exclusive_or(40, 400)
    search_pairs(X, y, progress=True)
    total, quiet = told[0]
    assert total == sum(told[1:]) == 20 * 402 * 401 // 2
    assert not quiet
    assert capsys.readouterr() == ("", "")


def test_seeds_draw_other_permutations():
    X, y = exclusive_or(40, 400)
    zero, again, one, free = (
        search_pairs(X, y, keep=5, random_state=seed).maxima for seed in (0, 0, 1, None)
    )
    assert np.array_equal(zero, again)
    assert not np.array_equal(zero, one)
    assert not np.array_equal(zero, free)


@pytest.mark.parametrize("p", [2, 63, 64, 65, 500, 5000])
def test_tasks_share_out_all_pairs(p):
    assert BLOCK_FEATURES == LANE_PAIRS
    runs = PairRuns(None, None, 2, p, True, 0)
    shares = runs.shares()
    assert [block for share in shares for block in share] == list(range(-(-p // 64)))
    own = [runs.pairs_before(share.stop) - runs.pairs_before(share.start) for share in shares]
    assert sum(own) == runs.n_pairs == p * (p - 1) // 2
    expected = sum(max(0, p - 1 - first) for first in range(64))
    assert runs.pairs_before(1) == expected


def test_bins_are_a_whole_number_of_two_to_the_most():
    """Equal values stay levels; of twelve numbers three bins have four each."""
    X = np.array([np.arange(12.0), np.arange(12) % 3]).T
    for bins, levels in ((2, [2, 2]), (3, [3, 3]), (np.int64(4), [4, 3])):
        found = read_levels(X, None, bins, 4)
        assert found.levels.tolist() == levels
        assert np.bincount(found.codes[0]).tolist() == [12 // levels[0]] * levels[0]
        assert found.codes[1].tolist() == (X[:, 1] if levels[1] == 3 else X[:, 1] > 0).tolist()
    for wrong in (1, 5, 3.0, True, "3", None):
        with pytest.raises(PlanError, match=f"bins={wrong!r}: give a whole number of 2 to 4"):
            read_levels(X, None, wrong, 4)

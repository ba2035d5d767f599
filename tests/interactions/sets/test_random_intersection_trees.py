"""Random intersection trees against all sets by brute force, and what users meet on the way."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from common.examples import settings
from interactions.itemset_miner import maximal_sets, random_table, with_opposites
from interactions.tic_tac_toe import LINES, table
from tamis._core.streams import stream
from tamis.data import make_planted_interaction
from tamis.interactions import PackedRows, random_intersection_trees
from tamis.interactions.sets.intersection_search import PackedClasses, TreeSettings, sets_of_class
from tamis.kernels._bits import pack_rows

QUICK = {"n_permutations": 0, "n_bootstraps": 0}
SMALL = {"n_trees": 20, "depth": 4, "branch": 2.5, **QUICK}
MANY = {"n_trees": 400, "depth": 4, "branch": 6, **QUICK}  # enough for tables of a few rows
seeds = st.integers(0, 2**32 - 1)
shares = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8, 1.0])


def as_told(found, p):
    """{(class, items): rows of each class}, an item behind p being a column turned round."""
    told = {}
    for s, columns in enumerate(found.columns):
        signs = found.signs[s] or (1,) * len(columns)
        items = sorted(j + p * (sign < 0) for j, sign in zip(columns, signs, strict=True))
        told[found.classes[found.origin[s]], tuple(items)] = tuple(found.counts[s].tolist())
    assert len(told) == len(found)
    return told


def as_text(found):
    return json.dumps(found.to_dict())


# all that there is, and nothing else


@pytest.mark.parametrize("seed", range(40))
def test_finds_every_maximal_set_and_no_other(seed):
    signed = seed % 3 == 0
    X, y = random_table(seed, 6 if signed else 10)
    rng = np.random.default_rng(seed)
    theta, theta_out = rng.choice([0.2, 0.3, 0.5], y.max() + 1), rng.choice([0, 0.2, 0.5, 1])
    found = random_intersection_trees(
        X,
        y,
        theta=theta.tolist(),
        theta_out=float(theta_out),
        min_size=1 + seed % 3,
        signed=signed,
        random_state=seed,
        **MANY,
    )
    expected = maximal_sets(
        with_opposites(X) if signed else X, y, theta, theta_out, min_size=1 + seed % 3
    )
    assert as_told(found, X.shape[1]) == expected
    assert found.sizes.tolist() == np.bincount(y).tolist()


@settings(max_examples=60)
@given(seeds, shares, shares, st.integers(1, 3), st.booleans())
def test_what_is_told_of_a_set_is_so(seed, theta, theta_out, min_size, signed):
    X, y = random_table(seed, 70)
    found = random_intersection_trees(
        X, y, theta=theta, theta_out=theta_out, min_size=min_size, signed=signed, **SMALL
    )
    for s, columns in enumerate(found.columns):
        assert list(columns) == sorted(set(columns))
        assert len(columns) >= min_size
        values = np.array(found.signs[s] or (1,) * len(columns)) > 0
        held = (X[:, columns] == values).all(axis=1)
        assert found.counts[s].tolist() == np.bincount(y[held], minlength=y.max() + 1).tolist()
        c = found.origin[s]
        others = np.delete(found.prevalence[s], c)
        assert found.prevalence[s, c] >= theta - 1e-9
        assert (others <= theta_out + 1e-9).all()
        assert found.difference[s] == found.prevalence[s, c] - others.max()
        assert not X[:, columns].all(axis=0).any()
    assert (np.diff(found.difference) <= 1e-9).all()
    keys = list(as_told(found, X.shape[1]))
    assert not any(c == k and set(a) < set(b) for c, a in keys for k, b in keys)


@settings(max_examples=60)
@given(seeds, st.sampled_from([0.0, 0.1, 0.3, 0.5]))
def test_pruning_loses_nothing(seed, theta_out):
    """Leaves within the caps are leaves too where no branch is cut off."""
    X, y = random_table(seed, 30)
    classes = PackedClasses(pack_rows(X), [np.flatnonzero(y == c) for c in np.unique(y)], 64)
    caps = (theta_out * classes.sizes).astype(np.int64)
    plan = TreeSettings(n_trees=30, depth=4, branch=2.5, min_size=2, most_sets=10**6)
    for c in range(len(caps)):
        pruned, whole = (
            sets_of_class(classes, c, 1, most, plan, stream(seed)) for most in (caps, classes.sizes)
        )
        others = np.arange(len(caps)) != c
        within = (whole.counts[:, others] <= caps[others]).all(axis=1)
        kept = {whole.sets[s] for s in np.flatnonzero(within)}
        assert kept <= {pruned.sets[s] for s in range(len(pruned))}
        assert (pruned.counts[:, others] <= caps[others]).all()


# what FSInteract (R) does wrong


@pytest.mark.parametrize(("n0", "n1"), [(30, 5), (5, 30)])
def test_rows_of_each_class_are_its_own_however_unequal(n0, n1):
    """Every row has two ones of its own, so trees that may begin anywhere come to all of them.

    FSInteract crashes with more rows in its second class, and takes the wrong ones with more in
    its first.
    """
    n = n0 + n1
    X, y = np.repeat(np.eye(n, dtype=bool), 2, axis=1), np.repeat([0, 1], [n0, n1])
    found = random_intersection_trees(X, y, theta=0, theta_out=0, **MANY)
    assert as_told(found, 2 * n) == {
        (y[i], (2 * i, 2 * i + 1)): (int(y[i] == 0), int(y[i] == 1)) for i in range(n)
    }


@pytest.mark.parametrize("turned", [False, True])
def test_sets_whose_features_the_other_class_never_has_are_found(turned):
    rng = np.random.default_rng(1)
    X, y = rng.random((40, 20)) < 0.2, np.repeat([0, 1], 20)
    X[:, [3, 7]] = (y == 1)[:, None]  # perfect markers
    y = 1 - y if turned else y
    found = random_intersection_trees(X, y, theta=0.9, theta_out=0, **SMALL)
    counts = (20, 0) if turned else (0, 20)
    assert as_told(found, 20) == {(int(not turned), (3, 7)): counts}


def test_the_seed_is_used():
    X, y = random_table(5, 40, 30)
    few = {"theta": 0.05, "theta_out": 0.5, **SMALL, "n_trees": 3}
    texts = [
        as_text(replace(random_intersection_trees(X, y, random_state=seed, **few), settings={}))
        for seed in (0, 1, 2, 0)
    ]
    assert texts[0] == texts[3]
    assert len(set(texts)) == 3


def test_a_seed_drawn_anew_is_told_and_repeats_the_search():
    X, y = random_table(5, 40, 30)
    few = {"theta": 0.05, "theta_out": 0.5, **SMALL, "n_trees": 3}
    first, second = (random_intersection_trees(X, y, random_state=None, **few) for _ in range(2))
    assert as_text(first) != as_text(second)
    seed = first.settings["random_state"]
    assert as_text(random_intersection_trees(X, y, random_state=seed, **few)) == as_text(first)


def test_theta_is_a_floor_and_theta_out_a_cap():
    X, y = np.random.default_rng(8).random((60, 10)) < 0.5, np.repeat([0, 1], 30)
    X[:, :3] |= (y == 0)[:, None] & X[:, [3]]
    loosest = random_intersection_trees(X, y, theta=0.1, theta_out=1, **MANY)
    own = loosest.prevalence[np.arange(len(loosest)), loosest.origin]
    assert own.min() < 0.2
    assert (own - loosest.difference).max() > 0.2  # or neither had anything to do
    sizes = {}
    for theta in (0.2, 0.4):
        for theta_out in (0.1, 0.2):
            found = random_intersection_trees(X, y, theta=theta, theta_out=theta_out, **MANY)
            own = found.prevalence[np.arange(len(found)), found.origin]
            assert (own >= theta).all()
            assert (own - found.difference <= theta_out + 1e-9).all()
            assert as_told(found, 10) == maximal_sets(X, y, theta, theta_out)
            sizes[theta, theta_out] = len(found)
    assert len(set(sizes.values())) > 2


# tables however they come


def forms():
    rng = np.random.default_rng(3)
    X, y = rng.random((30, 70)) < 0.4, np.repeat(["b", "a"], 15)
    X[y == "a", :3] |= rng.random((15, 1)) < 0.8
    whole = X.astype(np.int64)
    explicit = sparse.csr_matrix(np.ones_like(whole))
    explicit.data = whole.ravel()  # zeros that are stored
    return (
        X,
        y,
        {
            "uint8": X.astype(np.uint8),
            "int": whole,
            "float": X.astype(float),
            "lists": whole.tolist(),
            "objects": X.astype(object),
            "Fortran": np.asfortranarray(X),
            "csr": sparse.csr_matrix(whole),
            "csc": sparse.csc_matrix(X.astype(float)),
            "coo": sparse.coo_matrix(X),
            "array": sparse.csr_array(whole),
            "explicit": explicit,
            "packed": PackedRows.of(X),
            "packed by NumPy": PackedRows(np.packbits(X, axis=1, bitorder="little"), 70),
        },
    )


@pytest.mark.parametrize("signed", [False, True])
def test_every_form_of_a_table_gives_the_same(signed):
    X, y, others = forms()
    plan = {"theta": 0.5, "theta_out": 0.4, "signed": signed, **SMALL}
    expected = as_text(random_intersection_trees(X, y, **plan))
    assert json.loads(expected)["sets"]
    for form, table_ in others.items():
        assert as_text(random_intersection_trees(table_, y, **plan)) == expected, form
    names = [f"gene {j}" for j in range(70)]
    frame = pd.DataFrame(X, columns=names)
    for table_ in (frame, frame.astype(float), frame.astype("Int64"), frame.astype("boolean")):
        named = random_intersection_trees(table_, y, **plan)
        assert named.names == tuple(names)
        renamed = replace(named, names=tuple(f"x{j}" for j in range(70)))
        assert as_text(renamed) == expected


@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix", "coo_matrix"])
def test_a_table_is_left_as_it_was(form):
    """Unsorted, with stored zeros, and with an entry in two parts (0 + 1)."""
    rows, columns, values = [0, 0, 0, 1, 2, 2], [2, 0, 2, 1, 1, 0], [0, 1, 1, 1, 1, 0]
    X = getattr(sparse, form)(sparse.coo_matrix((values, (rows, columns)), shape=(3, 3)))
    before = X.copy()
    random_intersection_trees(X, [0, 0, 1], theta=0.1, **SMALL)
    for part in ("data", "indices", "indptr", "row", "col"):
        if hasattr(before, part):
            np.testing.assert_array_equal(getattr(X, part), getattr(before, part))


# the same whoever computes it


def test_threads_change_no_byte():
    data = make_planted_interaction(n_per_class=60, n_features=100)
    X = data.X > 0
    texts = {
        as_text(
            random_intersection_trees(
                X,
                data.y,
                theta=theta,
                n_trees=40,
                depth=5,
                branch=3,
                n_permutations=4,
                n_bootstraps=3,
                n_jobs=n_jobs,
                max_sets=max_sets,
            )
        )
        for n_jobs in (1, 2, 4)
        for theta, max_sets in [("auto", 10**5), (0.05, 20)]
    }
    assert len(texts) == 2


def test_numbers_of_numpy_are_as_good():
    X, y = random_table(5)
    plan = {
        "n_trees": 7,
        "depth": 3,
        "branch": 2.5,
        "min_size": 1,
        "max_sets": 50,
        "random_state": 4,
        "n_permutations": 2,
        "n_bootstraps": 2,
        "theta": 0.25,
    }
    other = {name: np.array(value)[()] for name, value in plan.items()}
    assert as_text(random_intersection_trees(X, y, **other)) == as_text(
        random_intersection_trees(X, y, **plan)
    )


def test_labels_may_be_anything_that_sorts():
    X, y = random_table(7)
    plan = {"theta": 0.3, "theta_out": 1, **SMALL}
    words = np.array(["first", "second", "third"])[y]
    by_word, by_code = (random_intersection_trees(X, labels, **plan) for labels in (words, y))
    assert by_word.classes == tuple(np.unique(words))
    np.testing.assert_array_equal(by_word.counts, by_code.counts)


# an empty answer


@settings(max_examples=150)
@given(seeds, shares, shares, st.integers(1, 4), st.booleans())
def test_the_nearest_settings_are_not_empty(seed, theta, theta_out, min_size, signed):
    X, y = random_table(seed, 12)
    plan = {**SMALL, "min_size": min_size, "signed": signed}
    found = random_intersection_trees(X, y, theta=theta, theta_out=theta_out, **plan)
    assert (len(found) == 0) == bool(found.reason)
    if len(found):
        return
    assert "\n" not in found.reason
    assert found.summary() == found.reason
    if found.nearest:
        assert found.nearest["theta"] <= theta
        assert found.nearest["theta_out"] >= theta_out
        assert len(random_intersection_trees(X, y, **found.nearest, **plan))
    else:
        assert not len(random_intersection_trees(X, y, theta=0, theta_out=1, **plan))


@settings(max_examples=25)
@given(seeds, st.lists(shares, min_size=3, max_size=3), st.lists(shares, min_size=3, max_size=3))
def test_the_nearest_settings_where_each_class_has_its_own(seed, theta, theta_out):
    X, y = random_table(seed, 12)
    own = {"theta": theta[: y.max() + 1], "theta_out": theta_out[: y.max() + 1]}
    found = random_intersection_trees(X, y, **own, **SMALL)
    if found.nearest:
        assert len(random_intersection_trees(X, y, **found.nearest, **SMALL))


def test_why_there_is_no_set():
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 10)) < 0.5, np.repeat([0, 1], 20)

    def reason(table_, **plan):
        found = random_intersection_trees(table_, y, **{"theta": 0.2, **SMALL, **plan})
        assert not len(found)
        return found.reason

    assert "theta=1 or more of its class" in reason(X, theta=1)
    for same in (np.zeros((40, 5)), np.ones((40, 5))):
        assert "every column is the same in all rows" in reason(same, min_size=1)
        assert "every column is the same in all rows" in reason(same, signed=True)
    assert "11 features: lower min_size" in reason(X, min_size=11)


# what is too much


def test_a_cap_on_sets_is_told():
    rng = np.random.default_rng(2)
    X, y = rng.random((60, 40)) < 0.5, np.repeat([0, 1], 30)
    plan = {"theta": 0.1, "theta_out": 1, **SMALL}
    found = random_intersection_trees(X, y, **plan)
    assert not found.notes
    capped = random_intersection_trees(X, y, max_sets=10, **plan)
    assert any("max_sets=10 was reached" in note for note in capped.notes)
    assert 0 < len(capped) <= 20
    assert as_text(capped) == as_text(random_intersection_trees(X, y, max_sets=10, **plan))


def test_a_tree_that_would_be_too_large_is_thinner():
    X, y = np.random.default_rng(2).random((60, 100)) < 0.7, np.repeat([0, 1], 30)
    classes = PackedClasses(pack_rows(X), [np.flatnonzero(y == c) for c in (0, 1)], 128)
    plan = TreeSettings(n_trees=20, depth=8, branch=3, min_size=2, most_sets=10**6)
    full, thin = (
        sets_of_class(classes, 0, 0, classes.sizes, replace(plan, most_work=work), stream(0))
        for work in (10**7, 1000)
    )
    assert full.cut == 0
    assert thin.cut == 20
    assert 0 < thin.leaves.sum() < full.leaves.sum()


def test_columns_that_are_the_same_in_every_row_are_told():
    X, y = random_table(4)
    X = np.hstack([X, np.ones((len(X), 3), bool)])
    found = random_intersection_trees(X, y, theta=0.3, theta_out=1, **SMALL)
    assert "left out, as the same in every row: " in found.notes[0]
    assert not set(found.selected()) & set(range(X.shape[1] - 3, X.shape[1]))


@pytest.mark.parametrize("p", [1, 2, 63, 64, 65, 128])
@pytest.mark.parametrize("sizes", [(1, 1), (64, 64), (1, 65), (63, 1, 128)])
def test_small_and_odd_tables(p, sizes):
    rng = np.random.default_rng(p)
    X, y = rng.random((sum(sizes), p)) < 0.3, np.repeat(np.arange(len(sizes)), sizes)
    found = random_intersection_trees(
        X, y, n_trees=8, depth=3, branch=2, min_size=1, n_permutations=1, n_bootstraps=1
    )
    assert as_text(found)
    assert found.summary()
    if len(found):
        assert len(found.frame()) == len(found)
        assert ((found.stability >= 0) & (found.stability <= 1)).all()
        assert ((found.p_value > 0) & (found.q_value > 0) & (found.q_value <= 1)).all()


def test_columns_twice_are_together_in_sets():
    X, y = random_table(11, 5)
    once = random_intersection_trees(X, y, theta=0.3, theta_out=1, min_size=1, **MANY)
    twice = random_intersection_trees(
        np.hstack([X, X]), y, theta=0.3, theta_out=1, min_size=2, **MANY
    )
    p = X.shape[1]
    assert as_told(twice, 2 * p) == {
        (c, (*items, *(j + p for j in items))): counts
        for (c, items), counts in as_told(once, p).items()
    }


def test_seventy_classes():
    rng = np.random.default_rng(6)
    y = np.repeat(np.arange(70), 4)
    X = rng.random((280, 150)) < 0.02
    X[np.arange(280), 2 * y] = X[np.arange(280), 2 * y + 1] = True  # two columns are a class
    found = random_intersection_trees(X, y, theta=1, theta_out=0.3, **SMALL)
    assert set(as_told(found, 150)) == {(c, (2 * c, 2 * c + 1)) for c in range(70)}


# sets that are known to be there


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_planted_sets_come_first(order, seed):
    data = make_planted_interaction(n_features=1000, order=order, random_state=seed)
    found = random_intersection_trees(data.X > 0, data.y, random_state=seed, **QUICK)
    assert found.columns[0] == tuple(range(1000 - order, 1000))
    assert found.classes[found.origin[0]] == "case"


def test_planted_sets_with_low_and_high_features():
    data = make_planted_interaction(n_features=30, order=4, density=0.3, signed=True)
    found = random_intersection_trees(
        data.X > 0, data.y, signed=True, theta=0.45, theta_out=0.2, n_trees=200, depth=6, **QUICK
    )
    assert (found.columns[0], found.signs[0]) == ((26, 27, 28, 29), (1, -1, 1, -1))


def test_lines_of_tic_tac_toe():
    """As Shah & Meinshausen do: only lines are in a tenth of a player's wins and no other end."""
    X, winners = table()
    labels, counts = np.unique(winners, return_counts=True)
    assert dict(zip(labels, counts, strict=True)) == {"X": 626, "O": 316, "draw": 16}
    lines = {"X": set(LINES), "O": {tuple(9 + square for square in line) for line in LINES}}
    plan = {"theta": 0.1, "theta_out": 0, "n_trees": 5000, **QUICK}
    found = random_intersection_trees(X, winners, **plan)
    for player, expected in lines.items():
        mine = [
            columns
            for columns, c in zip(found.columns, found.origin, strict=True)
            if found.classes[c] == player
        ]
        assert len(mine) == 8
        assert set(mine) == expected
    two = random_intersection_trees(X, winners == "X", **plan)
    assert set(two.columns) == lines["X"] | lines["O"]
    assert len(two) == 16

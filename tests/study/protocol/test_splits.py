"""Splits: stratified, whole groups, seeded by name, refused when impossible."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from common.examples import settings
from tamis._core.errors import PlanError
from tamis.study.plan import Split
from tamis.study.protocol.permuted_labels import permuted_codes
from tamis.study.protocol.splits import (
    MIN_CLASS_SAMPLES,
    Labels,
    grouped_tests,
    rows_by_class,
    scarce_batches,
    stratified_tests,
    test_sets,
    training_rows,
)

test_sets.__test__ = False  # type: ignore[attr-defined]


def labels(counts, groups=None, split=None):
    y = np.repeat(np.arange(len(counts)), counts)
    return Labels(y, tuple("abcdef"[: len(counts)]), groups, split)


@given(
    st.lists(st.integers(5, 12), min_size=2, max_size=4),
    st.integers(2, 5),
    st.integers(0, 1000),
)
@settings(max_examples=50, deadline=None)
def test_k_folds_partition_the_rows_and_spread_the_classes(counts, folds, seed):
    given_labels = labels(counts)
    sets = test_sets(given_labels, Split(folds=folds), "outer", seed)
    assert sorted(np.concatenate(sets)) == list(range(sum(counts)))
    for c, n in enumerate(counts):
        held = [int(np.sum(given_labels.y[rows] == c)) for rows in sets]
        assert max(held) - min(held) <= 1
        assert sum(held) == n


@given(st.integers(0, 1000), st.integers(2, 4))
@settings(max_examples=50, deadline=None)
def test_groups_are_never_split(seed, folds):
    rng = np.random.default_rng(seed)
    groups = np.repeat([f"p{k}" for k in range(16)], 3)
    y = np.repeat(np.arange(16) % 2, 3)
    given_labels = Labels(y, ("a", "b"), groups)
    kinds = [Split(folds=folds), Split(kind="leave-one-out"), Split(kind="holdout")]
    for how in kinds:
        for rows in test_sets(given_labels, how, "outer", int(rng.integers(1 << 30))):
            rest = training_rows(len(y), rows)
            assert not set(groups[rows]) & set(groups[rest])


def test_splits_depend_on_the_seed_and_the_key_alone():
    a = test_sets(labels([10, 10]), Split(folds=5), "outer", 1, 0, 0)
    b = test_sets(labels([10, 10]), Split(folds=5), "outer", 1, 0, 0)
    c = test_sets(labels([10, 10]), Split(folds=5), "outer", 1, 0, 1)
    assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert not all(np.array_equal(x, y) for x, y in zip(a, c, strict=True))


def test_folds_kept_are_those_of_labels_never_seen():
    labels = Labels(np.arange(60) % 2, ("a", "b"))
    keys = [
        (Split(folds=5), "outer", 0, 0, 0),
        (Split(folds=4), "outer", 0, 0, 0),
        (Split(folds=5), "outer", 1, 0, 0),
        (Split(folds=5), "inner", 0, 0, 1),
    ]
    for _ in range(2):  # drawn, and kept
        for how, where, *key in keys:
            fresh = Labels(labels.y.copy(), labels.classes)
            found = zip(
                test_sets(labels, how, where, *key),
                test_sets(fresh, how, where, *key),
                strict=True,
            )
            assert all(np.array_equal(a, b) for a, b in found)
    for test in test_sets(labels, *keys[0]):
        part, rows = labels.training_labels(test), np.setdiff1d(np.arange(60), test)
        assert np.array_equal(part.y, labels.y[rows])
        assert labels.training_labels(test.copy()) is part
    sent = pickle.loads(pickle.dumps(labels))
    assert np.array_equal(sent.y, labels.y)
    assert not sent.fold_cache  # a worker draws its own
    turned = replace(labels, y=1 - labels.y)  # of permuted labels nothing is kept
    assert not turned.fold_cache
    assert np.array_equal(turned.training_labels(np.arange(9)).y, 1 - labels.y[9:])


def test_holdout_takes_its_share_of_every_class():
    (rows,) = test_sets(labels([20, 10]), Split(kind="holdout", test_size=0.3), "outer", 0)
    y = labels([20, 10]).y
    assert (np.sum(y[rows] == 0), np.sum(y[rows] == 1)) == (6, 3)


def test_leave_one_out_holds_each_row_once():
    sets = test_sets(labels([4, 3]), Split(kind="leave-one-out"), "outer", 0)
    assert [rows.tolist() for rows in sets] == [[k] for k in range(7)]


def test_predefined_folds_and_train_test():
    how = Split(kind="predefined")
    folds = np.array(["x", "y", "z"] * 4)
    sets = test_sets(labels([6, 6], split=folds), how, "outer", 0)
    assert [sorted(folds[rows]) for rows in sets] == [["x"] * 4, ["y"] * 4, ["z"] * 4]
    named = np.array(["train", "Train", "Test", "test"] * 3)
    (rows,) = test_sets(labels([6, 6], split=named), how, "outer", 0)
    assert rows.tolist() == np.flatnonzero(np.char.lower(named) == "test").tolist()


@pytest.mark.parametrize(
    ("given_labels", "how", "says"),
    [
        (
            labels([10, 3]),
            Split(folds=5),
            "class 'b' has 3 samples, fewer than the 5 outer folds: use at most 3",
        ),
        (
            labels([10, 1]),
            Split(folds=5),
            "class 'b' has 1 sample, too few for outer folds, which need 3 at least: collect more",
        ),
        (labels([10, 1]), Split(kind="leave-one-out"), "no sample of class 'b'"),
        (labels([5, 5]), Split(kind="predefined"), "--split"),
        (
            labels([5, 5], split=np.array(["s"] * 10)),
            Split(kind="predefined"),
            "one fold only",
        ),
        (
            labels([6, 6], groups=np.array(["p", "q"] * 6)),
            Split(folds=3),
            "class 'a' has 2 groups, class 'b' has 2 groups, too few",
        ),
        (
            labels([4, 4], groups=np.array(["p", "q"] * 4), split=np.repeat(["s", "t"], 4)),
            Split(kind="predefined"),
            "rows of one group on both sides: 'p', 'q'",
        ),
        (labels([8, 8]), Split(kind="holdout", test_size=0.05), "test_size = 0.05"),
        (labels([8, 8]), Split(kind="holdout", test_size=0.95), "test_size = 0.95"),
        (
            labels([6, 6], split=np.repeat(["s", "t"], 6)),
            Split(kind="predefined"),
            "no sample of class",
        ),
    ],
)
def test_impossible_splits_are_answered_clearly(given_labels, how, says):
    with pytest.raises(PlanError) as error:
        test_sets(given_labels, how, "outer", 0)
    assert says in str(error.value)


def test_permutation_deals_labels_to_whole_groups():
    groups = np.repeat([f"p{k}" for k in range(20)], 2)
    y = np.repeat(np.arange(20) % 2, 2)
    new = permuted_codes(Labels(y, ("a", "b"), groups), 0, "permute", 1)
    assert all(len(set(new[groups == g])) == 1 for g in np.unique(groups))
    assert not np.array_equal(new, y)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.7])
def test_grouped_holdout_meets_its_share(share):
    groups = np.repeat([f"p{k}" for k in range(40)], 3)
    given_labels = Labels(np.repeat(np.arange(40) % 2, 3), ("a", "b"), groups)
    (rows,) = test_sets(given_labels, Split(kind="holdout", test_size=share), "outer", 0)
    assert abs(len(rows) / 120 - share) < 0.06


def test_one_mixed_group_does_not_hold_the_others_labels():
    """Thirty-nine pure groups and a mixed one: the pure ones still exchange their labels."""
    groups = np.repeat([f"p{k}" for k in range(40)], 2)
    y = np.repeat(np.arange(40) % 2, 2)
    y[0] = 1 - y[0]
    new = permuted_codes(Labels(y, ("a", "b"), groups), 0, "permute", 1)
    assert np.mean(new == y) < 0.75
    assert sorted(new[:2]) == [0, 1]
    assert all(len(set(new[groups == f"p{k}"])) == 1 for k in range(1, 40))


def test_permutation_stays_inside_groups_of_mixed_labels():
    groups = np.repeat(["p", "q", "r", "s", "t", "u"], 4)
    y = np.tile([0, 1, 1, 0], 6)
    y[:4] = 0
    new = permuted_codes(Labels(y, ("a", "b"), groups), 0, "permute", 1)
    for g in np.unique(groups):
        assert sorted(new[groups == g]) == sorted(y[groups == g])
    assert not np.array_equal(new, y)


def test_plain_permutation_keeps_the_counts():
    y = labels([12, 5]).y
    new = permuted_codes(labels([12, 5]), 3, "permute", 1)
    assert np.bincount(new).tolist() == [12, 5]
    assert not np.array_equal(new, y)


def test_labels_are_permuted_inside_the_parts_of_a_predefined_split():
    y = np.repeat([0, 1], [30, 14])
    split = np.array(["test"] * 22 + ["train"] * 22)
    labels = Labels(y, ("a", "b"), None, split)
    for key in range(20):
        out = permuted_codes(labels, 0, key, within=True)
        for part in ("test", "train"):
            assert (
                np.bincount(out[split == part]).tolist() == np.bincount(y[split == part]).tolist()
            )
    assert (permuted_codes(labels, 0, 1, within=True) != y).any()
    assert (permuted_codes(labels, 0, 1)[:22] != 0).any()


def test_groups_stay_together_inside_the_parts():
    y = np.repeat([0, 1, 0, 1], 6)
    groups = np.array([f"p{i // 3}" for i in range(24)])
    split = np.array(["u"] * 12 + ["v"] * 12)
    out = permuted_codes(Labels(y, ("a", "b"), groups, split), 3, "x", within=True)
    for name in np.unique(groups):
        assert len(set(out[groups == name])) == 1
    assert np.bincount(out[:12]).tolist() == [6, 6]


def in_batches(seed, n=40, groups=False):
    """Labels of two classes in four batches, one of three samples, the others of three or more;
    groups of one to four rows."""
    rng = np.random.default_rng(seed)
    batches = np.array([*"wwwxxxyyyzzz", *rng.choice(list("xyz"), size=n - 12)])
    y = rng.permutation(np.arange(n) % 2)
    own = np.array([f"p{k}" for k in rng.integers(0, n // 2, n)]) if groups else None
    return Labels(y, ("a", "b"), own, None, batches)


def left_of_batches(one, sets):
    """Samples of a batch in a training set that predicts one of it, over batches and folds."""
    return [
        int(np.sum(np.delete(one.batches, rows) == batch))
        for rows in sets
        for batch in set(one.batches[rows])
    ]


@given(st.integers(0, 1000), st.integers(2, 5), st.sampled_from(["outer", "inner"]))
@settings(max_examples=100, deadline=None)
def test_no_batch_is_held_out_whole_where_a_step_needs_it(seed, folds, where):
    """An outer part keeps two samples of it, for its inner folds hold out one. Nothing else moves:
    folds stay those without batches, but for a few samples' places."""
    # of three samples the outer folds hold one each
    folds = max(folds, MIN_CLASS_SAMPLES[where] + 1)
    one = replace(in_batches(seed), every_batch=True)
    sets = test_sets(one, Split(folds=folds), where, seed)
    assert sorted(np.concatenate(sets)) == list(range(40))
    assert min(left_of_batches(one, sets)) >= {"outer": 2, "inner": 1}[where]
    without = test_sets(replace(one, batches=None), Split(folds=folds), where, seed)
    assert [len(rows) for rows in sets] == [len(rows) for rows in without]
    moved = 0
    for rows, before in zip(sets, without, strict=True):
        assert np.bincount(one.y[rows]).tolist() == np.bincount(one.y[before]).tolist()
        moved += len(set(rows) - set(before))
    lacking = [max(MIN_CLASS_SAMPLES[where] - left, 0) for left in left_of_batches(one, without)]
    assert moved <= 2 * sum(lacking)
    told = test_sets(in_batches(seed), Split(folds=folds), where, seed)
    assert all(np.array_equal(a, b) for a, b in zip(told, without, strict=True))


@pytest.mark.parametrize(("size", "folds"), [(3, 3), (3, 10), (4, 2), (4, 10), (5, 2)])
def test_small_batches_are_kept_apart_twice(size, folds):
    """Outer folds leave two samples of each, one for the inner folds to hold out; also where a
    batch is of one class."""
    batches = np.array([f"b{k // size}" for k in range(60)])
    for y in (np.arange(60) // size % 2, np.arange(60) % 2):
        one = Labels(y, ("a", "b"), None, None, batches, True)
        for seed in range(5):
            sets = test_sets(one, Split(folds=folds), "outer", seed)
            assert min(left_of_batches(one, sets)) >= 2
            for held in sets:
                inner = one.take(training_rows(60, held))
                within = test_sets(inner, Split(folds=3), "inner", seed)
                assert min(left_of_batches(inner, within)) >= 1


def test_a_batch_of_two_cannot_be_held_out_twice():
    one = Labels(np.arange(30) % 2, ("a", "b"), None, None, np.repeat(["x", "y"], [28, 2]), True)
    with pytest.raises(PlanError, match="fewer than two samples of batch 'y'"):
        test_sets(one, Split(folds=5), "outer", 0)
    assert scarce_batches(one, test_sets(one, Split(folds=5), "inner", 0), "inner") == []


def test_groups_are_drawn_again_until_each_batch_is_seen():
    groups = np.repeat([f"p{k}" for k in range(24)], 2)
    batches = np.repeat([f"b{k}" for k in range(6)], 8)
    one = Labels(np.repeat(np.arange(24) % 2, 2), ("a", "b"), groups, None, batches, True)
    for seed in range(10):
        for how in (Split(folds=4), Split(kind="holdout")):
            assert min(left_of_batches(one, test_sets(one, how, "outer", seed))) >= 2


@given(st.integers(0, 1000))
@settings(max_examples=50, deadline=None)
def test_labels_are_permuted_inside_batches(seed):
    one = in_batches(seed)
    found = [permuted_codes(one, seed, k) for k in range(8)]
    for new in found:
        for batch in "wxyz":
            mine = one.batches == batch
            assert sorted(new[mine]) == sorted(one.y[mine])
    assert any((new != one.y).any() for new in found)


@given(st.integers(0, 1000))
@example(14)  # no group lies in several batches
@settings(max_examples=100, deadline=None)
def test_groups_in_batches_keep_one_label_and_their_number(seed):
    """Counts of a class stay, in each batch where no group lies in several; a group of one label
    keeps one; in others labels stay inside their batch."""
    one = in_batches(seed, groups=True)
    new = permuted_codes(one, seed, 1)
    sets = np.array(["".join(sorted(set(one.batches[one.groups == g]))) for g in one.groups])
    pure = np.array([len(set(one.y[one.groups == g])) == 1 for g in one.groups])
    for g in np.unique(one.groups[pure]):
        assert len(set(new[one.groups == g])) == 1
    for g in np.unique(one.groups[~pure]):
        for b in "wxyz":
            mine = (one.groups == g) & (one.batches == b)
            assert sorted(new[mine]) == sorted(one.y[mine])
    crossed = any(len(name) > 1 for name in sets[pure])
    for name in ["any"] if crossed else np.unique(sets[pure]):
        mine = pure & (crossed | (sets == name))
        held = [len(set(one.groups[mine & (labels == 1)])) for labels in (one.y, new)]
        assert held[0] == held[1]


def test_a_training_part_without_a_batch_is_refused_by_name():
    batches = np.array(["x"] * 7 + ["late"])
    one = Labels(np.arange(8) % 2, ("a", "b"), None, None, batches, True)
    with pytest.raises(PlanError, match=r"than two samples of batch 'late'.*unseen = \"keep\""):
        test_sets(one, Split(folds=2), "outer", 0)
    test_sets(replace(one, every_batch=False), Split(folds=2), "outer", 0)


@given(
    st.lists(st.integers(0, 3), min_size=8, max_size=60),
    st.integers(2, 6),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=100, deadline=None)
def test_stratified_folds_are_those_of_scikit_learn(classes, folds, seed):
    """For every order of the labels, and where some of the codes have no sample."""
    y = np.concatenate([classes, np.repeat(np.unique(classes), folds)])  # enough of each
    y = np.random.default_rng(seed).permutation(y)
    theirs = StratifiedKFold(folds, shuffle=True, random_state=seed).split(y, y)
    found = stratified_tests(rows_by_class(y), folds, seed)
    for mine, (_, test) in zip(found, theirs, strict=True):
        assert np.array_equal(mine, test)


@pytest.mark.longer
@pytest.mark.parametrize("n_classes", [2, 3, 6, 9, 20])
def test_folds_of_groups_are_those_of_scikit_learn(n_classes):
    """Groups of one label, of several, of equal and of different sizes, in any order."""
    for seed in range(40):
        rng = np.random.default_rng([n_classes, seed])
        n_groups = int(rng.integers(3 * n_classes, 40 + 3 * n_classes))
        group = np.repeat(np.arange(n_groups), rng.integers(1, 2 + seed % 5, n_groups))
        y = (np.arange(n_groups) % n_classes)[group]
        if seed % 3 == 0:
            y = rng.permutation(y)
        order = rng.permutation(len(y))
        y, names = y[order], np.array([f"p{g % 7}-{g}" for g in group])[order]
        folds = min(int(rng.integers(2, 8)), int(np.bincount(y).max()))
        cut = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of classes of few samples
            expected = [test for _, test in cut.split(y, y, names)]
        found = grouped_tests(y, names, folds, seed)
        assert [test.tolist() for test in found] == [list(test) for test in expected]


@pytest.mark.parametrize("state", range(3))
def test_of_folds_that_are_as_even_the_one_with_fewer_samples_gets_a_group(state):
    """Groups of (4, 0), (0, 2), (2, 1) and (2, 1) samples of the classes, of 8 and 4: each leaves
    the folds uneven by 1/4 whichever it goes to. In order of their spread the first goes to the
    first fold, the second to the empty one, the third to that with 2 samples beside 4, and the last
    to that with 4 beside 5."""
    counts = np.array([[4, 0], [0, 2], [2, 1], [2, 1]])
    y = np.concatenate([np.repeat([0, 1], own) for own in counts])
    group = np.repeat(np.arange(4), counts.sum(axis=1))
    first, second = grouped_tests(y, group, 2, state)
    assert [np.bincount(y[test]).tolist() for test in (first, second)] == [[6, 1], [2, 3]]
    assert {0} < set(group[first].tolist())
    assert {1} < set(group[second].tolist())
    cut = StratifiedGroupKFold(2, shuffle=True, random_state=state)
    assert [list(test) for _, test in cut.split(y, y, group)] == [first.tolist(), second.tolist()]


@pytest.mark.parametrize(("n", "fewer"), [(310, False), (320, True)])
def test_folds_are_as_even_within_a_part_in_a_hundred_thousand(n, fewer):
    """Groups of (0, n + 1), (n, 0) and (1, 1) samples: with the third beside the first the classes'
    shares of the two folds differ by (n - 1) / (n + 1) and 1, beside the second, which has fewer
    samples, by 1 and n / (n + 2): by about one part in n^2 more."""
    y, group = np.repeat([1, 0, 0, 1], [n + 1, n, 1, 1]), np.repeat([0, 1, 2, 2], [n + 1, n, 1, 1])
    tests = grouped_tests(y, group, 2, 0)
    assert [set(group[test].tolist()) for test in tests] == (
        [{0}, {1, 2}] if fewer else [{0, 2}, {1}]
    )
    cut = StratifiedGroupKFold(2, shuffle=True, random_state=0)
    assert [list(test) for _, test in cut.split(y, y, group)] == [test.tolist() for test in tests]

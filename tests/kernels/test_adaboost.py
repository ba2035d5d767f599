"""AdaBoost's kernel against a plain loop over `C45Classifier`."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.classifiers import C45Classifier
from tamis.kernels import adaboost
from tamis.kernels.adaboost import boosted_trees, staged_votes
from tamis.kernels.c45 import make_options, make_workspace, prepare_table

C44 = {"prune": False, "collapse": False, "laplace": True}


def samples(C=2, seed=0, n=80, holes=0.1):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % C)
    X = np.round(rng.normal(size=(n, 4)) + 0.8 * y[:, None] * [1, 0, 1, 0], 1)
    X[:, 3] = rng.integers(0, 3, n)
    X[rng.random((n, 4)) < holes] = np.nan
    return X, y, np.array([0, 0, 0, 3])


def plain_votes(X, y, weights, new, rounds):
    """Sums of votes (rounds, m, C) by SAMME, one tree after the other."""
    C, w, out = y.max() + 1, weights.copy(), []
    sums = np.zeros((len(new), C))
    for _ in range(rounds):
        tree = C45Classifier(**C44, categorical_features=[3]).fit(X, y, w)
        wrong = tree.predict(X) != y
        error = (w * wrong).sum() / w.sum()
        if error >= 1 - 1 / C - 1e-9:
            break
        say = np.log((1 - max(error, 0.5 / w.sum())) / max(error, 0.5 / w.sum())) + np.log(C - 1)
        sums = sums + say * (tree.predict(new)[:, None] == np.arange(C))
        out.append(sums)
        if error == 0:
            break
        w = w * np.exp(say * wrong)
        w *= weights.sum() / w.sum()
    return out


def votes_of(X, y, levels, weights, C, rounds, rows=None):
    table = prepare_table(X, levels)
    options = make_options(prune=False, collapse=False)
    rows = np.arange(len(y)) if rows is None else rows
    return boosted_trees(table, y, rows, weights, C, rounds, options)


def shares(votes, X, levels, stages):
    out = np.empty((len(stages), len(X), votes.counts.shape[1]))
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X))
    staged_votes(votes, columns, levels, rows, np.asarray(stages), out)
    return out


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_votes_are_those_of_the_plain_loop(C, holes, weighted):
    for seed in range(3):
        X, y, levels = samples(C, seed, holes=holes)
        new = samples(C, seed + 100, n=30, holes=holes)[0]
        weights = np.random.default_rng(seed).uniform(0.5, 2, len(y)) if weighted else np.ones(80)
        expected = plain_votes(X, y, weights, new, 12)
        votes = votes_of(X, y, levels, weights, C, 12)
        assert len(votes.says) == len(expected)
        found = shares(votes, new, levels, np.arange(1, len(expected) + 1))
        for one, sums in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, sums / sums.sum(axis=1, keepdims=True), atol=1e-9)


def test_only_the_rows_given_play_a_part():
    X, y, levels = samples()
    rows = np.arange(0, 80, 2)
    alone = votes_of(X[rows], y[rows], levels, np.ones(40), 2, 5)
    other = X.copy()
    other[1::2] = 7.0
    other[1::2, 3] = 0
    within = votes_of(other, y, levels, np.ones(80), 2, 5, rows)
    for one, two in zip(alone, within, strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_prefix_is_the_shorter_fit():
    X, y, levels = samples(3)
    long, short = (votes_of(X, y, levels, np.ones(80), 3, rounds) for rounds in (20, 7))
    assert len(long.says) == 20
    n = short.starts[-1]
    np.testing.assert_array_equal(long.says[:7], short.says)
    np.testing.assert_array_equal(long.starts[:8], short.starts)
    for name in ("feature", "threshold", "first_child", "n_children", "parent", "counts"):
        np.testing.assert_array_equal(getattr(long, name)[:n], getattr(short, name))
    staged = shares(long, X, levels, [3, 7, 20, 40])
    np.testing.assert_array_equal(staged[1], shares(short, X, levels, [7])[0])
    np.testing.assert_array_equal(staged[2], staged[3])


@pytest.mark.parametrize("C", [2, 3])
def test_weights_are_repeated_rows(C):
    X, y, levels = samples(C, holes=0.0)
    times = np.random.default_rng(1).integers(1, 4, 80)
    rows = np.repeat(np.arange(80), times)
    weighted = votes_of(X, y, levels, times.astype(float), C, 6)
    repeated = votes_of(X[rows], y[rows], levels, np.ones(len(rows)), C, 6)
    np.testing.assert_allclose(weighted.says, repeated.says, rtol=1e-9)
    found = shares(weighted, X, levels, [1, 6])
    np.testing.assert_allclose(found, shares(repeated, X, levels, [1, 6]), atol=1e-9)


def test_a_tree_without_errors_ends_it_and_one_that_guesses_is_left_out():
    y = np.arange(40) % 2
    none = np.zeros(1, dtype=np.int64)
    perfect = votes_of(y[:, None].astype(float), y, none, np.ones(40), 2, 50)
    assert perfect.says.tolist() == [pytest.approx(np.log(79))]  # an error of half a row
    nothing = votes_of(np.zeros((40, 1)), y, none, np.ones(40), 2, 50)
    assert nothing.says.tolist() == [1.0]
    assert nothing.feature.tolist() == [-1]


def test_where_a_tree_does_not_fit_it_is_grown_again_in_four_times_the_room(monkeypatch):
    X, y, levels = samples()
    rooms = []

    def narrow(table, n_classes, n_features, room=None):
        rooms.append(room)
        return make_workspace(table, n_classes, n_features, room or 5)

    expected = votes_of(X, y, levels, np.ones(80), 2, 2)
    monkeypatch.setattr(adaboost, "make_workspace", narrow)
    found = votes_of(X, y, levels, np.ones(80), 2, 2)
    assert rooms[:2] == [None, 20]
    assert len(found.says) == 2
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)

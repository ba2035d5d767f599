"""The leading columns of many runs are those of the full order, tables with ties and all."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.selection._filter_ranker import FilterRanker
from tamis.selection._moderated_leading import moderated_leading
from tamis.selection._orders import largest_values
from tamis.selection._parts import TrainingParts

N, P, SIZES = 30, 400, [1, 5, 20]


def table(kind, rng):
    """A table of 30 samples and 400 features, of which the first few differ between classes."""
    X = rng.standard_normal((N, P)) * np.exp(rng.standard_normal(P))
    if kind == "offsets":
        X += 10.0 ** rng.uniform(0, 7, P)
    if kind == "intensities":  # variances below a hundred thousandth of the median are raised
        X = np.exp(X)
    if kind == "copies":
        X[:, 200:] = X[:, :200]
    if kind == "mirrored":
        X[:, 200:] = -X[:, :200]
    if kind == "integers":
        X = np.round(X)
    if kind == "few values":
        X = rng.integers(0, 3, (N, P)).astype(float)
    if kind == "constant columns":
        X[:, 50:100] = 7.3
        X[3, 60:80] = 8.1
    if kind == "one variance":  # no more different than chance makes them: an infinite d0
        X = rng.standard_normal((N, P))
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    return np.ascontiguousarray(X)


def runs_of(X, rng, n_classes, n_runs=4):
    """Outer training sets with their inner ones, of labels permuted anew for each."""
    found = []
    for _ in range(n_runs):
        y = rng.permutation(np.resize(np.arange(n_classes), N))
        order = np.concatenate([rng.permutation(np.flatnonzero(y == c)) for c in range(n_classes)])
        train = np.sort(order[2:])
        inner = [np.setdiff1d(train, order[2 + k :: 4]) for k in range(4)]
        found.append(TrainingParts(X, y, [train, *inner], n_classes=n_classes))
    return found


KINDS = [
    "plain",
    "offsets",
    "intensities",
    "copies",
    "mirrored",
    "integers",
    "few values",
    "constant columns",
    "one variance",
]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_leading_columns_are_those_of_the_full_order(kind, n_classes):
    rng = np.random.default_rng(KINDS.index(kind))
    X = table(kind, rng)
    ranker, runs = FilterRanker("moderated_t"), runs_of(X, rng, n_classes)
    seeds = [[None] * len(parts) for parts in runs]
    expected = [
        [ranking.path for ranking in ranker.rank_parts(parts, SIZES, own)]
        for parts, own in zip(runs, seeds, strict=True)
    ]
    for size in (1, 3, len(runs)):  # together, whatever the number of runs
        for at in range(0, len(runs), size):
            found = ranker.rank_runs(runs[at : at + size], SIZES, seeds[at : at + size])
            for paths, rankings in zip(expected[at:], found, strict=False):
                for path, ranking in zip(paths, rankings, strict=True):
                    assert path.keys() == ranking.path.keys()
                    assert all(np.array_equal(path[k], ranking.path[k]) for k in SIZES)


@pytest.mark.parametrize("kind", ["plain", "offsets", "intensities", "copies"])
def test_they_are_found_without_the_full_order(kind):
    rng = np.random.default_rng(1)
    runs = runs_of(table(kind, rng), rng, 2)
    found = moderated_leading(runs, 20)
    assert found is not None
    assert all(order is not None and len(order) == 20 for orders in found for order in orders)


def test_memory_for_sums_is_bounded(monkeypatch):
    rng = np.random.default_rng(2)
    runs = runs_of(table("plain", rng), rng, 2)
    together = moderated_leading(runs, 20)
    monkeypatch.setattr("tamis.selection._moderated_leading.MAX_SCREENED_BYTES", 1)
    alone = moderated_leading(runs, 20)
    assert together is not None
    assert alone is not None
    pairs = [
        (a, b)
        for one, two in zip(together, alone, strict=True)
        for a, b in zip(one, two, strict=True)
    ]
    assert all(np.array_equal(a, b) for a, b in pairs)


def test_where_rounding_may_decide_nothing_is_said():
    rng = np.random.default_rng(3)
    X = table("plain", rng)
    X[:, 0] += np.where(np.arange(N) % 2, 9.0, 0.0)
    X[:, 1] = X[:, 0] * (1 + 2e-16) + 0.1  # of nearly the same statistic
    y = np.arange(N) % 2
    parts = TrainingParts(X, y, [np.arange(N)])
    assert moderated_leading([parts], 20) == [[None]]


def test_no_screening_where_it_would_not_pay_or_cannot_be():
    rng = np.random.default_rng(4)
    X = table("plain", rng)
    (parts,) = runs_of(X, rng, 2, 1)
    assert moderated_leading([parts], P // 2) is None
    other = TrainingParts(X.copy(), parts.y, parts.rows)
    assert moderated_leading([parts, other], 5) is None
    X[2, 7] = np.nan
    assert moderated_leading([TrainingParts(X, parts.y, parts.rows)], 5) is None
    zero = TrainingParts(np.zeros((N, P)), parts.y, parts.rows)
    assert moderated_leading([zero], 5) in (None, [[None] * len(parts)])


def test_cut_offs_need_every_statistic():
    rng = np.random.default_rng(5)
    (parts,) = runs_of(table("plain", rng), rng, 2, 1)
    ranker = FilterRanker("moderated_t", threshold=1.0)
    (found,) = ranker.rank_runs([parts], SIZES, [[None] * len(parts)])
    assert all(len(ranking.scores) == P for ranking in found)


def test_largest_values_with_a_sample_that_misleads():
    values = np.zeros(1000)
    values[1:40:2] = np.arange(20) + 1.0  # none of them is every sixteenth
    least, found = largest_values(values, 20, 0.0)
    assert (least, found.tolist()) == (1.0, list(range(1, 40, 2)))
    values[::16] = 100.0
    least, found = largest_values(values, 70, 0.5)
    assert least == np.sort(values)[-70]
    assert np.array_equal(found, np.flatnonzero(values >= least / 2))

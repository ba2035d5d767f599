"""Stability selection of a number: the path of halves, and who is found."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.interfaces import Part
from tamis.kernels.elastic_net.path import solve_path
from tamis.selection._elastic_net_stability import ElasticNetStability, NetRanker
from tamis.selection._halves import child_seed, complementary_halves

pytestmark = pytest.mark.longer  # with kernels that quick tests do not compile


def table(n=60, p=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.uniform(0.5, 3, p)
    X[:, 7] = 2.5
    return X, 20 + 3 * X[:, 4] / X[:, 4].std() - 2 * X[:, 9] / X[:, 9].std() + rng.normal(size=n)


def part_of(X, y):
    return Part(X, y, 1, np.zeros((len(y), 0)))


def test_the_first_lambda_of_all_rows_selects_nothing_and_the_next_something():
    X, y = table()
    path = NetRanker(0.5, 30).shared_path(X, y)
    sets = path.active_sets(np.arange(len(y)), 40)
    assert len(sets) == 30
    assert len(sets[0]) == 0
    assert sets[1].tolist() == [4]


@pytest.mark.parametrize("most", [2, 5, 40])
def test_a_path_ends_before_too_many_columns_have_been_active(most):
    X, y = table()
    path, rows = NetRanker(0.5, 30).shared_path(X, y), np.arange(0, 60, 2)
    every = solve_path(path.X[rows], path.y[rows], 1, path.lambdas, 0.5, standardize=False)
    expected, ever = [], set()
    for columns, values in every.coefs:
        ever |= set(columns[values[0] != 0].tolist())
        if len(ever) > most:
            break
        expected.append(columns[values[0] != 0].tolist())
    assert [one.tolist() for one in path.active_sets(rows, most)] == expected


def test_probabilities_are_shares_of_halves():
    X, y = table()
    stream = np.random.SeedSequence(3)
    found = ElasticNetStability(n_lambdas=12, n_pairs=6, q=5).rank(part_of(X, y), [3], stream)
    path, counts = NetRanker(0.5, 12).shared_path(X, y), np.zeros((12, 40))
    for b in range(6):
        halves = complementary_halves(np.zeros(60, dtype=np.int64), child_seed(stream, 0, b))
        for rows in halves:
            sets = path.active_sets(rows, 5)
            for step in range(12):
                counts[step, sets[min(step, len(sets) - 1)] if sets else []] += 1
    np.testing.assert_array_equal(found.probabilities, counts.max(axis=0) / 12)
    assert set(found.path[3][:2].tolist()) == {4, 9}
    assert found.chosen == int((found.probabilities >= 0.75).sum())


def test_the_unit_of_the_number_changes_nothing():
    X, y = table()
    rank = ElasticNetStability(n_lambdas=8, n_pairs=3).rank
    one, other = (
        rank(part_of(X, values), [5], np.random.SeedSequence(0)) for values in (y, 1024 * y)
    )
    assert one.path[5].tolist() == other.path[5].tolist()

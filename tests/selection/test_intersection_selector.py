"""Features in sets, against all sets by brute force."""

from __future__ import annotations

import numpy as np
import pytest

from interactions.itemset_miner import maximal_sets
from tamis._core.interfaces import Part
from tamis._core.streams import stream
from tamis.selection import IntersectionSelector


@pytest.mark.parametrize("seed", range(5))
def test_the_selector_keeps_features_of_more_than_c_sets(seed):
    rng = np.random.default_rng(seed)
    X, y = (rng.random((40, 9)) < 0.5).astype(float), np.repeat([0, 1], [18, 22])
    X[:, :2] = np.maximum(X[:, :2], ((y == 1) & (rng.random(40) < 0.6))[:, None])
    expected = maximal_sets(X > 0, y, np.array([0.3, 0.3]), 0.3)
    counts = [sum(j in items for _, items in expected) for j in range(9)]
    assert max(counts) > 1
    for more_than in (0, 1, max(counts)):
        kept = IntersectionSelector(
            more_than, theta=0.3, theta_out=0.3, n_trees=400, depth=4, branch=6, random_state=seed
        ).fit(X, y)
        assert kept.scores_.tolist() == counts
        assert kept.get_support().tolist() == [count > more_than for count in counts]


@pytest.mark.parametrize("discretizer", [None, "equal_frequency"])
def test_a_ranking_and_its_sets(discretizer):
    rng = np.random.default_rng(2)
    X, y = rng.random((60, 12)), np.repeat([0, 1], 30)
    if discretizer is None:
        X = np.round(X)
    selector = IntersectionSelector(
        1, discretizer=discretizer, theta=0.1, theta_out=0.3, n_trees=30
    )
    ranking = selector.rank(Part.of(X, y), [3, 12], stream(0))
    assert ranking.chosen == (ranking.scores > 1).sum()
    best = sorted(range(12), key=lambda j: (-ranking.scores[j], j))
    assert ranking.path[3].tolist() == best[:3]
    assert ranking.path[12].tolist() == best
    assert set(ranking.path[ranking.chosen]) == set(np.flatnonzero(ranking.scores > 1))

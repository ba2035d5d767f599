"""Stability along a path whose active sets are written down: ties, freezing, and the order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from common.examples import settings
from tamis.selection._halves import complementary_halves
from tamis.selection._stability import StabilitySelector
from tamis.selection._stability_counts import Counts, PathRanker, path_scores


class Scripted(PathRanker):
    """Active sets as written down: script[half][step] lists the columns."""

    def __init__(self, script, n_columns):
        self.script, self.n_columns = script, n_columns

    def shared_path(self, X, y):
        return ScriptedPath(self.script, y)


class ScriptedPath:
    def __init__(self, script, y):
        self.script = script
        self.lambdas = 0.5 ** np.arange(len(script[0]))
        self.halves = [
            tuple(rows)
            for b in range(len(script) // 2)
            for rows in complementary_halves(y, np.random.SeedSequence(0, spawn_key=(0, b)))
        ]

    def active_sets(self, rows, most):
        sets, ever = [], set()
        for active in self.script[self.halves.index(tuple(rows))]:
            ever |= set(active)
            if len(ever) > most:
                break
            sets.append(np.array(sorted(active), dtype=np.int64))
        return sets


def scripted(script, p=6, q=6, **more):
    X, y = np.zeros((20, p)), np.arange(20) % 2  # the script says what is active
    return StabilitySelector(
        Scripted(script, p),
        q=q,
        threshold=1,
        n_pairs=len(script) // 2,
        random_state=0,
        bound="meinshausen_buhlmann",
        **more,
    ).fit(X, y)


def test_ties_go_by_area_then_entry_then_column():
    # halves a, b; steps 1, 2, 3
    a = [[], [5], [5, 3, 2, 1, 0]]
    b = [[], [5], [5, 3, 2, 1, 0]]
    found = scripted([a, b])
    assert np.argsort(found.ranking_).tolist() == [5, 0, 1, 2, 3, 4]  # 5 has the larger area
    assert found.scores_[0] == found.scores_[3] > 0 == found.scores_[4]
    # 4: one half at step 1 and both at step 3; 1: both halves, but at 3, and one at 2: equal
    # areas, but 4 enters earlier; 0 has a larger area and a smaller maximum
    a = [[4, 0], [1, 0], [4, 1, 0]]
    b = [[], [], [4, 1]]
    found = scripted([a, b])
    assert found.probabilities_.tolist() == [0.5, 1, 0, 0, 1, 0]
    assert np.argsort(found.ranking_)[:3].tolist() == [4, 1, 0]
    assert found.probability_path_.mean(axis=0)[[1, 2]].tolist() == [0.5, 0.5]


def test_a_path_keeps_its_last_set_from_q_on():
    # 0 and 1 come and go: three have ever been active at step 3, although one is
    a = [[0], [1], [2], [3]]
    b = [[], [0, 1, 2], [0], [0]]  # three at once: frozen at nothing
    found = scripted([a, b], q=2)
    assert found.path_features_.tolist() == [0, 1]
    assert found.probability_path_.tolist() == [[0.5, 0], [0, 0.5], [0, 0.5], [0, 0.5]]
    whole = scripted([a, b], q=4)
    assert whole.probability_path_.tolist() == [
        [0.5, 0, 0, 0],
        [0.5, 1, 0.5, 0],
        [0.5, 0, 0.5, 0],
        [0.5, 0, 0, 0.5],
    ]


def test_the_largest_probability_is_at_one_lambda_and_so_is_the_pair():
    # each half has column 0 active, but at different lambdas: never together
    found = scripted([[[0], [1]], [[1], [0]]])
    assert found.probabilities_.tolist()[:2] == [0.5, 0.5]
    assert found.simultaneous_.tolist()[:2] == [0, 0]
    found = scripted([[[0], [1]], [[0], [1]]])
    assert found.simultaneous_.tolist()[:2] == [1, 1]


def test_nothing_selected_anywhere():
    found = scripted([[[], []], [[], []]])
    assert not found.scores_.any()
    assert found.probability_path_.shape == (2, 0)
    assert found.result_.frame().empty
    assert found.result_.to_dict()["features"] == []


@given(
    arrays.arrays(
        np.int64, st.tuples(st.integers(1, 5), st.integers(1, 8)), elements=st.integers(0, 4)
    ),
)
@settings(max_examples=200, deadline=None)
def test_scores_order_exactly_as_the_ties_say(counts):
    found = Counts(np.arange(counts.shape[1]), counts, np.zeros(counts.shape[1]), 4)
    scores = path_scores(found)

    def key(j):
        column = counts[:, j]
        entry = int((column > 0).argmax()) if column.any() else -1
        return column.max(), column.sum(), -entry

    for i in range(counts.shape[1]):
        for j in range(counts.shape[1]):
            if counts[:, i].any() and counts[:, j].any():
                assert (scores[i] > scores[j]) == (key(i) > key(j))
                assert (scores[i] == scores[j]) == (key(i) == key(j))
        assert 0 <= scores[i] - counts[:, i].max() / 4 <= 1 / 8

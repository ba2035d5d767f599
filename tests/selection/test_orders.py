"""The best columns of many, found without sorting all."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis.selection._orders import nested_ranking, order_of


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 3000),
    st.integers(0, 400),
    st.sampled_from(["ties", "one", "rising", "free"]),
    st.integers(0, 10**6),
)
def test_first_of_a_full_sort(p, most, kind, seed):
    rng = np.random.default_rng(seed)
    scores = {
        "ties": rng.integers(0, 5, p).astype(float),
        "one": np.zeros(p),
        "rising": np.arange(p, dtype=float),
        "free": rng.standard_t(2, p),
    }[kind]
    scores[rng.random(p) < 0.1] = -np.inf
    whole = sorted(range(p), key=lambda j: (-scores[j], j))
    assert order_of(scores, most).tolist() == whole[:most]
    assert order_of(scores).tolist() == whole


def test_the_sample_that_is_looked_at_first_may_hold_none_of_the_best():
    scores = np.arange(4000.0) % 16  # every 16th is 0
    scores[5] = 99.0
    assert order_of(scores, 3).tolist() == [5, 15, 31]


def test_nan_comes_last():
    found = nested_ranking(np.array([np.nan, 1.0, np.nan, 2.0]), [4])
    assert found.path[4].tolist() == [3, 1, 0, 2]

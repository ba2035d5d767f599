"""Relaxation labelling against loops, and a case where relatives decide."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.small_pairs import all_pairs, pairs_of_classes, vocabulary
from tamis.ontology.relaxation import relax_probabilities


def plain_support(pairs, p):
    """Of each pair, by its definition."""
    at = {tuple(row): k for k, row in enumerate(pairs.rows.tolist())}
    best = [{}, {}]
    for (i, j), k in at.items():
        best[0][i] = max(best[0].get(i, 0), p[k])
        best[1][j] = max(best[1].get(j, 0), p[k])
    found = []
    for i, j in pairs.rows.tolist():
        support = 0.0
        for name in ("parents", "children"):
            one = getattr(pairs.source.ontology, name)[i]
            other = getattr(pairs.target.ontology, name)[j]
            n = min(len(one), len(other))
            if n:
                m = sum(p[at[a, b]] for a in one for b in other if (a, b) in at)
                offered = min(
                    sum(best[0].get(a, 0) for a in one), sum(best[1].get(b, 0) for b in other)
                )
                part = (2 * min(m, offered) - offered) / n
                assert -1 - 1e-9 <= part <= 1 + 1e-9
                support += part
        found.append(support)
    return np.array(found)


@given(pairs_of_classes(), st.integers(0, 2**20), st.floats(0, 5))
@settings(max_examples=40)
def test_rounds_equal_loops(pairs, bits, weight):
    p = np.random.default_rng(bits).random(len(pairs)).astype(np.float32)
    now = p.astype(float)
    start = np.log(now) - np.log1p(-now)
    for rounds in (1, 2, 3):
        new = 1 / (1 + np.exp(-(start + weight * plain_support(pairs, now))))
        settled, now = np.abs(new - now).max() < 1e-3, (now + new) / 2
        found = relax_probabilities(pairs, p, weight, rounds)
        np.testing.assert_allclose(found, now, atol=1e-5)
        if settled:
            break


@given(pairs_of_classes(), st.integers(0, 2**20))
@settings(max_examples=30)
def test_no_weight_changes_nothing_and_any_stays_a_probability(pairs, bits):
    p = np.random.default_rng(bits).choice([0.0, 0.3, 0.9, 1.0], len(pairs))
    np.testing.assert_allclose(relax_probabilities(pairs, p, 0.0), p, atol=2e-9)
    found = relax_probabilities(pairs, p, 100.0)
    assert np.all((found >= 0) & (found <= 1))
    np.testing.assert_array_equal(found, relax_probabilities(pairs, p, 100.0))
    # Two kinds of relatives, each worth 1 at most: half of their weight moves log odds by 1.
    kept = [np.clip(q, 1e-9, 1 - 1e-9) for q in (p, relax_probabilities(pairs, p, 0.5))]
    odds = [np.log(q) - np.log1p(-q) for q in kept]
    assert np.all(np.abs(odds[1] - odds[0]) <= 1 + 1e-5)


def test_relatives_decide():
    """Two classes of one name: the one below the class that matches wins."""
    one = vocabulary("one", ["heart", "valve", "tyre"], parents=[(), (0,), ()])
    labels = ["heart", "tyre", "valve", "valve"]
    other = vocabulary("other", labels, parents=[(), (), (0,), (1,)])
    pairs = all_pairs(one, other)
    p = np.full(len(pairs), 0.02)
    p[pairs.find(np.array([[0, 0], [2, 1], [1, 2], [1, 3]]))] = 0.95, 0.95, 0.5, 0.5
    found = relax_probabilities(pairs, p)
    right, wrong = found[pairs.find(np.array([[1, 2], [1, 3]]))]
    assert right > 0.6
    assert wrong < 0.4


def test_no_pairs():
    pairs = all_pairs(vocabulary("none", []), vocabulary("other", ["a"]))
    assert relax_probabilities(pairs, np.zeros(0)).shape == (0,)

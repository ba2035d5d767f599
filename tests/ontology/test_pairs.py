"""Pairs of classes as words: what similarities ask of them, against loops."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from common.examples import settings
from ontology.small_pairs import all_pairs, pairs_of_classes, vocabulary
from tamis.ontology.names import name_stems, normalised_name
from tamis.ontology.pairs import (
    BLOCK_NUMBERS,
    MOST_NAMES,
    Side,
    column_rarity,
    combine_sides,
    incidence_matrix,
    row_products,
    work_blocks,
)


@given(pairs_of_classes())
@settings(max_examples=60)
def test_names_and_words_of_a_side(pairs):
    for side in (pairs.source, pairs.target):
        o = side.ontology
        for k in range(len(o)):
            names = [normalised_name(n) for n in o.names_of(k)[:MOST_NAMES]]
            names = list(dict.fromkeys(n for n in names if n))
            assert list(side.names[k]) == names
            assert side.labels[k] == (names[0] if names else "")
            assert set(side.all_words[k]) == {w for n in names for w in name_stems(n)}


@given(pairs_of_classes())
@settings(max_examples=60)
def test_rarity_of_words(pairs):
    bags = [set(ws) for side in (pairs.source, pairs.target) for ws in side.all_words]
    n = sum(bool(bag) for bag in bags)
    for word, at in pairs.terms.vocabulary.items():
        count = sum(word in bag for bag in bags)
        assert pairs.terms.rarity[at] == pytest.approx(
            math.log((n + 2) / (count + 1)) / math.log(n + 2), rel=1e-5
        )


@given(pairs_of_classes())
@settings(max_examples=60)
def test_combinations_of_names(pairs):
    """Every name beside every name, and the best of any number a combination has."""
    pair, a, b = pairs.combinations
    names = [[n for names in s.names for n in names] for s in (pairs.source, pairs.target)]
    found = [(int(k), names[0][i], names[1][j]) for k, i, j in zip(pair, a, b, strict=True)]
    expected = [
        (k, one, other)
        for k, (i, j) in enumerate(pairs.rows.tolist())
        for one in pairs.source.names[i]
        for other in pairs.target.names[j]
    ]
    assert found == expected
    values = np.arange(len(pair), dtype=np.float32) % 7
    best = pairs.best(values)
    for k in range(len(pairs)):
        own = values[pair == k]
        assert np.isnan(best[k]) if not len(own) else best[k] == own.max()


def test_row_products_incidence_and_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    a, b = (sparse.random_array((30, 20), density=0.2, rng=rng, format="csr") for _ in range(2))
    rows = rng.integers(30, size=(500, 2))
    expected = (a.toarray()[rows[:, 0]] * b.toarray()[rows[:, 1]]).sum(axis=1)
    np.testing.assert_allclose(row_products(a, b, rows), expected, rtol=1e-6)
    monkeypatch.setattr("tamis.ontology.pairs.BLOCK_NUMBERS", 50)
    np.testing.assert_allclose(row_products(a, b, rows), expected, rtol=1e-6)
    assert row_products(a, b, rows[:0]).shape == (0,)
    bag = incidence_matrix([[1, 1, 0], [], [2]], 3)
    assert bag.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert column_rarity(bag, bag)[0] == pytest.approx(math.log(6 / 3) / math.log(6))
    assert [
        len(x) for x in combine_sides(np.zeros((0, 2), int), np.ones(1, int), np.ones(1, int))
    ] == [
        0,
        0,
        0,
    ]


@given(st.lists(st.integers(0, 5_000_000), max_size=6))
def test_blocks_hold_each_row_once_and_not_too_much(work):
    given_rows = np.array(work, dtype=np.int64)
    found = list(work_blocks(given_rows))
    assert [k for one in found for k in range(len(work))[one]] == list(range(len(work)))
    for one, after in pairwise([*found, None]):
        assert given_rows[one].sum() <= BLOCK_NUMBERS or one.stop - one.start == 1
        if after is not None:  # no more would have been taken
            assert given_rows[one.start : one.stop + 1].sum() > BLOCK_NUMBERS


@given(pairs_of_classes())
@settings(max_examples=40)
def test_pairs_are_found_by_their_classes(pairs):
    every = all_pairs(pairs.source.ontology, pairs.target.ontology).rows
    at = {pair: k for k, pair in enumerate(map(tuple, pairs.rows.tolist()))}
    assert pairs.find(every).tolist() == [at.get(pair, -1) for pair in map(tuple, every.tolist())]


def test_a_similarity_is_computed_once_and_a_subset_shares_words():
    pairs = all_pairs(vocabulary("one", ["a b", "c"]), vocabulary("other", ["a", "c d"]))
    calls = []

    def similarity(of):
        calls.append(len(of))
        return np.zeros(len(of))

    assert pairs.once(similarity) is pairs.once(similarity)
    part = pairs.subset(np.array([1, 3]))
    assert part.rows.tolist() == [[0, 1], [1, 1]]
    assert part.terms is pairs.terms
    part.once(similarity)
    assert calls == [4, 2]


def test_empty_sides():
    none = vocabulary("none", [])
    pairs = all_pairs(none, vocabulary("other", ["a"]))
    assert len(pairs) == 0
    assert pairs.terms.rarity.shape == (1,)
    assert Side(none).up.shape == (0, 0)

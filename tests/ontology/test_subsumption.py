"""Pairs where one is a kind of the other, and seeds: against loops and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.small_pairs import all_pairs, pairs_of_classes, vocabulary
from tamis.ontology.candidates import candidate_pairs
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.pairs import Pairs, Side
from tamis.ontology.seeds import (
    MAX_NON_MATCH_SIMILARITY,
    MIN_MATCHED_SHARE,
    MIN_SEED_SIMILARITY,
    seed_labels,
)
from tamis.ontology.similarities.names import jaro_winkler, monge_elkan
from tamis.ontology.similarities.words import head_word, word_overlap
from tamis.ontology.subsumption import subsumed_pairs


def plain_subsumed(pairs, mapped):
    best: dict[tuple[int, int], tuple[int, int]] = {}
    taken = [{rows[side] for rows in pairs.rows[mapped].tolist()} for side in (0, 1)]
    for k, (i, j) in enumerate(pairs.rows.tolist()):
        one, other = set(pairs.source.words[i]), set(pairs.target.words[j])
        if head_word(pairs.source.labels[i]) != head_word(pairs.target.labels[j]):
            continue
        for side, own, wide, narrow in ((0, i, other, one), (1, j, one, other)):
            if wide and wide < narrow and own not in taken[side]:
                best[side, own] = max(best.get((side, own), (0, 0)), (len(wide), -k))
    return sorted((-k, "<>"[side]) for (side, _), (_, k) in best.items())


@given(pairs_of_classes(), st.integers(0, 2**20))
@settings(max_examples=60)
def test_kinds_equal_a_loop(pairs, bits):
    mapped = np.random.default_rng(bits).random(len(pairs)) < 0.1
    assert subsumed_pairs(pairs, mapped) == plain_subsumed(pairs, mapped)


def test_a_kind_of_paper():
    one = vocabulary("one", ["conference paper", "long conference paper", "paper review"])
    other = vocabulary("other", ["paper", "conference paper"])
    pairs = all_pairs(one, other)
    mapped = np.isin(np.arange(6), [1])  # "conference paper" is mapped
    assert subsumed_pairs(pairs, mapped) == [(3, "<")]  # beside "conference paper", not "paper"
    assert subsumed_pairs(pairs, np.zeros(6, bool)) == [(0, "<"), (3, "<")]
    turned = subsumed_pairs(all_pairs(other, one), np.zeros(6, bool))
    assert turned == [(0, ">"), (4, ">")]


@pytest.mark.longer
@given(pairs_of_classes(), st.integers(0, 2**20))
@settings(max_examples=40)
def test_seeds_by_their_definition(pairs, bits):
    known = np.random.default_rng(bits).choice([-1, 0, 1], len(pairs), p=[0.9, 0.05, 0.05])
    by = [np.nan_to_num(of(pairs)) for of in (word_overlap, monge_elkan, jaro_winkler)]
    rank, rows = by[0] + by[1], pairs.rows
    score, by_word = np.max(by, axis=0), np.max(by[:2], axis=0)
    matches = []
    for k, (i, j) in enumerate(rows.tolist()):
        rivals = [rank[m] for m, (a, b) in enumerate(rows.tolist()) if (a == i) != (b == j)]
        if rank[k] > max(rivals, default=0) + 1e-6 and by_word[k] >= MIN_SEED_SIMILARITY:
            matches.append(k)
    expected = np.full(len(pairs), -1)
    for k, row in enumerate(rows):
        if k in matches:
            expected[k] = 1
        elif score[k] < MAX_NON_MATCH_SIMILARITY or any((rows[m] == row).any() for m in matches):
            expected[k] = 0
    kept = rows[expected == 1]
    assert len(set(kept[:, 0])) == len(set(kept[:, 1])) == len(kept)  # no class twice
    expected = np.where(known >= 0, known, expected)
    if np.count_nonzero(expected == 1) < MIN_MATCHED_SHARE * min(
        len(s.labels) for s in pairs.sides
    ):
        expected[expected < 0] = 0
    assert seed_labels(pairs, known).tolist() == expected.tolist()


def test_seeds_of_equal_names():
    one = vocabulary("one", ["heart valve", "left artery", "lung"])
    other = vocabulary("other", ["HeartValve", "artery, left", "kidney"])
    found = seed_labels(all_pairs(one, other), np.full(9, -1)).reshape(3, 3)
    assert found[0, 0] == found[1, 1] == 1
    assert found[2, 2] == 0
    assert (found[0, 1:] == 0).all()


@pytest.mark.parametrize(("smaller", "open_pairs"), [(19, True), (20, True), (21, False)])
def test_one_match_in_twenty_classes_of_the_smaller_vocabulary_is_enough(smaller, open_pairs):
    """Names that share every other letter are neither alike nor unlike."""
    one = vocabulary("one", ["heart valve", *(f"bone {k} of hand" for k in range(smaller - 1))])
    other = vocabulary("other", ["HeartValve", *(f"bone {k} or hind" for k in range(99))])
    for pairs in (all_pairs(one, other), all_pairs(other, one)):
        found = seed_labels(pairs, np.full(len(pairs), -1))
        assert np.count_nonzero(found == 1) == 1
        assert (np.count_nonzero(found < 0) > 0) == open_pairs


@pytest.mark.parametrize("shared", [0, 150])
def test_where_few_names_are_equal_all_other_pairs_are_none(shared):
    made = make_vocabularies(300, 300, shared, random_state=0)
    rows = candidate_pairs(made.source, made.target).rows
    pairs = Pairs(Side(made.source), Side(made.target), rows)
    unknown = np.full(len(pairs), -1)
    found = seed_labels(pairs, unknown)
    assert (np.count_nonzero(found < 0) > 0) == (shared > 0)
    if not shared:  # matches that a person knows are matches as seeds are
        unknown[:: len(pairs) // 20] = 1
        assert np.count_nonzero(seed_labels(pairs, unknown) < 0) > 0

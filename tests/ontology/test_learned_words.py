"""What known matches teach about words, against a loop and by hand."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.small_pairs import all_pairs, pairs_of_classes, vocabulary
from tamis.ontology.similarities.learned_words import LearnedWords

PAPERS = vocabulary("one", ["poster", "author", "participant"])
OTHERS = vocabulary("other", ["poster paper", "paper author", "attendee", "chair author"])


def plain_counts(known):
    """Hits and tries of each word, and of each pair of words."""
    hits, tries = defaultdict(float), defaultdict(float)
    for pairs, match in known:
        for (i, j), label in zip(pairs.rows.tolist(), match.tolist(), strict=True):
            one, other = set(pairs.source.words[i]), set(pairs.target.words[j])
            here, there = one - other, other - one
            if here and there:
                if one & other or len(here) == len(there) == 1:
                    keys = [tuple(sorted((a, b))) for a in here for b in there]
                else:
                    keys = []
            else:
                keys = list(here | there) if one & other else []
            for key in keys:
                tries[key] += 1 / len(keys)
                hits[key] += label / len(keys)
    return hits, tries


@given(st.lists(pairs_of_classes(), min_size=1, max_size=2), st.integers(0, 2**20), st.data())
@settings(max_examples=25)
def test_counts_equal_a_loop(several, bits, data):
    rng = np.random.default_rng(bits)
    known = [(pairs, rng.random(len(pairs)) < 0.5) for pairs in several]
    hits, tries = plain_counts(known)
    found = LearnedWords().fit(known)
    singles = {key: (hits[key] + 0.1) / (n + 1) for key, n in tries.items() if isinstance(key, str)}
    doubles = {key: hits[key] / (tries[key] + 0.5) for key in hits if not isinstance(key, str)}
    assert found.dropped == pytest.approx(singles)
    assert found.translated == pytest.approx({k: v for k, v in doubles.items() if v})
    assert list(found.dropped) == sorted(found.dropped)
    pairs = several[0]
    expected = [plain_value(found, pairs, i, j) for i, j in pairs.rows.tolist()]
    np.testing.assert_allclose(found(pairs), expected, rtol=2e-5, atol=2e-6)


def plain_value(learned, pairs, i, j):
    """Weight of the words in common or translated / mean weight of both."""
    one, other = pairs.source.words[i], pairs.target.words[j]
    weight = {
        word: pairs.terms.rarity[at] * (1 - learned.dropped.get(word, 0.1))
        for word, at in pairs.terms.vocabulary.items()
    }
    common = 0.0
    for a in one:
        for b in other:
            share = 1.0 if a == b else learned.translated.get((min(a, b), max(a, b)), 0)
            common += share * np.sqrt(weight[a] * weight[b])
    both = sum(weight[word] for word in (*one, *other))
    return min(2 * common / both, 1) if both > 0 else np.nan


def test_by_hand():
    """The word "paper" was dropped in two of two pairs; "attendee" stands for "participant"."""
    pairs = all_pairs(PAPERS, OTHERS)
    match = np.isin(np.arange(12), [0, 5, 10])
    learned = LearnedWords().fit([(pairs, match)])
    assert learned.dropped == pytest.approx({"chair": 0.1 / 2, "paper": 2.1 / 3})
    assert learned.translated == pytest.approx({("attendee", "participant"): 1 / 1.5})
    plain = LearnedWords()(pairs).reshape(3, 4)
    taught = learned(pairs).reshape(3, 4)
    assert taught[0, 0] > plain[0, 0]
    assert taught[1, 1] > taught[1, 3]
    assert plain[2, 2] == 0
    assert taught[2, 2] == pytest.approx(2 / 3, rel=1e-5)


def test_knows_nothing_of_pairs_it_was_not_given():
    """A word that only held-out pairs drop is weighed as any other."""
    pairs = all_pairs(PAPERS, OTHERS)
    match = np.isin(np.arange(12), [0, 5, 10])
    others = np.array([2, 3, 6, 7, 9, 10])  # none with "paper" but by itself
    learned = LearnedWords().fit([(pairs.subset(others), match[others])])
    assert "paper" not in learned.dropped
    assert learned(pairs)[0] == LearnedWords()(pairs)[0]


def test_nothing_known_and_blocks(monkeypatch):
    assert LearnedWords().fit([]).dropped == {}
    rng = np.random.default_rng(0)
    labels = [" ".join(rng.choice(list("abcdefg"), 2)) for _ in range(12)]
    pairs = all_pairs(vocabulary("one", labels), vocabulary("other", labels[::-1]))
    match = rng.random(len(pairs)) < 0.2
    whole = LearnedWords().fit([(pairs, match)])
    monkeypatch.setattr("tamis.ontology.pairs.BLOCK_NUMBERS", 90)
    parts = LearnedWords().fit([(pairs, match)])
    assert parts.dropped == pytest.approx(whole.dropped)
    assert parts.translated == pytest.approx(whole.translated)

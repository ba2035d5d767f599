"""Each similarity against loops over names and sets; rapidfuzz says what two strings have."""

from __future__ import annotations

import math
import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.small_pairs import all_pairs, pairs_of_classes, vocabulary
from tamis._core.registry import rows_of
from tamis._core.rows import SimilarityRow
from tamis.ontology.names import name_stems, normalised_name
from tamis.ontology.pairs import MOST_WORDS, Pairs, Side
from tamis.ontology.similarities.learned_words import LearnedWords
from tamis.ontology.similarities.names import (
    jaro_similarity,
    jaro_winkler,
    levenshtein_similarity,
    monge_elkan,
    synonym_similarity,
)
from tamis.ontology.similarities.rivals import best_other, rival_gap
from tamis.ontology.similarities.structure import (
    MAX_LEVELS,
    MOST_PATHS,
    depth_similarity,
    path_similarity,
    root_paths,
    sibling_cosine,
    superclass_closure,
)
from tamis.ontology.similarities.words import equal_heads, head_word, word_containment, word_overlap

distance = pytest.importorskip("rapidfuzz.distance")
NAN = float("nan")
PLAIN = [row for row in rows_of(SimilarityRow) if not row.learns]


def source_jaro(s, t):
    """Source 003, equation 3.8, with the window and the transpositions of the usual definition."""
    window = max(max(len(s), len(t)) // 2 - 1, 0)
    taken: list[int] = []
    common = []
    for i, letter in enumerate(s):
        for j in range(max(0, i - window), min(len(t), i + window + 1)):
            if j not in taken and t[j] == letter:
                taken.append(j)
                common.append(letter)
                break
    m = len(common)
    if not m:
        return 0.0
    mismatched = sum(a != t[j] for a, j in zip(common, sorted(taken), strict=True))
    return (m / len(s) + m / len(t) + (m - mismatched // 2) / m) / 3


def source_jaro_winkler(s, t):
    """Equation 3.9: a common beginning of four letters at most, each for 0.1, from 0.7 on."""
    start = 0
    while start < min(4, len(s), len(t)) and s[start] == t[start]:
        start += 1
    found = source_jaro(s, t)
    return found + start * 0.1 * (1 - found) if found > 0.7 else found


def plain_weight(pairs, names):
    return sum(pairs.terms.rarity[pairs.terms.vocabulary[word]] for word in names)


def plain_spelled(one, other):
    found = []
    for word in one.split():
        runs = [
            other.split()[k : k + len(word)]
            for k in range(len(other.split()) - len(word) + 1)
            if 2 <= len(word) <= 5
        ]
        found += next((run for run in runs if "".join(w[0] for w in run) == word), [word])
    return " ".join(found)


def plain_words(pairs, i, j):
    best = [NAN]
    for a, b in product(pairs.source.names[i], pairs.target.names[j]):
        both = plain_weight(pairs, name_stems(a)) + plain_weight(pairs, name_stems(b))
        common = plain_weight(pairs, set(name_stems(a)) & set(name_stems(b)))
        best.append(2 * common / both if both else NAN)
    one, other = pairs.source.labels[i], pairs.target.labels[j]
    spelled = plain_spelled(one, other), plain_spelled(other, one)
    if spelled != (one, other):
        a, b = (set(name_stems(text)) for text in spelled)
        both = plain_weight(pairs, a) + plain_weight(pairs, b)
        best.append(2 * plain_weight(pairs, a & b) / both if both else NAN)
    return np.nanmax(best) if not np.isnan(best).all() else NAN


def plain_containment(pairs, i, j):
    best = [NAN]
    for a, b in product(pairs.source.names[i], pairs.target.names[j]):
        least = min(plain_weight(pairs, name_stems(a)), plain_weight(pairs, name_stems(b)))
        common = plain_weight(pairs, set(name_stems(a)) & set(name_stems(b)))
        best.append(common / least if least else NAN)
    return np.nanmax(best) if not np.isnan(best).all() else NAN


def plain_head(pairs, i, j):
    one, other = head_word(pairs.source.labels[i]), head_word(pairs.target.labels[j])
    return float(one == other) if one and other else NAN


def plain_monge_elkan(pairs, i, j):
    one, other = pairs.source.labels[i].split(), pairs.target.labels[j].split()
    if not one or not other:
        return NAN
    similar = distance.JaroWinkler.normalized_similarity
    there = [max(similar(a, b) for b in other) for a in one]
    back = [max(similar(a, b) for a in one) for b in other]
    return (sum(there) / len(there) + sum(back) / len(back)) / 2


def plain_synonyms(pairs, i, j):
    one, other = pairs.source.names[i], pairs.target.names[j]
    if max(len(one), len(other)) < 2 or not one or not other:
        return NAN
    similar = distance.JaroWinkler.normalized_similarity
    return max(similar(a.replace(" ", ""), b.replace(" ", "")) for a, b in product(one, other))


def plain_counts(side, classes):
    """How often each stem is in the labels of some classes."""
    found: dict[str, int] = {}
    for k in classes:
        for word in side.words[k]:
            found[word] = found.get(word, 0) + 1
    return found


def plain_cosine(one, other, weight):
    def length(counts):
        return math.sqrt(sum((n * weight[word]) ** 2 for word, n in counts.items()))

    norms = length(one) * length(other)
    inner = sum(n * other.get(word, 0) * weight[word] ** 2 for word, n in one.items())
    return inner / norms if norms else NAN


def plain_relatives(relatives):
    def similarity(pairs, i, j):
        weight = {w: pairs.terms.rarity[k] for w, k in pairs.terms.vocabulary.items()}
        sides = ((pairs.source, i), (pairs.target, j))
        return plain_cosine(
            *(plain_counts(side, relatives(side.ontology, at)) for side, at in sides), weight
        )

    return similarity


def plain_siblings(o, at):
    return [k for p in o.parents[at] for k in o.children[p] if k != at]


def plain_definition(pairs, i, j):
    told = [
        [set(name_stems(normalised_name(t))) if t else set() for t in s.ontology.definitions]
        for s in (pairs.source, pairs.target)
    ]
    return plain_cosine(*counted_rarity(told, i, j))


def plain_properties(pairs, i, j):
    told = []
    for side in (pairs.source, pairs.target):
        o = side.ontology
        found: list[set] = [set() for _ in o.iris]
        for one in o.properties:
            for at in (*one.domains, *one.ranges):
                found[at] |= set(name_stems(normalised_name(one.label)))
        for said in o.restrictions:
            found[said.owner] |= set(name_stems(normalised_name(o.properties[said.property].label)))
        told.append(found)
    return plain_cosine(*counted_rarity(told, i, j))


def counted_rarity(told, i, j):
    """Two sets of words as counts, and the rarity of each word among all sets."""
    bags = [bag for side in told for bag in side]
    n = sum(bool(bag) for bag in bags)
    weight = {
        word: math.log((n + 2) / (sum(word in bag for bag in bags) + 1)) / math.log(n + 2)
        for bag in bags
        for word in bag
    }
    return dict.fromkeys(told[0][i], 1), dict.fromkeys(told[1][j], 1), weight


def plain_instances(pairs, i, j):
    one, other = (
        {normalised_name(x.label) for x in side.ontology.individuals if at in x.types} - {""}
        for side, at in ((pairs.source, i), (pairs.target, j))
    )
    return len(one & other) / len(one | other) if one and other else NAN


def plain_paths(side, at):
    """Every way from a root, the shortest first, as a text."""

    def ways(k):
        above = side.ontology.parents[k]
        return [(*way, k) for p in above for way in ways(p)] if above else [(k,)]

    chosen = sorted(ways(at), key=lambda way: (len(way), way))[:MOST_PATHS]
    texts = ["".join(side.labels[k].replace(" ", "") for k in way) for way in chosen]
    return [text for text in texts if text]


def plain_path(pairs, i, j):
    similar = distance.JaroWinkler.normalized_similarity
    both = product(plain_paths(pairs.source, i), plain_paths(pairs.target, j))
    return max((similar(a, b) for a, b in both), default=NAN)


def plain_depth(pairs, i, j):
    deep = [
        len(min(plain_ways(side.ontology, at), key=len))
        for side, at in ((pairs.source, i), (pairs.target, j))
    ]
    return min(deep) / max(deep)


def plain_ways(o, at):
    return [(*way, at) for p in o.parents[at] for way in plain_ways(o, p)] or [(at,)]


def plain_gap(pairs, i, j):
    def value(a, b):
        k = int(pairs.find(np.array([[a, b]]))[0])
        both = [np.nan_to_num(of(pairs))[k] for of in (jaro_winkler, word_overlap)]
        return sum(map(float, both)) / 2

    rivals = [
        value(a, b) for a, b in pairs.rows.tolist() if (a == i) != (b == j)
    ]  # one class in common
    return value(i, j) - max(rivals, default=0)


def of_labels(scorer):
    def similarity(pairs, i, j):
        one = pairs.source.labels[i].replace(" ", "")
        other = pairs.target.labels[j].replace(" ", "")
        return scorer.normalized_similarity(one, other) if one and other else NAN

    return similarity


REFERENCES = {
    "name": of_labels(distance.JaroWinkler),
    "jaro": of_labels(distance.Jaro),
    "levenshtein": of_labels(distance.Levenshtein),
    "monge_elkan": plain_monge_elkan,
    "synonyms": plain_synonyms,
    "words": plain_words,
    "containment": plain_containment,
    "head": plain_head,
    "definition": plain_definition,
    "path": plain_path,
    "parents": plain_relatives(lambda o, at: o.parents[at]),
    "children": plain_relatives(lambda o, at: o.children[at]),
    "siblings": plain_relatives(plain_siblings),
    "ancestors": plain_relatives(lambda o, at: o.ancestors(at)),
    "depth": plain_depth,
    "instances": plain_instances,
    "properties": plain_properties,
    "gap": plain_gap,
}


def test_every_similarity_has_a_reference():
    assert {row.name for row in PLAIN} == set(REFERENCES)


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: row.name)
@given(pairs_of_classes())
@settings(max_examples=12)
def test_equals_a_plain_loop(row, pairs):
    found = row.load()(pairs)
    expected = [REFERENCES[row.name](pairs, i, j) for i, j in pairs.rows.tolist()]
    assert found.dtype == np.float32
    assert found.shape == (len(pairs),)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
    assert np.all(np.isnan(found) | ((found >= -1 - 1e-6) & (found <= 1 + 1e-6)))


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: row.name)
@given(pairs_of_classes())
@settings(max_examples=4)
def test_is_the_same_from_the_other_side(row, pairs):
    """All but the string distances of rapidfuzz, which may count letters in common otherwise."""
    order = np.lexsort((pairs.rows[:, 0], pairs.rows[:, 1]))
    turned = Pairs(pairs.target, pairs.source, pairs.rows[order][:, ::-1])
    found, back = row.load()(pairs)[order], row.load()(turned)
    np.testing.assert_allclose(found, back, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: row.name)
def test_no_pairs_and_no_classes(row):
    none, one = vocabulary("none", []), vocabulary("one", ["a", "b"])
    for a, b in ((none, one), (one, none), (none, none)):
        assert row.load()(all_pairs(a, b)).shape == (0,)
    assert row.load()(Pairs(Side(one), Side(one), np.zeros((0, 2), int))).shape == (0,)


@given(st.text("abcd", min_size=1, max_size=9), st.text("abcd", min_size=1, max_size=9))
@settings(max_examples=200)
def test_jaro_and_winkler_as_the_source_has_them(s, t):
    pairs = all_pairs(vocabulary("one", [s]), vocabulary("other", [t]))
    assert jaro_similarity(pairs)[0] == pytest.approx(source_jaro(s, t), abs=1e-6)
    assert jaro_winkler(pairs)[0] == pytest.approx(source_jaro_winkler(s, t), abs=1e-6)


def test_published_values():
    """Winkler's examples, and Levenshtein's kitten."""
    names = {"martha": "marhta", "dwayne": "duane", "dixon": "dicksonx"}
    for (a, b), expected in zip(names.items(), (0.961, 0.84, 0.813), strict=True):
        found = jaro_winkler(all_pairs(vocabulary("one", [a]), vocabulary("other", [b])))
        assert found[0] == pytest.approx(expected, abs=5e-4)
    kitten = all_pairs(vocabulary("one", ["kitten"]), vocabulary("other", ["sitting"]))
    assert levenshtein_similarity(kitten)[0] == pytest.approx(1 - 3 / 7)


def test_what_names_say():
    one = vocabulary("one", ["PCMember", "Sub-committee", "Regular author", "chair of the review"])
    other = vocabulary("other", ["program committee member", "Subcommittee", "Author", "chairs"])
    pairs = all_pairs(one, other)

    def of(similarity):
        return similarity(pairs).reshape(4, 4)

    assert of(word_overlap)[0, 0] == pytest.approx(1)  # an acronym
    assert of(jaro_winkler)[1, 1] == 1  # blanks do not count
    assert of(word_containment)[2, 2] == pytest.approx(1)
    assert of(word_overlap)[2, 2] < 1
    assert of(equal_heads)[3, 3] == 1
    assert of(equal_heads)[2, 2] == 1
    assert of(equal_heads)[0, 1] == 0
    assert np.isnan(of(synonym_similarity)).all()


def test_monge_elkan_is_the_same_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    labels = [" ".join(rng.choice(["aa", "ab", "bc", "cde"], k)) for k in (1, 2, 3, 4) * 3]
    pairs = all_pairs(vocabulary("one", labels), vocabulary("other", ["", *labels]))
    whole = monge_elkan(pairs)
    monkeypatch.setattr("tamis.ontology.pairs.BLOCK_NUMBERS", 7)
    np.testing.assert_array_equal(monge_elkan(pairs), whole)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5))))
def test_best_other_value_of_a_group(rows):
    groups, values = np.array(rows, dtype=int).reshape(-1, 2).T
    found = best_other(values.astype(float), groups)
    for k, (group, _) in enumerate(rows):
        rest = [v for at, (g, v) in enumerate(rows) if g == group and at != k]
        assert found[k] == max(rest, default=0)


def test_gap_without_a_rival_is_the_whole_value():
    pairs = all_pairs(vocabulary("one", ["a paper"]), vocabulary("other", ["a paper"]))
    assert rival_gap(pairs)[0] == pytest.approx(1)


def test_long_names_take_little_memory():
    """Two hundred words each, and a word of a thousand letters."""
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{k}" for k in rng.integers(0, 99, 200)) for _ in range(19)]
    labels = ["x" * 1000, *texts, *(f"name {k}" for k in range(80))]
    pairs = all_pairs(vocabulary("one", labels), vocabulary("other", labels))
    assert max(len(label.split()) for label in pairs.source.labels) == MOST_WORDS
    assert pairs.terms.vocabulary  # prepared before it is watched
    for function in (
        monge_elkan,
        equal_heads,
        word_overlap,
        LearnedWords().fit([(pairs, pairs.rows[:, 0] < 9)]),
    ):
        tracemalloc.start()
        assert len(function(pairs)) == len(pairs)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8e7, function


def test_siblings_of_a_crowd_do_not_count(monkeypatch):
    parents = [(), (), (0,), (0,), (0, 1), (1,)]
    side = vocabulary("one", ["a", "b", "c d", "d e", "e f", "c f"], parents=parents)
    pairs = all_pairs(side, side)
    monkeypatch.setattr("tamis.ontology.similarities.structure.MAX_CHILDREN", 2)
    few = [tuple(p for p in ups if p != 0) for ups in parents]
    alike = vocabulary("one", ["a", "b", "c d", "d e", "e f", "c f"], parents=few)
    np.testing.assert_array_equal(sibling_cosine(pairs), sibling_cosine(all_pairs(alike, alike)))


def test_a_very_deep_hierarchy_is_looked_at_from_near():
    n = 3 * MAX_LEVELS
    side = Side(vocabulary("one", ["ab"] * n, parents=[(), *((k,) for k in range(n - 1))]))
    above = np.asarray(superclass_closure(side.up).sum(axis=1)).ravel()
    np.testing.assert_array_equal(above, np.minimum(np.arange(n), MAX_LEVELS))
    assert [len(one) for (one,) in root_paths(side)] == [2 * int(k) for k in above + 1][:63] + (
        [2 * MAX_LEVELS] * (n - 63)
    )


@pytest.mark.quick
def test_long_and_many_paths_are_bounded():
    """A ladder of diamonds has 2^40 ways from its root, and labels that are long."""
    labels, parents = ["top"], [()]
    for _ in range(40):
        k = len(labels)
        below = (k - 1,) if k == 1 else (k - 2, k - 1)
        labels += ["left" * 50, "right" * 50]
        parents += [below, below]
    side = Side(vocabulary("one", labels, parents=parents))
    paths = root_paths(side)
    assert max(map(len, paths)) <= MOST_PATHS
    assert max(len(t) for p in paths for t in p) <= 400
    pairs = all_pairs(side.ontology, side.ontology)
    assert (
        path_similarity(pairs).shape
        == depth_similarity(pairs).shape
        == sibling_cosine(pairs).shape
        == (81 * 81,)
    )

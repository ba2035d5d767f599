"""Blocking: against plain references, its symmetries, and vocabularies made to break it."""

import time
import tracemalloc
from collections import Counter, defaultdict
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology import small_pairs
from tamis._core.errors import PlanError
from tamis.ontology import Correspondence, Mapping
from tamis.ontology.candidates import (
    MAX_PAIRS_PER_NAME,
    N_NEIGHBOURS,
    Block,
    candidate_pairs,
    neighbour_pairs,
)
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.name_table import name_table
from tamis.ontology.name_vectors import gram_vectors, word_vectors
from tamis.ontology.names import name_stems, normalised_name
from tamis.ontology.nearest_names import MAX_SHARED_CLASSES, affordable_vectors, nearest_pairs

NAMES = st.lists(
    st.text("abcde ", max_size=12)
    | st.sampled_from(["left artery", "right artery", "arteries, left", "leftArtery", "?", "é"])
    | st.text(max_size=6),
    min_size=1,
    max_size=3,
)
VOCABULARIES = st.lists(NAMES, min_size=1, max_size=12)


def vocabulary(names, parents=None, iris=None, name="made"):
    """An ontology of lists of names, the label first."""
    iris = iris or [f"http://example.org/{name}#C_{k:05d}" for k in range(len(names))]
    labels, synonyms = ([one[0] for one in names], [tuple(one[1:]) for one in names])
    return small_pairs.vocabulary(name, labels, synonyms, parents, iris=iris)


def found(source, target, **settings):
    """Flags by pair of IRIs."""
    pairs = candidate_pairs(source, target, **{"exhaustive_below": 0, **settings})
    return {
        (source.iris[a], target.iris[b]): int(flags)
        for (a, b), flags in zip(pairs.rows.tolist(), pairs.blocks.tolist(), strict=True)
    }


def plain_vectors(names, features_of):
    """TF-IDF of names, dense, float32; columns by how many names have them, then by themselves."""
    counts = [Counter(features_of(name)) for name in names]
    df = Counter(feature for one in counts for feature in one)
    columns = sorted((f for f in df if df[f] < len(names)), key=lambda f: (df[f], f))
    rows = np.zeros((len(names), len(columns)))
    for row, one in zip(rows, counts, strict=True):
        row[:] = [one[f] * log(len(names) / df[f]) for f in columns]
        row /= sqrt((row**2).sum()) or 1.0
    return rows.astype(np.float32)


def bag(text):
    """The words of a name in order of the alphabet."""
    return " ".join(sorted(normalised_name(text).split()))


def plain_grams(name):
    padded = [f" {word} " for word in name.split()]
    return [word[k : k + 3] for word in padded for k in range(len(word) - 2)]


def plain_nearest(source, target, features_of, top, least):
    """Every pair of names, one after the other: from how many sides a pair was found."""
    names = sorted(
        {bag(n) for o in (source, target) for c in o.classes for n in (c.label, *c.synonyms)} - {""}
    )
    rows = plain_vectors(names, features_of)
    cosine = np.zeros((len(names), len(names)), dtype=np.float32)
    for column in rows.T:
        cosine += np.outer(column, column)
    pairs: Counter = Counter()
    for one, other, turned in ((source, target, False), (target, source, True)):
        own = [sorted({bag(n) for n in (c.label, *c.synonyms)} - {""}) for c in one.classes]
        borne = defaultdict(list)
        for k in sorted(range(len(other)), key=other.iris.__getitem__):
            for n in {bag(n) for n in (other.labels[k], *other.synonyms[k])} - {""}:
                borne[n].append(k)
        for a, mine in enumerate(own):
            ranked = []
            for m in mine:
                for t, name in enumerate(names):
                    for place, k in enumerate(borne[name]):
                        value = cosine[names.index(m), t]
                        if value > least:
                            ranked.append((-value, m, t, place, k))
            best = dict.fromkeys(k for *_, k in sorted(ranked))
            pairs.update((k, a) if turned else (a, k) for k in list(best)[:top])
    return pairs


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("block", ["words", "trigrams"])
def test_nearest_names_are_those_of_all_cosines(seed, block):
    made = make_vocabularies(60, 50, 30, random_state=seed)
    table = name_table(made.source, made.target).bags()
    vectors = word_vectors(table) if block == "words" else gram_vectors(table.names)
    features_of = name_stems if block == "words" else plain_grams
    assert np.array_equal(vectors.toarray(), plain_vectors(table.names, features_of))
    nearest = nearest_pairs(table, vectors, 4, 0.25)
    some, first = (
        plain_nearest(made.source, made.target, features_of, top, 0.25) for top in (4, 1)
    )
    assert {tuple(pair) for pair in nearest.pairs.tolist()} == set(some)
    best = [tuple(pair) for pair in nearest.best.tolist()]
    assert sorted(best) == sorted(pair for pair, sides in first.items() if sides == 2)


@pytest.mark.parametrize("crowd", [MAX_SHARED_CLASSES, MAX_SHARED_CLASSES + 1])
def test_a_name_of_too_many_classes_is_nobodys_nearest(crowd):
    """From its classes it finds the two of the other side; from there it tells none of them."""
    source = vocabulary([["left wall"]] * crowd)
    target = vocabulary([["left wall"], ["left wall wing"], ["heart"]])
    table = name_table(source, target).bags()
    found = nearest_pairs(table, word_vectors(table), 1, 0.25)
    there = [[k, 0] for k in range(crowd)]
    few = crowd == MAX_SHARED_CLASSES
    assert found.pairs.tolist() == [*there, *([[0, 0], [0, 1]] if few else [])]
    assert found.best.tolist() == ([[0, 0]] if few else [])


@settings(max_examples=40, deadline=None)
@given(VOCABULARIES, VOCABULARIES)
def test_equal_names_are_found_as_a_loop_finds_them(first, second):
    source, target = vocabulary(first), vocabulary(second)
    flags = found(source, target)
    for a, mine in enumerate(first):
        for b, theirs in enumerate(second):
            one, other = ({normalised_name(n) for n in side} - {""} for side in (mine, theirs))
            flag = flags.get((source.iris[a], target.iris[b]), 0)
            keys = [{name_stems(n) for n in side} for side in (one, other)]
            joined = [{n.replace(" ", "") for n in side} for side in (one, other)]
            assert bool(flag & Block.EXACT) == bool(one & other)
            same = bool(keys[0] & keys[1] or joined[0] & joined[1])
            assert bool(flag & Block.KEY) == same


@settings(max_examples=40, deadline=None)
@given(VOCABULARIES, VOCABULARIES, st.integers(1, 3))
def test_either_side_may_come_first(first, second, top):
    source, target = vocabulary(first, name="a"), vocabulary(second, name="b")
    there, back = found(source, target, top=top), found(target, source, top=top)
    assert there == {(a, b): flags for (b, a), flags in back.items()}


@settings(max_examples=40, deadline=None)
@given(VOCABULARIES, VOCABULARIES, st.integers(1, 3), st.randoms())
def test_the_order_of_classes_does_not_matter(first, second, top, random):
    source, target = vocabulary(first, name="a"), vocabulary(second, name="b")
    order = random.sample(range(len(first)), len(first))
    turned = vocabulary([first[k] for k in order], iris=[source.iris[k] for k in order])
    assert found(turned, target, top=top) == found(source, target, top=top)


@settings(max_examples=30, deadline=None)
@given(VOCABULARIES, VOCABULARIES, NAMES)
def test_another_class_takes_no_equal_names_away(first, second, more):
    source, target = vocabulary(first), vocabulary(second)
    before, after = found(source, target), found(vocabulary([*first, more]), target)
    for pair, flags in before.items():
        for block in (Block.EXACT, Block.KEY):
            assert not flags & block or after[pair] & block


def test_threads_and_blocks_do_not_matter(monkeypatch):
    made = make_vocabularies(700, 800, 500, noise=1)
    once = candidate_pairs(made.source, made.target, 0)
    monkeypatch.setattr("tamis.ontology.nearest_names.MIN_TASK_NAMES", 100)
    for n_jobs in (1, 2, 5):
        again = candidate_pairs(made.source, made.target, 0, n_jobs=n_jobs)
        assert np.array_equal(again.rows, once.rows)
        assert np.array_equal(again.blocks, once.blocks)


def test_rows_rise_and_each_pair_is_there_once():
    made = make_vocabularies(300, 400, 200)
    rows = candidate_pairs(made.source, made.target, 0).rows
    assert rows.dtype == np.int32
    keys = rows[:, 0].astype(int) * 400 + rows[:, 1]
    assert (np.diff(keys) > 0).all()


def test_of_small_vocabularies_every_pair_is_there():
    made = make_vocabularies(30, 40, 20)
    every = candidate_pairs(made.source, made.target, exhaustive_below=1200)
    assert len(every) == 1200
    assert (every.blocks & Block.ALL).all()
    some = candidate_pairs(made.source, made.target, exhaustive_below=1199)
    assert len(some) < 1200
    by_blocks = every.blocks & ~Block.ALL
    assert np.array_equal(every.rows[by_blocks > 0], some.rows)
    assert np.array_equal(by_blocks[by_blocks > 0], some.blocks)


def test_neighbours_of_equal_names():
    """One class of each side has no equal name; their superclass and their subclasses do."""
    source = vocabulary([["organ"], ["kidney"], ["left kidney"]], [(), (0,), (1,)])
    target = vocabulary([["organ"], ["ren"], ["left kidney"]], [(), (0,), (1,)])
    flags = found(source, target)
    assert flags[source.iris[1], target.iris[1]] == Block.NEIGHBOURS
    alike = np.array([[0, 0], [1, 1], [2, 2]])
    assert len(neighbour_pairs(source, target, alike, alike[:0])) == 0


def test_neighbours_are_few_for_each_class_and_those_of_small_groups_first():
    """Crowded names, each of whose classes has children: millions of pairs of them, once."""
    n, under = 200, 30
    names = [["root"], *([f"part {k % 4}"] for k in range(n))]
    parents = [(), *((0,) for _ in range(n))]
    for k in range(n):
        names += [[f"{k} and {c}"] for c in range(under)]
        parents += [(k + 1,)] * under
    rib = len(names)
    names += [["rib"], ["seventh"]]
    parents += [(0,), (rib,)]
    source = vocabulary(names, parents)
    target = vocabulary([*names[:-1], ["costa"]], parents)
    alike = np.array([(a, b) for a in range(1, n + 1) for b in range(1 + (a - 1) % 4, n + 1, 4)])
    assert len(alike) * under**2 > 4 * N_NEIGHBOURS * (len(source) + len(target))
    pairs = neighbour_pairs(source, target, alike, np.array([[rib, rib]]))
    assert 0 < len(pairs) <= 2 * N_NEIGHBOURS * (len(source) + len(target))
    assert [rib + 1, rib + 1] in pairs.tolist()


def test_neighbours_of_nearest_names():
    """No name equals another. The subclasses are each other's nearest, by a typing error."""
    source = vocabulary([["kidney"], ["left kidney wall"], ["lung"]], [(), (0,), ()])
    target = vocabulary([["ren"], ["left kidny wall"], ["pulmo"]], [(), (0,), ()])
    flags = found(source, target)
    assert flags[source.iris[0], target.iris[0]] == Block.NEIGHBOURS
    assert (source.iris[2], target.iris[2]) not in flags


def test_obsolete_classes_are_in_no_pair():
    source, target = vocabulary([["a b c"], ["d"]]), vocabulary([["a b c"], ["d"]])
    source.obsolete[0] = True
    assert candidate_pairs(source, target).rows.tolist() == [[1, 0], [1, 1]]


def test_codes_are_no_names():
    """Local names such as C_00000 are the same in both, and say nothing."""
    assert found(vocabulary([["liver"]]), vocabulary([["spleen"]])) == {}


def test_recall_by_block():
    made = make_vocabularies(500, 500, 400, noise=0.5)
    pairs = candidate_pairs(made.source, made.target, 0)
    recall = pairs.recall(made.reference)
    there = {
        tuple(row): flags for row, flags in zip(pairs.rows.tolist(), pairs.blocks, strict=True)
    }
    true = [there.get(tuple(pair), 0) for pair in made.pairs.tolist()]
    assert recall["any"] == np.mean(np.array(true) > 0) > 0.95
    assert recall["exact"] == np.mean((np.array(true) & Block.EXACT) > 0)
    assert recall == pairs.recall(list(made.reference.pairs))
    assert f"recall any {recall['any']:.3f}" in pairs.summary(made.reference)
    assert np.isnan(pairs.recall([])["any"])
    with pytest.raises(PlanError, match="class 'x' is not in source"):
        pairs.recall(Mapping((Correspondence("x", made.target.iris[0]),)))


@pytest.mark.parametrize("names", [[[""]], [["?"], ["!"]], [["a"]], [["é\u0301 日本語"]]])
def test_names_of_nothing_and_one_class(names):
    source = vocabulary(names)
    pairs = candidate_pairs(source, source)
    assert len(pairs) == len(names) ** 2
    assert candidate_pairs(source, source, 0).summary()


def test_no_classes():
    nothing = vocabulary([])
    pairs = candidate_pairs(nothing, vocabulary([["a"]]))
    assert pairs.rows.shape == (0, 2)
    assert pairs.summary().startswith("0 candidate pairs of 0 x 1 classes")


@pytest.mark.parametrize("numbers", [{"top": 0}, {"exhaustive_below": -1}])
def test_what_cannot_be_is_refused(numbers):
    with pytest.raises(PlanError, match=next(iter(numbers))):
        candidate_pairs(vocabulary([["a"]]), vocabulary([["a"]]), **numbers)


def test_the_commonest_columns_go_first():
    made = make_vocabularies(100, 100, 50)
    table = name_table(made.source, made.target)
    vectors = gram_vectors(table.names)
    sides = np.unique(table.source.names), np.unique(table.target.names)
    few = affordable_vectors(vectors, *sides, budget=3)
    one, other = (np.bincount(vectors[s].indices, minlength=vectors.shape[1]) for s in sides)
    cost = np.cumsum(one * other)
    allowed = 3 * (len(sides[0]) + len(sides[1]))
    assert cost[few.shape[1] - 1] <= allowed < cost[few.shape[1]]
    assert affordable_vectors(vectors, *sides, budget=10**6) is vectors


HOSTILE = {
    "all share words": lambda: [[f"regulation of the {k}"] for k in range(10_000)],
    "all equal": lambda: [["cell"] for _ in range(10_000)],
    "all equal but a few": lambda: [[f"cell {k % 3}", "cell"] for k in range(10_000)],
    "one very long": lambda: (
        [["ab " * 350_000, "x" * 10**6]] + [[f"gene {k}"] for k in range(1000)]
    ),
    "all long": lambda: [[f"{k} " + "the quick brown fox " * 100] for k in range(1000)],
    "one with many names": lambda: [[f"name {k} of it" for k in range(5000)], ["name 7 of it"]],
}


@pytest.mark.longer
@pytest.mark.parametrize("kind", HOSTILE)
def test_no_vocabulary_takes_long(kind):
    """A users' complaint: one string that takes a minute."""
    source, target = vocabulary(HOSTILE[kind](), name="a"), vocabulary(HOSTILE[kind](), name="b")
    candidate_pairs(vocabulary([["a b"]]), vocabulary([["a c"]]), 0)  # kernels are compiled
    tracemalloc.start()
    begun = time.process_time()
    pairs = candidate_pairs(source, target, 0)
    took, peak = time.process_time() - begun, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert took < 20
    assert peak < 3e8
    assert len(pairs) < 50 * len(source) + MAX_PAIRS_PER_NAME
    own = pairs.recall(zip(source.iris, target.iris, strict=True))
    if "equal" not in kind:
        assert own["any"] == 1


def test_a_name_that_many_bear_finds_nobody():
    crowd = vocabulary([["cell"] for _ in range(MAX_SHARED_CLASSES + 1)])
    assert not any(flags & Block.TRIGRAMS for flags in found(crowd, crowd).values())

"""Precision, recall and F1 of mappings; what kind each error is."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from common.examples import settings
from ontology.small_vocabularies import CMT, EDAS
from tamis._core.errors import PlanError
from tamis.ontology import (
    Correspondence,
    Mapping,
    OntologyMatcher,
    evaluate_mapping,
    pooled,
    read_mapping,
    read_ontology,
)
from tamis.ontology.evaluation_counts import Counts, groups_of
from tamis.ontology.made_up import make_vocabularies

PAIRS = st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("uvwxyz")), max_size=12)


def mapping(*rows):
    return Mapping(tuple(Correspondence(*row) for row in rows))


@given(PAIRS, PAIRS)
def test_scores_are_those_of_scikit_learn(found, reference):
    every = sorted(found | reference)
    truth, said = ([pair in pairs for pair in every] for pairs in (reference, found))
    told = evaluate_mapping(mapping(*found), mapping(*reference))
    for score, ours in (
        (precision_score, told.precision),
        (recall_score, told.recall),
        (f1_score, told.f1),
    ):
        if not math.isnan(ours.value):
            assert ours.value == pytest.approx(score(truth, said, zero_division=0))
            assert 0 <= ours.low <= ours.value <= ours.high <= 1
    assert math.isnan(told.precision.value) == (not found)
    assert math.isnan(told.recall.value) == (not reference)


def slow_groups(pairs):
    """Pairs joined by common classes, by going from one to the next."""
    groups, left = [], set(pairs)
    while left:
        group, waiting = set(), [left.pop()]
        while waiting:
            a, b = waiting.pop()
            group.add((a, b))
            near = {pair for pair in left if pair[0] == a or pair[1] == b}
            left -= near
            waiting += near
        groups.append(frozenset(group))
    return set(groups)


@given(PAIRS)
def test_groups_are_the_connected_parts(pairs):
    groups: dict[int, set] = {}
    for pair, number in groups_of(pairs).items():
        groups.setdefault(number, set()).add(pair)
    assert {frozenset(group) for group in groups.values()} == slow_groups(pairs)


@given(PAIRS, PAIRS)
def test_counts_are_those_of_the_definition(found, reference):
    counts = Counts.of(found, reference)
    errors = found ^ reference
    assert counts.found_squares == sum(len(g) ** 2 for g in slow_groups(found))
    assert counts.reference_squares == sum(len(g) ** 2 for g in slow_groups(reference))
    assert counts.right_squares == sum(
        len(g & found & reference) ** 2 for g in slow_groups(found | reference)
    )
    assert counts.error_squares == sum(len(g & errors) ** 2 for g in slow_groups(found | reference))


@given(PAIRS, PAIRS)
def test_each_error_has_one_kind(found, reference):
    told = evaluate_mapping(mapping(*found), mapping(*reference))
    missed, wrong = (sum(kinds.values()) for kinds in told.kinds.values())
    assert (missed, wrong) == (len(reference - found), len(found - reference))
    assert {(e.source, e.target) for e in told.errors} == found ^ reference
    json.dumps(told.to_dict(), allow_nan=False)


def test_kinds_of_errors():
    reference = mapping(
        ("a1", "b1"),
        ("a2", "b2"),
        ("a3", "b3"),
        ("a4", "b4"),
        ("a5", "b5"),
        ("a6", "b6"),
        ("a7", "b7"),
        ("a8", "b8", "<"),
        ("a9", "b9"),
    )
    found = Mapping(
        (
            Correspondence("a1", "b1"),
            Correspondence("a2", "bx"),
            Correspondence("ax", "b3"),
            Correspondence("a4", "b4", ">"),
            Correspondence("a5", "b5", status="refused"),
            Correspondence("a6", "b6", status="uncertain"),
            Correspondence("a8", "b8", confidence=0.25),
            Correspondence("ay", "by"),
            Correspondence("a9", "b9", status="accepted"),
        )
    )
    told = evaluate_mapping(found, reference)
    assert told.kinds == {
        "missed": {
            "refused": 1,
            "relation": 1,
            "uncertain": 1,
            "mapped elsewhere": 1,
            "target taken": 1,
            "not mapped": 1,
        },
        "wrong": {"relation": 1, "wrong target": 1, "wrong source": 1, "not in reference": 1},
    }
    assert (told.counts.true_positive, told.counts.n_found, told.counts.n_reference) == (2, 6, 8)
    assert told.left_aside == {
        "broader pairs of mapping": 1,
        "refused pairs of mapping": 1,
        "uncertain pairs of mapping": 1,
        "narrower pairs of reference": 1,
    }
    frame = told.frame().set_index(["source", "target"])
    assert frame.loc[("a2", "b2"), "instead"] == "bx"
    assert frame.loc[("a3", "b3"), "instead"] == "ax"
    assert frame.loc[("a8", "b8"), ["kind", "instead"]].tolist() == ["relation", "<"]
    assert frame.loc[("a8", "b8"), "confidence"] == 0.25


def test_what_the_reference_is_unsure_of_counts_neither_way():
    unsure = Mapping((Correspondence("a", "b"), Correspondence("c", "d", status="uncertain")))
    told = evaluate_mapping(mapping(("a", "b"), ("c", "d")), unsure)
    assert (told.precision.value, told.recall.value) == (1.0, 1.0)
    assert told.left_aside["pairs of mapping that reference is unsure of"] == 1


def test_known_pairs_count_neither_way():
    reference = mapping(("a", "b"), ("c", "d"), ("e", "f"), ("g", "h"))
    found = mapping(("a", "b"), ("c", "d"), ("x", "y"))
    known = Mapping(
        (
            Correspondence("a", "b", status="accepted"),
            Correspondence("x", "y", status="refused"),
            Correspondence("e", "f", status="refused"),
            Correspondence("g", "h", status="uncertain"),  # the model decides
        )
    )
    left = evaluate_mapping(found, reference, known=known).left_to_model.counts
    assert (left.true_positive, left.n_found, left.n_reference) == (1, 1, 2)
    refused = Mapping(known.correspondences[1:3])  # of which none is mapped
    left = evaluate_mapping(found, reference, known=refused).left_to_model.counts
    assert (left.true_positive, left.n_found, left.n_reference) == (2, 2, 3)


def test_a_partial_reference_says_nothing_of_classes_that_it_does_not_name():
    reference = mapping(("a", "b"), ("c", "d"), ("e", "f", "<"))
    found = mapping(("a", "b"), ("c", "x"), ("y", "d"), ("e", "z"), ("v", "w"))
    whole = evaluate_mapping(found, reference)
    part = evaluate_mapping(found, reference, partial=True)
    assert (whole.counts.n_found, part.counts.n_found) == (5, 4)
    assert part.recall == whole.recall
    assert part.precision.value == 1 / 4
    assert part.left_aside == whole.left_aside | {
        "pairs of classes that reference does not name": 1
    }


def test_only_classes_count_if_the_ontologies_are_there():
    reference = mapping(
        ("http://cmt#Author", "http://edas#Author"),
        ("http://cmt#writes", "http://edas#hasAuthor"),
        ("http://cmt#Gone", "http://edas#Agent"),
        ("http://cmt#Author", "http://edas#hasAuthor"),
    )
    found = mapping(("Author", "edas:Author"), ("Person", "Agent"))
    told = evaluate_mapping(found, reference, CMT, EDAS)
    assert (told.counts.true_positive, told.counts.n_found, told.counts.n_reference) == (1, 2, 1)
    assert told.left_aside == {
        "pairs of properties of reference": 1,
        "pairs of a class and a property of reference": 1,
        "pairs of reference that the ontologies do not hold as classes": 1,
    }
    with pytest.raises(PlanError, match="give both"):
        evaluate_mapping(found, reference, CMT)


def test_what_a_person_decided_is_told_apart():
    """Accepted pairs are right by themselves, and the model could not map their classes."""
    reference = mapping(*((f"a{k}", f"b{k}") for k in range(8)), ("a0", "b9"))
    model = [Correspondence(*pair) for pair in (("a2", "b2"), ("a3", "b4"), ("a8", "b8"))]
    people = [
        Correspondence("a0", "b0", status="accepted"),
        Correspondence("a9", "b1", status="accepted"),
        Correspondence("a5", "b5", status="refused"),
    ]
    told = evaluate_mapping(Mapping((*model, *people)), reference)
    assert (told.counts.true_positive, told.counts.n_found, told.counts.n_reference) == (2, 5, 9)
    left = {("a2", "b2"), ("a3", "b4"), ("a8", "b8")}, {(f"a{k}", f"b{k}") for k in (2, 3, 4, 6, 7)}
    assert told.left_to_model.counts == Counts.of(*left)
    assert "without what a person decided" in told.summary()
    assert told.to_dict()["left_to_model"]["counts"]["mapping"] == 3
    known = Mapping(tuple(people))  # an alignment file does not tell what was accepted
    plain = Mapping((*model, *(c._replace(status="mapped") for c in people[:2])))
    assert evaluate_mapping(plain, reference).left_to_model is None
    assert evaluate_mapping(plain, reference, known=known).left_to_model == told.left_to_model
    both = pooled([told, evaluate_mapping(mapping(("x", "y")), mapping(("x", "y")))])
    assert both.left_to_model.counts.n_found == 4
    assert "decided" not in evaluate_mapping(Mapping(tuple(people)), reference).summary()


@pytest.mark.longer
def test_known_pairs_flatter_and_are_left_aside():
    """40 of 90 matches known: F1 of all classes is above that of the others, which is the one that
    is reached on classes that nobody labelled."""
    whole, left, fresh = [], [], []
    for seed in range(4):
        made = make_vocabularies(120, 120, 90, noise=0.8, random_state=seed)
        true = list(made.reference.pairs)
        known = [true[k] for k in np.random.default_rng(seed).permutation(90)[:40]]
        found = OntologyMatcher(["name", "words"]).fit(made.source, made.target, known)
        told = evaluate_mapping(found.match(made.source, made.target), made.reference)
        others = [pair for pair in true if pair not in known]
        new = [pair for pair in found.match(made.source, made.target).pairs if pair not in known]
        fresh.append(Counts.of(new, others).f1().value)
        whole.append(told.f1.value)
        left.append(told.left_to_model.f1.value)
    assert left == pytest.approx(fresh)
    assert np.mean(whole) > np.mean(left) + 0.02


def test_mappings_in_opposite_directions_are_refused():
    with pytest.raises(PlanError, match="opposite directions: 1 of 1"):
        evaluate_mapping(mapping(("b", "a")), mapping(("a", "b"), ("c", "d")))
    evaluate_mapping(mapping(("b", "a"), ("c", "e")), mapping(("a", "b")))  # half of them only


def test_a_level_outside_0_and_1_is_refused():
    with pytest.raises(PlanError, match="level"):
        evaluate_mapping(mapping(), mapping(), level=95)


@settings(max_examples=30)
@given(PAIRS, PAIRS)
def test_a_higher_level_is_a_wider_interval(found, reference):
    narrow, wide = (
        evaluate_mapping(mapping(*found), mapping(*reference), level=level).f1
        for level in (0.8, 0.99)
    )
    if not math.isnan(narrow.value):
        assert wide.low <= narrow.low <= narrow.high <= wide.high


def test_pooled_counts_are_sums():
    one = evaluate_mapping(mapping(("a", "b"), ("c", "d")), mapping(("a", "b"), ("e", "f")))
    told = pooled([one, one, one])
    assert told.counts == one.counts + one.counts + one.counts
    assert told.f1.value == one.f1.value
    assert told.f1.high - told.f1.low < one.f1.high - one.f1.low
    assert told.kinds["missed"] == {"not mapped": 3}
    assert math.isnan(pooled([]).f1.value)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("system", "f1", "counts"),
    [
        ("AML", 0.734, (130, 160)),
        ("LogMap", 0.696, (117, 142)),
        ("SANOM", 0.740, (145, 198)),
    ],
)
def test_pooled_scores_of_stored_outputs(shared_data, system, f1, counts):
    """Equivalent classes of the 15 pairs of the conference track, outputs of 2019."""
    folder = shared_data / "ontology" / "conference"
    outputs = {
        p.stem.lower(): p for p in (folder / "oaei2019-system-alignments" / system).iterdir()
    }
    told = []
    for path in sorted((folder / "alignments").iterdir()):
        sides = [read_ontology(folder / "ontologies" / f"{n}.owl") for n in path.stem.split("-")]
        pair = read_mapping(outputs[path.stem.lower()]), read_mapping(path)
        told.append(evaluate_mapping(*pair, *sides))
    everything = pooled(told)
    assert round(everything.f1.value, 3) == f1
    assert (everything.counts.true_positive, everything.counts.n_found) == counts
    assert everything.counts.n_reference == 194


def test_f1_intervals_are_wider_where_errors_come_together():
    """30 pairs found, 10 missed and 10 wrong ones: alone, or each with the other's source."""
    right = [(f"a{k}", f"b{k}") for k in range(30)]
    missed = [(f"m{k}", f"n{k}") for k in range(10)]
    apart = [(f"x{k}", f"y{k}") for k in range(10)]
    together = [(f"m{k}", f"y{k}") for k in range(10)]
    alone, coupled = (Counts.of(right + w, right + missed).f1() for w in (apart, together))
    assert alone.value == coupled.value == 0.75
    assert coupled.high - coupled.low > 1.15 * (alone.high - alone.low)


def test_the_interval_of_one_to_one_mappings_is_that_of_clopper_and_pearson():
    """Of R's binom.test(8, 10): 0.4439045, 0.9747893."""
    counts = Counts.of(
        [(f"a{k}", f"b{k}") for k in range(8)], [(f"a{k}", f"b{k}") for k in range(10)]
    )
    recall = counts.recall()
    assert (recall.low, recall.high) == pytest.approx((0.4439045, 0.9747893), abs=1e-7)


def test_many_sources_of_one_target_count_for_fewer():
    hub = [("a" + str(k), "b") for k in range(10)]
    apart = [("a" + str(k), "b" + str(k)) for k in range(10)]
    narrow, wide = (Counts.of(pairs[:5], pairs).recall() for pairs in (apart, hub))
    assert wide.high - wide.low > narrow.high - narrow.low


def drawn_counts(rng, n, precision, recall, together, runs):
    """`benchmarks/mapping_intervals.py` has the whole grid; here are counts of `runs` mappings."""
    right = rng.binomial(n, recall, runs)
    missed = n - right
    wrong = n * recall * (1 - precision) / precision
    share = min(1.0, wrong / (n * (1 - recall))) * together
    coupled = rng.binomial(missed, share)
    single = rng.poisson(max(wrong - n * (1 - recall) * share, 0.0), runs)
    for tp, fn, pairs, alone in zip(right, missed, coupled, single, strict=True):
        fp = pairs + alone
        yield Counts(
            int(tp), int(fp), int(fn), int(tp + fp), n, int(tp), int(fn - pairs + alone + 4 * pairs)
        )


@pytest.mark.slow
@pytest.mark.parametrize("together", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("n", "precision", "recall"),
    [
        (10, 0.7, 0.5),
        (15, 0.7, 0.7),
        (30, 0.95, 0.95),
        (50, 0.95, 0.95),
        (100, 0.98, 0.98),
        (300, 0.8, 0.6),
        (1500, 0.98, 0.5),
        (1500, 0.9, 0.85),
    ],
)
def test_intervals_hold_the_truth(n, precision, recall, together):
    rng = np.random.default_rng(n)
    truth = {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall),
    }
    held: Counter[str] = Counter()
    for counts in drawn_counts(rng, n, precision, recall, together, runs := 4000):
        for name, value in truth.items():
            told = getattr(counts, name)()
            held[name] += bool(told.low <= value <= told.high) or math.isnan(told.value)
    allowed = 0.94 - 3 * math.sqrt(0.94 * 0.06 / runs)
    assert all(held[name] / runs > allowed for name in truth), held


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(("n", "recall"), [(10, 0.5), (30, 0.8), (100, 0.8), (100, 0.95)])
def test_intervals_hold_the_truth_where_classes_have_several_partners(n, recall, together):
    """Pairs of one source are all found or all missed; then they are mapped elsewhere."""
    rng = np.random.default_rng(n)
    truth = recall if together else 2 * recall / (1 + recall)
    held, runs = 0, 400
    for _ in range(runs):
        found, reference = set(), set()
        for group, size in enumerate(rng.choice([1, 2, 5, 10], n, p=[0.7, 0.15, 0.1, 0.05])):
            pairs = {(f"a{group}", f"b{group}-{k}") for k in range(size)}
            reference |= pairs
            if rng.random() < recall:
                found |= pairs
            elif together:
                found |= {(a, f"{b}-wrong") for a, b in pairs}
        told = Counts.of(found, reference).f1()
        held += told.low <= truth <= told.high
    assert held / runs > 0.94 - 3 * math.sqrt(0.94 * 0.06 / runs)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([("https://a/1", "https://b/1")], "no id of mapping is in reference, such as"),
        (
            [("https://a/1", "http://b/1")],
            "1 id differs from reference in http and https alone, such as",
        ),
        ([("http://a/1", "http://b/2")], ""),
        ([], ""),
    ],
)
def test_ids_that_are_written_otherwise_in_the_reference_are_reported(found, said):
    reference = Mapping((Correspondence("http://a/1", "http://b/1"),))
    result = evaluate_mapping(Mapping(tuple(Correspondence(*one) for one in found)), reference)
    words = f"{said} 'https://a/1' and 'http://a/1'"
    assert (words in result.summary()) == bool(said)
    assert len(result.to_dict()["remarks"]) == bool(said)

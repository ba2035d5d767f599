"""What is known becomes rows; a model, its held-out probabilities and its threshold."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.small_pairs import vocabulary
from tamis.ontology import Restriction
from tamis.ontology.assignment import assign_pairs
from tamis.ontology.evidence import Evidence
from tamis.ontology.examples import Examples, Known, folds_of
from tamis.ontology.learners import learner_of
from tamis.ontology.learning import (
    SMOOTHED_THRESHOLDS,
    THRESHOLD_GRID,
    best_threshold,
    learn_model,
    log_odds,
    log_odds_margin,
    match_probability,
)
from tamis.ontology.made_up import make_vocabularies
from tamis.ontology.out_of_fold import OutOfFold
from tamis.ontology.similarities.learned_words import LearnedWords
from tamis.ontology.similarities.names import jaro_winkler, monge_elkan
from tamis.ontology.similarities.words import word_overlap

FEW = vocabulary("one", ["a b", "b c", "c d", "d e"])
OTHER = vocabulary("other", ["a b", "b c", "c d", "x y"])
SAID = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.booleans(), max_size=6)
MADE = make_vocabularies(60, 60, 45)
PLAIN = {"name": jaro_winkler, "monge_elkan": monge_elkan, "words": word_overlap}


@given(SAID, st.booleans(), st.booleans())
@settings(max_examples=60)
def test_labels_by_their_definition(said, complete, one_to_one):
    one = Examples(Known(FEW, OTHER, said, complete), one_to_one)
    for (i, j), label, told in zip(one.pairs.rows.tolist(), one.label, one.said, strict=True):
        shares = any(
            yes and (a == i or b == j) for (a, b), yes in said.items()
        )  # a class with a match
        implied = 0 if complete or (one_to_one and shares) else -1
        assert label == said.get((i, j), implied)  # what was said of the pair itself holds
        assert told == said.get((i, j), -1)


def test_pairs_that_are_spoken_of_become_candidates():
    big = [vocabulary(name, [f"{name} {k}" for k in range(300)]) for name in ("one", "other")]
    plain = Examples(Known(*big, {}))
    one = Examples(Known(*big, {(7, 290): True}))
    at = one.pairs.find(np.array([[7, 290]]))
    assert plain.pairs.find(np.array([[7, 290]])) == [-1]
    assert one.label[at] == [1]
    again = Examples(one.known, True, one.pairs)
    assert again.pairs is one.pairs


def test_more_labels_override_earlier_ones():
    before = Known(FEW, OTHER, {(0, 0): True, (1, 1): False})
    after = before.with_more(Known(FEW, OTHER, {(1, 1): True}, complete=True))
    assert after.said == {(0, 0): True, (1, 1): True}
    assert after.complete


def test_what_a_reference_does_not_know_teaches_nothing():
    """OAEI's "?" in a whole reference: neither a match nor none, unless a match rules it out."""
    known = Known(FEW, OTHER, {(0, 0): True}, True, {(1, 1): "?", (0, 2): "?", (2, 2): "<"})
    one = Examples(known)
    label = dict(zip(map(tuple, one.pairs.rows.tolist()), one.label.tolist(), strict=True))
    assert [label[pair] for pair in ((0, 0), (1, 1), (0, 2), (2, 2))] == [1, -1, 0, 0]
    later = known.with_more(Known(FEW, OTHER, {(1, 1): False}, beside={(3, 3): "?"}))
    assert later.beside == {(0, 2): "?", (2, 2): "<", (3, 3): "?"}


def test_a_digest_of_what_an_ontology_says():
    same = dataclasses.replace(FEW, name="elsewhere", remarks=("read from an index",))
    assert same.digest == FEW.digest
    others = {
        "iri": "x",
        "labels": ("z",),
        "parents": ((), (0,), (), ()),
        "obsolete": ~FEW.obsolete,
        "restrictions": (Restriction(0, 0),),
    }
    digests = {dataclasses.replace(FEW, **{name: value}).digest for name, value in others.items()}
    assert len(digests | {FEW.digest}) == 6
    assert Known(FEW, OTHER, {}).key != Known(OTHER, FEW, {}).key


def test_folds_keep_a_source_class_together_and_share_matches_out():
    known = dict.fromkeys(map(tuple, MADE.pairs.tolist()[:23]), True)
    one = Examples(Known(MADE.source, MADE.target, known))
    (fold,) = folds_of([one])
    rows, label = one.pairs.rows[one.label >= 0], one.label[one.label >= 0]
    for source in np.unique(rows[:, 0]):
        assert len(set(fold[rows[:, 0] == source])) == 1
    assert sorted(np.bincount(fold[label == 1])) == [4, 4, 5, 5, 5]
    several = folds_of([one] * 3)
    assert [set(f.tolist()) for f in several] == [{0}, {1}, {2}]


def taught(known, complete=False):
    one = Examples(Known(MADE.source, MADE.target, known, complete))
    return one, learn_model([one], PLAIN, {}, list(PLAIN), learner_of("aode"), "optimal", None)


def test_held_out_probabilities_come_from_the_other_folds():
    known = dict.fromkeys(map(tuple, MADE.pairs.tolist()), True)
    one, model = taught(known)
    at = one.label >= 0
    X, y = model.table(one)[at], one.label[at] == 1
    (fold,) = folds_of([one])
    for k in range(5):
        alone = learner_of("aode").fit(X[fold != k], y[fold != k])
        np.testing.assert_array_equal(
            model.held_out[fold == k], match_probability(alone, X[fold == k])
        )
    np.testing.assert_array_equal(model.truth, y)


class Watched(LearnedWords):
    """Tells of each row which rows it was fitted to, through `seen`."""

    def fit(self, known):
        known = list(known)
        self.rows = {tuple(row) for pairs, _ in known for row in pairs.rows.tolist()}
        return super().fit(known)


def test_a_similarity_that_learns_never_sees_the_fold_it_is_asked_about():
    known = dict.fromkeys(map(tuple, MADE.pairs.tolist()), True)
    one = Examples(Known(MADE.source, MADE.target, known))
    (fold,) = folds_of([one])
    rows = one.pairs.rows[one.label >= 0]
    learned = OutOfFold(Watched, [one], [fold])
    for held in (None, *range(5)):
        column = learned.column(held)
        for k in range(5):
            without = {k} if held is None else {k, held}
            alone = learned.fitted(frozenset(without))
            assert alone.rows == {*map(tuple, rows[~np.isin(fold, list(without))].tolist())}
            at = np.flatnonzero(one.label >= 0)[fold == k]
            np.testing.assert_array_equal(column[fold == k], alone(one.pairs.subset(at)))
    assert learned.fitted(frozenset()).rows == {*map(tuple, rows.tolist())}


def test_labels_of_a_fold_reach_nothing_that_predicts_it():
    """Turned around in one pair of ontologies, they change no held-out probability there."""
    made = [make_vocabularies(30, 30, 20, random_state=k) for k in range(3)]
    known = [dict.fromkeys(map(tuple, one.pairs.tolist()), True) for one in made]

    def held(turned):
        examples = [
            Examples(Known(m.source, m.target, said)) for m, said in zip(made, known, strict=True)
        ]
        first = examples[0]
        if turned:
            first.label = np.where(first.label >= 0, 1 - first.label, -1)
        learning = {"learned_words": LearnedWords}
        model = learn_model(
            examples, PLAIN, learning, [*PLAIN, *learning], learner_of("aode"), "optimal", None
        )
        return np.split(model.held_out, [np.count_nonzero(first.label >= 0)])

    (own, others), (again, changed) = held(False), held(True)
    np.testing.assert_array_equal(own, again)
    assert np.any(others != changed)


@pytest.mark.parametrize("complete", [False, True])
def test_the_threshold_is_that_of_the_greatest_mean_f1(complete):
    """From .5 on, unless the labels say of every class whether it has a match."""
    known = dict.fromkeys(map(tuple, MADE.pairs.tolist()), True)
    one, model = taught(known, complete=complete)
    rows, truth = one.pairs.rows[one.label >= 0], model.truth
    grid = THRESHOLD_GRID if complete else [at for at in THRESHOLD_GRID if at >= 0.5]
    scores = []
    for at in grid:
        stands = assign_pairs(rows, log_odds_margin(model.held_out, at))
        scores.append(2 * (stands & truth).sum() / (stands.sum() + truth.sum()))
    half = SMOOTHED_THRESHOLDS // 2
    padded = [scores[0]] * half + scores + [scores[-1]] * half
    means = [np.mean(padded[k : k + SMOOTHED_THRESHOLDS]) for k in range(len(grid))]
    ties = [at for at, mean in zip(grid, means, strict=True) if mean > max(means) - 1e-9]
    best = min(ties, key=lambda at: (abs(at - 0.5), at))
    assert model.threshold == pytest.approx(best)
    labelled = [one.label >= 0]
    assert best_threshold([one], labelled, model.held_out, truth, "optimal") == model.threshold


def test_a_whole_reference_of_others_does_not_lower_the_threshold_of_partial_labels():
    known = dict.fromkeys(map(tuple, MADE.pairs.tolist()[:30]), True)
    other = make_vocabularies(40, 40, 20, random_state=1)
    whole = Known(
        other.source,
        other.target,
        dict.fromkeys(map(tuple, other.pairs.tolist()), True),
        complete=True,
    )
    part = Examples(Known(MADE.source, MADE.target, known))
    none = Examples(Known(MADE.source, MADE.target, {}))
    held_of = []
    for examples in ([part, Examples(whole)], [none, Examples(whole)]):
        labelled = [one.label >= 0 for one in examples]
        truth = np.concatenate(
            [one.label[k] == 1 for one, k in zip(examples, labelled, strict=True)]
        )
        held = np.where(truth, 0.2, 0.1)  # .2 parts them
        held_of.append(best_threshold(examples, labelled, held, truth, "none"))
    assert held_of[0] >= 0.5 > held_of[1]


@pytest.mark.parametrize("n", [1, 2])
def test_a_threshold_that_nothing_tells_is_one_half(n):
    """One match of a whole reference: no held-out fold finds it by any threshold."""
    _, model = taught(dict.fromkeys(map(tuple, MADE.pairs.tolist()[:n]), True), complete=True)
    assert model.threshold == pytest.approx(0.5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.floats(0, 1))
def test_worth_is_positive_from_the_threshold_on(p, threshold):
    found = log_odds_margin(np.array(p), threshold)
    assert np.all(np.isfinite(found))
    assert np.array_equal(found > 0, np.array(p) >= threshold)


def test_log_odds_are_held_off_zero_and_one():
    found = log_odds(np.array([0.0, 1e-9, 1.1e-9, 0.2, 0.5, 1.0, 1 - 1e-9], dtype=np.float64))
    edge = math.log(1e9 - 1)
    expected = [-edge, -edge, -math.log(1 / 1.1e-9 - 1), -math.log(4), 0.0, edge, edge]
    assert found == pytest.approx(expected, rel=1e-8)
    margin = log_odds_margin(np.array([0.0, 0.2, 0.5, 1.0]), 0.2)
    assert margin == pytest.approx([0.0, 1e-12, math.log(4), edge + math.log(4)], rel=1e-8)


def test_weight_of_evidence_by_hand():
    """A cut at .5 and a column without one; half a pair is added to each interval."""
    truth = np.repeat([True, False], [20, 60])
    X = np.column_stack([np.where(truth, 0.9, 0.1), np.zeros(80)]).astype(np.float32)
    X[:2, 0] = np.nan
    evidence = Evidence.of(X, truth, ["name", "none"])
    assert [len(cut) for cut in evidence.cuts] == [1, 0]
    assert evidence.weights[0] == pytest.approx(
        np.log2(np.array([0.5, 18.5, 2.5]) / 21.5 / (np.array([60.5, 0.5, 0.5]) / 61.5))
    )
    first, second = evidence.about(np.array([0.9, 0.0]))
    assert (first.name, first.value, second.name) == ("name", 0.9, "none")
    assert first.weight == pytest.approx(np.log2(18.5 / 21.5 / (0.5 / 61.5)), abs=0.01)
    assert evidence.about(np.array([np.nan, 0.0]))[0].value is None

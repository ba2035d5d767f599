"""The matcher: what a person said stands, labels in any order, errors in one line."""

from __future__ import annotations

import dataclasses
import itertools
import json

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from common.examples import settings
from ontology.as_obo import obo_text
from ontology.small_pairs import vocabulary
from tamis._core.errors import DataError, PlanError, TamisError
from tamis.ontology import Correspondence, Mapping, OntologyMatcher, read_ontology
from tamis.ontology.made_up import make_vocabularies

MADE = make_vocabularies(90, 80, 60)
A, B = MADE.source, MADE.target
TRUE = list(MADE.reference.pairs)
QUICK = ["name", "words", "parents"]  # without what learns from words: no fold matters
KNOWN = [*TRUE[:20], (A.iris[0], B.iris[1], False), (A.iris[5], B.iris[7], False)]


def written(mapping: Mapping) -> str:
    return json.dumps(mapping.to_dict())


def test_learns_from_labels_and_from_none():
    for known in (None, KNOWN):
        mapping = OntologyMatcher().fit(A, B, known).match(A, B)
        right = set(mapping.pairs) & set(TRUE)
        assert len(right) > 0.7 * len(mapping) > 25
        assert ("taught the model" in " ".join(mapping.remarks)) == (known is None)
    assert mapping.settings["learned from"].startswith("20 matches and ")


def test_remarks_say_who_taught():
    def told(*, seeds="auto", **labels):
        matcher = OntologyMatcher(QUICK, seeds=seeds).fit(A, B, **labels)
        mapping = matcher.match(A, B)
        return " ".join(mapping.remarks), mapping.settings["learned from"], matcher.n_seeds_

    remarks, learned, seeds = told(known=TRUE[:4])
    assert "4 matches known: pairs of nearly equal names" in remarks
    assert learned.startswith(f"{4 + seeds} matches ({seeds} of them by nearly equal names) and ")
    # All labels are given: no name teaches anything.
    remarks, learned, seeds = told(known=TRUE[:4], complete=True)
    assert remarks == "only 4 matches taught the model: the mapping may be chance"
    assert (seeds, learned.partition(" and ")[0]) == (0, "4 matches")
    assert told(known=TRUE[:4], seeds="never")[0] == remarks
    assert "20 matches known; pairs of nearly" in told(known=TRUE[:20], seeds="always")[0]
    assert told(known=TRUE[:20])[0] == ""


def test_fit_twice_is_fit_once_and_parameters_stay():
    matcher = OntologyMatcher(QUICK, relaxation=0.5, threshold=0.4)
    params = matcher.get_params()
    once = written(matcher.fit(A, B, KNOWN).match(A, B))
    assert written(matcher.fit(A, B, KNOWN).match(A, B)) == once
    assert written(clone(matcher).fit(A, B, KNOWN).match(A, B)) == once
    assert matcher.get_params() == params
    assert matcher.fit(A, B).n_labels_ != OntologyMatcher(QUICK).fit(A, B, KNOWN).n_labels_


@pytest.mark.longer
@given(st.permutations(range(8)), st.lists(st.integers(1, 7), max_size=3, unique=True))
@settings(max_examples=6)
def test_labels_one_by_one_in_any_order(order, cuts):
    known = [*TRUE[:6], *KNOWN[-2:]]
    matcher = OntologyMatcher(["name", "words", "learned_words"])
    expected = written(matcher.fit(A, B, known).match(A, B))
    bounds = [0, *sorted(cuts), 8]
    bit = clone(matcher)
    for start, end in itertools.pairwise(bounds):
        bit.partial_fit(A, B, [known[k] for k in order[start:end]])
    assert written(bit.match(A, B)) == expected


def test_other_ontologies_teach_in_any_order():
    other = make_vocabularies(40, 40, 30, random_state=1)
    third = dataclasses.replace(other.source, iri="http://third")
    both = [(A, B, KNOWN), (third, other.target, list(other.reference.pairs)[:15])]
    both[1] = (third, other.target, [(a, b) for a, b in both[1][2]])
    found = []
    for order in (both, both[::-1]):
        matcher = OntologyMatcher(QUICK)
        for a, b, known in order:
            matcher.partial_fit(a, b, known)
        found.append(written(matcher.match(A, B)))
    assert found[0] == found[1]
    assert len(matcher.known_) == 2


@given(st.integers(0, 2**20), st.sampled_from(["optimal", "greedy", "none"]))
@settings(max_examples=8)
def test_what_a_person_said_stands(seed, assignment):
    """Right or wrong, and however unlikely; also two matches of one class."""
    rng = np.random.default_rng(seed)
    said = {
        (A.iris[i], B.iris[j]): bool(yes)
        for i, j, yes in zip(
            rng.integers(90, size=30), rng.integers(80, size=30), rng.random(30) < 0.4, strict=True
        )
    } | {TRUE[0]: False, (TRUE[1][0], TRUE[2][1]): True, TRUE[2]: True}
    known = [(*pair, yes) for pair, yes in said.items()]
    mapping = OntologyMatcher(QUICK, assignment=assignment).fit(A, B, known).match(A, B)
    told = {(c.source, c.target): c.status for c in mapping.correspondences if c.relation == "="}
    for pair, yes in said.items():
        assert told[pair] == ("accepted" if yes else "refused")
    if assignment != "none":  # what the model adds is one-to-one, beside what was accepted
        for side in ("source", "target"):
            accepted = {getattr(c, side) for c in mapping.mapped if c.status == "accepted"}
            added = [getattr(c, side) for c in mapping.mapped if c.status == "mapped"]
            assert len(set(added)) == len(added)
            assert not accepted & set(added)


def test_what_is_said_of_broader_classes_says_nothing_of_equal_ones():
    pair = TRUE[0]
    rows = [Correspondence(*one) for one in TRUE[1:20]]
    refused = Correspondence(*pair, "<", status="refused")
    same = Correspondence(*pair, "=", 0.9)
    matcher = OntologyMatcher(QUICK).fit(A, B, Mapping((*rows, refused)))
    assert (A.position[pair[0]], B.position[pair[1]]) not in matcher.known_[0].said
    assert pair in matcher.fit(A, B, Mapping((*rows, refused, same))).match(A, B).pairs
    for confidence in (0.8, 1.0):
        narrower = Correspondence(*pair, "<", confidence)
        with pytest.raises(DataError, match="mean the same in one row and not in another"):
            matcher.fit(A, B, Mapping((*rows, same, narrower)))


@pytest.mark.parametrize("complete", [False, True])
def test_other_relations_stand_as_they_were_said(complete):
    """Narrower is another class, and stays narrower; not narrower, and "?", say nothing."""
    (a, _), (_, b), plain, doubtful = TRUE[30], TRUE[31], TRUE[40], TRUE[41]
    rows = [Correspondence(*pair, status="accepted") for pair in TRUE[:20]]
    rows += [
        Correspondence(a, b, "<", 0.8, "accepted"),
        Correspondence(*plain, ">", status="refused"),
        Correspondence(*doubtful, status="uncertain"),
    ]
    matcher = OntologyMatcher(QUICK).fit(A, B, Mapping(tuple(rows)), complete=complete)
    one = matcher.known_[0]
    mapping = matcher.match(A, B)
    told = {(c.source, c.target, c.relation): c.status for c in mapping.correspondences}
    assert told[a, b, "<"] == "accepted"
    assert (a, b, "=") not in told
    assert {(A.iris[i], B.iris[j]) for i, j in one.said} == {*TRUE[:20], (a, b)}
    again = OntologyMatcher(QUICK).fit(A, B, mapping).known_[0]
    assert one.said.items() <= again.said.items()
    matcher.partial_fit(A, B, [(a, b)])
    assert (a, b) in matcher.match(A, B).pairs


def test_what_is_said_last_holds():
    matcher = OntologyMatcher(QUICK).fit(A, B, KNOWN).partial_fit(A, B, [(*TRUE[0], False)])
    assert TRUE[0] not in matcher.match(A, B).pairs
    assert TRUE[0] in matcher.partial_fit(A, B, [TRUE[0]]).match(A, B).pairs


def test_from_the_other_side():
    """The inverted mapping, where no fold matters: folds are of source classes, so that a threshold
    that is chosen and words that are learned depend on the direction."""
    matcher = OntologyMatcher([*QUICK, "gap", "monge_elkan"], threshold=0.5)
    there = matcher.fit(A, B, KNOWN).match(A, B)
    turned = [(b, a, *rest) for a, b, *rest in KNOWN]
    back = matcher.fit(B, A, turned).match(B, A).inverted()
    key = [
        {(c.source, c.target, c.relation, c.status, round(c.confidence, 5)) for c in m.mapped}
        for m in (there, back)
    ]
    assert key[0] == key[1]


def test_the_order_of_classes_in_the_files_does_not_matter(tmp_path):
    found = []
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        sides = []
        for o in (A, B):
            path = tmp_path / f"{o.name}.obo"
            path.write_text(obo_text(o, rng.permutation(len(o)).tolist()))
            sides.append(read_ontology(path))
        found.append(written(OntologyMatcher().fit(*sides).match(*sides)))
    assert found[0] == found[1]


def test_threads_do_not_matter():
    found = []
    for n_jobs in (1, 3):
        with joblib.parallel_config("threading", n_jobs=n_jobs):
            found.append(written(OntologyMatcher(QUICK).fit(A, B).match(A, B)))
    assert found[0] == found[1]


def test_costs_move_the_threshold():
    missed = OntologyMatcher(QUICK, costs={False: 1, True: 9}).fit(A, B, KNOWN)
    wrong = OntologyMatcher(QUICK, costs={False: 9, True: 1}).fit(A, B, KNOWN)
    assert missed.model_.threshold == pytest.approx(0.1)
    assert wrong.model_.threshold == pytest.approx(0.9)
    assert set(wrong.match(A, B).pairs) <= set(missed.match(A, B).pairs)
    given_one = clone(missed).set_params(threshold=0.7).fit(A, B, KNOWN)
    assert given_one.model_.threshold == 0.7


@pytest.mark.quick
def test_pairs_on_which_deciding_costs_too_much_are_uncertain():
    plain = OntologyMatcher(QUICK, threshold=0.5).fit(A, B, KNOWN)
    wary = OntologyMatcher(QUICK, threshold=0.5, reject=0.1).fit(A, B, KNOWN)
    _, _, _p = wary._judged(A, B)
    doubtful = wary.match(A, B)
    unsure = [c for c in doubtful.correspondences if c.status == "uncertain" and c.relation == "="]
    assert unsure
    assert all(0.1 < c.confidence < 0.9 for c in unsure)
    for side in ("source", "target"):  # a class that is mapped is settled
        assert not {getattr(c, side) for c in unsure} & {getattr(c, side) for c in doubtful.mapped}
    refused = [(unsure[0].source, unsure[0].target, False)]
    again = clone(wary).fit(A, B, [*KNOWN, *refused]).match(A, B)
    told = [c.status for c in again.correspondences if (c.source, c.target) == refused[0][:2]]
    assert told == ["refused"]
    assert all(c.confidence >= 0.9 for c in doubtful.mapped)
    assert set(doubtful.pairs) - set(TRUE) < set(plain.match(A, B).pairs)
    never = OntologyMatcher(QUICK, threshold=0.5, reject=1.0).fit(A, B, KNOWN).match(A, B)
    assert written(never) == written(plain.match(A, B))
    free = OntologyMatcher(QUICK, threshold=0.5, reject=0.0).fit(A, B, KNOWN).match(A, B)
    assert all(c.status == "accepted" or c.confidence == 1 for c in free.mapped)


def test_own_similarities():
    def same_length(pairs):
        n = [np.array([len(label) for label in s.labels]) for s in (pairs.source, pairs.target)]
        return n[0][pairs.rows[:, 0]] == n[1][pairs.rows[:, 1]]

    matcher = OntologyMatcher(["name", ("length", same_length)]).fit(A, B, KNOWN)
    assert set(matcher.match(A, B).mapped[0].evidence) == {"name", "length"}
    # Another function of the same name counts, not what the first one gave.
    matcher.set_params(similarities=["name", ("length", lambda pairs: np.zeros(len(pairs)))])
    matcher.partial_fit(A, B, KNOWN[:1])
    assert matcher.match(A, B).mapped[0].evidence["length"] == 0


def test_ontologies_of_one_iri_are_not_mixed_up():
    """Files without an IRI may have the same name: labels are of what was read."""
    renamed = dataclasses.replace(A, iris=A.iris[::-1])
    matcher = OntologyMatcher(QUICK).fit(A, B, KNOWN)
    mapping = matcher.match(renamed, B)
    assert not [c for c in mapping.correspondences if c.status in ("accepted", "refused")]
    assert {c.source for c in mapping.mapped} <= set(renamed.iris)
    at = {iri: k for k, iri in enumerate(renamed.iris)}
    assert all(renamed.labels[at[c.source]] == c.source_label for c in mapping.correspondences)


@pytest.mark.parametrize(("n", "seeds"), [(19, "always"), (20, "never")])
def test_names_teach_beside_fewer_than_twenty_known_matches(n, seeds):
    made = make_vocabularies(60, 60, 50, random_state=4)
    both, known = (made.source, made.target), sorted(made.reference.pairs)[:n]
    by_itself, told = (OntologyMatcher(QUICK, seeds=s).fit(*both, known) for s in ("auto", seeds))
    assert by_itself.n_labels_ == told.n_labels_
    assert written(by_itself.match(*both)) == written(told.match(*both))


NONE, ONE = vocabulary("none", []), vocabulary("single", ["heart valve"])
SILENT = vocabulary("silent", ["", "—", "?"])
OLD = dataclasses.replace(vocabulary("old", ["heart"]), obsolete=np.ones(1, dtype=bool))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda m: m.fit(NONE, NONE), "no pair of classes is known to match, and no"),
        (lambda m: m.fit(ONE, NONE), "no pair of classes is known to match"),
        (lambda m: m.fit(OLD, B), "all classes of 'old' are obsolete"),
        (lambda m: m.fit(ONE, ONE), "1 pair of classes known to match and none known not to"),
        (lambda m: m.fit(SILENT, SILENT), "and no class of one has nearly the name"),
        (lambda m: m.fit(A, B, [(A.iris[0], "nobody")]), "'nobody' is no class of 'target'"),
        (lambda m: m.fit(A, B, ["ab"]), "known: 'ab': give (source, target)"),
        (lambda m: m.fit(A, B, [("a",)]), "give (source, target) or (source, target, bool)"),
        (lambda m: m.set_params(seeds="never").fit(A, B), "is known to match: give some known"),
        (
            lambda m: m.set_params(seeds="never").fit(A, B, [(*TRUE[0], False)]),
            "is known to match:",
        ),
        (lambda m: m.set_params(seeds="yes").fit(A, B), "seeds = 'yes': give one of"),
        (lambda m: m.set_params(assignment="best").fit(A, B), "assignment = 'best': give one of"),
        (lambda m: m.set_params(threshold=1.5).fit(A, B), "threshold=1.5: give a number"),
        (lambda m: m.set_params(relaxation=-1).fit(A, B), "relaxation=-1: give a number"),
        (lambda m: m.set_params(reject="x").fit(A, B), "reject='x': give a number"),
        (lambda m: m.set_params(learner="aodes").fit(A, B), "learner = 'aodes'"),
        (lambda m: m.set_params(learner=object).fit(A, B), "with predict_proba"),
        (lambda m: m.set_params(similarities="name").fit(A, B), "give a list of names"),
        (lambda m: m.set_params(similarities=[]).fit(A, B), "give a list of names"),
        (lambda m: m.set_params(similarities=["nam"]).fit(A, B), "unknown similarity 'nam'"),
        (lambda m: m.set_params(similarities=["name"] * 2).fit(A, B), "'name' is given twice"),
        (lambda m: m.set_params(similarities=["name", ("x", len)]).fit(A, B), "one number a pair"),
        (
            lambda m: m.set_params(
                similarities=["name", ("x", lambda p: np.full(len(p), np.inf))]
            ).fit(A, B),
            "infinite",
        ),
        (lambda m: m.set_params(costs={True: 1}).fit(A, B), "False"),
        (lambda m: m.fit(A, B).explain(A, B, ("nobody", TRUE[0][1])), "'nobody' is no class"),
    ],
)
def test_one_line_says_what_is_wrong(call, said):
    with pytest.raises(TamisError) as caught:
        call(OntologyMatcher(QUICK))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, DataError | PlanError)


@pytest.mark.longer
def test_draws_of_a_forest_follow_the_seed():
    forest = OntologyMatcher(QUICK, "forest", random_state=3).fit(A, B, KNOWN)
    assert forest.model_.classifier.random_state == 3


def test_before_fit():
    with pytest.raises(NotFittedError, match="call fit"):
        OntologyMatcher().match(A, B)


@pytest.mark.parametrize("learner", ["aode", "logistic"])
def test_a_fitted_matcher_meets_small_and_silent_ontologies(learner):
    matcher = OntologyMatcher(QUICK, learner).fit(A, B, KNOWN)
    for one, other in ((NONE, B), (A, NONE), (NONE, NONE), (SILENT, SILENT), (SILENT, B)):
        assert matcher.match(one, other).pairs == {}
    single = dataclasses.replace(ONE, iri="http://again", iris=("http://again#1",))
    assert len(matcher.match(ONE, single)) == 1


def test_unrelated_words_make_no_candidates():
    """Too many classes for all pairs, and no letters in common."""
    big = [
        vocabulary(name, [letter * 4 + str(k) for k in range(300)])
        for name, letter in (("one", "a"), ("other", "b"))
    ]
    matcher = OntologyMatcher(QUICK).fit(A, B, KNOWN)
    assert isinstance(matcher.match(*big), Mapping)
    with pytest.raises(DataError, match="too little in common"):
        matcher.explain(*big, (big[0].iris[1], big[1].iris[200]))


def test_an_obsolete_class_is_said_to_be_obsolete():
    obsolete = np.arange(len(B)) == 0
    matcher = OntologyMatcher(QUICK).fit(A, B, KNOWN)
    with pytest.raises(DataError, match="is obsolete in 'target'"):
        matcher.explain(A, dataclasses.replace(B, obsolete=obsolete), (A.iris[0], B.iris[0]))


def test_explanation():
    matcher = OntologyMatcher().fit(A, B, KNOWN)
    one, X, p = matcher._judged(A, B)
    pair = TRUE[0]
    told = matcher.explain(A, B, pair)
    k = int(one.pairs.find(np.array([[A.position[pair[0]], B.position[pair[1]]]]))[0])
    assert told.probability == pytest.approx(p[k], abs=1e-6)
    assert told.said is True
    values = {w.name: w.value for w in told.evidence}
    for name, value in zip(matcher.model_.names, X[k], strict=True):
        assert values[name] == (None if np.isnan(value) else pytest.approx(value, abs=1e-4))
    sizes = [abs(w.weight) for w in told.evidence]
    assert sizes == sorted(sizes, reverse=True)
    shares = (one.pairs.rows == one.pairs.rows[k]).any(axis=1)
    shares[k] = False
    best = np.sort(p[shares])[::-1][:5]
    assert [r.probability for r in told.rivals] == pytest.approx(best, abs=1e-6)
    assert list(told.frame()["name"]) == [w.name for w in told.evidence]
    assert json.loads(json.dumps(told.to_dict()))["said"] is True
    assert told.summary().count("\n") == 1 + len(told.evidence) + len(told.rivals)


def test_an_explanation_says_whether_the_pair_is_in_the_mapping():
    """Also of a pair above the threshold that lost a class to another, and of what was said."""
    matcher = OntologyMatcher(QUICK, threshold=0.05).fit(A, B, KNOWN)
    pairs = set(matcher.match(A, B).pairs)
    one, _, p = matcher._judged(A, B)
    lost = 0
    for k in [*np.argsort(-p)[:60].tolist(), 0]:
        i, j = one.pairs.rows[k].tolist()
        told = matcher.explain(A, B, (A.iris[i], B.iris[j]))
        assert told.stands == ((A.iris[i], B.iris[j]) in pairs)
        assert (": in the mapping;" in told.summary()) == told.stands
        lost += not told.stands and told.probability >= told.threshold
    assert lost
    assert matcher.explain(A, B, TRUE[0]).stands
    assert not matcher.explain(A, B, KNOWN[-1][:2]).stands


def test_relaxation_is_told_and_used():
    plain = OntologyMatcher(QUICK).fit(A, B, KNOWN)
    relaxed = OntologyMatcher(QUICK, relaxation=1.0).fit(A, B, KNOWN)
    assert relaxed.match(A, B).settings["relaxation"] == "1"
    assert not np.array_equal(plain._judged(A, B)[2], relaxed._judged(A, B)[2])
    zero = OntologyMatcher(QUICK, relaxation=0).fit(A, B, KNOWN)
    assert written(zero.match(A, B)) == written(plain.match(A, B))

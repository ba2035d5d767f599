"""Why a pair of classes is in a mapping or not."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tamis._core.errors import DataError, PlanError
from tamis.ontology.explanation import Explanation, Rival, Weight, explanation_of
from tamis.ontology.learners import LEARNERS, learner_of

SIDE = SimpleNamespace(labels=["kidney", "liver", "heart"], obsolete=[False, False, True], name="x")


def explained(pair, stands, said):
    """Of three pairs with probabilities .9, .4 and .2, of which one is asked about."""
    rows = np.array([[0, 0], [0, 1], [1, 1]])
    pairs = SimpleNamespace(
        rows=rows, find=lambda asked: np.flatnonzero((rows == asked[0]).all(axis=1))[:1]
    )
    if pair == (1, 0):
        pairs.find = lambda asked: np.array([-1])
    known = SimpleNamespace(source=SIDE, target=SIDE, said=said)
    decision = SimpleNamespace(
        threshold=0.5, standing_pairs=lambda rows, probability, said: (np.array(stands), None)
    )
    evidence = SimpleNamespace(about=lambda x: [])
    one = SimpleNamespace(pairs=pairs, known=known, said=None)
    p = np.array([0.9, 0.4, 0.2])
    return explanation_of(one, np.zeros((3, 2)), p, decision, evidence, pair)


@pytest.mark.every
@pytest.mark.parametrize(
    ("stands", "said", "told"),
    [
        (True, {}, True),
        (False, {}, False),
        (False, {(0, 1): True}, True),  # a person has said so
        (False, {(0, 1): False}, False),
        (True, {(0, 1): True}, True),
    ],
)
def test_a_pair_stands_by_the_decision_or_by_a_person(stands, said, told):
    found = explained((0, 1), [True, stands, False], said)
    assert found.stands is told
    assert found.said == said.get((0, 1))
    assert found.probability == 0.4


def test_rivals_share_one_class_and_come_by_their_probability():
    found = explained((0, 1), [True, False, False], {})
    assert [(r.source, r.target) for r in found.rivals] == [
        ("kidney", "kidney"),
        ("liver", "liver"),
    ]


@pytest.mark.parametrize(("pair", "said"), [((2, 0), "is obsolete"), ((1, 0), "too little")])
def test_a_pair_that_cannot_be_compared_is_refused(pair, said):
    with pytest.raises(DataError, match=said):
        explained(pair, [True, False, False], {})


def test_an_explanation_says_what_speaks_for_and_against_it():
    one = Explanation(
        source="kidney",
        target="ren",
        probability=0.5,
        threshold=0.5,
        stands=True,
        said=None,
        evidence=(Weight("label", 0.875, 2.25), Weight("parents", None, -0.5)),
        rivals=(Rival("kidney", "renal", 0.25),),
    )
    assert one.summary().splitlines() == [
        "kidney = ren: in the mapping; probability 0.500, at or above the threshold 0.5",
        "  label              0.88  +2.2 bits",
        "  parents         missing  -0.5 bits",
        "  rival: kidney = renal, 0.250",
    ]
    below = replace(one, probability=0.49, stands=False, said=False, rivals=())
    assert below.summary().splitlines()[:2] == [
        "kidney = ren: not in the mapping; probability 0.490, below the threshold 0.5",
        "a person said no",
    ]
    assert "a person said yes" in replace(one, said=True).summary()
    frame = one.frame()
    assert list(frame) == ["name", "value", "weight"]
    assert frame["weight"].tolist() == [2.25, -0.5]
    found = one.to_dict()
    assert found["evidence"][1] == {"name": "parents", "value": None, "weight": -0.5}
    assert found["rivals"] == [{"source": "kidney", "target": "renal", "probability": 0.25}]
    assert [found[key] for key in ("source", "target", "stands", "said")] == [
        "kidney",
        "ren",
        True,
        None,
    ]
    assert (found["probability"], found["threshold"]) == (0.5, 0.5)


def test_learners_by_name_or_as_they_are():
    assert learner_of("aode").min_support == 5
    assert type(learner_of("c45")).__name__ == "C45Classifier"
    forest = learner_of("forest", 7)
    assert (forest.n_estimators, forest.min_samples_leaf, forest.random_state) == (500, 2, 7)
    given = SimpleNamespace(predict_proba=None)
    assert learner_of(given) is given
    assert list(LEARNERS) == ["aode", "logistic", "c45", "forest"]
    with pytest.raises(PlanError, match=r"give a classifier with predict_proba, or a name$"):
        learner_of(SimpleNamespace())
    with pytest.raises(PlanError, match=r"learner = 'forst': did you mean 'forest'\?$"):
        learner_of("forst")


def test_the_logistic_learner_marks_what_was_missing():
    X = np.array([[0.0], [1.0], [np.nan], [np.nan]] * 4)
    y = np.array([0, 0, 1, 1] * 4)
    made = learner_of("logistic").fit(X, y)
    assert (made.predict(np.array([[0.5], [np.nan]])) == [0, 1]).all()
    assert made[-1].coef_.shape == (1, 2)
    assert made[-1].max_iter == 5000

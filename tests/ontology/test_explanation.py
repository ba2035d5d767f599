"""Why a pair of classes is in a mapping or not."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis._core.errors import DataError
from tamis.ontology.explanation import explanation_of

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

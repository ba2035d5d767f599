"""Which pairs a person should look at: those that the mapping most probably has wrong."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .context import ClassContext, class_context
from .pair_decision import PairDecision

if TYPE_CHECKING:
    from .matcher import OntologyMatcher
    from .ontology import Ontology

DEFAULT_N_PAIRS = 50


class Question(NamedTuple):
    """A pair of classes to look at.

    Attributes
    ----------
    source, target : ClassContext
    probability : float
        That they mean the same, by the model.
    stands : bool
        Whether the mapping has the pair as long as nobody says no.
    error : float
        Probability that the mapping is wrong about the pair.
    """

    source: ClassContext
    target: ClassContext
    probability: float
    stands: bool
    error: float


def questions(
    matcher: OntologyMatcher,
    source: Ontology,
    target: Ontology,
    most: int = DEFAULT_N_PAIRS,
    without: Collection[tuple[str, str]] = (),
) -> list[Question]:
    """The pairs that are most probably wrong in the mapping, the worst first.

    A pair of probability p is wrong with probability 1 - p if the mapping has it, and p if not: it
    is greatest near p = .5, and for probable pairs that lost a class to another one. No class is
    asked about twice, and no pair of which a person spoke, nor one that a known match rules out.

    Parameters
    ----------
    matcher : OntologyMatcher
        Fitted.
    source, target : Ontology
    most : int, default=50
        Questions at most.
    without : collection of (str, str), optional
        IRIs of pairs not to ask about: nobody could answer before.

    Returns
    -------
    list of Question

    Examples
    --------
    >>> from tamis.ontology import OntologyMatcher, questions
    >>> from tamis.ontology.made_up import make_vocabularies
    >>> made = make_vocabularies(120, 120, 90, random_state=1)
    >>> matcher = OntologyMatcher().fit(made.source, made.target)
    >>> first = questions(matcher, made.source, made.target, 10)
    >>> len(first), first[0].error >= first[9].error
    (10, True)
    """
    one, _, probability = matcher._judged(source, target)
    rows = one.pairs.rows
    stands, error = probable_errors(matcher._pair_decision, rows, probability, one.said)
    skipped = {
        (source.position[a], target.position[b])
        for a, b in without
        if a in source.position and b in target.position
    }
    taken: tuple[set[int], set[int]] = set(), set()
    found: list[Question] = []
    for k in np.lexsort((rows[:, 1], rows[:, 0], -error)).tolist():
        if len(found) >= most or error[k] <= 0:
            break
        i, j = rows[k].tolist()
        if i in taken[0] or j in taken[1] or (i, j) in skipped:
            continue
        taken[0].add(i)
        taken[1].add(j)
        found.append(
            Question(
                class_context(source, i),
                class_context(target, j),
                float(probability[k]),
                bool(stands[k]),
                float(error[k]),
            )
        )
    return found


def probable_errors(
    decision: PairDecision, rows: np.ndarray, probability: np.ndarray, said: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs stand, (n,) bool, and the probability that each is wrong, (n,).

    0 for pairs of which a person spoke (`Examples.said`), and for others of a class whose match is
    known.
    """
    stands, settled = decision.standing_pairs(rows, probability, said)
    return stands, np.where(settled, 0.0, np.where(stands, 1 - probability, probability))

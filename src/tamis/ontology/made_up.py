"""Made-up vocabularies that look like biomedical ones, and which of their classes mean the same."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

from .._core.errors import PlanError
from .._core.settings import checked_count, checked_share
from ..data.made_up import made_up_generator
from ._made_up_names import (
    Concept,
    Words,
    altered_name,
    draw_concepts,
    other_name,
    recased_name,
    written_name,
)
from .correspondence import Correspondence
from .mapping import Mapping
from .ontology import Ontology

SYNONYM_SHARE = 0.4  # share of classes with a synonym, in each vocabulary by itself
RENAMED_SHARE = 0.05  # share of the altered names that have no word in common with the plain one

Names = tuple[list[str], list[tuple[str, ...]]]  # labels and synonyms


class MadeUp(NamedTuple):
    """Two vocabularies and the truth.

    Attributes
    ----------
    source, target : Ontology
    pairs : (shared, 2) int32
        Positions of classes that mean the same, rising.
    """

    source: Ontology
    target: Ontology
    pairs: np.ndarray

    @property
    def reference(self) -> Mapping:
        """The truth as a mapping."""
        iris = [(self.source.iris[a], self.target.iris[b]) for a, b in self.pairs.tolist()]
        return Mapping(
            tuple(Correspondence(*pair) for pair in iris),
            source=self.source.iri,
            target=self.target.iri,
            source_name=self.source.name,
            target_name=self.target.name,
        )


def make_vocabularies(
    n_source: int = 1000,
    n_target: int = 1000,
    shared: int = 500,
    noise: float = 0.5,
    random_state: int | None = 0,
) -> MadeUp:
    """Two vocabularies of composed terms; the target names what they share in its own words.

    A class is a body part or a disease with modifiers in front, such as *wall of left anterior
    tibial artery* or *chronic tibial stenosis type 2*; its superclass is the same with the
    outermost modifier off, or the next one up that the vocabulary has. Left and right, type 1 and
    type 2 come together more often than not, so that names differ by one word and mean another
    thing. Adjectives are drawn by Zipf's law; most are made up.

    The source writes every term plainly. A share `noise` of the target's labels is altered. One in
    twenty of those is another name altogether, such as *Marel disease*, which half of the time is a
    synonym in the source. The others are altered once, three in ten twice, each time by

    - a typing error, with probability .3: a letter dropped, doubled, replaced, or two exchanged;
    - words in another order (.15): *tibial artery, left*;
    - a word left out (.1), never left, right or a number, or one put in at the end (.1);
    - a word replaced from a thesaurus (.2): *kidney* for *renal*, *ventral* for *anterior*;
    - a plural (.1), or British spelling (.05).

    Where a name cannot be altered so, it has a typing error. Independently of `noise`, a tenth of
    the target's labels has capitals at the beginnings of words, a tenth is in camelCase and a tenth
    in snake_case; and in each vocabulary .4 of the classes have a synonym: the words of the label,
    typing errors and all, in another order, or one of them replaced from the thesaurus.

    Parameters
    ----------
    n_source, n_target : int, default=1000
        Classes.
    shared : int, default=500
        Classes that both have.
    noise : float, default=0.5
        Share of the target's labels that are altered, among all its classes.
    random_state : int or None, default=0

    Returns
    -------
    MadeUp

    Raises
    ------
    PlanError
        A number that cannot be.

    Examples
    --------
    >>> from tamis.ontology.made_up import make_vocabularies
    >>> made = make_vocabularies(200, 150, 100)
    >>> len(made.source), len(made.target), len(made.pairs), len(made.reference)
    (200, 150, 100, 100)
    >>> a, b = made.pairs[40]
    >>> made.source.labels[a], made.target.labels[b]
    ('wall of right internal gastric ganglion', 'wall_of_right_internal_stomach_ganglion')
    """
    n_source = checked_count(n_source, "n_source", 1)
    n_target = checked_count(n_target, "n_target", 1)
    shared = checked_count(shared, "shared", 0)
    noise = checked_share(noise, "noise")
    if shared > min(n_source, n_target):
        raise PlanError(
            f"shared={shared}: give at most {min(n_source, n_target)}, the classes of the smaller "
            "vocabulary"
        )
    rng = made_up_generator(random_state, "vocabularies")
    chance = Random(int(rng.integers(2**63)))
    n = n_source + n_target - shared
    words = Words(chance, max(n // 10, 30))
    concepts = draw_concepts(words, n)
    order = rng.permutation(n)
    common, rest = order[:shared], order[shared:]
    chosen = [
        rng.permutation(np.concatenate([common, own]))
        for own in (rest[: n_source - shared], rest[n_source - shared :])
    ]
    renamed = {
        k: words.eponym() for k in chosen[1].tolist() if chance.random() < noise * RENAMED_SHARE
    }
    names = [_source_names(concepts, chosen[0], renamed, chance)]
    names.append(_target_names(concepts, chosen[1], renamed, noise, chance))
    source, target = (
        _made_vocabulary(name, concepts, side, *said)
        for name, side, said in zip(("source", "target"), chosen, names, strict=True)
    )
    places = [np.empty(n, dtype=np.int64) for _ in chosen]
    for place, side in zip(places, chosen, strict=True):
        place[side] = np.arange(len(side))
    pairs = np.column_stack([place[common] for place in places]).astype(np.int32)
    return MadeUp(source, target, pairs[np.argsort(pairs[:, 0])])


def _source_names(
    concepts: list[Concept], chosen: np.ndarray, renamed: dict[int, str], chance: Random
) -> Names:
    """Plain names; half of those that the target renames are known here."""
    labels: list[str] = []
    synonyms: list[tuple[str, ...]] = []
    for k in chosen.tolist():
        label = written_name(concepts[k])
        others = [other_name(label, chance)] if chance.random() < SYNONYM_SHARE else []
        if k in renamed and chance.random() < 0.5:
            others.append(renamed[k])
        labels.append(label)
        synonyms.append(tuple(one for one in others if one != label))
    return labels, synonyms


def _target_names(
    concepts: list[Concept],
    chosen: np.ndarray,
    renamed: dict[int, str],
    noise: float,
    chance: Random,
) -> Names:
    """Names altered, and in other cases."""
    labels: list[str] = []
    synonyms: list[tuple[str, ...]] = []
    for k in chosen.tolist():
        label = plain = written_name(concepts[k])
        if k in renamed:
            label = plain = renamed[k]
        elif chance.random() < noise * (1 - RENAMED_SHARE) / (1 - noise * RENAMED_SHARE):
            label = altered_name(plain, chance)
        other = other_name(label, chance) if chance.random() < SYNONYM_SHARE else label
        labels.append(recased_name(label, chance))
        synonyms.append((other,) if other != label else ())
    return labels, synonyms


def _made_vocabulary(
    name: str,
    concepts: list[Concept],
    chosen: np.ndarray,
    labels: list[str],
    synonyms: list[tuple[str, ...]],
) -> Ontology:
    n, iri = len(chosen), f"http://example.org/{name}"
    local = tuple(f"{name[0].upper()}_{k:07d}" for k in range(n))
    at = {concepts[k]: place for place, k in enumerate(chosen.tolist())}
    return Ontology(
        name=name,
        iri=iri,
        iris=tuple(f"{iri}#{one}" for one in local),
        labels=tuple(labels),
        local_names=local,
        definitions=("",) * n,
        synonyms=tuple(synonyms),
        related=((),) * n,
        parents=tuple(_nearest_parents(concept, at) for concept in at),
        labelled=np.ones(n, dtype=bool),
        obsolete=np.zeros(n, dtype=bool),
    )


def _nearest_parents(concept: Concept, at: dict[Concept, int]) -> tuple[int, ...]:
    """The next one up that is there, outer modifiers off."""
    above = (concept[k:] for k in range(1, len(concept)))
    return next(((at[one],) for one in above if one in at), ())

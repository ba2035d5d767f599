"""Probabilities of candidates become a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import __version__
from .._core.errors import plural
from .assignment import ASSIGNMENTS, assign
from .examples import Examples
from .learning import worth
from .mapping import Correspondence, Mapping, Status
from .mapping_files.reading import order_of
from .subsumption import subsumed

if TYPE_CHECKING:
    from .matcher import OntologyMatcher

KIND_OF = "a kind of the other, by its name"
FEW_TAUGHT = 10  # matches, seeds with them, below which a model is hardly better than chance


def mapping_of(
    matcher: OntologyMatcher, one: Examples, X: np.ndarray, probability: np.ndarray
) -> Mapping:
    """What a person said stands; of the rest, what passes the threshold and is assigned."""
    model, known, rows, said = matcher.model_, one.known, one.pairs.rows, one.said
    stands, settled = standing_pairs(matcher, rows, probability, said)
    stands |= said == 1
    declined = declined_pairs(matcher, probability) & ~settled
    found: list[Correspondence] = []

    def tell(k: int, status: Status, confidence: float, relation="=", comment="") -> None:
        i, j = rows[k].tolist()
        evidence = {
            name: None if np.isnan(x) else round(float(x), 4)
            for name, x in zip(model.names, X[k], strict=True)
        }
        found.append(
            Correspondence(
                known.source.iris[i], known.target.iris[j], relation, round(confidence, 6), status,
                known.source.labels[i], known.target.labels[j], evidence, comment,
            )
        )  # fmt: skip

    for k in np.flatnonzero(stands).tolist():
        if said[k] == 1:
            tell(k, "accepted", 1.0)
        else:
            tell(k, "mapped", float(probability[k]))
    for k in np.flatnonzero(said == 0).tolist():
        i, j = rows[k].tolist()
        relation = known.beside.get((i, j), "?")
        if relation == "?":
            tell(k, "refused", 1.0)
        else:
            tell(k, "accepted", 1.0, relation)
    free = ~np.isin(rows[:, 0], rows[stands, 0]) & ~np.isin(rows[:, 1], rows[stands, 1])
    for k in np.flatnonzero(declined & free).tolist():
        tell(k, "uncertain", float(probability[k]), comment="the model does not know")
    for k, relation in subsumed(one.pairs, stands):
        if said[k] < 0 and not declined[k]:
            tell(k, "uncertain", float(probability[k]), relation, KIND_OF)
    settings, reasoners = _settings(matcher), {known.source.reasoner, known.target.reasoner}
    if told := ", ".join(sorted(reasoners - {""})):
        settings["reasoner"] = told
    return Mapping(
        tuple(sorted(found, key=order_of)),
        known.source.iri, known.target.iri, known.source.name, known.target.name,
        f"tamis {__version__}", settings, tuple(_remarks(matcher)),
    )  # fmt: skip


def standing_pairs(
    matcher: OntologyMatcher, rows: np.ndarray, probability: np.ndarray, said: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of the model's that stand, and those that a person settled, (n,) bool.

    Settled is what a person spoke of and, where a class is mapped once, whatever shares a class
    with a match.
    """
    settled = said >= 0
    if matcher.assignment != "none":
        for side in (0, 1):
            settled |= np.isin(rows[:, side], rows[said == 1, side])
    closed = settled | declined_pairs(matcher, probability)
    value = np.where(closed, 0, worth(probability, matcher.model_.threshold))
    return assign(rows, value, matcher.assignment), settled


def declined_pairs(matcher: OntologyMatcher, probability: np.ndarray) -> np.ndarray:
    """Pairs on which deciding is expected to cost more than declining (Chow 1970)."""
    if matcher.reject is None:
        return np.zeros(len(probability), dtype=bool)
    from .._core.interfaces import RuleInput
    from ..classifiers.rejection.cost import Cost

    codes = (probability >= matcher.model_.threshold).astype(np.int64)
    proba = np.column_stack([1 - probability, probability])
    costs = None if matcher.costs is None else matcher._costs().values
    return ~Cost(matcher.reject).accepts(RuleInput(proba.max(axis=1), codes, proba, costs))


def _settings(matcher: OntologyMatcher) -> dict[str, str]:
    (matches, others), learner = matcher.n_labels_, matcher.learner
    by_names = f" ({matcher.n_seeds_:,} of them by nearly equal names)" if matcher.n_seeds_ else ""
    return {
        "learner": learner if isinstance(learner, str) else type(learner).__name__,
        "similarities": ", ".join(matcher.model_.names),
        "threshold": f"{matcher.model_.threshold:.3g}",
        "assignment": ASSIGNMENTS[matcher.assignment],
        "relaxation": f"{matcher.relaxation:g}",
        "learned from": f"{matches:,} matches{by_names} and {others:,} other pairs",
    }


def _remarks(matcher: OntologyMatcher) -> list[str]:
    found = []
    taught, seeds = matcher.n_labels_[0], matcher.n_seeds_
    if seeds and taught - seeds >= FEW_TAUGHT:
        found.append(
            f"{taught - seeds} matches known; pairs of nearly equal names taught the model as well"
        )
    elif seeds:
        known = plural(taught - seeds, "match", "matches") if taught > seeds else "no match"
        found.append(
            f"{known} known: pairs of nearly equal names taught the model, and it may have learned "
            "little about others; label some pairs"
        )
    if taught < FEW_TAUGHT:
        little = "the vocabularies may have little in common, and " if seeds else ""
        found.append(
            f"only {plural(taught, 'match', 'matches')} taught the model: {little}the mapping may "
            "be chance"
        )
    return found

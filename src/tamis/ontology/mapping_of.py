"""Probabilities of candidates become a mapping."""

from __future__ import annotations

from collections.abc import Mapping as Dict
from collections.abc import Sequence

import numpy as np

from .. import __version__
from .._core.errors import counted_noun
from .correspondence import Correspondence, Status
from .examples import Examples
from .mapping import Mapping
from .mapping_files.reading import order_of
from .pair_decision import PairDecision
from .subsumption import subsumed_pairs

KIND_OF = "a kind of the other, by its name"
FEW_TAUGHT = 10  # matches, seeds with them, below which a model is hardly better than chance


def mapping_of(
    one: Examples,
    X: np.ndarray,
    probability: np.ndarray,
    decision: PairDecision,
    *,
    names: Sequence[str],
    settings: Dict[str, str],
    remarks: Sequence[str],
) -> Mapping:
    """What a person said stands; of the rest, what passes the threshold and is assigned.

    `X` has a column for each of the similarities `names`; settings and remarks are kept as they
    are.
    """
    known, rows, said = one.known, one.pairs.rows, one.said
    stands, settled = decision.standing_pairs(rows, probability, said)
    stands |= said == 1
    declined = decision.declined_pairs(probability) & ~settled
    found: list[Correspondence] = []

    def add_pair(k: int, status: Status, confidence: float, relation="=", comment="") -> None:
        i, j = rows[k].tolist()
        evidence = {
            name: None if np.isnan(x) else round(float(x), 4)
            for name, x in zip(names, X[k], strict=True)
        }
        found.append(
            Correspondence(
                known.source.iris[i],
                known.target.iris[j],
                relation,
                round(confidence, 6),
                status,
                known.source.labels[i],
                known.target.labels[j],
                evidence,
                comment,
            )
        )

    for k in np.flatnonzero(stands).tolist():
        if said[k] == 1:
            add_pair(k, "accepted", 1.0)
        else:
            add_pair(k, "mapped", float(probability[k]))
    for k in np.flatnonzero(said == 0).tolist():
        i, j = rows[k].tolist()
        relation = known.beside.get((i, j), "?")
        if relation == "?":
            add_pair(k, "refused", 1.0)
        else:
            add_pair(k, "accepted", 1.0, relation)
    free = ~np.isin(rows[:, 0], rows[stands, 0]) & ~np.isin(rows[:, 1], rows[stands, 1])
    for k in np.flatnonzero(declined & free).tolist():
        add_pair(k, "uncertain", float(probability[k]), comment="the model does not know")
    for k, relation in subsumed_pairs(one.pairs, stands):
        if said[k] < 0 and not declined[k]:
            add_pair(k, "uncertain", float(probability[k]), relation, KIND_OF)
    reasoners = {known.source.reasoner, known.target.reasoner} - {""}
    by_reasoner = {"reasoner": ", ".join(sorted(reasoners))} if reasoners else {}
    return Mapping(
        tuple(sorted(found, key=order_of)),
        known.source.iri,
        known.target.iri,
        known.source.name,
        known.target.name,
        f"tamis {__version__}",
        {**settings, **by_reasoner},
        tuple(remarks),
    )


def teaching_remarks(taught: int, seeds: int) -> list[str]:
    """The messages about the number of matches that taught the model, of which some were seeds."""
    found = []
    if seeds and taught - seeds >= FEW_TAUGHT:
        found.append(
            f"{taught - seeds} matches known; pairs of nearly equal names taught the model as well"
        )
    elif seeds:
        known = counted_noun(taught - seeds, "match", "matches") if taught > seeds else "no match"
        found.append(
            f"{known} known: pairs of nearly equal names taught the model, and it may have learned "
            "little about others; label some pairs"
        )
    if taught < FEW_TAUGHT:
        little = "the vocabularies may have little in common, and " if seeds else ""
        found.append(
            f"only {counted_noun(taught, 'match', 'matches')} taught the model: {little}the "
            "mapping may be chance"
        )
    return found

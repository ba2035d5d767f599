"""What kind of error each wrong and each missed pair is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from .correspondence import Correspondence

Pair = tuple[str, str]
MISSED_REASONS: dict[str, str] = {  # of the reference alone; the first that applies
    "refused": "a person refused the pair",
    "relation": "the pair is there as broader or narrower",
    "uncertain": "the pair is there as uncertain",
    "mapped elsewhere": "the source has another target",
    "target taken": "the source has no target, and the target another source",
    "not mapped": "neither side is mapped",
}
WRONG_REASONS: dict[str, str] = {  # of the mapping alone
    "relation": "the reference has the pair as broader or narrower",
    "wrong target": "the reference has another target for the source",
    "wrong source": "the reference has another source for the target only",
    "not in reference": "the reference has neither side",
}


class MappingError(NamedTuple):
    """A pair that is in the mapping or in the reference alone.

    Attributes
    ----------
    error : {"missed", "wrong"}
    kind : str
        A key of `MISSED_REASONS` or `WRONG_REASONS`.
    source, target : str
        IRIs of the pair.
    instead : str
        What stands on the other side instead, of a missed pair in the mapping, of a wrong one in
        the reference: a target, or a source for the kinds "target taken" and "wrong source"; for
        "relation" its sign. Empty if nothing does.
    confidence : float
        That of a wrong pair; of a missed one NaN.
    source_label, target_label : str
        Empty where the files have none and the ontologies are not given.
    """

    error: str
    kind: str
    source: str
    target: str
    instead: str
    confidence: float
    source_label: str = ""
    target_label: str = ""


def errors_of(
    found: Mapping[Pair, Correspondence],
    reference: Mapping[Pair, Correspondence],
    beside: Iterable[Correspondence],
    beside_reference: Iterable[Correspondence],
) -> list[MappingError]:
    """All errors: the missed ones, then the wrong ones, each by name.

    Parameters
    ----------
    found, reference : mapping of pair to Correspondence
        What is compared.
    beside, beside_reference : iterable of Correspondence
        What else mapping and reference say: other relations, refused and uncertain pairs.
    """
    said = {(c.source, c.target): c for c in beside}
    meant = {(c.source, c.target): c for c in beside_reference}
    targets, sources = _first_partners(found), _first_partners((b, a) for a, b in found)
    true_targets, true_sources = (
        _first_partners(reference),
        _first_partners((b, a) for a, b in reference),
    )
    errors = []
    for a, b in sorted(reference.keys() - found.keys()):
        kind, instead = _first_reason(
            [
                *_statements_on_pair(said.get((a, b))),
                ("mapped elsewhere", targets.get(a)),
                ("target taken", sources.get(b)),
            ],
            "not mapped",
        )
        labels = reference[a, b].source_label, reference[a, b].target_label
        errors.append(MappingError("missed", kind, a, b, instead, float("nan"), *labels))
    for a, b in sorted(found.keys() - reference.keys()):
        kind, instead = _first_reason(
            [
                ("relation", _other_relation(meant.get((a, b)))),
                ("wrong target", true_targets.get(a)),
                ("wrong source", true_sources.get(b)),
            ],
            "not in reference",
        )
        one = found[a, b]
        labels = one.source_label, one.target_label
        errors.append(MappingError("wrong", kind, a, b, instead, one.confidence, *labels))
    return errors


def _statements_on_pair(one: Correspondence | None) -> list[tuple[str, str | None]]:
    """What the mapping says of a pair that it does not have as equivalent."""
    if one is None:
        return []
    if one.status in ("refused", "uncertain"):
        return [(one.status, one.relation)]
    return [("relation", one.relation)]


def _other_relation(one: Correspondence | None) -> str | None:
    return one.relation if one and one.relation != "=" else None


def _first_partners(pairs: Iterable[Pair]) -> dict[str, str]:
    """The first partner of each, by name."""
    found: dict[str, str] = {}
    for one, other in sorted(pairs):
        found.setdefault(one, other)
    return found


def _first_reason(candidates: Sequence[tuple[str, str | None]], otherwise: str) -> tuple[str, str]:
    return next(((kind, detail) for kind, detail in candidates if detail), (otherwise, ""))

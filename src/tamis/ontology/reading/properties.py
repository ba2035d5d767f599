"""Properties with their domains and ranges, and what restrictions say of classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..ontology_data import NO_FILLER, Property, PropertyKind, Restriction
from .facts import Facts, is_blank
from .names import label_of, local_name
from .vocabulary import (
    DOMAIN,
    EQUIVALENT,
    FILLER_PREDICATES,
    INTERSECTION,
    LITERAL_TYPES,
    ON_PROPERTY,
    PROPERTY_TYPES,
    RANGE,
    SUBCLASS,
    TYPE,
    UNION,
)

KIND_ORDER = ("object", "data", "annotation", "")  # which of several kinds counts


def read_properties(facts: Facts, position: Mapping[str, int]) -> tuple[Property, ...]:
    """Every declared property, by IRI."""
    kinds: dict[str, str] = {}
    for node in facts.subjects(TYPE):
        if is_blank(node):
            continue
        said = [PROPERTY_TYPES[t] for t in facts.nodes(node, TYPE) if t in PROPERTY_TYPES]
        if said:
            kinds[node] = min(said, key=KIND_ORDER.index)
    found = []
    for iri in sorted(kinds):
        domains, _ = _named_classes_of(facts, iri, DOMAIN, position)
        ranges, datatypes = _named_classes_of(facts, iri, RANGE, position)
        kind = kinds[iri] or ("object" if ranges else "data" if datatypes else "annotation")
        found.append(
            Property(iri, label_of(facts, iri), _property_kind(kind), domains, ranges, datatypes)
        )
    return tuple(found)


def _property_kind(word: str) -> PropertyKind:
    return "object" if word == "object" else "data" if word == "data" else "annotation"


def _named_classes_of(
    facts: Facts, iri: str, name: str, position: Mapping[str, int]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Classes, and datatypes, of a domain or range; of a union each."""
    nodes = [one for value in facts.nodes(iri, name) for one in _union_members(facts, value)]
    classes = {position[node] for node in nodes if node in position}
    types = {
        local_name(node)
        for node in nodes
        if node not in position and node.startswith(LITERAL_TYPES)
    }
    return tuple(sorted(classes)), tuple(sorted(types))


def _union_members(facts: Facts, node: str) -> Iterator[str]:
    """A named class, or the named members of a union."""
    if not is_blank(node):
        yield node
    for head in facts.nodes(node, UNION) if is_blank(node) else ():
        yield from (one for one in facts.members(head) if not is_blank(one))


def read_restrictions(
    facts: Facts, position: Mapping[str, int], properties: Mapping[str, int]
) -> tuple[Restriction, ...]:
    """Restrictions above or equivalent to named classes, also inside intersections."""
    found: set[Restriction] = set()
    for owner, at in position.items():
        for node in _class_expressions(facts, owner):
            for name in facts.nodes(node, ON_PROPERTY):
                if name in properties:
                    fillers = _restriction_fillers(facts, node, position) or {NO_FILLER}
                    found |= {Restriction(at, properties[name], k) for k in fillers}
    return tuple(sorted(found))


def _class_expressions(facts: Facts, owner: str) -> Iterator[str]:
    """Unnamed classes that a class is below or equal to; of intersections all members."""
    waiting = [
        node
        for name in (SUBCLASS, EQUIVALENT)
        for node in facts.nodes(owner, name)
        if is_blank(node)
    ]
    waiting += [m for head in facts.nodes(owner, INTERSECTION) for m in facts.members(head)]
    seen = set()
    while waiting:
        node = waiting.pop()
        if is_blank(node) and node not in seen:
            seen.add(node)
            yield node
            waiting += [m for head in facts.nodes(node, INTERSECTION) for m in facts.members(head)]


def _restriction_fillers(facts: Facts, node: str, position: Mapping[str, int]) -> set[int]:
    """Named classes that the values of a restriction are of."""
    return {
        position[one]
        for name in FILLER_PREDICATES
        for value in facts.nodes(node, name)
        for one in _union_members(facts, value)
        if one in position
    }

"""What a reasoner is given of an ontology: its axioms, without a word of its authors.

Names in a file can be any text, and a reasoner needs none of them, so each becomes a number:
``urn:c:7`` is the class at position 7, ``urn:n:12`` anything else. Annotations, imports, rules and
the data of individuals are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..ontology import Ontology
from .facts import BLANK_NODE_PREFIX, Facts, Text, Value
from .names import local_name
from .vocabulary import (
    DISJOINT,
    DOMAIN,
    FILLER_PREDICATES,
    FIRST,
    INDIVIDUAL,
    ON_PROPERTY,
    ONTOLOGY_TYPES,
    OWL,
    RANGE,
    RDF,
    RDFS,
    REST,
    SUBCLASS,
    SUBPROPERTY,
    TRANSITIVE,
    TYPE,
    XSD,
)

CARDINALITY_PREDICATES = frozenset(
    OWL + name
    for name in (
        "minCardinality",
        "maxCardinality",
        "cardinality",
        "minQualifiedCardinality",
        "maxQualifiedCardinality",
        "qualifiedCardinality",
    )
)
BASIC_PREDICATES = frozenset(
    (FIRST, REST, SUBCLASS, SUBPROPERTY, DOMAIN, RANGE, DISJOINT, ON_PROPERTY)
)
AXIOM_PREDICATES = BASIC_PREDICATES | CARDINALITY_PREDICATES | {
    OWL + name for name in (
        "equivalentClass", "complementOf", "unionOf", "intersectionOf", "oneOf", "disjointUnionOf",
        "someValuesFrom", "allValuesFrom", "hasValue", "hasSelf", "onClass", "onDataRange",
        "onDatatype", "withRestrictions", "datatypeComplementOf", "inverseOf",
        "propertyChainAxiom", "equivalentProperty", "propertyDisjointWith", "members",
        "distinctMembers", "sameAs", "differentFrom", "sourceIndividual", "assertionProperty",
        "targetIndividual",
    )
} | {
    XSD + name for name in (
        "minInclusive", "maxInclusive", "minExclusive", "maxExclusive", "length", "minLength",
        "maxLength",
    )
}  # fmt: skip
AXIOM_TYPES = frozenset((INDIVIDUAL, TRANSITIVE, RDFS + "Datatype")) | {
    OWL + name
    for name in (
        "Class",
        "Restriction",
        "DataRange",
        "AllDisjointClasses",
        "AllDifferent",
        "AllDisjointProperties",
        "NegativePropertyAssertion",
        "FunctionalProperty",
        "InverseFunctionalProperty",
        "SymmetricProperty",
        "AsymmetricProperty",
        "ReflexiveProperty",
        "IrreflexiveProperty",
    )
}
PROPERTY_TYPES = {"object": OWL + "ObjectProperty", "data": OWL + "DatatypeProperty"}
# what is called so means the same in every file, whatever it declares
STANDARD_IRI_PATTERN = re.compile(
    "(?:" + "|".join(map(re.escape, (OWL, RDF, RDFS, XSD))) + ")[A-Za-z]+"
)
CLASS_PREFIX, NAME_PREFIX = "urn:c:", "urn:n:"
NUMBERED_IRI_PATTERN = re.compile("<urn:[cn]:[0-9]+>")


class Axioms:
    """The axioms of an ontology as lines of N-Triples, and what its numbers stand for.

    Parameters
    ----------
    facts : Facts
        Read with `axioms`.
    ontology : Ontology
        Made of them.
    """

    def __init__(self, facts: Facts, ontology: Ontology) -> None:
        self.facts, self.ontology = facts, ontology
        self.nodes: dict[str, str] = {}  # of N-Triples, by IRI or blank node
        self.kinds = {
            one.iri: PROPERTY_TYPES[one.kind]
            for one in ontology.properties
            if one.kind in PROPERTY_TYPES
        }
        for restriction in facts.subjects(ON_PROPERTY):
            fillers = [one for name in FILLER_PREDICATES for one in facts.nodes(restriction, name)]
            kind = "data" if any(one.startswith(XSD) for one in fillers) else "object"
            for one in facts.nodes(restriction, ON_PROPERTY):  # perhaps of another ontology
                self.kinds.setdefault(one, PROPERTY_TYPES[kind])

    def lines(self) -> Iterator[str]:
        """The full text, by lines."""
        yield f"<urn:o> <{TYPE}> <{ONTOLOGY_TYPES[0]}> .\n"
        for iri in self.ontology.iris:
            if not STANDARD_IRI_PATTERN.fullmatch(iri):
                yield f"{self._node(iri)} <{TYPE}> <{OWL}Class> .\n"
        for iri, kind in self.kinds.items():
            yield f"{self._node(iri)} <{TYPE}> <{kind}> .\n"
        for predicate, found in self.facts.found.items():
            for subject, values in found.items():
                for value in values:
                    if (line := self._line(subject, predicate, value)) is not None:
                        yield line

    def named(self, text: str) -> str:
        """A message of a reasoner with local names instead of numbers."""
        names = {node: local_name(iri) for iri, node in self.nodes.items()}
        return NUMBERED_IRI_PATTERN.sub(lambda one: names.get(one[0], one[0]), text)

    def _line(self, subject: str, predicate: str, value: Value) -> str | None:
        """A statement; None if it is no axiom."""
        about = self._node(subject)
        if predicate == TYPE:
            if not (type(value) is str and self._is_type(value)):
                return None
        elif predicate in (DOMAIN, RANGE, SUBPROPERTY):
            if subject not in self.kinds:  # an annotation property
                return None
        elif predicate not in AXIOM_PREDICATES and (
            self.kinds.get(predicate) != PROPERTY_TYPES["object"] or type(value) is not str
        ):
            return None
        if isinstance(value, Text):
            datatype = value.datatype
            if predicate in CARDINALITY_PREDICATES:
                datatype = XSD + "nonNegativeInteger"
            elif not datatype.startswith(XSD):
                datatype = XSD + "string"
            node = f"{json.dumps(value.value, ensure_ascii=False)}^^<{datatype}>"
        else:
            node = self._node(value)
        return f"{about} {self._node(predicate)} {node} .\n"

    def _is_type(self, node: str) -> bool:
        """Whether being of it says anything: a class, or a word of OWL."""
        known = node in self.ontology.position and not STANDARD_IRI_PATTERN.fullmatch(node)
        return known or node in AXIOM_TYPES or node.startswith(BLANK_NODE_PREFIX)

    def _node(self, iri: str) -> str:
        """A node of N-Triples."""
        if (found := self.nodes.get(iri)) is None:
            at = self.ontology.position.get(iri)
            if STANDARD_IRI_PATTERN.fullmatch(iri):
                found = f"<{iri}>"
            elif iri.startswith(BLANK_NODE_PREFIX):
                found = f"_:b{len(self.nodes)}"
            else:
                found = (
                    f"<{NAME_PREFIX}{len(self.nodes)}>" if at is None else f"<{CLASS_PREFIX}{at}>"
                )
            self.nodes[iri] = found
        return found

"""Which statements a reader looks at, and what they say of a class.

Where a row names several properties, those that come first are preferred.
"""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
OBO = "http://purl.obolibrary.org/obo/"
EFO = "http://www.ebi.ac.uk/efo/"

TYPE, FIRST, REST, NIL = RDF + "type", RDF + "first", RDF + "rest", RDF + "nil"
LABEL, SUBCLASS = RDFS + "label", RDFS + "subClassOf"
SUBPROPERTY, DISJOINT = RDFS + "subPropertyOf", OWL + "disjointWith"
TRANSITIVE = OWL + "TransitiveProperty"
BROADER, NARROWER = SKOS + "broader", SKOS + "narrower"
EQUIVALENT, INTERSECTION, UNION = (
    OWL + "equivalentClass",
    OWL + "intersectionOf",
    OWL + "unionOf",
)
DOMAIN, RANGE, ON_PROPERTY = RDFS + "domain", RDFS + "range", OWL + "onProperty"
FILLER_PREDICATES = tuple(OWL + name for name in ("someValuesFrom", "allValuesFrom", "onClass"))
DEPRECATED, IMPORTS = OWL + "deprecated", OWL + "imports"
AXIOM_SOURCE, AXIOM_PROPERTY, AXIOM_TARGET = (
    OWL + name for name in ("annotatedSource", "annotatedProperty", "annotatedTarget")
)

LABEL_PREDICATES = (LABEL, SKOS + "prefLabel", SKOS_XL + "prefLabel")
SYNONYM_PREDICATES = (
    SKOS + "altLabel",
    SKOS_XL + "altLabel",
    OBO_IN_OWL + "hasExactSynonym",
    OBO_IN_OWL + "hasSynonym",
    OBO + "IAO_0000118",
    EFO + "alternative_term",
)
RELATED_NAMES = (
    SKOS + "hiddenLabel",
    SKOS_XL + "hiddenLabel",
    *(OBO_IN_OWL + f"has{kind}Synonym" for kind in ("Related", "Broad", "Narrow")),
)
DEFINITION_PREDICATES = (
    OBO + "IAO_0000115",
    SKOS + "definition",
    OBO_IN_OWL + "hasDefinition",
    EFO + "definition",
    RDFS + "comment",
)
# text of a node
NODE_TEXT_PREDICATES = (LABEL, SKOS_XL + "literalForm", RDF + "value", SKOS + "prefLabel")

CLASS_TYPES = (OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass", SKOS + "Concept")
PROPERTY_TYPES = {
    OWL + "ObjectProperty": "object",
    OWL + "SymmetricProperty": "object",
    OWL + "TransitiveProperty": "object",
    OWL + "InverseFunctionalProperty": "object",
    OWL + "DatatypeProperty": "data",
    OWL + "AnnotationProperty": "annotation",
    OWL + "FunctionalProperty": "",  # its range decides
    RDF + "Property": "",
}
ONTOLOGY_TYPES = (OWL + "Ontology", SKOS + "ConceptScheme")
INDIVIDUAL = OWL + "NamedIndividual"
OBSOLETE_CLASS = OBO_IN_OWL + "ObsoleteClass"
NO_CLASSES = frozenset(  # of every ontology, or of a format: they have no meaning to map
    (OWL + "Thing", OWL + "Nothing", RDFS + "Resource", RDFS + "Class", RDFS + "Literal")
) | {
    OBO_IN_OWL + name
    for name in (
        "DbXref",
        "Definition",
        "ObsoleteClass",
        "Subset",
        "Synonym",
        "SynonymType",
    )
}
LITERAL_TYPES = (
    XSD,
    RDFS + "Literal",
    RDF + "PlainLiteral",
    RDF + "langString",
    RDF + "XMLLiteral",
)

KEPT_PREDICATES = frozenset((
    TYPE, FIRST, REST, SUBCLASS, BROADER, NARROWER, EQUIVALENT, INTERSECTION, UNION, DOMAIN, RANGE,
    ON_PROPERTY, *FILLER_PREDICATES, DEPRECATED, IMPORTS, AXIOM_SOURCE, AXIOM_PROPERTY,
    AXIOM_TARGET, *LABEL_PREDICATES, *SYNONYM_PREDICATES, *RELATED_NAMES, *DEFINITION_PREDICATES,
    *NODE_TEXT_PREDICATES,
))  # fmt: skip
NAME_PREDICATES = frozenset(
    (*LABEL_PREDICATES, *SYNONYM_PREDICATES, *RELATED_NAMES, *DEFINITION_PREDICATES)
)

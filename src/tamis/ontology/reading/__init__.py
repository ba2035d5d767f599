"""Files of ontologies: RDF/XML, Turtle, N-Triples, JSON-LD, OBO and prepared indexes."""

from .read import read_ontology

__all__ = ["read_ontology"]

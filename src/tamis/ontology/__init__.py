"""Vocabularies: read them, find which classes of two of them mean the same, and say why."""

from .mapping import Correspondence, Mapping
from .ontology import Individual, Ontology, OntologyClass, Property, Restriction
from .reading import read_ontology

__all__ = [
    "Correspondence",
    "Individual",
    "Mapping",
    "Ontology",
    "OntologyClass",
    "Property",
    "Restriction",
    "read_ontology",
]

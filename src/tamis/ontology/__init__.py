"""Vocabularies: read them, find which classes of two of them mean the same, and say why.

What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:  # what `__getattr__` gives
    from .candidates import Candidates, candidate_pairs
    from .evaluation import MappingEvaluation, evaluate_mapping, pooled
    from .explanation import Explanation
    from .mapping import Correspondence, Mapping
    from .mapping_files import read_mapping
    from .matcher import OntologyMatcher
    from .named_classes import resolve
    from .ontology import Individual, Ontology, OntologyClass, Property, Restriction
    from .reading import read_ontology

_HOME = {
    "Candidates": "candidates",
    "Correspondence": "mapping",
    "Explanation": "explanation",
    "Individual": "ontology",
    "Mapping": "mapping",
    "MappingEvaluation": "evaluation",
    "Ontology": "ontology",
    "OntologyClass": "ontology",
    "OntologyMatcher": "matcher",
    "Property": "ontology",
    "Restriction": "ontology",
    "candidate_pairs": "candidates",
    "evaluate_mapping": "evaluation",
    "pooled": "evaluation",
    "read_mapping": "mapping_files",
    "read_ontology": "reading",
    "resolve": "named_classes",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)

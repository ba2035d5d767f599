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
    from .known_pair_files import known_pairs
    from .mapping import Correspondence, Mapping
    from .mapping_files import read_mapping
    from .matcher import OntologyMatcher
    from .named_classes import resolve
    from .ontology import Individual, Ontology, OntologyClass, Property, Restriction
    from .reading import read_ontology
    from .review import questions
    from .review_sheet import read_sheet, write_sheet

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
    "known_pairs": "known_pair_files",
    "pooled": "evaluation",
    "questions": "review",
    "read_mapping": "mapping_files",
    "read_ontology": "reading",
    "read_sheet": "review_sheet",
    "resolve": "named_classes",
    "write_sheet": "review_sheet",
}
__all__ = list(_HOME)


__getattr__ = lazy_names(__name__, _HOME)

"""Vocabularies: read them, find which classes of two of them mean the same, and say why.

What is here is imported when it is used.
"""

# ruff: noqa: F401 (names for type checkers)
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

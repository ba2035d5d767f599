"""Vocabularies: read them, find which classes of two of them mean the same, and say why."""

from typing import TYPE_CHECKING

from .._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .candidates import Candidates as Candidates
    from .candidates import candidate_pairs as candidate_pairs
    from .correspondence import Correspondence as Correspondence
    from .evaluation import MappingEvaluation as MappingEvaluation
    from .evaluation import evaluate_mapping as evaluate_mapping
    from .evaluation import pooled as pooled
    from .explanation import Explanation as Explanation
    from .known_pair_files import known_pairs as known_pairs
    from .mapping import Mapping as Mapping
    from .mapping import read_mapping as read_mapping
    from .matcher import OntologyMatcher as OntologyMatcher
    from .named_classes import resolve as resolve
    from .ontology import Ontology as Ontology
    from .ontology import OntologyClass as OntologyClass
    from .ontology_data import Individual as Individual
    from .ontology_data import Property as Property
    from .ontology_data import Restriction as Restriction
    from .reading import read_ontology as read_ontology
    from .review import questions as questions
    from .review_sheet import read_sheet as read_sheet
    from .review_sheet import write_sheet as write_sheet
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)

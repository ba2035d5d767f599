"""Files of ontologies: RDF/XML, Turtle, N-Triples, JSON-LD, OBO and prepared indexes."""

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .read import read_ontology as read_ontology
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)

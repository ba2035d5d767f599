"""The words of SSSOM: which predicate is which relation, and who justified a mapping."""

from __future__ import annotations

from ..correspondence import Relation
from .curies import BUILT_IN

SKOS, OWL, RDFS, SEMAPV, SSSOM = (
    BUILT_IN[prefix] for prefix in ("skos", "owl", "rdfs", "semapv", "sssom")
)
RELATIONS: dict[str, Relation] = {
    f"{SKOS}exactMatch": "=",
    f"{SKOS}broadMatch": "<",
    f"{SKOS}narrowMatch": ">",
    f"{OWL}equivalentClass": "=",
    f"{OWL}sameAs": "=",
    f"{RDFS}subClassOf": "<",
    f"{SSSOM}superClassOf": ">",
    f"{SEMAPV}crossSpeciesExactMatch": "=",
    f"{SEMAPV}crossSpeciesBroadMatch": "<",
    f"{SEMAPV}crossSpeciesNarrowMatch": ">",
}
PREDICATES: dict[Relation, str] = {
    "=": "skos:exactMatch",
    "<": "skos:broadMatch",
    ">": "skos:narrowMatch",
}
OF_PROPERTIES = {f"{OWL}equivalentProperty", f"{RDFS}subPropertyOf"}
OTHER_TYPES = {  # of a subject or object that is no class
    "owl object property",
    "owl data property",
    "owl annotation property",
    "owl named individual",
    "rdfs literal",
    "rdfs datatype",
    "rdf property",
}
NO_TERM = f"{SSSOM}NoTermFound"
BY_MODEL = "semapv:CompositeMatching"
BY_A_PERSON = "semapv:ManualMappingCuration"
# the last before SSSOM 0.9.1
PERSON_JUSTIFICATIONS = {BY_A_PERSON, "semapv:MappingReview", "HumanCurated"}

# Slots of a mapping set, in the schema's order. Settings of a mapping have the names of those that
# are kept as they are.
SET_SLOTS = (
    "curie_map",
    "mapping_set_id",
    "mapping_set_version",
    "mapping_set_title",
    "mapping_set_description",
    "creator_id",
    "creator_label",
    "license",
    "subject_source",
    "subject_source_version",
    "object_source",
    "object_source_version",
    "mapping_provider",
    "mapping_tool",
    "mapping_tool_version",
    "mapping_date",
    "publication_date",
    "other",
    "comment",
    "extension_definitions",
)
KEPT_SLOTS = (
    "mapping_set_id",
    "mapping_set_version",
    "mapping_set_title",
    "mapping_set_description",
    "creator_label",
    "license",
    "subject_source_version",
    "object_source_version",
    "mapping_provider",
    "mapping_date",
    "publication_date",
)
MULTIPLE_VALUED_SLOTS = ("creator_id", "creator_label")  # slots with several values
SSSOM_SLOTS = (
    "subject_id",
    "subject_label",
    "predicate_id",
    "predicate_modifier",
    "object_id",
    "object_label",
    "mapping_justification",
    "confidence",
    "comment",
)
NUMBER_TYPE = f"{BUILT_IN['xsd']}double"
EXTENSION_PREFIX = "ext_"  # no slot of the standard begins so

"""Statements of a file -> the columns of an `Ontology`."""

from __future__ import annotations

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ...data.limits import refuse_many
from ..ontology import Ontology
from .facts import Facts, is_blank
from .hierarchy import asserted_parents
from .individuals import read_individuals
from .limits import CLASSES_LIMIT, NAME_LIMIT
from .names import cut_names, definition_of, in_words, local_name, names_of
from .properties import read_properties, read_restrictions
from .vocabulary import (
    CLASS_TYPES,
    DEPRECATED,
    IMPORTS,
    NO_CLASSES,
    OBSOLETE_CLASS,
    ONTOLOGY_TYPES,
    OWL,
    SUBCLASS,
    TYPE,
)


def build_ontology(facts: Facts, name: str) -> Ontology:
    """The ontology that statements make, in an order that no format changes.

    Raises
    ------
    DataError
        There is no class, or there are too many.
    """
    facts.take_annotated()
    iris = sorted(_declared_classes(facts))
    if not iris:
        raise DataError(
            f"{name!r} holds no class (owl:Class, rdfs:Class, skos:Concept or [Term]): give an "
            "ontology, and no mapping or data set"
        )
    refuse_many(len(iris), CLASSES_LIMIT, "classes", name)
    position = {iri: at for at, iri in enumerate(iris)}
    properties = read_properties(facts, position)
    property_position = {one.iri: at for at, one in enumerate(properties)}
    remarks = list(facts.remarks)
    parents, hierarchy_remarks = asserted_parents(facts, position)

    local = [local_name(iri) for iri in iris]
    names = [names_of(facts, iri) for iri in iris]
    labels, cut = [], 0
    synonyms, related = [], []
    for at, one in enumerate(names):
        (label,), first = cut_names([one.label or in_words(local[at])])
        same, second = cut_names(one.synonyms)
        others, third = cut_names(one.related)
        cut += first + second + third
        labels.append(label)
        synonyms.append(same)
        related.append(others)
    labelled = np.array([bool(one.label) for one in names])
    if without := int((~labelled).sum()):
        remarks.append(
            f"{without:,} of {counted_noun(len(iris), 'class', 'classes')} without a label: the "
            "local name, in words, stands for it"
        )
    if cut:
        remarks.append(
            f"{counted_noun(cut, 'name')} of more than {NAME_LIMIT.value:,} letters: cut there; "
            f"{NAME_LIMIT.more}"
        )
    imports = sorted({v for node in facts.subjects(IMPORTS) for v in facts.nodes(node, IMPORTS)})
    if imports:
        remarks.append(
            f"{counted_noun(len(imports), 'import')} not read ({listed_names(imports, 2)}): merge "
            "them into the file if their classes are needed"
        )
    return Ontology(
        name=name,
        iri=_ontology_iri(facts) or name,
        iris=tuple(iris),
        labels=tuple(labels),
        local_names=tuple(local),
        definitions=tuple(definition_of(facts, iri) for iri in iris),
        synonyms=tuple(synonyms),
        related=tuple(related),
        parents=parents,
        labelled=labelled,
        obsolete=np.array([_is_obsolete(facts, iri) for iri in iris]),
        properties=properties,
        individuals=read_individuals(facts, position, property_position),
        restrictions=read_restrictions(facts, position, property_position),
        remarks=(*remarks, *hierarchy_remarks),
    )


def _declared_classes(facts: Facts) -> set[str]:
    """Named nodes that are declared as classes, or stated to be below one."""
    declared = {
        node
        for node in facts.subjects(TYPE)
        if any(one in CLASS_TYPES for one in facts.nodes(node, TYPE))
    }
    found = declared | set(facts.subjects(SUBCLASS))
    return {node for node in found if not is_blank(node)} - NO_CLASSES


def _is_obsolete(facts: Facts, iri: str) -> bool:
    """Deprecated, or below the class of what is obsolete."""
    said = any(
        getattr(value, "value", "").strip().lower() in ("true", "1")
        for value in facts.values(iri, DEPRECATED)
    )
    return (
        said
        or OWL + "DeprecatedClass" in facts.nodes(iri, TYPE)
        or OBSOLETE_CLASS in facts.nodes(iri, SUBCLASS)
    )


def _ontology_iri(facts: Facts) -> str:
    """That of the ontology; of several the first in alphabetical order."""
    for kind in ONTOLOGY_TYPES:
        found = [
            s for s in facts.subjects(TYPE) if kind in facts.nodes(s, TYPE) and not is_blank(s)
        ]
        if found:
            return min(found)
    return ""

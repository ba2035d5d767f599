"""A class with what stands around it, in a few short texts: what a person needs to judge it."""

from __future__ import annotations

import textwrap

from typing_extensions import TypedDict

from .._core.errors import shorten_text
from .mapping import Mapping
from .ontology import Ontology

MAX_NAMES, MAX_NAME_LENGTH = 5, 80  # names, and letters of each
MAX_DEFINITION_LENGTH = 300  # letters


class ClassContext(TypedDict):
    """A class as a reviewer sees it.

    `parents` and `synonyms` are the first five, and how many more there are.
    """

    iri: str
    label: str
    parents: str
    synonyms: str
    definition: str


def class_context(ontology: Ontology, at: int) -> ClassContext:
    """The class at a position.

    Examples
    --------
    >>> from tamis.ontology.made_up import make_vocabularies
    >>> sorted(class_context(make_vocabularies(20, 20, 10).source, 0))
    ['definition', 'iri', 'label', 'parents', 'synonyms']
    """
    names = (*ontology.synonyms[at], *ontology.related[at])
    return {
        "iri": ontology.iris[at],
        "label": _plain_line(ontology.labels[at], 2 * MAX_NAME_LENGTH),
        "parents": _joined_names([ontology.labels[k] for k in ontology.parents[at]]),
        "synonyms": _joined_names(names),
        "definition": textwrap.shorten(
            ontology.definitions[at], MAX_DEFINITION_LENGTH, placeholder=" ..."
        ),
    }


class Contexts(TypedDict):
    """Classes of both ontologies, by their IRIs."""

    source: dict[str, ClassContext]
    target: dict[str, ClassContext]


def contexts_of(mapping: Mapping, source: Ontology, target: Ontology) -> Contexts:
    """Those of which a mapping speaks."""
    rows = mapping.correspondences
    sides = ((source, [c.source for c in rows]), (target, [c.target for c in rows]))
    found = [
        {iri: class_context(side, side.position[iri]) for iri in iris if iri in side}
        for side, iris in sides
    ]
    return {"source": found[0], "target": found[1]}


def _joined_names(names) -> str:
    joined = "; ".join(_plain_line(name, MAX_NAME_LENGTH) for name in names[:MAX_NAMES])
    return f"{joined}; and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else joined


def _plain_line(text: str, longest: int) -> str:
    """On one line."""
    return shorten_text(" ".join(text.split()), longest)

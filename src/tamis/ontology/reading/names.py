"""Labels, synonyms and definitions of a node."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from .facts import Facts, Text
from .limits import NAME_LIMIT
from .vocabulary import DEFINITION_PREDICATES, LABEL_PREDICATES, RELATED_NAMES, SYNONYM_PREDICATES

HUMP_PATTERN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Names(NamedTuple):
    """What a node is called: the label is empty where the file gives none."""

    label: str
    synonyms: tuple[str, ...]
    related: tuple[str, ...]


def names_of(facts: Facts, node: str) -> Names:
    """The preferred label of a node and its other names, each once and in alphabetical order."""
    labels = _ranked_texts(facts, node, LABEL_PREDICATES)
    label = labels[0] if labels else ""
    same = {*labels, *_ranked_texts(facts, node, SYNONYM_PREDICATES)} - {label}
    others = set(_ranked_texts(facts, node, RELATED_NAMES)) - same - {label}
    return Names(label, tuple(sorted(same)), tuple(sorted(others)))


def label_of(facts: Facts, node: str) -> str:
    """The preferred label, or the local name in words."""
    return next(iter(_ranked_texts(facts, node, LABEL_PREDICATES)), "") or in_words(
        local_name(node)
    )


def definition_of(facts: Facts, node: str) -> str:
    """The text of the property that says it best; of several texts the longest in English."""
    for name in DEFINITION_PREDICATES:
        texts = [
            (_is_foreign(t), -len(t.value), clean_line(t.value)) for t in facts.texts(node, name)
        ]
        if texts and (best := min(texts)[-1]):
            return best
    return ""


def _ranked_texts(facts: Facts, node: str, properties: Sequence[str]) -> list[str]:
    """Texts of properties: English ones or such without a language first, then by property.

    A file has no order of its own that every format keeps, so ties are broken by the text.
    """
    found = [
        (_is_foreign(text), at, text.language.lower(), name)
        for at, one in enumerate(properties)
        if facts.values(node, one)
        for text in facts.texts(node, one)
        if (name := clean_line(text.value))
    ]
    return list(dict.fromkeys(name for *_, name in sorted(found)))


def _is_foreign(text: Text) -> bool:
    """Whether a text says that it is in another language than English."""
    return bool(text.language) and text.language.lower().partition("-")[0] != "en"


def clean_line(text: str) -> str:
    """A text on one line, without blanks around it."""
    return " ".join(text.split())


def cut_names(names: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Names that are not too long to compare, and how many had to be cut."""
    most, cut, kept = NAME_LIMIT.value, 0, []
    for name in names:
        cut += len(name) > most
        kept.append(name[:most])
    return tuple(dict.fromkeys(kept)), cut


def local_name(iri: str) -> str:
    """What follows the last ``#`` or ``/`` of an IRI, or the last ``:``.

    Examples
    --------
    >>> local_name("http://purl.obolibrary.org/obo/MA_0000001"), local_name("urn:x:Heart")
    ('MA_0000001', 'Heart')
    >>> local_name("http://a.org/Heart/")
    'Heart'
    """
    stem = iri.rstrip("#/") or iri
    at = max(stem.rfind("#"), stem.rfind("/"))
    if at < 0:
        at = stem.rfind(":")
    return stem[at + 1 :] or stem


def in_words(name: str) -> str:
    """A local name as words.

    Examples
    --------
    >>> in_words("AcademicEvent"), in_words("has_an_ISBN"), in_words("XMLFile%20B")
    ('Academic Event', 'has an ISBN', 'XML File B')
    """
    words = HUMP_PATTERN.sub(" ", re.sub(r"[_+\s]+", " ", unquote(name)))
    return clean_line(words) or name

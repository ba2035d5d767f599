"""OBO files, of versions 1.0 to 1.4 and as they are met: a reader that goes on where it can.

Identifiers become the IRIs that OBO's mapping to OWL gives them (``MA:0000001`` is
http://purl.obolibrary.org/obo/MA_0000001), and tags the statements that OWL files make, so that all
else is common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from ..._core.errors import counted_noun
from ..._core.progress import Progress
from .facts import BLANK_NODE_PREFIX, Facts, Text
from .limits import longest_text, too_long
from .vocabulary import (
    DEPRECATED,
    DISJOINT,
    DOMAIN,
    EQUIVALENT,
    IMPORTS,
    INTERSECTION,
    LABEL,
    OBO,
    OBO_IN_OWL,
    ON_PROPERTY,
    OWL,
    RANGE,
    RDFS,
    SUBCLASS,
    SUBPROPERTY,
    TRANSITIVE,
    TYPE,
    UNION,
)

STANZA_PATTERN = re.compile(r"\[(\w+)\]\s*(?:!.*)?$")
YES_PATTERN = re.compile(r"(?i:true|yes|1)\b")
TAG_PATTERN = re.compile(r"([\w-]+)\s*:\s*(.*)$")
QUOTED_PATTERN = re.compile(r'"((?:[^"\\]|\\.)*)"(?=\s*(?:[\w:./-]+\s+){0,3}(?:\[|\{|!|$))')
LOOSE_QUOTES_PATTERN = re.compile(
    r'"(.*)"(?=\s*(?:[\w:./-]+\s+){0,3}\[)|"(.*)"'
)  # has quotes inside that are not escaped
ESCAPE_PATTERN = re.compile(r"\\(.)")
ESCAPED_CHARACTERS = {"n": " ", "t": " ", "W": " "}
SYNONYM_SCOPES = {"EXACT": "Exact", "BROAD": "Broad", "NARROW": "Narrow", "RELATED": "Related"}
OLD_SYNONYMS = {f"{scope.lower()}_synonym": name for scope, name in SYNONYM_SCOPES.items()}
STANZA_TYPES = {
    "Term": OWL + "Class",
    "Typedef": OWL + "ObjectProperty",
    "Instance": OWL + "NamedIndividual",
}
SUBSUMPTION_BY_STANZA = {"Term": SUBCLASS, "Typedef": SUBPROPERTY}
TRUE_TEXT = Text("true")


class Stanza(NamedTuple):
    """Tags and values of a term, or of the header."""

    kind: str
    tags: list[tuple[str, str]]

    def first(self, tag: str) -> str:
        """The first value of a tag, or nothing."""
        return next((value for name, value in self.tags if name == tag), "")


def obo_facts(content: bytes, name: str, quiet: bool = True) -> Facts:
    """What an OBO file states."""
    stanzas, skipped = _read_stanzas(content.decode("utf-8"), name)
    facts = Facts()
    reader = _Reader(facts, stanzas, name)
    with Progress(len(stanzas), f"reading {name}", quiet) as progress:
        for stanza in stanzas[1:]:
            if stanza.kind in STANZA_TYPES and not stanza.first("id"):
                skipped += 1
            elif stanza.kind in STANZA_TYPES:
                reader.take(stanza)
            progress.advance()
    if skipped:
        facts.remarks.append(
            f"{counted_noun(skipped, 'line')} of no tag, or stanzas of no id: left out"
        )
    return facts


def _read_stanzas(text: str, file: str) -> tuple[list[Stanza], int]:
    """The header and all stanzas, and the number of lines that are neither tags nor comments."""
    found, skipped = [Stanza("", [])], 0
    longest = longest_text()
    for line in text.replace("\\\n", " ").splitlines():
        line = line.strip()
        if len(line) > longest:
            raise too_long(line, "a line", file)
        if (start := STANZA_PATTERN.match(line)) is not None:
            found.append(Stanza(start[1], []))
        elif (tag := TAG_PATTERN.match(line)) is not None:
            found[-1].tags.append((tag[1], tag[2]))
        elif line and not line.startswith("!"):
            skipped += 1
    return found, skipped


class _Reader:
    """Stanzas -> statements."""

    def __init__(self, facts: Facts, stanzas: list[Stanza], name: str) -> None:
        self.facts, self.name, self.nodes = facts, name, 0
        self.longest = longest_text()
        self.iris: dict[str, str] = {}
        header = stanzas[0]
        self.ontology = header.first("ontology").strip()
        self.spaces = {}
        for tag, value in header.tags:
            if tag == "idspace" and len(parts := value.split()) > 1 and "://" in parts[1]:
                self.spaces[parts[0]] = parts[1]
        # a relation of one word is the relation of another ontology that it refers to
        self.known = {
            s.first("id"): s.first("xref").split()[0]
            for s in stanzas
            if s.kind == "Typedef" and ":" not in s.first("id") and ":" in s.first("xref")
        }
        if self.ontology:
            iri = self.ontology if "://" in self.ontology else f"{OBO}{self.ontology}.owl"
            facts.add(iri, TYPE, OWL + "Ontology")
            for tag, value in header.tags:
                if tag == "import":
                    facts.add(iri, IMPORTS, value.split()[0] if value.split() else value)

    def iri(self, text: str) -> str:
        """The IRI of an identifier, without qualifiers and the remark that follow it."""
        if (found := self.iris.get(text)) is None:
            found = self.iris[text] = self._new_iri(text)
        return found

    def _new_iri(self, text: str) -> str:
        short = ESCAPE_PATTERN.sub(r"\1", _bare_value(text))
        short = self.known.get(short, short)
        if "://" in short or short.startswith("urn:"):
            return short
        prefix, colon, local = short.partition(":")
        if not colon:
            return f"{OBO}{self.ontology or self.name}#{quote(short, safe='_-.')}"
        return f"{self.spaces.get(prefix, f'{OBO}{prefix}_')}{quote(local, safe='_-.:#/')}"

    def node(self) -> str:
        """A new node without an IRI."""
        self.nodes += 1
        return f"{BLANK_NODE_PREFIX}o{self.nodes}"

    def take(self, stanza: Stanza) -> None:
        """Add the statements of a stanza."""
        add, about = self.facts.add, self.iri(stanza.first("id"))
        kind = STANZA_TYPES[stanza.kind]
        if stanza.kind == "Typedef" and stanza.first("is_metadata_tag").startswith("true"):
            kind = OWL + "AnnotationProperty"
        add(about, TYPE, kind)
        parts: list[str] = []
        union: list[str] = []
        for tag, value in stanza.tags:
            if tag == "name":
                self._text(about, LABEL, _bare_value(value))
            elif tag == "def":
                self._text(about, OBO + "IAO_0000115", _quoted_text(value))
            elif tag == "comment":
                self._text(about, RDFS + "comment", _unqualified_value(value))
            elif tag == "synonym" or tag in OLD_SYNONYMS:
                scope = OLD_SYNONYMS.get(tag) or _synonym_scope(value)
                self._text(about, f"{OBO_IN_OWL}has{scope}Synonym", _quoted_text(value))
            elif tag == "is_a" and stanza.kind in SUBSUMPTION_BY_STANZA:
                add(about, SUBSUMPTION_BY_STANZA[stanza.kind], self.iri(value))
            elif tag == "disjoint_from" and stanza.kind == "Term":
                add(about, DISJOINT, self.iri(value))
            elif tag == "is_transitive" and value.startswith("true"):
                add(about, TYPE, TRANSITIVE)
            elif tag == "relationship":
                add(about, SUBCLASS, self._some(value))
            elif tag == "intersection_of":
                parts.append(self._part(value))
            elif tag == "union_of":
                union.append(self.iri(value))
            elif tag == "equivalent_to":
                add(about, EQUIVALENT, self.iri(value))
            elif tag == "is_obsolete" and YES_PATTERN.match(value):
                add(about, DEPRECATED, TRUE_TEXT)
            elif tag in ("domain", "range"):
                add(about, DOMAIN if tag == "domain" else RANGE, self.iri(value))
            elif tag == "instance_of":
                add(about, TYPE, self.iri(value))
        for members, name in ((parts, INTERSECTION), (union, UNION)):
            if stanza.kind == "Term" and members:
                node = self.node()
                add(about, EQUIVALENT, node)
                add(node, name, self.facts.add_list(members, self.node))

    def _text(self, about: str, name: str, text: str) -> None:
        text = ESCAPE_PATTERN.sub(lambda found: ESCAPED_CHARACTERS.get(found[1], found[1]), text)
        if len(text) > self.longest:
            raise too_long(text, about, self.name)
        self.facts.add(about, name, Text(text))

    def _some(self, value: str) -> str:
        """The restriction that ``part_of MA:1`` is."""
        relation, _, target = value.strip().partition(" ")
        node, iri = self.node(), self.iri(relation)
        if iri not in self.facts.found[TYPE]:  # the file may describe it further down, or nowhere
            self.facts.add(iri, TYPE, OWL + "ObjectProperty")
        self.facts.add(node, ON_PROPERTY, iri)
        if target.strip():
            self.facts.add(node, OWL + "someValuesFrom", self.iri(target))
        return node

    def _part(self, value: str) -> str:
        """A member of an intersection: a class, or a relation to one."""
        words = [*_words_before_remark(value)]
        return self._some(value) if len(words) > 1 else self.iri(value)


def _bare_value(value: str) -> str:
    """A value without the remark (``! heart``) and the qualifiers (``{source="x"}``) behind it."""
    return _unqualified_value(value.partition(" ! ")[0])


def _unqualified_value(value: str) -> str:
    """A value without qualifiers."""
    at = value.rfind("{") if value.rstrip().endswith("}") else -1
    return (value[:at] if at >= 0 and "=" in value[at:] else value).strip()


def _words_before_remark(value: str) -> Iterator[str]:
    """Words of a value before its qualifiers and its remark."""
    for word in _unqualified_value(value).split():
        if word == "!":
            return
        yield word


def _quoted_text(value: str) -> str:
    """The text between quotes, or the value where there are none."""
    if (found := QUOTED_PATTERN.match(value)) is not None:
        return found[1]
    if (found := LOOSE_QUOTES_PATTERN.match(value)) is not None:
        return found[1] if found[1] is not None else found[2]
    return value


def _synonym_scope(value: str) -> str:
    """How a synonym is meant: what follows its text, by default RELATED."""
    text = _quoted_text(value)
    after = value[value.find(text) + len(text) :].lstrip('"').split()
    return SYNONYM_SCOPES.get(after[0] if after else "", "Related")
